package omega

import "slices"

// Trim returns an equivalent automaton without states that no accepting run visits (but for
// the initial one), and with a simpler condition; see Simplify. States keep their order. As in buchi, on purpose: what
// becomes of marks and sets is the condition's matter.
func (a *Automaton) Trim() *Automaton {
	c := a.components()
	useful := a.usefulComponents(c)
	number := make([]int32, len(a.out))
	n := int32(0)
	for s := range a.out {
		number[s] = -1
		if id := c.of[s]; id >= 0 && (useful[id] || int32(s) == a.initial) {
			number[s] = n
			n++
		}
	}
	b := a.like(int(n), a.sets, a.condition)
	b.initial = number[a.initial]
	for s, es := range a.out {
		if number[s] < 0 || !useful[c.of[s]] {
			continue
		}
		var kept []Edge
		for _, e := range es {
			if number[e.To] >= 0 && useful[c.of[e.To]] {
				kept = append(kept, Edge{e.Label, number[e.To], e.Marks})
			}
		}
		b.out[number[s]] = b.merge(kept)
	}
	return b.Simplify()
}

// usefulComponents says which components reach an accepting cycle.
func (a *Automaton) usefulComponents(c *components) []bool {
	useful := make([]bool, len(c.states))
	for id, states := range c.states { // sinks come first
		for _, s := range states {
			useful[id] = useful[id] || slices.ContainsFunc(a.out[s], func(e Edge) bool {
				return c.of[e.To] != int32(id) && useful[c.of[e.To]]
			})
		}
		useful[id] = useful[id] || a.accepts(c, id)
	}
	return useful
}

// accepts reports whether some run accepts that stays in a component.
func (a *Automaton) accepts(c *components, id int) bool {
	return c.cyclic[id] && searchComponent(graph{out: a.out, meter: a.meter}, c.states[id], c.marks[id], a.condition) != nil
}

// Simplify returns an equivalent automaton with the same states and edges and a condition
// with fewer sets: marks that no cycle or every edge of every cycle has, sets that agree,
// sets that only their union matters of, and sets that the condition does not speak of go.
func (a *Automaton) Simplify() *Automaton {
	b := a
	for {
		c := b.simplified()
		if c.sets == b.sets && c.condition.String() == b.condition.String() {
			return c
		}
		b = c
	}
}

// simplified is one round of Simplify.
func (a *Automaton) simplified() *Automaton {
	c := a.components()
	// Of edges that are on no cycle, marks mean nothing; they stay where they keep the
	// automaton state-based.
	present, common := uint64(0), ^uint64(0)
	var onCycles []uint64
	for s, es := range a.out {
		for _, e := range es {
			if c.of[s] >= 0 && c.of[s] == c.of[e.To] {
				present |= e.Marks
				common &= e.Marks
				onCycles = append(onCycles, e.Marks)
			}
		}
	}
	condition := a.condition.within(present).given(common & present)
	same := make([]int, a.sets) // of a set: the first with the same edges
	for i := range same {
		for j := 0; j <= i; j++ {
			if !slices.ContainsFunc(onCycles, func(m uint64) bool { return m>>i&1 != m>>j&1 }) {
				same[i] = j
				break
			}
		}
	}
	condition = condition.replace(func(t *Condition) *Condition { return &Condition{op: t.op, set: same[t.set]} })
	condition, unions := joinSets(condition)
	number := make([]uint64, a.sets)
	n := 0
	renumbered := map[int]int{}
	for _, set := range bitList(condition.Sets()) {
		for _, member := range bitList(unions[set]) {
			number[member] |= 1 << n
		}
		renumbered[set] = n
		n++
	}
	condition = condition.replace(func(t *Condition) *Condition { return &Condition{op: t.op, set: renumbered[t.set]} })
	stateBased := a.StateBased()
	return a.mapEdges(n, condition, func(s int32, e Edge) uint64 {
		if !stateBased && c.of[s] != c.of[e.To] {
			return 0
		}
		marks := uint64(0)
		for _, set := range bitList(e.Marks) {
			marks |= number[set]
		}
		return marks
	})
}

// joinSets replaces Inf(i) | Inf(j), and Fin(i) & Fin(j), by one term about the union of the
// sets, where these terms are the only ones about them. It returns what sets each set is the
// union of.
func joinSets(c *Condition) (*Condition, [MaxSets]uint64) {
	var unions [MaxSets]uint64
	for i := range unions {
		unions[i] = 1 << i
	}
	uses := make([]int, MaxSets)
	c.replace(func(t *Condition) *Condition { uses[t.set]++; return t })
	var join func(c *Condition) *Condition
	join = func(c *Condition) *Condition {
		if c.op != OpAnd && c.op != OpOr {
			return c
		}
		op := map[Op]Op{OpAnd: OpFin, OpOr: OpInf}[c.op]
		first := -1
		var args []*Condition
		for _, arg := range c.args {
			switch {
			case arg.op != op || uses[arg.set] != 1:
				args = append(args, join(arg))
			case first < 0:
				first = arg.set
				args = append(args, arg)
			default:
				unions[first] |= unions[arg.set]
			}
		}
		if c.op == OpAnd {
			return And(args...)
		}
		return Or(args...)
	}
	return join(c), unions
}

// rejecting returns an equivalent automaton and marks that do not satisfy its condition.
func (a *Automaton) rejecting() (*Automaton, uint64) {
	if marks, ok := a.condition.Dual().model(); ok {
		return a, marks
	}
	return a.mapEdges(1, Inf(0), func(int32, Edge) uint64 { return 1 }), 0
}

// model returns marks that satisfy the condition, false if there are none.
func (c *Condition) model() (uint64, bool) {
	sets := c.Sets()
	if sets == 0 {
		return 0, c.op == OpTrue
	}
	first := sets & -sets
	if marks, ok := c.within(^first).model(); ok {
		return marks, true
	}
	marks, ok := c.given(first).model()
	return marks | first, ok
}

// Completed returns an equivalent automaton in which each state has an edge for each letter:
// those that are missing lead to a new state that rejects.
func (a *Automaton) Completed() *Automaton {
	if a.Complete() {
		return a
	}
	stateBased := a.StateBased()
	b, reject := a.rejecting()
	b = b.mapEdges(b.sets, b.condition, func(_ int32, e Edge) uint64 { return e.Marks })
	sink := int32(len(b.out))
	b.out = append(b.out, nil)
	for s, es := range b.out {
		marks := reject
		if stateBased && len(es) > 0 {
			marks = es[0].Marks
		}
		if rest := b.man.Not(b.union(es)); rest != NoLetter {
			b.out[s] = b.merge(append(es, Edge{rest, sink, marks}))
		}
	}
	return b
}
