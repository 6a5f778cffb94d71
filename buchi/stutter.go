package buchi

import (
	"github.com/seltl/seltl/internal/bdd"
	"github.com/seltl/seltl/ltl"
)

// maxLetterClasses bounds the alphabet of the test for stutter-invariance.
const maxLetterClasses = 1 << 10

// stutterInvariant decides whether the language of a, an automaton of f, is
// closed under stuttering; n accepts the complement. known is false if that would
// take too long.
//
// After [MichaudDuretLutz15]: L is stutter-invariant iff no word is a stretching of
// one in L and of one outside, where stretching repeats letters finitely often.
func stutterInvariant(f *ltl.Formula, a, n *Automaton) (invariant, known bool, err error) {
	if f.Is(ltl.StutterInvariant) {
		return true, true, nil
	}
	both, err := Intersect(a, n) // brings the atoms together
	if err != nil {
		return false, false, err
	}
	frame := &Automaton{man: both.man, atoms: both.atoms, care: both.care}
	left, right := rebase(frame, a), rebase(frame, n)
	letters := alphabet(frame, left, right)
	if letters == nil {
		return false, false, nil
	}
	invariant, err = disjoint(stretch(left, letters), stretch(right, letters))
	return invariant, err == nil, err
}

// rebase returns src with the atoms and diagrams of frame, which has its atoms.
func rebase(frame, src *Automaton) *Automaton {
	b := frame.like(len(src.out))
	b.initial, b.sets = src.initial, src.sets
	label := importLabels(b, src)
	for s, es := range src.out {
		for _, e := range es {
			if l := b.man.And(label(e.Label), b.care); l != NoLetter {
				b.out[s] = append(b.out[s], Edge{l, e.To, e.Marks})
			}
		}
	}
	return b
}

// alphabet returns one letter of each class of letters that no label of the
// automata tells apart, as a label; nil if there are too many. Exchanging letters
// of a class changes neither membership nor, done everywhere, what stutters.
func alphabet(frame *Automaton, as ...*Automaton) []Label {
	m := frame.man
	classes := m.Classes(frame.care, labels(as...), maxLetterClasses)
	for i, c := range classes {
		classes[i] = oneValuation(m, c, len(frame.atoms))
	}
	return classes
}

// oneValuation returns a single letter of the label, as a label.
func oneValuation(m *bdd.Manager, l Label, atoms int) Label {
	cube := make(bdd.Cube, atoms)
	for v := range cube {
		high := false
		if m.Level(l) == v {
			if high = m.Low(l) == NoLetter; high {
				l = m.High(l)
			} else {
				l = m.Low(l)
			}
		}
		cube[v] = bdd.Lit(v, !high)
	}
	return m.CubeNode(cube)
}

// stretch accepts the words that come from accepted words over the letters by
// repeating letters finitely often. State s*(k+1) is s with nothing to repeat,
// s*(k+1)+i+1 is s after the i-th letter.
func stretch(a *Automaton, letters []Label) *Automaton {
	k := int32(len(letters)) + 1
	b := a.like(len(a.out) * int(k))
	b.initial = a.initial * k
	real := uint64(0)
	if b.sets == 0 {
		// Repeating for ever must not accept.
		b.sets, real = 1, 1
	}
	for s, es := range a.out {
		var moves []Edge
		for _, e := range es {
			for i, l := range letters {
				if a.man.Implies(l, e.Label) {
					moves = append(moves, Edge{l, e.To*k + int32(i) + 1, e.Marks | real})
				}
			}
		}
		for i := range k {
			from := int32(s)*k + i
			own := append([]Edge{}, moves...)
			if i > 0 {
				own = append(own, Edge{letters[i-1], from, 0})
			}
			b.out[from] = b.mergeEdges(own)
		}
	}
	return b
}
