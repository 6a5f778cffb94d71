package lks

import (
	"io"

	"github.com/seltl/seltl/internal/diagram"
)

// Diagram is the picture of m: a node for every state, by number where names are long, an
// edge for all actions between two states. Deadlocks, END and ERROR are marked.
func (m *LKS) Diagram() *diagram.Graph {
	g := &diagram.Graph{Name: m.name}
	for s := range int32(m.NumStates()) {
		n := diagram.Node{Number: int(s), Lines: []string{m.StateName(s)}}
		for _, p := range m.Label(s) {
			n.Props = append(n.Props, m.props[p])
		}
		switch {
		case m.Kind(s) == End:
			n.Marks = diagram.End
		case m.Kind(s) == Error:
			n.Marks = diagram.Error
		case len(m.Edges(s)) == 0:
			n.Marks = diagram.Deadlock
		}
		g.Nodes = append(g.Nodes, n)
		for _, e := range m.Edges(s) {
			name := m.alphabet[e.Action]
			if e.Action == TauID {
				name = "τ"
			}
			g.Edges = append(g.Edges, diagram.Edge{From: int(s), To: int(e.Target), Labels: []string{name}})
		}
	}
	for _, s := range m.initial {
		g.Nodes[s].Marks |= diagram.Initial
	}
	g.Numbered()
	return g
}

// WriteDOT draws m for Graphviz. The error is the writer's.
func WriteDOT(w io.Writer, m *LKS) error {
	return diagram.WriteDOT(w, m.Diagram())
}

// WriteSVG draws m. The error is the writer's.
func WriteSVG(w io.Writer, m *LKS) error {
	return diagram.WriteSVG(w, m.Diagram())
}
