package fairchoice

import (
	"context"

	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/product"
)

// SetLostMost lets the search for the shortest stem that is certain expand so many places;
// 0: as always.
func SetLostMost(most int) { lostMost = most }

// ByAutomaton is Verify that takes an automaton whatever the formula is.
func ByAutomaton(net *lks.Network, f *ltl.Formula, opts product.Options) (*product.Result, error) {
	w := newWalk(context.Background(), net, opts)
	w.f = f
	return w.answer(w.byAutomaton)
}
