package cegar

import (
	"context"
	"slices"

	"github.com/seltl/seltl/internal/program/passes"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/product"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/smt"
)

// discarding are the events of runs that do not exist: see predabs.Abstracter.DiscardedAction.
func (l *loop) discarding() (all []*ltl.Formula) {
	for _, k := range l.components {
		if k.model.Discards() {
			all = append(all, ltl.AtomOf(ltl.Atom{Kind: ltl.Event, Name: k.abstracter.DiscardedAction()}))
		}
	}
	return all
}

// vacuous asks the abstract models of a proof, side by side, whether an assumption fails on every
// run of theirs, among those that count. search is product.Verify on net.
func (l *loop) vacuous(net *lks.Network, opts product.Options) (bool, error) {
	none := l.discarding()
	if len(none) == 0 {
		return false, nil
	}
	opts.Finite, opts.NoPrefix = product.StutterRuns, true
	r, err := product.Verify(l.ctx, net, ltl.MakeEventually(ltl.MakeOr(none...)), opts)
	if err != nil {
		return false, err
	}
	return r.Verdict == product.Holds, nil
}

// noRunRounds bounds the refinements of noRun: whether there is a run is seen soon, or not said.
const noRunRounds = 3

// noRun asks anew whether components have no run at all, without the pass that takes silent runs
// that go on for ever for such in which an assumption fails. False where that is not known.
func noRun(ctx context.Context, components []*program.Component, pool *smt.Pool, opts Options) bool {
	opts.Without, opts.Rounds, opts.Explain, opts.User, opts.Traces = append(slices.Clone(opts.Without), passes.Slice), noRunRounds, nil, nil, false
	r, err := deadlockFree(ctx, components, pool, opts)
	return err == nil && r.NoRun
}
