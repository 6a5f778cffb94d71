package clp

import (
	"context"
	"errors"

	"github.com/seltl/seltl/horn"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/outcome"
	"github.com/seltl/seltl/smt"
)

// step is a problem made of another, as internal/program/passes makes systems of systems, and the
// way back. Predicates keep their numbers; those that are gone stand in no clause.
type step interface {
	// problem is the problem after the step.
	problem() *horn.Problem
	// solution makes of a solution after the step one before it; nil if none is found.
	solution(ctx context.Context, s smt.Solver, after horn.Solution) (horn.Solution, error)
	// derivation makes of a derivation after the step one before it.
	derivation(after *Derivation) (*Derivation, error)
}

// smaller is a problem after steps.
type smaller struct {
	source *horn.Problem
	steps  []step
}

// shrink makes a problem smaller: without clauses that do not matter (reach), without
// arguments that nobody reads (filter), and without predicates that are no cut points of
// the graph of calls (unfold).
func shrink(ctx context.Context, s smt.Checker, p *horn.Problem) (*smaller, error) {
	out := &smaller{source: p}
	out.add(reach(p))
	out.add(filter(out.problem()))
	for {
		u, err := unfold(ctx, s, out.problem())
		if err != nil {
			return nil, err
		}
		if u == nil {
			return out, nil
		}
		out.steps = append(out.steps, u)
	}
}

func (m *smaller) add(s step) {
	if s.problem() != m.problem() {
		m.steps = append(m.steps, s)
	}
}

// problem is the problem after all steps.
func (m *smaller) problem() *horn.Problem {
	if len(m.steps) == 0 {
		return m.source
	}
	return m.steps[len(m.steps)-1].problem()
}

// back makes a result of the source of one of the problem after all steps: a solution that
// is confirmed, or a derivation.
func (m *smaller) back(ctx context.Context, s smt.Solver, r *Result) (*Result, error) {
	var err error
	switch r.Verdict {
	case Derivable:
		for i := len(m.steps) - 1; i >= 0; i-- {
			if r.Derivation, err = m.steps[i].derivation(r.Derivation); err != nil {
				break
			}
		}
		if err == nil && len(m.steps) > 0 {
			err = r.Derivation.Replay(m.source)
		}
		if errors.Is(err, logic.ErrDivisionByZero) || errors.Is(err, logic.ErrOtherConstructor) { // of what was left out
			r.Verdict, r.Derivation, r.Reason = Unknown, nil, &outcome.Stuck{What: "a derivation by fewer clauses is none of all: " + err.Error()}
			return r, nil
		}
		return r, err
	case Underivable:
		for i := len(m.steps) - 1; i >= 0; i-- {
			if r.Solution, err = m.steps[i].solution(ctx, s, r.Solution); err != nil {
				return undecided(ctx, unsolved(r, &outcome.Stuck{What: "a solution of fewer relations is none of all yet"}), err)
			}
			if r.Solution == nil {
				return unsolved(r, &outcome.Stuck{What: "no solution of a relation that was replaced by its rule is found"}), nil
			}
		}
		if len(m.steps) > 0 {
			r.Verdict = Unknown
			return confirmNeeded(ctx, r, m.source, s)
		}
	}
	return r, nil
}

// unsolved takes the solution of a result back.
func unsolved(r *Result, why error) *Result {
	r.Verdict, r.Solution, r.Reason = Unknown, nil, why
	return r
}

// atoms counts how often a clause calls a predicate.
func atoms(c *horn.Clause, pred int) (n int) {
	for _, a := range c.Body {
		if a.Pred == pred {
			n++
		}
	}
	return n
}

// substituted puts terms into a clause.
func substituted(c horn.Clause, by map[*logic.Term]*logic.Term) horn.Clause { return c.Substitute(by) }
