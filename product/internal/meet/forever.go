package meet

import (
	"gonum.org/v1/gonum/graph/simple"
	"gonum.org/v1/gonum/graph/topo"
)

// Forever reports whether the automaton accepts, from one of these states, a letter that
// repeats for ever without any event. Time is linear in the edges that match.
func (m *Matcher) Forever(states []int32, letter int32) bool {
	g := simple.NewDirectedGraph()
	todo := append([]int32{}, states...)
	for _, q := range states {
		if g.Node(int64(q)) == nil {
			g.AddNode(simple.Node(q))
		}
	}
	edges := map[int32][]Match{}
	for len(todo) > 0 {
		q := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if _, done := edges[q]; done {
			continue
		}
		edges[q] = append([]Match{}, m.Find(m.Row(letter, q), 0)...)
		for _, e := range edges[q] {
			if e.Target != q {
				g.SetEdge(simple.Edge{F: simple.Node(q), T: simple.Node(e.Target)})
			}
			todo = append(todo, e.Target)
		}
	}
	for _, component := range topo.TarjanSCC(g) {
		inside := map[int32]bool{}
		for _, n := range component {
			inside[int32(n.ID())] = true
		}
		marks, cycle := uint64(0), false
		for q := range inside {
			for _, e := range edges[q] {
				if inside[e.Target] {
					cycle = true
					marks |= e.marks
				}
			}
		}
		if cycle && marks&m.aut.AllMarks == m.aut.AllMarks {
			return true
		}
	}
	return false
}
