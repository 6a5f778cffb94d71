package components

import "slices"

// step is a way to go on from a node.
type step struct {
	action string // "" is silent
	to     int
	when   func(*memory) bool      // nil: always
	do     func(*memory) []*memory // what memory can be then; nil: as it is
	site   *site                   // the call of an abstracted routine that it begins
	none   bool                    // it is no step: only where control is then has another number here
}

// node is where control is.
type node struct {
	steps  []step
	labels []string // of the component's own procedure
	behind bool     // the labels are those of a declaration before
	ended  bool     // the component has ended
}

// site is a call of an abstracted routine.
type site struct{ abstractions []abstraction }

// component is what one procedure does, before it is known what values there are.
type component struct {
	s       *specFile
	p       *program
	m       *member
	entry   *cfunc
	asked   *question
	layout  *layout
	globals *activation
	own     *activation // of the entry routine
	nodes   []node
	start   int
	end     int
	ret     *variable // what the entry routine returns
	results []*expr   // conditions on that: see question
	failing []int     // nodes before a failure
	told    []event
	given   []given
	props   []prop
	sampled bool // not all values of parameters were enumerated
}

// question is what is asked, as far as it changes what components do.
type question struct {
	claim *magicClaim
	// results are conditions on $0 that a formula speaks of, by member; named says that returns
	// are told apart at all.
	results [][]condition
	named   bool
	// events are calls and returns of routines that a formula speaks of, by member.
	events [][]event
	// props are the propositions of a formula by member.
	props [][]proposition
}

// magicClaim is a claim with the conditions of what it says of returning.
type magicClaim struct {
	does       *lks
	conditions []condition
}

// condition is one of a specification, with the numbers that names stand for in it.
type condition struct {
	text    string
	numbers map[string]int64
}

// proposition is one of a formula: a condition, or a label.
type proposition struct {
	name string // as the formula has it
	text string
	at   string
}

// builder makes the graph of a component.
type builder struct {
	*component
	cur   int
	depth int
}

func (b *builder) node() int {
	b.nodes = append(b.nodes, node{})
	return len(b.nodes) - 1
}

// add adds a step.
func (b *builder) add(from int, s step) { b.nodes[from].steps = append(b.nodes[from].steps, s) }

// silent goes on by a silent step.
func (b *builder) silent(do func(*memory)) {
	next := b.node()
	b.add(b.cur, step{to: next, do: func(m *memory) []*memory {
		n := m.clone()
		do(n)
		return []*memory{n}
	}})
	b.cur = next
}

// drawn goes on by a silent step that leaves several memories.
func (b *builder) drawn(do func(*memory) []*memory) {
	next := b.node()
	b.add(b.cur, step{to: next, do: do})
	b.cur = next
}

func (b *builder) jump(to int) {
	if to != b.cur {
		b.add(b.cur, step{to: to})
	}
	b.cur = b.node() // nothing leads there
}

// pass goes on at another node without a step.
func (b *builder) pass(to int) {
	if to != b.cur {
		b.add(b.cur, step{to: to, none: true})
	}
	b.cur = b.node() // nothing leads there
}

// past is where control is, at a node or behind what is no step from there: at a label as long as
// it is not at another statement.
func (c *component) past(n int) int {
	for range c.nodes {
		at := &c.nodes[n]
		if len(at.steps) != 1 || !at.steps[0].none || len(at.labels) > 0 && (at.behind || len(c.nodes[at.steps[0].to].labels) == 0) {
			break
		}
		n = at.steps[0].to
	}
	return n
}

// labelTogether gives the labels of one statement to each other.
func (c *component) labelTogether() {
	for n := range c.nodes {
		for _, l := range c.nodes[n].labels {
			if to := c.past(n); !slices.Contains(c.nodes[to].labels, l) {
				c.nodes[to].labels = append(c.nodes[to].labels, l)
			}
		}
	}
}

// context is the call that is inlined.
type context struct {
	f         *cfunc
	a         *activation
	back      int       // where it returns to
	result    *variable // nil: nobody looks
	breaks    int
	continues int
	labels    map[string]int
	cases     map[*stmt]int
}

// graphOf makes the graph of a member of the program.
func graphOf(s *specFile, p *program, index int, q *question) *component {
	m := &s.members[index]
	entry := p.funcs[m.procedure]
	if entry == nil || entry.body == nil {
		unsupported("the procedure %s", m.procedure)
	}
	c := &component{s: s, p: p, m: m, entry: entry, asked: q, layout: &layout{}, told: q.events[index], globals: &activation{vars: map[*variable]int{}}}
	for _, v := range p.globals {
		c.globals.vars[v] = c.layout.add(v.t)
	}
	c.own = &activation{up: c.globals, vars: map[*variable]int{}, name: entry.name}
	if entry.t.result.kind != void {
		c.ret = c.variable(c.own, entry.t.result)
	}
	for _, on := range q.results[index] {
		c.results = append(c.results, c.outside(on.text, c.globals, on.numbers, nil, func(n int) *variable {
			if n == 0 {
				return c.ret
			}
			return nil
		}))
	}
	b := &builder{component: c}
	c.parameters()
	c.propositions(index)
	c.start = b.node()
	c.end = b.node()
	c.nodes[c.end].ended = true
	b.cur = c.start
	back := b.node()
	b.body(&context{f: entry, a: c.own, back: back, result: c.ret}, entry)
	b.returning(back)
	return c
}

// variable makes one that the source does not have.
func (c *component) variable(a *activation, t *ctype) *variable {
	v := &variable{name: "temporary", t: t, read: true}
	a.vars[v] = c.layout.add(t)
	return v
}

// outside reads an expression of the specification: it means what it means at the end of the
// source; names of numbers come first, then those of a procedure's variables.
func (c *component) outside(text string, _ *activation, numbers map[string]int64, names map[string]*variable, dollar func(int) *variable) *expr {
	r := c.reading(text, numbers, names, dollar)
	e := value(r.expression())
	if r.peek().kind != 0 {
		unsupported("%q in a specification", text)
	}
	return e
}

func (c *component) reading(text string, numbers map[string]int64, names map[string]*variable, dollar func(int) *variable) *reader {
	globals := &scope{vars: map[string]*variable{}}
	for _, v := range c.p.globals {
		if v.owner == nil && v.bytes == "" {
			globals.vars[v.name] = v
		}
	}
	inner := &scope{up: globals, vars: names, numbers: numbers}
	for _, v := range names {
		v.read = true
	}
	r := &reader{p: c.p, toks: lex(text), scope: inner, dollar: dollar, spoken: true}
	return r
}

// body inlines a routine: its parameters have their values.
func (b *builder) body(c *context, f *cfunc) {
	if b.depth++; b.depth > 12 {
		unsupported("calls inside of calls without end")
	}
	for _, v := range f.vars {
		if _, known := c.a.vars[v]; !known && !v.fixed {
			c.a.vars[v] = b.layout.add(v.t)
		}
	}
	if f.labels && c.a != b.own { // "a jump may pass other declarations, and their variables begin with any value"
		for _, v := range f.vars {
			if !v.fixed && !v.param && !v.outer {
				b.drawn(func(m *memory) []*memory { return b.anyValue([]*memory{m.clone()}, v, c.a.address(v)) })
			}
		}
	}
	c.labels, c.cases = map[string]int{}, map[*stmt]int{}
	c.breaks, c.continues = -1, -1
	b.statement(f.body, c)
	b.jump(c.back) // coming to its end
	b.depth--
}

// returning adds what the component does when its procedure has returned: "it performs an action"
// in a question about a claim that speaks of returning, and "a step of that component alone" in a
// formula; "otherwise it is silent".
func (b *builder) returning(back int) {
	var known []*expr
	known = append(known, b.results...)
	if !b.asked.named {
		b.add(back, step{to: b.end})
		return
	}
	for class := range 1 << len(known) {
		b.add(back, step{to: b.end, action: b.className(class), when: func(m *memory) bool {
			for i, e := range known {
				if (evaluate(e, b.globalsWith(), m) != 0) != (class>>i&1 == 1) {
					return false
				}
			}
			return true
		}})
	}
}

// globalsWith is where conditions on a result are evaluated.
func (c *component) globalsWith() *activation { return c.own }

// className is the action of returning in a class.
func (c *component) className(class int) string {
	if c.asked.claim != nil { // shared
		return returnName("", len(c.results), class)
	}
	return returnName(c.m.name, len(c.results), class)
}

func returnName(member string, conditions, class int) string {
	name := "return!" + member + "!"
	for i := range conditions {
		name += string('0' + byte(class>>i&1))
	}
	return name
}
