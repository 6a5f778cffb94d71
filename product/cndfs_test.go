package product_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/product"
)

// TestWorkersAgree compares multi-core nested search with one worker's, with and
// without partial-order reduction, on random problems. Verify replays every
// lasso, and evaluates the formula on it.
func TestWorkersAgree(t *testing.T) {
	violated, total := 0, 0
	for seed := *firstSeed + 90_000_000; seed < *firstSeed+90_000_000+2*uint64(problems()); seed++ {
		r := gen.Rand(seed)
		var components []*lks.LKS
		for i := range 1 + r.IntN(3) {
			components = append(components, gen.LKS(r, []string{"x", "y", "z"}[i], sparse))
		}
		net := networkOf(t, components)
		atoms := gen.ModelAtoms(components...)
		r.Shuffle(len(atoms), func(i, j int) { atoms[i], atoms[j] = atoms[j], atoms[i] })
		f := recurrent(r, atoms[:min(len(atoms), 4)])
		if seed%3 == 0 {
			f = gen.Formula(r, gen.FormulaOptions{Size: 2 + r.IntN(6), Atoms: atoms[:min(len(atoms), 4)]})
		}
		opts := product.Options{Search: product.Search{Emptiness: product.NestedDFS}, Reductions: product.Reductions{POR: product.NoPOR, Reduce: product.NoReduce}, Finite: product.FiniteRuns(seed % 2), CountModel: true}
		if seed%4 < 2 {
			opts.POR = product.EagerPOR
		}
		want := verify(t, net, f, opts, seed)
		for workers := 2; workers <= 4; workers += 2 {
			opts.Workers = workers
			got := verify(t, net, f, opts, seed)
			if got.Verdict != want.Verdict {
				t.Fatalf("seed %d, %v: %v by %d workers, %v by one", seed, f, got.Verdict, workers, want.Verdict)
			}
			if got.Verdict == product.Holds && !got.Trivial && (got.Stats.States != want.Stats.States || got.Stats.ModelStates != want.Stats.ModelStates || got.FiniteMet != want.FiniteMet) {
				t.Fatalf("seed %d, %v: %d workers stored %d states, %d of the model, one %d and %d", seed, f, workers,
					got.Stats.States, got.Stats.ModelStates, want.Stats.States, want.Stats.ModelStates)
			}
		}
		total++
		if want.Verdict == product.Violated {
			violated++
		}
	}
	t.Logf("%d of %d violated", violated, total)
	if violated < total/10 || violated > total*9/10 {
		t.Errorf("%d of %d violated: the problems are too easy", violated, total)
	}
}

// TestWorkersOnFamilies searches products that are large enough for workers to
// get into each other's way.
func TestWorkersOnFamilies(t *testing.T) {
	tests := []struct {
		net     *lks.Network
		formula *ltl.Formula
		want    product.Verdict
	}{
		{gen.Ring(8), response("try0", "crit0"), product.Holds},
		{gen.Milner(9), recurrence("run0"), product.Holds},
		{gen.Philosophers(6, true), recurrence("eating0"), product.Violated},
		{gen.ReadersWriters(4), recurrence("writing0"), product.Violated},
	}
	for _, test := range tests {
		for workers := 1; workers <= 4; workers++ {
			got, err := product.Verify(context.Background(), test.net, test.formula, product.Options{Search: product.Search{Workers: workers, Emptiness: product.NestedDFS}, Reductions: product.Reductions{POR: product.NoPOR, Reduce: product.NoReduce}})
			if err != nil {
				t.Fatal(err)
			}
			if got.Verdict != test.want || got.Workers != workers {
				t.Errorf("%s, %d workers: %v by %d, want %v", test.net.Name(), workers, got.Verdict, got.Workers, test.want)
			}
		}
	}
}

// TestAutoWorkers checks that products that are large are searched by all cores, small
// ones by one, and that both have as many states as one worker finds.
func TestAutoWorkers(t *testing.T) {
	old := runtime.GOMAXPROCS(3)
	defer runtime.GOMAXPROCS(old)
	for _, test := range []struct{ stations, workers int }{{8, 1}, {13, 3}} {
		got, err := product.Verify(context.Background(), gen.Ring(test.stations), response("try0", "crit0"), product.Options{Reductions: product.Reductions{POR: product.NoPOR, Reduce: product.NoReduce}})
		if err != nil {
			t.Fatal(err)
		}
		states := int64(test.stations)<<test.stations*3 - 1
		if got.Verdict != product.Holds || got.Workers != test.workers || got.Stats.States != states || got.Stats.Expanded < states || got.Stats.Expanded > states*3/2 {
			t.Errorf("%d stations: %v by %d workers after %d states, %d expansions; want %d by %d", test.stations, got.Verdict, got.Workers,
				got.Stats.States, got.Stats.Expanded, states, test.workers)
		}
	}
}

func response(p, q string) *ltl.Formula {
	return ltl.MakeAlways(ltl.MakeImplies(propOf(p), ltl.MakeEventually(propOf(q))))
}

func recurrence(p string) *ltl.Formula { return ltl.MakeAlways(ltl.MakeEventually(propOf(p))) }

func propOf(name string) *ltl.Formula { return ltl.AtomOf(ltl.Atom{Kind: ltl.Prop, Name: name}) }

// TestWorkersStop checks that limits and interruption end all workers.
func TestWorkersStop(t *testing.T) {
	net, f := gen.Ring(14), response("try0", "crit0")
	opts := product.Options{Search: product.Search{Workers: 3, Emptiness: product.NestedDFS}, Reductions: product.Reductions{POR: product.NoPOR, Reduce: product.NoReduce}, Limits: budget.Limits{States: 5000}}
	got, err := product.Verify(context.Background(), net, f, opts)
	var exhausted *budget.Exhausted
	if err != nil || got.Verdict != product.Unknown || !errors.As(got.Reason, &exhausted) {
		t.Errorf("limit of states: %v, %v, %v", got, got.Reason, err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	opts.Limits = budget.Limits{}
	if got, err = product.Verify(ctx, net, f, opts); err != nil || got.Verdict != product.Unknown || got.Reason == nil {
		t.Errorf("interruption: %v, %v", got, err)
	}
}

func BenchmarkWorkers(b *testing.B) {
	for _, workers := range []int{1, 2} {
		for _, test := range []struct {
			net *lks.Network
			f   *ltl.Formula
		}{{gen.Ring(15), response("try0", "crit0")}, {gen.Milner(15), recurrence("run0")}} {
			b.Run(fmt.Sprint(test.net.Name(), "/workers=", workers), func(b *testing.B) {
				var r *product.Result
				for b.Loop() {
					var err error
					r, err = product.Verify(context.Background(), test.net, test.f, product.Options{Search: product.Search{Workers: workers, Emptiness: product.NestedDFS}, Reductions: product.Reductions{POR: product.NoPOR, Reduce: product.NoReduce}})
					if err != nil || r.Verdict != product.Holds {
						b.Fatal(r, err)
					}
				}
				b.ReportMetric(float64(b.N)*float64(r.Stats.States)/b.Elapsed().Seconds()/1e6, "Mstates/s")
				b.ReportMetric(float64(r.Stats.Expanded)/float64(r.Stats.States), "expansions/state")
			})
		}
	}
}
