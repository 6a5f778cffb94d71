package logic

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/seltl/seltl/internal/testing/soak"
)

// TestWords: the values of operators over bit patterns of a machine word and a bit more or
// less are what their constructors make of constants, by math/big. Widths of up to 3
// bits are tried with all patterns.
func TestWords(t *testing.T) {
	for width := 1; width <= 3; width++ {
		for a := range int64(1) << width {
			for b := range int64(1) << width {
				checkWords(t, uint64(width), width, big.NewInt(a), big.NewInt(b))
			}
		}
	}
	for seed := range soak.Cases(uint64(3000)) {
		r := rand.New(rand.NewPCG(seed, 9))
		width := []int{1 + r.IntN(70), 62 + r.IntN(5), 32}[r.IntN(3)]
		pattern := func() *big.Int {
			n := new(big.Int)
			switch r.IntN(4) {
			case 0: // about the ends of the signed numbers and of all
				n.Lsh(big.NewInt(1), uint(width-r.IntN(2)))
				n.Add(n, big.NewInt(r.Int64N(5)-2))
			case 1:
				n.SetInt64(r.Int64N(int64(width) + 3))
			default:
				n.Lsh(n.SetUint64(r.Uint64()), uint(r.IntN(width)))
			}
			return wrap(n, width)
		}
		checkWords(t, seed, width, pattern(), pattern())
	}
}

func checkWords(t *testing.T, seed uint64, width int, a, b *big.Int) {
	x, y := Var("x", BitVec(width)), Var("y", BitVec(width))
	m := Model{"x": NumValue(new(big.Rat).SetInt(a), BitVec(width)), "y": NumValue(new(big.Rat).SetInt(b), BitVec(width))}
	check := func(of func(x, y *Term) *Term) {
		t.Helper()
		raw, want := of(x, y), of(BVConst(a, width), BVConst(b, width))
		got, err := Eval(raw, m)
		if err != nil || got.Term() != want {
			t.Fatalf("seed %d: %v with x = %v and y = %v of %d bits is %v (%v), not %v", seed, raw, a, b, width, got, err, want)
		}
	}
	for op := OpBVAdd; op <= OpBVSLt; op++ {
		check(func(x, y *Term) *Term {
			switch op {
			case OpBVNeg, OpBVNot:
				return bvUnary(op, x)
			case OpBVULe, OpBVULt, OpBVSLe, OpBVSLt:
				return bvCompare(op, x, y)
			}
			return BVOp(op, x, y)
		})
	}
	low := int(seed) % width
	check(func(x, y *Term) *Term { return Concat(x, y) })
	check(func(x, y *Term) *Term { return Concat(Extract(x, low, 0), y) })
	check(func(x, _ *Term) *Term { return Extract(x, width-1, low) })
	check(func(x, _ *Term) *Term { return ZeroExtend(x, low) })
	check(func(x, _ *Term) *Term { return SignExtend(x, low) })
}
