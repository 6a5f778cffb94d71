package armc_test

import (
	"context"
	"errors"
	"testing"

	"github.com/seltl/seltl/armc"
	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/smt"
)

// TestMaxWork: with little work there is no answer, and the reason says so, or the method has come to its
// end; with enough it is the answer that there is without a limit, of Auto, too.
func TestMaxWork(t *testing.T) {
	pool := smt.Z3Pool(2, smt.Options{})
	defer pool.Close()
	systems := []string{"bakery", "lecture", "lecture_bug", "ticket", "mesi", "average"}
	methods := []armc.Method{armc.Auto, armc.Forward, armc.Values, armc.Enumerate}
	if testing.Short() {
		systems = systems[:3]
	}
	cut := 0
	for _, name := range systems {
		sys := load(t, name+".gcl")
		for _, m := range methods {
			answer := func(work int64) *armc.Result {
				t.Helper()
				r, err := armc.Check(context.Background(), sys, pool, armc.Options{Method: m, Rounds: 30, MaxWork: work})
				if err != nil {
					t.Fatal(name, m, err)
				}
				return r
			}
			want := answer(0)
			for work := int64(300); ; work *= 8 {
				got := answer(work)
				var limit *budget.Exhausted
				if errors.As(got.Reason, &limit) && limit.What == "work" {
					if cut++; got.Verdict != armc.Unknown || work > 1<<40 {
						t.Fatalf("%s, %v, work %d: %v, %v", name, m, work, got.Verdict, got.Reason)
					}
					continue
				}
				if got.Verdict != want.Verdict {
					t.Errorf("%s, %v, work %d: %v (%v), without a limit %v (%v)", name, m, work, got.Verdict, got.Reason, want.Verdict, want.Reason)
				}
				break
			}
		}
	}
	if cut < 10 {
		t.Errorf("%d answers were cut off", cut)
	}
}
