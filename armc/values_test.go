package armc_test

import (
	"math/rand/v2"
	"testing"

	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/naive"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/smt"

	. "github.com/seltl/seltl/armc"
)

// TestValues: explicit values alone, and enumeration, agree with explicit search, also where the solver lies.
func TestValues(t *testing.T) {
	pool := thePool(t)
	kinds := []func(*rand.Rand) *program.System{gen.NewSystem, gen.NewFlagSystem, gen.NewWordSystem, gen.NewBranchingSystem, gen.NewLongSystem, gen.NewTableSystem}
	count, told := map[Verdict]int{}, 0
	n := soak.Long(uint64(78))
	for seed := range n {
		r := rand.New(rand.NewPCG(seed, 69))
		sys := kinds[seed%uint64(len(kinds))](r)
		want := Safe
		if naive.Unsafe(sys, gen.SystemMax) {
			want = Unsafe
		}
		o := Options{Method: Values, Blocks: Encoding(r.IntN(4)), NoFacts: r.IntN(3) > 0, Rounds: 30, MaxQueries: 1000}
		if seed/6%3 == 2 {
			o.Method = Enumerate
		}
		asked := pool
		if kind := []string{"", "", "sat", "unsat", "model", "unknown"}[r.IntN(6)]; kind != "" {
			asked = smt.NewPool(1, func() (smt.Solver, error) {
				z, err := lend()
				return newLies(z, r, kind, &told), err
			})
		}
		search := Check
		if r.IntN(3) == 0 {
			search = CheckEverything
		}
		res, err := search(ctx, sys, asked, o)
		if err := right(res, err, want); err != nil {
			t.Fatalf("seed %d, %+v: %v", seed, o, err)
		}
		if res.Verdict == Unsafe {
			if err := res.Trace.Replay(sys); err != nil {
				t.Fatalf("seed %d, %+v: %v", seed, o, err)
			}
		}
		count[res.Verdict]++
		if asked != pool {
			asked.Close()
		}
	}
	t.Logf("verdicts: %v, %d lies", count, told)
	if n >= 78 && (count[Safe] < 13 || count[Unsafe] < 13 || told < 3) {
		t.Errorf("the random systems do not say much: %v, %d lies", count, told)
	}
}
