package buchi

import (
	"io"
	"slices"

	"github.com/seltl/seltl/internal/diagram"
	"github.com/seltl/seltl/ltl"
)

// FiniteDiagram is the picture of an automaton of infinite words that stand for finite ones (see
// ltl.EndingAlive) as one of these: only edges at letters with alive are drawn, without that, and a
// state is final, and has a double border, if some word without alive is accepted from it.
func (a *Automaton) FiniteDiagram(alive ltl.Atom) *diagram.Graph {
	g := &diagram.Graph{Name: a.name}
	v := slices.Index(a.atoms, alive)
	here, gone := AnyLetter, AnyLetter
	if v >= 0 {
		here, gone = a.man.Var(v), a.man.NotVar(v)
	}
	over := a.restricted(gone)
	number := map[int32]int{a.initial: 0}
	states := []int32{a.initial}
	for i := 0; i < len(states); i++ {
		n := diagram.Node{Number: i}
		if over.initial = states[i]; !over.Empty() {
			n.Marks = diagram.Accepting
		}
		if i == 0 {
			n.Marks |= diagram.Initial
		}
		g.Nodes = append(g.Nodes, n)
		for _, e := range a.out[states[i]] {
			label := a.man.And(e.Label, here)
			if label == NoLetter {
				continue
			}
			to, known := number[e.To]
			if !known {
				to = len(states)
				number[e.To] = to
				states = append(states, e.To)
			}
			// The label means the same with and without alive to who reads it under alive.
			text := a.LabelFormula(a.man.Or(label, a.other(label, v))).String()
			g.Edges = append(g.Edges, diagram.Edge{From: i, To: to, Labels: []string{text}})
		}
	}
	return g
}

// WriteFiniteDOT writes FiniteDiagram for Graphviz. The error is the writer's.
func (a *Automaton) WriteFiniteDOT(w io.Writer, alive ltl.Atom) error {
	return diagram.WriteDOT(w, a.FiniteDiagram(alive))
}

// restricted returns the automaton at letters of a label only.
func (a *Automaton) restricted(to Label) *Automaton {
	b := a.like(len(a.out))
	for s, es := range a.out {
		for _, e := range es {
			if l := a.man.And(e.Label, to); l != NoLetter {
				b.out[s] = append(b.out[s], Edge{l, e.To, e.Marks})
			}
		}
	}
	return b
}

// other returns the letters of a label with atom v false in place of true.
func (a *Automaton) other(l Label, v int) Label {
	m := a.man
	if l == NoLetter || l == AnyLetter || v < 0 || m.Level(l) > v {
		return l
	}
	if m.Level(l) == v {
		return m.Node(v, m.High(l), m.Low(l))
	}
	return m.Node(m.Level(l), a.other(m.Low(l), v), a.other(m.High(l), v))
}
