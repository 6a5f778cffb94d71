package armc_test

import (
	"fmt"
	"testing"

	"github.com/seltl/seltl/predabs"

	. "github.com/seltl/seltl/armc"
)

// BenchmarkFuturebus measures predicate abstraction on the largest system of
// [Rybalchenko02]: queries per second, and the share of time in the solver.
func BenchmarkFuturebus(b *testing.B) {
	pool := newPool(b)
	sys := load(b, "futurebus.gcl")
	for _, o := range []Options{
		{Method: Forward},
		{Method: Forward, NoCache: true},
		{Method: Forward, NoCache: true, NoSyntactic: true},
		{Method: Forward, Restart: true},
		{Method: Forward, Abstraction: Boolean},
		{Method: Forward, Abstraction: Boolean, NoCache: true},
		{Method: Forward, Refine: predabs.UnsatCore},
		{Method: Backward, Abstraction: A1, Global: true, AbstractOnly: true},
		{Method: Backward, Abstraction: A2, Global: true, AbstractOnly: true},
		{Method: Backward, Abstraction: A2, Global: true, AbstractOnly: true, NoCache: true},
		{Method: Backward, Abstraction: A3, Global: true, AbstractOnly: true},
		{Method: Backward, Abstraction: A3, Global: true, AbstractOnly: true, NoCache: true},
	} {
		o.MaxQueries = 6000
		b.Run(fmt.Sprintf("%s-%s-%s/nocache=%v/nosyntactic=%v/restart=%v", o.Method, o.Abstraction, o.Refine, o.NoCache, o.NoSyntactic, o.Restart), func(b *testing.B) {
			var queries, inside, total float64
			for b.Loop() {
				r, err := Check(ctx, sys, pool, o)
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
