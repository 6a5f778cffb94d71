package omega

import (
	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/scc"
)

// graph is what edges are inside a part of an automaton: those between states of one
// component that have none of some marks.
type graph struct {
	out     [][]Edge
	inside  []int32 // of each state: its part, -1 for none; nil: all in one
	without uint64  // marks of edges that are left out
	meter   *budget.Meter
}

func (g graph) Nodes() int         { return len(g.out) }
func (g graph) Degree(s int32) int { return len(g.out[s]) }
func (g graph) Successor(s int32, i int) (int32, bool) {
	e := g.out[s][i]
	return e.To, g.has(s, e)
}

// has reports whether an edge of s is in the graph.
func (g graph) has(s int32, e Edge) bool {
	return e.Marks&g.without == 0 && (g.inside == nil || g.inside[s] >= 0 && g.inside[s] == g.inside[e.To])
}

// components are the strongly connected components that can be reached from the initial
// state; edges between them lead to lower numbers.
type components struct {
	of     []int32 // of each state, -1 for those that cannot be reached
	states [][]int32
	marks  []uint64 // of the edges inside
	cyclic []bool   // there are edges inside
}

func (a *Automaton) components() *components {
	return componentsOf(a.out, scc.From(graph{out: a.out}, a.initial))
}

func componentsOf(out [][]Edge, found scc.Components) *components {
	c := &components{of: found.Of, states: make([][]int32, found.Count), marks: make([]uint64, found.Count), cyclic: make([]bool, found.Count)}
	for s, id := range c.of {
		if id < 0 {
			continue
		}
		c.states[id] = append(c.states[id], int32(s))
		for _, e := range out[s] {
			if c.of[e.To] == id {
				c.marks[id] |= e.Marks
				c.cyclic[id] = true
			}
		}
	}
	return c
}

// numbering numbers values, equal ones alike, from 0 in the order in which they come. The zero
// value is empty.
type numbering[K comparable] struct {
	list []K
	of   map[K]int32
}

func (x *numbering[K]) add(k K) int32 {
	n, ok := x.of[k]
	if !ok {
		if x.of == nil {
			x.of = map[K]int32{}
		}
		n = int32(len(x.list))
		x.of[k] = n
		x.list = append(x.list, k)
	}
	return n
}
