// Package scc finds strongly connected components, and paths within them; DepthFirst is for whoever needs postorder
// or the edges that close a loop.
//
// Four searches for components are not here, since they do something else on the way
// and would lose by a second pass: product's emptiness check (which merges components
// as it finds them, and stops), its fair components (which split parts again and again,
// in time linear in the part), deadlock's of states that are stuck (which hand sets of
// components up while they search), and internal/testing/semantics, which is to share nothing.
// Graphs of formulas and orders of a few nodes use gonum.
//
// # Decisions
//
// Own graph algorithms where graphs are state spaces; gonum for the small graphs of automata.
package scc

import "math"

// Graph is a directed graph with nodes from 0. Some of the Degree(v) successors of a
// node may be none (ok false), so that a graph need not keep its edges.
type Graph interface {
	Nodes() int
	Degree(v int32) int
	Successor(v int32, i int) (w int32, ok bool)
}

// Edges is the graph in which v has edges to To[First[v]:First[v+1]]; First is one
// longer than there are nodes.
type Edges struct{ First, To []int32 }

// EdgesOf is the graph of the successors of each node.
func EdgesOf(next [][]int32) Edges {
	e := Edges{First: make([]int32, 1, len(next)+1)}
	for _, to := range next {
		e.To = append(e.To, to...)
		e.First = append(e.First, int32(len(e.To)))
	}
	return e
}

// Nodes is the number of nodes.
func (e Edges) Nodes() int { return len(e.First) - 1 }

// Degree is the number of edges of v.
func (e Edges) Degree(v int32) int { return int(e.First[v+1] - e.First[v]) }

// Successor is where the i-th edge of v leads.
func (e Edges) Successor(v int32, i int) (int32, bool) { return e.To[e.First[v]+int32(i)], true }

// Components are numbered in reverse topological order: edges between them lead to
// lower numbers.
type Components struct {
	Of    []int32 // by node: its component; -1 if it cannot be reached from where From began
	Count int
}

// tickEvery is how many nodes are visited between two questions.
const tickEvery = 1 << 12

// All returns the components of all nodes. tick, which may be nil, is asked every few
// thousand nodes; its error ends the search.
func All[G Graph](g G, tick func() error) (Components, error) {
	t := newTarjan(g, tick)
	for root := range int32(g.Nodes()) {
		if t.least[root] == 0 {
			if err := t.search(root); err != nil {
				return Components{}, err
			}
		}
	}
	return t.components(), nil
}

// Cyclic reports whether a path of a graph goes on for ever.
func Cyclic[G Graph](g G) bool {
	if found, _ := All(g, nil); found.Count < g.Nodes() { // no error without tick
		return true
	}
	for v := range int32(g.Nodes()) {
		for i := range g.Degree(v) {
			if w, ok := g.Successor(v, i); ok && w == v {
				return true
			}
		}
	}
	return false
}

// From returns the components of the nodes that can be reached from root.
func From[G Graph](g G, root int32) Components {
	t := newTarjan(g, nil)
	t.search(root) // no error without tick
	return t.components()
}

// tarjan is the algorithm of [Tarjan72] with explicit stacks, which keeps only one number
// for each node, as in [Pearce16]. Of a node on the path, or which the path has left before
// its component is complete, that is the least visit known to be reachable from it; the
// first of a component keeps its own. Of other nodes it is complete less the component,
// which is more than any visit. The stacks have their room from the beginning, since it is
// their old copies that would take memory. Time is linear in nodes and edges, memory 20
// bytes for each node.
type tarjan[G Graph] struct {
	g     G
	tick  func() error
	least []int32 // by node: see above; 0: not visited
	open  []int32 // nodes that the path has left, but whose component is not complete
	path  []step
	count int32 // visited nodes
	last  int32 // the visit of the node visited last, of those that are not complete
	found int32 // complete components
}

// step is a node of the path, its visit and its next edge.
type step struct{ node, visit, next int32 }

const complete = math.MaxInt32

func newTarjan[G Graph](g G, tick func() error) *tarjan[G] {
	n := g.Nodes()
	return &tarjan[G]{g: g, tick: tick, least: make([]int32, n), open: make([]int32, 0, n), path: make([]step, 0, n)}
}

func (t *tarjan[G]) visit(v int32) {
	t.count++
	t.last++
	t.least[v] = t.last
	t.path = append(t.path, step{node: v, visit: t.last})
}

func (t *tarjan[G]) search(root int32) error {
	t.visit(root)
	for len(t.path) > 0 {
		top := &t.path[len(t.path)-1]
		v := top.node
		if i := int(top.next); i < t.g.Degree(v) {
			top.next++
			w, ok := t.g.Successor(v, i)
			if !ok {
				continue
			}
			switch least := t.least[w]; {
			case least == 0:
				if t.tick != nil && t.count%tickEvery == 0 {
					if err := t.tick(); err != nil {
						return err
					}
				}
				t.visit(w)
			case least < t.least[v]:
				t.least[v] = least
			}
			continue
		}
		t.path = t.path[:len(t.path)-1]
		if t.least[v] == top.visit {
			t.complete(v)
			continue
		}
		t.open = append(t.open, v)
		up := t.path[len(t.path)-1].node // the first node of the path reaches no earlier visit
		t.least[up] = min(t.least[up], t.least[v])
	}
	return nil
}

// complete closes the component whose first visited node is root. Visits from there on
// belong to it or to components behind it, so that their numbers are free again.
func (t *tarjan[G]) complete(root int32) {
	first := t.least[root]
	t.least[root] = complete - t.found
	for len(t.open) > 0 && t.least[t.open[len(t.open)-1]] >= first {
		t.least[t.open[len(t.open)-1]] = complete - t.found
		t.open = t.open[:len(t.open)-1]
	}
	t.last = first - 1
	t.found++
}

// components turns the numbers of nodes into those of components.
func (t *tarjan[G]) components() Components {
	for v, n := range t.least {
		t.least[v] = complete - n
		if n == 0 {
			t.least[v] = -1
		}
	}
	return Components{Of: t.least, Count: int(t.found)}
}
