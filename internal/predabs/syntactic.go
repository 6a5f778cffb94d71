package predabs

import (
	"cmp"
	"slices"

	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/logic"
)

// entails reports whether literal a entails literal b for a reason that is
// visible in the two: they are equal, or compare multiples of one sum with
// numbers. For linear literals this is all there is, over the rationals.
func (a *literal) entails(b *literal) bool {
	if a.term == b.term || a.term.IsFalse() || b.term.IsTrue() {
		return true
	}
	// Normal forms have coprime coefficients: the sums are equal or opposite.
	if a.sum == nil || a.sum != b.sum {
		return false
	}
	return comparesEntail(a, b, a.compareBound(b), a.flipped != b.flipped)
}

// compareBound compares a's bound with b's, negated if they are of opposite sums.
func (a *literal) compareBound(b *literal) int {
	opposite := a.flipped != b.flipped
	switch {
	case a.fits && b.fits && opposite:
		return cmp.Compare(a.small, -b.small)
	case a.fits && b.fits:
		return cmp.Compare(a.small, b.small)
	case opposite:
		return a.bound.Cmp(b.minus) // b speaks of -sum: -sum <= bound iff sum >= -bound
	}
	return a.bound.Cmp(b.bound)
}

// comparesEntail decides s a.op x |= s b.op y where c compares x with y, for b
// mirrored (>= for <=) if flipped.
func comparesEntail(a, b *literal, c int, flipped bool) bool {
	switch {
	case a.op == logic.OpEq && !a.negated:
		if flipped {
			c = -c
		}
		switch b.op {
		case logic.OpEq:
			return (c == 0) != b.negated
		case logic.OpLe:
			return c <= 0
		}
		return c < 0
	case a.op == logic.OpEq: // s != x
		return b.op == logic.OpEq && b.negated && c == 0
	case b.op == logic.OpEq && b.negated: // s <= x |= s != y
		return c < 0 || c == 0 && a.op == logic.OpLt
	case b.op == logic.OpEq || flipped:
		return false
	}
	return c < 0 || c == 0 && (b.op == logic.OpLe || a.op == logic.OpLt)
}

// Visible says for each goal whether some conjunct of the cube entails it, or
// each conjunct of the goal, or one disjunct of it, for a reason that needs no
// solver. For linear literals that is α2 ([Rybalchenko02], eq. 4.3).
func (p *Prover) Visible(cube, goals []*logic.Term) []bool {
	conjuncts := p.literalsOf(cube)
	return lists.Map(goals, func(g *logic.Term) bool { return p.visible(conjuncts, g) })
}

func (p *Prover) literalsOf(ts []*logic.Term) []*literal {
	return lists.Map(ts, func(t *logic.Term) *literal { return p.literals.of(t) })
}

func (p *Prover) visible(conjuncts []*literal, goal *logic.Term) bool {
	switch goal.Op() {
	case logic.OpTrue:
		return true
	case logic.OpAnd:
		return !slices.ContainsFunc(goal.Args(), func(g *logic.Term) bool { return !p.visible(conjuncts, g) })
	}
	whole := p.literals.of(goal)
	for _, c := range conjuncts {
		if c.entails(whole) {
			return true
		}
		if goal.Op() == logic.OpOr {
			for _, g := range goal.Args() {
				if c.entails(p.literals.of(g)) {
					return true
				}
			}
		}
	}
	return false
}
