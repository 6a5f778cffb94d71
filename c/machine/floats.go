package machine

import (
	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/internal/ieee"
)

// bitsOfNaN is why the bits of what is no number are not known.
const bitsOfNaN = "the bits of what is no number (NaN), which C leaves open"

// ofNumber is the label of what an operation makes of a floating-point number: its bits do not count if it is none.
func (g *guesses) ofNumber(l label) label {
	if g.kind(l) == noNumber {
		return 0
	}
	return g.changed(l)
}

// number adds to the label of a floating-point result what is not known of it.
func (m *Machine) number(t *ir.Type, z uint64) uint64 {
	if t.Kind == ir.IEEE && ieee.IsNaN(t.Width(), z) {
		m.depend(m.guesses.label(guess{bitsOfNaN, noNumber}))
	}
	return z
}

func (m *Machine) unaryFloat(e *ir.Unary, span ir.Span) (uint64, error) {
	before := m.depends()
	x, err := m.eval(e.X, span)
	m.dep = m.ofNumber(m.dep)
	z := m.number(e.Type(), ir.FloatUnary(e.Op, e.Type().Width(), x))
	m.depend(before)
	return z, err
}

func (m *Machine) binaryFloat(e *ir.Binary, x, y uint64, first, second label, span ir.Span) uint64 {
	t := e.X.Type()
	m.depend(m.ofNumber(first))
	if e.Op != ir.CopySign {
		second = m.ofNumber(second)
	}
	m.depend(m.changed(second))
	if (e.Op == ir.FMin || e.Op == ir.FMax) && x != y && ieee.Equal(t.Width(), x, y) {
		m.depend(m.guesses.label(guess{why: "which of 0 and -0 is taken" + placeIn(span)}))
	}
	if (e.Op == ir.FMin || e.Op == ir.FMax) && (ieee.Signals(t.Width(), x) || ieee.Signals(t.Width(), y)) {
		m.depend(m.guesses.label(guess{why: "what is the least or greatest of a signalling NaN" + placeIn(span)}))
	}
	z, _ := ir.FloatBinary(e.Op, t.Width(), x, y)
	return m.number(e.T, z)
}

// convertFloat converts from or to a floating-point number.
func (m *Machine) convertFloat(e *ir.Convert, span ir.Span) (uint64, error) {
	before, from := m.depends(), e.X.Type()
	x, err := m.eval(e.X, span)
	switch l := m.depends(); {
	case from.Kind == ir.IEEE:
		m.depend(m.ofNumber(l))
	case m.points(l):
		m.depend(m.guesses.layout())
	default:
		m.depend(m.changed(l))
	}
	z, ok := ir.EvalConvert(from, e.T, x)
	if !ok {
		m.depend(m.guesses.label(guess{why: "what becomes of a number that does not fit " + e.T.Name + placeIn(span)}))
	}
	m.number(e.T, z)
	m.depend(before)
	return z, err
}
