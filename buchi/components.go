package buchi

import "github.com/seltl/seltl/internal/scc"

// components are the strongly connected components of an automaton, numbered so
// that every edge goes to the same or a lower number (sinks first).
//
// Not of gonum, whose Tarjan needs a graph of maps built
// for every call, and components are computed some ten times per translation of
// a formula that may take a millisecond in total, so this is our own.
type components struct {
	of        []int32  // component of each state; -1 for unreachable ones
	marks     []uint64 // of each component: the marks of its inner edges
	cyclic    []bool   // of each component: it has an inner edge
	size      []int32
	allInside []uint64 // of each component: marks that all its inner edges have
}

// accepting reports whether component c has an accepting cycle.
func (c *components) accepting(i int32, all uint64) bool {
	return c.cyclic[i] && c.marks[i]&all == all
}

// findComponents finds the components that can be reached from the initial state, in
// time linear in states and edges.
func findComponents(a *Automaton) *components {
	return findComponentsFrom(a.out, a.initial)
}

func findComponentsFrom(out [][]Edge, initial int32) *components {
	found := scc.From(edges(out), initial)
	c := &components{
		of: found.Of, marks: make([]uint64, found.Count), cyclic: make([]bool, found.Count),
		size: make([]int32, found.Count), allInside: make([]uint64, found.Count),
	}
	for i := range c.allInside {
		c.allInside[i] = ^uint64(0)
	}
	for s, i := range c.of {
		if i < 0 {
			continue
		}
		c.size[i]++
		for _, e := range out[s] {
			if c.of[e.To] == i {
				c.cyclic[i] = true
				c.marks[i] |= e.Marks
				c.allInside[i] &= e.Marks
			}
		}
	}
	return c
}

// edges is the graph of an automaton.
type edges [][]Edge

func (g edges) Nodes() int                                   { return len(g) }
func (g edges) Degree(s int32) int                           { return len(g[s]) }
func (g edges) Successor(s int32, i int) (to int32, ok bool) { return g[s][i].To, true }
