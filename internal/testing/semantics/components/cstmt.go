package components

// stmt is a statement. op is
//
//	block (list), expr, decl (v), if, while, do, for, switch, return, break, continue, goto, label, case, default, empty
type stmt struct {
	op   string
	list []*stmt
	e    *expr // condition, value, expression
	post *expr // of for
	v    *variable
	name string
	val  int64
}

func (r *reader) block(outermost bool) *stmt {
	r.need("{")
	if !outermost {
		r.scope = &scope{up: r.scope, vars: map[string]*variable{}}
		defer func() { r.scope = r.scope.up }()
	}
	r.depth++
	defer func() { r.depth-- }()
	s := &stmt{op: "block"}
	for !r.take("}") {
		s.list = append(s.list, r.item()...)
	}
	return s
}

func (r *reader) item() []*stmt {
	if r.startsType() {
		return r.declaration()
	}
	return []*stmt{r.statement()}
}

func (r *reader) declaration() (all []*stmt) {
	base, st := r.specifiers()
	for !r.is(";") {
		name, t := r.declarator(base)
		if t.kind == function {
			r.function(name, t, st)
			r.take(",")
			continue
		}
		v := &variable{name: name, t: t, owner: r.f, fixed: st.static, outer: r.depth == 1 && !r.f.gone}
		r.f.vars = append(r.f.vars, v)
		r.scope.vars[name] = v
		if st.static {
			r.p.globals = append(r.p.globals, v)
		}
		if r.take("=") {
			v.init = r.initializer(v)
		}
		if v.t.len < 0 {
			unsupported("an array without a size")
		}
		if !st.static {
			all = append(all, &stmt{op: "decl", v: v})
		}
		r.take(",")
	}
	r.need(";")
	return all
}

// initializer reads what stands behind = in a declaration.
func (r *reader) initializer(v *variable) *initial {
	if !r.is("{") && (r.peek().kind != 's' || v.t.kind != array) {
		return &initial{parts: []part{{0, v.t, cast(r.assignment(), v.t)}}}
	}
	in := &initial{zero: true}
	if v.t.len < 0 {
		v.t = arrayOf(v.t.elem, r.count())
	}
	r.parts(in, v.t, 0)
	return in
}

// count is how many elements the initialiser of an array without a size has.
func (r *reader) count() int {
	if r.peek().kind == 's' {
		return len(r.peek().str) + 1
	}
	depth, n, some := 0, 0, false
	for i := r.at; ; i++ {
		switch t := r.toks[i]; {
		case t.kind == 0:
			unsupported("an initialiser without an end")
		case t.text == "[" && depth == 1:
			unsupported("designators in an array without a size")
		case t.text == "{" || t.text == "(":
			some = some || depth == 1
			depth++
		case t.text == "}" || t.text == ")":
			if depth--; depth == 0 {
				if some {
					n++
				}
				return n
			}
		case t.text == "," && depth == 1:
			n++
			some = false
		default:
			some = some || depth == 1
		}
	}
}

func (r *reader) parts(in *initial, t *ctype, off int) {
	if r.peek().kind == 's' && t.kind == array {
		s := r.next().str
		for i := range min(len(s), t.len) {
			in.parts = append(in.parts, part{off + i, t.elem, num(int64(int8(s[i])), t.elem)})
		}
		return
	}
	if t.scalar() || !r.is("{") {
		if r.is("{") {
			unsupported("braces around a scalar")
		}
		in.parts = append(in.parts, part{off, t, cast(r.assignment(), t)})
		return
	}
	r.need("{")
	for i := 0; !r.take("}"); i++ {
		switch {
		case r.take("["):
			i = int(r.constant())
			r.need("]")
			r.need("=")
		case r.take("."):
			name := r.next().text
			for k, f := range t.fields {
				if f.name == name {
					i = k
				}
			}
			r.need("=")
		}
		if t.kind == array {
			if i >= t.len {
				unsupported("too many elements")
			}
			r.parts(in, t.elem, off+i*t.elem.size)
		} else {
			if i >= len(t.fields) {
				unsupported("too many members")
			}
			r.parts(in, t.fields[i].t, off+t.fields[i].off)
		}
		r.take(",")
	}
}

func (r *reader) statement() *stmt {
	t := r.peek()
	if t.kind == 'n' && r.toks[r.at+1].text == ":" && t.text != "default" {
		r.at += 2
		r.f.labels = true
		return &stmt{op: "label", name: t.text, list: []*stmt{r.statementOrEnd()}}
	}
	switch t.text {
	case "{":
		return r.block(false)
	case ";":
		r.next()
		return &stmt{op: "empty"}
	case "if":
		r.next()
		r.need("(")
		s := &stmt{op: "if", e: value(r.expression())}
		r.need(")")
		s.list = append(s.list, r.statement())
		if r.take("else") {
			s.list = append(s.list, r.statement())
		}
		return s
	case "while", "do":
		return r.loop()
	case "for":
		return r.forLoop()
	case "switch":
		r.next()
		r.f.labels = true
		r.need("(")
		e := value(r.expression())
		s := &stmt{op: "switch", e: cast(e, e.t.promoted())}
		r.need(")")
		s.list = []*stmt{r.statement()}
		return s
	case "case":
		r.next()
		s := &stmt{op: "case", val: r.constant()}
		r.need(":")
		s.list = []*stmt{r.statementOrEnd()}
		return s
	case "default":
		r.next()
		r.need(":")
		return &stmt{op: "default", list: []*stmt{r.statementOrEnd()}}
	case "return":
		r.next()
		s := &stmt{op: "return"}
		if !r.is(";") {
			s.e = value(r.expression())
			if r.f.t.result.kind != void {
				s.e = cast(s.e, r.f.t.result)
			}
		}
		r.need(";")
		return s
	case "break", "continue":
		r.next()
		r.need(";")
		return &stmt{op: t.text}
	case "goto":
		r.next()
		r.f.gone = true
		s := &stmt{op: "goto", name: r.next().text}
		r.need(";")
		return s
	}
	s := &stmt{op: "expr", e: r.expression()}
	r.need(";")
	return s
}

// loop is while or do.
func (r *reader) loop() *stmt {
	s := &stmt{op: r.next().text}
	if s.op == "do" {
		s.list = []*stmt{r.statement()}
		r.need("while")
	}
	r.need("(")
	s.e = value(r.expression())
	r.need(")")
	if s.op == "do" {
		r.need(";")
	} else {
		s.list = []*stmt{r.statement()}
	}
	return s
}

// statementOrEnd is a statement, or none before the end of a block.
func (r *reader) statementOrEnd() *stmt {
	if r.is("}") {
		return &stmt{op: "empty"}
	}
	if r.startsType() {
		unsupported("a declaration behind a label")
	}
	return r.statement()
}

func (r *reader) forLoop() *stmt {
	r.next()
	r.need("(")
	r.scope = &scope{up: r.scope, vars: map[string]*variable{}}
	defer func() { r.scope = r.scope.up }()
	r.depth++
	defer func() { r.depth-- }()
	outer := &stmt{op: "block"}
	s := &stmt{op: "for"}
	switch {
	case r.startsType():
		outer.list = r.declaration()
	case r.take(";"):
	default:
		outer.list = []*stmt{{op: "expr", e: r.expression()}}
		r.need(";")
	}
	if !r.is(";") {
		s.e = value(r.expression())
	}
	r.need(";")
	if !r.is(")") {
		s.post = r.expression()
	}
	r.need(")")
	s.list = []*stmt{r.statement()}
	outer.list = append(outer.list, s)
	return outer
}
