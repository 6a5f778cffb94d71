package facts

import (
	"encoding/binary"
	"math/big"
	"slices"

	"github.com/seltl/seltl/internal/rational"
	"github.com/seltl/seltl/logic"
)

// monomial is k times a dimension.
type monomial struct {
	dim int
	k   rational.Rat
}

// vector is a sum of monomials, sorted by dimension, without duplicates and zeros. It is
// never changed, so that neighbouring locations share it.
type vector []monomial

// linear is c plus the sum of terms.
type linear struct {
	c     rational.Rat
	terms vector
}

var (
	zero     = rational.Int(0)
	one      = rational.Int(1)
	two      = rational.Int(2)
	minusOne = rational.Int(-1)
)

func number(c rational.Rat) linear { return linear{c: c} }

func unit(d int) vector { return vector{{d, one}} }

func dimension(d int) linear { return linear{terms: unit(d)} }

// plus returns v + k*w.
func (v vector) plus(k rational.Rat, w vector) vector {
	if len(w) == 0 || k.Sign() == 0 {
		return v
	}
	out := make(vector, 0, len(v)+len(w))
	for len(v) > 0 && len(w) > 0 {
		switch a, b := v[0], w[0]; {
		case a.dim < b.dim:
			out, v = append(out, a), v[1:]
		case a.dim > b.dim:
			out, w = append(out, monomial{b.dim, k.Mul(b.k)}), w[1:]
		default:
			if sum := a.k.Add(k.Mul(b.k)); sum.Sign() != 0 {
				out = append(out, monomial{a.dim, sum})
			}
			v, w = v[1:], w[1:]
		}
	}
	out = append(out, v...)
	for _, b := range w {
		out = append(out, monomial{b.dim, k.Mul(b.k)})
	}
	return out
}

// at returns the coefficient of a dimension.
func (v vector) at(d int) rational.Rat {
	for _, t := range v {
		if t.dim >= d {
			if t.dim == d {
				return t.k
			}
			break
		}
	}
	return zero
}

// with returns v with another coefficient of a dimension.
func (v vector) with(d int, k rational.Rat) vector {
	out := make(vector, 0, len(v)+1)
	i := 0
	for ; i < len(v) && v[i].dim < d; i++ {
		out = append(out, v[i])
	}
	if k.Sign() != 0 {
		out = append(out, monomial{d, k})
	}
	if i < len(v) && v[i].dim == d {
		i++
	}
	return append(out, v[i:]...)
}

// below returns the part of the dimensions below n.
func (v vector) below(n int) vector {
	i := len(v)
	for i > 0 && v[i-1].dim >= n {
		i--
	}
	return v[:i:i]
}

// times is the scalar product.
func (v vector) times(w vector) rational.Rat {
	var sum rational.Rat
	for len(v) > 0 && len(w) > 0 {
		switch a, b := v[0], w[0]; {
		case a.dim < b.dim:
			v = v[1:]
		case a.dim > b.dim:
			w = w[1:]
		default:
			sum = sum.Add(a.k.Mul(b.k))
			v, w = v[1:], w[1:]
		}
	}
	return sum
}

// plus returns l + k*m.
func (l linear) plus(k rational.Rat, m linear) linear {
	return linear{l.c.Add(k.Mul(m.c)), l.terms.plus(k, m.terms)}
}

// minus returns l - m.
func (l linear) minus(m linear) linear { return l.plus(minusOne, m) }

// negated returns -l.
func (l linear) negated() linear { return linear{}.plus(minusOne, l) }

// value returns that of a linear form at a point.
func (l linear) value(v vector) rational.Rat { return l.c.Add(l.terms.times(v)) }

// integral reports that all numbers are integers.
func (l linear) integral() bool {
	return l.c.IsInt() && !slices.ContainsFunc(l.terms, func(t monomial) bool { return !t.k.IsInt() })
}

// scaled returns l times the least positive number that makes it integral.
func (l linear) scaled() linear {
	if l.integral() {
		return l
	}
	lcm := big.NewInt(1)
	grow := func(r rational.Rat) {
		d := r.Big().Denom()
		g := new(big.Int).GCD(nil, nil, lcm, d)
		lcm.Mul(lcm, g.Quo(d, g))
	}
	grow(l.c)
	for _, t := range l.terms {
		grow(t.k)
	}
	return linear{}.plus(rational.Of(new(big.Rat).SetInt(lcm)), l)
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
	minus    linear // -l, if the relation is equal
}

func constrained(relation relation, l linear) constraint {
	c := constraint{relation: relation, l: l}
	if relation == equal {
		c.minus = l.negated()
	}
	return c
}

// holds decides a constraint whose form has the given value.
func (c *constraint) holds(value rational.Rat) bool {
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

// key is that of equal constraints only.
func (c *constraint) key(to []byte) []byte {
	to = c.l.c.AppendKey(append(to, byte(c.relation)))
	for _, t := range c.l.terms {
		to = t.k.AppendKey(binary.AppendUvarint(to, uint64(t.dim)))
	}
	return to
}

// formula writes the constraint over variables.
func (c *constraint) formula(vars []*logic.Term) *logic.Term {
	l, right := c.l.scaled(), logic.IntConst(0)
	sum := []*logic.Term{logic.Number(l.c.Big(), logic.Int)}
	for _, t := range l.terms {
		sum = append(sum, logic.Scale(t.k.Big(), vars[t.dim]))
	}
	left := logic.Add(sum...)
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
