package omega

import (
	"fmt"
	"io"

	"github.com/seltl/seltl/internal/diagram"
	"github.com/seltl/seltl/internal/hoa"
)

// Diagram is the picture of the automaton, with its condition below its name. Marks are in
// braces behind labels, or in states if it is state-based; accepting states of a state-based
// Büchi automaton have a double border.
func (a *Automaton) Diagram() *diagram.Graph {
	title := a.condition.String()
	if name := a.condition.AccName(a.sets); name != "" {
		title = name + ": " + title
	}
	g := &diagram.Graph{Name: a.name, Notes: []string{title}}
	stateBased := a.StateBased()
	circles := stateBased && (a.condition.op == OpTrue || a.condition.AccName(a.sets) == "Buchi")
	for s, es := range a.out {
		marks := uint64(0)
		if stateBased && len(es) > 0 {
			marks = es[0].Marks
		}
		n := diagram.Node{Number: s}
		switch {
		case circles && a.condition.Holds(marks) && len(es) > 0:
			n.Marks = diagram.Accepting
		case !circles:
			n.Lines = []string{fmt.Sprint(s) + hoa.Marks(marks)}
		}
		g.Nodes = append(g.Nodes, n)
		for _, e := range es {
			label := a.LabelFormula(e.Label).String()
			if !stateBased {
				label += hoa.Marks(e.Marks)
			}
			g.Edges = append(g.Edges, diagram.Edge{From: s, To: int(e.To), Labels: []string{label}})
		}
	}
	g.Nodes[a.initial].Marks |= diagram.Initial
	return g
}

// WriteDOT writes the automaton for Graphviz. The error is the writer's.
func (a *Automaton) WriteDOT(w io.Writer) error { return diagram.WriteDOT(w, a.Diagram()) }

// WriteSVG draws the automaton. The error is the writer's.
func (a *Automaton) WriteSVG(w io.Writer) error { return diagram.WriteSVG(w, a.Diagram()) }
