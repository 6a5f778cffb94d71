package omega

import (
	"errors"

	"github.com/seltl/seltl/buchi"
	"github.com/seltl/seltl/internal/bdd"
	"github.com/seltl/seltl/ltl"
)

// ErrNotGeneralisedBuchi is the error of Buchi for other conditions.
var ErrNotGeneralisedBuchi = errors.New("omega: the condition is no conjunction of Inf terms")

// FromBuchi returns the automaton with generalised Büchi acceptance as one of this package.
// Letters outside of its Care have no edges.
func FromBuchi(b *buchi.Automaton) *Automaton {
	man := bdd.New()
	label := b.CopyLabels(man)
	a := &Automaton{name: b.Name(), atoms: b.Atoms(), man: man, initial: b.Initial(), sets: b.NumSets(),
		condition: GeneralisedBuchi(b.NumSets()), out: make([][]Edge, b.NumStates())}
	for s := range a.out {
		es := make([]Edge, 0, len(b.Edges(int32(s))))
		for _, e := range b.Edges(int32(s)) {
			es = append(es, Edge{label(e.Label), e.To, e.Marks})
		}
		a.out[s] = a.merge(es)
	}
	return a
}

// Buchi returns the automaton, whose condition must be a conjunction of Inf terms, t, or f, as
// one of package buchi; else ErrNotGeneralisedBuchi.
func (a *Automaton) Buchi() (*buchi.Automaton, error) {
	man := bdd.New()
	if a.man != nil {
		man.InheritLimit(a.man)
	}
	memo := map[Label]Label{}
	sets, terms := 0, []*Condition{a.condition}
	if a.condition.op == OpAnd {
		terms = a.condition.args
	}
	from := make([]int, MaxSets) // of a set of the result: the one here, or -1
	for _, t := range terms {
		switch t.op {
		case OpTrue:
			continue
		case OpFalse:
			from[sets] = -1
		case OpInf:
			from[sets] = t.set
		default:
			return nil, ErrNotGeneralisedBuchi
		}
		sets++
	}
	out := make([][]buchi.Edge, len(a.out))
	for s, es := range a.out {
		for _, e := range es {
			marks := uint64(0)
			for i := range sets {
				if from[i] >= 0 && e.Marks>>from[i]&1 != 0 {
					marks |= 1 << i
				}
			}
			out[s] = append(out[s], buchi.Edge{Label: a.man.Copy(man, e.Label, nil, memo), To: e.To, Marks: marks})
		}
	}
	stateBased := true
	for _, es := range out {
		for _, e := range es {
			stateBased = stateBased && e.Marks == es[0].Marks
		}
	}
	return buchi.New(buchi.Parts{Name: a.name, Atoms: a.atoms, Diagrams: man, Edges: out, Initial: a.initial, Sets: sets, StateBased: stateBased}), nil
}

// Named returns the automaton with atoms of the kind ltl.Name, called as in HOA files, so that
// it can be compared with automata that were read.
func (a *Automaton) Named() *Automaton {
	b := *a
	b.atoms = nil
	for _, name := range buchi.AtomNames(a.atoms) {
		b.atoms = append(b.atoms, ltl.Atom{Kind: ltl.Name, Name: name})
	}
	return &b
}
