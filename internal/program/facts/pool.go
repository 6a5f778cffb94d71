package facts

import (
	"math/big"
	"slices"

	"github.com/seltl/seltl/internal/rational"
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
	*frame
	equations map[string]*equation
	formulas  map[string]*logic.Term
	odd       map[string]*logic.Term // of parities
	modulo    map[dimensionCongruence]*logic.Term
	key       []byte
}

type dimensionCongruence struct {
	d int
	c *congruence
}

func newPool(f *frame) *pool {
	return &pool{frame: f, equations: map[string]*equation{}, formulas: map[string]*logic.Term{}, odd: map[string]*logic.Term{}, modulo: map[dimensionCongruence]*logic.Term{}}
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
	t := p.ofBits(c)
	if t == nil {
		t = c.formula(p.numbers)
	}
	p.formulas[string(p.key)] = t
	return t
}

// parity writes that a form is even.
func (p *pool) parity(form parity) *logic.Term {
	p.key = form.key(p.key[:0])
	t := p.odd[string(p.key)]
	if t == nil {
		t = p.even(form)
		p.odd[string(p.key)] = t
	}
	return t
}

func (p *pool) even(form parity) *logic.Term {
	var sum []*logic.Term
	columns := true
	for d, v := range p.numbers {
		if form.dims.at(d) {
			sum = append(sum, v)
			columns = columns && p.isColumn(d)
		}
	}
	rest := int64(0)
	if form.odd {
		rest = 1
	}
	if columns && len(sum) <= 2 { // b, !b, b == c, b != c
		both := logic.BoolConst(form.odd)
		for _, c := range sum {
			both = logic.Ne(both, c.Args()[0])
		}
		return logic.Not(both)
	}
	return logic.Eq(logic.IntMod(logic.Add(sum...), logic.IntConst(2)), logic.IntConst(rest))
}

// ofBits writes an equation between columns without numbers: b, !b, b == c, b != c; nil if
// a constraint is none.
func (p *pool) ofBits(c *constraint) *logic.Term {
	n := len(c.l.terms)
	if c.relation != equal || n == 0 || n > 2 || slices.ContainsFunc(c.l.terms, func(t monomial) bool { return !p.isColumn(t.dim) }) {
		return nil
	}
	var cases []*logic.Term
	for bits := range 1 << n {
		sum, here := c.l.c, []*logic.Term{}
		for i, t := range c.l.terms {
			b := p.numbers[t.dim].Args()[0]
			if bits>>i&1 == 1 {
				sum = sum.Add(t.k)
			} else {
				b = logic.Not(b)
			}
			here = append(here, b)
		}
		if sum.Sign() == 0 {
			cases = append(cases, logic.And(here...))
		}
	}
	if len(cases) == 2 { // two of Booleans that are opposite in both
		a, b := p.numbers[c.l.terms[0].dim].Args()[0], p.numbers[c.l.terms[1].dim].Args()[0]
		if c.l.terms[0].k.Sign() == c.l.terms[1].k.Sign() {
			return logic.Ne(a, b)
		}
		return logic.Eq(a, b)
	}
	return logic.Or(cases...)
}

// congruent writes a congruence of a number.
func (p *pool) congruent(d int, c *congruence) *logic.Term {
	key := dimensionCongruence{d, c}
	if t := p.modulo[key]; t != nil {
		return t
	}
	if p.isColumn(d) && c.m.Sign() == 0 {
		return p.formula(&constraint{relation: equal, l: linear{rational.Of(new(big.Rat).SetInt(c.r)).Neg(), unit(d)}})
	}
	v, r := p.numbers[d], logic.Number(new(big.Rat).SetInt(c.r), logic.Int)
	if c.m.Sign() != 0 {
		v = logic.IntMod(v, logic.Number(new(big.Rat).SetInt(c.m), logic.Int))
	}
	p.modulo[key] = logic.Eq(v, r)
	return p.modulo[key]
}
