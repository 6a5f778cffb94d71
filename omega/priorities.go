package omega

import (
	"math/bits"
	"slices"

	"github.com/seltl/seltl/internal/scc"
)

// priorityEdge is an edge with a number: a run accepts iff the least that it meets infinitely
// often is even.
type priorityEdge struct {
	label    Label
	to       int32
	priority int
}

// parityAutomaton makes an automaton of edges with priorities, whose initial state is 0, with
// as few priorities as the cycles allow.
func (a *Automaton) parityAutomaton(out [][]priorityEdge) (*Automaton, error) {
	lowerPriorities(out)
	largest := 0
	for _, es := range out {
		for _, e := range es {
			largest = max(largest, e.priority)
		}
	}
	if largest > MaxSets {
		return nil, errTooManySets
	}
	b := a.like(len(out), largest, Parity(false, false, largest))
	for s, es := range out {
		for _, e := range es {
			marks := uint64(0)
			if e.priority < largest {
				marks = 1 << e.priority
			}
			b.out[s] = append(b.out[s], Edge{e.label, e.to, marks})
		}
		b.out[s] = b.merge(b.out[s])
	}
	return b, nil
}

// priorities returns the edges of an automaton with a condition Parity(false, false, n).
func (a *Automaton) priorities() [][]priorityEdge {
	out := make([][]priorityEdge, len(a.out))
	for s, es := range a.out {
		for _, e := range es {
			p := a.sets
			if e.Marks != 0 {
				p = bits.TrailingZeros64(e.Marks)
			}
			out[s] = append(out[s], priorityEdge{e.Label, e.To, p})
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
				es[i].to = swap(es[i].to)
			}
		}
	}
	return a.parityAutomaton(out)
}

// lowerPriorities changes priorities so that they are as few as the nesting of cycles
// demands, after [CartonMaceiras99]. A component whose least priority is p has, when edges
// with p are left out, components inside. Heights, which are even where priorities are,
// grow outwards where p and those inside differ.
func lowerPriorities(out [][]priorityEdge) {
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
			if es[i].priority = top; height[s][i] >= 0 {
				es[i].priority = top - height[s][i]
			}
		}
	}
}

// heights fills in the heights of the edges from a priority on between states, and returns
// the largest. Edges on no cycle keep what they have.
func heights(out [][]priorityEdge, height [][]int, states []int32, from int) int {
	sub := scc.Edges{First: []int32{0}}
	place := make(map[int32]int32, len(states))
	for i, s := range states {
		place[s] = int32(i)
	}
	inside := func(e priorityEdge) (int32, bool) {
		to, ok := place[e.to]
		return to, ok && e.priority >= from
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
			if p := out[s][i].priority; least < 0 || p < least {
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

// onCycles reports for each edge whether it is on a cycle whose least priority is even
// (parity 0) or odd (1).
func onCycles(out [][]priorityEdge, parity int) [][]bool {
	on := make([][]bool, len(out))
	var priorities []int
	for s, es := range out {
		on[s] = make([]bool, len(es))
		for _, e := range es {
			priorities = append(priorities, e.priority)
		}
	}
	slices.Sort(priorities)
	for _, k := range slices.Compact(priorities) {
		if k%2 != parity {
			continue
		}
		of, rooted := above(out, k)
		for s, es := range out {
			for i, e := range es {
				if e.priority >= k && of[s] == of[e.to] && rooted[of[s]] {
					on[s][i] = true
				}
			}
		}
	}
	return on
}

// above returns the components of the edges with priority k or more, and which of them have
// an edge of priority k.
func above(out [][]priorityEdge, k int) (of []int32, rooted []bool) {
	sub := scc.Edges{First: []int32{0}}
	for _, es := range out {
		for _, e := range es {
			if e.priority >= k {
				sub.To = append(sub.To, e.to)
			}
		}
		sub.First = append(sub.First, int32(len(sub.To)))
	}
	found, err := scc.All(sub, nil)
	if err != nil {
		panic(err) // there is no tick
	}
	rooted = make([]bool, found.Count)
	for s, es := range out {
		for _, e := range es {
			if e.priority == k && found.Of[s] == found.Of[e.to] {
				rooted[found.Of[s]] = true
			}
		}
	}
	return found.Of, rooted
}

// mixed reports whether some cycle whose least priority has the parity contains a cycle of the
// other parity: without one, a deterministic automaton has an equivalent one of the same
// shape with a Büchi (parity 1) or co-Büchi (parity 0) condition.
func mixed(out [][]priorityEdge, parity int) bool {
	var priorities []int
	for _, es := range out {
		for _, e := range es {
			priorities = append(priorities, e.priority)
		}
	}
	slices.Sort(priorities)
	for _, k := range slices.Compact(priorities) {
		if k%2 != parity {
			continue
		}
		of, rooted := above(out, k)
		inner := make([][]priorityEdge, len(out))
		for s, es := range out {
			for _, e := range es {
				if e.priority > k && of[s] == of[e.to] && rooted[of[s]] {
					inner[s] = append(inner[s], e)
				}
			}
		}
		for _, on := range onCycles(inner, 1-parity) {
			if slices.Contains(on, true) {
				return true
			}
		}
	}
	return false
}
