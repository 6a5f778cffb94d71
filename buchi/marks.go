package buchi

// Marks that make no difference to the language do to simulation, which compares them
// step by step. These functions make others of them.

// mostMarks puts edges (states, if the automaton is state-based) into each acceptance set
// that every cycle through them has something of anyway. The automaton must be
// trimmed. Time is linear in the edges, for each set.
func mostMarks(a *Automaton) *Automaton {
	b := a.clone()
	c := findComponents(a)
	for i := range a.sets {
		mark := uint64(1) << i
		w := componentsOf(unmarked(b, c, mark))
		for s, es := range b.out {
			for j, e := range es {
				switch {
				case e.Marks&mark != 0 || c.of[e.To] != c.of[s] || !c.accepting(c.of[s], a.AllMarks()):
				case a.stateBased && !w.cyclic[w.of[s]], !a.stateBased && w.of[e.To] != w.of[s]:
					es[j].Marks |= mark
				}
			}
		}
	}
	return b.uniform()
}

// unmarked is the graph of the edges in accepting components that are not in the given
// set.
func unmarked(a *Automaton, c *components, mark uint64) [][]Edge {
	out := make([][]Edge, len(a.out))
	for s, es := range a.out {
		for _, e := range es {
			if e.Marks&mark == 0 && c.of[e.To] == c.of[s] && c.accepting(c.of[s], a.AllMarks()) {
				out[s] = append(out[s], e)
			}
		}
	}
	return out
}

// uniform gives all edges of a state the same marks if the automaton is state-based, and
// joins edges. It works in place.
func (a *Automaton) uniform() *Automaton {
	for s, es := range a.out {
		marks := uint64(0)
		for _, e := range es {
			marks |= e.Marks
		}
		for i := range es {
			if a.stateBased {
				es[i].Marks = marks
			}
		}
		a.out[s] = a.mergeEdges(es)
	}
	return a
}

// fewestMarks takes states of a state-based Büchi automaton out of the acceptance set
// where every cycle through them has another state of it, one after the other, from the last
// on if backwards is asked for. Time is the number of states times that of edges.
func fewestMarks(a *Automaton, backwards bool) *Automaton {
	b := a.clone()
	c := findComponents(a)
	for i := range b.out {
		s := i
		if backwards {
			s = len(b.out) - 1 - i
		}
		if b.StateMarks(int32(s)) == 0 {
			continue
		}
		b.markState(s, 0)
		if w := componentsOf(unmarked(b, c, 1)); w.cyclic[w.of[s]] {
			b.markState(s, 1)
		}
	}
	return b.uniform()
}

func (a *Automaton) markState(s int, marks uint64) {
	for i := range a.out[s] {
		a.out[s][i].Marks = marks
	}
}

// remarked returns the smallest of an automaton and its reductions with other marks, and of
// those of the one that it was made from by degeneralisation, if it was.
func (t *translation) remarked(a, origin *Automaton) *Automaton {
	best := a
	keep := func(b *Automaton) {
		if t.better(b, best) {
			best = b
		}
	}
	if origin != nil && origin != a && origin.sets > 0 {
		if b := reduceDirect(mostMarks(origin)); !b.same(origin) {
			keep(t.acceptance(reduceOn(b)))
		}
	}
	if a.sets == 0 {
		return best
	}
	if b := reduceDirect(mostMarks(a)); !b.same(a) { // what was reduced may have more to reduce also where marks stay
		keep(reduceOn(b))
	}
	if a.stateBased && a.sets == 1 {
		forwards := fewestMarks(a, false)
		if !forwards.same(a) {
			keep(reduceSimulation(forwards))
		}
		if backwards := fewestMarks(a, true); !backwards.same(forwards) {
			keep(reduceSimulation(backwards))
		}
	}
	return best
}
