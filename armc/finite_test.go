package armc_test

import (
	"math/rand/v2"
	"testing"

	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/naive"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/program/clauses"

	. "github.com/seltl/seltl/armc"
)

// TestFinite: systems with few states are decided by enumeration, as a twin that reads and
// computes by itself says, at once and alone, also where they are written as Horn clauses.
func TestFinite(t *testing.T) {
	pool := thePool(t)
	count := map[Verdict]int{}
	n := soak.Long(uint64(12_000))
	for seed := range n {
		f := gen.NewFinite(rand.New(rand.NewPCG(seed, 90)), false)
		states, unsafe, ok := naive.Finite(f, 60)
		if !ok || states < 4 {
			continue
		}
		want := Safe
		if unsafe {
			want = Unsafe
		}
		sys := parseText(t, f.Text())
		if seed%3 == 0 {
			var err error
			if sys, err = clauses.System(clauses.Problem(sys)); err != nil {
				t.Fatal(err)
			}
		}
		o := Options{Method: []Method{Auto, Enumerate}[seed%2]}
		res, err := Check(ctx, sys, pool, o)
		if err := right(res, err, want); err != nil || res.Verdict == Unknown {
			t.Fatalf("seed %d: %v, %s\n%s", seed, err, res.Reason, f.Text())
		}
		if res.Method != Enumerate {
			t.Errorf("seed %d: decided by %s: %v", seed, res.Method, res.Tried)
		}
		if res.Verdict == Unsafe {
			if err := res.Trace.Replay(sys); err != nil {
				t.Errorf("seed %d: %v", seed, err)
			}
		}
		count[res.Verdict]++
	}
	t.Logf("verdicts: %v", count)
	if count[Safe] < soak.Least(300) || count[Unsafe] < soak.Least(300) {
		t.Errorf("the random systems do not say much: %v", count)
	}
}
