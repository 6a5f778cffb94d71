package logic

import (
	"fmt"
	"math/big"

	"github.com/seltl/seltl/internal/ieee"
)

// Floating-point numbers are words of 32 or 64 bits. Of their operations, those that round are
// operators (OpFloat); the others, and comparisons, say something about bits, and are formulas and
// terms over words that need no operator.

// floatNames are the names of operators of OpFloat. Behind those whose result may have another width
// than the operand this stands.
var floatNames = [ieee.Operations]string{"add", "mul", "div", "sqrt", "floor", "ceil", "trunc", "round", "rint", "fmod", "remainder",
	"convert", "of_signed", "of_unsigned", "to_signed", "to_unsigned"}

func floatName(op ieee.Op, width int) string {
	name := "float." + floatNames[op]
	if op.Resizes() {
		name += fmt.Sprint(width)
	}
	return name
}

// Float returns an operation on floating-point numbers, or on integers of 32 or 64 bits, with a result
// of some width. It panics where there is none.
func Float(op ieee.Op, width int, args ...*Term) *Term {
	from := mustBeBV(args...).width
	if !op.Widths(from, width) || op.Binary() != (len(args) == 2) {
		panic(fmt.Sprintf("logic: %s of %d operands of %d bits", floatName(op, width), len(args), from))
	}
	known := true
	for _, a := range args {
		known = known && a.op == OpNumber
	}
	if known {
		return BVConst(new(big.Int).SetUint64(floatWord(op, from, width, args)), width)
	}
	if (op == ieee.Add || op == ieee.Mul) && args[0].Compare(args[1]) > 0 {
		args = []*Term{args[1], args[0]}
	}
	return intern(structure{op: OpFloat, sort: BitVec(width), lo: int32(op), args: args})
}

// floatWord computes an operation on numbers.
func floatWord(op ieee.Op, from, width int, args []*Term) uint64 {
	var words [2]uint64
	for i, a := range args {
		words[i] = a.num.Num().Uint64()
	}
	return ieee.Apply(op, from, width, words[0], words[1])
}

// FloatOp returns the operation of OpFloat.
func (t *Term) FloatOp() ieee.Op { return ieee.Op(t.lo) }

func floatConst(bits uint64, width int) *Term {
	return BVConst(new(big.Int).SetUint64(bits), width)
}

// FloatNeg returns -x: another sign, also of what is no number.
func FloatNeg(x *Term) *Term { return BVOp(OpBVXor, x, floatConst(1<<(x.sort.width-1), x.sort.width)) }

// FloatAbs returns x without its sign.
func FloatAbs(x *Term) *Term {
	w := x.sort.width
	if x.op == OpNumber {
		return BVOp(OpBVAnd, x, floatConst(1<<(w-1)-1, w))
	}
	return Concat(BVConst(new(big.Int), 1), Extract(x, w-2, 0))
}

// FloatIsNaN says that x is no number.
func FloatIsNaN(x *Term) *Term { return Not(isFloat(x)) }

// isFloat says that x is a number, or infinite, by ranges of words, which intervals know.
func isFloat(x *Term) *Term {
	w := x.sort.width
	inf, sign := ieee.Infinity(w), uint64(1)<<(w-1)
	return Or(BVULe(x, floatConst(inf, w)), And(BVULe(floatConst(sign, w), x), BVULe(x, floatConst(sign|inf, w))))
}

func floatZero(x *Term) *Term {
	w := x.sort.width
	return Or(Eq(x, floatConst(0, w)), Eq(x, floatConst(1<<(w-1), w)))
}

// FloatNegative says that x has a sign, as -0 has.
func FloatNegative(x *Term) *Term {
	w := x.sort.width
	return BVULe(floatConst(1<<(w-1), w), x)
}

// FloatEq says that x and y are equal numbers.
func FloatEq(x, y *Term) *Term {
	mustBeBV(x, y)
	return And(isFloat(x), isFloat(y), Or(Eq(x, y), And(floatZero(x), floatZero(y))))
}

// FloatLt says that x is less than y.
func FloatLt(x, y *Term) *Term { return floatBefore(x, y, true) }

// FloatLe says that x is no larger than y, and both are numbers.
func FloatLe(x, y *Term) *Term { return floatBefore(x, y, false) }

// floatBefore compares signs and amounts, which are in the order of their words.
func floatBefore(x, y *Term, strict bool) *Term {
	mustBeBV(x, y)
	before, zeros := BVULe, And(floatZero(x), floatZero(y))
	if strict {
		before, zeros = BVULt, Not(zeros)
	}
	minusX, minusY := FloatNegative(x), FloatNegative(y)
	order := Or(And(minusX, Not(minusY)), And(Not(minusX), Not(minusY), before(x, y)), And(minusX, minusY, before(y, x)))
	if strict {
		order = And(order, zeros)
	} else {
		order = Or(order, zeros)
	}
	return And(isFloat(x), isFloat(y), order)
}

func init() {
	for op := range ieee.Operations {
		widths := []int{0} // that of the operand
		if op.Resizes() {
			widths = []int{32, 64}
		}
		operands := 1
		if op.Binary() {
			operands = 2
		}
		for _, w := range widths {
			result := func(ts []*Term) int {
				if w == 0 {
					return ts[0].sort.width
				}
				return w
			}
			name := floatName(op, w)
			functions[name] = function{operands, operands, 0,
				func(ts []*Term) bool { return oneBV(ts) && op.Widths(ts[0].sort.width, result(ts)) },
				func(_ []int, _ *Sort, ts []*Term) *Term { return Float(op, result(ts), ts...) }}
			reserved[name] = true
		}
	}
}
