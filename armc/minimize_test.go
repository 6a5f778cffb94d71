package armc_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seltl/seltl/internal/predabs"
	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/naive"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/smt"

	. "github.com/seltl/seltl/armc"
)

func certificateSize(c *Certificate) int {
	size := 0
	for _, f := range c.Invariant {
		size += f.Size()
	}
	return size
}

// TestMinimize: a minimised proof is a proof, with a certificate that is never
// larger, and smaller for some of the systems of table 6.1. Spacer finds more predicates than
// are needed; own interpolants leave less to do.
func TestMinimize(t *testing.T) {
	pool := thePool(t)
	smaller, fewer := 0, 0
	for k, name := range []string{"moesi.gcl", "bakery.gcl", "bbuffer.gcl", "dragon_sums.gcl", "firefly.gcl", "inssort.pl", "lecture.gcl", "selsort.gcl", "synapse.gcl", "ticket.gcl", "ubuffer.gcl"} {
		if testing.Short() && k > 0 || slices.Contains([]string{"bakery.gcl", "dragon_sums.gcl", "ticket.gcl"}, name) && !soak.On() { // these take longer than the rest
			continue
		}
		sys := load(t, name)
		plain, err := Check(ctx, sys, pool, Options{NoFacts: true, Method: Forward, Refine: predabs.Spacer})
		if err != nil || plain.Verdict != Safe {
			t.Fatal(name, plain, err)
		}
		small, err := Check(ctx, sys, pool, Options{NoFacts: true, Method: Forward, Refine: predabs.Spacer, Minimize: true})
		if err != nil || small.Verdict != Safe {
			t.Fatal(name, small, err)
		}
		p, s := certificateSize(plain.Certificate), certificateSize(small.Certificate)
		if s > p {
			t.Errorf("%s: certificate of size %d, %d without minimisation", name, s, p)
		}
		if s < p {
			smaller++
		}
		if small.Stats.Generated < plain.Stats.Generated {
			fewer++
		}
	}
	// Every certificate loses what its proof does not need, so that few become smaller still.
	if !testing.Short() && (smaller < 3 || fewer < 5) {
		t.Errorf("only %d certificates are smaller, %d have fewer predicates", smaller, fewer)
	}
}

// TestMinimizeRandom: minimisation keeps the verdict of explicit search, with all
// refinements, and a budget that ends in the middle of it loses no verdict.
func TestMinimizeRandom(t *testing.T) {
	pool := thePool(t)
	safe, cut := 0, 0
	seeds := []uint64{184} // minimised, there was more left of its certificate than of the plain one
	for seed := range soak.Long(uint64(60)) {
		seeds = append(seeds, seed)
	}
	for _, seed := range seeds {
		r := rand.New(rand.NewPCG(seed, 42))
		sys := gen.NewSystem(r)
		o := Options{NoFacts: seed%3 > 0, Method: Forward, Refine: predabs.Refinement(r.IntN(len(predabs.Least.Names()))), Global: r.IntN(4) == 0, Minimize: true, Rounds: 15, MaxQueries: 3000}
		res, err := Check(ctx, sys, pool, o)
		if err != nil {
			t.Fatal(seed, err)
		}
		if res.Verdict == Unknown {
			continue
		}
		if unsafe := naive.Unsafe(sys, gen.SystemMax); (res.Verdict == Unsafe) != unsafe {
			t.Fatalf("seed %d, %+v: %s", seed, o, res.Verdict)
		}
		if res.Verdict != Safe {
			continue
		}
		safe++
		o.Minimize = false
		plain, err := Check(ctx, sys, pool, o)
		if err != nil || plain.Verdict != Safe || certificateSize(plain.Certificate) < certificateSize(res.Certificate) {
			t.Fatalf("seed %d, %+v: %+v, %v", seed, o, plain, err)
		}
		if asked := plain.Stats.Prover.Queries; asked > 3 && res.Stats.Prover.Queries > asked+1 {
			o.Minimize, o.MaxQueries = true, asked+1
			if res, err = Check(ctx, sys, pool, o); err != nil || res.Verdict != Safe {
				t.Fatalf("seed %d: with %d queries: %+v, %v", seed, o.MaxQueries, res, err)
			}
			cut++
		}
	}
	t.Logf("%d safe systems, %d with too few queries", safe, cut)
	if !testing.Short() && (safe < soak.Long(10) || cut == 0) {
		t.Errorf("%d safe systems, %d with too few queries", safe, cut)
	}
}

func TestMinimizeBackward(t *testing.T) {
	pool := smt.NewPool(1, func() (smt.Solver, error) { t.Fatal("a solver is started"); return nil, nil })
	if _, err := Check(ctx, load(t, "lecture.gcl"), pool, Options{Method: Backward, Minimize: true}); err == nil {
		t.Error("accepted")
	}
}
