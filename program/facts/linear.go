package facts

import (
	"cmp"
	"math/big"
	"slices"

	"github.com/seltl/seltl/logic"
)

// linear is c plus the sum of terms, which are sorted by dimension, without duplicates
// and zeros. Its numbers are shared and never changed.
type linear struct {
	c     *big.Rat
	terms []monomial
}

// monomial is k times a dimension.
type monomial struct {
	dim int
	k   *big.Rat
}

var (
	zero     = new(big.Rat)
	one      = big.NewRat(1, 1)
	minusOne = big.NewRat(-1, 1)
)

func number(c *big.Rat) linear { return linear{c: c} }

func dimension(d int) linear { return linear{zero, []monomial{{d, one}}} }

// plus returns l + k*m.
func (l linear) plus(k *big.Rat, m linear) linear {
	all := slices.Clone(l.terms)
	for _, t := range m.terms {
		all = append(all, monomial{t.dim, times(k, t.k)})
	}
	slices.SortStableFunc(all, func(a, b monomial) int { return cmp.Compare(a.dim, b.dim) })
	out := linear{c: add(l.c, times(k, m.c))}
	for _, t := range all {
		if n := len(out.terms); n > 0 && out.terms[n-1].dim == t.dim {
			if out.terms[n-1].k = add(out.terms[n-1].k, t.k); out.terms[n-1].k.Sign() == 0 {
				out.terms = out.terms[:n-1]
			}
			continue
		}
		if t.k.Sign() != 0 {
			out.terms = append(out.terms, t)
		}
	}
	return out
}

// times is a product that shares what it can.
func times(a, b *big.Rat) *big.Rat {
	switch {
	case a == one:
		return b
	case b == one:
		return a
	}
	return new(big.Rat).Mul(a, b)
}

func add(a, b *big.Rat) *big.Rat {
	switch {
	case a.Sign() == 0:
		return b
	case b.Sign() == 0:
		return a
	}
	return new(big.Rat).Add(a, b)
}

// integral reports that all numbers are integers.
func (l linear) integral() bool {
	return l.c.IsInt() && !slices.ContainsFunc(l.terms, func(t monomial) bool { return !t.k.IsInt() })
}

// scaled returns l times the least positive number that makes it integral.
func (l linear) scaled() linear {
	lcm := big.NewInt(1)
	grow := func(r *big.Rat) {
		g := new(big.Int).GCD(nil, nil, lcm, r.Denom())
		lcm.Mul(lcm, new(big.Int).Quo(r.Denom(), g))
	}
	grow(l.c)
	for _, t := range l.terms {
		grow(t.k)
	}
	if lcm.IsInt64() && lcm.Int64() == 1 {
		return l
	}
	return number(zero).plus(new(big.Rat).SetInt(lcm), l)
}

// term writes an integral l over variables.
func (l linear) term(vars []*logic.Term) *logic.Term {
	sum := []*logic.Term{logic.Number(l.c, logic.Int)}
	for _, t := range l.terms {
		sum = append(sum, logic.Scale(t.k, vars[t.dim]))
	}
	return logic.Add(sum...)
}

// relation compares a linear form with 0.
type relation uint8

const (
	equal relation = iota
	unequal
	atMost
	below
)

// constraint is "l relation 0".
type constraint struct {
	relation relation
	l        linear
}

// holds decides a constraint whose form has the given value.
func (c constraint) holds(value *big.Rat) bool {
	switch s := value.Sign(); c.relation {
	case equal:
		return s == 0
	case unequal:
		return s != 0
	case atMost:
		return s <= 0
	default:
		return s < 0
	}
}

// formula writes the constraint over variables.
func (c constraint) formula(vars []*logic.Term) *logic.Term {
	left, right := c.l.scaled().term(vars), logic.IntConst(0)
	switch c.relation {
	case equal:
		return logic.Eq(left, right)
	case unequal:
		return logic.Ne(left, right)
	case atMost:
		return logic.Le(left, right)
	}
	return logic.Lt(left, right)
}
