package facts

import (
	"math/big"
	"slices"

	"github.com/seltl/seltl/internal/rational"
)

// Congruences of integers ([Granger89]): each is r modulo m. Chains are short, since a
// modulus becomes a divisor of itself, so that nothing is widened.

// congruence is the set of integers that are r modulo m, 0 <= r < m; only r if m is 0.
// nil is every integer, and whatever a real has.
type congruence struct{ m, r *big.Int }

// maxModulus bounds the bits of numbers; what has longer ones is any integer.
const maxModulus = 256

func newCongruence(m, r *big.Int) *congruence {
	switch {
	case m.Sign() == 0 && r.BitLen() <= maxModulus:
		return &congruence{m, r}
	case m.Sign() == 0 || m.BitLen() > maxModulus || m.IsInt64() && m.Int64() == 1:
		return nil
	}
	return &congruence{m, new(big.Int).Mod(r, m)}
}

// integer returns the value of a rational number that is one.
func integer(r rational.Rat) *big.Int { return r.Big().Num() }

func exactly(r *big.Int) *congruence { return newCongruence(new(big.Int), r) }

var every = &congruence{big.NewInt(1), new(big.Int)}

// orEvery makes nil explicit.
func (c *congruence) orEvery() *congruence {
	if c == nil {
		return every
	}
	return c
}

func gcd(a, b *big.Int) *big.Int {
	return new(big.Int).GCD(nil, nil, new(big.Int).Abs(a), new(big.Int).Abs(b))
}

func (c *congruence) join(d *congruence) *congruence {
	if c == nil || d == nil {
		return nil
	}
	return newCongruence(gcd(gcd(c.m, d.m), new(big.Int).Sub(c.r, d.r)), c.r)
}

// has reports that c contains d.
func (c *congruence) has(d *congruence) bool {
	if c == nil || c == d {
		return true
	}
	d = d.orEvery()
	if c.m.Sign() == 0 {
		return d.m.Sign() == 0 && c.r.Cmp(d.r) == 0
	}
	difference := new(big.Int).Sub(c.r, d.r)
	return new(big.Int).Rem(d.m, c.m).Sign() == 0 && new(big.Int).Rem(difference, c.m).Sign() == 0
}

// meet is the intersection; false if it is empty. It is c itself if it is equal to that.
func (c *congruence) meet(d *congruence) (*congruence, bool) {
	switch {
	case d.has(c):
		return c, true
	case c.has(d):
		return d, true
	case c.m.Sign() == 0:
		return c, false
	case d.m.Sign() == 0:
		return d, false
	}
	// c.r + c.m*t = d.r modulo d.m
	g := gcd(c.m, d.m)
	difference := new(big.Int).Sub(d.r, c.r)
	if new(big.Int).Rem(difference, g).Sign() != 0 {
		return c, false
	}
	t := new(big.Int).ModInverse(new(big.Int).Quo(c.m, g), new(big.Int).Quo(d.m, g))
	t.Mul(t, difference.Quo(difference, g))
	r := t.Mul(t, c.m)
	r.Add(r, c.r)
	both := newCongruence(new(big.Int).Mul(c.m, new(big.Int).Quo(d.m, g)), r)
	if both == nil { // too long
		return c, true
	}
	return both, true
}

// bit keeps 0 and 1; false if neither is there.
func (c *congruence) bit() (*congruence, bool) {
	if c == nil || c.m.Sign() > 0 && c.m.IsInt64() && c.m.Int64() == 1 {
		return c, true
	}
	if c.m.Sign() > 0 {
		c = exactly(c.r)
	}
	return c, c.r.Sign() >= 0 && c.r.BitLen() <= 1
}

func (c *congruence) plus(d *congruence) *congruence {
	if c == nil || d == nil {
		return nil
	}
	return newCongruence(gcd(c.m, d.m), new(big.Int).Add(c.r, d.r))
}

// times is the product: r*s + r*n*i + s*m*j + m*n*i*j.
func (c *congruence) times(d *congruence) *congruence {
	c, d = c.orEvery(), d.orEvery()
	m := gcd(new(big.Int).Mul(c.m, d.m), new(big.Int).Mul(c.m, d.r))
	return newCongruence(gcd(m, new(big.Int).Mul(c.r, d.m)), new(big.Int).Mul(c.r, d.r))
}

// dividedBy returns the x with k*x in c, k not 0; false if there is none.
func (c *congruence) dividedBy(k *big.Int) (*congruence, bool) {
	c = c.orEvery()
	g := gcd(c.m, k)
	if new(big.Int).Rem(c.r, g).Sign() != 0 {
		return c, false
	}
	r := new(big.Int).Quo(c.r, g)
	if c.m.Sign() == 0 {
		r.Quo(c.r, k)
		return exactly(r), true
	}
	m := new(big.Int).Quo(c.m, g)
	inverse := new(big.Int).ModInverse(new(big.Int).Quo(k, g), m)
	return newCongruence(m, r.Mul(r, inverse)), true
}

// congruences is the domain: a congruence for each dimension.
type congruences struct {
	*flow
	*effort
	equations [][]*equation // by location, that hold there
	solved    map[*equation]solution
}

// solution is what solving an equation has made of the congruences of its dimensions.
type solution struct {
	before, after []*congruence
	ok            bool
}

func (g *congruences) narrows() bool { return false }
func (g *congruences) rounds() int   { return 2 }

func (g *congruences) start(s *step) []*congruence { return make([]*congruence, len(s.ints)) }

func (g *congruences) enter(s *step, x []*congruence) ([]*congruence, bool) {
	y := make([]*congruence, len(s.ints))
	copy(y, x)
	g.spend(len(y))
	for _, e := range g.equations[s.from] {
		known := !slices.ContainsFunc(e.l.terms, func(t monomial) bool { return y[t.dim] == nil || y[t.dim].m.Sign() > 0 })
		if !known && !g.solveAgain(s, y, e) {
			return y, false
		}
	}
	return y, true
}

// solveAgain is solve, looked up if the last location where the equation held was the same.
func (g *congruences) solveAgain(s *step, x []*congruence, e *equation) bool {
	g.spend(len(e.l.terms))
	last, ok := g.solved[e]
	for i, t := range e.l.terms {
		ok = ok && last.before[i] == x[t.dim]
	}
	if !ok {
		last = solution{before: make([]*congruence, len(e.l.terms)), after: make([]*congruence, len(e.l.terms))}
		for i, t := range e.l.terms {
			last.before[i] = x[t.dim]
		}
		last.ok = g.solve(s, x, e.l)
		for i, t := range e.l.terms {
			last.after[i] = x[t.dim]
		}
		g.solved[e] = last
		return last.ok
	}
	for i, t := range e.l.terms {
		x[t.dim] = last.after[i]
	}
	return last.ok
}

func (g *congruences) clone(x []*congruence) []*congruence {
	g.spend(len(x))
	return append([]*congruence{}, x...)
}

// of returns the congruence of a linear form; nil if it speaks of reals.
func (g *congruences) of(s *step, x []*congruence, l linear) *congruence {
	g.spend(4 * (1 + len(l.terms)))
	if !l.integral() {
		return nil
	}
	sum := exactly(integer(l.c))
	for _, t := range l.terms {
		if !s.ints[t.dim] {
			return nil
		}
		sum = sum.plus(exactly(integer(t.k)).times(x[t.dim]))
	}
	return sum
}

// solve keeps what may satisfy l = 0: each dimension is determined modulo the others.
func (g *congruences) solve(s *step, x []*congruence, l linear) bool {
	l = l.scaled()
	for i, t := range l.terms {
		if !s.ints[t.dim] || len(l.terms) > 1 && x[t.dim] != nil && x[t.dim].m.Sign() == 0 {
			continue
		}
		rest := linear{c: l.c, terms: make([]monomial, 0, len(l.terms))}
		rest.terms = append(append(rest.terms, l.terms[:i]...), l.terms[i+1:]...)
		minus := exactly(big.NewInt(-1)).times(g.of(s, x, rest))
		possible, ok := minus.dividedBy(integer(t.k))
		if ok {
			x[t.dim], ok = x[t.dim].meet(possible)
		}
		if ok && g.isColumn(t.dim) {
			x[t.dim], ok = x[t.dim].bit()
		}
		if !ok {
			return false
		}
	}
	if sum := g.of(s, x, l); sum != nil {
		_, ok := sum.meet(exactly(new(big.Int)))
		return ok
	}
	return true
}

func (g *congruences) literal(s *step, x []*congruence, c *condition) ([]*congruence, bool) {
	switch c.kind {
	case compare:
		if c.constraint.relation == equal {
			return x, g.solve(s, x, c.constraint.l)
		}
		if v := g.of(s, x, c.constraint.l); v != nil && v.m.Sign() == 0 {
			return x, c.constraint.holds(rational.Of(new(big.Rat).SetInt(v.r)))
		}
	case product:
		if s.ints[c.dim] {
			var ok bool
			x[c.dim], ok = x[c.dim].meet(g.of(s, x, c.x).times(g.of(s, x, c.y)))
			return x, ok
		}
	}
	return x, true
}

func (g *congruences) assign(s *step, x []*congruence) []*congruence {
	y := x[:len(g.numbers):len(g.numbers)]
	after := make([]*congruence, len(s.assign))
	for i, a := range s.assign {
		if a.numeric() && a.value != nil && s.ints[a.dim] {
			after[i] = g.of(s, x, *a.value)
		}
	}
	for i, a := range s.assign {
		if a.numeric() {
			y[a.dim] = after[i]
		}
	}
	return y
}

func (g *congruences) join(x, y []*congruence) []*congruence {
	g.spend(len(x))
	out := make([]*congruence, len(x))
	for d := range x {
		out[d] = x[d]
		if x[d] != y[d] {
			g.spend(8)
			out[d] = x[d].join(y[d])
		}
	}
	return out
}

func (g *congruences) includes(x, y []*congruence) bool {
	g.spend(len(x))
	for d := range x {
		if !x[d].has(y[d]) {
			return false
		}
	}
	return true
}

func (g *congruences) widen(_ int, x, y []*congruence, _ int) []*congruence { return g.join(x, y) }

func (g *congruences) meet(x, _ []*congruence) ([]*congruence, bool) { return x, true }
