package armc_test

import (
	"fmt"
	"testing"

	"github.com/seltl/seltl/internal/testing/soak"

	. "github.com/seltl/seltl/armc"
)

// TestDeterminism: the same question twice, after other work of the same pool
// and in a fresh one, has the same answer in every detail.
func TestDeterminism(t *testing.T) {
	for k, name := range []string{"coffee.pl", "lecture.gcl", "bakery.gcl", "lecture_bug.gcl", "mesi.gcl"} {
		if soak.Skip(k) || name == "bakery.gcl" && !soak.On() { // that one takes longer than the rest
			continue
		}
		sys := load(t, name)
		for _, o := range []Options{{}, {Method: Backward, Abstraction: A2, Global: true, Rounds: 5}, {Method: Forward, Abstraction: Boolean, Rounds: 5}, {Method: Values, MaxQueries: 3000}} {
			tell := func(r *Result) string {
				s := fmt.Sprint(r.Verdict, r.Reason, r.Tried, r.Stats.Refinements, r.Stats.States, r.Stats.Generated, r.Stats.Prover)
				if r.Trace != nil {
					s += r.Trace.Explain(sys)
				}
				if r.Certificate != nil {
					s += fmt.Sprint(r.Certificate.Invariant)
				}
				return s
			}
			first := ""
			used := newPool(t)
			for i := range 3 {
				pool := used
				if i == 2 {
					pool = newPool(t)
				}
				r, err := Check(ctx, sys, pool, o)
				if err != nil {
					t.Fatal(err)
				}
				switch got := tell(r); {
				case i == 0:
					first = got
				case got != first:
					t.Errorf("%s, %s %s, time %d:\n%s\nfirst:\n%s", name, o.Method, o.Abstraction, i, got, first)
				}
			}
		}
	}
}
