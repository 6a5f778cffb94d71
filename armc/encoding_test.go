package armc_test

import (
	"math/rand/v2"
	"testing"

	"github.com/seltl/seltl/internal/gen"
	"github.com/seltl/seltl/internal/naive"
	"github.com/seltl/seltl/internal/soak"
	"github.com/seltl/seltl/predabs"

	. "github.com/seltl/seltl/armc"
)

// TestEncodings: on systems of branches that meet again, every encoding gives the verdict
// of explicit search; runs are replayed on the edges, invariants of locations inside
// blocks pass the checker.
func TestEncodings(t *testing.T) {
	pool := newPool(t)
	ways := []Options{{}, {Method: Forward}, {Method: Forward, Refine: predabs.UnsatCore}, {Method: Bounded}, {Method: Spacer},
		{Method: Forward, Abstraction: Boolean, Refine: predabs.Farkas}, {Method: Backward, Abstraction: A2}, {Method: Forward, Refine: predabs.Greatest}}
	count := map[Encoding]map[Verdict]int{}
	n := soak.Long(uint64(40))
	for seed := range n {
		sys := gen.NewBranchingSystem(rand.New(rand.NewPCG(seed, 44)))
		want := Safe
		if naive.Unsafe(sys, gen.SystemMax) {
			want = Unsafe
		}
		for i := range AutoBlocks.Names() {
			for j, o := range ways {
				if j > 0 && (int(seed)+i+j)%4 != 0 && !soak.On() {
					continue
				}
				o.Blocks, o.NoFacts, o.MaxRounds, o.MaxQueries = Encoding(i), (int(seed)+i)%3 > 0, 15, 3000
				r, err := Check(ctx, sys, pool, o)
				if err != nil || r.Verdict != Unknown && r.Verdict != want {
					t.Fatalf("seed %d, %+v: %+v, %v, want %s", seed, o, r, err, want)
				}
				if r.Verdict == Unsafe {
					if err := r.Trace.Replay(sys); err != nil {
						t.Fatalf("seed %d, %+v: %v", seed, o, err)
					}
				}
				if r.Verdict == Unknown && j == 0 {
					t.Errorf("seed %d, %s: auto: unknown: %s", seed, o.Blocks, r.Reason)
				}
				if count[o.Blocks] == nil {
					count[o.Blocks] = map[Verdict]int{}
				}
				count[o.Blocks][r.Verdict]++
			}
		}
	}
	t.Logf("verdicts: %v", count)
	if c := count[Large]; n >= 40 && (c[Safe] < 20 || c[Unsafe] < 20) {
		t.Errorf("the random systems do not say much: %v", count)
	}
}
