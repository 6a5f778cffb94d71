package omega

import (
	"math/big"
	"slices"
)

// Figures are the sizes of an automaton, of what can be reached from its initial state and, where
// they say so, of all of it.
type Figures struct {
	States         int
	Edges          int
	Transitions    *big.Int // pairs of an edge and a letter over the atoms
	AllStates      int
	AllEdges       int
	AllTransitions *big.Int

	Components       []ComponentFigures // strongly connected ones
	Sets             int
	Nondeterministic int // states with two edges for one letter
	Complete         bool
	Atoms            int
}

// ComponentFigures say of a strongly connected component what its cycles are.
type ComponentFigures struct {
	Trivial   bool // there are none
	Accepting bool // some run accepts that stays in it
	// InherentlyWeak: if it is accepting, all its cycles accept; Weak: because its edges have
	// the same marks. What does not accept is both.
	Weak, InherentlyWeak bool
	Complete             bool // for each state and letter an edge stays in it
	Terminal             bool // accepting, weak and complete
}

// Figures counts.
func (a *Automaton) Figures() Figures {
	c := a.components()
	f := Figures{Transitions: new(big.Int), AllTransitions: new(big.Int), Sets: a.sets, Complete: true, Atoms: len(a.atoms)}
	reached := a.like(0, a.sets, a.condition)
	for s, es := range a.out {
		own := new(big.Int)
		for _, e := range es {
			own.Add(own, a.man.Count(e.Label, len(a.atoms)))
		}
		f.AllStates++
		f.AllEdges += len(es)
		f.AllTransitions.Add(f.AllTransitions, own)
		if c.of[s] < 0 {
			continue
		}
		f.States++
		f.Edges += len(es)
		f.Transitions.Add(f.Transitions, own)
		f.Complete = f.Complete && a.union(es) == AnyLetter
		reached.out = append(reached.out, es)
	}
	f.Nondeterministic = reached.choices()
	for id := range c.states {
		f.Components = append(f.Components, a.componentFigures(c, id))
	}
	return f
}

// CountComponents counts those that are as wanted.
func (f *Figures) CountComponents(wanted func(ComponentFigures) bool) int {
	n := 0
	for _, c := range f.Components {
		if wanted(c) {
			n++
		}
	}
	return n
}

func (a *Automaton) componentFigures(c *components, id int) ComponentFigures {
	f := ComponentFigures{Trivial: !c.cyclic[id], Accepting: a.accepts(c, id), Complete: true}
	var marks []uint64
	for _, s := range c.states[id] {
		var inside []Edge
		for _, e := range a.out[s] {
			if c.of[e.To] == int32(id) {
				inside = append(inside, e)
				marks = append(marks, e.Marks)
			}
		}
		f.Complete = f.Complete && a.union(inside) == AnyLetter
	}
	slices.Sort(marks)
	f.Weak = !f.Accepting || len(slices.Compact(marks)) == 1
	f.InherentlyWeak = f.Weak
	if !f.Weak {
		dual := *a
		dual.condition = a.condition.Dual()
		f.InherentlyWeak = !dual.accepts(c, id)
	}
	f.Terminal = f.Accepting && f.Weak && f.Complete
	return f
}
