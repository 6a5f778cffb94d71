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

// Diagram is the picture of the automaton. Accepting states have a double border; with
// acceptance on edges, the sets stand behind the label.
func (a *Automaton) Diagram() *diagram.Graph {
	g := &diagram.Graph{Name: a.name}
	for s, es := range a.out {
		n := diagram.Node{Number: s}
		if a.sets == 0 || a.stateBased && a.StateMarks(int32(s)) == a.AllMarks() {
			n.Marks = diagram.Accepting
		}
		g.Nodes = append(g.Nodes, n)
		for _, e := range es {
			label := a.LabelFormula(e.Label).String()
			if !a.stateBased {
				label += hoa.Marks(e.Marks)
			}
			g.Edges = append(g.Edges, diagram.Edge{From: s, To: int(e.To), Labels: []string{label}})
		}
	}
	if len(g.Nodes) > 0 {
		g.Nodes[a.initial].Marks |= diagram.Initial
	}
	return g
}

// WriteDOT writes the automaton for Graphviz. The error is the writer's.
func (a *Automaton) WriteDOT(w io.Writer) error { return diagram.WriteDOT(w, a.Diagram()) }

// WriteSVG draws the automaton. The error is the writer's.
func (a *Automaton) WriteSVG(w io.Writer) error { return diagram.WriteSVG(w, a.Diagram()) }
