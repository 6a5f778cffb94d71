package cfront

// eval computes a scalar expression: a canonical value of its type.
func (m *Machine) eval(e Expr, span Span) (uint64, error) {
	switch e := e.(type) {
	case *Const:
		return e.Bits, nil
	case *Load:
		if e.From.Type.Kind == Float {
			m.depend(m.floating(span))
			return 0, nil
		}
		a, err := m.place(e.From, span)
		if err != nil {
			return 0, err
		}
		return m.read(a, span)
	case *Addr:
		at, err := m.address(e.Of, span)
		return canonical(e.T, at), err
	case *FuncAddr:
		m.depend(m.guesses.address())
		return m.addrs[e.Func], nil
	case *Unary:
		if e.X.Type().Kind == IEEE {
			return m.unaryFloat(e, span)
		}
		x, err := m.eval(e.X, span)
		m.dep = m.changed(m.dep)
		return evalUnary(e.Op, e.X.Type(), x), err
	case *Binary:
		before := m.depends()
		z, err := m.binary(e, span)
		m.depend(before)
		return z, err
	case *Convert:
		if e.X.Type().Kind == IEEE || e.T.Kind == IEEE {
			return m.convertFloat(e, span)
		}
		x, err := m.eval(e.X, span)
		m.dep = m.converted(m.dep, e.X.Type(), e.T)
		return canonical(e.T, x), err
	case *Move:
		return m.move(e, span)
	case *Distance:
		return m.distance(e, span)
	}
	return 0, m.undefined(span, "an expression that has no value")
}

func (m *Machine) move(e *Move, span Span) (uint64, error) {
	before := m.depends()
	p, err := m.eval(e.P, span)
	if err != nil {
		return 0, err
	}
	first := m.depends()
	by, err := m.eval(e.By, span)
	z := canonical(e.T, p+by*uint64(e.Stride))
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

func (m *Machine) binary(e *Binary, span Span) (uint64, error) {
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
	if e.X.Type().Kind == IEEE {
		return m.binaryFloat(e, x, y, first, second, span), nil
	}
	if e.Op == Div || e.Op == Rem { // other values may have no result
		m.decided(m.changed(first))
	}
	if e.Op >= Div && e.Op <= Shr {
		m.decided(m.changed(second))
	}
	if m.points(first) || m.points(second) {
		m.dep = m.onAddresses(e, x, y, first, second)
	} else {
		m.dep = m.comparison(e, first, second)
	}
	z, ok := evalBinary(e.Op, e.X.Type(), x, y)
	if !ok {
		if e.Op == Div || e.Op == Rem {
			kind := CheckOverflow
			if y == 0 {
				kind = CheckDiv
			}
			return 0, m.broken(kind, span, "division of %d by %d", int64(x), int64(y))
		}
		return 0, m.undefined(span, "a shift by %d bits", int64(y))
	}
	return z, nil
}

func (m *Machine) distance(e *Distance, span Span) (uint64, error) {
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
	diff := int64(canonical(e.T, p-q))
	if e.Stride == 0 {
		return 0, m.undefined(span, "the distance of elements without size")
	}
	return canonical(e.T, uint64(diff/e.Stride)), nil
}

// nobodys: smaller numbers are no object's address.
const nobodys = 0x1000
