package rational

import (
	"bytes"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/seltl/seltl/internal/testing/soak"
)

func random(r *rand.Rand) *big.Rat {
	edge := []int64{0, 1, -1, 2, 3, math.MaxInt64, math.MinInt64, math.MinInt64 + 1, math.MaxInt64 - 1, 1 << 32, -1 << 31}
	pick := func() *big.Int {
		switch r.IntN(4) {
		case 0:
			return big.NewInt(edge[r.IntN(len(edge))])
		case 1:
			return new(big.Int).Mul(big.NewInt(r.Int64()), big.NewInt(r.Int64()))
		}
		return big.NewInt(int64(r.IntN(41) - 20))
	}
	for {
		if d := pick(); d.Sign() != 0 {
			return new(big.Rat).SetFrac(pick(), d)
		}
	}
}

// TestAgainstBig: every operation is that of math/big, also where words overflow, and
// equal values are represented alike.
func TestAgainstBig(t *testing.T) {
	same := func(seed uint64, what string, got Rat, want *big.Rat) {
		t.Helper()
		if got.Big().Cmp(want) != 0 || got.String() != want.RatString() || (got.big == nil) != (Of(want).big == nil) {
			t.Fatalf("seed %d: %s = %s, want %s", seed, what, got, want.RatString())
		}
	}
	for seed := range soak.Cases(uint64(20000)) {
		r := rand.New(rand.NewPCG(seed, 91))
		x, y := random(r), random(r)
		a, b := Of(x), Of(y)
		same(seed, "value", a, x)
		same(seed, "sum", a.Add(b), new(big.Rat).Add(x, y))
		same(seed, "difference", a.Sub(b), new(big.Rat).Sub(x, y))
		same(seed, "product", a.Mul(b), new(big.Rat).Mul(x, y))
		same(seed, "negation", a.Neg(), new(big.Rat).Neg(x))
		same(seed, "absolute", a.Abs(), new(big.Rat).Abs(x))
		if y.Sign() != 0 {
			same(seed, "quotient", a.Quo(b), new(big.Rat).Quo(x, y))
		}
		if a.Cmp(b) != x.Cmp(y) || a.Sign() != x.Sign() || a.IsInt() != x.IsInt() {
			t.Fatalf("seed %d: %s and %s compare wrongly", seed, a, b)
		}
		if n, ok := a.Int64(); ok != (x.IsInt() && x.Num().IsInt64() && x.Num().Int64() != math.MinInt64) || ok && n != x.Num().Int64() {
			t.Fatalf("seed %d: %s is %d, %v", seed, a, n, ok)
		}
		if a.BitLen() != x.Num().BitLen()+x.Denom().BitLen() {
			t.Fatalf("seed %d: %s has %d bits", seed, a, a.BitLen())
		}
		p, q := a.AppendKey(nil), b.AppendKey(nil)
		if bytes.HasPrefix(p, q) != (a.Cmp(b) == 0) || !bytes.Equal(a.Add(b).Sub(b).AppendKey(nil), p) {
			t.Fatalf("seed %d: keys of %s and %s are %v and %v", seed, a, b, p, q)
		}
		f := a.Floor()
		if !f.IsInt() || f.Cmp(a) > 0 || f.Add(Int(1)).Cmp(a) <= 0 || a.Ceil().Sub(Int(1)).Cmp(a) >= 0 || a.Ceil().Cmp(a) < 0 {
			t.Fatalf("seed %d: floor of %s is %s", seed, a, f)
		}
		if g := GCD(a, b); x.Sign() != 0 && y.Sign() != 0 {
			p, q := a.Quo(g), b.Quo(g)
			if g.Sign() <= 0 || !p.IsInt() || !q.IsInt() || new(big.Int).GCD(nil, nil, p.Abs().Big().Num(), q.Abs().Big().Num()).Cmp(big.NewInt(1)) != 0 {
				t.Fatalf("seed %d: gcd of %s and %s is %s", seed, a, b, g)
			}
		}
	}
	n := int64(math.MinInt64)
	same(0, "Int", Int(n), new(big.Rat).SetInt64(n))
}
