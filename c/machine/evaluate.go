package machine

import "github.com/seltl/seltl/c/ir"

// eval computes a scalar expression: a canonical value of its type.
func (m *Machine) eval(e ir.Expr, span ir.Span) (uint64, error) {
	switch e := e.(type) {
	case *ir.Const:
		return e.Bits, nil
	case *ir.Load:
		if e.From.Type.Kind == ir.Float {
			m.depend(m.floating(span))
			return 0, nil
		}
		a, err := m.place(e.From, span)
		if err != nil {
			return 0, err
		}
		return m.read(a, span)
	case *ir.Addr:
		at, err := m.address(e.Of, span)
		return ir.Extend(e.T, at), err
	case *ir.FuncAddr:
		m.depend(m.guesses.address())
		return m.addrs[e.Func], nil
	case *ir.Unary:
		if e.X.Type().Kind == ir.IEEE {
			return m.unaryFloat(e, span)
		}
		x, err := m.eval(e.X, span)
		m.dep = m.changed(m.dep)
		return ir.EvalUnary(e.Op, e.X.Type(), x), err
	case *ir.Binary:
		before := m.depends()
		z, err := m.binary(e, span)
		m.depend(before)
		return z, err
	case *ir.Convert:
		if e.X.Type().Kind == ir.IEEE || e.T.Kind == ir.IEEE {
			return m.convertFloat(e, span)
		}
		x, err := m.eval(e.X, span)
		m.dep = m.converted(m.dep, e.X.Type(), e.T)
		return ir.Extend(e.T, x), err
	case *ir.Move:
		return m.move(e, span)
	case *ir.Distance:
		return m.distance(e, span)
	}
	return 0, m.undefined(span, "an expression that has no value")
}

func (m *Machine) move(e *ir.Move, span ir.Span) (uint64, error) {
	before := m.depends()
	p, err := m.eval(e.P, span)
	if err != nil {
		return 0, err
	}
	first := m.depends()
	by, err := m.eval(e.By, span)
	z := ir.Extend(e.T, p+by*uint64(e.Stride))
	if second := m.depends(); m.points(first) {
		m.dep = m.moved(first, second, p, z)
	} else {
		m.depend(m.changed(first))
		m.depend(m.changed(second))
		m.wrapped(first, p, z)
	}
	m.depend(before)
	return z, err
}

func (m *Machine) binary(e *ir.Binary, span ir.Span) (uint64, error) {
	x, err := m.eval(e.X, span)
	if err != nil {
		return 0, err
	}
	first := m.depends()
	y, err := m.eval(e.Y, span)
	if err != nil {
		return 0, err
	}
	second := m.depends()
	if e.X.Type().Kind == ir.IEEE {
		return m.binaryFloat(e, x, y, first, second, span), nil
	}
	if e.Op == ir.Div || e.Op == ir.Rem { // other values may have no result
		m.decided(m.changed(first))
	}
	if e.Op >= ir.Div && e.Op <= ir.Shr {
		m.decided(m.changed(second))
	}
	if m.points(first) || m.points(second) {
		m.dep = m.onAddresses(e, x, y, first, second)
	} else {
		m.dep = m.comparison(e, first, second)
	}
	z, ok := ir.EvalBinary(e.Op, e.X.Type(), x, y)
	if !ok {
		if e.Op == ir.Div || e.Op == ir.Rem {
			kind := ir.CheckOverflow
			if y == 0 {
				kind = ir.CheckDiv
			}
			return 0, m.broken(kind, span, "division of %d by %d", int64(x), int64(y))
		}
		return 0, m.undefined(span, "a shift by %d bits", int64(y))
	}
	return z, nil
}

func (m *Machine) distance(e *ir.Distance, span ir.Span) (uint64, error) {
	before := m.depends()
	p, err := m.eval(e.P, span)
	if err != nil {
		return 0, err
	}
	first := m.depends()
	q, err := m.eval(e.Q, span)
	if err != nil {
		return 0, err
	}
	switch second := m.depends(); {
	case !m.points(first) && !m.points(second):
		m.depend(m.changed(first))
		m.depend(m.changed(second))
	case !m.together(p, q, first, second):
		m.dep = m.guesses.layout()
	}
	m.depend(before)
	diff := int64(ir.Extend(e.T, p-q))
	if e.Stride == 0 {
		return 0, m.undefined(span, "the distance of elements without size")
	}
	if diff%e.Stride != 0 {
		return 0, m.undefined(span, "the distance of pointers that is no multiple of the size")
	}
	return ir.Extend(e.T, uint64(diff/e.Stride)), nil
}

// nobodys: smaller numbers are no object's address.
const nobodys = 0x1000
