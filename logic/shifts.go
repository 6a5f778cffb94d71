package logic

import "math/big"

// ByShifts returns a quotient or remainder of words by a power of two as C compilers write it,
// without division, with the same value for all values; nil for all other terms, and where
// the power of two is negative as a signed word.
func ByShifts(t *Term) *Term {
	switch t.op {
	case OpBVUDiv, OpBVURem, OpBVSDiv, OpBVSRem:
	default:
		return nil
	}
	x, y, w := t.args[0], t.args[1], t.sort.width
	if y.op != OpNumber || y.num.Num().Sign() == 0 {
		return nil
	}
	n := y.num.Num()
	k := n.BitLen() - 1
	if int(n.TrailingZeroBits()) != k || k == w-1 { // that is negative
		return nil
	}
	mask, shift := BVConst(new(big.Int).Sub(n, big.NewInt(1)), w), BVConst(big.NewInt(int64(k)), w)
	zero := BVConst(new(big.Int), w)
	towards0 := BVAdd(x, Ite(BVSLt(x, zero), mask, zero))
	switch t.op {
	case OpBVUDiv:
		return BVOp(OpBVLShr, x, shift)
	case OpBVURem:
		return BVOp(OpBVAnd, x, mask)
	case OpBVSDiv:
		return BVOp(OpBVAShr, towards0, shift)
	}
	return BVSub(x, BVOp(OpBVAnd, towards0, BVNot(mask)))
}
