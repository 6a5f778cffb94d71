package logic_test

import (
	"math/big"
	"strings"
	"testing"

	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/internal/testing/soak"

	. "github.com/seltl/seltl/logic"
)

// TestShared: terms whose parts are shared are large as trees only. Reading,
// negating and printing them takes time by the number of their parts.
func TestShared(t *testing.T) {
	for _, text := range []string{
		strings.Repeat("(", 60) + "i0 > 1" + strings.Repeat(" ? b0 : b1)", 60),
		"i0" + strings.Repeat(" / 2", 60) + " > 1",
		"i0" + strings.Repeat(" % 7 + i1", 60) + " > 1",
		strings.Repeat("!(b0 <-> (b1 -> ", 60) + "b2" + strings.Repeat("))", 60),
	} {
		f, err := Parse(source.NewFile("t", text), C, scopeOfAll())
		if err != nil {
			t.Fatal(err)
		}
		if Not(Not(f)) != f {
			t.Errorf("%.40s: double negation", text)
		}
		printed := f.Format(SMTLIB)
		again, err := Parse(source.NewFile("t", printed), SMTLIB, scopeOfAll())
		if err != nil || again != f {
			t.Errorf("%.40s: prints as %d bytes, read as another term: %v", text, len(printed), err)
		}
		if len(printed) > 100_000 || len(f.String()) > 100<<20 {
			t.Errorf("%.40s: %d bytes", text, len(printed))
		}
		m := Model{"b0": BoolValue(true), "b1": BoolValue(false), "b2": BoolValue(true), "i0": IntValue(100), "i1": IntValue(3)}
		if _, err := Holds(f, m); err != nil {
			t.Error(err)
		}
		if got := Substitute(f, map[*Term]*Term{Var("i0", Int): Var("i2", Int)}); len(Vars(got)) != len(Vars(f)) {
			t.Errorf("%.40s: substitution", text)
		}
	}
}

// TestFormatShared: terms that share parts are written and read in time and space by the
// number of their parts, deep ones too.
func TestFormatShared(t *testing.T) {
	x, y := Var("x", BitVec(16)), Var("y", BitVec(16))
	doubled, deep, wide := x, x, []*Term{}
	for range 60 {
		doubled = BVOp(OpBVAdd, BVOp(OpBVMul, doubled, doubled), BVOp(OpBVXor, doubled, y))
		wide = append(wide, Eq(doubled, y))
	}
	for i := range soak.Size(30_000) {
		deep = BVOp(OpBVXor, BVOp(OpBVMul, deep, x), BVConst(big.NewInt(int64(i)), 16))
	}
	for name, ts := range map[string][]*Term{
		"doubled": {Eq(doubled, y), Ne(doubled, x), True()}, "deep": {Eq(deep, y)}, "wide": wide, "plain": {Eq(x, y), True()},
	} {
		defs, texts := FormatShared(ts)
		length := 0
		for _, d := range defs {
			length += len(d.Text)
		}
		scope, err := NewScope(x, y).WithDefinitions(defs)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for i, text := range texts {
			length += len(text)
			again, err := Parse(source.NewFile("t", text), SMTLIB, scope)
			if err != nil || again != ts[i] {
				t.Errorf("%s: %.60s is read as another term: %v", name, text, err)
			}
		}
		if length > 60*30_000 {
			t.Errorf("%s: %d bytes", name, length)
		}
	}
	for _, defs := range [][]Definition{
		{{"?1", "(bvadd x y)"}, {"?1", "x"}}, {{"x", "y"}}, {{"?1", "(bvadd ?2 y)"}, {"?2", "x"}}, {{"?1", "(bvadd x"}},
	} {
		if _, err := NewScope(x, y).WithDefinitions(defs); err == nil {
			t.Errorf("%v: no error", defs)
		}
	}
}

// TestParts: a part that two others share counts once for each, and what it consists of once.
func TestParts(t *testing.T) {
	x := Var("x", ArrayOf(Int, Int))
	d := Select(x, IntConst(1)) // x[1], of 3
	if n := Parts(d); n != 3 {
		t.Errorf("%s has %d parts", d, n)
	}
	for range 100 {
		d = Select(Store(x, d, d), IntConst(1))
	}
	if n := Parts(d); n > 700 || d.Size() < 1<<50 || Parts(d, d) != n+1 {
		t.Errorf("%d parts", n)
	}
}
