package clp

import (
	"context"
	"errors"
	"fmt"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/horn"
	"github.com/seltl/seltl/outcome"
	"github.com/seltl/seltl/smt"
)

// bySolver is the method Spacer: all clauses at once, as they are and transformed by itself, then after passes. Where
// it says that there is no solution, its proof becomes a derivation, or else one is looked for by CAR. Work bounds what
// Spacer does with clauses as they are, and afterwards it may do a part of that; 0 does not.
func bySolver(ctx context.Context, q *Clauses, s smt.Solver, meter *budget.Meter, o Options, work uint64) (*Result, error) {
	before := s.Stats().Work
	answer, err := s.Transformed(ctx, q.Problem, work)
	switch {
	case err != nil:
		return undecided(ctx, &Result{Method: Spacer}, err)
	case answer.Status == smt.Sat:
		return &Result{Method: Spacer, Verdict: Underivable, Solution: answer.Solution}, nil
	}
	refuted := answer.Status == smt.Unsat
	if refuted {
		d, err := derivationOf(ctx, q.Problem, answer.Refutation, s)
		if err != nil {
			return undecided(ctx, &Result{Method: Spacer}, err)
		}
		if d != nil && d.Replay(q.Problem) == nil {
			return &Result{Method: Spacer, Verdict: Derivable, Derivation: d}, nil
		}
		if work > 0 {
			work = min(work, max(s.Stats().Work-before, leastProof))
		}
	} else {
		work = (work + passedPart - 1) / passedPart
	}
	small := &smaller{source: q.Problem}
	if !o.NoPasses {
		if small, err = shrink(ctx, s, q.Problem); err != nil {
			return undecided(ctx, &Result{Method: Spacer}, err)
		}
	}
	r, hinted, err := asked(ctx, small.problem(), s, work, refuted)
	if err != nil || hinted == nil && r.Verdict == Unknown {
		return r, err
	}
	if hinted == nil && len(small.steps) > 0 {
		if r, err = small.back(ctx, s, r); err == nil && r.Verdict == Unknown && !budget.Stopped(r.Reason) {
			r, hinted, err = asked(ctx, q.Problem, s, work, refuted)
		}
	}
	if err != nil || hinted == nil {
		return r, err
	}
	o.Explication, o.NoFacts = Complete, true
	found, err := byCAR(ctx, q, s, meter, o)
	if err != nil || found.Verdict == Derivable {
		return found, err
	}
	r.Reason = fmt.Errorf("%w, and none was found: %w", hinted, found.Reason)
	return r, nil
}

// passedPart is what part of the work is for clauses after passes.
const passedPart = 4

// proofFactor is how much more work a proof may take than the answer, or than leastProof where that was less.
const (
	proofFactor = 4
	leastProof  = 500_000
)

var errHint = errors.New("a derivation is said to be there by Spacer, which gives none")

// asked asks Spacer once, if it has not refuted the clauses already; hinted is not nil where it says that there is no
// solution, and does not show it.
func asked(ctx context.Context, p *horn.Problem, s smt.Solver, work uint64, refuted bool) (r *Result, hinted, err error) {
	r = &Result{Method: Spacer}
	answer := smt.HornResult{Status: smt.Unsat}
	if !refuted {
		answer, err = s.Horn(ctx, p, work)
	}
	if err == nil && answer.Status == smt.Unsat {
		var refutation horn.Refutation
		if refutation, err = s.Refute(ctx, p, proofFactor*work); err == nil {
			r.Derivation, err = derivationOf(ctx, p, refutation, s)
		}
	}
	if err != nil {
		r, err = undecided(ctx, r, err)
		return r, nil, err
	}
	switch answer.Status {
	case smt.Sat:
		r.Verdict, r.Solution = Underivable, answer.Solution // which was checked, see smt.Solver
	case smt.Unsat:
		if r.Derivation != nil && r.Derivation.Replay(p) == nil {
			r.Verdict = Derivable
			break
		}
		r.Derivation, hinted = nil, errHint
	default:
		r.Reason = &outcome.Stuck{What: answer.Reason}
	}
	return r, hinted, nil
}
