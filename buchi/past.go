package buchi

import (
	"slices"

	"github.com/seltl/seltl/internal/bdd"
	"github.com/seltl/seltl/ltl"
)

// memory is what a construction knows of the past. Whether a formula without future operators
// holds is known from the letters so far: one bit for each of its past operators is enough, which
// says whether Y f holds, or held at the position before for O f and f S g; Z, H and T are said by
// their duals. To the construction such a formula is a letter's variable, behind the atoms; a
// state is a function and the bits on which that and what is behind it depend, and an edge
// replaces the variables by functions over the atoms, which the bits give.
//
// Past operators over future ones are chosen, see ltl.Foretold: atoms which the labels lose in
// the end.
type memory struct {
	atoms  int            // of the automaton
	first  int            // variable of the first operator: behind the atoms and those that are lost
	ops    []*ltl.Formula // Y, O and S, operands before the formulas that use them
	number map[*ltl.Formula]int
	later  map[*ltl.Formula][]bool // by formula: the bits that it may ask for at some time
	now    map[*ltl.Formula][]bool // by operator: the bits that its value depends on
	known  map[string]*recollection
}

// recollection is what bits say: the value of each operator, and its next bit, over the letters.
type recollection struct{ value, next []bdd.Node }

// remember makes c a construction for a formula with past operators and returns what it is to
// translate.
func (c *couvreur) remember(f *ltl.Formula) *ltl.Formula {
	f, hidden := ltl.Foretold(f, false)
	for _, a := range hidden {
		c.position[a] = c.letters
		c.letters++
	}
	m := &memory{
		atoms: len(c.atoms), first: c.letters, number: map[*ltl.Formula]int{}, later: map[*ltl.Formula][]bool{},
		now: map[*ltl.Formula][]bool{}, known: map[string]*recollection{},
	}
	for _, g := range ltl.Subformulas(f) {
		if g.IsPast() {
			m.enter(g)
		}
	}
	c.letters += len(m.ops)
	c.past = m
	return f
}

// canonical returns the Y, O or S that a past operator is, or is the negation of.
func canonical(f *ltl.Formula) (g *ltl.Formula, negated bool) {
	switch f.Op() {
	case ltl.WeakYesterday, ltl.Historically, ltl.Triggered:
		return ltl.Negate(f), true
	}
	return f, false
}

// enter numbers an operator behind those in its operands.
func (m *memory) enter(f *ltl.Formula) {
	f, _ = canonical(f)
	if _, known := m.number[f]; known {
		return
	}
	for _, g := range ltl.Subformulas(f) {
		if !g.IsPast() {
			continue
		}
		if g, _ = canonical(g); g == f {
			continue
		}
		m.enter(g)
	}
	m.number[f] = len(m.ops)
	m.ops = append(m.ops, f)
}

// variable stands for the value of a past operator.
func (c *couvreur) pastVariable(f *ltl.Formula) bdd.Node {
	f, negated := canonical(f)
	v := c.past.first + c.past.number[f]
	if negated {
		return c.man.NotVar(v)
	}
	return c.man.Var(v)
}

// recall computes what bits say.
func (c *couvreur) recall(bits string) *recollection {
	m := c.past
	r, ok := m.known[bits]
	if ok {
		return r
	}
	r = &recollection{}
	memo := map[*ltl.Formula]bdd.Node{}
	for i, f := range m.ops {
		held := bdd.False
		if bits[i] == 1 {
			held = bdd.True
		}
		switch f.Op() {
		case ltl.Yesterday:
			r.value = append(r.value, held)
			r.next = append(r.next, c.value(f.Left(), r, memo))
			continue
		case ltl.Since:
			held = c.man.And(held, c.value(f.Left(), r, memo))
		}
		value := c.man.Or(held, c.value(f.Args()[len(f.Args())-1], r, memo))
		r.value = append(r.value, value)
		r.next = append(r.next, value)
	}
	m.known[bits] = r
	return r
}

// value is a formula without future operators over the letters, where r has the values of the
// past operators in it.
func (c *couvreur) value(f *ltl.Formula, r *recollection, memo map[*ltl.Formula]bdd.Node) bdd.Node {
	n, ok := memo[f]
	if ok {
		return n
	}
	switch {
	case f.IsPast():
		g, negated := canonical(f)
		if n = r.value[c.past.number[g]]; negated {
			n = c.man.Not(n)
		}
	case f.Op() == ltl.And:
		n = c.conjunction(f.Args(), func(g *ltl.Formula) bdd.Node { return c.value(g, r, memo) })
	case f.Op() == ltl.Or:
		for _, g := range f.Args() {
			n = c.man.Or(n, c.value(g, r, memo))
		}
	default:
		n = c.unfold(f)
	}
	memo[f] = n
	return n
}

// substitute replaces the variables of past operators in a function by their values.
func (c *couvreur) substitute(f bdd.Node, r *recollection) bdd.Node {
	memo := map[bdd.Node]bdd.Node{}
	var visit func(n bdd.Node) bdd.Node
	visit = func(n bdd.Node) bdd.Node { // as deep as there are letters
		v := c.man.Level(n)
		if n == bdd.False || n == bdd.True || v >= c.letters {
			return n
		}
		image, ok := memo[n]
		if !ok {
			test := c.man.Var(v)
			if v >= c.past.first {
				test = r.value[v-c.past.first]
			}
			image = c.man.ITE(test, visit(c.man.High(n)), visit(c.man.Low(n)))
			memo[n] = image
		}
		return image
	}
	return visit(f)
}

// needed returns the bits on which a function depends, now or at some time.
func (c *couvreur) needed(f bdd.Node) []bool {
	m := c.past
	need := make([]bool, len(m.ops))
	for _, v := range c.man.Support(f) {
		switch {
		case v < m.first:
		case v < c.letters:
			join(need, m.valueNeeds(m.ops[v-m.first]))
		case c.variables[v-c.letters].next != nil:
			join(need, m.laterNeeds(c.variables[v-c.letters].next))
		case c.variables[v-c.letters].match != nil:
			join(need, m.laterNeeds(c.variables[v-c.letters].match.formula.Last()))
		}
	}
	return need
}

func join(set, more []bool) {
	for i, yes := range more {
		set[i] = set[i] || yes
	}
}

// laterNeeds are the bits of all past operators in a formula.
func (m *memory) laterNeeds(f *ltl.Formula) []bool {
	need, ok := m.later[f]
	if !ok {
		need = make([]bool, len(m.ops))
		for _, g := range ltl.Subformulas(f) {
			if g.IsPast() {
				g, _ = canonical(g)
				for _, h := range ltl.Subformulas(g) {
					if h.IsPast() {
						h, _ = canonical(h)
						need[m.number[h]] = true
					}
				}
			}
		}
		m.later[f] = need
	}
	return need
}

// valueNeeds are the bits that the value of an operator depends on: that of Y f is its bit.
func (m *memory) valueNeeds(f *ltl.Formula) []bool {
	need, ok := m.now[f]
	if ok {
		return need
	}
	need = make([]bool, len(m.ops))
	need[m.number[f]] = true
	var visit func(g *ltl.Formula)
	visit = func(g *ltl.Formula) {
		if g.IsPast() {
			g, _ = canonical(g)
			join(need, m.valueNeeds(g))
			return
		}
		for _, a := range g.Args() {
			visit(a)
		}
	}
	if f.Op() != ltl.Yesterday {
		for _, a := range f.Args() {
			visit(a)
		}
	}
	m.now[f] = need
	return need
}

// split divides an edge by the bits that its target needs, and enters the targets; without
// past operators it is one edge.
func (c *couvreur) split(states *stateTable, e Edge, to bdd.Node, r *recollection) []Edge {
	if c.past == nil {
		e.To = states.add(to, "")
		return []Edge{e}
	}
	need := c.needed(to)
	bits := make([]byte, len(need))
	var es []Edge
	var divide func(label Label, i int)
	divide = func(label Label, i int) {
		for i < len(need) && !need[i] {
			i++
		}
		if label == NoLetter {
			return
		}
		if i == len(need) {
			es = append(es, Edge{c.project(label), states.add(to, string(bits)), e.Marks})
			return
		}
		divide(c.man.Diff(label, r.next[i]), i+1)
		bits[i] = 1
		divide(c.man.And(label, r.next[i]), i+1)
		bits[i] = 0
	}
	divide(e.Label, 0)
	return es
}

// project returns the letters over the automaton's atoms for which the others can be chosen.
func (c *couvreur) project(label Label) Label {
	if c.past.first == c.past.atoms {
		return label
	}
	memo := map[Label]Label{NoLetter: NoLetter, AnyLetter: AnyLetter}
	var visit func(n Label) Label
	visit = func(n Label) Label {
		if image, ok := memo[n]; ok {
			return image
		}
		v := c.man.Level(n)
		image := AnyLetter // a function of what is chosen only, and not false
		if v < c.past.atoms {
			image = c.man.Node(v, visit(c.man.Low(n)), visit(c.man.High(n)))
		}
		memo[n] = image
		return image
	}
	return visit(label)
}

// beginning are the bits before the first letter.
func (c *couvreur) beginning() string {
	if c.past == nil {
		return ""
	}
	return string(slices.Repeat([]byte{0}, len(c.past.ops)))
}
