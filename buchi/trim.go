package buchi

import (
	"math/bits"
	"slices"
)

// trim removes what no accepting run uses: states that are unreachable or cannot
// reach an accepting component, marks of edges that do not lead to one, and
// acceptance sets that follow from others. The language stays the same. States
// keep their order.
//
// The marks of an edge into a component mean nothing. They are kept until a
// translation ends (unmarkEntries), since with those that the construction gives
// it such an edge is more like the edges inside, and simulation joins more states.
func trim(a *Automaton) *Automaton {
	c := findComponents(a)
	all := a.AllMarks()
	useful := usefulComponents(a, c)
	number := make([]int32, len(a.out))
	n := int32(0)
	for s := range a.out {
		number[s] = -1
		if id := c.of[s]; id >= 0 && (useful[id] || int32(s) == a.initial) {
			number[s] = n
			n++
		}
	}
	b := a.like(int(n))
	b.initial = number[a.initial]
	for s, es := range a.out {
		if number[s] < 0 || !useful[c.of[s]] {
			continue
		}
		kept := make([]Edge, 0, len(es))
		for _, e := range es {
			if number[e.To] < 0 || !useful[c.of[e.To]] {
				continue
			}
			if id := c.marking(a, int32(s), e); !c.accepting(id, all) {
				e.Marks = 0
			}
			kept = append(kept, Edge{e.Label, number[e.To], e.Marks})
		}
		b.out[number[s]] = b.mergeEdges(kept)
	}
	return dropSets(b)
}

// usefulComponents says which components reach an accepting cycle.
func usefulComponents(a *Automaton, c *components) []bool {
	all := a.AllMarks()
	useful := make([]bool, len(c.marks))
	for id := range useful {
		useful[id] = c.accepting(int32(id), all)
	}
	// Components are numbered sinks first, but states are in any order: go by
	// component.
	byComponent := make([][]int32, len(c.marks))
	for s, id := range c.of {
		if id >= 0 {
			byComponent[id] = append(byComponent[id], int32(s))
		}
	}
	for id, states := range byComponent {
		for _, s := range states {
			for _, e := range a.out[s] {
				useful[id] = useful[id] || useful[c.of[e.To]]
			}
		}
	}
	return useful
}

// marking is the component that gives the marks of an edge out of s their meaning.
func (c *components) marking(a *Automaton, s int32, e Edge) int32 {
	if a.stateBased {
		return c.of[s]
	}
	return c.of[e.To]
}

// unmarkEntries takes away the marks of edges from one component to another. It works in place.
func unmarkEntries(a *Automaton) *Automaton {
	if a.stateBased || a.sets == 0 {
		return a
	}
	c := findComponents(a)
	for s, es := range a.out {
		for i, e := range es {
			if c.of[e.To] != c.of[s] {
				es[i].Marks = 0
			}
		}
		a.out[s] = a.mergeEdges(es)
	}
	return a
}

// dropSets leaves each accepting component the acceptance sets that it needs. Sets that no
// component needs both become one, which has in each component the edges of the set that is
// needed there, and else those of one that follows from others. Marks of edges in other
// components must have been taken away. It works in place.
func dropSets(a *Automaton) *Automaton {
	if a.sets == 0 {
		return a
	}
	c := findComponents(a)
	all := a.AllMarks()
	needs := c.neededSets(a)
	number, sets := shareNumbers(needs, a.sets)
	if sets == 0 && hasRejectingCycle(c, all) {
		sets = 1 // all edges of accepting components have it, no others
	}
	switch sets {
	case a.sets:
		return a
	case 0:
		return dropMarks(a)
	}
	old := make([][]int, len(needs)) // of each component: which set takes each number
	for id, need := range needs {
		old[id] = make([]int, sets)
		for i, n := range number {
			if was := old[id][n]; need>>i&1 != 0 || number[was] != n || need>>was&1 == 0 {
				old[id][n] = i
			}
		}
	}
	for s, es := range a.out {
		for i, e := range es {
			id := c.marking(a, int32(s), e)
			if id < 0 || !c.accepting(id, all) {
				continue
			}
			es[i].Marks = 0
			for n, was := range old[id] {
				es[i].Marks |= e.Marks >> was & 1 << n
			}
		}
		a.out[s] = a.mergeEdges(es)
	}
	a.sets = sets
	return a
}

// shareNumbers numbers sets anew so that no two that one component needs have the same number,
// by colouring greedily; count is that of the numbers of sets that are needed.
func shareNumbers(needs []uint64, sets int) (number []int, count int) {
	number = make([]int, sets)
	for i := range sets {
		var taken uint64
		for j := range i {
			for _, n := range needs {
				if n>>i&1 != 0 && n>>j&1 != 0 {
					taken |= 1 << number[j]
				}
			}
		}
		number[i] = bits.TrailingZeros64(^taken)
		if slices.ContainsFunc(needs, func(n uint64) bool { return n>>i&1 != 0 }) {
			count = max(count, number[i]+1)
		}
	}
	return number, count
}

// neededSets returns for each accepting component the sets that do not follow from others there.
func (c *components) neededSets(a *Automaton) []uint64 {
	all := a.AllMarks()
	implies := make([]uint64, len(c.marks)*a.sets) // by component and set: what every inner edge with the set has
	for i := range implies {
		implies[i] = all
	}
	for s, es := range a.out {
		id := c.of[s]
		if id < 0 || !c.accepting(id, all) {
			continue
		}
		for _, e := range es {
			if c.of[e.To] != id {
				continue
			}
			for m := e.Marks; m != 0; m &= m - 1 {
				implies[int(id)*a.sets+bits.TrailingZeros64(m)] &= e.Marks
			}
		}
	}
	needs := make([]uint64, len(c.marks))
	for id := range needs {
		if !c.accepting(int32(id), all) {
			continue
		}
		keep := all &^ c.allInside[id]
		for i := range a.sets {
			if keep>>i&1 != 0 {
				keep &^= implies[id*a.sets+i] &^ (1 << i) // of two equal sets the first stays
			}
		}
		needs[id] = keep
	}
	return needs
}

// dropMarks takes all acceptance sets away, so that every run accepts. It works in place.
func dropMarks(a *Automaton) *Automaton {
	for s, es := range a.out {
		for i := range es {
			es[i].Marks = 0
		}
		a.out[s] = a.mergeEdges(es)
	}
	a.sets = 0
	return a
}

func hasRejectingCycle(c *components, all uint64) bool {
	for id, cyclic := range c.cyclic {
		if cyclic && !c.accepting(int32(id), all) {
			return true
		}
	}
	return false
}
