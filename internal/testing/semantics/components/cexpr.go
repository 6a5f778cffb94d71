package components

import "slices"

// expr is an expression with its type. op is
//
//	num, var, fun      a constant; a variable; a routine's address
//	deref, member      places: what a pointer points to, part of a place at an offset
//	decay, addr        the address of a place
//	neg cpl not cast   of one operand
//	+ - * / % << >> & | ^ == != < > <= >= && || ?: ,
//	padd psub          a pointer and a number of elements; pdiff two pointers
//	=                  also compound: then the second operand has the first inside, as place
//	pre, post          ++ and --, by val
//	call               of args[0], or of f
type expr struct {
	op   string
	t    *ctype
	args []*expr
	val  int64
	v    *variable
	f    *cfunc
	with string // of a compound assignment: the operator
}

func num(v int64, t *ctype) *expr { return &expr{op: "num", t: t, val: t.conv(v)} }

func (e *expr) place() bool { return e.op == "var" || e.op == "deref" || e.op == "member" }

// value is an expression where its value is used: arrays and routines become pointers.
func value(e *expr) *expr {
	if e.place() && e.t.kind == array {
		return &expr{op: "decay", t: pointerTo(e.t.elem), args: []*expr{e}}
	}
	return e
}

func cast(e *expr, t *ctype) *expr {
	e = value(e)
	if e.t == t || t.kind == structure {
		return e
	}
	return &expr{op: "cast", t: t, args: []*expr{e}}
}

func (r *reader) expression() *expr {
	e := r.assignment()
	for r.take(",") {
		b := value(r.assignment())
		e = &expr{op: ",", t: b.t, args: []*expr{value(e), b}}
	}
	return e
}

func (r *reader) assignment() *expr {
	e := r.conditional()
	op := r.peek().text
	if r.peek().kind != 'p' {
		return e
	}
	switch op {
	case "=":
		r.next()
		return r.assign(e, r.assignment())
	case "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=":
		r.next()
		b := value(r.assignment())
		return &expr{op: "=", t: e.t, args: []*expr{e, b}, with: op[:len(op)-1]}
	}
	return e
}

func (r *reader) assign(to, from *expr) *expr {
	if !to.place() {
		unsupported("an assignment to what is no place")
	}
	return &expr{op: "=", t: to.t, args: []*expr{to, cast(from, to.t)}}
}

func (r *reader) conditional() *expr {
	c := r.binary(0)
	if !r.take("?") {
		return c
	}
	a := value(r.expression())
	r.need(":")
	b := value(r.conditional())
	t := a.t
	if a.t.kind == integer && b.t.kind == integer {
		t = usual(a.t, b.t)
	} else if a.t.kind == integer {
		t = b.t
	}
	return &expr{op: "?:", t: t, args: []*expr{value(c), cast(a, t), cast(b, t)}}
}

var levels = [][]string{{"||"}, {"&&"}, {"|"}, {"^"}, {"&"}, {"==", "!="}, {"<", ">", "<=", ">="}, {"<<", ">>"}, {"+", "-"}, {"*", "/", "%"}}

func (r *reader) binary(level int) *expr {
	if level == len(levels) {
		return r.unary()
	}
	e := r.binary(level + 1)
	for {
		op := ""
		for _, o := range levels[level] {
			if r.is(o) && r.peek().kind == 'p' {
				op = o
			}
		}
		if op == "" {
			return e
		}
		r.next()
		e = operate(op, value(e), value(r.binary(level+1)))
	}
}

// operate types a binary operation.
func operate(op string, a, b *expr) *expr {
	both := []*expr{a, b}
	switch op {
	case "&&", "||":
		return &expr{op: op, t: tInt, args: both}
	case "<<", ">>":
		t := a.t.promoted()
		return &expr{op: op, t: t, args: []*expr{cast(a, t), cast(b, b.t.promoted())}}
	case "+", "-":
		switch {
		case a.t.kind == pointer && b.t.kind == pointer:
			return &expr{op: "pdiff", t: tLong, args: both}
		case a.t.kind == pointer:
			return &expr{op: map[string]string{"+": "padd", "-": "psub"}[op], t: a.t, args: []*expr{a, cast(b, tLong)}}
		case b.t.kind == pointer:
			return &expr{op: "padd", t: b.t, args: []*expr{b, cast(a, tLong)}}
		}
	case "==", "!=", "<", ">", "<=", ">=":
		if a.t.kind == pointer || b.t.kind == pointer {
			return &expr{op: op, t: tInt, args: []*expr{cast(a, tULong), cast(b, tULong)}}
		}
		t := usual(a.t, b.t)
		return &expr{op: op, t: tInt, args: []*expr{cast(a, t), cast(b, t)}}
	}
	t := usual(a.t, b.t)
	return &expr{op: op, t: t, args: []*expr{cast(a, t), cast(b, t)}}
}

func (r *reader) unary() *expr {
	if r.peek().kind == 'p' {
		switch op := r.peek().text; op {
		case "-", "~", "+":
			r.next()
			e := value(r.unary())
			e = cast(e, e.t.promoted())
			if op == "+" {
				return e
			}
			return &expr{op: map[string]string{"-": "neg", "~": "cpl"}[op], t: e.t, args: []*expr{e}}
		case "!":
			r.next()
			return &expr{op: "not", t: tInt, args: []*expr{value(r.unary())}}
		case "*":
			r.next()
			return deref(value(r.unary()))
		case "&":
			r.next()
			e := r.unary()
			if e.op == "fun" {
				return e
			}
			markRead(e)
			return &expr{op: "addr", t: pointerTo(e.t), args: []*expr{e}}
		case "++", "--":
			r.next()
			return bump("pre", r.unary(), op)
		case "(":
			r.next()
			if r.startsType() {
				base, _ := r.specifiers()
				_, t := r.declarator(base)
				r.need(")")
				return cast(r.unary(), t)
			}
			r.at--
		}
	}
	if r.take("sizeof") {
		if r.is("(") {
			r.next()
			if r.startsType() {
				base, _ := r.specifiers()
				_, t := r.declarator(base)
				r.need(")")
				return num(int64(t.size), tULong)
			}
			r.at--
		}
		return num(int64(r.unary().t.size), tULong)
	}
	return r.postfix(r.primary())
}

func deref(e *expr) *expr {
	if e.op == "fun" {
		return e
	}
	if e.t.kind != pointer {
		unsupported("* of what is no pointer")
	}
	return &expr{op: "deref", t: e.t.elem, args: []*expr{e}}
}

func bump(op string, e *expr, by string) *expr {
	n := int64(1)
	if by == "--" {
		n = -1
	}
	if e.t.kind == pointer {
		n *= int64(e.t.elem.size)
	}
	return &expr{op: op, t: e.t, args: []*expr{e}, val: n}
}

func (r *reader) postfix(e *expr) *expr {
	for r.peek().kind == 'p' {
		switch op := r.peek().text; op {
		case "[":
			r.next()
			i := value(r.expression())
			r.need("]")
			e = deref(operate("+", value(e), i))
		case ".", "->":
			r.next()
			if op == "->" {
				e = deref(value(e))
			}
			f, ok := e.t.member(r.next().text)
			if !ok {
				unsupported("an unknown member")
			}
			e = &expr{op: "member", t: f.t, args: []*expr{e}, val: int64(f.off)}
		case "++", "--":
			r.next()
			e = bump("post", e, op)
		case "(":
			e = r.call(e)
		default:
			return e
		}
	}
	return e
}

func (r *reader) call(callee *expr) *expr {
	r.next()
	c := &expr{op: "call", f: callee.f}
	t := callee.t
	if callee.op != "fun" {
		c.f, c.args = nil, []*expr{callee}
	}
	if t.kind == pointer {
		t = t.elem
	}
	if t.kind != function {
		unsupported("a call of what is no routine")
	}
	c.t = t.result
	for i := 0; !r.take(")"); i++ {
		a := value(r.assignment())
		if i < len(t.params) {
			a = cast(a, t.params[i].t)
		} else if a.t.kind == integer {
			a = cast(a, a.t.promoted())
		}
		c.args = append(c.args, a)
		r.take(",")
	}
	return c
}

func (r *reader) primary() *expr {
	t := r.next()
	switch t.kind {
	case 'd':
		return num(t.val, t.t)
	case 's':
		v := &variable{name: "a string", t: arrayOf(tChar, len(t.str)+1), fixed: true, bytes: t.str + "\x00", read: true}
		r.p.globals = append(r.p.globals, v)
		return &expr{op: "var", t: v.t, v: v}
	case 'p':
		if t.text == "(" {
			e := r.expression()
			r.need(")")
			return e
		}
	case 'n':
		return r.name(t.text)
	}
	unsupported("%q in an expression", t.text)
	return nil
}

func (r *reader) name(name string) *expr {
	if name[0] == '$' {
		n := 0
		for _, c := range name[1:] {
			n = 10*n + int(c-'0')
		}
		if r.dollar == nil || r.dollar(n) == nil {
			unsupported("%s", name)
		}
		v := r.dollar(n)
		return r.variable(v)
	}
	for s := r.scope; s != nil; s = s.up {
		if n, is := s.numbers[name]; is {
			return num(n, tInt)
		}
		if v := s.vars[name]; v != nil {
			return r.variable(v)
		}
	}
	if n, is := r.p.enums[name]; is {
		return num(n, tInt)
	}
	f := r.p.funcs[name]
	if f == nil {
		if !r.is("(") {
			unsupported("the name %s", name)
		}
		f = &cfunc{name: name, number: len(r.p.order), t: &ctype{kind: function, size: 1, align: 1, result: tInt, open: true}}
		r.p.funcs[name] = f
		r.p.order = append(r.p.order, f)
	}
	return &expr{op: "fun", t: pointerTo(f.t), f: f}
}

func (r *reader) variable(v *variable) *expr {
	if r.spoken {
		v.read, v.spoken = true, true
	}
	return &expr{op: "var", t: v.t, v: v}
}

// markRead notes that what a place holds can make a difference.
func markRead(e *expr) {
	for ; e.op == "member"; e = e.args[0] {
	}
	if e.op == "var" {
		e.v.read = true
	}
}

// constantOf is the value of an expression of constants.
func constantOf(e *expr) (v int64, ok bool) {
	if hasVariable(e) {
		return 0, false
	}
	defer func() {
		if r := recover(); r != nil {
			v, ok = 0, false
		}
	}()
	return evaluate(e, &activation{}, nil), true
}

func hasVariable(e *expr) bool {
	if e.op == "var" || e.op == "deref" || e.op == "call" || e.op == "=" || e.op == "pre" || e.op == "post" || e.op == "fun" || e.op == "," {
		return true
	}
	return slices.ContainsFunc(e.args, hasVariable)
}
