package buchi

// degeneralize returns an equivalent state-based Büchi automaton (one acceptance
// set, or none if every run accepts).
//
// Every accepting component is unrolled by levels on its own, in an order of its
// own of the acceptance sets it needs: a copy (s, l) has seen the first l of them
// since the last accepting copy (s, all). A set that all edges out of a state
// have is counted on entry. Only one terminal component of the unrolling is kept
// (each holds a copy of every state, since the component is strongly connected),
// the smallest over the orders tried; edges from outside enter it at the lowest
// level kept. The idea of component-wise orders and level reuse is that of
// [Babiak13], section 5; to keep one terminal component only is Spot's.
func degeneralize(a *Automaton) *Automaton {
	if a.stateBased && a.sets <= 1 {
		return a
	}
	d := &degeneralizer{a: a, c: findComponents(a), common: make([]uint64, len(a.out))}
	for s, es := range a.out {
		d.common[s] = a.AllMarks()
		for _, e := range es {
			if d.c.of[e.To] == d.c.of[s] {
				d.common[s] &= e.Marks
			}
		}
	}
	return d.run()
}

type degeneralizer struct {
	a *Automaton
	c *components

	common []uint64 // of each state: marks of all edges that stay in the component
}

// copyOf names a copy of a state.
type copyOf struct {
	state int32
	level int
}

// unrolled is the part of the result that comes from one component.
type unrolled struct {
	order  []int // acceptance sets
	copies []copyOf
	number map[copyOf]int32 // position in copies
	entry  map[int32]int32  // of a state: the copy entered from outside
}

func (d *degeneralizer) run() *Automaton {
	all := d.a.AllMarks()
	members := make([][]int32, len(d.c.marks))
	for s, id := range d.c.of {
		if id >= 0 {
			members[id] = append(members[id], int32(s))
		}
	}
	parts := make([]*unrolled, len(members))
	base := make([]int32, len(members))
	total := int32(0)
	for id := len(members) - 1; id >= 0; id-- {
		if d.c.accepting(int32(id), all) {
			parts[id] = d.bestUnrolling(members[id])
		} else {
			parts[id] = flat(members[id])
		}
		base[id] = total
		total += int32(len(parts[id].copies))
	}
	b := d.a.like(int(total))
	b.sets, b.stateBased = 1, true
	for id, u := range parts {
		for i, cp := range u.copies {
			d.connect(b, u, int32(id), base, parts, int32(i), cp)
		}
	}
	id := d.c.of[d.a.initial]
	b.initial = base[id] + parts[id].entry[d.a.initial]
	return trim(b)
}

// connect makes the edges of one copy.
func (d *degeneralizer) connect(b *Automaton, u *unrolled, id int32, base []int32, parts []*unrolled, i int32, cp copyOf) {
	from := base[id] + i
	mark := uint64(0)
	if u.order != nil && cp.level == len(u.order) {
		mark = 1
	}
	for _, e := range d.a.out[cp.state] {
		to := d.c.of[e.To]
		var j int32
		if to == id && u.order != nil {
			j = u.number[d.step(u.order, cp, e)]
		} else {
			j = parts[to].entry[e.To]
		}
		b.out[from] = append(b.out[from], Edge{e.Label, base[to] + j, mark})
	}
	b.out[from] = b.mergeEdges(b.out[from])
}

// flat is a component without accepting cycle: one copy of each state.
func flat(states []int32) *unrolled {
	u := &unrolled{entry: map[int32]int32{}}
	for i, s := range states {
		u.copies = append(u.copies, copyOf{s, 0})
		u.entry[s] = int32(i)
	}
	return u
}

// step returns the copy that an edge within the component leads to.
func (d *degeneralizer) step(order []int, from copyOf, e Edge) copyOf {
	l := from.level
	if l == len(order) {
		l = 0
	}
	l = climb(order, l, e.Marks)
	return copyOf{e.To, climb(order, l, d.common[e.To])}
}

// climb skips the sets from level l on that marks has.
func climb(order []int, l int, marks uint64) int {
	for l < len(order) && marks>>order[l]&1 != 0 {
		l++
	}
	return l
}

// bestUnrolling tries orders of the acceptance sets that the component needs.
func (d *degeneralizer) bestUnrolling(states []int32) *unrolled {
	var best *unrolled
	for _, order := range orders(d.neededSets(states)) {
		if u := d.unroll(states, order); best == nil || len(u.copies) < len(best.copies) {
			best = u
		}
	}
	return best
}

// neededSets returns the sets that do not follow from others in the component.
func (d *degeneralizer) neededSets(states []int32) []int {
	all := d.a.AllMarks()
	everywhere := all
	implies := make([]uint64, d.a.sets)
	for i := range implies {
		implies[i] = all
	}
	for _, s := range states {
		for _, e := range d.a.out[s] {
			if d.c.of[e.To] != d.c.of[s] {
				continue
			}
			everywhere &= e.Marks
			for _, i := range marksList(e.Marks) {
				implies[i] &= e.Marks
			}
		}
	}
	keep := all &^ everywhere
	for i := range d.a.sets {
		if keep>>i&1 != 0 {
			keep &^= implies[i] &^ (1 << i)
		}
	}
	return marksList(keep)
}

// maxPermuted is the largest number of sets for which all orders are tried.
const maxPermuted = 4

// orders lists orders to try: all of few sets, the rotations of the given order
// and of its reverse for many. It never returns an empty list.
func orders(sets []int) [][]int {
	n := len(sets)
	if n > maxPermuted {
		var list [][]int
		for r := range n {
			up, down := make([]int, n), make([]int, n)
			for i := range n {
				up[i] = sets[(r+i)%n]
				down[n-1-i] = up[i]
			}
			list = append(list, up, down)
		}
		return list
	}
	var list [][]int
	var extend func(order []int, used uint)
	extend = func(order []int, used uint) {
		if len(order) == n {
			list = append(list, append([]int{}, order...))
			return
		}
		for i, s := range sets {
			if used>>i&1 == 0 {
				extend(append(order, s), used|1<<i)
			}
		}
	}
	extend(make([]int, 0, n), 0)
	return list
}

// unroll builds the copies that are reachable from the lowest copy of the first
// state and keeps a smallest terminal component of them.
func (d *degeneralizer) unroll(states []int32, order []int) *unrolled {
	number := map[copyOf]int32{}
	var copies []copyOf
	add := func(c copyOf) int32 {
		n, ok := number[c]
		if !ok {
			n = int32(len(copies))
			number[c] = n
			copies = append(copies, c)
		}
		return n
	}
	add(copyOf{states[0], climb(order, 0, d.common[states[0]])})
	var out [][]Edge
	for i := 0; i < len(copies); i++ {
		var es []Edge
		for _, e := range d.a.out[copies[i].state] {
			if d.c.of[e.To] == d.c.of[copies[i].state] {
				es = append(es, Edge{To: add(d.step(order, copies[i], e))})
			}
		}
		out = append(out, es)
	}
	keep := smallestTerminal(out)
	u := &unrolled{order: order, number: map[copyOf]int32{}, entry: map[int32]int32{}}
	if order == nil {
		u.order = []int{}
	}
	for i, c := range copies {
		if !keep[i] {
			continue
		}
		n := int32(len(u.copies))
		u.copies = append(u.copies, c)
		u.number[c] = n
		if old, ok := u.entry[c.state]; !ok || c.level < u.copies[old].level {
			u.entry[c.state] = n
		}
	}
	return u
}

// smallestTerminal says which nodes of a graph are in the smallest component
// without edges to others.
func smallestTerminal(out [][]Edge) []bool {
	c := componentsOf(out)
	terminal := make([]bool, len(c.marks))
	for s := range out {
		terminal[c.of[s]] = true
	}
	for s, es := range out {
		for _, e := range es {
			if c.of[e.To] != c.of[s] {
				terminal[c.of[s]] = false
			}
		}
	}
	best := int32(-1)
	for id, ok := range terminal {
		if ok && (best < 0 || c.size[id] < c.size[best]) {
			best = int32(id)
		}
	}
	keep := make([]bool, len(out))
	for s := range out {
		keep[s] = c.of[s] == best
	}
	return keep
}
