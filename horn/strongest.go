package horn

import (
	"slices"

	"github.com/seltl/seltl/internal/scc"
	"github.com/seltl/seltl/internal/sexp"
	"github.com/seltl/seltl/logic"
)

// mostStrongest bounds the size of the formulas that Strongest makes.
const mostStrongest = 60_000

// ModelOf reads a solution as SolutionOf does, but of a solver that replaces predicates by their clauses, as z3
// does: what it says of those with quantifiers is often wrong. Predicates that do not depend on themselves and are
// said to be quantified formulas are passed over for the sake of Strongest.
func (p *Problem) ModelOf(answer []sexp.Node) (Solution, error) {
	passed := false
	order := p.withoutRecursion()
	s, err := p.solutionOf(answer, func(pred int, f sexp.Node) bool {
		pass := slices.Contains(order, pred) && quantified(f)
		passed = passed || pass
		return pass
	})
	if err != nil || !passed {
		return s, err
	}
	if s = p.Strongest(s); s == nil {
		return p.SolutionOf(answer)
	}
	return s, nil
}

func quantified(n sexp.Node) bool {
	return n.Is("exists") || n.Is("forall") || slices.ContainsFunc(n.List, quantified)
}

// Strongest replaces what a solution says of predicates that do not depend on themselves by what their clauses say of
// them, given the others: the strongest formula that satisfies these clauses, or a weaker one where variables
// are not eliminated exactly. Whether it is a solution is not known; it is nil where formulas get too large.
func (p *Problem) Strongest(s Solution) Solution {
	out, left := slices.Clone(s), mostStrongest
	for _, pred := range p.withoutRecursion() {
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

// withoutRecursion are the predicates that do not depend on themselves, behind those that they depend on.
func (p *Problem) withoutRecursion() (order []int) {
	calls := make([][]int32, len(p.Preds))
	for _, c := range p.Clauses {
		for _, a := range c.Body {
			if c.Head != nil {
				calls[c.Head.Pred] = append(calls[c.Head.Pred], int32(a.Pred))
			}
		}
	}
	found, _ := scc.All(scc.EdgesOf(calls), nil) // no error without tick
	members := make([][]int, found.Count)
	for pred, k := range found.Of {
		members[k] = append(members[k], pred)
	}
	for _, m := range members {
		if len(m) == 1 && !slices.Contains(calls[m[0]], int32(m[0])) {
			order = append(order, m[0])
		}
	}
	return order
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
		fs = append(fs, p.apply(s, App{a.Pred, logic.SubstituteAll(a.Args, by)}))
	}
	for k, a := range logic.SubstituteAll(c.Head.Args, by) {
		fs = append(fs, logic.Eq(a, params[k]))
	}
	return logic.Weakened(locals, logic.And(fs...))
}
