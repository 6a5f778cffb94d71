package houdini

import (
	"fmt"
	"slices"

	"github.com/seltl/seltl/horn"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/smt"
)

// Most of what is kept no proof needs. Closure by need ([Ivrii14]): what says what an error is asks for clauses of its premises,
// one for each model in which they do not exclude it, and each that is asked for does the same where it is concluded.

// need is one such closure.
type need struct {
	*search
	all    [][][]literal // clauses by relation, short ones first
	chosen [][]bool
	open   []bool // clauses of the problem to be asked
}

// needed are clauses of the hulls that are a solution, by relation; all of them where the solver has no answer.
func (h *search) needed() ([][][]literal, error) {
	n := &need{search: h, open: make([]bool, len(h.problem.Clauses))}
	for i, hull := range h.hulls {
		var clauses [][]literal
		if h.exact[i] == nil && !hull.empty() {
			clauses = hull.clauses()
		}
		n.all, n.chosen = append(n.all, clauses), append(n.chosen, make([]bool, len(clauses)))
	}
	for i := range h.problem.Clauses {
		n.open[i] = n.excluded(h.problem.Clauses[i].Head)
	}
	for {
		i := slices.Index(n.open, true)
		if i < 0 {
			break
		}
		n.open[i] = false
		if ok, err := n.explain(&h.problem.Clauses[i]); !ok || err != nil {
			return n.all, err
		}
	}
	out := make([][][]literal, len(n.all))
	for i := range out {
		out[i] = n.of(i)
	}
	return out, nil
}

// excluded reports a conclusion that nothing may reach: none, or a relation that nothing is in.
func (h *search) excluded(head *horn.App) bool {
	return head == nil || h.exact[head.Pred] == nil && h.hulls[head.Pred].empty()
}

// of are the clauses of a relation that were asked for.
func (n *need) of(pred int) (out [][]literal) {
	for k, c := range n.all[pred] {
		if n.chosen[pred][k] {
			out = append(out, c)
		}
	}
	return out
}

// explain asks for clauses of the premises until the conclusion's follow.
func (n *need) explain(c *horn.Clause) (ok bool, err error) {
	if slices.ContainsFunc(c.Body, func(a horn.App) bool { return n.exact[a.Pred] == nil && n.hulls[a.Pred].empty() }) {
		return true, nil
	}
	for {
		fs := []*logic.Term{c.Constraint}
		for k, a := range c.Body {
			prefix := fmt.Sprintf("premise!%d!", k)
			if n.exact[a.Pred] != nil {
				fs = append(fs, n.says(a, prefix))
			} else {
				fs = append(fs, n.conjunction(a, n.of(a.Pred), prefix, false))
			}
		}
		if !n.excluded(c.Head) {
			fs = append(fs, n.conjunction(*c.Head, n.of(c.Head.Pred), "conclusion!", true))
		}
		status, m, err := smt.ModelOf(n.ctx, n.solver, fs...)
		switch {
		case err != nil || status == smt.Unknown:
			return false, err
		case status == smt.Unsat:
			return true, nil
		}
		if ok, err := n.choose(c, m); !ok || err != nil {
			return false, nil // not decided by the model
		}
	}
}

// choose asks for a clause of a premise that a model breaks.
func (n *need) choose(c *horn.Clause, m logic.Model) (ok bool, err error) {
	for _, a := range c.Body {
		if len(n.all[a.Pred]) == 0 {
			continue
		}
		state, err := n.state(a, m)
		if err != nil {
			return false, err
		}
		for k, clause := range n.all[a.Pred] {
			broken := !slices.ContainsFunc(clause, func(l literal) bool { return state[l.predicate()] == l.positive() })
			if !broken || n.chosen[a.Pred][k] {
				continue
			}
			n.chosen[a.Pred][k] = true
			for i := range n.problem.Clauses {
				if h := n.problem.Clauses[i].Head; h != nil && h.Pred == a.Pred {
					n.open[i] = true
				}
			}
			return true, nil
		}
	}
	return false, nil
}

// solution is what clauses say, over the parameters.
func (h *search) solution(clauses [][][]literal) horn.Solution {
	out := make(horn.Solution, len(h.hulls))
	for i, hull := range h.hulls {
		switch {
		case h.exact[i] != nil:
			out[i] = h.exact[i]
			continue
		case hull.empty():
			out[i] = logic.False()
			continue
		}
		var all []*logic.Term
		for _, c := range clauses[i] {
			all = append(all, clauseOf(c, func(k int) *logic.Term { return h.mined[i][k] }))
		}
		out[i] = logic.And(all...)
	}
	return out
}
