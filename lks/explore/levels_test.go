package explore_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/explore"
)

// figures are what must not depend on store and workers.
func figures(r *explore.Reached) string {
	return fmt.Sprint("states ", r.States, " transitions ", r.Transitions, " depth ", r.Depth, " deadlocks ", r.Deadlocks,
		" ends ", r.Ends, " errors ", r.Errors, " complete ", r.Complete, " ", r.DeadlockState != nil, r.ErrorState != nil, r.GoalState != nil)
}

var exactStores = []explore.Store{explore.Exact, explore.Compact}

// TestStoresAgree compares every store and number of workers with the numbered
// search on random networks.
func TestStoresAgree(t *testing.T) {
	special := map[string]int{}
	for seed := range soak.Long(uint64(600)) {
		n := gen.Composed(seed)
		if n == nil {
			continue
		}
		want, err := explore.Reach(n, explore.Options{Traces: true})
		if err != nil {
			t.Fatal(err)
		}
		goal := want.State(int32(seed % uint64(want.Len())))
		isGoal := func(s []uint64) bool { return slices.Equal(s, goal) }
		want, _ = explore.Reach(n, explore.Options{Traces: true, Goal: isGoal})
		for _, store := range exactStores {
			for workers := 1; workers <= 3; workers++ {
				opts := explore.Options{Resources: explore.Resources{Store: store, Workers: workers}, Goal: isGoal}
				got, err := explore.Reach(n, opts)
				if err != nil {
					t.Fatal(err)
				}
				if figures(got) != figures(want) {
					t.Fatalf("seed %d, %v store, %d workers:\n%s, want\n%s", seed, store, workers, figures(got), figures(want))
				}
				checkFindings(t, n, want, got, seed)
				checkStops(t, n, want, opts, seed)
			}
		}
		if want.Deadlock >= 0 {
			special["deadlock"]++
		}
		if want.Error >= 0 {
			special["error"]++
		}
		if want.Ends > 0 {
			special["end"]++
		}
	}
	t.Log(special)
	if special["deadlock"] < soak.Long(13) || special["error"] < soak.Long(13) || special["end"] < soak.Long(13) {
		t.Errorf("too few networks are of interest: %v", special)
	}
}

// checkFindings checks that the states found are as near as the numbered search's,
// and can be reached.
func checkFindings(t *testing.T, n *lks.Network, want, got *explore.Reached, seed uint64) {
	t.Helper()
	for i, state := range [][]uint64{got.DeadlockState, got.ErrorState, got.GoalState} {
		if state == nil {
			continue
		}
		trace, err := explore.TraceTo(n, state, nil)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if err := trace.Replay(n); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		nearest, err := want.Trace([]int32{want.Deadlock, want.Error, want.Goal}[i])
		if err != nil {
			t.Fatal(err)
		}
		if trace.Len() != nearest.Len() {
			t.Fatalf("seed %d: finding %d is %d steps away, want %d", seed, i, trace.Len(), nearest.Len())
		}
	}
}

// checkStops checks searches that stop at the first finding of a kind.
func checkStops(t *testing.T, n *lks.Network, all *explore.Reached, opts explore.Options, seed uint64) {
	t.Helper()
	for kind := range 3 {
		o := opts
		o.StopAtDeadlock, o.StopAtError, o.StopAtGoal = kind == 0, kind == 1, kind == 2
		r, err := explore.Reach(n, o)
		if err != nil {
			t.Fatal(err)
		}
		exists := []bool{all.Deadlock >= 0, all.Error >= 0, all.Goal >= 0}[kind]
		found := [][]uint64{r.DeadlockState, r.ErrorState, r.GoalState}[kind] != nil
		if found != exists || !found && !r.Complete {
			t.Fatalf("seed %d, %v store, %d workers, kind %d: found %v, complete %v, exists %v", seed, opts.Store, opts.Workers, kind, found, r.Complete, exists)
		}
		if o.Workers > 1 {
			o.Workers = 1
			one, err := explore.Reach(n, o)
			if err != nil {
				t.Fatal(err)
			}
			if figures(one) != figures(r) || !slices.Equal(one.DeadlockState, r.DeadlockState) || !slices.Equal(one.GoalState, r.GoalState) {
				t.Fatalf("seed %d, %v store, stopping at kind %d: %d workers\n%s, one\n%s", seed, opts.Store, kind, opts.Workers, figures(r), figures(one))
			}
		}
	}
}

// TestStoresOnFamilies compares with the numbered search on networks with states
// of one word and of several, large enough for tables to grow and workers to
// share.
func TestStoresOnFamilies(t *testing.T) {
	wide := false
	for i, n := range []*lks.Network{gen.Ring(12), gen.Philosophers(8, false), gen.Philosophers(16, false), gen.Milner(26), wideRing(t)} {
		if soak.Skip(i + 6) {
			continue
		}
		meter := func() *budget.Meter { return budget.New(nil, budget.Limits{States: 170_000}, nil) }
		want, wantErr := explore.Reach(n, explore.Options{Resources: explore.Resources{Store: explore.Numbered}, Meter: meter()})
		if wantErr == nil && n.Words() > 1 {
			wide = true
		}
		for _, store := range exactStores {
			for workers := 1; workers <= 4; workers++ {
				if testing.Short() && workers%3 != 1 || workers == 3 && !soak.On() {
					continue
				}
				got, err := explore.Reach(n, explore.Options{Resources: explore.Resources{Store: store, Workers: workers}, Meter: meter()})
				if store == explore.Compact && n.Words() > 1 && got.States == 0 && err != nil {
					continue // too many combinations of local states
				}
				if (err == nil) != (wantErr == nil) {
					t.Fatalf("%s, %v store, %d workers: %v, want %v", n.Name(), store, workers, err, wantErr)
				}
				if err == nil && figures(got) != figures(want) {
					t.Errorf("%s, %v store, %d workers:\n%s, want\n%s", n.Name(), store, workers, figures(got), figures(want))
				}
				var exhausted *budget.Exhausted
				if err != nil && !errors.As(err, &exhausted) {
					t.Errorf("%s: %v", n.Name(), err)
				}
			}
		}
	}
	if !wide {
		t.Error("no network with states of several words was explored to the end")
	}
}

// TestFullTable: a table of compressed states that can hold no more is a limit.
func TestFullTable(t *testing.T) {
	defer explore.MostNodes(1000)()
	for workers := 1; workers <= 2; workers++ {
		r, err := explore.Reach(gen.Philosophers(16, true), explore.Options{Resources: explore.Resources{Store: explore.Exact, Workers: workers}})
		var exhausted *budget.Exhausted
		if !errors.As(err, &exhausted) || exhausted.What != "states" || r.States == 0 || r.Complete {
			t.Errorf("%d workers: %v after %d states, complete: %t", workers, err, r.States, r.Complete)
		}
	}
}

// wideRing is a ring beside twenty counters that count together: 163,840 states of two
// words.
func wideRing(t *testing.T) *lks.Network {
	nets := []*lks.Network{gen.Ring(10)}
	for i := range 20 {
		b := lks.NewBuilder(fmt.Sprint("COUNTER", i))
		var states [8]int32
		for s := range states {
			states[s] = b.State()
		}
		for s := range states {
			b.Transition(states[s], "tick", states[(s+1+i%7)%len(states)])
		}
		m, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		nets = append(nets, lks.Single(m))
	}
	n, err := lks.Compose("WIDERING", nets...)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestDisk compares states on disk with the numbered search, with so little memory
// that candidates are spilled and runs merged.
func TestDisk(t *testing.T) {
	dir := t.TempDir()
	check := func(n *lks.Network, memory int64, name string) {
		want, err := explore.Reach(n, explore.Options{Traces: true})
		if err != nil {
			t.Fatal(err)
		}
		for workers := 1; workers <= 2; workers++ {
			opts := explore.Options{Resources: explore.Resources{Store: explore.Exact, Disk: dir, DiskMemory: memory, Workers: workers}}
			got, err := explore.Reach(n, opts)
			if err != nil {
				t.Fatal(err)
			}
			if figures(got) != figures(want) {
				t.Fatalf("%s, %d workers:\n%s, want\n%s", name, workers, figures(got), figures(want))
			}
			opts.StopAtDeadlock = true
			if got, err = explore.Reach(n, opts); err != nil || (got.DeadlockState != nil) != (want.Deadlock >= 0) {
				t.Fatalf("%s, %d workers: deadlock %v, error %v, want %v", name, workers, got.DeadlockState, err, want.Deadlock >= 0)
			}
		}
	}
	for seed := range soak.Long(uint64(100)) {
		if n := gen.Composed(seed); n != nil {
			memory := int64(1 << 20)
			if seed%10 == 0 {
				memory = 1
			}
			check(n, memory, fmt.Sprint("seed ", seed))
		}
	}
	check(gen.Ring(9), 10_000, "ring")
	check(gen.Philosophers(7, false), 40_000, "philosophers")
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("%d files are left behind, error %v", len(left), err)
	}
	if _, err := explore.Reach(gen.Ring(5), explore.Options{Resources: explore.Resources{Store: explore.Exact, Disk: dir + "/absent"}}); err == nil {
		t.Error("a folder that is not there is no error")
	}
}

// TestDiskBeyondMemory explores more than ten times the states that fit into what
// the store on disk may use.
func TestDiskBeyondMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("what the store takes of memory is measured in the full run; TestDisk compares its states")
	}
	memory, n := int64(100_000), gen.Ring(13)
	want, err := explore.Reach(n, explore.Options{Resources: explore.Resources{Store: explore.Numbered}})
	if err != nil {
		t.Fatal(err)
	}
	if want.States*8 < 10*memory {
		t.Fatalf("%d states are too few", want.States)
	}
	for workers := 1; workers <= 2; workers++ {
		got, err := explore.Reach(n, explore.Options{Resources: explore.Resources{Store: explore.Exact, Disk: t.TempDir(), DiskMemory: memory, Workers: workers}})
		if err != nil {
			t.Fatal(err)
		}
		if figures(got) != figures(want) {
			t.Errorf("%d workers:\n%s, want\n%s", workers, figures(got), figures(want))
		}
		if got.Bytes() > 2*memory {
			t.Errorf("%d workers: the store takes %d bytes of memory", workers, got.Bytes())
		}
	}
}

// TestEveryStoreIsWatched checks that explorations with any store report progress,
// and end at limits and when they are interrupted.
func TestEveryStoreIsWatched(t *testing.T) {
	n := gen.Ring(13)
	for _, opts := range []explore.Options{
		{}, {Resources: explore.Resources{Store: explore.Exact}}, {Resources: explore.Resources{Store: explore.Compact}}, {Resources: explore.Resources{Store: explore.HashCompact}}, {Resources: explore.Resources{Store: explore.BitstateHash, StoreBytes: 1 << 20}},
		{Resources: explore.Resources{Store: explore.Exact, Disk: t.TempDir(), DiskMemory: 100_000}},
	} {
		for workers := 1; workers <= 2; workers++ {
			opts.Workers = workers
			name := fmt.Sprint(opts.Store, " store, disk ", opts.Disk != "", ", ", workers, " workers")
			for what, limits := range map[string]budget.Limits{
				"states": {States: 20_000}, "memory": {Memory: 1}, "time": {Time: time.Millisecond},
			} {
				opts.Meter = budget.New(nil, limits, nil)
				r, err := explore.Reach(n, opts)
				var exhausted *budget.Exhausted
				if !errors.As(err, &exhausted) || exhausted.What != what || r.Complete {
					t.Errorf("%s, %s: %v, complete %v", name, what, err, r.Complete)
				}
			}
			ctx, cancel := context.WithCancel(context.Background())
			opts.Meter = budget.New(ctx, budget.Limits{}, nil)
			opts.Goal = func([]uint64) bool { cancel(); return false }
			if _, err := explore.Reach(n, opts); !errors.Is(err, budget.ErrInterrupted) {
				t.Errorf("%s: interrupted: %v", name, err)
			}
			opts.Goal = nil
		}
	}
}

// TestLossyStores checks that lossy stores never find what is not there nor claim
// to be complete, lose nothing when they have room, and say so when they have
// not.
func TestLossyStores(t *testing.T) {
	for seed := range soak.Long(uint64(1500)) {
		n := gen.Composed(seed)
		if n == nil {
			continue
		}
		want, err := explore.Reach(n, explore.Options{Traces: true})
		if err != nil {
			t.Fatal(err)
		}
		for _, opts := range []explore.Options{
			{Resources: explore.Resources{Store: explore.HashCompact}}, {Resources: explore.Resources{Store: explore.HashCompact, Workers: 2}},
			{Resources: explore.Resources{Store: explore.BitstateHash, StoreBytes: 64}}, {Resources: explore.Resources{Store: explore.BitstateHash, StoreBytes: 64, Workers: 2}},
		} {
			got, err := explore.Reach(n, opts)
			if err != nil {
				t.Fatal(err)
			}
			if got.Complete || !got.Ended || got.States > want.States || got.Deadlocks > want.Deadlocks {
				t.Fatalf("seed %d, %v store: %s, want at most %s", seed, opts.Store, figures(got), figures(want))
			}
			if opts.Store == explore.HashCompact && (got.States != want.States || got.Transitions != want.Transitions) {
				t.Fatalf("seed %d, hash store: %s, want %s", seed, figures(got), figures(want))
			}
			if got.DeadlockState != nil && want.Number(got.DeadlockState) < 0 {
				t.Fatalf("seed %d, %v store: a deadlock that cannot be reached", seed, opts.Store)
			}
		}
	}
}

// TestCoverage compares estimates with what was missed.
func TestCoverage(t *testing.T) {
	n := gen.Ring(12) // 98304 states
	for _, test := range []struct {
		bytes       int64
		least, most float64 // of the states
	}{{1 << 22, 0.99, 1}, {1 << 16, 0.5, 0.97}} {
		for workers := 1; workers <= 2; workers++ {
			r, err := explore.Reach(n, explore.Options{Resources: explore.Resources{Store: explore.BitstateHash, StoreBytes: test.bytes, Workers: workers}})
			if err != nil {
				t.Fatal(err)
			}
			share := float64(r.States) / 98304
			t.Logf("%d bytes: %.4f of the states, estimate %.4f", test.bytes, share, r.Coverage())
			if share < test.least || share > test.most {
				t.Errorf("%d bytes: %.4f of the states, want %.2f to %.2f", test.bytes, share, test.least, test.most)
			}
			if r.Coverage() > share+0.1 || r.Coverage() < share-0.3 {
				t.Errorf("%d bytes: %.4f of the states, estimate %.4f", test.bytes, share, r.Coverage())
			}
		}
	}
}

// TestPhases checks that the phases account for all the time, whatever the store.
func TestPhases(t *testing.T) {
	n := gen.Ring(10)
	dir := t.TempDir()
	for _, opts := range []explore.Options{
		{}, {Resources: explore.Resources{Store: explore.Exact}}, {Resources: explore.Resources{Store: explore.Exact, Workers: 3}}, {Resources: explore.Resources{Store: explore.Compact}}, {Resources: explore.Resources{Store: explore.HashCompact, Workers: 2}},
		{Resources: explore.Resources{Store: explore.BitstateHash, StoreBytes: 1 << 20}}, {Resources: explore.Resources{Store: explore.Exact, Disk: dir, Workers: 2}},
		{Resources: explore.Resources{Store: explore.Exact, Checkpoint: dir + "/checkpoint", CheckpointEvery: 1}},
	} {
		r, err := explore.Reach(n, opts)
		if err != nil {
			t.Fatal(err)
		}
		p := r.Phases
		if r.Elapsed <= 0 || p.Total() != r.Elapsed*time.Duration(r.Workers) {
			t.Errorf("%v store: phases add up to %v, want %d times %v", opts.Store, p.Total(), r.Workers, r.Elapsed)
		}
		if p.Successors <= 0 || opts.Disk == "" && p.Store <= 0 || (p.Disk > 0) != (opts.Disk != "") ||
			(p.Checkpoint > 0) != (opts.Checkpoint != "") || min(p.Queue, p.Waiting) < 0 {
			t.Errorf("%v store: %+v", opts.Store, p)
		}
		if opts.Disk == "" && opts.Store != explore.BitstateHash && (r.Load <= 0 || r.Load >= 1) {
			t.Errorf("%v store: load %.3f", opts.Store, r.Load)
		}
	}
}

func BenchmarkStores(b *testing.B) {
	for _, net := range []*lks.Network{gen.Ring(16), gen.Philosophers(12, false), gen.Milner(16), gen.ReadersWriters(8)} {
		for _, store := range append([]explore.Store{explore.Numbered}, exactStores...) {
			for workers := 1; workers <= 2 && (store != explore.Numbered || workers == 1); workers++ {
				b.Run(fmt.Sprint(net.Name(), "/", store, "/workers=", workers), func(b *testing.B) {
					var states int64
					var r *explore.Reached
					var err error
					for b.Loop() {
						if r, err = explore.Reach(net, explore.Options{Resources: explore.Resources{Store: store, Workers: workers}}); err != nil {
							b.Fatal(err)
						}
						states += r.States
					}
					b.ReportMetric(float64(states)/b.Elapsed().Seconds()/1e6, "Mstates/s")
					b.ReportMetric(float64(r.Bytes())/float64(r.States), "bytes/state")
					b.ReportMetric(float64(r.QueueBytes)/float64(r.States), "queue-bytes/state")
				})
			}
		}
	}
}

// TestStates: what is saved and loaded is the same set.
func TestStates(t *testing.T) {
	for _, n := range []*lks.Network{gen.Philosophers(6, false), gen.Philosophers(20, false)} {
		var states []uint64
		ex := n.Explorer()
		var succ lks.Successors
		ex.Initial(&succ)
		states = append(states, succ.States...)
		for at := 0; at < len(states) && len(states) < 20_000; at += n.Words() {
			ex.Successors(states[at:at+n.Words()], &succ)
			states = append(states, succ.States...)
		}
		for _, store := range []explore.Store{explore.Exact, explore.Compact} {
			a, err := explore.NewStates(n, store)
			if err != nil {
				if store == explore.Compact && n.Words() > 1 {
					continue // too many combinations
				}
				t.Fatal(err)
			}
			fresh := a.AddAll(states, nil)
			if len(fresh) != a.Len()*n.Words() || len(a.AddAll(states, nil)) != 0 || a.Bytes() == 0 || a.Full() {
				t.Fatalf("%v: %d of %d", store, a.Len(), len(fresh))
			}
			b, err := explore.NewStates(n, store)
			if err != nil {
				t.Fatal(err)
			}
			if err := b.Prepare(a.Len(), nil); err != nil {
				t.Fatal(err)
			}
			a.Save(b.Load)
			if b.Len() != a.Len() || len(b.AddAll(states, nil)) != 0 {
				t.Errorf("%v: %d of %d were loaded", store, b.Len(), a.Len())
			}
		}
	}
	if _, err := explore.NewStates(gen.Ring(3), explore.BitstateHash); err == nil {
		t.Error("a store that loses states")
	}
}
