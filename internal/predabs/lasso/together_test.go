package lasso

import (
	"context"
	"testing"

	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
)

// TestTogether: a function that each command of a loop decreases is preferred to one that only
// the whole round does, whose labels say nothing, and one that is not about the numbers of one loop
// to one that is.
func TestTogether(t *testing.T) {
	s := z3(t)
	n, c, i, j := logic.Var("n", logic.Int), logic.Var("c", logic.Int), logic.Var("i", logic.Int), logic.Var("j", logic.Int)
	k := logic.IntConst
	call := do(logic.And(logic.Lt(k(0), c), logic.Le(n, k(100))), n, logic.Add(n, k(11)), c, logic.Add(c, k(1)))
	back := do(logic.And(logic.Lt(k(0), c), logic.Lt(k(100), n)), n, logic.Sub(n, k(10)), c, logic.Sub(c, k(1)))
	begin := do(logic.Lt(i, n), j, k(0))
	up := do(logic.Lt(j, i), j, logic.Add(j, k(1)))
	next := do(logic.Le(i, j), i, logic.Add(i, k(1)))
	for _, test := range []struct {
		name, function string
		init           *logic.Term
		loop           []*program.Command
	}{
		{"McCarthy's function", "", logic.And(logic.Eq(c, k(1)), logic.Le(n, k(111))), []*program.Command{call, back, back}},
		{"a loop in a loop", "n - i", logic.True(), []*program.Command{begin, next}},
		{"a loop in a loop, once", "n - i", logic.True(), []*program.Command{begin, up, next}},
	} {
		l := &Lasso{Vars: []*logic.Term{n, c, i, j}, Init: test.init, Loop: test.loop}
		v, err := Decide(context.Background(), s, l, Options{})
		if err != nil {
			t.Fatalf("%s: %v", test.name, err)
		}
		r := v.Ranking
		switch {
		case r == nil || !r.Labelled():
			t.Errorf("%s: %+v", test.name, v)
		case test.function != "" && r.Function.String() != test.function:
			t.Errorf("%s: %s, not %s", test.name, r.Function.String(), test.function)
		}
		if r != nil {
			t.Logf("%s: %s %v", test.name, r.Function.String(), r.Labels)
		}
	}
}
