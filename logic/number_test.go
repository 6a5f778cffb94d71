package logic

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/seltl/seltl/internal/testing/soak"
)

// TestNumbers: the operations on numbers are those of math/big, also where machine words
// overflow, and numbers that are kept are never changed.
func TestNumbers(t *testing.T) {
	edge := []int64{0, 1, -1, 2, most, most + 1, fewest, fewest - 1, math.MaxInt64, math.MinInt64, math.MinInt64 + 1, 1 << 32, -1 << 31}
	for seed := range soak.Cases(uint64(20000)) {
		r := rand.New(rand.NewPCG(seed, 7))
		number := func() *big.Rat {
			switch r.IntN(4) {
			case 0:
				return integer(edge[r.IntN(len(edge))])
			case 1:
				return new(big.Rat).SetInt(new(big.Int).Mul(big.NewInt(r.Int64()), big.NewInt(r.Int64()-r.Int64())))
			case 2:
				return big.NewRat(r.Int64N(41)-20, 1+r.Int64N(6))
			}
			return integer(r.Int64N(41) - 20)
		}
		a, b := number(), number()
		same := func(what string, got, want *big.Rat) {
			if got.Cmp(want) != 0 {
				t.Fatalf("seed %d: %s of %s and %s is %s, not %s", seed, what, a.RatString(), b.RatString(), got.RatString(), want.RatString())
			}
		}
		same("sum", addNumbers(a, b), new(big.Rat).Add(a, b))
		same("product", mulNumbers(a, b), new(big.Rat).Mul(a, b))
		same("negation", negNumber(a), new(big.Rat).Neg(a))
		if compareNumbers(a, b) != a.Cmp(b) || isOne(a) != (a.Cmp(big.NewRat(1, 1)) == 0) {
			t.Fatalf("seed %d: %s and %s compare wrongly", seed, a.RatString(), b.RatString())
		}
		down := floor(a)
		if up := new(big.Rat).Add(down, big.NewRat(1, 1)); !down.IsInt() || down.Cmp(a) > 0 || up.Cmp(a) <= 0 {
			t.Fatalf("seed %d: floor of %s is %s", seed, a.RatString(), down.RatString())
		}
		var l Linear
		for range 1 + r.IntN(3) {
			if c := number(); c.Sign() != 0 {
				l.Terms = append(l.Terms, Monomial{Coef: c})
			}
		}
		if len(l.Terms) > 0 {
			checkPrimitive(t, seed, l)
		}
	}
	for i := range kept {
		if kept[i].number.Cmp(new(big.Rat).SetInt64(int64(i)+fewest)) != 0 {
			t.Fatalf("%d has become %s", i+fewest, kept[i].number.RatString())
		}
	}
}

// checkPrimitive: the factor makes coefficients integers without a common divisor.
func checkPrimitive(t *testing.T, seed uint64, l Linear) {
	gcd := new(big.Int)
	for _, m := range l.Terms {
		c := new(big.Rat).Mul(m.Coef, l.primitive())
		if !c.IsInt() {
			t.Fatalf("seed %d: a coefficient becomes %s", seed, c.RatString())
		}
		gcd.GCD(nil, nil, gcd, new(big.Int).Abs(c.Num()))
	}
	if gcd.Cmp(big.NewInt(1)) != 0 || l.primitive().Sign() <= 0 {
		t.Fatalf("seed %d: coefficients have the divisor %s by %s", seed, gcd, l.primitive().RatString())
	}
}
