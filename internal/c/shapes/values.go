package shapes

import (
	"math"

	"github.com/seltl/seltl/c/ir"
)

// value is what a scalar holds.
type value struct {
	kind kind
	bits uint64 // a number, as ir.Canonical has it
	at   id     // an address: of an object,
	off  int64  // and a byte of it
	last bool   // of a segment: its last node, and not its first one
	sym  symbol
	f    *ir.Func
}

type kind uint8

const (
	unknown kind = iota
	number
	address
	routine
)

func numeral(bits uint64) value { return value{kind: number, bits: bits} }

// numbers are what a symbol can be: if it is known, an integer from low to high; else any bits, which are not zero if
// that is said. 64-bit unsigned numbers are known if they are below 1<<63.
type numbers struct {
	known     bool
	low, high int64
	nonzero   bool
}

// anything is a value of which nothing is known.
var anything = numbers{}

// ofType are the values of a type.
func ofType(t *ir.Type) numbers {
	switch {
	case t.Kind != ir.Integer || t.Size > 8 || t.Size == 8 && !t.Signed:
		return anything
	case t.Bool:
		return numbers{known: true, high: 1}
	case t.Signed:
		most := int64(math.MaxInt64) >> (64 - t.Width())
		return numbers{known: true, low: -most - 1, high: most}
	}
	return numbers{known: true, high: 1<<t.Width() - 1}
}

// within reports that all of some numbers are of a type.
func (n numbers) within(t *ir.Type) bool {
	if !n.known || t.Kind != ir.Integer || t.Bool {
		return false
	}
	if t.Size == 8 && !t.Signed {
		return n.low >= 0
	}
	all := ofType(t)
	return all.known && all.low <= n.low && n.high <= all.high
}

// has reports that one of them may be a number of a type.
func (n numbers) has(bits uint64, t *ir.Type) bool {
	if n.nonzero && bits == 0 {
		return false
	}
	if !n.known || t.Kind != ir.Integer {
		return true
	}
	if t.Size == 8 && !t.Signed && bits > math.MaxInt64 {
		return false
	}
	return n.low <= int64(bits) && int64(bits) <= n.high
}

// of are the numbers that a value of a type can be.
func (s *state) of(v value, t *ir.Type) numbers {
	switch v.kind {
	case number:
		if t.Kind != ir.Integer || t.Size == 8 && !t.Signed && v.bits > math.MaxInt64 {
			return numbers{nonzero: v.bits != 0}
		}
		return numbers{known: true, low: int64(v.bits), high: int64(v.bits), nonzero: v.bits != 0}
	case unknown:
		return s.symbols[v.sym]
	}
	return numbers{}
}

// join are the numbers of both.
func (n numbers) join(m numbers) numbers {
	if !n.known || !m.known {
		return numbers{nonzero: n.notZero() && m.notZero()}
	}
	return numbers{known: true, low: min(n.low, m.low), high: max(n.high, m.high), nonzero: n.notZero() && m.notZero()}
}

// notZero reports that none is zero.
func (n numbers) notZero() bool { return n.nonzero || n.known && (n.low > 0 || n.high < 0) }

// covers reports that all of m are of n.
func (n numbers) covers(m numbers) bool {
	if n.notZero() && !m.notZero() {
		return false
	}
	return !n.known || m.known && n.low <= m.low && m.high <= n.high
}

// ranged is a number, or a symbol, between two numbers, if a type has them all; else any of the type.
func (s *state) ranged(t *ir.Type, low, high int64) value {
	n := numbers{known: true, low: low, high: high}
	switch {
	case !n.within(t):
		return s.fresh(ofType(t))
	case low == high:
		return numeral(uint64(low))
	}
	return s.fresh(n)
}

// arithmetic computes an operation on integers of one type; ok is false where it may have no result.
func (s *state) arithmetic(op ir.Op, t, shift *ir.Type, x, y value) (z value, ok bool) {
	if x.kind == number && y.kind == number {
		bits, ok := ir.EvalBinary(op, t, x.bits, y.bits)
		return numeral(bits), ok
	}
	a, b := s.of(x, t), s.of(y, shift)
	switch op {
	case ir.Div, ir.Rem:
		if !b.notZero() || t.Signed && !(b.known && (b.low > -1 || b.high < -1)) && !(a.known && a.low > ofType(t).low) {
			return value{}, false
		}
		if a.known && b.known && a.low >= 0 && b.low > 0 {
			if op == ir.Div {
				return s.ranged(t, a.low/b.high, a.high/b.low), true
			}
			return s.ranged(t, 0, min(a.high, b.high-1)), true
		}
	case ir.Shl, ir.Shr:
		if !b.known || b.low < 0 || b.high >= int64(t.Width()) {
			return value{}, false
		}
		if op == ir.Shr && a.known && a.low >= 0 {
			return s.ranged(t, a.low>>b.high, a.high>>b.low), true
		}
	default:
		if low, high, exact := bounds(op, a, b); exact {
			return s.ranged(t, low, high), true
		}
	}
	return s.fresh(ofType(t)), true
}

// bounds are those of a sum, a difference, a product, or of what is made bit by bit; exact is false where they are not known.
func bounds(op ir.Op, a, b numbers) (low, high int64, exact bool) {
	if op == ir.BitAnd {
		if b.known && b.low >= 0 {
			return 0, b.high, true
		}
		return 0, a.high, a.known && a.low >= 0
	}
	if !a.known || !b.known {
		return 0, 0, false
	}
	const most = 1 << 31 // so that nothing overflows
	for _, x := range []int64{a.low, a.high, b.low, b.high} {
		if x > most || x < -most {
			return 0, 0, false
		}
	}
	switch op {
	case ir.Add:
		return a.low + b.low, a.high + b.high, true
	case ir.Sub:
		return a.low - b.high, a.high - b.low, true
	case ir.Mul:
		p, q, r, s := a.low*b.low, a.low*b.high, a.high*b.low, a.high*b.high
		return min(p, q, r, s), max(p, q, r, s), true
	}
	return 0, 0, false
}

// converted is an integer as one of another type, as ir.Convert has it.
func (s *state) converted(v value, from, to *ir.Type) value {
	switch {
	case v.kind == number:
		return numeral(ir.Extend(to, v.bits))
	case v.kind != unknown && from.Size == to.Size && !to.Bool: // an address in an integer as wide as one
		return v
	case to.Bool && !ofType(to).covers(s.of(v, from)):
		return s.fresh(anything)
	case from.Kind == ir.Integer && to.Kind == ir.Integer && s.of(v, from).within(to):
		return v
	}
	return s.fresh(ofType(to))
}
