package clp

import (
	"context"
	"slices"

	"github.com/seltl/seltl/horn"
	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/smt"
)

// reached is the step that leaves out clauses that call what has no derivation, whatever
// constraints say, and clauses for what the query does not need.
type reached struct {
	after  *horn.Problem
	number []int         // of each clause before
	others horn.Solution // of predicates that are gone; nil of those that are left
}

// reach leaves out clauses that do not matter.
func reach(p *horn.Problem) *reached {
	derivable, needed := make([]bool, len(p.Preds)), make([]bool, len(p.Preds))
	calls := func(c *horn.Clause) bool {
		return !slices.ContainsFunc(c.Body, func(a horn.App) bool { return !derivable[a.Pred] })
	}
	for changed := true; changed; {
		changed = false
		for i := range p.Clauses {
			if c := &p.Clauses[i]; c.Head != nil && !derivable[c.Head.Pred] && !c.Constraint.IsFalse() && calls(c) {
				derivable[c.Head.Pred], changed = true, true
			}
		}
	}
	matters := func(c *horn.Clause) bool {
		return !c.Constraint.IsFalse() && calls(c) && (c.Head == nil || needed[c.Head.Pred])
	}
	for changed := true; changed; {
		changed = false
		for i := range p.Clauses {
			if !matters(&p.Clauses[i]) {
				continue
			}
			for _, a := range p.Clauses[i].Body {
				changed = changed || !needed[a.Pred]
				needed[a.Pred] = true
			}
		}
	}
	r := &reached{after: &horn.Problem{Preds: p.Preds}, others: make(horn.Solution, len(p.Preds))}
	for i := range p.Clauses {
		if matters(&p.Clauses[i]) {
			r.after.Clauses = append(r.after.Clauses, p.Clauses[i])
			r.number = append(r.number, i)
		}
	}
	for i := range p.Preds {
		if !derivable[i] {
			r.others[i] = logic.False()
		} else if !needed[i] {
			r.others[i] = logic.True()
		}
	}
	if len(r.number) == len(p.Clauses) {
		r.after = p
	}
	return r
}

func (r *reached) problem() *horn.Problem { return r.after }

func (r *reached) solution(_ context.Context, _ smt.Solver, after horn.Solution) (horn.Solution, error) {
	out := slices.Clone(after)
	for i, f := range r.others {
		if f != nil {
			out[i] = f
		}
	}
	return out, nil
}

func (r *reached) derivation(after *Derivation) (*Derivation, error) {
	out := &Derivation{Values: after.Values, Functions: after.Functions}
	for _, n := range after.Nodes {
		out.Nodes = append(out.Nodes, Node{Clause: r.number[n.Clause], Calls: n.Calls})
	}
	return out, nil
}

// filtered is the step that leaves out arguments that no clause reads.
type filtered struct {
	before, after *horn.Problem
	erased        [][]bool // by predicate and parameter
}

// filter leaves out the arguments that every call gives to a variable that stands nowhere
// else, but for arguments of the head that are left out, too ([LeuschelSorensen96], from
// calls to rules). Any value of them serves. Those that may say more of the others than
// these themselves are kept (witness), since facts about them may be what is simple.
func filter(p *horn.Problem) *filtered {
	f := &filtered{before: p, after: p}
	for i := range p.Preds {
		all := lists.Map(p.Preds[i].Params, func(v *logic.Term) bool { return v.Sort().Kind() != logic.FunctionKind })
		f.erased = append(f.erased, all)
	}
	for f.restrict() {
	}
	some := false
	for i := range p.Preds {
		some = some || slices.Contains(f.erased[i], true)
	}
	if some {
		f.apply()
	}
	return f
}

// restrict keeps arguments that a clause reads; false if it reads none that were to go.
func (f *filtered) restrict() (changed bool) {
	for i := range f.before.Clauses {
		c := &f.before.Clauses[i]
		read := map[*logic.Term]int{}
		note := func(t *logic.Term) {
			for _, v := range logic.Vars(t) {
				read[v]++
			}
		}
		note(c.Constraint)
		for _, a := range c.Body {
			for _, t := range a.Args {
				note(t)
			}
		}
		if c.Head != nil {
			plain, related := f.told(c)
			for k, t := range c.Head.Args {
				if f.erased[c.Head.Pred][k] && witness(t, plain, related) {
					f.erased[c.Head.Pred][k], changed = false, true
				}
			}
			for k, t := range c.Head.Args {
				if !f.erased[c.Head.Pred][k] {
					note(t)
				}
			}
		}
		for _, a := range c.Body {
			for k, t := range a.Args {
				if f.erased[a.Pred][k] && (t.Op() != logic.OpVar || read[t] > 1) {
					f.erased[a.Pred][k], changed = false, true
				}
			}
		}
	}
	return changed
}

// told returns the variables that are arguments of a clause's head that are kept, and those
// that the clause relates to others: in a conjunct, in a term for such an argument, or as
// an argument of a call.
func (f *filtered) told(c *horn.Clause) (plain, related map[*logic.Term]bool) {
	plain, related = map[*logic.Term]bool{}, map[*logic.Term]bool{}
	relate := func(vars []*logic.Term) {
		for _, v := range vars {
			related[v] = true
		}
	}
	for _, h := range logic.Conjuncts(c.Constraint) {
		if vars := logic.Vars(h); len(vars) > 1 {
			relate(vars)
		}
	}
	kept := func(a horn.App, visit func(t *logic.Term)) {
		for k, t := range a.Args {
			if !f.erased[a.Pred][k] {
				visit(t)
			}
		}
	}
	for _, a := range c.Body {
		kept(a, func(t *logic.Term) { relate(logic.Vars(t)) })
	}
	kept(*c.Head, func(t *logic.Term) {
		if t.Op() == logic.OpVar {
			plain[t] = true
		} else {
			relate(logic.Vars(t))
		}
	})
	return plain, related
}

// witness reports that an argument of a head, which nobody reads, is made of what the
// arguments that are kept do not tell: a number that others were computed from, or a
// counter that goes along with them.
func witness(t *logic.Term, plain, related map[*logic.Term]bool) bool {
	return slices.ContainsFunc(logic.Vars(t), func(v *logic.Term) bool {
		return !plain[v] && (t.Op() != logic.OpVar || related[v])
	})
}

func (f *filtered) apply() {
	kept := func(pred int, ts []*logic.Term) []*logic.Term {
		var out []*logic.Term
		for k, t := range ts {
			if !f.erased[pred][k] {
				out = append(out, t)
			}
		}
		return out
	}
	f.after = &horn.Problem{}
	for i, d := range f.before.Preds {
		f.after.Preds = append(f.after.Preds, horn.Pred{Name: f.before.PredName(i), Params: kept(i, d.Params), Span: d.Span})
	}
	for _, c := range f.before.Clauses {
		next := horn.Clause{Name: c.Name, Constraint: c.Constraint, Span: c.Span}
		for _, a := range c.Body {
			next.Body = append(next.Body, horn.App{Pred: a.Pred, Args: kept(a.Pred, a.Args)})
		}
		if c.Head != nil {
			next.Head = &horn.App{Pred: c.Head.Pred, Args: kept(c.Head.Pred, c.Head.Args)}
		}
		f.after.Clauses = append(f.after.Clauses, next)
	}
}

func (f *filtered) problem() *horn.Problem { return f.after }

func (f *filtered) solution(_ context.Context, _ smt.Solver, after horn.Solution) (horn.Solution, error) {
	return after, nil
}

// derivation gives the arguments that were left out the values that calls return.
func (f *filtered) derivation(after *Derivation) (*Derivation, error) {
	out := &Derivation{Trace: after.Trace, Values: make([]logic.Model, len(after.Nodes)), Functions: after.Functions}
	for i := len(after.Nodes) - 1; i >= 0; i-- {
		n := after.Nodes[i]
		c := &f.before.Clauses[n.Clause]
		own := logic.Model{}
		for _, v := range clauseVars(c) {
			if v.Sort().Kind() == logic.FunctionKind {
				continue
			}
			value, ok := after.Values[i][v.Name()]
			if !ok {
				value = logic.Zero(v.Sort())
			}
			own[v.Name()] = value
		}
		for k, j := range n.Calls {
			a := c.Body[k]
			returned, err := evalAll(f.before.Clauses[after.Nodes[j].Clause].Head.Args, out.environment(j))
			if err != nil {
				return nil, err
			}
			for at, t := range a.Args {
				if f.erased[a.Pred][at] {
					own[t.Name()] = returned[at]
				}
			}
		}
		out.Values[i] = own
	}
	return out, nil
}
