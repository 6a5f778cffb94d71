package conform

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/lks"
)

// TestNumberLimits: what has numbers of 32 bits ends with a limit when they are used up,
// whoever counts first, never with wrong input, and never with a verdict that is not that
// without the bound.
func TestNumberLimits(t *testing.T) {
	old := mostEntries
	defer func() { mostEntries = old }()
	net := gen.Ring(5)
	for _, preorder := range []Preorder{Simulation, Weak, Trace, Failures} {
		limits := 0
		for bound := 1; ; bound *= 2 {
			mostEntries = bound
			res, err := answer(context.Background(), net, net, Options{Preorder: preorder, Method: Plain})
			if err == nil {
				if !res.Holds() {
					t.Errorf("%v, bound %d: a network does not conform to itself", preorder, bound)
				}
				break
			}
			var e *budget.Exhausted
			if !errors.As(err, &e) || e.Advice == "" {
				t.Fatalf("%v, bound %d: %v, want a limit", preorder, bound, err)
			}
			limits++
		}
		if limits == 0 {
			t.Errorf("%v: no bound was reached", preorder)
		}
	}
}

// TestWitnessLimit: where all counterexamples are too large for a witness, abstractions
// cannot decide; that is a limit, and plain search answers instead where it may.
func TestWitnessLimit(t *testing.T) {
	old := maxWitness
	defer func() { maxWitness = old }()
	maxWitness = 1
	impl, spec := countersThenBad(t, 3, 32) // more positions than plain search has in its first turn
	for _, preorder := range []Preorder{Weak, Simulation} {
		if testing.Short() && preorder != Weak {
			continue
		}
		for _, method := range []Method{Plain, Auto, TwoLevel} {
			r, err := answer(t.Context(), impl, spec, Options{Preorder: preorder, Method: method})
			if method == TwoLevel {
				var e *budget.Exhausted
				if !errors.As(err, &e) || e.Advice == "" || r.Levels != nil {
					t.Errorf("%v, %v: %v, want a limit", preorder, method, err)
				}
				continue
			}
			if err != nil {
				t.Errorf("%v, %v: %v", preorder, method, err)
				continue
			}
			if r.Holds() || r.Method != Plain || len(r.Trees) == 0 || r.Witnesses[0] != nil || r.Stats.Positions <= firstTurn {
				t.Errorf("%v, %v: holds %v by %v, %d positions, witnesses %v", preorder, method, r.Holds(), r.Method, r.Stats.Positions, r.Witnesses)
			}
		}
	}
}

// countersThenBad is n counters to limit and an action that all of them do in the end, and
// a specification that allows everything else.
func countersThenBad(t *testing.T, n, limit int) (impl, spec *lks.Network) {
	t.Helper()
	var parts []*lks.Network
	all := lks.NewBuilder("SPEC")
	all.Action("bad")
	only := all.State()
	for i := range n {
		b := lks.NewBuilder(fmt.Sprintf("C%d", i))
		step := fmt.Sprintf("step.%d", i)
		for range limit + 1 {
			b.State()
		}
		for s := range int32(limit) {
			b.Transition(s, step, s+1)
		}
		b.Transition(int32(limit), "bad", int32(limit))
		all.Transition(only, step, only)
		parts = append(parts, built(t, b))
	}
	impl, err := lks.Compose("IMPL", parts...)
	if err != nil {
		t.Fatal(err)
	}
	return impl, built(t, all)
}

func built(t *testing.T, b *lks.Builder) *lks.Network {
	t.Helper()
	m, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return lks.Single(m)
}
