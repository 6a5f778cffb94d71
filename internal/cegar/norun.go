package cegar

import (
	"context"
	"math/big"
	"math/rand/v2"
	"slices"

	"github.com/seltl/seltl/internal/program/passes"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/logic"
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
// that go on for ever for such in which an assumption fails. False where that is not known, and
// without a question where each of them has a run by itself that is found at random.
func noRun(ctx context.Context, components []*program.Component, pool *smt.Pool, opts Options) bool {
	solver, err := pool.Acquire(ctx)
	if err != nil {
		return false
	}
	all := true
	for _, c := range components {
		all = all && walks(ctx, c, solver)
	}
	if pool.Release(solver); all {
		return false
	}
	opts.Without, opts.Rounds, opts.Explain, opts.User, opts.Traces = append(slices.Clone(opts.Without), passes.Slice), noRunRounds, nil, nil, false
	r, err := deadlockFree(ctx, components, pool, opts)
	return err == nil && r.NoRun
}

// Bounds of walks: attempts, and steps of each, behind which a run may go on for ever.
const (
	walkAttempts = 8
	walkSteps    = 3_000
)

// walks reports that a component comes to an end, to where it waits, or far, by steps and inputs at
// random.
func walks(ctx context.Context, c *program.Component, solver smt.Solver) bool {
	sys, waits := c.System, c.Waiting()
	out := make([][]int, len(sys.Locations))
	for i := range sys.Edges {
		out[sys.Edges[i].From] = append(out[sys.Edges[i].From], i)
	}
	r := rand.New(rand.NewPCG(1, 0))
	for _, init := range sys.Init {
		status, first, err := smt.ModelOf(ctx, solver, init.Where)
		if status != smt.Sat || err != nil {
			continue
		}
		for _, v := range sys.Vars {
			if _, known := first[v.Name()]; !known {
				first[v.Name()] = logic.Zero(v.Sort())
			}
		}
		for range walkAttempts {
			at, state, steps := init.Location, first, 0
			for ; steps < walkSteps && !slices.Contains(c.Ends, at); steps++ {
				edge, next := anyStep(sys, out[at], state, r)
				if edge < 0 {
					break
				}
				at, state = sys.Edges[edge].To, next
			}
			if _, lost := c.Lost[at]; lost || steps == walkSteps || waits[at] || slices.Contains(c.Ends, at) {
				return true
			}
		}
	}
	return false
}

// anyStep is an edge that is possible with inputs at random, and the state behind it; -1 if none was
// found.
func anyStep(sys *program.System, edges []int, state logic.Model, r *rand.Rand) (int, logic.Model) {
	edges = slices.Clone(edges)
	r.Shuffle(len(edges), func(i, j int) { edges[i], edges[j] = edges[j], edges[i] })
	for try := range 4 {
		for _, e := range edges {
			command := sys.Edges[e].Command
			inputs := logic.Model{}
			for _, x := range command.Inputs {
				inputs[x.Name()] = logic.Zero(x.Sort())
				if n := int64(r.IntN(1 << try)); n > 0 && (x.Sort().Arithmetic() || x.Sort().Width() > 0) {
					if v, err := logic.Eval(logic.Number(big.NewRat(n, 1), x.Sort()), nil); err == nil {
						inputs[x.Name()] = v
					}
				}
			}
			if next, err := command.Step(state, inputs); err == nil {
				return e, next
			}
		}
	}
	return -1, nil
}
