package encode

import (
	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
)

// relevantVars are the names of the variables that guards of one of some systems depend
// on, directly or by assignments of any of them, wherever these stand: all others decide
// nothing.
func relevantVars(also []*logic.Term, systems ...*program.System) map[string]bool {
	relevant := map[string]bool{}
	var work []string
	mark := func(ts ...*logic.Term) {
		for _, v := range logic.Vars(ts...) {
			if !relevant[v.Name()] {
				relevant[v.Name()] = true
				work = append(work, v.Name())
			}
		}
	}
	mark(also...)
	assigned := map[string][]*logic.Term{}
	for _, sys := range systems {
		for _, e := range sys.Edges {
			mark(e.Command.Guard)
			for v, t := range e.Command.Update {
				assigned[v.Name()] = append(assigned[v.Name()], t)
			}
		}
	}
	for len(work) > 0 {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		mark(assigned[v]...)
	}
	return relevant
}

// slice removes the variables that are not relevant.
func slice(sys *program.System, relevant map[string]bool) {
	var vars []*logic.Term
	zero := map[*logic.Term]bool{}
	for _, v := range sys.Vars {
		if relevant[v.Name()] {
			vars = append(vars, v)
		} else {
			zero[v] = true
		}
	}
	sys.Vars = vars
	for i := range sys.Edges {
		c := sys.Edges[i].Command
		for v := range c.Update {
			if zero[v] {
				delete(c.Update, v)
			}
		}
		var used []*logic.Term
		known := map[*logic.Term]bool{}
		for _, v := range logic.Vars(append(valuesOf(c.Update), c.Guard)...) {
			known[v] = true
		}
		for _, in := range c.Inputs {
			if known[in] {
				used = append(used, in)
			}
		}
		c.Inputs = used
	}
	for i, r := range sys.Init {
		keep := lists.Filter(logic.Conjuncts(r.Where), func(p *logic.Term) bool { return !mentions(p, zero) })
		sys.Init[i].Where = logic.And(keep...)
	}
}

func valuesOf(m map[*logic.Term]*logic.Term) (all []*logic.Term) {
	for _, t := range m {
		all = append(all, t)
	}
	return all
}

func mentions(t *logic.Term, vars map[*logic.Term]bool) bool {
	for _, v := range logic.Vars(t) {
		if vars[v] {
			return true
		}
	}
	return false
}
