package programs

import (
	"context"

	"github.com/seltl/seltl/armc"
	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/c/encode"
	"github.com/seltl/seltl/internal/program/facts"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/smt"
)

// Known is an invariant of a program over machine words that says nothing of failures: what abstract
// interpretation finds over unbounded integers, read over words, or else over these. Separate code has proved
// with the solver that it is inductive; nil: none was found that is, before the context ended.
func Known(ctx context.Context, enc *encode.Encoding, solver smt.Checker) ([]*logic.Term, error) {
	bare := *enc.Words
	bare.Error = nil
	for _, sys := range []*program.System{enc.Numbers, enc.Words} {
		found, err := facts.Find(budget.New(ctx, budget.Limits{}, nil), sys, facts.Options{})
		if ctx.Err() != nil {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		invariant := make([]*logic.Term, len(sys.Locations))
		for l := range invariant {
			invariant[l] = found.Formula(l)
			if sys == enc.Numbers {
				if invariant[l], err = enc.Lift(invariant[l]); err != nil {
					break
				}
			}
		}
		if err == nil && armc.CheckCertificate(ctx, &bare, &armc.Certificate{Invariant: invariant}, solver) == nil {
			return invariant, nil
		}
	}
	return nil, nil
}
