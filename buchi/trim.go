package buchi

import "math/bits"

// trim removes what no accepting run uses: states that are unreachable or cannot
// reach an accepting component, marks outside accepting components, and
// acceptance sets that follow from others. The language stays the same. States
// keep their order.
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
			if !a.stateBased && (c.of[e.To] != c.of[s] || !c.accepting(c.of[s], all)) {
				e.Marks = 0
			}
			if a.stateBased && !c.accepting(c.of[s], all) {
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

// dropSets removes acceptance sets that contain another one within every
// accepting component, and those that all inner edges have. The edges of other
// components must have no marks. It works in place.
func dropSets(a *Automaton) *Automaton {
	if a.sets == 0 {
		return a
	}
	c := findComponents(a)
	all := a.AllMarks()
	// implied[j]: the sets i such that every inner edge with i has j (then
	// fulfilling i fulfils j).
	everywhere := all
	implies := make([]uint64, a.sets)
	for i := range implies {
		implies[i] = all
	}
	for s, es := range a.out {
		for _, e := range es {
			if c.of[s] < 0 || c.of[e.To] != c.of[s] || !c.accepting(c.of[s], all) {
				continue
			}
			everywhere &= e.Marks
			for m := e.Marks; m != 0; m &= m - 1 {
				implies[bits.TrailingZeros64(m)] &= e.Marks
			}
		}
	}
	keep := all &^ everywhere
	for i := range a.sets {
		if keep>>i&1 != 0 {
			// Set i stays; what it implies goes. Of two equal sets the first stays.
			keep &^= implies[i] &^ (1 << i)
		}
	}
	if keep == 0 && hasRejectingCycle(c, all) {
		keep = 1 // all edges of accepting components have it, no others
	}
	if keep == all {
		return a
	}
	return keepSets(a, keep)
}

// keepSets renumbers the acceptance sets to those in keep. It works in place.
func keepSets(a *Automaton, keep uint64) *Automaton {
	for s, es := range a.out {
		for i := range es {
			es[i].Marks = gather(es[i].Marks, keep)
		}
		a.out[s] = a.mergeEdges(es)
	}
	a.sets = bits.OnesCount64(keep)
	return a
}

// gather moves the bits of x at the positions in mask to the low end.
func gather(x, mask uint64) uint64 {
	var out uint64
	for i := 0; mask != 0; i++ {
		b := bits.TrailingZeros64(mask)
		out |= x >> b & 1 << i
		mask &= mask - 1
	}
	return out
}

func hasRejectingCycle(c *components, all uint64) bool {
	for id, cyclic := range c.cyclic {
		if cyclic && !c.accepting(int32(id), all) {
			return true
		}
	}
	return false
}
