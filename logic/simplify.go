package logic

import (
	"math/big"
	"slices"

	"github.com/seltl/seltl/internal/lists"
)

// Simplification of formulas for people. Bounds of one sum become one or two; literals that
// the other conjuncts imply or contradict go from disjunctions; a disjunction that contains
// another one goes. Or is the dual of And.

const (
	simplifyMost   = 20_000 // nodes of formulas that are looked at
	simplifyRounds = 5      // of one conjunction
)

// Simplify returns a formula that is equivalent to f and not larger: without conjuncts and
// disjuncts that others subsume, with x == 3 for x >= 3 && x <= 3. Formulas of more than
// some thousand nodes stay as they are. Time is quadratic in the size.
func Simplify(f *Term) *Term {
	mustBe(f, Bool, "Simplify")
	if f.Size() > simplifyMost {
		return f
	}
	if g := simplified(f); g.Size() <= f.Size() {
		return g
	}
	return f
}

func simplified(f *Term) *Term {
	if f.op != OpAnd && f.op != OpOr {
		return f
	}
	args := lists.Map(f.args, simplified)
	if f.op == OpAnd {
		return conjunction(args)
	}
	for i, a := range args {
		args[i] = Not(a)
	}
	return Not(conjunction(args))
}

// conjunction simplifies that of formulas that are simple.
func conjunction(fs []*Term) *Term {
	f := And(fs...)
	for range simplifyRounds {
		if f.op != OpAnd {
			break
		}
		var k knowledge
		for _, a := range f.args {
			k.add(a)
		}
		g := And(k.literals(), And(k.disjunctions(f.args)...))
		if g == f {
			break
		}
		f = g
	}
	return f
}

// limits are what literals say of a sum whose first coefficient is positive.
type limits struct {
	sum            *Term
	lo, hi         *big.Rat // nil for none
	loOpen, hiOpen bool
	excluded       []*big.Rat
}

// knowledge is a conjunction of literals.
type knowledge struct {
	sums  []*limits
	of    map[*Term]*limits
	other []*Term // that are no bounds
}

// boundOf takes a literal apart: sum op bound, where op is OpLe, OpLt or OpEq, of the
// negation of the sum if flipped, or not equal if negated.
func boundOf(f *Term) (op Op, sum *Term, bound *big.Rat, flipped, negated, ok bool) {
	op, linear, bound, negated, ok := LinearAtom(f)
	if !ok || len(linear.Terms) == 0 || negated && op != OpEq {
		return 0, nil, nil, false, false, false
	}
	atom := f
	if negated {
		atom = f.args[0]
	}
	sum = atom.args[0]
	if linear.Terms[0].Coef.Sign() < 0 {
		return op, Neg(sum), new(big.Rat).Neg(bound), true, negated, true
	}
	return op, sum, bound, false, negated, true
}

// add takes a formula into account, if it is a literal.
func (k *knowledge) add(f *Term) {
	if f.op == OpOr || f.op == OpAnd {
		return
	}
	op, sum, bound, flipped, negated, ok := boundOf(f)
	if !ok {
		k.other = append(k.other, f)
		return
	}
	l := k.of[sum]
	if l == nil {
		l = &limits{sum: sum}
		if k.of == nil {
			k.of = map[*Term]*limits{}
		}
		k.of[sum] = l
		k.sums = append(k.sums, l)
	}
	switch {
	case negated:
		l.excluded = append(l.excluded, bound)
	case op == OpEq:
		l.above(bound, false)
		l.below(bound, false)
	case flipped:
		l.above(bound, op == OpLt)
	default:
		l.below(bound, op == OpLt)
	}
}

func (l *limits) above(b *big.Rat, open bool) {
	if l.lo != nil {
		if c := b.Cmp(l.lo); c < 0 || c == 0 && !open {
			return
		}
	}
	l.lo, l.loOpen = b, open
}

func (l *limits) below(b *big.Rat, open bool) {
	if l.hi != nil {
		if c := b.Cmp(l.hi); c > 0 || c == 0 && !open {
			return
		}
	}
	l.hi, l.hiOpen = b, open
}

// settle moves bounds of integers past what is excluded, and drops what is excluded by
// bounds; false if nothing is left.
func (l *limits) settle() bool {
	one := big.NewRat(1, 1)
	slices.SortFunc(l.excluded, (*big.Rat).Cmp)
	l.excluded = slices.CompactFunc(l.excluded, func(a, b *big.Rat) bool { return a.Cmp(b) == 0 })
	if l.sum.sort == Real {
		for _, e := range l.excluded {
			l.loOpen = l.loOpen || l.lo != nil && l.lo.Cmp(e) == 0
			l.hiOpen = l.hiOpen || l.hi != nil && l.hi.Cmp(e) == 0
		}
	} else {
		for _, e := range l.excluded {
			if l.lo != nil && l.lo.Cmp(e) == 0 {
				l.lo = new(big.Rat).Add(e, one)
			}
		}
		for _, e := range slices.Backward(l.excluded) {
			if l.hi != nil && l.hi.Cmp(e) == 0 {
				l.hi = new(big.Rat).Sub(e, one)
			}
		}
	}
	l.excluded = slices.DeleteFunc(l.excluded, func(e *big.Rat) bool { return !l.within(e) })
	if l.lo == nil || l.hi == nil {
		return true
	}
	c := l.lo.Cmp(l.hi)
	return c < 0 || c == 0 && !l.loOpen && !l.hiOpen && len(l.excluded) == 0
}

// within reports that bounds allow a value.
func (l *limits) within(v *big.Rat) bool {
	if l.lo != nil {
		if c := v.Cmp(l.lo); c < 0 || c == 0 && l.loOpen {
			return false
		}
	}
	if l.hi != nil {
		if c := v.Cmp(l.hi); c > 0 || c == 0 && l.hiOpen {
			return false
		}
	}
	return true
}

// literals returns the conjunction of all of them, without those that follow.
func (k *knowledge) literals() *Term {
	out := slices.Clone(k.other)
	for _, l := range k.sums {
		if !l.settle() {
			return falseTerm
		}
		number := func(r *big.Rat) *Term { return Number(r, l.sum.sort) }
		switch {
		case l.lo != nil && l.hi != nil && l.lo.Cmp(l.hi) == 0:
			out = append(out, Eq(l.sum, number(l.lo)))
			continue
		case l.lo != nil && l.loOpen:
			out = append(out, Lt(number(l.lo), l.sum))
		case l.lo != nil:
			out = append(out, Le(number(l.lo), l.sum))
		}
		switch {
		case l.hi != nil && l.hiOpen:
			out = append(out, Lt(l.sum, number(l.hi)))
		case l.hi != nil:
			out = append(out, Le(l.sum, number(l.hi)))
		}
		for _, e := range l.excluded {
			out = append(out, Ne(l.sum, number(e)))
		}
	}
	return And(out...)
}

// implies reports that the literals imply another one, as far as it is seen.
func (k *knowledge) implies(f *Term) bool {
	op, sum, bound, flipped, negated, ok := boundOf(f)
	if !ok {
		return slices.Contains(k.other, f)
	}
	l := k.of[sum]
	switch {
	case l == nil:
		return false
	case negated:
		return !l.within(bound) || slices.ContainsFunc(l.excluded, func(e *big.Rat) bool { return e.Cmp(bound) == 0 })
	case op == OpEq:
		return l.lo != nil && l.hi != nil && l.lo.Cmp(bound) == 0 && l.hi.Cmp(bound) == 0
	case flipped:
		return l.lo != nil && (l.lo.Cmp(bound) > 0 || l.lo.Cmp(bound) == 0 && (op == OpLe || l.loOpen))
	}
	return l.hi != nil && (l.hi.Cmp(bound) < 0 || l.hi.Cmp(bound) == 0 && (op == OpLe || l.hiOpen))
}

// disjunctions returns those among formulas, without what the literals decide, and without
// those that contain another.
func (k *knowledge) disjunctions(fs []*Term) (out []*Term) {
	for _, f := range fs {
		if f.op == OpOr {
			out = append(out, k.rest(f))
		}
	}
	return slices.DeleteFunc(slices.Clone(out), func(f *Term) bool {
		return slices.ContainsFunc(out, func(g *Term) bool { return f != g && f.op == OpOr && contains(f, g) })
	})
}

// contains reports that every disjunct of g is one of f.
func contains(f, g *Term) bool {
	parts := []*Term{g}
	if g.op == OpOr {
		parts = g.args
	}
	return !slices.ContainsFunc(parts, func(d *Term) bool { return !slices.Contains(f.args, d) })
}

// rest is a disjunction where the literals hold.
func (k *knowledge) rest(f *Term) *Term {
	var left []*Term
	for _, d := range f.args {
		var open []*Term
		impossible := false
		for _, c := range Conjuncts(d) {
			if c.op != OpOr && k.implies(c) {
				continue
			}
			impossible = impossible || c.op != OpOr && k.implies(Not(c))
			open = append(open, c)
		}
		if !impossible {
			left = append(left, And(open...))
		}
	}
	return Or(left...)
}
