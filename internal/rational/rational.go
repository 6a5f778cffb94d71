// Package rational is exact rational numbers as values: two machine words while they
// fit, math/big where they do not.
package rational

import (
	"cmp"
	"encoding/binary"
	"math"
	"math/big"
	"math/bits"
	"strconv"
)

// Rat is a rational number. The zero value is 0; values may be copied, and compared by
// Cmp (not by ==).
type Rat struct {
	num, den int64    // lowest terms; den is one less than the denominator, which is positive
	big      *big.Rat // instead of them, never changed
}

// Int returns n.
func Int(n int64) Rat {
	if n == math.MinInt64 { // its negation is no int64
		return Rat{big: new(big.Rat).SetInt64(n)}
	}
	return Rat{num: n}
}

// Of returns the value of r, to which it keeps no reference.
func Of(r *big.Rat) Rat {
	if r.Num().IsInt64() && r.Denom().IsInt64() && r.Num().Int64() != math.MinInt64 {
		return Rat{num: r.Num().Int64(), den: r.Denom().Int64() - 1}
	}
	return Rat{big: new(big.Rat).Set(r)}
}

// Big returns the value for math/big. It must not be changed.
func (a Rat) Big() *big.Rat {
	if a.big != nil {
		return a.big
	}
	if a.den == 0 {
		return new(big.Rat).SetInt64(a.num)
	}
	return big.NewRat(a.num, a.den+1)
}

func (a Rat) String() string {
	if n, ok := a.Int64(); ok {
		return strconv.FormatInt(n, 10)
	}
	return a.Big().RatString()
}

// Sign returns -1, 0 or 1.
func (a Rat) Sign() int {
	switch {
	case a.big != nil:
		return a.big.Sign()
	case a.num < 0:
		return -1
	case a.num > 0:
		return 1
	}
	return 0
}

// IsInt reports whether the denominator is 1.
func (a Rat) IsInt() bool { return a.big == nil && a.den == 0 || a.big != nil && a.big.IsInt() }

// Cmp compares.
func (a Rat) Cmp(b Rat) int {
	if a.big == nil && b.big == nil && a.den == b.den {
		switch {
		case a.num < b.num:
			return -1
		case a.num > b.num:
			return 1
		}
		return 0
	}
	if a.big != nil || b.big != nil {
		return a.Big().Cmp(b.Big())
	}
	if sign := a.Sign(); sign != b.Sign() || sign == 0 {
		return cmp.Compare(sign, b.Sign())
	}
	// Of one sign: what is larger in magnitude decides.
	hi, lo := bits.Mul64(magnitude(a.num), uint64(b.den+1))
	hib, lob := bits.Mul64(magnitude(b.num), uint64(a.den+1))
	return a.Sign() * cmp.Or(cmp.Compare(hi, hib), cmp.Compare(lo, lob))
}

// Neg returns -a.
func (a Rat) Neg() Rat {
	if a.big != nil {
		return Of(new(big.Rat).Neg(a.big))
	}
	return Rat{num: -a.num, den: a.den}
}

// Int64 returns the value if it is an int64 (but for the least one).
func (a Rat) Int64() (int64, bool) { return a.num, a.big == nil && a.den == 0 }

// BitLen returns the length of numerator and denominator together.
func (a Rat) BitLen() int {
	if a.big != nil {
		return a.big.Num().BitLen() + a.big.Denom().BitLen()
	}
	return bits.Len64(magnitude(a.num)) + bits.Len64(uint64(a.den+1))
}

// AppendKey appends bytes that are those of equal numbers only, and no beginning of those
// of another.
func (a Rat) AppendKey(to []byte) []byte {
	if a.big != nil { // does not fit
		text := a.big.String()
		to = binary.AppendUvarint(append(to, 0), uint64(len(text)))
		return append(to, text...)
	}
	return binary.AppendVarint(binary.AppendUvarint(to, uint64(a.den)+1), a.num)
}

// Abs returns |a|.
func (a Rat) Abs() Rat {
	if a.Sign() < 0 {
		return a.Neg()
	}
	return a
}

// Inv returns 1/a; a is not 0.
func (a Rat) Inv() Rat {
	if a.big != nil {
		return Of(new(big.Rat).Inv(a.big))
	}
	if a.num < 0 {
		return Rat{num: -a.den - 1, den: -a.num - 1}
	}
	if a.num == 0 {
		panic("rational: 1/0")
	}
	return Rat{num: a.den + 1, den: a.num - 1}
}

// Add returns a + b.
func (a Rat) Add(b Rat) Rat {
	if a.big == nil && b.big == nil {
		if a.den == 0 && b.den == 0 {
			if s := a.num + b.num; (s > a.num) == (b.num > 0) && s != math.MinInt64 {
				return Rat{num: s}
			}
		} else {
			x, ok1 := mul(a.num, b.den+1)
			y, ok2 := mul(b.num, a.den+1)
			d, ok3 := mul(a.den+1, b.den+1)
			if s := x + y; ok1 && ok2 && ok3 && (s > x) == (y > 0) && s != math.MinInt64 {
				return lowest(s, d)
			}
		}
	}
	return Of(new(big.Rat).Add(a.Big(), b.Big()))
}

// Sub returns a - b.
func (a Rat) Sub(b Rat) Rat { return a.Add(b.Neg()) }

// Mul returns a * b.
func (a Rat) Mul(b Rat) Rat {
	if a.big == nil && b.big == nil {
		n, ok1 := mul(a.num, b.num)
		if a.den == 0 && b.den == 0 && ok1 {
			return Rat{num: n}
		}
		if d, ok2 := mul(a.den+1, b.den+1); ok1 && ok2 {
			return lowest(n, d)
		}
	}
	return Of(new(big.Rat).Mul(a.Big(), b.Big()))
}

// Quo returns a / b; b is not 0.
func (a Rat) Quo(b Rat) Rat { return a.Mul(b.Inv()) }

// Floor returns the largest integer not above a.
func (a Rat) Floor() Rat {
	if a.big == nil {
		q := a.num / (a.den + 1)
		if a.num%(a.den+1) < 0 {
			q--
		}
		return Rat{num: q}
	}
	q, _ := new(big.Int).DivMod(a.big.Num(), a.big.Denom(), new(big.Int))
	return Of(new(big.Rat).SetInt(q))
}

// Ceil returns the smallest integer not below a.
func (a Rat) Ceil() Rat { return a.Neg().Floor().Neg() }

// GCD returns the positive g of which a and b are integer multiples with coprime
// factors; 0 if both are 0.
func GCD(a, b Rat) Rat {
	if a.big == nil && b.big == nil && a.den == 0 && b.den == 0 {
		return Rat{num: int64(divisor(magnitude(a.num), magnitude(b.num)))}
	}
	x, y := a.Big(), b.Big()
	// gcd(p/q, r/s) = gcd(ps, rq)/(qs).
	n := new(big.Int).GCD(nil, nil, new(big.Int).Abs(new(big.Int).Mul(x.Num(), y.Denom())), new(big.Int).Abs(new(big.Int).Mul(y.Num(), x.Denom())))
	return Of(new(big.Rat).SetFrac(n, new(big.Int).Mul(x.Denom(), y.Denom())))
}

// mul is the product, which is not the least int64.
func mul(a, b int64) (int64, bool) {
	hi, lo := bits.Mul64(magnitude(a), magnitude(b))
	if hi != 0 || lo > math.MaxInt64 {
		return 0, false
	}
	if (a < 0) != (b < 0) {
		return -int64(lo), true
	}
	return int64(lo), true
}

func magnitude(a int64) uint64 {
	if a < 0 {
		return uint64(-a)
	}
	return uint64(a)
}

func lowest(n, d int64) Rat {
	g := int64(divisor(magnitude(n), uint64(d)))
	return Rat{num: n / g, den: d/g - 1}
}

// divisor is the greatest common divisor, 0 of zeros.
func divisor(x, y uint64) uint64 {
	for y != 0 {
		x, y = y, x%y
	}
	return x
}
