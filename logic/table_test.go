package logic_test

import (
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/internal/testing/soak"

	. "github.com/seltl/seltl/logic"
)

// TestFunctions: how functions are written, and what is wrong with them.
func TestFunctions(t *testing.T) {
	f := Var("f", FunctionOf([]*Sort{Int, Real}, Bool))
	x, r := Var("x", Int), Var("r", Real)
	scope := NewScope(f, x, r)
	read := func(s Syntax, text string) (*Term, error) {
		return Parse(source.NewFile("t", text), s, scope)
	}
	want := Apply(f, Add(x, IntConst(1)), ToReal(x))
	for _, c := range []struct {
		syntax Syntax
		text   string
	}{{C, "f(x + 1, x)"}, {C, "f(1 + x, to_real(x))"}, {SMTLIB, "(f (+ x 1) x)"}, {SMTLIB, "(let ((f1 (+ x 1))) (f f1 (to_real x)))"}} {
		if got, err := read(c.syntax, c.text); got != want {
			t.Errorf("%s is read as %v, %v", c.text, got, err)
		}
	}
	if got, err := read(C, "f(1, 1/2)"); err != nil || got != Apply(f, IntConst(1), Number(big.NewRat(1, 2), Real)) {
		t.Errorf("f(1, 1/2) is read as %v, %v", got, err)
	}
	for _, c := range []struct {
		syntax     Syntax
		text, want string
	}{
		{C, "f", "f is a function: write f(...)"},
		{C, "f == f", "f is a function: write f(...)"},
		{C, "f(x)", "f takes 2 operands, not 1"},
		{C, "f(r, x)", "operand 1 of f is to be of sort Int, not Real"},
		{C, "x(1)", `unknown function "x"`},
		{SMTLIB, "(= f f)", "f is a function: it has operands"},
		{SMTLIB, "(f x)", "f takes 2 operands, not 1"},
		{SMTLIB, "((_ f 1) x x)", `unknown function "f"`},
	} {
		if got, err := read(c.syntax, c.text); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, %v, want %s", c.text, got, err, c.want)
		}
	}
	if got := Declaration(f); got != "(declare-fun f (Int Real) Bool)" || f.Sort().String() != "(-> Int Real Bool)" {
		t.Errorf("%s of sort %s", got, f.Sort())
	}
	g := Var("g", f.Sort())
	if got := Substitute(want, map[*Term]*Term{f: g, x: IntConst(3)}); got != Apply(g, IntConst(4), Number(big.NewRat(3, 1), Real)) {
		t.Errorf("substituted: %s", got)
	}
	if got := Applications(And(want, Not(Apply(f, x, r)))); len(got) != 2 {
		t.Errorf("applications: %v", got)
	}
}

// TestTables: maps with finitely many keys are equal if their values are, however they
// came about, and otherwise in one order.
func TestTables(t *testing.T) {
	index, element := BitVec(2), BitVec(1)
	sort := ArrayOf(index, element)
	wide := FunctionOf([]*Sort{Bool, BitVec(1)}, element)
	value := func(k int64, s *Sort) Value { return NumValue(big.NewRat(k, 1), s) }
	for seed := range soak.Cases(uint64(2000)) {
		r := rand.New(rand.NewPCG(seed, 45))
		// Two maps written in random order on random grounds, and what they are.
		random := func() (plain [4]int64, array, function Value) {
			rest := int64(r.IntN(2))
			for i := range plain {
				plain[i] = rest
			}
			term := ConstArray(sort, value(rest, element).Term())
			var points []Point
			for range r.IntN(8) {
				k, v := int64(r.IntN(4)), int64(r.IntN(2))
				plain[k] = v
				term = Store(term, value(k, index).Term(), value(v, element).Term())
				points = append(points, Point{[]Value{BoolValue(k >= 2), value(k%2, BitVec(1))}, value(v, element)})
			}
			array, err := Eval(term, nil)
			if err != nil {
				t.Fatal(err)
			}
			return plain, array, FunctionValue(wide, points, value(rest, element))
		}
		p, a, f := random()
		q, b, g := random()
		want := 0
		for i := 3; i >= 0; i-- {
			if p[i] != q[i] {
				want = int(p[i] - q[i])
			}
		}
		if got := a.Compare(b); got != want {
			t.Fatalf("seed %d: %s and %s: %d, want %d", seed, a, b, got, want)
		}
		if got := f.Compare(g); got != want {
			t.Fatalf("seed %d: functions %s and %s: %d, want %d", seed, f, g, got, want)
		}
	}
	// Of infinitely many indices some is the rest's, and large domains are not enumerated.
	word := ArrayOf(BitVec(64), element)
	one := ConstArray(word, value(1, element).Term())
	zero := ConstArray(word, value(0, element).Term())
	for _, f := range []*Term{Eq(one, zero), Eq(Store(one, value(0, BitVec(64)).Term(), value(0, element).Term()), zero)} {
		if ok, err := Holds(f, nil); ok || err != nil {
			t.Errorf("%s holds, %v", f, err)
		}
	}
}
