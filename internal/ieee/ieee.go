// Package ieee computes with floating-point numbers of IEEE 754 that are given as words: binary32 as 32 bits,
// binary64 as 64. Results are rounded to nearest, ties to even.
//
// Results that are no numbers are the one quiet NaN without a payload: which one a processor gives depends on it,
// on the compiler and on the order of operands, so nothing may depend on its bits.
package ieee

import "math"

// Op is an operation that rounds, or whose result is of another kind.
type Op uint8

const (
	Add        Op = iota
	Mul           // of x and y
	Div           // x / y
	Sqrt          // of x, as all that follow but Fmod and Remainder
	Floor         // rounded to an integer
	Ceil          //
	Trunc         //
	Round         // ties away from zero
	Rint          // ties to even
	Fmod          // x - n*y for the quotient n, rounded towards zero: exact
	Remainder     // likewise, rounded to nearest: exact
	Convert       // to the other format
	OfSigned      // of an integer in two's complement
	OfUnsigned    // of an integer
	ToSigned      // truncated; 0 where it does not fit
	ToUnsigned    //
	Operations    // how many there are
)

// Binary reports an operation with two operands.
func (op Op) Binary() bool { return op <= Div || op == Fmod || op == Remainder }

// Resizes reports an operation whose result may have another width than its operand.
func (op Op) Resizes() bool { return op >= Convert }

// Widths reports whether there is the operation from words of some width to words of another one.
func (op Op) Widths(from, to int) bool {
	float := func(w int) bool { return w == 32 || w == 64 }
	switch op {
	case Convert:
		return float(from) && float(to) && from != to
	case OfSigned, OfUnsigned, ToSigned, ToUnsigned:
		return float(from) && float(to)
	}
	return float(from) && from == to
}

// The formats by their widths.
func signBit(width int) uint64 { return 1 << (width - 1) }

// Infinity is the word of the positive infinity.
func Infinity(width int) uint64 {
	if width == 32 {
		return 0x7f800000
	}
	return 0x7ff0000000000000
}

// NaN is the word of what is no number.
func NaN(width int) uint64 {
	if width == 32 {
		return 0x7fc00000
	}
	return 0x7ff8000000000000
}

// IsNaN reports a word that is no number.
func IsNaN(width int, x uint64) bool { return x&^signBit(width) > Infinity(width) }

// Signals reports a signalling NaN: C leaves open what of it fmin and fmax return.
func Signals(width int, x uint64) bool {
	return IsNaN(width, x) && x&(NaN(width)&^Infinity(width)) == 0
}

// Float is the number that a word is.
func Float(width int, x uint64) float64 {
	if width == 32 {
		return float64(math.Float32frombits(uint32(x)))
	}
	return math.Float64frombits(x)
}

// Word is a number as a word, rounded.
func Word(width int, x float64) uint64 {
	switch {
	case x != x:
		return NaN(width)
	case width == 32:
		return uint64(math.Float32bits(float32(x)))
	}
	return math.Float64bits(x)
}

// Less, Equal: -0 and 0 are equal, and what is no number is neither less than nor equal to anything.
func Less(width int, x, y uint64) bool  { return Float(width, x) < Float(width, y) }
func Equal(width int, x, y uint64) bool { return Float(width, x) == Float(width, y) }

// Apply computes an operation on words of width from, with a result of width to. y is not looked at where there is
// one operand.
func Apply(op Op, from, to int, x, y uint64) uint64 {
	switch op {
	case Add, Mul, Div:
		return arithmetic(op, from, x, y)
	case OfSigned, OfUnsigned:
		return ofInteger(op == OfSigned, from, to, x)
	case ToSigned, ToUnsigned:
		n, _ := ToInteger(op == ToSigned, from, to, x)
		return n
	}
	a, b := Float(from, x), Float(from, y)
	switch op {
	case Sqrt: // of binary32, too: 53 bits are more than twice 24 and two
		a = math.Sqrt(a)
	case Floor:
		a = math.Floor(a)
	case Ceil:
		a = math.Ceil(a)
	case Trunc:
		a = math.Trunc(a)
	case Round:
		a = math.Round(a)
	case Rint:
		a = math.RoundToEven(a)
	case Fmod:
		a = math.Mod(a, b)
	case Remainder:
		a = math.Remainder(a, b)
	}
	return Word(to, a)
}

// arithmetic converts results explicitly: Go may compute products and sums together, otherwise.
func arithmetic(op Op, width int, x, y uint64) uint64 {
	if width == 32 {
		a, b := math.Float32frombits(uint32(x)), math.Float32frombits(uint32(y))
		switch op {
		case Add:
			a = float32(a + b)
		case Mul:
			a = float32(a * b)
		default:
			a = float32(a / b)
		}
		return Word(32, float64(a))
	}
	a, b := math.Float64frombits(x), math.Float64frombits(y)
	switch op {
	case Add:
		a = float64(a + b)
	case Mul:
		a = float64(a * b)
	default:
		a = float64(a / b)
	}
	return Word(64, a)
}

// ofInteger rounds once.
func ofInteger(signed bool, from, to int, x uint64) uint64 {
	n := int64(x<<(64-from)) >> (64 - from)
	switch {
	case signed && to == 32:
		return uint64(math.Float32bits(float32(n)))
	case signed:
		return math.Float64bits(float64(n))
	case to == 32:
		return uint64(math.Float32bits(float32(x)))
	}
	return math.Float64bits(float64(x))
}

// ToInteger truncates a number to an integer of some width; ok is false where that does not fit.
func ToInteger(signed bool, from, to int, x uint64) (n uint64, ok bool) {
	a := math.Trunc(Float(from, x))
	low, high := 0.0, math.Ldexp(1, to)
	if signed {
		low, high = -math.Ldexp(1, to-1), math.Ldexp(1, to-1)
	}
	switch {
	case !(low <= a && a < high):
		return 0, false
	case signed:
		return uint64(int64(a)) & (^uint64(0) >> (64 - to)), true
	case a >= math.Ldexp(1, 63): // Go leaves it to the processor what larger numbers are
		return uint64(int64(a-math.Ldexp(1, 63))) | 1<<63, true
	}
	return uint64(int64(a)), true
}
