package smt_test

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/logic"

	. "github.com/seltl/seltl/smt"
)

// TestConditionalNumbers: questions about sums of conditional numbers, nested, in scopes
// that come and go, and as assumptions, are answered as enumeration of the conditions says.
func TestConditionalNumbers(t *testing.T) {
	z, err := NewZ3(Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { z.Close() })
	sat := 0
	n := soak.Long(uint64(200))
	for seed := range n {
		if seed%10 == 0 {
			z.Reset() // the assumptions of all earlier questions stay with the child
		}
		r := rand.New(rand.NewPCG(seed, 95))
		sort := []*logic.Sort{logic.Int, logic.Real}[r.IntN(2)]
		number := func(k int) *logic.Term { return logic.Number(logic.IntConst(int64(k)).Num(), sort) }
		var flags []*logic.Term
		for _, name := range []string{"p", "q", "r", "s", "t"} {
			flags = append(flags, logic.Var(name, logic.Bool))
		}
		sum := func(conditions []*logic.Term) *logic.Term {
			out := number(0)
			for _, c := range conditions {
				out = logic.Add(out, logic.Ite(c, number(r.IntN(7)-3), number(r.IntN(7)-3)))
			}
			return out
		}
		question := func() *logic.Term {
			inner := logic.Le(sum(flags[:2]), number(r.IntN(5)-2))
			return logic.Eq(sum(append([]*logic.Term{inner}, flags...)), number(r.IntN(21)-10))
		}
		possible := func(fs ...*logic.Term) bool {
			for k := range 1 << len(flags) {
				m := logic.Model{}
				for i, v := range flags {
					m[v.Name()] = logic.BoolValue(k>>i&1 == 1)
				}
				if ok, err := logic.Holds(logic.And(fs...), m); err != nil {
					t.Fatal(err)
				} else if ok {
					return true
				}
			}
			return false
		}
		ask := func(assumption *logic.Term, all ...*logic.Term) {
			t.Helper()
			want := Unsat
			if possible(append(all, assumption)...) {
				want = Sat
				sat++
			}
			if got, err := z.Check(ctx, assumption); err != nil || got != want {
				t.Fatalf("seed %d: %s of %v and %s, want %s (%v)", seed, got, all, assumption, want, err)
			}
		}
		a, b, c := question(), question(), question()
		z.Push()
		z.Assert(a)
		ask(b, a)
		z.Push()
		z.Assert(c)
		ask(b, a, c)
		z.Pop()
		ask(c, a)
		z.Pop()
		ask(c)
	}
	if n >= 100 && (sat < int(n/4) || sat > int(4*n*3/4)) {
		t.Errorf("%d of %d questions are satisfiable", sat, 4*n)
	}
}

// TestSignedDivision: questions about quotients and remainders by powers of two, and others, of
// each other, in scopes and as assumptions, are answered as all values of the variables say.
func TestSignedDivision(t *testing.T) {
	z, err := NewZ3(Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { z.Close() })
	sat := 0
	n := soak.Long(uint64(150))
	for seed := range n {
		r := rand.New(rand.NewPCG(seed, 96))
		width := 1 + r.IntN(5)
		x, y := logic.Var("x", logic.BitVec(width)), logic.Var("y", logic.BitVec(width))
		word := func(k int) *logic.Term { return logic.BVConst(big.NewInt(int64(k&(1<<width-1))), width) }
		var divided func(depth int) *logic.Term
		divided = func(depth int) *logic.Term {
			if depth == 0 {
				return logic.BVAdd([]*logic.Term{x, y, word(0)}[r.IntN(3)], word(r.IntN(3)))
			}
			by := word(1 << r.IntN(width))
			if r.IntN(6) == 0 {
				by = word(r.IntN(1 << width))
			}
			return logic.BVAdd(logic.BVOp([]logic.Op{logic.OpBVSDiv, logic.OpBVSRem}[r.IntN(2)], divided(depth-1), by), divided(0))
		}
		question := func() *logic.Term {
			left, right := divided(1+r.IntN(3)), divided(r.IntN(2))
			return []func(a, b *logic.Term) *logic.Term{logic.Eq, logic.Eq, logic.BVSLt, logic.BVULe}[r.IntN(4)](left, right)
		}
		ask := func(assumption *logic.Term, all ...*logic.Term) {
			t.Helper()
			want, f := Unsat, logic.And(append(all, assumption)...)
			for k := range 1 << (2 * width) {
				ok, err := logic.Holds(f, logic.Model{"x": value(t, word(k)), "y": value(t, word(k>>width))})
				if err != nil {
					t.Fatal(err)
				}
				if ok {
					want = Sat
					sat++
					break
				}
			}
			if got, err := z.Check(t.Context(), assumption); err != nil || got != want {
				t.Fatalf("seed %d: %s of %v and %s, want %s (%v)", seed, got, all, assumption, want, err)
			}
		}
		a, b, c, d := question(), question(), question(), question()
		z.Push()
		z.Assert(a)
		z.Assert(b)
		ask(c, a, b)
		z.Push()
		z.Assert(d)
		ask(c, a, b, d)
		z.Pop()
		ask(d, a, b)
		z.Pop()
		ask(logic.Not(d))
	}
	if n >= 100 && (sat < int(n/4) || sat > int(4*n*3/4)) {
		t.Errorf("%d of %d questions are satisfiable", sat, 4*n)
	}
}

func value(t *testing.T, number *logic.Term) logic.Value {
	t.Helper()
	v, err := logic.Eval(number, nil)
	if err != nil {
		t.Fatal(err)
	}
	return v
}
