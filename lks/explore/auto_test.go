package explore_test

import (
	"errors"
	"testing"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/explore"
)

// TestAutoGoesLean compares the Auto store with the Numbered one, on random networks
// where it changes stores at the start, and on families where it does so on the way.
func TestAutoGoesLean(t *testing.T) {
	defer explore.LeanAfter(0)()
	for seed := range soak.Cases(uint64(1500)) {
		n := gen.Composed(seed)
		if n == nil {
			continue
		}
		compareAuto(t, n, seed)
	}
	explore.LeanAfter(5000)
	for i, n := range []*lks.Network{gen.Philosophers(9, false), gen.Philosophers(9, true), gen.Ring(10), gen.ReadersWriters(5)} {
		compareAuto(t, n, uint64(i))
	}
}

func compareAuto(t *testing.T, n *lks.Network, seed uint64) {
	t.Helper()
	want, err := explore.Reach(n, explore.Options{Resources: explore.Resources{Store: explore.Numbered}, Traces: true})
	if err != nil {
		t.Fatal(err)
	}
	got, err := explore.Reach(n, explore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got.Store != explore.Exact || figures(got) != figures(want) {
		t.Fatalf("%s, seed %d, %v store:\n%s, want\n%s", n.Name(), seed, got.Store, figures(got), figures(want))
	}
	for i, state := range [][]uint64{got.DeadlockState, got.ErrorState} {
		if state == nil {
			continue
		}
		trace, err := got.TraceTo(state, nil)
		if err != nil {
			t.Fatalf("%s, seed %d: %v", n.Name(), seed, err)
		}
		if err := trace.Replay(n); err != nil {
			t.Fatalf("%s, seed %d: %v", n.Name(), seed, err)
		}
		nearest, err := want.Trace([]int32{want.Deadlock, want.Error}[i])
		if err != nil {
			t.Fatal(err)
		}
		if trace.Len() != nearest.Len() {
			t.Fatalf("%s, seed %d: a trace of %d steps, want %d", n.Name(), seed, trace.Len(), nearest.Len())
		}
	}
}

// TestAutoSmall keeps numbers and traces where there are few states.
func TestAutoSmall(t *testing.T) {
	r, err := explore.Reach(gen.Philosophers(4, false), explore.Options{StopAtDeadlock: true})
	if err != nil || r.Store != explore.Numbered || r.DeadlockState == nil {
		t.Fatalf("%+v, %v", r, err)
	}
	never := budget.Watch(func(budget.Progress) error { return errors.New("it explores again") })
	if _, err := r.TraceTo(r.DeadlockState, never); err != nil {
		t.Error(err)
	}
}

// TestAutoLimits sees that the caller's limits hold before and after the change.
func TestAutoLimits(t *testing.T) {
	n := gen.Philosophers(9, true)
	for _, lean := range []int64{0, 1 << 20} {
		restore := explore.LeanAfter(lean)
		meter := budget.New(nil, budget.Limits{States: 6000}, nil)
		_, err := explore.Reach(n, explore.Options{Meter: meter})
		var exhausted *budget.Exhausted
		if !errors.As(err, &exhausted) || exhausted.What != "states" {
			t.Errorf("lean after %d: %v", lean, err)
		}
		restore()
	}
}

// TestLossy: a lossy store that found nothing says so, others do not.
func TestLossy(t *testing.T) {
	n := gen.Philosophers(6, true)
	for _, store := range []explore.Store{explore.Numbered, explore.Exact, explore.Compact, explore.HashCompact, explore.BitstateHash} {
		r, err := explore.Reach(n, explore.Options{Resources: explore.Resources{Store: store, StoreBytes: 1 << 10}})
		if err != nil {
			t.Fatal(err)
		}
		lost := r.Lossy()
		if (lost != nil) != store.Lossy() || r.Complete == store.Lossy() {
			t.Errorf("%v store: lossy %v, complete %v", store, lost, r.Complete)
		}
		if lost != nil && (lost.Coverage <= 0 || lost.Coverage > 1 || store == explore.BitstateHash && lost.Missed < 1) {
			t.Errorf("%v store: %+v", store, lost)
		}
	}
}
