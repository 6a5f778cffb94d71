// Package parity holds what automata with priorities on edges need, whatever else they are:
// the cycles of their graphs, and Safra trees, by which they come about.
package parity

import (
	"slices"

	"github.com/seltl/seltl/internal/bdd"
	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/internal/scc"
)

// Edge has a priority: a run accepts iff the least that it meets infinitely often is even.
type Edge struct {
	Letters  bdd.Node
	To       int32
	Priority int
}

// Graph has the edges of each state.
type Graph [][]Edge

// Priorities lists the priorities that occur, in increasing order.
func (g Graph) Priorities() []int {
	var list []int
	for _, es := range g {
		for _, e := range es {
			list = append(list, e.Priority)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// OnCycles reports for each edge whether it is on a cycle whose least priority is even
// (parity 0) or odd (1).
func (g Graph) OnCycles(parity int) [][]bool {
	on := lists.Map(g, func(es []Edge) []bool { return make([]bool, len(es)) })
	for _, k := range g.Priorities() {
		if k%2 != parity {
			continue
		}
		of, rooted := g.above(k)
		for s, es := range g {
			for i, e := range es {
				if e.Priority >= k && of[s] == of[e.To] && rooted[of[s]] {
					on[s][i] = true
				}
			}
		}
	}
	return on
}

// Mixed reports whether some cycle whose least priority has the parity contains a cycle of
// the other parity: without one, a deterministic automaton has an equivalent one of the same
// shape with a Büchi (parity 1) or co-Büchi (parity 0) condition ([KrishnanPuriBrayton94]).
func (g Graph) Mixed(parity int) bool {
	for _, k := range g.Priorities() {
		if k%2 != parity {
			continue
		}
		of, rooted := g.above(k)
		inner := make(Graph, len(g))
		for s, es := range g {
			for _, e := range es {
				if e.Priority > k && of[s] == of[e.To] && rooted[of[s]] {
					inner[s] = append(inner[s], e)
				}
			}
		}
		for _, on := range inner.OnCycles(1 - parity) {
			if slices.Contains(on, true) {
				return true
			}
		}
	}
	return false
}

// above returns the components of the edges with priority k or more, and which of them have
// an edge of priority k.
func (g Graph) above(k int) (of []int32, rooted []bool) {
	sub := scc.Edges{First: []int32{0}}
	for _, es := range g {
		for _, e := range es {
			if e.Priority >= k {
				sub.To = append(sub.To, e.To)
			}
		}
		sub.First = append(sub.First, int32(len(sub.To)))
	}
	found, err := scc.All(sub, nil)
	if err != nil {
		panic(err) // there is no tick
	}
	rooted = make([]bool, found.Count)
	for s, es := range g {
		for _, e := range es {
			if e.Priority == k && found.Of[s] == found.Of[e.To] {
				rooted[found.Of[s]] = true
			}
		}
	}
	return found.Of, rooted
}
