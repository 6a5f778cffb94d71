package armc

import (
	"testing"

	"github.com/seltl/seltl/logic"
)

// TestCasesOf: formulas that list states are told apart from those that multiply choices.
func TestCasesOf(t *testing.T) {
	x, y, z := logic.Var("x", logic.Int), logic.Var("y", logic.Int), logic.Var("z", logic.Int)
	is := func(v *logic.Term, n int64) *logic.Term { return logic.Eq(v, logic.IntConst(n)) }
	either := func(v *logic.Term) *logic.Term { return logic.Or(is(v, 1), is(v, 2)) }
	for _, c := range []struct {
		f    *logic.Term
		want int
	}{
		{is(x, 1), 0},
		{either(x), 2},
		{logic.Or(logic.And(is(x, 1), either(y)), logic.And(is(x, 2), is(y, 4))), 3},
		{logic.And(is(z, 3), logic.Or(logic.And(is(x, 1), either(y)), is(x, 5))), 3},
		{logic.And(either(x), either(y)), 0},
		{logic.Or(is(z, 0), logic.And(either(x), either(y))), 0},
		{logic.Or(logic.Lt(x, y), logic.Lt(y, x)), 0},
	} {
		if got := len(casesOf(c.f)); got != c.want {
			t.Errorf("%v: %d cases, expected %d", c.f, got, c.want)
		}
	}
}
