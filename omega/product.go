package omega

import (
	"slices"

	"github.com/seltl/seltl/internal/bdd"
	"github.com/seltl/seltl/ltl"
)

// shared returns the automata with their atoms and diagrams brought together: those of a,
// then those of b that a does not have.
func shared(a, b *Automaton) (*Automaton, *Automaton) {
	frame := &Automaton{man: bdd.New(), atoms: slices.Clone(a.atoms)}
	for _, at := range b.atoms {
		if !slices.Contains(frame.atoms, at) {
			frame.atoms = append(frame.atoms, at)
		}
	}
	return a.over(frame.atoms, frame.man), b.over(frame.atoms, frame.man)
}

// over returns the automaton with other diagrams, over atoms among which its own are.
func (a *Automaton) over(atoms []ltl.Atom, man *bdd.Manager) *Automaton {
	rename := make([]int, len(a.atoms))
	for i, at := range a.atoms {
		rename[i] = slices.Index(atoms, at)
	}
	man.InheritLimit(a.man)
	b := *a
	b.man, b.atoms, b.out = man, atoms, make([][]Edge, len(a.out))
	memo := map[Label]Label{}
	for s, es := range a.out {
		b.out[s] = slices.Clone(es)
		for i := range es {
			b.out[s][i].Label = a.man.Copy(man, es[i].Label, rename, memo)
		}
	}
	return &b
}

// Product returns an automaton for the words that both accept, with at most as many states
// as pairs. The sets of b are numbered behind those of a. The error says that there are more
// than MaxSets.
func Product(a, b *Automaton) (*Automaton, error) {
	return joint(a, b, And)
}

// joint runs both automata, which are complete unless their conditions are joined by And,
// side by side.
func joint(a, b *Automaton, join func(...*Condition) *Condition) (*Automaton, error) {
	if a.sets+b.sets > MaxSets {
		return nil, errTooManySets
	}
	a, b = shared(a, b)
	p := a.like(0, a.sets+b.sets, join(a.condition, b.condition.shift(a.sets)))
	p.name = ""
	type pair struct{ s, t int32 }
	states := []pair{{a.initial, b.initial}}
	number := map[pair]int32{states[0]: 0}
	for i := 0; i < len(states); i++ {
		var es []Edge
		for _, e := range a.out[states[i].s] {
			for _, f := range b.out[states[i].t] {
				l := p.man.And(e.Label, f.Label)
				if l == NoLetter {
					continue
				}
				to := pair{e.To, f.To}
				n, ok := number[to]
				if !ok {
					n = int32(len(states))
					number[to] = n
					states = append(states, to)
				}
				es = append(es, Edge{l, n, e.Marks | f.Marks<<a.sets})
			}
		}
		p.out = append(p.out, p.merge(es))
	}
	return p, nil
}
