// Package houdini looks for solutions of Horn clauses that are made of what the clauses mention: predicates are
// mined from their atoms, and a solution is a conjunction of clauses of at most three of these, for each relation
// those that all steps keep, in the way of Houdini ([FlanaganLeino01]). With indices and elements for arguments
// (internal/cells) these are invariants of all elements of arrays, as indexed predicates are ([LahiriBryant07]): that
// each node of a list has a successor that is null or a node, say.
//
// What is kept is the hull of abstract states that models of broken clauses have shown, so that it grows from below,
// and no clause is ever guessed that such a state refutes.
package houdini

import (
	"context"
	"fmt"
	"slices"

	"github.com/seltl/seltl/horn"
	"github.com/seltl/seltl/internal/scc"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/outcome"
	"github.com/seltl/seltl/smt"
)

// Solver is what is asked.
type Solver interface {
	smt.Checker
	Stats() smt.Stats
}

// Result is a solution, or why there is none.
type Result struct {
	Solution horn.Solution // nil: none
	Reason   error         // of no solution
	Final    bool          // more work would not find one
}

// search is one run over a problem.
type search struct {
	ctx     context.Context
	problem *horn.Problem
	solver  Solver
	most    uint64          // work of the solver at the end, 0 without limit
	exact   []*logic.Term   // of relations that one fact defines: what it says; nil of others
	mined   [][]*logic.Term // predicates of each relation, over its parameters
	hulls   []*hull         // of those that are not exact
	from    [][]int         // clauses by relation that they have as a premise
	rank    []int           // of clauses, in which order they are mended
	waiting []bool          // clauses that may be broken
}

// Solve looks for a solution of a problem over integers and truth values (nothing is said of others) within work, in units
// of the solver; 0 is no limit. Indices and elements are the parameters, by relation, that matter, and what is of their
// kinds: indices are compared with all of these. The solution is not checked. Errors are those of the solver.
func Solve(ctx context.Context, p *horn.Problem, indices, elements [][]*logic.Term, s Solver, work uint64) (Result, error) {
	h := &search{ctx: ctx, problem: p, solver: s, mined: mine(p, indices, elements), rank: ranks(p),
		waiting: make([]bool, len(p.Clauses)), from: make([][]int, len(p.Preds))}
	if work > 0 {
		h.most = s.Stats().Work + work
	}
	for i, predicates := range h.mined {
		h.exact = append(h.exact, fact(p, i))
		h.hulls = append(h.hulls, newHull(about(predicates, elements[i])))
	}
	for i := range p.Clauses {
		c := &p.Clauses[i]
		h.waiting[i] = c.Head == nil || h.exact[c.Head.Pred] == nil
		for _, a := range c.Body {
			h.from[a.Pred] = append(h.from[a.Pred], i)
			h.waiting[i] = h.waiting[i] && h.exact[a.Pred] != nil
		}
	}
	s.Push()
	defer s.Pop()
	for {
		i := h.next()
		if i < 0 {
			clauses, err := h.needed()
			return Result{Solution: h.solution(clauses)}, err
		}
		if end, err := h.mend(i); end.Reason != nil || err != nil {
			return end, err
		}
	}
}

// about tells which predicates are about some of the parameters.
func about(predicates, params []*logic.Term) []bool {
	out := make([]bool, len(predicates))
	for i, f := range predicates {
		out[i] = slices.ContainsFunc(logic.Vars(f), func(v *logic.Term) bool { return slices.Contains(params, v) })
	}
	return out
}

// fact is what a relation is that only has one clause, without premises, about different variables, as initial states
// have; nil of others.
func fact(p *horn.Problem, pred int) (says *logic.Term) {
	for _, c := range p.Clauses {
		if c.Head == nil || c.Head.Pred != pred {
			continue
		}
		if says != nil || len(c.Body) > 0 {
			return nil
		}
		by := map[*logic.Term]*logic.Term{}
		for k, t := range c.Head.Args {
			if t.Op() != logic.OpVar || by[t] != nil {
				return nil
			}
			by[t] = p.Preds[pred].Params[k]
		}
		if slices.ContainsFunc(logic.Vars(c.Constraint), func(v *logic.Term) bool { return by[v] == nil }) {
			return nil
		}
		says = logic.Substitute(c.Constraint, by)
	}
	return says
}

// ranks orders clauses: by components of relations, before those that use them, and what says what an error is as soon as
// nothing of its premises changes any more.
func ranks(p *horn.Problem) []int {
	next := make([][]int32, len(p.Preds))
	for _, c := range p.Clauses {
		for _, a := range c.Body {
			if c.Head != nil {
				next[a.Pred] = append(next[a.Pred], int32(c.Head.Pred))
			}
		}
	}
	of, _ := scc.All(scc.EdgesOf(next), nil) // without a tick there is no error
	out := make([]int, len(p.Clauses))
	for i, c := range p.Clauses {
		if c.Head != nil {
			out[i] = 2 * (of.Count - int(of.Of[c.Head.Pred])) // components lead to lower numbers
			continue
		}
		for _, a := range c.Body {
			out[i] = max(out[i], 2*(of.Count-int(of.Of[a.Pred]))+1)
		}
	}
	return out
}

// next is a clause that may be broken, -1 if none is.
func (h *search) next() int {
	best := -1
	for i, w := range h.waiting {
		if w && (best < 0 || h.rank[i] < h.rank[best]) {
			best = i
		}
	}
	return best
}

// mend adds states to the hull of a clause's conclusion until the clause is kept, or there is a reason to end.
func (h *search) mend(i int) (end Result, err error) {
	c := &h.problem.Clauses[i]
	h.waiting[i] = false
	if slices.ContainsFunc(c.Body, func(a horn.App) bool { return h.exact[a.Pred] == nil && h.hulls[a.Pred].empty() }) {
		return end, nil
	}
	h.solver.Push()
	defer h.solver.Pop()
	h.solver.Assert(c.Constraint)
	for k, a := range c.Body {
		h.solver.Assert(h.says(a, fmt.Sprintf("premise!%d!", k)))
	}
	for {
		if h.most > 0 && h.solver.Stats().Work > h.most {
			return Result{Reason: &outcome.Stuck{What: "short clauses of what is mentioned are not found with so little work"}}, nil
		}
		broken := logic.True()
		if c.Head != nil {
			broken = h.breaks(*c.Head)
		}
		status, m, err := smt.ModelOf(h.ctx, h.solver, broken)
		switch {
		case err != nil || status == smt.Unsat:
			return end, err
		case status == smt.Unknown:
			return Result{Reason: &outcome.Stuck{What: "the solver cannot tell whether a step keeps short clauses of what is mentioned"}}, nil
		case c.Head == nil:
			return Result{Reason: &outcome.Stuck{What: "short clauses of what is mentioned are not enough"}, Final: true}, nil
		}
		if err := h.add(*c.Head, m); err != nil {
			return Result{Reason: &outcome.Stuck{What: err.Error()}, Final: true}, nil
		}
		for _, k := range h.from[c.Head.Pred] {
			h.waiting[k] = true
		}
		if slices.ContainsFunc(c.Body, func(a horn.App) bool { return a.Pred == c.Head.Pred }) {
			return end, nil // a premise has become weaker: asked anew
		}
	}
}

// add puts the abstract state of a relation's arguments into its hull.
func (h *search) add(a horn.App, m logic.Model) error {
	state, err := h.state(a, m)
	if err == nil {
		h.hulls[a.Pred].add(state)
	}
	return err
}

// state is which predicates are true of an application. What the model says nothing of is 0.
func (h *search) state(a horn.App, m logic.Model) ([]bool, error) {
	state := make([]bool, len(h.mined[a.Pred]))
	by := h.arguments(a)
	for i, f := range h.mined[a.Pred] {
		g := logic.Substitute(f, by)
		for _, v := range logic.Vars(g) {
			if _, known := m[v.Name()]; !known {
				m[v.Name()] = logic.Zero(v.Sort())
			}
		}
		var err error
		if state[i], err = logic.Holds(g, m); err != nil {
			return nil, err
		}
	}
	return state, nil
}

func (h *search) arguments(a horn.App) map[*logic.Term]*logic.Term {
	by := map[*logic.Term]*logic.Term{}
	for i, v := range h.problem.Preds[a.Pred].Params {
		by[v] = a.Args[i]
	}
	return by
}

// says is what is kept of an application.
func (h *search) says(a horn.App, prefix string) *logic.Term {
	if f := h.exact[a.Pred]; f != nil {
		return logic.Substitute(f, h.arguments(a))
	}
	return h.conjunction(a, h.hulls[a.Pred].clauses(), prefix, false)
}

// breaks is the condition that an application is not in the hull of its relation.
func (h *search) breaks(a horn.App) *logic.Term {
	if h.hulls[a.Pred].empty() {
		return logic.True()
	}
	return h.conjunction(a, h.hulls[a.Pred].clauses(), "conclusion!", true)
}

// conjunction is that of clauses of an application, or its negation, with names for the predicates, which are defined.
func (h *search) conjunction(a horn.App, clauses [][]literal, prefix string, negated bool) *logic.Term {
	by := h.arguments(a)
	names := make([]*logic.Term, len(h.mined[a.Pred]))
	var all, said []*logic.Term
	name := func(i int) *logic.Term {
		if names[i] == nil {
			names[i] = logic.Var(fmt.Sprint(prefix, i), logic.Bool)
			all = append(all, logic.Eq(names[i], logic.Substitute(h.mined[a.Pred][i], by)))
		}
		return names[i]
	}
	for _, c := range clauses {
		said = append(said, clauseOf(c, name))
	}
	f := logic.And(said...)
	if negated {
		f = logic.Not(f)
	}
	return logic.And(append(all, f)...)
}

func clauseOf(c []literal, name func(int) *logic.Term) *logic.Term {
	fs := make([]*logic.Term, len(c))
	for i, l := range c {
		if fs[i] = name(l.predicate()); !l.positive() {
			fs[i] = logic.Not(fs[i])
		}
	}
	return logic.Or(fs...)
}
