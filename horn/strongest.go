package horn

import (
	"slices"

	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/internal/scc"
	"github.com/seltl/seltl/internal/sexp"
	"github.com/seltl/seltl/logic"
)

// mostStrongest bounds the size of the formulas that Strongest makes.
const mostStrongest = 60_000

// mostCut bounds the predicates on cycles of which some are chosen.
const mostCut = 1000

// ModelOf reads a solution as SolutionOf does, but of a solver that replaces predicates by their clauses, as z3
// does: what it says of these, with quantifiers or as true, is often wrong. They are passed over for the sake of Strongest,
// as far as no cycle of calls is among them; those that never hold, by a clause, are false.
func (p *Problem) ModelOf(answer []sexp.Node) (Solution, error) {
	poor, never := make([]bool, len(p.Preds)), p.impossible()
	if _, err := p.solutionOf(answer, func(pred int, f sexp.Node) *logic.Term {
		poor[pred] = hasQuantifier(f) || f.Is("true")
		return logic.True()
	}); err != nil {
		return nil, err
	}
	order, passed := p.between(poor), false
	s, err := p.unquantified(p.solutionOf(answer, func(pred int, f sexp.Node) *logic.Term {
		switch {
		case never[pred]:
			return logic.False()
		case hasQuantifier(f) && slices.Contains(order, pred):
			passed = true
			return logic.True()
		}
		return nil
	}))
	if err != nil || !passed {
		return s, err
	}
	if s = p.strongest(s, order); s == nil {
		return p.SolutionOf(answer)
	}
	return s, nil
}

// Strongest replaces what a solution says of most predicates by what their clauses say of
// them, given the others, which are on every cycle of calls: the strongest formula that satisfies these clauses, or a
// weaker one where variables are not eliminated exactly. Whether it is a solution is not known; it is nil where formulas get
// too large.
func (p *Problem) Strongest(s Solution) Solution {
	if len(s) != len(p.Preds) || p.Quantified(s) {
		return nil
	}
	return p.strongest(s, p.between(lists.Map(s, (*logic.Term).IsTrue)))
}

func (p *Problem) strongest(s Solution, order []int) Solution {
	out, left, never := slices.Clone(s), mostStrongest, p.impossible()
	for _, pred := range order {
		if never[pred] {
			out[pred] = logic.False()
			continue
		}
		var cases []*logic.Term
		for i := range p.Clauses {
			if c := &p.Clauses[i]; c.Head != nil && c.Head.Pred == pred {
				f := p.consequence(out, c)
				if left -= f.Size(); left < 0 {
					return nil
				}
				cases = append(cases, f)
			}
		}
		out[pred] = logic.Or(cases...)
	}
	return out
}

// between are the predicates but for some on every cycle, each behind those that it depends on. The poor
// ones are among them where that is possible, and rather those with one clause than those with several, which are heads
// of loops.
func (p *Problem) between(poor []bool) (order []int) {
	calls, clauses := make([][]int32, len(p.Preds)), make([]int, len(p.Preds))
	for _, c := range p.Clauses {
		if c.Head == nil {
			continue
		}
		clauses[c.Head.Pred]++
		for _, a := range c.Body {
			calls[c.Head.Pred] = append(calls[c.Head.Pred], int32(a.Pred))
		}
	}
	found, _ := scc.All(scc.EdgesOf(calls), nil) // no error without tick
	members := make([]int, found.Count)
	for _, k := range found.Of {
		members[k]++
	}
	var cut []int
	next := slices.Clone(calls)
	for pred, k := range found.Of {
		if members[k] > 1 || slices.Contains(calls[pred], int32(pred)) {
			cut, next[pred] = append(cut, pred), nil
		}
	}
	rank := func(pred int) int {
		if poor[pred] {
			return 0
		}
		return clauses[pred]
	}
	slices.SortStableFunc(cut, func(a, b int) int { return rank(a) - rank(b) })
	if len(cut) > mostCut {
		cut = nil
	}
	for _, pred := range cut {
		if next[pred] = calls[pred]; scc.Cyclic(scc.EdgesOf(next)) {
			next[pred] = nil
		}
	}
	found, _ = scc.All(scc.EdgesOf(next), nil)
	at := make([]int, len(p.Preds))
	for pred, k := range found.Of {
		at[k] = pred
	}
	return slices.DeleteFunc(at, func(pred int) bool { return len(calls[pred]) > 0 && next[pred] == nil })
}

// impossible are the predicates of which a clause says that they never hold: they are false in every solution.
func (p *Problem) impossible() []bool {
	never := make([]bool, len(p.Preds))
	for _, c := range p.Clauses {
		if c.Head == nil && len(c.Body) == 1 && c.Constraint.IsTrue() && distinct(c.Body[0].Args) {
			never[c.Body[0].Pred] = true
		}
	}
	return never
}

// distinct reports that terms are variables, each another one.
func distinct(terms []*logic.Term) bool {
	seen := map[*logic.Term]bool{}
	for _, t := range terms {
		if t.Op() != logic.OpVar || seen[t] {
			return false
		}
		seen[t] = true
	}
	return true
}

// consequence is what a clause says of the parameters of its conclusion, given a solution for its premises.
func (p *Problem) consequence(s Solution, c *Clause) *logic.Term {
	params := p.Preds[c.Head.Pred].Params
	// Arguments that are variables become parameters, and others get names that no parameter has.
	taken, by := map[string]bool{}, map[*logic.Term]*logic.Term{}
	for k, v := range params {
		taken[v.Name()] = true
		if a := c.Head.Args[k]; a.Op() == logic.OpVar && by[a] == nil {
			by[a] = v
		}
	}
	var locals []*logic.Term
	for _, v := range logic.Vars(c.Terms()...) {
		if by[v] == nil {
			by[v] = logic.Var(logic.UnusedName(taken, "local."+v.Name()), v.Sort())
			locals = append(locals, by[v])
		}
	}
	fs := []*logic.Term{logic.Substitute(c.Constraint, by)}
	for _, a := range c.Body {
		f, _ := p.apart(s, App{a.Pred, logic.SubstituteAll(a.Args, by)}, taken)
		fs = append(fs, f)
	}
	for k, a := range logic.SubstituteAll(c.Head.Args, by) {
		fs = append(fs, logic.Eq(a, params[k]))
	}
	return logic.Weakened(locals, logic.And(fs...))
}
