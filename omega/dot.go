package omega

import (
	"fmt"
	"io"

	"github.com/seltl/seltl/internal/diagram"
	"github.com/seltl/seltl/internal/hoa"
)

// pictured is an automaton as the source of a picture.
type pictured struct {
	*Automaton
	stateBased bool
	circles    bool // accepting states have a double border
}

func (a pictured) Initial() []int32 { return []int32{a.initial} }

func (a pictured) Node(s int32) (n diagram.Node) {
	es, marks := a.out[s], uint64(0)
	if a.stateBased && len(es) > 0 {
		marks = es[0].Marks
	}
	switch {
	case a.circles && a.condition.Holds(marks) && len(es) > 0:
		n.Marks = diagram.Accepting
	case !a.circles:
		n.Lines = []string{fmt.Sprint(s) + hoa.Marks(marks)}
	}
	return n
}

func (a pictured) Edges(s int32, each func(to int32, label string)) {
	for _, e := range a.out[s] {
		label := a.LabelFormula(e.Label).String()
		if !a.stateBased {
			label += hoa.Marks(e.Marks)
		}
		each(e.To, label)
	}
}

// entitled draws the automaton, and gives the picture its name and condition.
func (a *Automaton) entitled(draw func(src diagram.Source) *diagram.Graph) *diagram.Graph {
	stateBased := a.StateBased()
	g := draw(pictured{a, stateBased, stateBased && (a.condition.op == OpTrue || a.condition.AccName(a.sets) == "Buchi")})
	title := a.condition.String()
	if name := a.condition.AccName(a.sets); name != "" {
		title = name + ": " + title
	}
	g.Name, g.Notes = a.name, append([]string{title}, g.Notes...)
	return g
}

// WriteDOT writes the automaton for Graphviz, with its condition below its name. Marks are in
// braces behind labels, or in states if it is state-based; accepting states of a state-based
// Büchi automaton have a double border. The error is the writer's.
func (a *Automaton) WriteDOT(w io.Writer) error {
	return diagram.WriteDOT(w, a.entitled(diagram.All))
}

// Diagram is the picture of the automaton in the same way, or of an overview of it if it has
// more than some hundred states.
func (a *Automaton) Diagram() *diagram.Graph {
	return a.entitled(func(src diagram.Source) *diagram.Graph { return diagram.Draw(src, diagram.View{}) })
}

// WriteSVG draws that. The error is the writer's.
func (a *Automaton) WriteSVG(w io.Writer) error { return diagram.WriteSVG(w, a.Diagram()) }
