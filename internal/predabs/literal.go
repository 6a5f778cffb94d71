package predabs

import (
	"math/big"

	"github.com/seltl/seltl/logic"
)

// literal is what the prover keeps of a formula that it meets again and again:
// the parts of a linear atom, ready to be compared and evaluated.
type literal struct {
	term *logic.Term
	// sum is the left-hand side of a linear atom with a positive first
	// coefficient, nil for other formulas: atoms about one sum share it.
	sum     *logic.Term
	op      logic.Op // OpEq, OpLe or OpLt
	negated bool     // of OpEq only
	flipped bool     // the atom compares -sum
	bound   *big.Rat // of sum or -sum
	minus   *big.Rat // -bound
	small   int64    // bound, if fits
	fits    bool     // the bound is an integer that is far from overflowing

	program *evaluator // see witness.go; nil until it is needed
}

// maxBound bounds the numbers that are handled as machine integers.
const maxBound = 1 << 40

// literals remembers the parts of formulas.
type literals map[*logic.Term]*literal

func (ls literals) of(t *logic.Term) *literal {
	if l := ls[t]; l != nil {
		return l
	}
	l := &literal{term: t}
	if op, sum, bound, negated, ok := logic.LinearAtom(t); ok && len(sum.Terms) > 0 {
		atom := t
		if negated {
			atom = t.Args()[0]
		}
		l.sum, l.op, l.negated, l.bound = atom.Args()[0], op, negated, bound
		if l.flipped = sum.Terms[0].Coef.Sign() < 0; l.flipped {
			l.sum = logic.Neg(l.sum)
		}
		l.minus = new(big.Rat).Neg(bound)
		if bound.IsInt() && bound.Num().IsInt64() {
			l.small = bound.Num().Int64()
			l.fits = -maxBound < l.small && l.small < maxBound
		}
	}
	if len(ls) >= maxCached {
		clear(ls)
	}
	ls[t] = l
	return l
}
