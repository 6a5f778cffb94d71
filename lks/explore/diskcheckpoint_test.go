package explore_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/explore"
)

// empty fails where something is left in a folder.
func empty(t *testing.T, what, dir string) {
	t.Helper()
	left, err := os.ReadDir(dir)
	if err != nil || len(left) > 0 {
		t.Fatalf("%s: %v is left in the folder (%v)", what, left, err)
	}
}

// TestResumeDisk is TestResume with the states on disk, in so little memory that files are many.
func TestResumeDisk(t *testing.T) {
	file, dir := filepath.Join(t.TempDir(), "checkpoint"), t.TempDir()
	nets := []*lks.Network{gen.Ring(9), gen.Philosophers(7, false), counters(17)}
	for seed := range soak.Long(uint64(20)) {
		if n := gen.Composed(seed); n != nil {
			nets = append(nets, n)
		}
	}
	for i, n := range nets {
		for k, memory := range []int64{1, 5_000, 1 << 20} {
			for workers := 1; workers <= 2; workers++ {
				if testing.Short() && (k != i%3 || workers != 1+i%2) {
					continue
				}
				name := fmt.Sprint("network ", i, ", memory ", memory, ", ", workers, " workers")
				checkResume(t, name, n, file, explore.Options{Resources: explore.Resources{Store: explore.Exact, Workers: workers, Disk: dir, DiskMemory: memory}})
				empty(t, name, dir)
			}
		}
	}
}

// TestDamagedDisk changes, cuts, swaps and removes files of states: no checkpoint is believed with them.
func TestDamagedDisk(t *testing.T) {
	file, dir := filepath.Join(t.TempDir(), "checkpoint"), t.TempDir()
	search := func(dir string, limit int64) error {
		opts := explore.Options{Resources: explore.Resources{Store: explore.Exact, Workers: 1, Checkpoint: file, Disk: dir, DiskMemory: 3_000}}
		opts.Meter = budget.New(nil, budget.Limits{States: limit}, nil)
		_, err := explore.Reach(counters(17), opts)
		return err
	}
	refused := func(what string, err error) {
		t.Helper()
		var bad *explore.CheckpointError
		if !errors.As(err, &bad) || !strings.Contains(err.Error(), "states") {
			t.Errorf("%s: %v, want a CheckpointError about states", what, err)
		}
	}
	if err := search(dir, 3000); err == nil {
		t.Fatal("no limit was reached")
	}
	files, err := filepath.Glob(filepath.Join(dir, "*", "*", "run*"))
	if err != nil || len(files) < 3 {
		t.Fatal(files, err)
	}
	other := t.TempDir()
	refused("another folder", search(other, 0))
	empty(t, "another folder", other)
	memory := explore.Options{Resources: explore.Resources{Store: explore.Exact, Workers: 1, Checkpoint: file}}
	var bad *explore.CheckpointError
	if _, err := explore.Reach(counters(17), memory); !errors.As(err, &bad) {
		t.Errorf("in memory: %v", err)
	}
	rng := rand.New(rand.NewPCG(1, 7))
	for _, name := range files {
		good, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		flipped := append([]byte(nil), good...)
		flipped[rng.IntN(len(flipped))] ^= 1 << rng.IntN(8)
		for i, damaged := range [][]byte{flipped, good[:len(good)-8], append(append([]byte(nil), good...), good[:8]...), nil} {
			if os.WriteFile(name, damaged, 0o600) != nil || i == 3 && os.Remove(name) != nil {
				t.Fatal("it cannot be damaged")
			}
			refused(fmt.Sprint(name, ", damage ", i), search(dir, 0))
		}
		if err := os.WriteFile(name, good, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := search(dir, 0); err != nil {
		t.Errorf("undamaged: %v", err)
	}
	empty(t, "in the end", dir)
}

// killedDisk is set in the environment of the process that TestKillDisk kills.
const killedDisk = "SELTL_TEST_DISK"

// TestKillDisk kills an exploration on disk again and again, and resumes it.
func TestKillDisk(t *testing.T) {
	top := int32(60)
	if testing.Short() {
		top = 30
	}
	opts := explore.Options{Resources: explore.Resources{Store: explore.Exact, Workers: 2, CheckpointEvery: time.Millisecond, DiskMemory: 100_000}}
	if dir := os.Getenv(killedDisk); dir != "" {
		opts.Checkpoint, opts.Disk = filepath.Join(dir, "checkpoint"), filepath.Join(dir, "states")
		if _, err := explore.Reach(counters(top), opts); err != nil {
			t.Fatal(err)
		}
		return
	}
	dir := t.TempDir()
	opts.Checkpoint, opts.Disk = filepath.Join(dir, "checkpoint"), filepath.Join(dir, "states")
	if err := os.Mkdir(opts.Disk, 0o700); err != nil {
		t.Fatal(err)
	}
	args := []string{"-test.run=^TestKillDisk$"}
	if testing.Short() {
		args = append(args, "-test.short")
	}
	rng := rand.New(rand.NewPCG(2, 3))
	kept := 0
	for range max(8, soak.Cases(20)) {
		cmd := exec.Command(os.Args[0], args...)
		cmd.Env = append(os.Environ(), killedDisk+"="+dir)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(rng.IntN(200)) * time.Millisecond)
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		if _, err := os.Stat(opts.Checkpoint); err == nil {
			kept++
		}
	}
	t.Logf("a checkpoint was there after %d kills", kept)
	if kept == 0 {
		t.Error("no kill came after a checkpoint")
	}
	want, err := explore.Reach(counters(top), explore.Options{Resources: explore.Resources{Store: explore.Exact}})
	if err != nil {
		t.Fatal(err)
	}
	got, err := explore.Reach(counters(top), opts)
	if err != nil {
		t.Fatal(err)
	}
	if figures(got) != figures(want) {
		t.Errorf("%s, want %s", figures(got), figures(want))
	}
	empty(t, "in the end", opts.Disk)
}
