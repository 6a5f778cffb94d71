package logic

import (
	"fmt"
	"math/big"
)

// BVConst returns value modulo 2^width as a bit-vector.
func BVConst(value *big.Int, width int) *Term {
	sort := BitVec(width)
	return intern(structure{op: OpNumber, sort: sort, num: new(big.Rat).SetInt(wrap(value, width))})
}

// wrap returns value modulo 2^width, not negative; value itself where that is it.
func wrap(value *big.Int, width int) *big.Int {
	if value.Sign() >= 0 && value.BitLen() <= width {
		return value
	}
	return new(big.Int).Mod(value, modulus(width))
}

func modulus(width int) *big.Int { return new(big.Int).Lsh(big.NewInt(1), uint(width)) }

// signed reads a bit pattern as a two's complement number.
func signed(value *big.Int, width int) *big.Int {
	if value.Bit(width-1) == 1 {
		return new(big.Int).Sub(value, modulus(width))
	}
	return value
}

func mustBeBV(ts ...*Term) *Sort {
	for _, t := range ts {
		if t.sort.kind != BitVecKind || t.sort != ts[0].sort {
			panic(fmt.Sprintf("logic: bit-vector operation on a term of sort %s: %s", t.sort, t))
		}
	}
	return ts[0].sort
}

// bvFold computes an operation of bit patterns; see Eval for its use.
func bvFold(op Op, width int, a, b *big.Int) *big.Int {
	r := new(big.Int)
	switch op {
	case OpBVAdd:
		r.Add(a, b)
	case OpBVMul:
		r.Mul(a, b)
	case OpBVNeg:
		r.Neg(a)
	case OpBVNot:
		r.Not(a)
	case OpBVAnd:
		r.And(a, b)
	case OpBVOr:
		r.Or(a, b)
	case OpBVXor:
		r.Xor(a, b)
	case OpBVUDiv, OpBVURem, OpBVSDiv, OpBVSRem:
		return bvDivide(op, width, a, b)
	case OpBVShl, OpBVLShr, OpBVAShr:
		return bvShift(op, width, a, b)
	}
	return wrap(r, width)
}

// bvDivide follows SMT-LIB: x/0 is all ones (signed: 1 for negative x, else -1),
// the remainder of division by 0 is x.
func bvDivide(op Op, width int, a, b *big.Int) *big.Int {
	if op == OpBVSDiv || op == OpBVSRem {
		a, b = signed(a, width), signed(b, width)
	}
	r := new(big.Int)
	switch {
	case b.Sign() == 0 && (op == OpBVURem || op == OpBVSRem):
		r.Set(a)
	case b.Sign() == 0 && op == OpBVSDiv && a.Sign() < 0:
		r.SetInt64(1)
	case b.Sign() == 0:
		r.SetInt64(-1)
	case op == OpBVUDiv || op == OpBVSDiv:
		r.Quo(a, b)
	default:
		r.Rem(a, b)
	}
	return wrap(r, width)
}

// bvShift follows SMT-LIB: a shift by the width or more shifts all bits out. (Go would
// take memory for the number shifted by.)
func bvShift(op Op, width int, a, b *big.Int) *big.Int {
	n := uint(width)
	if b.IsUint64() && b.Uint64() < uint64(width) {
		n = uint(b.Uint64())
	}
	r := new(big.Int)
	switch op {
	case OpBVShl:
		r.Lsh(a, n)
	case OpBVLShr:
		r.Rsh(a, n)
	default:
		r.Rsh(signed(a, width), n)
	}
	return wrap(r, width)
}

func commutative(op Op) bool {
	switch op {
	case OpBVAdd, OpBVMul, OpBVAnd, OpBVOr, OpBVXor:
		return true
	}
	return false
}

// BVOp returns a binary operation of two bit-vectors of one width: OpBVAdd,
// OpBVMul, OpBVUDiv, OpBVURem, OpBVSDiv, OpBVSRem, OpBVAnd, OpBVOr, OpBVXor,
// OpBVShl, OpBVLShr or OpBVAShr.
func BVOp(op Op, a, b *Term) *Term {
	sort := mustBeBV(a, b)
	switch op {
	case OpBVAdd, OpBVMul, OpBVUDiv, OpBVURem, OpBVSDiv, OpBVSRem, OpBVAnd, OpBVOr, OpBVXor, OpBVShl, OpBVLShr, OpBVAShr:
	default:
		panic("logic: BVOp of an operator that is none")
	}
	if a.op == OpNumber && b.op == OpNumber {
		return BVConst(bvFold(op, sort.width, a.num.Num(), b.num.Num()), sort.width)
	}
	if commutative(op) && a.Compare(b) > 0 {
		a, b = b, a
	}
	return node(op, sort, a, b)
}

// BVAdd returns a + b modulo 2^width.
func BVAdd(a, b *Term) *Term { return BVOp(OpBVAdd, a, b) }

// BVSub returns a - b modulo 2^width. It is no operator of its own: a - b and
// -b + a are one term.
func BVSub(a, b *Term) *Term { return BVOp(OpBVAdd, a, BVNeg(b)) }

// BVNeg returns -a modulo 2^width.
func BVNeg(a *Term) *Term { return bvUnary(OpBVNeg, a) }

// BVNot returns the complement of every bit.
func BVNot(a *Term) *Term { return bvUnary(OpBVNot, a) }

func bvUnary(op Op, a *Term) *Term {
	sort := mustBeBV(a)
	if a.op == OpNumber {
		return BVConst(bvFold(op, sort.width, a.num.Num(), nil), sort.width)
	}
	if a.op == op { // both are their own inverse
		return a.args[0]
	}
	return node(op, sort, a)
}

// BVULe, BVULt, BVSLe and BVSLt compare, unsigned and signed.
func BVULe(a, b *Term) *Term { return bvCompare(OpBVULe, a, b) }
func BVULt(a, b *Term) *Term { return bvCompare(OpBVULt, a, b) }
func BVSLe(a, b *Term) *Term { return bvCompare(OpBVSLe, a, b) }
func BVSLt(a, b *Term) *Term { return bvCompare(OpBVSLt, a, b) }

func bvCompare(op Op, a, b *Term) *Term {
	sort := mustBeBV(a, b)
	if a == b {
		return BoolConst(op == OpBVULe || op == OpBVSLe)
	}
	if a.op == OpNumber && b.op == OpNumber {
		return BoolConst(bvHolds(op, sort.width, a.num.Num(), b.num.Num()))
	}
	return node(op, Bool, a, b)
}

func bvHolds(op Op, width int, a, b *big.Int) bool {
	if op == OpBVSLe || op == OpBVSLt {
		a, b = signed(a, width), signed(b, width)
	}
	c := a.Cmp(b)
	return c < 0 || c == 0 && (op == OpBVULe || op == OpBVSLe)
}

// Concat returns the bits of a (more significant) and b.
func Concat(a, b *Term) *Term {
	wa, wb := mustBeBV(a).width, mustBeBV(b).width
	if a.op == OpNumber && b.op == OpNumber {
		v := new(big.Int).Lsh(a.num.Num(), uint(wb))
		return BVConst(v.Or(v, b.num.Num()), wa+wb)
	}
	return node(OpConcat, BitVec(wa+wb), a, b)
}

// Extract returns the bits hi..lo, both included, counted from 0.
func Extract(t *Term, hi, lo int) *Term {
	w := mustBeBV(t).width
	switch {
	case lo < 0 || hi < lo || hi >= w:
		panic(fmt.Sprintf("logic: bits %d..%d of %d", hi, lo, w))
	case lo == 0 && hi == w-1:
		return t
	case t.op == OpNumber:
		return BVConst(new(big.Int).Rsh(t.num.Num(), uint(lo)), hi-lo+1)
	}
	return intern(structure{op: OpExtract, sort: BitVec(hi - lo + 1), hi: int32(hi), lo: int32(lo), args: []*Term{t}})
}

// ZeroExtend returns t with n zero bits in front; SignExtend copies the sign bit.
func ZeroExtend(t *Term, n int) *Term { return extend(OpZeroExtend, t, n) }
func SignExtend(t *Term, n int) *Term { return extend(OpSignExtend, t, n) }

func extend(op Op, t *Term, n int) *Term {
	w := mustBeBV(t).width
	switch {
	case n < 0:
		panic("logic: extension by a negative number of bits")
	case n == 0:
		return t
	case t.op == OpNumber && op == OpZeroExtend:
		return BVConst(t.num.Num(), w+n)
	case t.op == OpNumber:
		return BVConst(signed(t.num.Num(), w), w+n)
	}
	return intern(structure{op: op, sort: BitVec(w + n), lo: int32(n), args: []*Term{t}})
}
