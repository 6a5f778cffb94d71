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
		return m.addrs[e.Func], nil
	case *Unary:
		x, err := m.eval(e.X, span)
		m.dep = m.changed(m.dep)
		return evalUnary(e.Op, e.X.Type(), x), err
	case *Binary:
		before := m.depends()
		z, err := m.binary(e, span)
		m.depend(before)
		return z, err
	case *Convert:
		x, err := m.eval(e.X, span)
		if from := e.X.Type(); from.Kind != e.T.Kind || from.Size > e.T.Size || from.Signed != e.T.Signed {
			m.dep = m.changed(m.dep)
		}
		return canonical(e.T, x), err
	case *Move:
		defer func() { m.dep = m.changed(m.dep) }()
		p, err := m.eval(e.P, span)
		if err != nil {
			return 0, err
		}
		by, err := m.eval(e.By, span)
		return canonical(e.T, p+by*uint64(e.Stride)), err
	case *Distance:
		return m.distance(e, span)
	}
	return 0, m.undefined(span, "an expression that has no value")
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
	if e.Op == Div || e.Op == Rem { // other values may have no result
		m.decided(first)
	}
	if e.Op >= Div && e.Op <= Shr {
		m.decided(second)
	}
	m.dep = m.comparison(e, first, second)
	if t := e.X.Type(); t.Kind == Pointer && e.Op >= Lt {
		m.apart(x, y)
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
	defer func() { m.dep = m.changed(m.dep) }()
	p, err := m.eval(e.P, span)
	if err != nil {
		return 0, err
	}
	q, err := m.eval(e.Q, span)
	if err != nil {
		return 0, err
	}
	m.apart(p, q)
	diff := int64(canonical(e.T, p-q))
	if e.Stride == 0 {
		return 0, m.undefined(span, "the distance of elements without size")
	}
	return canonical(e.T, uint64(diff/e.Stride)), nil
}

// apart takes note of an operation on addresses in different objects, which depends on
// where these lie.
func (m *Machine) apart(p, q uint64) {
	if a, b := m.mem.find(p), m.mem.find(q); a != b && p >= nobodys && q >= nobodys {
		m.guess = "the order of objects in memory"
	}
}

// nobodys: smaller numbers are no object's address.
const nobodys = 0x1000
