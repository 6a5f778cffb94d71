package armc_test

import (
	"fmt"
	"testing"

	"github.com/seltl/seltl/internal/predabs"

	. "github.com/seltl/seltl/armc"
)

// BenchmarkFuturebus measures predicate abstraction on the largest system of
// [Rybalchenko02]: queries per second, and the share of time in the solver.
func BenchmarkFuturebus(b *testing.B) {
	pool := newPool(b)
	sys := load(b, "futurebus.gcl")
	for _, test := range []struct {
		Options
		noCache, noSyntactic bool
	}{
		{Options{Method: Forward}, false, false},
		{Options{Method: Forward}, true, false},
		{Options{Method: Forward}, true, true},
		{Options{Method: Forward, Restart: true}, false, false},
		{Options{Method: Forward, Abstraction: Boolean}, false, false},
		{Options{Method: Forward, Abstraction: Boolean}, true, false},
		{Options{Method: Forward, Refine: predabs.UnsatCore}, false, false},
		{Options{Method: Backward, Abstraction: A1, Global: true, AbstractOnly: true}, false, false},
		{Options{Method: Backward, Abstraction: A2, Global: true, AbstractOnly: true}, false, false},
		{Options{Method: Backward, Abstraction: A2, Global: true, AbstractOnly: true}, true, false},
		{Options{Method: Backward, Abstraction: A3, Global: true, AbstractOnly: true}, false, false},
		{Options{Method: Backward, Abstraction: A3, Global: true, AbstractOnly: true}, true, false},
	} {
		o := test.Options
		o.MaxQueries = 6000
		b.Run(fmt.Sprintf("%s-%s-%s/nocache=%v/nosyntactic=%v/restart=%v", o.Method, o.Abstraction, o.Refine, test.noCache, test.noSyntactic, o.Restart), func(b *testing.B) {
			var queries, inside, total float64
			for b.Loop() {
				r, err := CheckUnaided(ctx, sys, pool, o, test.noCache, test.noSyntactic)
				if err != nil {
					b.Fatal(err)
				}
				queries += float64(r.Stats.Solver.Queries)
				b.Logf("%s, R=%d, %d questions: %d by looking, %d cached, %d by models", r.Verdict, r.Stats.Refinements, r.Stats.Prover.Questions, r.Stats.Prover.Syntactic, r.Stats.Prover.Cached, r.Stats.Prover.ByModel)
				inside += r.Stats.Solver.Time.Seconds()
				total += r.Stats.Time.Seconds()
				b.ReportMetric(float64(r.Stats.Prover.Questions)/r.Stats.Time.Seconds(), "questions/s")
			}
			b.ReportMetric(queries/float64(b.N), "queries/op")
			b.ReportMetric(queries/total, "queries/s")
			b.ReportMetric(100*inside/total, "%solver")
		})
	}
}
