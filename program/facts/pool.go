package facts

import (
	"math/big"

	"github.com/seltl/seltl/logic"
)

// equation is a constraint that holds at locations: it is made once, and shared by them.
type equation struct {
	constraint
	last    int           // the greatest dimension
	value   linear        // of that, by the others
	implied []*congruence // see finder.implied
}

// pool makes each equation and each formula once: most of a location are those of its
// neighbours.
type pool struct {
	numbers   []*logic.Term
	equations map[string]*equation
	formulas  map[string]*logic.Term
	modulo    map[dimensionCongruence]*logic.Term
	key       []byte
}

type dimensionCongruence struct {
	d int
	c *congruence
}

func newPool(numbers []*logic.Term) *pool {
	return &pool{numbers: numbers, equations: map[string]*equation{}, formulas: map[string]*logic.Term{}, modulo: map[dimensionCongruence]*logic.Term{}}
}

// equation returns l = 0; l is integral and has terms.
func (p *pool) equation(l linear) *equation {
	c := constraint{relation: equal, l: l}
	p.key = c.key(p.key[:0])
	if e := p.equations[string(p.key)]; e != nil {
		return e
	}
	last := l.terms[len(l.terms)-1]
	e := &equation{constraint: constrained(equal, l), last: last.dim}
	e.value = linear{}.plus(last.k.Inv().Neg(), linear{l.c, l.terms.below(last.dim)})
	p.equations[string(p.key)] = e
	return e
}

// formula writes a constraint over the numbers.
func (p *pool) formula(c *constraint) *logic.Term {
	p.key = c.key(p.key[:0])
	if t := p.formulas[string(p.key)]; t != nil {
		return t
	}
	t := c.formula(p.numbers)
	p.formulas[string(p.key)] = t
	return t
}

// congruent writes a congruence of a number.
func (p *pool) congruent(d int, c *congruence) *logic.Term {
	key := dimensionCongruence{d, c}
	if t := p.modulo[key]; t != nil {
		return t
	}
	v, r := p.numbers[d], logic.Number(new(big.Rat).SetInt(c.r), logic.Int)
	if c.m.Sign() != 0 {
		v = logic.IntMod(v, logic.Number(new(big.Rat).SetInt(c.m), logic.Int))
	}
	p.modulo[key] = logic.Eq(v, r)
	return p.modulo[key]
}
