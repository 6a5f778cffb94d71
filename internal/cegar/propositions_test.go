package cegar

import (
	"testing"

	"github.com/seltl/seltl/internal/predabs"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/ltl"
)

// TestJoined: propositions that say the same, or the opposite, become one, but for those that
// have no value somewhere, and those of other components.
func TestJoined(t *testing.T) {
	x := logic.Var("x", logic.BitVec(2))
	one := logic.Eq(x, word(1))
	p := &Property{Propositions: [][]Proposition{{
		{Prop: predabs.Prop{Name: "is"}},
		{Prop: predabs.Prop{Name: "a", Formula: one}},
		{Prop: predabs.Prop{Name: "b", Formula: logic.Not(one)}},
		{Prop: predabs.Prop{Name: "c", Formula: one}, Undefined: logic.Eq(x, word(2))},
		{Prop: predabs.Prop{Name: "d", Formula: one}, Undefined: logic.False()},
	}, {
		{Prop: predabs.Prop{Name: "e", Formula: one}},
	}}}
	atom := func(name string) *ltl.Formula { return ltl.AtomOf(ltl.Atom{Kind: ltl.Prop, Name: name}) }
	p.Formula = ltl.MakeAlways(ltl.MakeAnd(atom("is"), ltl.MakeOr(atom("d"), ltl.MakeNext(atom("b")), atom("c"), atom("e"))))
	want := ltl.MakeAlways(ltl.MakeAnd(atom("is"), ltl.MakeOr(atom("a"), ltl.MakeNext(ltl.MakeNot(atom("a"))), atom("c"), atom("e"))))
	if got := p.joined(); got != want {
		t.Errorf("%v, not %v", got, want)
	}
}
