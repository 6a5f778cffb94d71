package omega

import (
	"math/bits"

	"github.com/seltl/seltl/internal/parity"
	"github.com/seltl/seltl/internal/scc"
)

// parityAutomaton makes an automaton of edges with priorities, whose initial state is 0, with
// as few priorities as the cycles allow.
func (a *Automaton) parityAutomaton(out parity.Graph) (*Automaton, error) {
	lowerPriorities(out)
	return a.withPriorities(out)
}

// withPriorities makes an automaton of edges with these priorities, whose initial state is 0.
func (a *Automaton) withPriorities(out parity.Graph) (*Automaton, error) {
	largest := 0
	for _, es := range out {
		for _, e := range es {
			largest = max(largest, e.Priority)
		}
	}
	return a.marked(out, false, false, largest)
}

// marked makes an automaton of edges with priorities, whose initial state is 0, with the condition
// Parity(maximum, odd, count): a priority of count or more is no mark.
func (a *Automaton) marked(out parity.Graph, maximum, odd bool, count int) (*Automaton, error) {
	if count > MaxSets {
		return nil, errTooManySets
	}
	b := a.like(len(out), count, Parity(maximum, odd, count))
	for s, es := range out {
		for _, e := range es {
			marks := uint64(0)
			if e.Priority < count {
				marks = 1 << e.Priority
			}
			b.out[s] = append(b.out[s], Edge{e.Letters, e.To, marks})
		}
		b.out[s] = b.merge(b.out[s])
	}
	return b, nil
}

// priorities returns the edges of an automaton with a condition Parity(false, false, n).
func (a *Automaton) priorities() parity.Graph {
	out := make(parity.Graph, len(a.out))
	for s, es := range a.out {
		for _, e := range es {
			p := a.sets
			if e.Marks != 0 {
				p = bits.TrailingZeros64(e.Marks)
			}
			out[s] = append(out[s], parity.Edge{Letters: e.Label, To: e.To, Priority: p})
		}
	}
	return out
}

// reducedParity returns an equivalent parity automaton with fewer priorities.
func reducedParity(a *Automaton) (*Automaton, error) {
	// The initial state becomes 0.
	out := a.priorities()
	if a.initial != 0 {
		swap := func(s int32) int32 {
			switch s {
			case 0:
				return a.initial
			case a.initial:
				return 0
			}
			return s
		}
		out[0], out[a.initial] = out[a.initial], out[0]
		for _, es := range out {
			for i := range es {
				es[i].To = swap(es[i].To)
			}
		}
	}
	return a.parityAutomaton(out)
}

// lowerPriorities changes priorities so that they are as few as the nesting of cycles
// demands, after [CartonMaceiras99]. A component whose least priority is p has, when edges
// with p are left out, components inside. Heights, which are even where priorities are,
// grow outwards where p and those inside differ.
func lowerPriorities(out parity.Graph) {
	height := make([][]int, len(out))
	all := make([]int32, len(out))
	for s, es := range out {
		height[s] = make([]int, len(es))
		for i := range height[s] {
			height[s][i] = -1
		}
		all[s] = int32(s)
	}
	top := heights(out, height, all, 0)
	top += top % 2
	for s, es := range out {
		for i := range es {
			if es[i].Priority = top; height[s][i] >= 0 {
				es[i].Priority = top - height[s][i]
			}
		}
	}
}

// heights fills in the heights of the edges from a priority on between states, and returns
// the largest. Edges on no cycle keep what they have.
func heights(out parity.Graph, height [][]int, states []int32, from int) int {
	sub := scc.Edges{First: []int32{0}}
	place := make(map[int32]int32, len(states))
	for i, s := range states {
		place[s] = int32(i)
	}
	inside := func(e parity.Edge) (int32, bool) {
		to, ok := place[e.To]
		return to, ok && e.Priority >= from
	}
	for _, s := range states {
		for _, e := range out[s] {
			if to, ok := inside(e); ok {
				sub.To = append(sub.To, to)
			}
		}
		sub.First = append(sub.First, int32(len(sub.To)))
	}
	found, err := scc.All(sub, nil)
	if err != nil {
		panic(err) // there is no tick
	}
	parts := make([][]int32, found.Count)
	for i, id := range found.Of {
		parts[id] = append(parts[id], states[i])
	}
	largest := 0
	for id, part := range parts {
		least := -1
		each := func(do func(s int32, i int)) {
			for _, s := range part {
				for i, e := range out[s] {
					if to, ok := inside(e); ok && found.Of[to] == int32(id) {
						do(s, i)
					}
				}
			}
		}
		each(func(s int32, i int) {
			if p := out[s][i].Priority; least < 0 || p < least {
				least = p
			}
		})
		if least < 0 {
			continue
		}
		own := heights(out, height, part, least+1)
		if own%2 != least%2 {
			own++
		}
		// Edges that are on no cycle further inside.
		each(func(s int32, i int) {
			if height[s][i] < 0 {
				height[s][i] = own
			}
		})
		largest = max(largest, own)
	}
	return largest
}
