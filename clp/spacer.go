package clp

import (
	"context"
	"fmt"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/outcome"
	"github.com/seltl/seltl/smt"
)

// bySolver is the method Spacer: all clauses at once. Of a problem without a solution it
// says nothing more, and a derivation is looked for by CAR.
func bySolver(ctx context.Context, q *Clauses, s smt.Solver, meter *budget.Meter, o Options, work uint64) (*Result, error) {
	r := &Result{Method: Spacer}
	answer, err := s.Horn(ctx, q.Problem, work)
	if err != nil {
		return undecided(ctx, r, err)
	}
	switch answer.Status {
	case smt.Sat:
		r.Verdict, r.Solution = Underivable, answer.Solution // which was checked, see smt.Solver
		return r, nil
	case smt.Unsat:
		if r.Derivation, err = derivationOf(ctx, q.Problem, answer.Refutation, s); err != nil {
			return undecided(ctx, r, err)
		}
		if r.Derivation != nil && r.Derivation.Replay(q.Problem) == nil {
			r.Verdict = Derivable
			return r, nil
		}
		r.Derivation = nil
		o.Explication, o.NoFacts = Complete, true
		found, err := byCAR(ctx, q, s, meter, o)
		if err != nil || found.Verdict == Derivable {
			return found, err
		}
		r.Reason = fmt.Errorf("a derivation is said to be there by Spacer, which gives none, and none was found: %w", found.Reason)
		return r, nil
	}
	r.Reason = &outcome.Stuck{What: answer.Reason}
	return r, nil
}
