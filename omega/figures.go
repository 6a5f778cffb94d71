package omega

import "math/big"

// Figures are the sizes of an automaton, of what can be reached from its initial state.
type Figures struct {
	States           int
	Edges            int
	Transitions      *big.Int // pairs of an edge and a letter over the atoms
	Components       int      // strongly connected ones
	Accepting        int      // of these, those in which some run accepts
	Trivial          int      // of these, those without an edge inside
	Sets             int
	Nondeterministic int // states with two edges for one letter
	Complete         bool
	Atoms            int
}

// Figures counts.
func (a *Automaton) Figures() Figures {
	c := a.components()
	f := Figures{Transitions: new(big.Int), Components: len(c.states), Sets: a.sets, Complete: true, Atoms: len(a.atoms)}
	reached := a.like(0, a.sets, a.condition)
	for s, es := range a.out {
		if c.of[s] < 0 {
			continue
		}
		f.States++
		f.Edges += len(es)
		for _, e := range es {
			f.Transitions.Add(f.Transitions, a.man.Count(e.Label, len(a.atoms)))
		}
		f.Complete = f.Complete && a.union(es) == AnyLetter
		reached.out = append(reached.out, es)
	}
	f.Nondeterministic = reached.choices()
	for id := range c.states {
		if !c.cyclic[id] {
			f.Trivial++
		} else if a.accepts(c, id) {
			f.Accepting++
		}
	}
	return f
}
