package product_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/explore"
	"github.com/seltl/seltl/product"
)

// TestAutoReduce compares verdicts with those of the network as it is, where searches
// pause almost at once, so that all stages are met: the smaller network decides, or is
// given up and the search goes on, alone or with more workers.
func TestAutoReduce(t *testing.T) {
	counts := map[string]int{}
	stores := []explore.Store{explore.Numbered, explore.Exact, explore.Compact}
	for seed := *firstSeed + 95_000_000; counts["problems"] < problems(); seed++ {
		r := gen.Rand(seed)
		net, f := reduceProblem(t, seed)
		if net == nil {
			continue
		}
		net = besides(r, net)
		opts := product.Options{Reductions: product.Reductions{POR: product.NoPOR, Reduce: product.NoReduce}, Finite: product.FiniteRuns(seed % 2)}
		if seed%7 == 0 {
			opts.Fairness = product.ActionFairness
		}
		_, refused := refuses(net, f)
		if seed%5 == 0 && !refused {
			opts.Finite = product.RefuseRuns
		}
		full := verify(t, net, f, opts, seed)
		if full.Trivial {
			continue
		}
		counts["problems"]++
		opts.Reduce, opts.ReduceAfter, opts.POR = product.AutoReduce, int64(1+r.IntN(16)), product.POR(r.IntN(3))
		opts.Symmetry, opts.Workers = seed%3 == 0, []int{1, 2, 0}[r.IntN(3)]
		workersAfter, smallerMost := int64(1+r.IntN(16)), []int64{0, 4, 1 << 20}[r.IntN(3)]
		opts.ReduceBound = []int{0, 8}[r.IntN(2)]
		if opts.Fairness == product.NoFairness {
			opts.Store = stores[r.IntN(3)]
			opts.Emptiness = product.NestedDFS
			switch {
			case r.IntN(4) == 0:
				opts.Emptiness, opts.Store = product.Components, explore.Numbered
			case opts.Store == explore.Compact:
				opts.Workers = 1
			}
		}
		got, err := product.VerifyStaged(net, f, opts, workersAfter, smallerMost)
		confirm(t, net, f, opts, seed, got, err)
		if got.Verdict != full.Verdict {
			t.Fatalf("seed %d, %v, %+v: %v, without reduction %v", seed, f, opts, got.Verdict, full.Verdict)
		}
		counts[stage(got, opts, full)]++
		if opts.Finite == product.RefuseRuns && got.Reduction != nil {
			counts["no finite run"]++
		}
	}
	t.Log(counts)
	for _, s := range []string{"before the pause", "smaller", "as it is", "with workers", "fair"} {
		for _, v := range []product.Verdict{product.Holds, product.Violated} {
			if c := fmt.Sprint(s, " ", v); counts[c] < share(300) {
				t.Errorf("%s: only %d", c, counts[c])
			}
		}
	}
	if counts["no finite run"] < share(1500) {
		t.Errorf("finite runs are refused, and there are none: only %d", counts["no finite run"])
	}
}

// besides adds two or three components that have nothing to do with the rest, so that
// there are more states than minimisation leaves.
func besides(r *rand.Rand, net *lks.Network) *lks.Network {
	parts := []*lks.Network{net}
	for i := range 2 + r.IntN(2) {
		shape := gen.Shape{States: 4, Actions: []string{fmt.Sprint("x", i), fmt.Sprint("y", i)}, Degree: 2.5, Tau: 0.2}
		parts = append(parts, lks.Single(gen.LKS(r, fmt.Sprint("Besides", i), shape)))
	}
	all, err := lks.Compose("all", parts...)
	if err != nil {
		return net // it has priorities or observers
	}
	return all
}

// stage says which stage of a search had the answer.
func stage(r *product.Result, opts product.Options, full *product.Result) string {
	name := "as it is"
	switch {
	case opts.Fairness != product.NoFairness:
		name = "fair"
	case r.Reduction != nil:
		name = "smaller"
	case r.Workers > 1:
		name = "with workers"
	case max(r.Stats.Expanded, r.Stats.States) < opts.ReduceAfter:
		name = "before the pause"
	}
	return fmt.Sprint(name, " ", full.Verdict)
}

// TestAutoReduceRefuses has a finite run that the smaller network has too.
func TestAutoReduceRefuses(t *testing.T) {
	net := networkOf(t, []*lks.LKS{
		build(t, "M", []string{"0", "1", "2", "3"}, "0 a 1", "1 b 2", "2 c 3"),
		build(t, "N", []string{"0", "1", "2", "3"}, "0 x 1", "1 y 2", "2 z 3"),
	})
	opts := product.Options{Reductions: product.Reductions{Reduce: product.AutoReduce, ReduceAfter: 2}, Finite: product.RefuseRuns}
	_, err := product.Verify(context.Background(), net, parse(t, net, "F b"), opts)
	var finite *product.FiniteRunError
	if !errors.As(err, &finite) || finite.Trace.Len() != 7 {
		t.Fatal(err)
	}
}

// TestAutoReduceSizes has questions that need the smaller network, one that does not,
// and one that it does not help with.
func TestAutoReduceSizes(t *testing.T) {
	net := gen.ReadersWriters(30)
	for _, c := range []struct {
		formula string
		want    product.Verdict
		smaller bool
	}{
		{"G !(writing0 & writing1)", product.Holds, true},
		{"G F writing0", product.Violated, false},
	} {
		r := verify(t, net, parse(t, net, c.formula), product.Options{Reductions: product.Reductions{Reduce: product.AutoReduce}}, 0)
		if r.Verdict != c.want || (r.Reduction != nil) != c.smaller {
			t.Errorf("%s: %v, %+v", c.formula, r.Verdict, r.Reduction)
		}
		if c.smaller && (r.Reduction.Kind != product.ReduceTree || r.Reduction.Searched == 0 || r.Stats.States > 20) {
			t.Errorf("%s: %d states, %+v", c.formula, r.Stats.States, r.Reduction)
		}
	}
	// One worker finds the same every time.
	slow := product.Options{Search: product.Search{Workers: 1}, Reductions: product.Reductions{Reduce: product.AutoReduce, ReduceAfter: 50, POR: product.NoPOR}}
	small := gen.Philosophers(6, true)
	f := parse(t, small, "G !deadlock")
	first := verify(t, small, f, slow, 0)
	again := verify(t, small, f, slow, 0)
	if first.Reduction == nil || again.Reduction == nil || first.Reduction.Searched != again.Reduction.Searched || first.Stats.States != again.Stats.States {
		t.Errorf("%+v\n%+v", first, again)
	}
	// A lossy store says how much of the network it has missed.
	lossy := product.Options{Search: product.Search{Store: explore.BitstateHash, StoreBytes: 1 << 16}, Reductions: product.Reductions{Reduce: product.AutoReduce, ReduceAfter: 4}}
	good := gen.Philosophers(5, true)
	r, err := product.Verify(context.Background(), good, parse(t, good, "G !deadlock"), lossy)
	if err != nil || r.Verdict != product.Unknown || r.Reduction != nil {
		t.Errorf("%+v, %v", r, err)
	}
}
