package values

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/naive"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
)

// TestRefute: a path that can be run is not refuted; a precision that is returned refutes
// the path, and has nothing that is not needed for it.
func TestRefute(t *testing.T) {
	refuted, runs, left := 0, 0, 0
	n := soak.Long(uint64(1200))
	for seed := range n {
		r := rand.New(rand.NewPCG(seed, 67))
		blocks := someBlocks(r, smallSystem(r))
		path, ok := somePath(r, blocks)
		if !ok {
			continue
		}
		a := New(blocks)
		before := somePrecision(r, a.vars)
		was := slices.Clone(before)
		reasons := 1 + r.IntN(3)
		finer, err := a.Refute(path, before, reasons, func() error { return nil })
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(was, before) {
			t.Fatalf("seed %d: the precision was changed", seed)
		}
		run := canRun(blocks, path)
		if run {
			runs++
		}
		if finer == nil {
			if all := slices.Repeat([]Precision{Exact}, a.vars); !run {
				if left++; !a.possible(path, all) {
					t.Fatalf("seed %d: %v is not refuted, and cannot be run with %v", seed, path, all)
				}
			}
			continue
		}
		refuted++
		if run || a.possible(path, finer) {
			t.Fatalf("seed %d: %v with %v instead of %v: can be run: %t, by values: %t", seed, path, finer, before, run, a.possible(path, finer))
		}
		for v, p := range finer {
			if p < before[v] {
				t.Fatalf("seed %d: %v is coarser than %v", seed, finer, before)
			}
			less := slices.Clone(finer)
			if less[v] = before[v]; p != before[v] && reasons == 1 && !a.possible(path, less) {
				t.Fatalf("seed %d: %v with %v, where %v is enough", seed, path, finer, less)
			}
		}
	}
	t.Logf("%d paths refuted, %d runs, %d refuted by no values", refuted, runs, left)
	if refuted < int(n)/8 || runs < int(n)/8 {
		t.Errorf("%d paths refuted, %d runs", refuted, runs)
	}
}

// somePath returns a random path from a location with initial states to one with errors.
func somePath(r *rand.Rand, blocks *program.Blocks) (path Path, ok bool) {
	for range 20 {
		path = Path{Start: r.IntN(len(blocks.Init))}
		if blocks.Init[path.Start].IsFalse() {
			continue
		}
		at, most := path.Start, r.IntN(8)
		for range most {
			if len(blocks.Out[at]) == 0 {
				break
			}
			b := blocks.Out[at][r.IntN(len(blocks.Out[at]))]
			path.Blocks, at = append(path.Blocks, b), blocks.All[b].To
		}
		if !blocks.Error[at].IsFalse() {
			return path, true
		}
	}
	return Path{}, false
}

// canRun tries all values along a path.
func canRun(blocks *program.Blocks, path Path) bool {
	states := map[string]logic.Model{}
	for _, m := range naive.Valuations(blocks.System.Vars, gen.SystemMax) {
		if ok, err := logic.Holds(blocks.Init[path.Start], m); ok && err == nil {
			states[m.String()] = m
		}
	}
	at := path.Start
	for _, b := range path.Blocks {
		next := map[string]logic.Model{}
		for _, inputs := range naive.Valuations(blocks.All[b].Command.Inputs, gen.SystemMax) {
			for _, m := range states {
				if after, err := blocks.All[b].Command.Step(m, inputs); err == nil {
					next[after.String()] = after
				}
			}
		}
		states, at = next, blocks.All[b].To
	}
	for _, m := range states {
		if ok, err := logic.Holds(blocks.Error[at], m); ok && err == nil {
			return true
		}
	}
	return false
}
