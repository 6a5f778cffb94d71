package cegar

import (
	"maps"
	"slices"

	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/smt"
)

// demand is a conjunct of a guard on the way of a part: what it asks of the first state and of
// inputs, and the edge that it is of.
type demand struct {
	edge    int // of the system; -1: of the initial states, or of what a node needs
	node    int
	formula *logic.Term
}

// demands returns what a part asks for, conjunct by conjunct, nodes in their order.
func (p *part) demands() (all []demand) {
	sys := p.of.Component.System
	ask := func(edge, node int, f *logic.Term) {
		for _, c := range logic.Conjuncts(f) {
			if !c.IsTrue() {
				all = append(all, demand{edge, node, c})
			}
		}
	}
	needs := func(n int, now map[*logic.Term]*logic.Term) {
		if f := p.nodes[n].holds; f != nil {
			ask(-1, n, logic.Substitute(f, now))
		}
	}
	first := map[*logic.Term]*logic.Term{}
	for _, v := range sys.Vars {
		first[v] = v
	}
	now := []map[*logic.Term]*logic.Term{first}
	ask(-1, 0, p.of.Blocks.Init[p.nodes[0].location])
	needs(0, first)
	for n := 1; n < len(p.nodes); n++ {
		at := now[p.nodes[n].parent]
		for _, e := range p.of.Blocks.All[p.nodes[n].block].Edges {
			c := sys.Edges[e].Command
			before := maps.Clone(at)
			for _, in := range c.Inputs {
				before[in] = inputAt(in, n)
			}
			ask(e, n, logic.Substitute(c.Guard, before))
			after := maps.Clone(at)
			for v, t := range c.Update {
				after[v] = logic.Substitute(t, before)
			}
			at = after
		}
		now = append(now, at)
		needs(n, at)
	}
	return all
}

// maxDeletions bounds the questions by which a core is made smaller.
const maxDeletions = 60

// core returns a small subset of demands that cannot be met together; all of them if the
// solver cannot say.
func (l *loop) core(all []demand) ([]demand, error) {
	l.solver.Push()
	defer l.solver.Pop()
	ask := func(some []demand) ([]demand, bool, error) {
		formulas := lists.Map(some, func(d demand) *logic.Term { return d.formula })
		status, err := l.solver.Check(l.ctx, formulas...)
		if err != nil || status != smt.Unsat {
			return nil, false, err
		}
		numbers, err := l.solver.Core(l.ctx)
		if err != nil || len(numbers) == 0 {
			return some, true, err
		}
		slices.Sort(numbers)
		out := lists.Map(numbers, func(k int) demand { return some[k] })
		return out, true, nil
	}
	core, _, err := ask(all)
	if err != nil || core == nil {
		return all, err
	}
	for i, asked := len(core)-1, 0; i >= 0 && asked < maxDeletions; i, asked = i-1, asked+1 {
		if i >= len(core) {
			continue
		}
		fewer, none, err := ask(slices.Delete(slices.Clone(core), i, i+1))
		if err != nil {
			return nil, err
		}
		if none {
			core = fewer
		}
	}
	return core, nil
}

// chooseByCore adds the units to the seeds whose conditions contradict each other in a part,
// and returns how many predicates are new; 0 if none are. Units of loops that count, whose
// inference has no end, are left to interpolants: more than a hundred predicates at a location
// cost minutes where one is enough.
func (l *loop) chooseByCore(k *component, p *part) (added int, err error) {
	core, err := l.core(p.demands())
	if err != nil {
		return 0, err
	}
	set := k.seeds.chosen
	for _, d := range core {
		if d.edge < 0 {
			continue
		}
		at := p.of.Component.System.Edges[d.edge].From
		i, is := k.seeds.at[at]
		if !is {
			continue
		}
		if k.seeds.infer(i); !k.seeds.endless[i] {
			set = union(set, []int{i})
		}
	}
	if slices.Equal(set, k.seeds.chosen) {
		return 0, nil
	}
	return l.seed(k, set), nil
}
