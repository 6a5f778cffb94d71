package buchi

import (
	"io"

	"github.com/seltl/seltl/internal/diagram"
	"github.com/seltl/seltl/internal/hoa"
	"github.com/seltl/seltl/ltl"
)

// LabelFormula returns the label as a formula in disjunctive form.
func (a *Automaton) LabelFormula(l Label) *ltl.Formula {
	var cubes []*ltl.Formula
	for _, cube := range a.isop(l) {
		literals := make([]*ltl.Formula, len(cube))
		for i, lit := range cube {
			literals[i] = ltl.AtomOf(a.atoms[lit.Var()])
			if lit.Negated() {
				literals[i] = ltl.MakeNot(literals[i])
			}
		}
		cubes = append(cubes, ltl.MakeAnd(literals...))
	}
	return ltl.MakeOr(cubes...)
}

// pictured is an automaton as the source of a picture.
type pictured struct{ *Automaton }

func (a pictured) NumStates() int   { return len(a.out) }
func (a pictured) Initial() []int32 { return []int32{a.initial} }

func (a pictured) Node(s int32) (n diagram.Node) {
	if a.sets == 0 || a.stateBased && a.StateMarks(s) == a.AllMarks() {
		n.Marks = diagram.Accepting
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

// WriteDOT writes the automaton for Graphviz. Accepting states have a double border; with
// acceptance on edges, the sets stand behind the label. The error is the writer's.
func (a *Automaton) WriteDOT(w io.Writer) error {
	g := diagram.All(pictured{a})
	g.Name = a.name
	return diagram.WriteDOT(w, g)
}

// WriteSVG draws the automaton in the same way, or an overview of it if it has more than some
// hundred states. The error is the writer's.
func (a *Automaton) WriteSVG(w io.Writer) error {
	return diagram.WriteSVG(w, a.Diagram())
}

// Diagram is what WriteSVG draws.
func (a *Automaton) Diagram() *diagram.Graph {
	g := diagram.Draw(pictured{a}, diagram.View{})
	g.Name = a.name
	return g
}
