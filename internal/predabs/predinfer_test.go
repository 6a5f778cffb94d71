package predabs

import (
	"testing"

	"github.com/seltl/seltl/logic"
)

func TestMappingCount(t *testing.T) {
	x, y := logic.Var("x", logic.Int), logic.Var("y", logic.Int)
	n := func(k int64) *logic.Term { return logic.IntConst(k) }
	m := make(Mapping, 2)
	for i, p := range []*logic.Term{logic.Eq(x, n(1)), logic.Eq(x, n(2)), logic.Not(logic.Eq(x, n(3))), logic.Eq(x, y), logic.Le(y, n(4)), logic.Eq(x, n(1)), logic.True()} {
		m.Add(i%2, p)
	}
	if m.Add(0, logic.Not(logic.Eq(x, n(1)))) {
		t.Error("a predicate and its negation are two")
	}
	if m.Most() != 3 {
		t.Errorf("%d at most", m.Most())
	}
}
