package explore_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/explore"
)

// TestResume interrupts explorations again and again by limits of states, and
// compares what comes out in the end with an uninterrupted one.
func TestResume(t *testing.T) {
	file := filepath.Join(t.TempDir(), "checkpoint")
	nets := []*lks.Network{gen.Ring(9), gen.Philosophers(7, false), gen.Philosophers(14, true)}
	for seed := range soak.Long(uint64(20)) {
		if n := gen.Composed(seed); n != nil {
			nets = append(nets, n)
		}
	}
	for i, n := range nets {
		for _, store := range []explore.Store{explore.Exact, explore.Compact, explore.HashCompact} {
			for workers := 1; workers <= 2; workers++ {
				if testing.Short() && (int(store)+workers)%2 > 0 {
					continue
				}
				checkResume(t, fmt.Sprint("network ", i, ", ", store, " store, ", workers, " workers"), n, file,
					explore.Options{Resources: explore.Resources{Store: store, Workers: workers}})
			}
		}
	}
}

func checkResume(t *testing.T, name string, n *lks.Network, file string, opts explore.Options) {
	t.Helper()
	const most = 30_000
	opts.Meter = budget.New(nil, budget.Limits{States: most}, nil)
	want, err := explore.Reach(n, opts)
	if err != nil {
		return // too large, or not for this store
	}
	opts.Checkpoint = file
	for limit, interrupted := int64(1), 0; ; limit += max(1, want.States/7) {
		opts.Meter = budget.New(nil, budget.Limits{States: limit}, nil)
		got, err := explore.Reach(n, opts)
		if _, ok := errors.AsType[*budget.Exhausted](err); ok {
			if interrupted++; interrupted > 20 {
				t.Fatalf("%s: no progress", name)
			}
			continue
		}
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if figures(got) != figures(want) || math.Abs(got.Missed-want.Missed) > 0.05*want.Missed {
			t.Fatalf("%s, interrupted %d times:\n%s, want\n%s", name, interrupted, figures(got), figures(want))
		}
		break
	}
	if _, err := os.Stat(file); err == nil {
		t.Fatalf("%s: the checkpoint was not removed", name)
	}
}

// TestResumeBitstate checks that the array is restored: there is room enough for
// the store to lose nothing.
func TestResumeBitstate(t *testing.T) {
	file := filepath.Join(t.TempDir(), "checkpoint")
	checkResume(t, "bitstate", gen.Ring(9), file, explore.Options{Resources: explore.Resources{Store: explore.BitstateHash, StoreBytes: 1 << 22}})
}

// counters returns a network of three counters, which has top^3 states.
func counters(top int32) *lks.Network {
	nets := make([]*lks.Network, 3)
	for i := range nets {
		b := lks.NewBuilder(fmt.Sprint("counter", i))
		for range top {
			b.State()
		}
		for s := range top {
			b.Transition(s, fmt.Sprint("up", i), (s+1)%top)
		}
		m, err := b.Build()
		if err != nil {
			panic(err)
		}
		nets[i] = lks.Single(m)
	}
	n, err := lks.Compose("counters", nets...)
	if err != nil {
		panic(err)
	}
	return n
}

// TestResumeMany resumes with two million states. A resumption that is quadratic takes
// longer than tests may.
func TestResumeMany(t *testing.T) {
	top := int32(127)
	if testing.Short() {
		top = 60
	}
	n := counters(top)
	want, err := explore.Reach(n, explore.Options{Resources: explore.Resources{Store: explore.Compact}})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "checkpoint")
	for workers := 1; workers <= 2; workers++ {
		opts := explore.Options{Resources: explore.Resources{Store: explore.Exact, Workers: workers, Checkpoint: file}}
		opts.Meter = budget.New(nil, budget.Limits{States: want.States - want.States/50}, nil)
		var exhausted *budget.Exhausted
		if _, err := explore.Reach(n, opts); !errors.As(err, &exhausted) {
			t.Fatalf("%v, want a limit", err)
		}
		opts.Meter = nil
		got, err := explore.Reach(n, opts)
		if err != nil {
			t.Fatal(err)
		}
		if figures(got) != figures(want) {
			t.Errorf("%d workers: %s, want %s", workers, figures(got), figures(want))
		}
	}
}

// TestResumeStopped interrupts a resumption at every step of reading the checkpoint: it
// ends there and then, for the reason that the meter gave, and leaves the file.
func TestResumeStopped(t *testing.T) {
	n := counters(40)
	want, err := explore.Reach(n, explore.Options{Resources: explore.Resources{Store: explore.Exact}})
	if err != nil {
		t.Fatal(err)
	}
	for i, store := range []explore.Store{explore.Exact, explore.Compact, explore.HashCompact, explore.BitstateHash} {
		if testing.Short() && i%2 > 0 {
			continue
		}
		file := filepath.Join(t.TempDir(), "checkpoint")
		opts := explore.Options{Resources: explore.Resources{Store: store, Checkpoint: file, StoreBytes: 1 << 20}}
		opts.Meter = budget.New(nil, budget.Limits{States: 50_000}, nil)
		if _, err := explore.Reach(n, opts); err == nil {
			t.Fatal("no limit was reached")
		}
		before, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		stop := errors.New("enough")
		reading := 0
		for at := 1; ; at++ {
			steps := 0
			opts.Meter = budget.Watch(func(p budget.Progress) error {
				if steps++; steps == at && p.Phase == "reading the checkpoint" {
					return stop
				}
				return nil
			})
			got, err := explore.Reach(n, opts)
			if err == nil {
				if got.States != want.States && !store.Lossy() {
					t.Errorf("%v store: %d states, want %d", store, got.States, want.States)
				}
				break
			}
			if reading++; err != stop {
				t.Fatalf("%v store: %v, want %v", store, err, stop)
			}
			if after, err := os.ReadFile(file); err != nil || !slices.Equal(before, after) {
				t.Fatalf("%v store: the checkpoint changed, or is gone: %v", store, err)
			}
		}
		if reading < 8 {
			t.Errorf("%v store: the meter was asked %d times", store, reading)
		}
	}
}

// TestDamagedCheckpoints changes, cuts and swaps checkpoints: none is believed.
func TestDamagedCheckpoints(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "checkpoint")
	search := func(n *lks.Network, opts explore.Options, limit int64) error {
		opts.Checkpoint, opts.Meter = file, budget.New(nil, budget.Limits{States: limit}, nil)
		_, err := explore.Reach(n, opts)
		return err
	}
	exact := explore.Options{Resources: explore.Resources{Store: explore.Exact, Workers: 1}}
	if err := search(gen.Ring(8), exact, 2000); err == nil {
		t.Fatal("no limit was reached")
	}
	good, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	refused := func(what string, err error) {
		t.Helper()
		if _, ok := errors.AsType[*explore.CheckpointError](err); !ok {
			t.Errorf("%s: %v, want a CheckpointError", what, err)
		}
	}
	refused("another network", search(gen.Ring(9), exact, 0))
	refused("another store", search(gen.Ring(8), explore.Options{Resources: explore.Resources{Store: explore.Compact, Workers: 1}}, 0))
	refused("other workers", search(gen.Ring(8), explore.Options{Resources: explore.Resources{Store: explore.Exact, Workers: 2}}, 0))
	r := rand.New(rand.NewPCG(1, 1))
	for i := range 60 {
		bad := append([]byte(nil), good...)
		if i%2 == 0 {
			bad = bad[:r.IntN(len(bad))]
		} else {
			bad[r.IntN(len(bad))] ^= 1 << r.IntN(8)
		}
		if err := os.WriteFile(file, bad, 0o600); err != nil {
			t.Fatal(err)
		}
		refused(fmt.Sprint("damage ", i), search(gen.Ring(8), exact, 0))
	}
	if err := os.WriteFile(file, good, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := search(gen.Ring(8), exact, 0); err != nil {
		t.Errorf("the undamaged checkpoint: %v", err)
	}
}

// killedFile is set in the environment of the process that TestKill kills.
const killedFile = "SELTL_TEST_CHECKPOINT"

// TestKill kills an exploration twenty times at random moments and resumes it.
func TestKill(t *testing.T) {
	opts := explore.Options{Resources: explore.Resources{Store: explore.Exact, Workers: 2, CheckpointEvery: time.Millisecond}}
	net := gen.Ring(14)
	args := []string{"-test.run=^TestKill$"}
	if testing.Short() {
		net = gen.Ring(12)
		args = append(args, "-test.short")
	}
	if file := os.Getenv(killedFile); file != "" {
		opts.Checkpoint = file
		if _, err := explore.Reach(net, opts); err != nil {
			t.Fatal(err)
		}
		return
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "checkpoint")
	r := rand.New(rand.NewPCG(2, 2))
	kept := 0
	enough := soak.Cases(8)
	for range 20 {
		cmd := exec.Command(os.Args[0], args...)
		cmd.Env = append(os.Environ(), killedFile+"="+file)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(r.IntN(150)) * time.Millisecond)
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		if _, err := os.Stat(file); err == nil {
			kept++
		}
		if kept >= enough {
			break
		}
	}
	t.Logf("a checkpoint was there after %d kills", kept)
	if kept == 0 {
		t.Error("no kill came after a checkpoint")
	}
	want, err := explore.Reach(net, explore.Options{Resources: explore.Resources{Store: explore.Exact}})
	if err != nil {
		t.Fatal(err)
	}
	opts.Checkpoint = file
	got, err := explore.Reach(net, opts)
	if err != nil {
		t.Fatal(err)
	}
	if figures(got) != figures(want) {
		t.Errorf("%s, want %s", figures(got), figures(want))
	}
}

// TestUnsaved: where no checkpoint can be written the exploration goes on, and says so.
func TestUnsaved(t *testing.T) {
	file := filepath.Join(t.TempDir(), "checkpoint")
	if err := os.MkdirAll(filepath.Join(file+".tmp", "in"), 0o777); err != nil { // nobody can write there
		t.Fatal(err)
	}
	n := gen.Philosophers(7, false)
	resources := explore.Resources{Store: explore.Exact, Workers: 1}
	want, err := explore.Reach(n, explore.Options{Resources: resources})
	if err != nil {
		t.Fatal(err)
	}
	resources.Checkpoint, resources.CheckpointEvery = file, time.Nanosecond
	got, err := explore.Reach(n, explore.Options{Resources: resources})
	if err != nil || got.Unsaved == nil || figures(got) != figures(want) {
		t.Errorf("%v, %v:\n%s, want\n%s", err, got.Unsaved, figures(got), figures(want))
	}
	var exhausted *budget.Exhausted
	got, err = explore.Reach(n, explore.Options{Resources: resources, Meter: budget.New(nil, budget.Limits{States: 100}, nil)})
	if !errors.As(err, &exhausted) || got.Unsaved == nil {
		t.Errorf("with a limit: %v, %v", err, got.Unsaved)
	}
}
