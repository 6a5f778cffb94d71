package parity

import (
	"math/bits"

	"github.com/seltl/seltl/internal/numset"
)

// What is between components, and on edges to and from a state that runs meet anyway, need not
// have the priority that a construction gave it. These find others with which more states are
// bisimilar.

// pullRounds is where Pull gives up: few graphs come to an end later, and who stops earlier may
// only have more states.
const pullRounds = 64

// Pull changes priorities so that more states have equal ones, and the same words are accepted:
// if no edge by which a state stays in its component has more than some priority, all edges
// to the state get at most that, and its own of just that the largest of the component. A run
// that comes to the state infinitely often meets it there instead. What the edges of a state
// say then depends less on how runs came to it. Edges between components get the largest
// priority of all.
//
// States are asked round after round, pullRounds times at most (a few of them can pass priorities
// round a cycle for ever), except those whose edges are as they were when last asked. That saved
// a third of the time on a graph of 9,945 states.
func (g Graph) Pull() {
	w := g.within()
	w.due = numset.NewBits(len(g))
	for s := range g {
		w.due.Add(int32(s))
	}
	changed := true
	for round := 0; changed && round < min(len(g), pullRounds); round++ {
		changed = false
		for i := range w.due {
			for rest := w.due[i]; rest != 0; {
				bit := bits.TrailingZeros64(rest)
				if w.pull(int32(i<<6 + bit)) {
					changed = true
				}
				rest = w.due[i] &^ (2<<bit - 1) // also those behind it that became due
			}
		}
	}
}

// Forget changes priorities, and the same words are accepted: if all edges by which a state is
// entered from its component have at most some priority, those that leave it with that or more
// say nothing new, and get the largest of the component.
func (g Graph) Forget() {
	w := g.within()
	for s := range g {
		w.forget(int32(s))
	}
}

// within has the edges inside components.
type within struct {
	base      []int // of each state: the largest priority in its component
	out, into [][]*Edge
	from      [][]int32   // of into: where the edges leave
	due       numset.Bits // states to pull at: those of changed edges
}

func (g Graph) within() *within {
	of, _ := g.above(0)
	base, most := make([]int, len(g)), 0
	w := &within{base: make([]int, len(g)), out: make([][]*Edge, len(g)), into: make([][]*Edge, len(g)), from: make([][]int32, len(g))}
	for s, es := range g {
		for i := range es {
			e := &es[i]
			most = max(most, e.Priority)
			if of[s] == of[e.To] {
				base[of[s]] = max(base[of[s]], e.Priority)
				w.out[s] = append(w.out[s], e)
				w.into[e.To] = append(w.into[e.To], e)
				w.from[e.To] = append(w.from[e.To], int32(s))
			}
		}
	}
	for s, es := range g {
		w.base[s] = base[of[s]]
		for i, e := range es {
			if of[s] != of[e.To] {
				es[i].Priority = most
			}
		}
	}
	return w
}

func largest(es []*Edge) int {
	most := -1
	for _, e := range es {
		most = max(most, e.Priority)
	}
	return most
}

// pull changes the priorities at a state; once more it would change nothing.
func (w *within) pull(s int32) (changed bool) {
	w.due.Remove(s)
	most := largest(w.out[s])
	if most < 0 || most >= w.base[s] {
		return false
	}
	for _, e := range w.out[s] {
		if e.Priority == most && e.To != s {
			e.Priority = w.base[s]
			w.due.Add(e.To)
			changed = true
		}
	}
	for i, e := range w.into[s] {
		if e.Priority > most {
			e.Priority = most
			w.due.Add(w.from[s][i])
			changed = true
		}
	}
	return changed
}

func (w *within) forget(s int32) {
	most := largest(w.into[s])
	for _, e := range w.out[s] {
		if most >= 0 && e.Priority >= most && e.To != s {
			e.Priority = w.base[s]
		}
	}
}
