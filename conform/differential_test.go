package conform

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/naive"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/lks"
)

func pairs(t *testing.T, n int, silentSpec bool, f func(t *testing.T, r *rand.Rand, impl, spec *lks.LKS)) {
	t.Helper()
	for seed := range soak.Long(uint64(n)) {
		r := gen.Rand(seed)
		impl, spec := gen.Pair(r, gen.PairShapes[seed%uint64(len(gen.PairShapes))], silentSpec)
		if !t.Run(fmt.Sprint("seed", seed), func(t *testing.T) { f(t, r, impl, spec) }) {
			t.Fatalf("seed %d:\n%s\n%s", seed, gen.Dump(impl), gen.Dump(spec))
		}
	}
}

func mustCheck(t *testing.T, impl, spec *lks.LKS, opts Options) *Result {
	t.Helper()
	r, err := answer(t.Context(), lks.Single(impl), lks.Single(spec), opts)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestAgainstNaive compares every preorder with its slow twin.
func TestAgainstNaive(t *testing.T) {
	outcomes := map[string]int{}
	pairs(t, 3000, true, func(t *testing.T, r *rand.Rand, impl, spec *lks.LKS) {
		p, q := naive.FromLKS(impl), naive.FromLKS(spec)
		want := map[Preorder]bool{
			Simulation: naive.Simulated(p, q, false), Weak: naive.Simulated(p, q, true),
			Trace: naive.Refines(p, q, false), Failures: naive.Refines(p, q, true),
		}
		for preorder, want := range want {
			got := mustCheck(t, impl, spec, Options{Preorder: preorder, Method: Plain, SilentSpec: Letter, TreeEffort: r.IntN(3) - 1, Trees: r.IntN(4)})
			if got.Holds() != want {
				t.Errorf("%s: %v, naive says %v", preorder, got.Holds(), want)
			}
			outcomes[fmt.Sprint(preorder, " ", want)]++
		}
	})
	t.Log(outcomes)
	for _, p := range preorders.List() {
		for _, v := range []bool{true, false} {
			if outcomes[fmt.Sprint(p, " ", v)] < soak.Long(250) {
				t.Errorf("too few pairs for %s %v: %v", p, v, outcomes)
			}
		}
	}
}

// TestSilentSpecRefused: a silent step that can be reached is an error.
func TestSilentSpecRefused(t *testing.T) {
	pairs(t, 500, true, func(t *testing.T, r *rand.Rand, impl, spec *lks.LKS) {
		reachable, err := lks.Single(spec).Build(nil)
		if err != nil {
			t.Fatal(err)
		}
		silent := false
		for s := range int32(reachable.NumStates()) {
			silent = silent || len(reachable.Succ(s, lks.TauID)) > 0
		}
		_, err = answer(t.Context(), lks.Single(impl), lks.Single(spec), Options{})
		var refused *SilentSpec
		if errors.As(err, &refused) != silent {
			t.Errorf("silent %v, error %v", silent, err)
		}
	})
}

// answer is Check, whose unknown verdicts are errors here.
func answer(ctx context.Context, impl, spec *lks.Network, opts Options) (*Result, error) {
	r, err := Check(ctx, impl, spec, opts)
	if err == nil {
		err = r.Reason
	}
	return r, err
}
