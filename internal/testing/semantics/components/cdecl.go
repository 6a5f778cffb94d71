package components

// variable is one of C: a global, a static one, a parameter, or a local.
type variable struct {
	name   string
	t      *ctype
	fixed  bool // a global or static: one for all activations
	owner  *cfunc
	param  bool
	init   *initial
	outer  bool    // declared in the outermost block, before any goto
	read   bool    // what it holds can make a difference
	spoken bool    // a formula speaks of it
	given  []*expr // what is assigned to it, somewhere
	bytes  string  // of a string literal
}

// initial is what an initialiser says: the value of a scalar, or those of parts of an aggregate.
type initial struct {
	zero  bool // what is not said is 0
	parts []part
}

type part struct {
	off int
	t   *ctype
	e   *expr
}

// cfunc is a routine.
type cfunc struct {
	name     string
	t        *ctype
	params   []*variable
	vars     []*variable // parameters, then locals and static ones in the order of the text
	body     *stmt       // nil: it has none
	noreturn bool
	taken    bool // its address is used
	labels   bool // labels, or a switch
	gone     bool // while it is read: a goto was seen
	number   int
}

// program is a C source.
type program struct {
	globals []*variable
	funcs   map[string]*cfunc
	order   []*cfunc
	tags    map[string]*ctype
	types   map[string]*ctype
	enums   map[string]int64
}

// scope is the names of a block.
type scope struct {
	up      *scope
	vars    map[string]*variable
	numbers map[string]int64 // of the specification: indices and constants
	tags    map[string]*ctype
}

func (s *scope) find(name string) *variable {
	for ; s != nil; s = s.up {
		if v := s.vars[name]; v != nil {
			return v
		}
	}
	return nil
}

// reader reads C.
type reader struct {
	p     *program
	toks  []token
	at    int
	scope *scope
	f     *cfunc
	depth int
	// dollar is what $n is, nil: unknown.
	dollar func(n int) *variable
	spoken bool // names are spoken of by a formula
}

func (r *reader) peek() token { return r.toks[r.at] }

func (r *reader) next() token {
	t := r.toks[r.at]
	if t.kind != 0 {
		r.at++
	}
	return t
}

func (r *reader) is(text string) bool {
	t := r.peek()
	return t.text == text && t.kind != 's' && t.kind != 'd' && t.kind != 0
}

func (r *reader) take(text string) bool {
	if r.is(text) {
		r.at++
		return true
	}
	return false
}

func (r *reader) need(text string) {
	if !r.take(text) {
		unsupported("%q where %q was expected", r.peek().text, text)
	}
}

// startsType reports that a declaration or a type name begins here.
func (r *reader) startsType() bool {
	switch r.peek().text {
	case "void", "_Bool", "char", "short", "int", "long", "signed", "unsigned", "const", "volatile", "static", "extern", "inline",
		"register", "struct", "union", "enum", "typedef", "_Noreturn", "__attribute__":
		return true
	}
	return r.peek().kind == 'n' && r.p.types[r.peek().text] != nil && r.scope.find(r.peek().text) == nil
}

// storage is what stands beside the type of a declaration.
type storage struct{ static, extern, typedef, noreturn bool }

// specifiers are the words of a type.
func (r *reader) specifiers() (*ctype, storage) {
	var s storage
	count := map[string]int{}
	var t *ctype
	for {
		w := r.peek().text
		switch w {
		case "static":
			s.static = true
		case "extern":
			s.extern = true
		case "typedef":
			s.typedef = true
		case "_Noreturn":
			s.noreturn = true
		case "const", "inline", "register":
		case "volatile":
			unsupported("volatile")
		case "void", "_Bool", "char", "short", "int", "long", "signed", "unsigned":
			count[w]++
		case "struct", "union":
			r.next()
			t = r.record(w == "union")
			continue
		case "enum":
			r.next()
			r.enumeration()
			t = tUInt // enumerators are not negative here
			continue
		case "__attribute__":
			r.next()
			for r.need("("); !r.take(")"); {
				if w := r.next().text; w == "noreturn" || w == "__noreturn__" {
					s.noreturn = true
				}
			}
			r.take(")")
			continue
		default:
			if r.p.types[w] != nil && t == nil && len(count) == 0 && r.peek().kind == 'n' {
				t = r.p.types[w]
				break
			}
			if t == nil {
				t = named(count)
			}
			return t, s
		}
		r.next()
	}
}

func named(count map[string]int) *ctype {
	un := count["unsigned"] > 0
	switch {
	case count["void"] > 0:
		return tVoid
	case count["_Bool"] > 0:
		return tBool
	case count["char"] > 0:
		return intType(1, !un)
	case count["short"] > 0:
		return intType(2, !un)
	case count["long"] > 0:
		return intType(8, !un)
	}
	return intType(4, !un)
}

func (r *reader) record(union bool) *ctype {
	tag := ""
	if r.peek().kind == 'n' {
		tag = r.next().text
	}
	t := r.tagged(tag)
	if own := r.tags()[tag]; t == nil || tag == "" || r.is("{") && own == nil {
		t = &ctype{kind: structure, union: union, name: tag, align: 1}
		r.tags()[tag] = t
	}
	if !r.take("{") {
		return t
	}
	for !r.take("}") {
		base, _ := r.specifiers()
		for {
			name, ft := r.declarator(base)
			if r.is(":") {
				unsupported("bit-fields")
			}
			t.fields = append(t.fields, field{name: name, t: ft})
			if !r.take(",") {
				break
			}
		}
		r.need(";")
	}
	t.lay()
	return t
}

// tags are those of the innermost block, or of the source.
func (r *reader) tags() map[string]*ctype {
	if r.f == nil {
		return r.p.tags
	}
	if r.scope.tags == nil {
		r.scope.tags = map[string]*ctype{}
	}
	return r.scope.tags
}

func (r *reader) tagged(name string) *ctype {
	for s := r.scope; s != nil; s = s.up {
		if t := s.tags[name]; t != nil {
			return t
		}
	}
	return r.p.tags[name]
}

func (r *reader) enumeration() {
	if r.peek().kind == 'n' {
		r.next()
	}
	if !r.take("{") {
		return
	}
	next := int64(0)
	for !r.take("}") {
		name := r.next().text
		if r.take("=") {
			next = r.constant()
		}
		if next < 0 {
			unsupported("negative enumerators")
		}
		r.p.enums[name] = next
		next++
		r.take(",")
	}
}

// constant is a constant expression.
func (r *reader) constant() int64 {
	e := r.conditional()
	v, ok := constantOf(e)
	if !ok {
		unsupported("an expression that is no constant")
	}
	return v
}

// declarator is a name with what it is made of a base type; the name may be missing.
func (r *reader) declarator(base *ctype) (string, *ctype) {
	for r.take("*") {
		base = pointerTo(base)
		for r.take("const") {
		}
	}
	if r.is("(") && (r.toks[r.at+1].text == "*" || r.toks[r.at+1].text == "(") {
		r.next()
		start := r.at
		r.declarator(tInt) // to find its end
		r.need(")")
		base = r.suffix(base)
		end := r.at
		r.at = start
		name, t := r.declarator(base)
		r.at = end
		return name, t
	}
	name := ""
	if r.peek().kind == 'n' {
		name = r.next().text
	}
	return name, r.suffix(base)
}

// suffix is what stands behind a name: [n], (parameters).
func (r *reader) suffix(base *ctype) *ctype {
	switch {
	case r.take("["):
		n := -1
		if !r.is("]") {
			n = int(r.constant())
		}
		r.need("]")
		elem := r.suffix(base)
		if n < 0 {
			t := arrayOf(elem, 0)
			t.len = -1
			return t
		}
		return arrayOf(elem, n)
	case r.take("("):
		t := &ctype{kind: function, size: 1, align: 1, result: base}
		if r.take(")") {
			t.open = true
			return t
		}
		if r.is("void") && r.toks[r.at+1].text == ")" {
			r.next()
			r.next()
			return t
		}
		for {
			if r.take("...") {
				t.open = true
				break
			}
			base, _ := r.specifiers()
			name, pt := r.declarator(base)
			if pt.kind == array {
				pt = pointerTo(pt.elem)
			}
			t.params = append(t.params, param{name, pt})
			if !r.take(",") {
				break
			}
		}
		r.need(")")
		return t
	}
	return base
}

// readC reads a source.
func readC(text string) *program {
	p := &program{funcs: map[string]*cfunc{}, tags: map[string]*ctype{}, types: map[string]*ctype{}, enums: map[string]int64{}}
	r := &reader{p: p, toks: lex(text), scope: &scope{vars: map[string]*variable{}}}
	for r.peek().kind != 0 {
		r.external()
	}
	for _, f := range p.order {
		if f.body != nil {
			f.body.marks()
		}
	}
	for _, v := range p.globals {
		v.read = true
	}
	return p
}

// marks notes which variables a statement reads.
func (s *stmt) marks() {
	for _, e := range []*expr{s.e, s.post} {
		if e != nil {
			e.marks(false)
		}
	}
	if s.v != nil && s.v.init != nil {
		for _, p := range s.v.init.parts {
			s.v.given = append(s.v.given, p.e)
			p.e.marks(false)
		}
	}
	for _, t := range s.list {
		t.marks()
	}
}

// marks notes which variables an expression reads; written: it is what is assigned to.
func (e *expr) marks(written bool) {
	switch {
	case e.op == "fun":
		e.f.taken = true
	case e.op == "var":
		e.v.read = e.v.read || !written
	case e.op == "member" || e.op == "=" && e.with == "":
		e.args[0].marks(e.op == "=" || written)
		if e.op == "=" && e.args[0].op == "var" {
			e.args[0].v.given = append(e.args[0].v.given, e.args[1])
		}
		for _, a := range e.args[1:] {
			a.marks(false)
		}
	default:
		for _, a := range e.args {
			a.marks(false)
		}
	}
}

func (r *reader) external() {
	base, st := r.specifiers()
	if r.take(";") {
		return
	}
	for {
		name, t := r.declarator(base)
		for r.is("__attribute__") {
			_, more := r.specifiers()
			st.noreturn = st.noreturn || more.noreturn
		}
		if st.typedef {
			r.p.types[name] = t
		} else if t.kind == function {
			if r.function(name, t, st) {
				return
			}
		} else {
			r.global(name, t)
		}
		if !r.take(",") {
			break
		}
	}
	r.need(";")
}

func (r *reader) global(name string, t *ctype) {
	v := r.scope.vars[name]
	if v == nil {
		v = &variable{name: name, t: t, fixed: true}
		r.scope.vars[name] = v
		r.p.globals = append(r.p.globals, v)
	}
	if r.take("=") {
		v.init = r.initializer(v)
	}
}

// function reads a routine. It reports that it has a body.
func (r *reader) function(name string, t *ctype, st storage) bool {
	f := r.p.funcs[name]
	if f == nil {
		f = &cfunc{name: name, number: len(r.p.order)}
		r.p.funcs[name] = f
		r.p.order = append(r.p.order, f)
	}
	f.noreturn = f.noreturn || st.noreturn
	if f.t == nil || !t.open || f.t.open {
		f.t = t
	}
	if !r.is("{") {
		return false
	}
	f.t = t
	r.f, r.scope = f, &scope{up: r.scope, vars: map[string]*variable{}}
	for _, p := range t.params {
		v := &variable{name: p.name, t: p.t, owner: f, param: true, outer: true}
		r.scope.vars[p.name] = v
		f.params, f.vars = append(f.params, v), append(f.vars, v)
	}
	f.body = r.block(true)
	r.f, r.scope = nil, r.scope.up
	return true
}
