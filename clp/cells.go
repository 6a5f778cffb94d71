package clp

import (
	"context"
	"fmt"

	"github.com/seltl/seltl/internal/cells"
	"github.com/seltl/seltl/outcome"
	"github.com/seltl/seltl/smt"
)

// byCells looks for a solution about all elements of arrays: by Spacer's own quantifiers, then over single elements
// (internal/cells). Work bounds each.
func byCells(ctx context.Context, q *Clauses, s smt.Solver, work uint64) (*Result, error) {
	r := &Result{Method: Cells}
	if !cells.Arrayed(q.Problem) {
		r.Reason = &outcome.Outside{What: "no argument is an array", Try: "another --method"}
		return r, nil
	}
	answer, err := s.ForAll(ctx, q.Problem, work)
	if err != nil {
		return undecided(ctx, r, err)
	}
	if answer.Status == smt.Sat {
		r.Verdict, r.Solution = Underivable, answer.Solution
		return r, nil
	}
	for _, shape := range cells.Shapes {
		z := cells.New(q.Problem, shape)
		found, err := abstracted(ctx, z.Abstract(), s, work)
		if err != nil {
			return undecided(ctx, r, err)
		}
		switch found.Verdict {
		case Underivable:
			r.Solution = z.Solution(found.Solution)
			if r, err = confirm(ctx, r, q.Problem, s); err != nil || r.Verdict != Unknown {
				return r, err
			}
		case Derivable:
			r.Reason = &outcome.Stuck{What: fmt.Sprintf("%s are not enough: there is a derivation by them", shape)}
		default:
			r.Reason = found.Reason
		}
	}
	return r, nil
}
