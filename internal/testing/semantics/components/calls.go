package components

import (
	"fmt"
	"slices"

	"github.com/seltl/seltl/internal/c/specification"
)

// call does a call: what it gives is converted and stored.
func (b *builder) call(e *expr, to *expr, casts []*ctype, c *context) {
	if e.f == nil { // by a pointer
		b.indirect(e, to, casts, c)
		return
	}
	if before, behind := b.events(e.f); before != nil || behind != nil {
		b.eventful(e, before, behind, to, casts, c)
		return
	}
	b.does(e, to, casts, c)
}

// does is a call without what is told of it.
func (b *builder) does(e *expr, to *expr, casts []*ctype, c *context) {
	f, args := e.f, e.args
	if b.known(f, args, to, c) {
		return
	}
	if all := b.s.abstractions(b.entry.name, c.f.name, f.name); len(all) > 0 {
		b.abstracted(f, args, all, to, casts, c)
		return
	}
	switch {
	case f.body != nil:
		b.inlined(f, args, to, casts, c)
	case f.noreturn:
		b.arguments(args, c)
		b.jump(b.end)
	default: // "any value back and changes nothing else"
		b.arguments(args, c)
		b.result(f, nil, to, casts, c)
	}
}

// calls reports whether a pointer is to a routine, perhaps: "of a call by a pointer, those whose address
// is assigned to it somewhere".
func (e *expr) calls(f *cfunc) bool {
	switch e.op {
	case "fun":
		return e.f == f
	case "num":
		return false
	case "cast", "deref", "addr", "decay":
		return e.args[0].calls(f)
	case "var":
		return e.v.fixed || e.v.param || slices.ContainsFunc(e.v.given, func(g *expr) bool { return g.calls(f) })
	case "?:":
		return e.args[1].calls(f) || e.args[2].calls(f)
	}
	return true
}

// indirect calls the routine that a pointer points to.
func (b *builder) indirect(e *expr, to *expr, casts []*ctype, c *context) {
	p := b.temporary(b.pure(e.args[0], c), c)
	at, after := b.cur, b.node()
	for _, f := range b.p.order {
		if !f.taken || !e.args[0].calls(f) || len(f.t.params) != len(e.args)-1 || f.t.result.kind != e.t.kind {
			continue
		}
		n := b.node()
		b.add(at, step{to: n, when: func(m *memory) bool { return evaluate(p, c.a, m) == firstRoutine+int64(f.number)*16 }})
		b.cur = n
		b.call(&expr{op: "call", t: e.t, f: f, args: e.args[1:]}, to, casts, c)
		b.jump(after)
	}
	b.add(at, step{to: at, when: func(m *memory) bool {
		switch v := evaluate(p, c.a, m); {
		case v >= 0 && v < base:
			panic(discarded{})
		case v < firstRoutine || v >= firstRoutine+int64(len(b.p.order))*16:
			panic(mistaken{"a call of what is no routine"})
		}
		return false
	}})
	b.cur = after
}

// arguments evaluates arguments whose values nobody looks at.
func (b *builder) arguments(args []*expr, c *context) {
	for _, a := range args {
		b.effect(a, c)
	}
}

// known does routines whose names mean something. It reports that it did.
func (b *builder) known(f *cfunc, args []*expr, to *expr, c *context) bool {
	if f.body != nil {
		return false
	}
	switch f.name {
	case "reach_error", "__VERIFIER_error":
		b.arguments(args, c)
		b.fail()
	case "__VERIFIER_assume":
		e := b.pure(args[0], c)
		b.silent(func(m *memory) {
			if evaluate(e, c.a, m) == 0 {
				panic(discarded{}) // "__VERIFIER_assume(e) where e is false"
			}
		})
	case "assert", "__VERIFIER_assert":
		yes, no := b.node(), b.node()
		b.branch(args[0], yes, no, c)
		b.cur = no
		b.fail()
		b.cur = yes
	case "exit", "_Exit", "abort":
		b.arguments(args, c)
		b.jump(b.end)
	default:
		return false
	}
	return true
}

func (b *builder) inlined(f *cfunc, args []*expr, to *expr, casts []*ctype, c *context) {
	a := &activation{up: b.globals, vars: map[*variable]int{}, name: f.name}
	var given []*expr
	for i, e := range args {
		if i >= len(f.params) {
			break
		}
		given = append(given, b.argument(e, i+1 < len(args) && anyImpure(args[i+1:]), c))
	}
	for _, v := range f.params {
		a.vars[v] = b.layout.add(v.t)
	}
	b.silent(func(m *memory) { // "the beginning of a call"
		for i, e := range given {
			v := f.params[i]
			if v.t.kind == structure {
				m.copy(a.address(v), place(e, c.a, m), v.t)
			} else {
				m.store(a.address(v), v.t, evaluate(e, c.a, m))
			}
		}
	})
	inner := &context{f: f, a: a, back: b.node()}
	if f.t.result.kind != void {
		inner.result = b.variable(a, f.t.result)
		b.silent(func(m *memory) { m.forget(a.address(inner.result), inner.result.t) })
	}
	b.body(inner, f)
	b.cur = inner.back
	if to == nil {
		return
	}
	b.silent(func(m *memory) {
		at, from := place(to, c.a, m), a.address(inner.result)
		if to.t.kind == structure {
			m.copy(at, from, to.t)
			return
		}
		m.store(at, to.t, through(casts, m.load(from, inner.result.t)))
	})
}

func anyImpure(args []*expr) bool {
	return slices.ContainsFunc(args, impure)
}

// argument is the value of an argument, kept if others have effects behind it.
func (b *builder) argument(e *expr, keep bool, c *context) *expr {
	if e.t.kind == structure {
		p := b.purePlace(e, c)
		if keep {
			return b.temporary(p, c)
		}
		return p
	}
	p := b.pure(e, c)
	if keep && p.op != "num" {
		return b.temporary(p, c)
	}
	return p
}

// through converts a number, the innermost cast first.
func through(casts []*ctype, v int64) int64 {
	for i := len(casts) - 1; i >= 0; i-- {
		v = casts[i].conv(v)
	}
	return v
}

// result gives what is assigned any value that a condition allows, in a step from where control is;
// with says what else the step is.
func (b *builder) result(f *cfunc, with *alternativeStep, to *expr, casts []*ctype, c *context) {
	next := b.node()
	b.add(b.cur, b.resultStep(f, with, to, casts, c, next))
	b.cur = next
}

// alternativeStep is an alternative that a call is over with.
type alternativeStep struct {
	action string
	when   func(*memory) bool
	cond   *expr
	zero   *variable // $0
	a      *activation
}

// resultStep is the step of result. "an alternative is not possible: a return with a condition that
// no value of the result's type satisfies"
func (b *builder) resultStep(f *cfunc, with *alternativeStep, to *expr, casts []*ctype, c *context, next int) step {
	s := step{to: next}
	if with != nil {
		s.action, s.when = with.action, with.when
	}
	t := f.t.result
	if with != nil && with.cond != nil && (t.kind == void || t.kind == structure) { // it is about no value
		s.when = func(m *memory) bool {
			return (with.when == nil || with.when(m)) && evaluate(with.cond, with.a, m) != 0
		}
	}
	if t.kind == void || to == nil && (with == nil || with.cond == nil) {
		return s
	}
	s.do = func(m *memory) (all []*memory) {
		var cond *expr
		if with != nil {
			cond = with.cond
		}
		if t.kind == structure || t.kind == pointer && cond == nil {
			n := m.clone()
			if to == nil {
				return []*memory{n}
			}
			n.forget(place(to, c.a, n), to.t)
			return []*memory{n}
		}
		var allowed []int64
		n := m.clone()
		try := func(v int64) {
			if cond != nil {
				n.store(with.a.address(with.zero), t, v)
				if evaluate(cond, with.a, n) == 0 {
					return
				}
			}
			allowed = append(allowed, v)
		}
		for _, v := range candidates(t) {
			try(v)
		}
		for v := int64(-1000); len(allowed) == 0 && !t.small() && v <= 1000; v++ { // before there is said to be none
			if t.conv(v) == v {
				try(v)
			}
		}
		if to == nil && len(allowed) > 0 { // nobody looks
			return []*memory{m}
		}
		if !t.small() && slices.ContainsFunc(allowed, far) { // too many
			b.sampled = true
			few := slices.DeleteFunc(slices.Clone(allowed), func(v int64) bool { return !slices.Contains(samples, v) })
			if allowed = allowed[:1]; len(few) > 0 {
				allowed = few
			}
		}
		for _, v := range allowed {
			n := m.clone()
			n.store(place(to, c.a, n), to.t, through(casts, v))
			all = append(all, n)
		}
		return all
	}
	return s
}

// near bounds the numbers of a wide type that are enumerated; where one beyond is allowed, there are
// too many.
const near = 130

func far(v int64) bool { return v > near || v < -near }

// candidates are values of a type: all of them if they are few.
func candidates(t *ctype) (all []int64) {
	if t.small() {
		return valuesOf(t)
	}
	if t.kind == pointer {
		return []int64{0}
	}
	for v := int64(-near); v <= near; v++ {
		if t.conv(v) == v {
			all = append(all, v)
		}
	}
	bits := uint(8 * t.size)
	for _, v := range []int64{near + 1, near + 2, 255, 256, 257, 1000, 1 << 15, 1<<15 - 1, 1 << 16, 1 << 20, 1<<(bits-1) - 1, -1 << (bits - 1), -near - 1, -255, -256, -1000, -1 << 15, 1<<bits - 1, 1<<31 - 1, -1 << 31} {
		if t.conv(v) == v && far(v) {
			all = append(all, v)
		}
	}
	return all
}

// abstracted does what the structures of a routine say: "It evaluates the arguments once, which is
// a silent step, and is then in the first state of the structure of that abstraction whose guard is
// true. From there on it does one alternative after the other."
func (b *builder) abstracted(f *cfunc, args []*expr, all []abstraction, to *expr, casts []*ctype, c *context) {
	var given []*expr
	for i, e := range args {
		given = append(given, b.argument(e, i+1 < len(args) && anyImpure(args[i+1:]), c))
	}
	if to != nil && impurePlace(to) {
		unsupported("a call whose result goes to a place that moves")
	}
	a := &activation{up: b.globals, vars: map[*variable]int{}, name: f.name}
	var dollars []*variable
	for i, e := range given {
		t := e.t
		if i < len(f.t.params) {
			t = f.t.params[i].t
		}
		dollars = append(dollars, b.variable(a, t))
	}
	first := b.cur
	b.silent(func(m *memory) {
		for i, e := range given {
			if v := dollars[i]; v.t.kind == structure {
				m.copy(a.address(v), place(e, c.a, m), v.t)
			} else {
				m.store(a.address(v), v.t, evaluate(e, c.a, m))
			}
		}
	})
	b.nodes[first].steps[len(b.nodes[first].steps)-1].site = &site{all}
	dollar := func(n int) *variable {
		if n >= 1 && n <= len(dollars) {
			return dollars[n-1]
		}
		return nil
	}
	chooser, after := b.cur, b.node()
	var result *expr // nil of a struct or a pointer, of which nothing is known
	if t := f.t.result; to != nil && t.scalar() && t.kind != pointer {
		result = &expr{op: "var", t: f.t.result, v: b.variable(c.a, f.t.result)}
	}
	for _, abs := range all {
		begin := after
		if abs.does.first != stop {
			begin = b.structure(f, abs.does, result, nil, a, dollar, after, c)
		}
		s := step{to: begin}
		if g := b.outside(abs.guard, a, b.s.numbers, nil, dollar); true {
			s.when = func(m *memory) bool { return evaluate(g, a, m) != 0 }
		}
		b.add(chooser, s)
	}
	b.cur = after
	if to != nil { // "What the result is assigned to gets its value in the next step, which is silent."
		b.silent(func(m *memory) {
			at := place(to, c.a, m)
			if result == nil {
				m.forget(at, to.t)
				return
			}
			from := place(result, c.a, m)
			m.store(at, to.t, through(casts, m.load(from, result.t)))
			m.forget(from, result.t) // nobody looks again
		})
	}
}

func impurePlace(e *expr) bool { return impure(e) }

// structure adds the states of one, at a call. It returns its first.
func (b *builder) structure(f *cfunc, l *lks, to *expr, casts []*ctype, a *activation, dollar func(int) *variable, after int, c *context) int {
	nodes := make([]int, len(l.states))
	for i := range nodes {
		nodes[i] = b.node()
	}
	for i, st := range l.states {
		for _, alt := range st.alts {
			b.alternative(f, &alt, nodes, i, to, casts, a, dollar, after, c)
		}
	}
	return nodes[l.first]
}

// alternative adds one of a state.
func (b *builder) alternative(f *cfunc, alt *alternative, nodes []int, from int, to *expr, casts []*ctype, a *activation, dollar func(int) *variable, after int, c *context) {
	var when func(*memory) bool
	if alt.guard != "" {
		g := b.outside(alt.guard, a, alt.numbers, nil, dollar)
		when = func(m *memory) bool { return evaluate(g, a, m) != 0 }
	}
	action := ""
	if alt.kind == specification.StepAction {
		action = alt.action
	}
	switch {
	case alt.kind == specification.StepReturn:
		with := &alternativeStep{when: when, a: a}
		if alt.condition != "" {
			with.zero = b.variable(a, f.t.result)
			with.cond = b.outside(alt.condition, a, alt.numbers, nil, func(n int) *variable {
				if n == 0 {
					return with.zero
				}
				return dollar(n)
			})
		}
		b.add(nodes[from], b.resultStep(f, with, to, casts, c, after))
	case alt.kind == specification.StepAssign:
		do := b.assignment(alt, a, dollar)
		if alt.to != stop {
			b.add(nodes[from], step{to: nodes[alt.to], when: when, do: func(m *memory) []*memory {
				n := m.clone()
				do(n)
				return []*memory{n}
			}})
			return
		}
		// "coming to STOP by another step: the call is over, and gives any value of its type"
		s := b.resultStep(f, &alternativeStep{when: when, a: a}, to, casts, c, after)
		give := s.do
		s.do = func(m *memory) []*memory {
			n := m.clone()
			do(n)
			if give == nil {
				return []*memory{n}
			}
			return give(n)
		}
		b.add(nodes[from], s)
	case alt.to == stop:
		b.add(nodes[from], b.resultStep(f, &alternativeStep{action: action, when: when, a: a}, to, casts, c, after))
	default:
		b.add(nodes[from], step{action: action, to: nodes[alt.to], when: when})
	}
}

// assignment is {l := r}: "assigns the value of r to l, as C does".
func (b *builder) assignment(alt *alternative, a *activation, dollar func(int) *variable) func(*memory) {
	r := b.reading(alt.left, alt.numbers, nil, dollar)
	to := r.unary()
	from := b.outside(alt.right, a, alt.numbers, nil, dollar)
	if !to.place() {
		panic(&Unsupported{fmt.Sprintf("the place %s", alt.left)})
	}
	from = cast(from, to.t)
	return func(m *memory) { m.store(place(to, a, m), to.t, evaluate(from, a, m)) }
}
