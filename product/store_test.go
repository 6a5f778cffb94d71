package product_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/naive"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/explore"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/product"
	"github.com/seltl/seltl/product/internal/meet"
)

// storeOptions are the ways to search with stores, each with and without reductions.
func storeOptions() []product.Options {
	var all []product.Options
	searches := []product.Options{
		{Search: product.Search{Emptiness: product.Components}, Reductions: product.Reductions{Reduce: product.NoReduce}},
		{Search: product.Search{Emptiness: product.NestedDFS}, Reductions: product.Reductions{Reduce: product.NoReduce}},
		{Search: product.Search{Emptiness: product.NestedDFS, Workers: 2}, Reductions: product.Reductions{Reduce: product.NoReduce}},
		{Search: product.Search{Emptiness: product.NestedDFS, Store: explore.Exact, Workers: 3}, Reductions: product.Reductions{Reduce: product.NoReduce}},
		{Search: product.Search{Emptiness: product.NestedDFS, Store: explore.Compact}, Reductions: product.Reductions{Reduce: product.NoReduce}},
		{Search: product.Search{Emptiness: product.NestedDFS, Store: explore.HashCompact}, Reductions: product.Reductions{Reduce: product.NoReduce}},
		{Search: product.Search{Emptiness: product.NestedDFS, Store: explore.BitstateHash, StoreBytes: 1 << 12}, Reductions: product.Reductions{Reduce: product.NoReduce}},
		{Search: product.Search{Emptiness: product.NestedDFS, Store: explore.BitstateHash, StoreBytes: 8}, Reductions: product.Reductions{Reduce: product.NoReduce}},
	}
	for _, opts := range searches {
		for _, opts.POR = range []product.POR{product.NoPOR, product.EagerPOR} {
			for _, opts.Reduce = range []product.Reduce{product.NoReduce, product.ReduceComponents} {
				all = append(all, opts)
			}
		}
	}
	return all
}

// TestStoresAgainstNaive compares every store, search and reduction, with one worker
// and two, with the naive twin: exact stores give its verdict, lossy ones find only
// violations that are there (verify replays them) and never say that none is.
func TestStoresAgainstNaive(t *testing.T) {
	counts := map[string]int{}
	for seed := *firstSeed + 110_000_000; counts["problems"] < problems()/3; seed++ {
		p, s := problem(seed)
		if p == nil {
			continue
		}
		counts["problems"]++
		net := networkOf(t, p.Components)
		finite := product.FiniteRuns(seed % 2)
		want := !s.Satisfiable(ltl.MakeNot(p.Formula), finite == product.StutterRuns, naive.NoFairness)
		for _, opts := range storeOptions() {
			opts.Finite = finite
			if opts.Store.Lossy() {
				opts.Seed = uint64(seed % 3)
			}
			opts.CountModel = opts.Store == explore.Exact
			r := verifyLossy(t, net, p.Formula, opts, seed)
			name := fmt.Sprintf("%v of %d bytes: %v", opts.Store, opts.StoreBytes, r.Verdict)
			switch {
			case r.Verdict == product.Violated && want:
				t.Fatalf("seed %d, %+v: violated, naive: holds\n%s", seed, opts, describe(p))
			case r.Verdict == product.Holds && !want:
				t.Fatalf("seed %d, %+v: holds, naive: violated\n%s", seed, opts, describe(p))
			case r.Verdict == product.Unknown && want:
				name += " where it holds"
			case r.Verdict == product.Unknown:
				name += " where it is violated"
			}
			counts[name]++
		}
	}
	t.Log(counts)
	if n := counts["hash of 0 bytes: unknown where it is violated"]; n > 0 {
		t.Errorf("hash compaction missed %d violations of tiny networks", n)
	}
	for _, name := range []string{
		"bitstate of 8 bytes: violated", "hash of 0 bytes: violated", "compact of 0 bytes: holds",
	} {
		if counts[name] < share(300) {
			t.Errorf("only %d times %s: the problems are too easy", counts[name], name)
		}
	}
}

// verifyLossy is verify for stores that may be lossy.
func verifyLossy(t testing.TB, net *lks.Network, f *ltl.Formula, opts product.Options, seed uint64) *product.Result {
	t.Helper()
	if !opts.Store.Lossy() {
		return verify(t, net, f, opts, seed)
	}
	r, err := product.Verify(context.Background(), net, f, opts)
	if err != nil {
		t.Fatalf("seed %d, %v: %v", seed, f, err)
	}
	var lossy *explore.LossyStore
	switch {
	case r.Verdict == product.Holds && !r.Trivial:
		t.Fatalf("seed %d, %v: %v store says that it holds", seed, f, opts.Store)
	case r.Verdict == product.Unknown && (!errors.As(r.Reason, &lossy) || lossy.Store != opts.Store || lossy.Missed != r.Missed || lossy.Coverage != r.Coverage):
		t.Fatalf("seed %d, %v: unknown because %v, missed %v", seed, f, r.Reason, r.Missed)
	case r.Missed < 0 || r.Coverage <= 0 || r.Coverage > 1:
		t.Fatalf("seed %d: %v missed, coverage %v", seed, r.Missed, r.Coverage)
	case r.Verdict == product.Violated && (r.Lasso.Replay(net) != nil || ltl.Eval(f, meet.Word(r.Lasso))):
		t.Fatalf("seed %d: %v is no violation of %v", seed, r.Lasso, f)
	}
	return r
}

// TestStoresOnFamilies counts what stores keep of larger products.
func TestStoresOnFamilies(t *testing.T) {
	for _, q := range questions(8, 8, 6) {
		f := parse(t, q.net, q.formula)
		want := verify(t, q.net, f, product.Options{Search: product.Search{Emptiness: product.NestedDFS}, Reductions: product.Reductions{POR: product.NoPOR, Reduce: product.NoReduce}}, 0)
		for store := explore.Exact; store <= explore.BitstateHash; store++ {
			r := verifyLossy(t, q.net, f, product.Options{Search: product.Search{Store: store, StoreBytes: 1 << 20}, Reductions: product.Reductions{POR: product.NoPOR, Reduce: product.NoReduce}, CountModel: true}, 0)
			if store.Lossy() && want.Verdict == product.Holds {
				if r.Verdict != product.Unknown || r.Stats.States > want.Stats.States || float64(r.Stats.States)+10*r.Missed+10 < float64(want.Stats.States) {
					t.Errorf("%s, %v: %v after %d of %d states, %v missed", q.name, store, r.Verdict, r.Stats.States, want.Stats.States, r.Missed)
				}
			} else if r.Verdict != want.Verdict {
				t.Errorf("%s, %v: %v, want %v", q.name, store, r.Verdict, want.Verdict)
			} else if r.Verdict == product.Holds && r.Stats.States != want.Stats.States {
				t.Errorf("%s, %v: %d states, want %d", q.name, store, r.Stats.States, want.Stats.States)
			}
			if store == explore.BitstateHash {
				r := verifyLossy(t, q.net, f, product.Options{Search: product.Search{Store: store, StoreBytes: 512}, Reductions: product.Reductions{POR: product.NoPOR, Reduce: product.NoReduce}}, 0)
				if want.Verdict == product.Holds && (r.Verdict != product.Unknown || r.Stats.States >= want.Stats.States || r.Missed < 1) {
					t.Errorf("%s, 512 bytes: %v after %d of %d states, %v missed", q.name, r.Verdict, r.Stats.States, want.Stats.States, r.Missed)
				}
			}
			if r.Store != store || store == explore.Exact && r.Stats.ModelStates == 0 {
				t.Errorf("%s: %v store used, with %d states of the model", q.name, r.Store, r.Stats.ModelStates)
			}
		}
	}
}

// TestStoreErrors asks for what does not go together.
func TestStoreErrors(t *testing.T) {
	net := gen.Ring(3)
	f := parse(t, net, "GF crit0")
	for _, opts := range []product.Options{
		{Search: product.Search{Store: -1}, Reductions: product.Reductions{Reduce: product.NoReduce}},
		{Search: product.Search{Store: explore.BitstateHash + 1}, Reductions: product.Reductions{Reduce: product.NoReduce}},
		{Search: product.Search{Store: explore.Exact, Emptiness: product.Components}, Reductions: product.Reductions{Reduce: product.NoReduce}},
		{Search: product.Search{Store: explore.Compact}, Reductions: product.Reductions{Reduce: product.NoReduce}, Fairness: product.ProcessFairness},
		{Search: product.Search{Store: explore.HashCompact}, Reductions: product.Reductions{Reduce: product.NoReduce}, FairSets: []product.FairSet{{Actions: []string{"enter0"}}}},
		{Search: product.Search{Store: explore.Compact, Workers: 2}, Reductions: product.Reductions{Reduce: product.NoReduce}},
		{Search: product.Search{Store: explore.BitstateHash}, Reductions: product.Reductions{Reduce: product.NoReduce}, Finite: product.RefuseRuns},
	} {
		var wrong *product.StoreError
		if r, err := product.Verify(context.Background(), net, f, opts); !errors.As(err, &wrong) {
			t.Errorf("%+v: %v, %v", opts, r, err)
		}
	}
	for _, store := range []explore.Store{explore.Exact, explore.Compact} {
		var finite *product.FiniteRunError
		stops := gen.Philosophers(3, false)
		if _, err := product.Verify(context.Background(), stops, ltl.T(), product.Options{Search: product.Search{Store: store}, Reductions: product.Reductions{Reduce: product.NoReduce}, Finite: product.RefuseRuns}); !errors.As(err, &finite) {
			t.Errorf("%v: finite runs are not refused: %v", store, err)
		}
	}
}
