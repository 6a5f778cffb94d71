package product_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/product"
)

// question is a formula about a family that others have measured, see
// oracle/mc in the shared folder.
type question struct {
	name    string
	net     *lks.Network
	formula string
	verdict product.Verdict
	states  int64 // of the product; 0 if it depends on the search
}

// questions have as many product states as SPIN and LTSmin report, by formulas
// that give their counts at ring 16 and milner 16.
func questions(ring, milner, phil int) []question {
	rings, milners := int64(ring)<<(ring+1), int64(milner)<<(milner+1)
	return []question{
		{fmt.Sprint("ring", ring, "/response"), gen.Ring(ring), "G(try1 -> F crit1)", product.Holds, rings*3/2 - 1},
		{fmt.Sprint("ring", ring, "/exclusion"), gen.Ring(ring), "G !(crit0 & crit1)", product.Holds, rings},
		{fmt.Sprint("milner", milner, "/recurrence"), gen.Milner(milner), "GF run0", product.Holds, milners*3/2 - 2},
		{fmt.Sprint("milner", milner, "/events"), gen.Milner(milner), "G(a0 -> X(!a0 W a1))", product.Holds, 0},
		{fmt.Sprint("phil", phil, "/exclusion"), gen.Philosophers(phil, true), "G !(eating0 & eating1)", product.Holds, 0},
		{fmt.Sprint("phil", phil, "/response"), gen.Philosophers(phil, true), "G(getl1 -> F eating1)", product.Violated, 0},
		{fmt.Sprint("phil", phil, "/deadlock"), gen.Philosophers(phil, false), "G !deadlock", product.Violated, 0},
	}
}

func parse(t testing.TB, net *lks.Network, text string) *ltl.Formula {
	t.Helper()
	f, err := ltl.Parse(source.NewFile("formula", text), ltl.ParseOptions{Vocabulary: product.Vocabulary(net)})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestFamilies asks the questions of the benchmarks for small sizes.
func TestFamilies(t *testing.T) {
	for _, q := range questions(6, 5, 4) {
		f := parse(t, q.net, q.formula)
		for _, e := range searches() {
			if r := verify(t, q.net, f, product.Options{Search: product.Search{Emptiness: e, Workers: 1}, Reductions: product.Reductions{POR: product.NoPOR, Reduce: product.NoReduce}}, 0); r.Verdict != q.verdict {
				t.Errorf("%s by %v: %v, want %v", q.name, e, r.Verdict, q.verdict)
			} else if q.states > 0 && r.Stats.States != q.states {
				t.Errorf("%s by %v: %d states of the product, want %d", q.name, e, r.Stats.States, q.states)
			}
		}
	}
}

func BenchmarkVerify(b *testing.B) {
	for _, q := range questions(14, 14, 10) {
		f := parse(b, q.net, q.formula)
		for _, e := range searches() {
			b.Run(fmt.Sprint(q.name, "/", e), func(b *testing.B) {
				var r *product.Result
				for b.Loop() {
					var err error
					r, err = product.Verify(context.Background(), q.net, f, product.Options{Search: product.Search{Emptiness: e, Workers: 1}, Reductions: product.Reductions{POR: product.NoPOR, Reduce: product.NoReduce}})
					if err != nil || r.Verdict != q.verdict {
						b.Fatalf("%v %v", r.Verdict, err)
					}
				}
				states := float64(r.Stats.States)
				b.ReportMetric(states, "states")
				b.ReportMetric(float64(r.Stats.Expanded)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mexpanded/s")
				b.ReportMetric(float64(r.Stats.Transitions)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mtransitions/s")
				b.ReportMetric(r.Stats.BytesPerState(), "bytes/state")
				if r.Lasso != nil {
					b.ReportMetric(float64(r.Lasso.Len()), "steps")
				}
			})
		}
	}
}

// BenchmarkFair needs fairness: a ring whose stations may hold on to the token.
func BenchmarkFair(b *testing.B) {
	net := gen.Ring(12)
	f := parse(b, net, "G F enter1")
	for _, fair := range []product.Fairness{product.ProcessFairness, product.ActionFairness, product.StrongActionFairness, product.ChoiceFairness} {
		b.Run(fmt.Sprint("ring12/", fair), func(b *testing.B) {
			var r *product.Result
			for b.Loop() {
				var err error
				r, err = product.Verify(context.Background(), net, f, product.Options{Search: product.Search{Workers: 1}, Reductions: product.Reductions{Reduce: product.NoReduce}, Fairness: fair})
				if err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(r.Stats.States), "states")
			b.ReportMetric(float64(r.Stats.Expanded)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mexpanded/s")
			if r.Lasso != nil {
				b.ReportMetric(float64(r.Lasso.Len()), "steps")
			}
		})
	}
}

// BenchmarkReductions has what reductions leave of the questions of oracle/mc in the
// shared folder, at sizes that take long without.
func BenchmarkReductions(b *testing.B) {
	asked := slices.Concat(porQuestions(), []porQuestion{
		{gen.Ring(40), "G(try1 -> F crit1)", 0},
		{gen.Milner(40), "GF run0", 0},
		{gen.Philosophers(14, true), "G !(eating0 & eating1)", 0},
		{gen.ReadersWriters(8), "G !(writing0 & writing1)", 0},
	})
	for _, q := range asked {
		f := parse(b, q.net, q.formula)
		for _, opts := range []product.Options{
			{Search: product.Search{Workers: 1}, Reductions: product.Reductions{Reduce: product.NoReduce}}, {Search: product.Search{Workers: 1}, Reductions: product.Reductions{POR: product.NoPOR, Reduce: product.ReduceComponents}}, {Search: product.Search{Workers: 1}, Reductions: product.Reductions{Reduce: product.ReduceComponents}},
		} {
			b.Run(fmt.Sprintf("%s/por=%v/reduce=%v", q.net.Name(), opts.POR, opts.Reduce), func(b *testing.B) {
				var r *product.Result
				for b.Loop() {
					opts.Limits.States = 5_000_000
					var err error
					if r, err = product.Verify(context.Background(), q.net, f, opts); err != nil || r.Verdict == product.Violated {
						b.Fatalf("%v %v", r.Verdict, err)
					}
				}
				if r.Verdict == product.Holds {
					b.ReportMetric(float64(r.Stats.States), "states")
				}
				b.ReportMetric(float64(r.Stats.Expanded)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mexpanded/s")
			})
		}
	}
}
