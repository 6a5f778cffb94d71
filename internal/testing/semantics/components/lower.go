package components

import "slices"

func (b *builder) statement(s *stmt, c *context) {
	switch s.op {
	case "block":
		for _, t := range s.list {
			b.statement(t, c)
		}
	case "expr":
		b.effect(s.e, c)
	case "decl":
		b.declare(s.v, c)
	case "if":
		yes, no, after := b.node(), b.node(), b.node()
		b.branch(s.e, yes, no, c)
		b.cur = yes
		b.statement(s.list[0], c)
		b.pass(after)
		b.cur = no
		if len(s.list) > 1 {
			b.statement(s.list[1], c)
		}
		b.pass(after)
		b.cur = after
	case "while", "do", "for":
		b.loop(s, c)
	case "switch":
		b.choose(s, c)
	case "return":
		b.giveBack(s, c)
	case "break":
		b.jump(c.breaks)
	case "continue":
		b.jump(c.continues)
	case "goto":
		b.jump(b.label(s.name, c))
	case "label":
		n := b.label(s.name, c)
		b.pass(n)
		b.cur = n
		if s.name == "ERROR" {
			b.fail()
			return
		}
		if c.a == b.own {
			b.nodes[n].labels = append(b.nodes[n].labels, s.name) // "true where control is at the label and has not gone on"
		}
		b.sameStatement(n, s.list[0], c)
		b.statement(s.list[0], c)
	case "case", "default":
		n := c.cases[s]
		b.pass(n)
		b.cur = n
		b.sameStatement(n, s.list[0], c)
		b.statement(s.list[0], c)
	}
}

// sameStatement: "Labels of one statement, as in L: M: a(); or L: default: a();, are true together",
// also where control comes by another one of them.
func (b *builder) sameStatement(n int, s *stmt, c *context) {
	to := n
	switch s.op {
	case "label":
		to = b.label(s.name, c)
	case "case", "default":
		to = c.cases[s]
	default:
		return
	}
	b.nodes[to].labels = append(b.nodes[to].labels, b.nodes[n].labels...)
}

func (b *builder) label(name string, c *context) int {
	n, ok := c.labels[name]
	if !ok {
		n = b.node()
		c.labels[name] = n
	}
	return n
}

func (b *builder) loop(s *stmt, c *context) {
	head, body, next, after := b.node(), b.node(), b.node(), b.node()
	breaks, continues := c.breaks, c.continues
	c.breaks, c.continues = after, next
	if s.op == "do" {
		b.jump(body)
	} else {
		b.jump(head)
		b.cur = head
		b.condition(s.e, body, after, c)
	}
	b.cur = body
	b.statement(s.list[0], c)
	b.pass(next)
	b.cur = next
	switch {
	case s.op == "do":
		b.condition(s.e, body, after, c)
	default:
		if s.post != nil {
			b.effect(s.post, c)
		}
		b.pass(head) // "to come round it is none"
	}
	c.breaks, c.continues = breaks, continues
	b.cur = after
}

func (b *builder) condition(e *expr, yes, no int, c *context) {
	if e == nil {
		b.pass(yes)
		return
	}
	b.branch(e, yes, no, c)
}

func (b *builder) choose(s *stmt, c *context) {
	e := b.pure(s.e, c)
	tmp := b.variable(c.a, e.t)
	b.silent(func(m *memory) { m.store(c.a.address(tmp), tmp.t, evaluate(e, c.a, m)) })
	after := b.node()
	breaks := c.breaks
	c.breaks = after
	var cases []*stmt
	casesOf(s.list[0], &cases)
	rest := after
	at := b.cur
	only, constant := constantOf(s.e) // "a case that a switch over constants does not take"
	known := map[int64]bool{}
	for _, k := range cases {
		n := b.node()
		c.cases[k] = n
		if k.op == "default" {
			rest = n
			continue
		}
		v := tmp.t.conv(k.val)
		known[v] = true
		if constant && v != only {
			continue
		}
		b.add(at, step{to: n, when: func(m *memory) bool { return m.load(c.a.address(tmp), tmp.t) == v }})
	}
	if !constant || !known[only] {
		b.add(at, step{to: rest, when: func(m *memory) bool { return !known[m.load(c.a.address(tmp), tmp.t)] }})
	}
	b.cur = b.node()
	b.statement(s.list[0], c)
	b.pass(after)
	c.breaks = breaks
	b.cur = after
}

// casesOf are the labels of a switch, but for those of others inside.
func casesOf(s *stmt, all *[]*stmt) {
	if s.op == "case" || s.op == "default" {
		*all = append(*all, s)
	}
	for _, t := range s.list {
		if t.op != "switch" {
			casesOf(t, all)
		}
	}
}

func (b *builder) giveBack(s *stmt, c *context) {
	if s.e != nil {
		if c.result == nil {
			b.effect(s.e, c)
		} else {
			b.assign(&expr{op: "var", t: c.result.t, v: c.result}, s.e, c)
		}
	} else if c.result != nil {
		b.silent(func(m *memory) { m.forget(c.a.address(c.result), c.result.t) })
	}
	b.jump(c.back)
}

// declare comes to the declaration of a local variable: "An initialiser is assigned, again,
// whenever the run comes to the declaration; whenever it comes to one without an initialiser, the
// variable has any value again."
func (b *builder) declare(v *variable, c *context) {
	if v.init == nil { // "a declaration without an initialiser is none"
		at := b.nodes[b.cur].labels
		b.drawn(func(m *memory) []*memory { return b.anyValue([]*memory{m.clone()}, v, c.a.address(v)) })
		b.nodes[b.cur].labels, b.nodes[b.cur].behind = slices.Clone(at), len(at) > 0
		return
	}
	covered := map[int]bool{}
	for _, p := range v.init.parts {
		for k := range p.t.size {
			covered[p.off+k] = true
		}
	}
	if v.init.zero {
		b.silent(func(m *memory) {
			i := m.find(c.a.address(v), v.t.size)
			for k := range v.t.size {
				if !covered[k] {
					m.bytes[i+k], m.unset[i+k] = 0, false
				}
			}
		})
	}
	for _, p := range v.init.parts {
		b.assign(partOf(v, p), p.e, c)
	}
}

func partOf(v *variable, p part) *expr {
	return &expr{op: "member", t: p.t, val: int64(p.off), args: []*expr{{op: "var", t: v.t, v: v}}}
}

// anyValue gives a variable any value, in each of some memories, if it matters what it holds: all
// that there are, or some of a wide type. Pointers have none that can be read.
func (c *component) anyValue(all []*memory, v *variable, at int64) []*memory {
	for _, m := range all {
		m.forget(at, v.t)
	}
	if !v.read {
		return all
	}
	if v.t.kind == structure && v.t.union && !v.spoken {
		return all // it is written before it is read, or that is not supported
	}
	for _, p := range scalars(v.t, 0) {
		if p.t.kind == pointer {
			continue
		}
		values := valuesOf(p.t)
		c.sampled = c.sampled || !p.t.small()
		var next []*memory
		for _, m := range all {
			for _, n := range values {
				k := m.clone()
				k.store(at+int64(p.off), p.t, n)
				next = append(next, k)
			}
		}
		if all = next; len(all) > 5000 {
			unsupported("too many values of %s", v.name)
		}
	}
	return all
}

// samples are the values of wide types that are tried where there are too many.
var samples = []int64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 77, -1, -2, -7, 1 << 20, 1<<31 - 1, -1 << 31}

// valuesOf are all values of a type of one byte, some of others.
func valuesOf(t *ctype) (all []int64) {
	if t.truth {
		return []int64{0, 1}
	}
	if !t.small() {
		for _, v := range samples {
			if t.conv(v) == v {
				all = append(all, v)
			}
		}
		return all
	}
	for n := range int64(256) {
		all = append(all, t.conv(n))
	}
	return all
}

// fail performs the action of a failure, and ends the component.
func (b *builder) fail() {
	b.failing = append(b.failing, b.cur)
	b.add(b.cur, step{action: failure, to: b.end})
	b.cur = b.node()
}

// failure is what a failure performs.
const failure = "error"

// branch goes on by the value of a condition: "one evaluation of a condition (of if, loops, ?:,
// &&, ||)" is a step.
func (b *builder) branch(e *expr, yes, no int, c *context) {
	switch {
	case e.op == "not":
		b.branch(e.args[0], no, yes, c)
		return
	case e.op == "&&":
		more := b.node()
		b.branch(e.args[0], more, no, c)
		b.cur = more
		b.branch(e.args[1], yes, no, c)
		return
	case e.op == "||":
		more := b.node()
		b.branch(e.args[0], yes, more, c)
		b.cur = more
		b.branch(e.args[1], yes, no, c)
		return
	case e.op == ",":
		b.effect(e.args[0], c)
		if _, constant := constantOf(e.args[1]); constant && impure(e.args[0]) {
			b.decide(e.args[1], yes, no, c)
		} else {
			b.branch(e.args[1], yes, no, c)
		}
		return
	}
	if v, ok := constantOf(e); ok {
		if v != 0 {
			b.jump(yes)
		} else {
			b.jump(no)
		}
		return
	}
	b.decide(e, yes, no, c)
}

// decide goes on by a value that is none of constants.
func (b *builder) decide(e *expr, yes, no int, c *context) {
	p := b.pure(e, c)
	holds := func(m *memory) bool { return evaluate(p, c.a, m) != 0 }
	b.add(b.cur, step{to: yes, when: holds})
	b.add(b.cur, step{to: no, when: func(m *memory) bool { return !holds(m) }})
	b.cur = b.node()
}

// impure reports that an expression has side effects, or calls.
func impure(e *expr) bool {
	if e.op == "=" || e.op == "pre" || e.op == "post" || e.op == "call" {
		return true
	}
	return slices.ContainsFunc(e.args, impure)
}

// effect does what an expression does, whose value nobody looks at.
func (b *builder) effect(e *expr, c *context) {
	switch {
	case e.op == "=":
		b.store(e, c)
	case e.op == "pre" || e.op == "post":
		b.bump(&expr{op: "pre", t: e.t, val: e.val, args: e.args}, c)
	case e.op == "call":
		b.call(e, nil, nil, c)
	case e.op == ",":
		b.effect(e.args[0], c)
		b.effect(e.args[1], c)
	case e.op == "cast" && impure(e):
		b.effect(e.args[0], c)
	default:
		p := b.pure(e, c)
		if e.t.scalar() {
			b.silent(func(m *memory) { evaluate(p, c.a, m) })
		}
	}
}

// store is an assignment, and gives the place that it assigned to.
func (b *builder) store(e *expr, c *context) *expr {
	to := b.purePlace(e.args[0], c)
	if e.with == "" {
		b.assign(to, e.args[1], c)
		return to
	}
	b.computed(to)
	from := e.args[1]
	if impure(from) {
		from = b.temporary(b.pure(from, c), c)
	}
	v := cast(operate(e.with, to, from), to.t)
	b.assign(to, v, c)
	return to
}

// computed is a step where a place that is read and written is not known by its look: "++, -- and
// compound assignments evaluate a pointer or an index first, which is a step".
func (b *builder) computed(to *expr) {
	for to.op == "member" {
		to = to.args[0]
	}
	if to.op == "deref" && readsVariable(to.args[0]) {
		b.silent(func(*memory) {})
	}
}

// readsVariable reports whether an address depends on what a variable holds.
func readsVariable(e *expr) bool {
	return e.op == "var" || e.op == "deref" || e.op != "decay" && e.op != "addr" && slices.ContainsFunc(e.args, readsVariable)
}

// assign stores the value of an expression: in one step, if that has no effects.
func (b *builder) assign(to, from *expr, c *context) {
	var casts []*ctype
	call := from
	for call.op == "cast" {
		casts, call = append(casts, call.t), call.args[0]
	}
	if call.op == "call" {
		b.call(call, to, casts, c)
		return
	}
	if to.t.kind == structure {
		p := b.purePlace(from, c)
		b.silent(func(m *memory) { m.copy(place(to, c.a, m), place(p, c.a, m), to.t) })
		return
	}
	p := b.pure(from, c)
	b.silent(func(m *memory) {
		at := place(to, c.a, m)
		m.find(at, to.t.size)
		m.store(at, to.t, evaluate(p, c.a, m))
	})
}

func (b *builder) bump(e *expr, c *context) (before, to *expr) {
	to = b.purePlace(e.args[0], c)
	b.computed(to)
	before = to
	if e.op == "post" {
		before = b.temporary(to, c)
	}
	add := &expr{op: "+", t: tLong, args: []*expr{{op: "cast", t: tLong, args: []*expr{to}}, num(e.val, tLong)}}
	b.assign(to, &expr{op: "cast", t: to.t, args: []*expr{add}}, c)
	return before, to
}

// temporary keeps the value that an expression without effects has now.
func (b *builder) temporary(e *expr, c *context) *expr {
	v := b.variable(c.a, e.t)
	b.silent(func(m *memory) {
		if e.t.kind == structure {
			m.copy(c.a.address(v), place(e, c.a, m), e.t)
		} else {
			m.store(c.a.address(v), e.t, evaluate(e, c.a, m))
		}
	})
	return &expr{op: "var", t: e.t, v: v}
}

// purePlace does the side effects of a place, and returns the place without them.
func (b *builder) purePlace(e *expr, c *context) *expr {
	switch {
	case !impure(e) && e.place():
		return e
	case e.op == "member":
		return &expr{op: "member", t: e.t, val: e.val, args: []*expr{b.purePlace(e.args[0], c)}}
	case e.op == "deref":
		return &expr{op: "deref", t: e.t, args: []*expr{b.temporary(b.pure(e.args[0], c), c)}}
	case e.op == "=":
		return b.store(e, c)
	case e.op == "call" || e.op == "?:":
		return b.pure(e, c)
	}
	unsupported("a place with the effects of %s", e.op)
	return nil
}

// branches reports "?:, && or ||" in an expression.
func branches(e *expr) bool {
	return e.op == "?:" || e.op == "&&" || e.op == "||" || slices.ContainsFunc(e.args, branches)
}

// pure does the side effects of an expression, one after the other, and returns one of its value.
func (b *builder) pure(e *expr, c *context) *expr {
	if !impure(e) {
		if branches(e) { // "one evaluation of a condition (of ?:, &&, ||)" is a step, before that of what it is in
			b.silent(func(*memory) {})
		}
		return e
	}
	switch e.op {
	case "=":
		return b.temporary(b.store(e, c), c)
	case "pre", "post":
		before, to := b.bump(e, c)
		if e.op == "pre" {
			return b.temporary(to, c)
		}
		return before
	case "call":
		if e.t.kind == void {
			b.call(e, nil, nil, c)
			return num(0, tInt)
		}
		v := b.variable(c.a, e.t)
		to := &expr{op: "var", t: e.t, v: v}
		b.call(e, to, nil, c)
		return to
	case ",":
		b.effect(e.args[0], c)
		return b.pure(e.args[1], c)
	case "&&", "||", "?:":
		return b.chosen(e, c)
	case "decay", "addr":
		return &expr{op: e.op, t: e.t, args: []*expr{b.purePlace(e.args[0], c)}}
	case "deref", "member":
		return b.purePlace(e, c)
	}
	n := *e
	n.args = nil
	for i, a := range e.args {
		p := b.pure(a, c)
		if i+1 < len(e.args) && impure(e.args[i+1]) && p.op != "num" {
			p = b.temporary(p, c)
		}
		n.args = append(n.args, p)
	}
	return &n
}

// chosen is the value of &&, || and ?: by branching.
func (b *builder) chosen(e *expr, c *context) *expr {
	v := b.variable(c.a, e.t)
	to := &expr{op: "var", t: e.t, v: v}
	yes, no, after := b.node(), b.node(), b.node()
	first, second := num(1, tInt), num(0, tInt)
	if e.op == "?:" {
		b.branch(e.args[0], yes, no, c)
		first, second = e.args[1], e.args[2]
	} else {
		b.branch(e, yes, no, c)
	}
	b.cur = yes
	b.assign(to, first, c)
	b.jump(after)
	b.cur = no
	b.assign(to, second, c)
	b.jump(after)
	b.cur = after
	return to
}
