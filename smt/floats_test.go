package smt_test

import (
	"context"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/seltl/seltl/internal/ieee"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/logic"

	. "github.com/seltl/seltl/smt"
)

func floatWord(r *rand.Rand, width int) uint64 {
	mask := ^uint64(0) >> (64 - width)
	switch r.IntN(5) {
	case 2:
		return nearInteger(r, width)
	case 0:
		edges := []uint64{0, 1, ieee.Infinity(width), ieee.NaN(width) | 5, ieee.Word(width, 16777217), ieee.Word(width, 1<<31), ieee.Word(width, 1<<63), uint64(r.IntN(3))}
		return (edges[r.IntN(len(edges))]+uint64(r.IntN(3))-1)&mask ^ uint64(r.IntN(2))<<(width-1)
	case 1:
		return ieee.Word(width, math.Ldexp(r.Float64()-0.5, r.IntN(90)-10))
	}
	return r.Uint64() & mask
}

// nearInteger is a small number of quarters: what roundings differ in.
func nearInteger(r *rand.Rand, width int) uint64 { return ieee.Word(width, float64(r.IntN(81)-40)/4) }

func bits(x uint64, width int) *logic.Term { return logic.BVConst(new(big.Int).SetUint64(x), width) }

// TestFloats: z3 and package logic compute the same.
func TestFloats(t *testing.T) {
	const seed = 72
	z := newZ3(t, Options{})
	r := rand.New(rand.NewPCG(seed, 2))
	x, y := map[int]*logic.Term{}, map[int]*logic.Term{}
	for _, w := range []int{32, 64} {
		x[w], y[w] = logic.Var("x"+string(rune('0'+w/32)), logic.BitVec(w)), logic.Var("y"+string(rune('0'+w/32)), logic.BitVec(w))
	}
	asked := map[ieee.Op]int{}
	for range soak.Long(200) {
		op, from, to := ieee.Op(r.IntN(int(ieee.Operations))), 32<<r.IntN(2), 32<<r.IntN(2)
		if !op.Widths(from, to) || op == ieee.Fmod || op == ieee.Remainder {
			continue
		}
		asked[op]++
		a, b := floatWord(r, from), floatWord(r, from)
		args := []*logic.Term{x[from], y[from]}
		if !op.Binary() {
			if args = args[:1]; r.IntN(2) == 0 {
				a = nearInteger(r, from)
			}
		}
		// Bounds are no equations, by which z3 would compute with numbers instead of circuits.
		given := logic.And(logic.BVULe(bits(a, from), x[from]), logic.BVULe(x[from], bits(a, from)), logic.BVULe(bits(b, from), y[from]), logic.BVULe(y[from], bits(b, from)))
		result := logic.Float(op, to, args...)
		value := ieee.Apply(op, from, to, a, b)
		for want, f := range map[Status]*logic.Term{Unsat: logic.Ne(result, bits(value, to)), Sat: logic.Eq(result, bits(value, to))} {
			if status, err := CheckAll(context.Background(), z, given, f); err != nil || status != want {
				t.Errorf("seed %d: %s is %s for %#x, %#x, error %v", seed, f, status, a, b, err)
			}
		}
	}
	t.Logf("seed %d, questions by operation: %v", seed, asked)
}

// TestFloatFormulas: what formulas over floating-point numbers say of given words is what package logic says, and
// models are found where there are some.
func TestFloatFormulas(t *testing.T) {
	const seed = 73
	z := newZ3(t, Options{})
	found := map[Status]int{}
	for k := range uint64(soak.Long(80)) {
		r := rand.New(rand.NewPCG(seed, k))
		w := 32
		x, y := logic.Var("x", logic.BitVec(w)), logic.Var("y", logic.BitVec(w))
		var term func(depth int) *logic.Term
		term = func(depth int) *logic.Term {
			switch n := r.IntN(9); {
			case depth == 0 || n < 2:
				return []*logic.Term{x, y, bits(ieee.Word(w, float64(r.IntN(20)-10)/2), w)}[r.IntN(3)]
			case n == 2:
				return logic.FloatNeg(term(depth - 1))
			case n == 3:
				return logic.FloatAbs(term(depth - 1))
			case n == 4:
				return logic.Float(ieee.Rint, w, term(depth-1))
			}
			return logic.Float([]ieee.Op{ieee.Add, ieee.Mul}[r.IntN(2)], w, term(depth-1), term(depth-1))
		}
		atom := func() *logic.Term {
			a, b := term(2), term(2)
			return []func(a, b *logic.Term) *logic.Term{logic.FloatLt, logic.FloatLe, logic.FloatEq}[r.IntN(3)](a, b)
		}
		f := logic.And(logic.Or(atom(), logic.Not(atom())), atom())
		m := logic.Model{"x": mustEval(t, bits(floatWord(r, w), w)), "y": mustEval(t, bits(floatWord(r, w), w))}
		holds, err := logic.Holds(f, m)
		if err != nil {
			t.Fatal(err)
		}
		want := map[bool]Status{true: Sat, false: Unsat}[holds]
		at := logic.And(logic.Eq(x, m["x"].Term()), logic.Eq(y, m["y"].Term()))
		if status, err := CheckAll(context.Background(), z, at, f); err != nil || status != want {
			t.Errorf("seed %d, case %d: %s is %s where %v", seed, k, f, status, m)
		}
		z.Limit(300_000)
		status, model, err := ModelOf(context.Background(), z, f)
		z.Limit(0)
		if found[status]++; err != nil || status == Unsat && holds {
			t.Errorf("seed %d, case %d: %s is %s, error %v, but holds for %v", seed, k, f, status, err, m)
		}
		if status == Sat {
			if ok, err := logic.Holds(f, model); !ok || err != nil {
				t.Errorf("seed %d, case %d: the model is wrong", seed, k)
			}
		}
	}
	t.Logf("seed %d: %v", seed, found)
	if found[Sat] == 0 || !testing.Short() && found[Unsat] == 0 {
		t.Errorf("answers are %v", found)
	}
}

// TestFloatComparisons: the formulas of comparisons are those of numbers.
func TestFloatComparisons(t *testing.T) {
	r := rand.New(rand.NewPCG(74, 0))
	for range soak.Cases(3000) {
		w := 32 << r.IntN(2)
		a, b := floatWord(r, w), floatWord(r, w)
		if r.IntN(3) == 0 {
			b = a ^ uint64(r.IntN(2))<<(w-1)
		}
		p, q, nan := ieee.Float(w, a), ieee.Float(w, b), ieee.IsNaN(w, a)
		x, y := logic.Var("x", logic.BitVec(w)), logic.Var("y", logic.BitVec(w))
		m := logic.Model{"x": mustEval(t, bits(a, w)), "y": mustEval(t, bits(b, w))}
		for _, c := range []struct {
			f    func(x, y *logic.Term) *logic.Term
			want bool
		}{{logic.FloatLt, p < q}, {logic.FloatLe, p <= q}, {logic.FloatEq, p == q},
			{func(x, _ *logic.Term) *logic.Term { return logic.FloatIsNaN(x) }, nan},
			{func(x, y *logic.Term) *logic.Term { return logic.FloatEq(logic.FloatNeg(x), y) }, -p == q},
			{func(x, y *logic.Term) *logic.Term { return logic.FloatEq(logic.FloatAbs(x), y) }, math.Abs(p) == q}} {
			for _, f := range []*logic.Term{c.f(x, y), c.f(x, bits(b, w)), c.f(bits(a, w), y), c.f(bits(a, w), bits(b, w))} {
				if got, err := logic.Holds(f, m); err != nil || got != c.want {
					t.Fatalf("seed 74: %s is %v for %v, %v (%d bits)", f, got, p, q, w)
				}
			}
		}
	}
}

func mustEval(t *testing.T, f *logic.Term) logic.Value {
	t.Helper()
	v, err := logic.Eval(f, nil)
	if err != nil {
		t.Fatal(err)
	}
	return v
}
