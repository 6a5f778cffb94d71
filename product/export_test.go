package product

import (
	"cmp"
	"context"

	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/product/internal/meet"
)

// VerifyStaged is Verify where several workers begin after so many states of one, and the
// search of the smaller network of AutoReduce may expand so many; 0: as always.
func VerifyStaged(net *lks.Network, f *ltl.Formula, opts Options, workersAfter, smallerMost int64) (*Result, error) {
	return verify(context.Background(), net, f, opts, lengths{workers: cmp.Or(workersAfter, manyStates), smaller: smallerMost})
}

// VerifyAutomatonWalking is VerifyAutomaton where complements are made along the runs.
func VerifyAutomatonWalking(ctx context.Context, net *lks.Network, l Language, opts Options) (*Result, error) {
	return verifyAutomaton(ctx, net, l, opts, 0)
}

// Constraints is what translations are told about atoms.
var Constraints = meet.Constraints
