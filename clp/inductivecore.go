package clp

import (
	"context"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/horn"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/smt"
)

// A solution without what its proof does not need: the set of conjuncts that is come to from
// the clauses of the goal ([Ivrii14], the closure by need). Conjuncts of the calls are
// needed if they contradict the constraint of a clause of the goal, or if a clause needs
// them for one of its head that is needed. What is left is a solution again.

const (
	coreMost     = 600     // conjuncts of a solution that is looked at
	coreQuestion = 100_000 // work of the solver for one question
	coreWork     = 1_000_000
)

// inductiveCore is one reduction of a solution.
type inductiveCore struct {
	ctx       context.Context
	solver    smt.Solver
	problem   *horn.Problem
	conjuncts [][]*logic.Term // by predicate
	needed    [][]bool        // likewise
	proved    [][]bool        // likewise: clauses were asked for it
	until     uint64          // of the solver's work
}

// needed returns what a proof needs of a solution, or the solution itself where that is too
// much work. The error is the solver's.
func needed(ctx context.Context, s smt.Solver, p *horn.Problem, solution horn.Solution) (horn.Solution, error) {
	c := &inductiveCore{ctx: ctx, solver: s, problem: p, until: s.Stats().Work + coreWork}
	total := 0
	for _, f := range solution {
		all := logic.Conjuncts(f)
		total += len(all)
		c.conjuncts = append(c.conjuncts, all)
		c.needed, c.proved = append(c.needed, make([]bool, len(all))), append(c.proved, make([]bool, len(all)))
	}
	if total > coreMost {
		return solution, nil
	}
	s.Limit(coreQuestion)
	defer s.Limit(0)
	if ok, err := c.close(); !ok || err != nil {
		return solution, err
	}
	out := make(horn.Solution, len(solution))
	for pred := range out {
		out[pred] = logic.And(c.chosen(pred, c.needed)...)
	}
	return out, nil
}

// confirmNeeded makes the solution of a result smaller, and confirms it.
func confirmNeeded(ctx context.Context, r *Result, p *horn.Problem, s smt.Solver) (*Result, error) {
	all := r.Solution
	var err error
	if r.Solution, err = needed(ctx, s, p, all); err != nil {
		return undecided(ctx, unsolved(r, nil), err)
	}
	if r, err = confirm(ctx, r, p, s); err == nil && r.Verdict == Unknown && !budget.Stopped(r.Reason) {
		r.Solution = all
		return confirm(ctx, r, p, s)
	}
	return r, err
}

// chosen are the conjuncts of a predicate that are marked.
func (c *inductiveCore) chosen(pred int, marked [][]bool) (some []*logic.Term) {
	for k, f := range c.conjuncts[pred] {
		if marked[pred][k] {
			some = append(some, f)
		}
	}
	return some
}

// close asks the clauses of the goal, and then those of what they need.
func (c *inductiveCore) close() (ok bool, err error) {
	for i := range c.problem.Clauses {
		if c.problem.Clauses[i].Head == nil {
			if ok, err := c.ask(&c.problem.Clauses[i], logic.True()); !ok || err != nil {
				return false, err
			}
		}
	}
	for pred := 0; pred < len(c.conjuncts); pred++ {
		var goals []*logic.Term
		for k, f := range c.conjuncts[pred] {
			if c.needed[pred][k] && !c.proved[pred][k] {
				c.proved[pred][k] = true
				goals = append(goals, f)
			}
		}
		if goals == nil {
			continue
		}
		for i := range c.problem.Clauses {
			clause := &c.problem.Clauses[i]
			if clause.Head == nil || clause.Head.Pred != pred {
				continue
			}
			if ok, err := c.ask(clause, logic.Not(applied(c.problem, *clause.Head, logic.And(goals...)))); !ok || err != nil {
				return false, err
			}
		}
		pred = -1 // others may be needed now
	}
	return true, nil
}

// ask marks conjuncts of a clause's calls that contradict its constraint and more; those
// that are needed anyway are free.
func (c *inductiveCore) ask(clause *horn.Clause, more *logic.Term) (ok bool, err error) {
	if c.solver.Stats().Work > c.until {
		return false, nil
	}
	constraint := logic.And(clause.Constraint, more)
	if constraint.IsFalse() {
		return true, nil
	}
	type place struct{ pred, conjunct int }
	places := map[*logic.Term][]place{}
	var all []*logic.Term
	c.solver.Push()
	defer c.solver.Pop()
	c.solver.Assert(constraint)
	for _, a := range clause.Body {
		for k, f := range c.conjuncts[a.Pred] {
			g := applied(c.problem, a, f)
			if c.needed[a.Pred][k] {
				c.solver.Assert(g)
				continue
			}
			if places[g] == nil {
				all = append(all, g)
			}
			places[g] = append(places[g], place{a.Pred, k})
		}
	}
	core, err := minimalCore(c.ctx, c.solver, all)
	if core == nil || err != nil {
		return false, err
	}
	for _, g := range core {
		for _, at := range places[g] {
			c.needed[at.pred][at.conjunct] = true
		}
	}
	return true, nil
}
