package fsp

import (
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/fsp/syntax"
)

// Sequences P;Q;R: the states of P are copied in front of the first state of Q, which
// takes the place of P's END.

// insert is a copy of another process's states, glued in for a sequence P;Q.
type insert struct {
	base int32 // node of its state 0
	lks  *lks.LKS
}

// insert glues a copy of the states of a process in front of node next: the END
// of the copy is next. It returns the node of the copy's initial state.
func (pc *processCompiler) insert(ref *syntax.ProcessRef, next int32) int32 {
	m := pc.sequential(ref)
	initial := m.Initial()[0]
	if m.Kind(initial) == lks.End {
		return next
	}
	base := pc.grow(m.NumStates())
	pc.between = append(pc.between, make([]between, m.NumStates())...)
	pc.inserts = append(pc.inserts, insert{base, m})
	pc.insertLabels(pc.inserts[len(pc.inserts)-1])
	actions := make([]int32, len(m.Alphabet()))
	for i, a := range m.Alphabet()[1:] {
		actions[i+1] = pc.action([]byte(a))
	}
	node := func(s int32) int32 {
		switch m.Kind(s) {
		case lks.End:
			if len(m.Label(s)) > 0 {
				pc.Fail(ref.Span, "label-lost", "label the state that follows, or use a process whose END has no labels",
					"the END of %s has state labels, but in a sequence what follows stands in its place", ref.Name.Text)
			}
			return next
		case lks.Error:
			return nodeError
		}
		return base + s
	}
	for s := range int32(m.NumStates()) {
		for _, e := range m.Edges(s) {
			pc.edge(base+s, actions[e.Action], node(e.Target))
		}
	}
	return node(initial)
}

// sequential returns the LKS of a process that is used in a sequence: it must be
// able to END.
func (pc *processCompiler) sequential(ref *syntax.ProcessRef) *lks.LKS {
	if ref.Name.Text == "END" && ref.Args == nil {
		pc.Fail(ref.Span, "not-sequential", "", "END is no process that can be followed by another")
	}
	m := pc.c.reference(ref, pc.scope)
	if len(m.Initial()) > 1 {
		pc.Fail(ref.Span, "not-sequential", "", "%s has several initial states and cannot be part of a sequence", ref.Name.Text)
	}
	for s := range int32(m.NumStates()) {
		if m.Kind(s) == lks.End {
			return m
		}
	}
	pc.Fail(ref.Span, "not-sequential", "let it lead to END", "%s never reaches END, so nothing can follow it", ref.Name.Text)
	return nil
}
