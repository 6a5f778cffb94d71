package lks

import (
	"fmt"
	"io"

	"github.com/seltl/seltl/internal/diagram"
)

// pictured is a structure as the source of a picture.
type pictured struct{ *LKS }

func (m pictured) Initial() []int32 { return m.initial }

func (m pictured) Node(s int32) diagram.Node {
	n := diagram.Node{Lines: []string{m.StateName(s)}}
	if m.tip != nil {
		n.Tip = m.tip(s)
	}
	for _, p := range m.Label(s) {
		n.Props = append(n.Props, m.props[p])
	}
	switch {
	case m.Kind(s) == End:
		n.Marks = diagram.End
	case m.Kind(s) == Error:
		n.Marks = diagram.Error
	case len(m.LKS.Edges(s)) == 0:
		n.Marks = diagram.Deadlock
	}
	return n
}

func (m pictured) Edges(s int32, each func(to int32, label string)) {
	for _, e := range m.LKS.Edges(s) {
		name := m.alphabet[e.Action]
		if e.Action == TauID {
			name = "τ"
		}
		each(e.Target, name)
	}
}

// Diagram is the picture of m, or of an overview of it if it has more than some hundred states:
// a node for every state, by number where names are long, an edge for all actions between two
// states. Deadlocks, END and ERROR are marked.
func (m *LKS) Diagram() *diagram.Graph { return m.titled(diagram.Draw(pictured{m}, diagram.View{})) }

func (m *LKS) titled(g *diagram.Graph) *diagram.Graph {
	g.Name = m.name
	g.Numbered()
	return g
}

// Around is the picture of a state and of those at most some steps from it or to it.
func (m *LKS) Around(state int32, steps int) (*diagram.Graph, error) {
	if state < 0 || int(state) >= m.NumStates() {
		return nil, fmt.Errorf("there is no state %d: there are 0 to %d", state, m.NumStates()-1)
	}
	return m.titled(diagram.Draw(pictured{m}, diagram.View{Around: state, Radius: steps})), nil
}

// WriteDOT draws all of m for Graphviz. The error is the writer's.
func WriteDOT(w io.Writer, m *LKS) error {
	return diagram.WriteDOT(w, m.titled(diagram.All(pictured{m})))
}

// WriteSVG draws m, or an overview of it if it has more than some hundred states. The error
// is the writer's.
func WriteSVG(w io.Writer, m *LKS) error {
	return diagram.WriteSVG(w, m.Diagram())
}
