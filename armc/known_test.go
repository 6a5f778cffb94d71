package armc

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program/gcl"
	"github.com/seltl/seltl/smt"
)

// checkWith is Check by one method with facts that were changed.
func checkWith(t *testing.T, text string, o Options, change func(*known)) *Result {
	t.Helper()
	sys, err := gcl.ParseText("test.gcl", text)
	if err != nil {
		t.Fatal(err)
	}
	pool := smt.Z3Pool(1, smt.Options{Timeout: time.Minute})
	defer pool.Close()
	ctx := context.Background()
	r := &run{ctx: ctx, sys: sys, options: o, meter: budget.New(ctx, budget.Limits{}, nil), result: &Result{}, encoded: &encoded{}}
	err = r.with(pool, func() error {
		if err := r.findKnown(); err != nil {
			return err
		}
		change(&r.known)
		return r.attempt(way{method: o.Method, abstraction: o.Abstraction, refine: o.Refine})
	})
	if err = r.giveUp(err); err != nil {
		t.Fatal(err)
	}
	return r.result
}

// TestWrongFacts: a proof that rests on a fact that does not hold is not believed,
// whatever the method; one that rests on facts that hold is, and needs no refinement.
func TestWrongFacts(t *testing.T) {
	const text = `var x, y: int; locations a, l, e; init a when x == 0 && y == 0; error e;
		a -> l; l -> l do x := x + 1, y := y + 2; l -> e when y %s 2*x;`
	x, y := logic.Var("x", logic.Int), logic.Var("y", logic.Int)
	for _, o := range []Options{{Method: Forward, Rounds: 8}, {Method: Forward, Abstraction: Boolean, Rounds: 8},
		{Method: Forward, Abstraction: A2, Rounds: 8}, {Method: Backward, Abstraction: A2, Rounds: 8}, {Method: Backward, AbstractOnly: true, Rounds: 8}} {
		safe := checkWith(t, strings.Replace(text, "%s", "!=", 1), o, func(*known) {})
		if safe.Verdict != Safe || safe.Stats.Refinements > 0 {
			t.Errorf("%+v: %s after %d refinements: %s", o, safe.Verdict, safe.Stats.Refinements, safe.Reason)
		}
		for i, wrong := range []*logic.Term{logic.False(), logic.Lt(y, logic.Add(x, x)), logic.Eq(x, logic.IntConst(0))} {
			if testing.Short() && i == 2 {
				continue
			}
			r := checkWith(t, strings.Replace(text, "%s", "==", 1), o, func(k *known) { k.at[1], k.linear[1] = wrong, wrong })
			if r.Verdict == Safe {
				t.Errorf("%+v with %s: safe", o, wrong)
			}
			if wrong.IsFalse() && !strings.Contains(fmt.Sprint(r.Reason), "not confirmed") {
				t.Errorf("%+v with %s: %s, %s", o, wrong, r.Verdict, r.Reason)
			}
		}
	}
}
