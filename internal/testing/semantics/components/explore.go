package components

import "slices"

// given is the object of its own that a pointer points to: one in an object may be null.
type given struct {
	v   *variable // a parameter, or the object that has the pointer
	off int
	to  *variable
}

// prop is a proposition of a component, as it is evaluated.
type prop struct {
	proposition
	e *expr // nil of a label
}

// parameters makes room for the arguments: "Pointer parameters are not null: each points to an object
// of its own. Pointers to structs in these do, too, or else they are null."
func (c *component) parameters() {
	for _, v := range c.entry.vars {
		if !v.fixed {
			c.own.vars[v] = c.layout.add(v.t)
		}
	}
	for _, v := range c.entry.params {
		if v.t.kind == pointer {
			c.give(v, 0, v.t.elem, 0)
		}
	}
}

func (c *component) give(v *variable, off int, t *ctype, depth int) {
	if t.kind == function || t.kind == void || t == tChar || depth > 2 {
		return // a read is not supported
	}
	to := &variable{name: "what " + v.name + " points to", t: t, read: true}
	c.own.vars[to] = c.layout.add(t)
	c.given = append(c.given, given{v, off, to})
	if t.kind == structure && !t.union {
		for _, p := range scalars(t, 0) {
			if p.t.kind == pointer && p.t.elem.kind == structure {
				c.give(to, p.off, p.t.elem, depth+1)
			}
		}
	}
}

// propositions reads what a formula says of the component: "A name in a formula is a variable of
// the component's procedure, static ones among them, or else a global one. Of variables with the
// same name in one procedure it is the one that is declared first in the text, parameters before
// all others."
func (c *component) propositions(index int) {
	names := map[string]*variable{}
	for _, v := range c.entry.vars {
		if names[v.name] == nil {
			names[v.name] = v
		}
	}
	for _, p := range c.asked.props[index] {
		q := prop{proposition: p}
		if p.at == "" {
			r := c.reading(p.text, c.s.numbers, nil, func(n int) *variable {
				if n >= 1 && n <= len(c.entry.params) {
					return c.entry.params[n-1]
				}
				return nil
			})
			r.scope = &scope{up: r.scope, vars: names, numbers: c.s.numbers}
			q.e = value(r.expression())
			if r.peek().kind != 0 {
				unsupported("the proposition %s", p.text)
			}
		}
		c.props = append(c.props, q)
	}
}

// initial are the memories that the component can begin with.
func (c *component) initial(guards []string) []*memory {
	m := newMemory(c.layout)
	for _, v := range c.p.globals {
		at := c.globals.address(v)
		m.zero(at, v.t)
		for i := range v.bytes {
			m.store(at+int64(i), tChar, int64(v.bytes[i]))
		}
	}
	for _, v := range c.p.globals {
		if v.init != nil {
			m.initialised(v, c.globals)
		}
	}
	for i := range m.unset {
		if i >= c.sizeOfGlobals() {
			m.unset[i] = true
		}
	}
	all := c.arguments([]*memory{m}, guards)
	for _, g := range c.given {
		at := c.own.address(g.v) + int64(g.off)
		var next []*memory
		for _, m := range all {
			if !g.v.param {
				null := m.clone()
				null.store(at, tULong, 0)
				next = append(next, null)
			}
			m.store(at, tULong, c.own.address(g.to))
			next = append(next, c.anyValue([]*memory{m.clone()}, g.to, c.own.address(g.to))...)
		}
		all = next
	}
	for _, v := range c.entry.vars {
		if v.fixed || v.param {
			continue
		}
		at := c.own.address(v)
		switch {
		case v.init != nil && v.init.constant() && (v.outer || !c.entry.labels):
			for _, m := range all {
				if v.init.zero {
					m.zero(at, v.t)
				}
				m.initialised(v, c.own)
			}
		case v.spoken || c.entry.labels && !v.outer:
			all = c.anyValue(all, v, at)
		}
	}
	return all
}

func (c *component) sizeOfGlobals() (n int) {
	for _, v := range c.p.globals {
		n += v.t.size
	}
	return n
}

func (m *memory) initialised(v *variable, a *activation) {
	at := a.address(v)
	for _, p := range v.init.parts {
		m.store(at+int64(p.off), p.t, evaluate(p.e, a, m))
	}
}

// constant reports that all that it says are constants.
func (in *initial) constant() bool {
	for _, p := range in.parts {
		if _, ok := constantOf(p.e); !ok {
			return false
		}
	}
	return true
}

// arguments are "any values that satisfy the guards". Of wide types some are tried where there are
// too many.
func (c *component) arguments(all []*memory, guards []string) []*memory {
	var conditions []*expr
	used := map[*variable]bool{}
	for _, text := range guards {
		conditions = append(conditions, c.outside(text, c.own, c.m.numbers, nil, func(n int) *variable {
			if n < 1 || n > len(c.entry.params) {
				return nil
			}
			v := c.entry.params[n-1]
			used[v] = true
			return v
		}))
	}
	for _, v := range c.entry.params {
		if v.t.kind != integer || !v.read && !used[v] {
			continue
		}
		var next []*memory
		for _, m := range all {
			for _, n := range candidates(v.t) {
				k := m.clone()
				k.store(c.own.address(v), v.t, n)
				next = append(next, k)
			}
		}
		if all = next; len(all) > 200_000 {
			unsupported("so many arguments")
		}
	}
	var allowed []*memory
	for _, m := range all {
		if !slices.ContainsFunc(conditions, func(e *expr) bool { return evaluate(e, c.own, m) == 0 }) {
			allowed = append(allowed, m)
		}
	}
	for _, v := range c.entry.params {
		value := func(m *memory) int64 { return m.load(c.own.address(v), v.t) }
		if v.t.kind != integer || !v.read && !used[v] || v.t.small() || !slices.ContainsFunc(allowed, func(m *memory) bool { return far(value(m)) }) {
			continue
		}
		c.sampled = true
		var fewer []*memory
		for _, m := range allowed {
			if slices.Contains(samples, value(m)) {
				fewer = append(fewer, m)
			}
		}
		if len(fewer) > 0 {
			allowed = fewer
		}
	}
	return allowed
}

// special are states that are none of a component.
type special int

const (
	ordinary special = iota
	refused          // the run does not exist
	mistake          // it leaves what is modelled
)

// local is a state of a component.
type local struct {
	edges     []edge
	holds     []bool // its propositions
	undefined []bool
	ended     bool
	special   special
}

type edge struct {
	action string
	to     int
}

// locals is the graph of a component, with all values.
type locals struct {
	states   []local
	initial  []int
	alphabet map[string]bool
	sampled  bool
}

// TooLarge says that there are more states than were allowed.
type TooLarge struct{}

func (*TooLarge) Error() string { return "too many states" }

// explore makes the states of a component.
func (c *component) explore(guards []string, limit int) *locals {
	g := &locals{alphabet: c.alphabet()}
	type at struct {
		node int
		m    *memory
	}
	number := map[string]int{}
	var work []at
	enter := func(node int, m *memory) int {
		if node != c.start { // "no label is true at the first position"
			node = c.past(node)
		}
		key := string(rune(node)) + m.key()
		n, known := number[key]
		if !known {
			n = len(g.states)
			number[key] = n
			g.states = append(g.states, c.local(node, m))
			work = append(work, at{node, m})
			if len(g.states) > limit {
				panic(&TooLarge{})
			}
		}
		return n
	}
	c.labelTogether()
	for _, m := range c.initial(guards) {
		if n := enter(c.start, m); !slices.Contains(g.initial, n) {
			g.initial = append(g.initial, n)
		}
	}
	g.sampled = c.sampled
	sinks := map[special]int{}
	for i := 0; i < len(work); i++ {
		here := work[i]
		id := number[string(rune(here.node))+here.m.key()]
		for _, s := range c.nodes[here.node].steps {
			next, sink := c.taken(s, here.m)
			action := c.called(s.action)
			if sink != ordinary {
				n, known := sinks[sink]
				if !known {
					n = len(g.states)
					sinks[sink] = n
					g.states = append(g.states, local{special: sink, holds: make([]bool, len(c.props)), undefined: make([]bool, len(c.props))})
				}
				g.add(id, edge{"", n})
				continue
			}
			for _, m := range next {
				g.add(id, edge{action, enter(s.to, m)})
			}
		}
	}
	return g
}

func (g *locals) add(from int, e edge) {
	if !slices.Contains(g.states[from].edges, e) {
		g.states[from].edges = append(g.states[from].edges, e)
	}
}

// called is what an action is called outside, "" if it is hidden.
func (c *component) called(action string) string {
	if new, is := c.m.rename[action]; is {
		action = new
	}
	if c.m.hide[action] {
		return ""
	}
	return action
}

// taken are the memories after a step; none if it is not possible.
func (c *component) taken(s step, m *memory) (next []*memory, sink special) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case discarded:
			next, sink = nil, refused
		case mistaken:
			next, sink = nil, mistake
		default:
			panic(r)
		}
	}()
	if s.when != nil && !s.when(m) {
		return nil, ordinary
	}
	if s.do == nil {
		return []*memory{m}, ordinary
	}
	return s.do(m), ordinary
}

// local is a state with its propositions.
func (c *component) local(node int, m *memory) local {
	l := local{ended: c.nodes[node].ended}
	for _, p := range c.props {
		holds, undefined := false, false
		if p.e == nil {
			holds = slices.Contains(c.nodes[node].labels, p.at)
		} else {
			holds, undefined = observed(p.e, c.own, m)
		}
		l.holds, l.undefined = append(l.holds, holds), append(l.undefined, undefined)
	}
	return l
}

// observed evaluates a proposition: "An expression that has no value in a state may be true or
// false there".
func observed(e *expr, a *activation, m *memory) (holds, undefined bool) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case discarded, mistaken:
			holds, undefined = false, true
		default:
			panic(r)
		}
	}()
	return evaluate(e, a, m) != 0, false
}

// alphabet has "the actions of the definitions of all abstracted routines that it calls, in routines
// that it inlines too (not in code that nothing leads to), those of alphabet {...}, error where it
// can fail, and those of returning where they are shared."
func (c *component) alphabet() map[string]bool {
	own := map[string]bool{}
	reached := c.reached()
	for n := range c.nodes {
		if !reached[n] {
			continue
		}
		for _, s := range c.nodes[n].steps {
			if s.site != nil {
				for _, a := range s.site.abstractions {
					for name := range a.does.alphabet {
						own[name] = true
					}
				}
			}
		}
		if slices.Contains(c.failing, n) {
			own[failure] = true
		}
	}
	for _, name := range c.s.extended(c.entry.name) {
		own[name] = true
	}
	all := map[string]bool{}
	for name := range own {
		if name = c.called(name); name != "" {
			all[name] = true
		}
	}
	if c.asked.claim != nil && c.asked.named {
		for class := range 1 << len(c.results) {
			all[c.className(class)] = true
		}
	}
	return all
}

// reached are the nodes that something leads to, whatever variables hold.
func (c *component) reached() map[int]bool {
	all := map[int]bool{c.start: true}
	work := []int{c.start}
	for len(work) > 0 {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		for _, s := range c.nodes[n].steps {
			if !all[s.to] {
				all[s.to] = true
				work = append(work, s.to)
			}
		}
	}
	return all
}
