package components

// activation is where variables of a call lie, and those of all.
type activation struct {
	up   *activation
	vars map[*variable]int
	name string
}

func (a *activation) address(v *variable) int64 {
	for s := a; s != nil; s = s.up {
		if at, ok := s.vars[v]; ok {
			return int64(at)
		}
	}
	unsupported("the variable %s here", v.name)
	return 0
}

// place is the address of a place.
func place(e *expr, a *activation, m *memory) int64 {
	switch e.op {
	case "var":
		return a.address(e.v)
	case "deref":
		return evaluate(e.args[0], a, m)
	case "member":
		at := place(e.args[0], a, m)
		if at >= 0 && at < base {
			panic(discarded{})
		}
		return at + e.val
	}
	unsupported("a place %s", e.op)
	return 0
}

// evaluate is the value of an expression without side effects.
func evaluate(e *expr, a *activation, m *memory) int64 {
	arg := func(i int) int64 { return evaluate(e.args[i], a, m) }
	switch e.op {
	case "num":
		return e.val
	case "fun":
		return firstRoutine + int64(e.f.number)*16
	case "var", "deref", "member":
		return m.load(place(e, a, m), e.t)
	case "decay":
		return place(e.args[0], a, m)
	case "addr":
		return place(e.args[0], a, m)
	case "neg":
		return e.t.conv(-arg(0))
	case "cpl":
		return e.t.conv(^arg(0))
	case "not":
		return flag(arg(0) == 0)
	case "cast":
		if e.t.kind == void {
			return 0
		}
		return e.t.conv(arg(0))
	case "&&":
		return flag(arg(0) != 0 && arg(1) != 0)
	case "||":
		return flag(arg(0) != 0 || arg(1) != 0)
	case "?:":
		if arg(0) != 0 {
			return arg(1)
		}
		return arg(2)
	case ",":
		arg(0)
		return arg(1)
	case "padd":
		return arg(0) + arg(1)*int64(e.t.elem.size)
	case "psub":
		return arg(0) - arg(1)*int64(e.t.elem.size)
	case "pdiff":
		return (arg(0) - arg(1)) / int64(e.args[0].t.elem.size)
	case "==", "!=", "<", ">", "<=", ">=":
		return flag(compared(e.op, e.args[0].t, arg(0), arg(1)))
	}
	return e.t.conv(computed(e.op, e.t, arg(0), arg(1)))
}

func flag(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

func compared(op string, t *ctype, x, y int64) bool {
	less, equal := x < y, x == y
	if t.kind == pointer || !t.signed {
		less = uint64(x) < uint64(y)
	}
	switch op {
	case "==":
		return equal
	case "!=":
		return !equal
	case "<":
		return less
	case ">":
		return !less && !equal
	case "<=":
		return less || equal
	}
	return !less
}

// computed is an operation on words: signed overflow wraps around.
func computed(op string, t *ctype, x, y int64) int64 {
	switch op {
	case "+":
		return x + y
	case "-":
		return x - y
	case "*":
		return x * y
	case "&":
		return x & y
	case "|":
		return x | y
	case "^":
		return x ^ y
	case "/", "%":
		if y == 0 || t.signed && y == -1 && x == -1<<(8*t.size-1) {
			panic(mistaken{"a division by zero"})
		}
		switch {
		case !t.signed && op == "/":
			return int64(uint64(x) / uint64(y))
		case !t.signed:
			return int64(uint64(x) % uint64(y))
		case op == "/":
			return x / y
		}
		return x % y
	case "<<", ">>":
		if y < 0 || y >= int64(8*t.size) {
			panic(mistaken{"a shift by too much"})
		}
		switch {
		case op == "<<":
			return x << y
		case t.signed:
			return x >> y
		}
		bits := uint64(x)
		if t.size < 8 {
			bits &= 1<<(8*t.size) - 1
		}
		return int64(bits >> y)
	}
	unsupported("the operation %s", op)
	return 0
}
