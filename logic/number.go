package logic

import (
	"math/big"
	"math/bits"
)

// Numbers of formulas and values are rationals of math/big, which are never changed. Most
// are integers of a few bits: these are made once, and the operations here compute with
// machine words where both operands fit, without the products and divisors that math/big
// needs for fractions.

// fewest and most bound the integers that are kept.
const (
	fewest = -256
	most   = 256
)

var kept = func() *[most - fewest + 1]small {
	var all [most - fewest + 1]small
	for i := range all {
		all[i].set(int64(i) + fewest)
	}
	return &all
}()

// small is an integer of at most one limb, all in one place.
type small struct {
	number big.Rat
	limb   [1]big.Word
}

func (s *small) set(n int64) *big.Rat {
	if bits.UintSize < 64 || n == -n && n != 0 { // the least has no magnitude
		return s.number.SetInt64(n)
	}
	s.limb[0] = big.Word(max(n, -n))
	whole := s.number.Num().SetBits(s.limb[:])
	if n < 0 {
		whole.Neg(whole)
	}
	return &s.number
}

var (
	ratZero     = integer(0)
	ratOne      = integer(1)
	ratMinusOne = integer(-1)
)

// integer returns n.
func integer(n int64) *big.Rat {
	if n >= fewest && n <= most {
		return &kept[n-fewest].number
	}
	return new(small).set(n)
}

// word returns the value of an integer that fits into a machine word.
func word(r *big.Rat) (n int64, ok bool) {
	if !r.IsInt() || !r.Num().IsInt64() {
		return 0, false
	}
	return r.Num().Int64(), true
}

// words is word of both.
func words(a, b *big.Rat) (x, y int64, ok bool) {
	if x, ok = word(a); ok {
		y, ok = word(b)
	}
	return x, y, ok
}

// isOne reports that r is 1.
func isOne(r *big.Rat) bool {
	n, ok := word(r)
	return ok && n == 1
}

// addNumbers returns a + b.
func addNumbers(a, b *big.Rat) *big.Rat {
	if x, y, ok := words(a, b); ok {
		if s := x + y; (s > x) == (y > 0) {
			return integer(s)
		}
	}
	return new(big.Rat).Add(a, b)
}

// mulNumbers returns a * b.
func mulNumbers(a, b *big.Rat) *big.Rat {
	switch {
	case a == ratOne:
		return b
	case b == ratOne:
		return a
	}
	if x, y, ok := words(a, b); ok {
		if hi, lo := bits.Mul64(uint64(max(x, -x)), uint64(max(y, -y))); hi == 0 && lo < 1<<63 {
			if (x < 0) != (y < 0) {
				return integer(-int64(lo))
			}
			return integer(int64(lo))
		}
	}
	return new(big.Rat).Mul(a, b)
}

// negNumber returns -a.
func negNumber(a *big.Rat) *big.Rat {
	if n, ok := word(a); ok && -n != n {
		return integer(-n)
	}
	return new(big.Rat).Neg(a)
}

// compareNumbers is Cmp, which multiplies even integers.
func compareNumbers(a, b *big.Rat) int {
	if a == b {
		return 0
	}
	if a.IsInt() && b.IsInt() {
		return a.Num().Cmp(b.Num())
	}
	return a.Cmp(b)
}

// sameNumber reports that numbers are equal: they are in lowest terms.
func sameNumber(a, b *big.Rat) bool {
	return a == b || a.Num().Cmp(b.Num()) == 0 && (a.IsInt() && b.IsInt() || a.Denom().Cmp(b.Denom()) == 0)
}
