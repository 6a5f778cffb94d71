package clp

import (
	"context"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/horn"
	"github.com/seltl/seltl/smt"
)

// Unroll looks for a derivation by unrolling alone, with so much work of the solver. over
// says that there is nothing else to look for.
func Unroll(ctx context.Context, s smt.Solver, p *horn.Problem, work uint64) (d *Derivation, over bool, err error) {
	meter := budget.New(ctx, budget.Limits{}, nil)
	u := newUnrolling(ctx, s, p, unknown(p), meter)
	defer u.end()
	d, err = u.run(s, work)
	return d, u.over, err
}

// Shrink makes a problem smaller; back takes results of it to the problem.
func Shrink(ctx context.Context, s smt.Solver, p *horn.Problem) (after *horn.Problem, back func(*Result) (*Result, error), err error) {
	m, err := shrink(ctx, s, p)
	if err != nil {
		return nil, nil, err
	}
	return m.problem(), func(r *Result) (*Result, error) { return m.back(ctx, s, r) }, nil
}

// Needed is the part of a solution that its proof needs.
var Needed = needed
