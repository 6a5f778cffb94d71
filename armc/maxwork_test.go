package armc_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/seltl/seltl/armc"
	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/testing/soak"
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
		systems, methods = systems[:2], methods[:2]
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
	if least := soak.Least(10); cut < least/2 {
		t.Errorf("%d answers were cut off", cut)
	}
}

// TestMaxWorkWithoutQuestions: steps whose values are all known leave the solver nothing to answer, and
// are work all the same, with more to do where the numbers become long. (Unwinding one such system took
// all memory of a machine while other lanes waited for the end of its first turn.)
func TestMaxWorkWithoutQuestions(t *testing.T) {
	pool := smt.Z3Pool(1, smt.Options{})
	defer pool.Close()
	for _, c := range []struct {
		name, system string
		most         int // steps
	}{
		{"long", "var x: real; locations l; init l when x == 1; l -> l do x := x/2; assert l: 0 < x;", 12_000},
		{"short", "var x: int; locations l; init l when x == 0; l -> l when x > -1 do x := 1 - x; assert l: x < 2;", 20_100},
	} {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		r, err := armc.Check(ctx, parseText(t, c.system), pool, armc.Options{Method: armc.Bounded, MaxWork: 200_000})
		if err != nil {
			t.Fatal(c.name, err)
		}
		var limit *budget.Exhausted
		if !errors.As(r.Reason, &limit) || limit.What != "work" || r.Stats.Iterations > c.most {
			t.Errorf("%s: %v, %v, %d steps", c.name, r.Verdict, r.Reason, r.Stats.Iterations)
		}
	}
}
