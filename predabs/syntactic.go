package predabs

import (
	"math/big"

	"github.com/seltl/seltl/logic"
)

// entailsAtom reports whether literal a entails literal b for a reason that is
// visible in the two: they are equal, or compare multiples of one sum with
// numbers. For linear literals this is all there is, over the rationals.
func entailsAtom(a, b *logic.Term) bool {
	if a == b || a.IsFalse() || b.IsTrue() {
		return true
	}
	aOp, aSum, aBound, aNeg, ok := logic.LinearAtom(a)
	if !ok {
		return false
	}
	bOp, bSum, bBound, bNeg, ok := logic.LinearAtom(b)
	if !ok || len(aSum.Terms) != len(bSum.Terms) || len(aSum.Terms) == 0 {
		return false
	}
	// Normal forms have coprime coefficients: the sums are equal or opposite.
	sign := aSum.Terms[0].Coef.Sign() * bSum.Terms[0].Coef.Sign()
	for i, m := range aSum.Terms {
		n := bSum.Terms[i]
		if m.Term != n.Term || m.Coef.Num().CmpAbs(n.Coef.Num()) != 0 || m.Coef.Sign()*n.Coef.Sign() != sign {
			return false
		}
	}
	bound := bBound
	if sign < 0 {
		bound = new(big.Rat).Neg(bBound) // b speaks of -sum: -sum <= bBound iff sum >= bound
	}
	return comparesEntail(aOp, aNeg, aBound, bOp, bNeg, bound, sign < 0)
}

// comparesEntail decides s aOp aBound |= s bOp bBound, for b mirrored (>= for
// <=) if flipped.
func comparesEntail(aOp logic.Op, aNeg bool, aBound *big.Rat, bOp logic.Op, bNeg bool, bBound *big.Rat, flipped bool) bool {
	c := aBound.Cmp(bBound)
	switch {
	case aOp == logic.OpEq && !aNeg:
		holds := false
		switch bOp {
		case logic.OpEq:
			return (c == 0) != bNeg
		case logic.OpLe:
			holds = c <= 0
			if flipped {
				holds = c >= 0
			}
		case logic.OpLt:
			holds = c < 0
			if flipped {
				holds = c > 0
			}
		}
		return holds
	case aOp == logic.OpEq: // s != aBound
		return bOp == logic.OpEq && bNeg && c == 0
	case bOp == logic.OpEq && bNeg: // s <= aBound |= s != bBound
		return c < 0 || c == 0 && aOp == logic.OpLt
	case bOp == logic.OpEq || flipped:
		return false
	}
	return c < 0 || c == 0 && (bOp == logic.OpLe || aOp == logic.OpLt)
}

// entailsSyntactically reports whether some conjunct entails the goal, or each
// conjunct of the goal, or one disjunct of it.
func entailsSyntactically(conjuncts []*logic.Term, goal *logic.Term) bool {
	switch goal.Op() {
	case logic.OpTrue:
		return true
	case logic.OpAnd:
		for _, g := range goal.Args() {
			if !entailsSyntactically(conjuncts, g) {
				return false
			}
		}
		return true
	}
	for _, c := range conjuncts {
		if entailsAtom(c, goal) {
			return true
		}
		if goal.Op() == logic.OpOr {
			for _, g := range goal.Args() {
				if entailsAtom(c, g) {
					return true
				}
			}
		}
	}
	return false
}
