package logic

import (
	"math/big"

	"github.com/seltl/seltl/internal/ieee"
)

// Bit patterns of at most wordWidth bits are evaluated as machine words; constructors
// compute with math/big, and each checks the other.

const wordWidth = 64

// inWords reports whether an operator has operands and a value that are machine words, or a
// comparison of these.
func inWords(t *Term) bool {
	if t.op == OpSelect || t.op == OpApply || t.op == OpField || t.op == OpBuiltBy || t.args[0].sort.width > wordWidth {
		return false
	}
	return t.sort.kind == BoolKind || t.sort.kind == BitVecKind && t.sort.width <= wordWidth
}

// word evaluates an operator as inWords says that it can be.
func (e *evaluation) word(t *Term) (Value, error) {
	v, err := e.eval(t.args[0])
	if err != nil {
		return Value{}, err
	}
	width := v.sort.width
	a, b := v.num.Num().Uint64(), uint64(0)
	if len(t.args) > 1 {
		w, err := e.eval(t.args[1])
		if err != nil {
			return Value{}, err
		}
		b = w.num.Num().Uint64()
	}
	if t.sort.kind == BoolKind {
		return BoolValue(wordHolds(t.op, width, a, b)), nil
	}
	switch t.op {
	case OpConcat:
		a = a<<t.args[1].sort.width | b
	case OpExtract:
		a >>= t.lo
	case OpZeroExtend:
	case OpFloat:
		a = ieee.Apply(t.FloatOp(), width, t.sort.width, a, b)
	case OpSignExtend:
		a = uint64(signedWord(a, width))
	default:
		a = wordFold(t.op, width, a, b)
	}
	return Value{sort: t.sort, num: natural(a & (1<<t.sort.width - 1))}, nil
}

// natural returns n.
func natural(n uint64) *big.Rat {
	if n < 1<<63 {
		return integer(int64(n))
	}
	return new(big.Rat).SetInt(new(big.Int).SetUint64(n))
}

// signedWord reads a bit pattern as a two's complement number.
func signedWord(a uint64, width int) int64 {
	unused := wordWidth - width
	return int64(a<<unused) >> unused
}

// wordFold is bvFold for words; bits beyond the width may be set.
func wordFold(op Op, width int, a, b uint64) uint64 {
	switch op {
	case OpBVAdd:
		return a + b
	case OpBVMul:
		return a * b
	case OpBVNeg:
		return -a
	case OpBVNot:
		return ^a
	case OpBVAnd:
		return a & b
	case OpBVOr:
		return a | b
	case OpBVXor:
		return a ^ b
	case OpBVShl:
		return a << b
	case OpBVLShr:
		return a >> b
	case OpBVAShr:
		return uint64(signedWord(a, width) >> b)
	}
	return wordDivide(op, width, a, b)
}

// wordDivide is bvDivide for words.
func wordDivide(op Op, width int, a, b uint64) uint64 {
	x, y := signedWord(a, width), signedWord(b, width)
	switch {
	case b == 0 && (op == OpBVURem || op == OpBVSRem):
		return a
	case b == 0 && op == OpBVSDiv && x < 0:
		return 1
	case b == 0:
		return ^uint64(0)
	case op == OpBVUDiv:
		return a / b
	case op == OpBVURem:
		return a % b
	case op == OpBVSDiv:
		return uint64(x / y)
	default:
		return uint64(x % y)
	}
}

// wordHolds is bvHolds for words.
func wordHolds(op Op, width int, a, b uint64) bool {
	switch op {
	case OpBVSLe:
		return signedWord(a, width) <= signedWord(b, width)
	case OpBVSLt:
		return signedWord(a, width) < signedWord(b, width)
	case OpBVULe:
		return a <= b
	default:
		return a < b
	}
}
