package ir

import (
	"math/big"
	"math/bits"
)

// Canonical is a number as a value of a scalar type: extended from its width.
func Canonical(t *Type, bits uint64) uint64 {
	if t.Bool {
		bits &= 1
	}
	return Extend(t, bits)
}

// Extend cuts a number to the width of a type, and extends it to 64 bits as the type
// says.
func Extend(t *Type, x uint64) uint64 {
	w := t.Width()
	if w >= 64 {
		return x
	}
	x &= 1<<w - 1
	if t.Signed && x>>(w-1) == 1 {
		x |= ^uint64(0) << w
	}
	return x
}

// EvalUnary computes an operation on a canonical value.
func EvalUnary(op Op, t *Type, x uint64) uint64 {
	if t.Kind == IEEE {
		return FloatUnary(op, t.Width(), x)
	}
	if op == Neg {
		return Extend(t, -x)
	}
	return Extend(t, ^x)
}

// EvalBinary computes an operation on canonical values of type t; for shifts y is of any
// type. ok is false where C leaves the result undefined: division by zero or of the
// smallest number by -1, shifts by no bit count of the type. Signed overflow wraps.
func EvalBinary(op Op, t *Type, x, y uint64) (z uint64, ok bool) {
	if t.Kind == IEEE {
		return FloatBinary(op, t.Width(), x, y)
	}
	switch op {
	case Add:
		z = x + y
	case Sub:
		z = x - y
	case Mul:
		z = x * y
	case Div, Rem:
		return evalDivision(op, t, x, y)
	case Shl, Shr:
		if y >= uint64(t.Width()) {
			return 0, false
		}
		switch {
		case op == Shl:
			z = x << y
		case t.Signed:
			z = uint64(int64(x) >> y)
		default:
			z = x >> y
		}
	case BitAnd:
		z = x & y
	case BitOr:
		z = x | y
	case BitXor:
		z = x ^ y
	default:
		return truth(compare(op, t.Kind == Integer && t.Signed, x, y)), true
	}
	return Extend(t, z), true
}

// overflows reports an operation on numbers whose result does not fit its signed type.
func overflows(e Expr) bool {
	t := e.Type()
	if t.Kind != Integer || !t.Signed {
		return false
	}
	var exact big.Int
	switch e := e.(type) {
	case *Unary:
		x, ok := e.X.(*Const)
		if !ok || e.Op != Neg {
			return false
		}
		exact.Neg(big.NewInt(int64(x.Bits)))
	case *Binary:
		x, okX := e.X.(*Const)
		y, okY := e.Y.(*Const)
		if !okX || !okY {
			return false
		}
		a, b := big.NewInt(int64(x.Bits)), big.NewInt(int64(y.Bits))
		switch e.Op {
		case Add:
			exact.Add(a, b)
		case Sub:
			exact.Sub(a, b)
		case Mul:
			exact.Mul(a, b)
		case Shl:
			if y.Bits >= uint64(t.Width()) {
				return false
			}
			exact.Lsh(a, uint(y.Bits))
		default:
			return false // a division that does not fit is not folded
		}
	default:
		return false
	}
	return !exact.IsInt64() || Extend(t, uint64(exact.Int64())) != uint64(exact.Int64())
}

func compare(op Op, signed bool, x, y uint64) bool {
	switch op {
	case Eq:
		return x == y
	case Ne:
		return x != y
	}
	less := x < y
	if signed {
		less = int64(x) < int64(y)
	}
	return less || op == Le && x == y
}

func truth(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

func evalDivision(op Op, t *Type, x, y uint64) (uint64, bool) {
	if y == 0 {
		return 0, false
	}
	if !t.Signed {
		q, r := bits.Div64(0, x, y)
		if op == Div {
			return q, true
		}
		return r, true
	}
	if int64(y) == -1 {
		if Extend(t, -x) == x && x != 0 { // the smallest number
			return 0, false
		}
		if op == Rem {
			return 0, true
		}
		return -x, true
	}
	if op == Div {
		return uint64(int64(x) / int64(y)), true
	}
	return uint64(int64(x) % int64(y)), true
}
