// Package scc finds strongly connected components.
//
// Four searches for components are not here, since they do something else on the way
// and would lose by a second pass: product's emptiness check (which merges components
// as it finds them, and stops), its fair components (which split parts again and again,
// in time linear in the part), deadlock's of states that are stuck (which hand sets of
// components up while they search), and internal/semantics, which is to share nothing.
// Graphs of formulas and orders of a few nodes use gonum.
package scc

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
		if t.order[root] == 0 {
			if err := t.search(root); err != nil {
				return Components{}, err
			}
		}
	}
	return t.found, nil
}

// From returns the components of the nodes that can be reached from root.
func From[G Graph](g G, root int32) Components {
	t := newTarjan(g, nil)
	t.search(root) // no error without tick
	return t.found
}

// tarjan is the algorithm of [Tarjan72] with explicit stacks. Time and memory are linear
// in nodes and edges.
type tarjan[G Graph] struct {
	g     G
	tick  func() error
	found Components
	order []int32 // by node: the number of its visit, from 1; 0: not visited
	low   []int32
	open  []int32 // visited nodes whose component is not complete
	path  []step
	count int32 // of visited nodes
}

// step is a node of the path and its next edge.
type step struct{ node, next, degree int32 }

func newTarjan[G Graph](g G, tick func() error) *tarjan[G] {
	n := g.Nodes()
	t := &tarjan[G]{g: g, tick: tick, order: make([]int32, n), low: make([]int32, n)}
	t.found.Of = make([]int32, n)
	for v := range t.found.Of {
		t.found.Of[v] = -1
	}
	return t
}

func (t *tarjan[G]) visit(v int32) {
	t.count++
	t.order[v], t.low[v] = t.count, t.count
	t.open = append(t.open, v)
	t.path = append(t.path, step{node: v, degree: int32(t.g.Degree(v))})
}

func (t *tarjan[G]) search(root int32) error {
	t.visit(root)
	for len(t.path) > 0 {
		top := &t.path[len(t.path)-1]
		v := top.node
		if top.next < top.degree {
			w, ok := t.g.Successor(v, int(top.next))
			top.next++
			switch {
			case !ok:
			case t.order[w] == 0:
				if t.tick != nil && t.count%tickEvery == 0 {
					if err := t.tick(); err != nil {
						return err
					}
				}
				t.visit(w)
			case t.found.Of[w] < 0:
				t.low[v] = min(t.low[v], t.order[w])
			}
			continue
		}
		t.path = t.path[:len(t.path)-1]
		if len(t.path) > 0 {
			up := t.path[len(t.path)-1].node
			t.low[up] = min(t.low[up], t.low[v])
		}
		if t.low[v] == t.order[v] {
			t.complete(v)
		}
	}
	return nil
}

// complete closes the component whose first visited node is root.
func (t *tarjan[G]) complete(root int32) {
	for {
		v := t.open[len(t.open)-1]
		t.open = t.open[:len(t.open)-1]
		t.found.Of[v] = int32(t.found.Count)
		if v == root {
			break
		}
	}
	t.found.Count++
}
