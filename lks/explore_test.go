package lks_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/gen"
	"github.com/seltl/seltl/lks"
)

// TestExploreGoesLean compares Explore with the numbered search, on random networks
// where it changes stores at the start, and on families where it does so on the way.
func TestExploreGoesLean(t *testing.T) {
	defer lks.LeanAfter(0)()
	for seed := range uint64(1500) {
		n := randomNetwork(seed)
		if n == nil {
			continue
		}
		compareExplore(t, n, seed)
	}
	lks.LeanAfter(5000)
	for i, n := range []*lks.Network{gen.Philosophers(9, false), gen.Philosophers(9, true), gen.Ring(10), gen.ReadersWriters(5)} {
		compareExplore(t, n, uint64(i))
	}
}

func compareExplore(t *testing.T, n *lks.Network, seed uint64) {
	t.Helper()
	want, err := lks.Reach(n, lks.ReachOptions{Traces: true})
	if err != nil {
		t.Fatal(err)
	}
	got, err := lks.Explore(n, lks.ReachOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if got.Store != lks.Exact || figures(got) != figures(want) {
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
		if err := lks.Replay(n, trace); err != nil {
			t.Fatalf("%s, seed %d: %v", n.Name(), seed, err)
		}
		nearest, err := want.Trace([]int32{want.Deadlock, want.Error}[i])
		if err != nil {
			t.Fatal(err)
		}
		if len(trace.Rules) != len(nearest.Rules) {
			t.Fatalf("%s, seed %d: a trace of %d steps, want %d", n.Name(), seed, len(trace.Rules), len(nearest.Rules))
		}
	}
}

// TestExploreSmall keeps numbers and traces where there are few states.
func TestExploreSmall(t *testing.T) {
	r, err := lks.Explore(gen.Philosophers(4, false), lks.ReachOptions{StopAtDeadlock: true})
	if err != nil || r.Store != lks.Numbered || r.DeadlockState == nil {
		t.Fatalf("%+v, %v", r, err)
	}
	never := budget.Watch(func(budget.Progress) error { return errors.New("it explores again") })
	if _, err := r.TraceTo(r.DeadlockState, never); err != nil {
		t.Error(err)
	}
}

// TestExploreLimits sees that the caller's limits hold before and after the change.
func TestExploreLimits(t *testing.T) {
	n := gen.Philosophers(9, true)
	for _, lean := range []int64{0, 1 << 20} {
		restore := lks.LeanAfter(lean)
		meter := budget.New(nil, budget.Limits{States: 6000}, nil)
		_, err := lks.Explore(n, lks.ReachOptions{Meter: meter})
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
	for _, store := range []lks.Store{lks.Numbered, lks.Exact, lks.Compact, lks.HashCompact, lks.BitstateHash} {
		r, err := lks.Explore(n, lks.ReachOptions{Store: store, StoreBytes: 1 << 10})
		if err != nil {
			t.Fatal(err)
		}
		lost := r.Lossy()
		if (lost != nil) != store.Lossy() || r.Complete == store.Lossy() {
			t.Errorf("%v store: lossy %v, complete %v", store, lost, r.Complete)
		}
		if lost != nil && (lost.Coverage <= 0 || lost.Coverage > 1 || store == lks.BitstateHash && lost.Missed < 1) {
			t.Errorf("%v store: %+v", store, lost)
		}
	}
}

// Two bits a state in a small array: what is missed is estimated, and nothing that
// the search did not find is proved.
func ExampleExplore() {
	n := gen.Philosophers(8, true)
	exact, err := lks.Explore(n, lks.ReachOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(exact.States, "states,", exact.Deadlocks, "deadlocks, complete:", exact.Complete)
	small, err := lks.Explore(n, lks.ReachOptions{Store: lks.BitstateHash, StoreBytes: 8 << 10, Workers: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("fewer states: %v, complete: %v, more than 80 %% covered: %v\n", small.States < exact.States, small.Complete, small.Lossy().Coverage > 0.8)
	// Output:
	// 14159 states, 0 deadlocks, complete: true
	// fewer states: true, complete: false, more than 80 % covered: true
}
