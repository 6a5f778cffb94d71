package values

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seltl/seltl/internal/gen"
	"github.com/seltl/seltl/internal/naive"
	"github.com/seltl/seltl/internal/soak"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
)

// TestRefute: a path that can be run is not refuted; a precision that is returned refutes
// the path, and has nothing that is not needed for it.
func TestRefute(t *testing.T) {
	refuted, runs, left := 0, 0, 0
	n := soak.Long(uint64(2000))
	for seed := range n {
		r := rand.New(rand.NewPCG(seed, 67))
		blocks := someBlocks(r, smallSystem(r))
		start, path, ok := somePath(r, blocks)
		if !ok {
			continue
		}
		a := New(blocks)
		before := somePrecision(r, a.vars)
		was := slices.Clone(before)
		reasons := 1 + r.IntN(3)
		finer := a.Refute(start, path, before, reasons)
		if !slices.Equal(was, before) {
			t.Fatalf("seed %d: the precision was changed", seed)
		}
		run := canRun(blocks, start, path)
		if run {
			runs++
		}
		if finer == nil {
			if all := slices.Repeat([]Precision{Exact}, a.vars); !run {
				if left++; !a.possible(start, path, all) {
					t.Fatalf("seed %d: %v from %d is not refuted, and cannot be run with %v", seed, path, start, all)
				}
			}
			continue
		}
		refuted++
		if run || a.possible(start, path, finer) {
			t.Fatalf("seed %d: %v from %d with %v instead of %v: can be run: %t, by values: %t", seed, path, start, finer, before, run, a.possible(start, path, finer))
		}
		for v, p := range finer {
			if p < before[v] {
				t.Fatalf("seed %d: %v is coarser than %v", seed, finer, before)
			}
			less := slices.Clone(finer)
			if less[v] = before[v]; p != before[v] && reasons == 1 && !a.possible(start, path, less) {
				t.Fatalf("seed %d: %v from %d with %v, where %v is enough", seed, path, start, finer, less)
			}
		}
	}
	t.Logf("%d paths refuted, %d runs, %d refuted by no values", refuted, runs, left)
	if refuted < int(n)/8 || runs < int(n)/8 {
		t.Errorf("%d paths refuted, %d runs", refuted, runs)
	}
}

// somePath returns a random path from a location with initial states to one with errors.
func somePath(r *rand.Rand, blocks *program.Blocks) (start int, path []int, ok bool) {
	for range 20 {
		if start = r.IntN(len(blocks.Init)); blocks.Init[start].IsFalse() {
			continue
		}
		path = nil
		at, most := start, r.IntN(8)
		for range most {
			if len(blocks.Out[at]) == 0 {
				break
			}
			b := blocks.Out[at][r.IntN(len(blocks.Out[at]))]
			path, at = append(path, b), blocks.All[b].To
		}
		if !blocks.Error[at].IsFalse() {
			return start, path, true
		}
	}
	return 0, nil, false
}

// canRun tries all values along a path.
func canRun(blocks *program.Blocks, start int, path []int) bool {
	states := map[string]logic.Model{}
	for _, m := range naive.Valuations(blocks.System.Vars, gen.SystemMax) {
		if ok, err := logic.Holds(blocks.Init[start], m); ok && err == nil {
			states[m.String()] = m
		}
	}
	at := start
	for _, b := range path {
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
