package ieee

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/seltl/seltl/internal/testing/soak"
)

// word draws one of a format: any, near the ends of ranges, or an integer.
func word(r *rand.Rand, width int) uint64 {
	mask := ^uint64(0) >> (64 - width)
	switch r.IntN(5) {
	case 0:
		edges := []uint64{0, 1, 2, Infinity(width) - 1, Infinity(width), NaN(width), NaN(width) | 5, Word(width, 1), Word(width, 0.1), Word(width, 16777217), Word(width, 1<<31), Word(width, 1<<63)}
		return (edges[r.IntN(len(edges))]+uint64(r.IntN(3))-1)&mask ^ uint64(r.IntN(2))<<(width-1)
	case 1:
		return Word(width, float64(r.IntN(2000)-1000)/2)
	case 2:
		return Word(width, math.Ldexp(r.Float64()-0.5, r.IntN(90)-10))
	}
	return r.Uint64() & mask
}

// exact is an operation of rational numbers, rounded once by math/big; ok is false for what is none.
func exact(op Op, from, to int, x, y uint64) (word uint64, ok bool) {
	a, b := Float(from, x), Float(from, y)
	rat := func(f float64) *big.Rat { return new(big.Rat).SetFloat64(f) }
	if op == OfSigned || op == OfUnsigned {
		n := new(big.Int).SetUint64(x)
		if op == OfSigned && x>>(from-1) == 1 {
			n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(from)))
		}
		return rounded(new(big.Rat).SetInt(n), to, 0), true
	}
	if math.IsNaN(a) || math.IsInf(a, 0) || op.Binary() && (math.IsNaN(b) || math.IsInf(b, 0)) {
		return 0, false
	}
	r := rat(a)
	sign := uint64(0) // of a result that is 0
	switch op {
	case Add:
		r.Add(r, rat(b))
		sign = x >> (from - 1) & (y >> (from - 1))
	case Mul:
		r.Mul(r, rat(b))
		sign = (x ^ y) >> (from - 1)
	case Div:
		if b == 0 {
			return 0, false
		}
		r.Quo(r, rat(b))
		sign = (x ^ y) >> (from - 1)
	case Fmod, Remainder:
		if b == 0 {
			return 0, false
		}
		q := new(big.Rat).Quo(r, rat(b))
		n := integer(q, map[bool]Op{true: Trunc, false: Rint}[op == Fmod])
		r.Sub(r, new(big.Rat).Mul(new(big.Rat).SetInt(n), rat(b)))
		sign = x >> (from - 1)
	case Convert:
		sign = x >> (from - 1)
	case Floor, Ceil, Trunc, Round, Rint:
		r.SetInt(integer(r, op))
		sign = x >> (from - 1)
	case ToSigned, ToUnsigned:
		n := integer(r, Trunc)
		low, high := new(big.Int), new(big.Int).Lsh(big.NewInt(1), uint(to))
		if op == ToSigned {
			high.Rsh(high, 1)
			low.Neg(high)
		}
		if n.Cmp(low) < 0 || n.Cmp(high) >= 0 {
			return 0, true
		}
		return new(big.Int).And(n, new(big.Int).SetUint64(^uint64(0)>>(64-to))).Uint64(), true
	case Sqrt:
		if a <= 0 {
			return x, a == 0
		}
		root := new(big.Float).SetPrec(400).SetRat(r)
		r, _ = root.Sqrt(root).Rat(nil)
	}
	return rounded(r, to, sign), true
}

func integer(r *big.Rat, op Op) *big.Int {
	half := big.NewRat(1, 2)
	floor := func(r *big.Rat) *big.Int { return new(big.Int).Div(r.Num(), r.Denom()) } // Euclidean, of a positive one
	switch op {
	case Floor:
		return floor(r)
	case Ceil:
		return new(big.Int).Neg(floor(new(big.Rat).Neg(r)))
	case Trunc:
		return new(big.Int).Quo(r.Num(), r.Denom())
	case Round:
		n := floor(new(big.Rat).Add(new(big.Rat).Abs(r), half))
		return n.Mul(n, big.NewInt(int64(r.Sign())))
	}
	n := floor(new(big.Rat).Add(r, half))
	if new(big.Rat).Sub(new(big.Rat).SetInt(n), r).Cmp(half) == 0 && n.Bit(0) == 1 {
		n.Sub(n, big.NewInt(1))
	}
	return n
}

func rounded(r *big.Rat, width int, sign uint64) uint64 {
	if width == 32 {
		f, _ := r.Float32()
		return uint64(math.Float32bits(f)) | zeroSign(r, width, sign)
	}
	f, _ := r.Float64()
	return math.Float64bits(f) | zeroSign(r, width, sign)
}

func zeroSign(r *big.Rat, width int, sign uint64) uint64 {
	if r.Sign() == 0 {
		return sign << (width - 1)
	}
	return 0
}

// TestExact: operations are those of rational numbers, rounded once.
func TestExact(t *testing.T) {
	const seed = 71
	r := rand.New(rand.NewPCG(seed, 1))
	compared := map[Op]int{}
	for range soak.Cases(200_000) {
		op, from, to := Op(r.IntN(int(Operations))), 32<<r.IntN(2), 32<<r.IntN(2)
		if !op.Widths(from, to) {
			continue
		}
		x, y := word(r, from), word(r, from)
		got := Apply(op, from, to, x, y)
		want, ok := exact(op, from, to, x, y)
		if !ok {
			continue
		}
		if compared[op]++; got != want {
			t.Fatalf("seed %d: operation %d on %#x, %#x of %d bits is %#x of %d, not %#x", seed, op, x, y, from, got, to, want)
		}
	}
	for op := range Operations {
		if compared[op] < 100 {
			t.Errorf("operation %d is compared %d times", op, compared[op])
		}
	}
}

// TestSpecial: infinities, what is no number, and zeros.
func TestSpecial(t *testing.T) {
	for _, w := range []int{32, 64} {
		inf, minus, one, nan := Infinity(w), Infinity(w)|signBit(w), Word(w, 1), NaN(w)
		for _, c := range []struct {
			op         Op
			x, y, want uint64
		}{
			{Div, one, 0, inf}, {Div, one, signBit(w), minus}, {Div, 0, 0, nan}, {Add, inf, minus, nan}, {Add, inf, one, inf},
			{Mul, inf, 0, nan}, {Sqrt, signBit(w), 0, signBit(w)}, {Sqrt, Word(w, -1), 0, nan}, {Add, signBit(w), 0, 0}, {Fmod, one, inf, one},
			{Fmod, inf, one, nan}, {Fmod, one, 0, nan}, {Remainder, one, inf, one}, {Add, nan | 7, one, nan}, {Floor, minus, 0, minus}, {Rint, nan, 0, nan},
		} {
			if got := Apply(c.op, w, w, c.x, c.y); got != c.want {
				t.Errorf("operation %d on %#x, %#x of %d bits is %#x, not %#x", c.op, c.x, c.y, w, got, c.want)
			}
		}
		if Less(w, nan, one) || Less(w, one, nan) || Equal(w, nan, nan) || !Equal(w, 0, signBit(w)) || !Less(w, minus, inf) {
			t.Errorf("%d bits are not compared as numbers", w)
		}
	}
}
