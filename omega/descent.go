package omega

import (
	"math/bits"

	"github.com/seltl/seltl/internal/scc"
)

// A run of a deterministic automaton leaves components only finitely often. So an edge that
// leaves one can lead to any state with the language of its target, as long as no run comes
// back up: to one in the component farthest down. What determinisation makes for the beginning
// of words, or after the failure of an attempt, is not reached any more if the rest of the
// automaton has states that do: of FG(a <-> XXXa), half of it.

// maxPairEdges bounds the edges between pairs of states.
const maxPairEdges = 1 << 18

// descended returns an equivalent automaton without the states of a, which is deterministic,
// that are needed only on the way down to others that accept the same words; a itself where
// nothing is gained, or where comparing the languages of all states would take long.
func (a *Automaton) descended() *Automaton {
	b := a.Completed()
	c := b.components()
	if len(c.states) == 1 {
		return a
	}
	equal := b.languages()
	if equal == nil {
		return a
	}
	lowest := make([]int32, len(b.out)) // of the states with the language of one
	for s := range lowest {
		lowest[s] = int32(s)
		for t := range lowest {
			if c.of[t] >= 0 && c.of[t] < c.of[lowest[s]] && equal(s, t) {
				lowest[s] = int32(t)
			}
		}
	}
	d := b.like(len(b.out), b.sets, b.condition)
	d.initial = lowest[b.initial]
	for s, es := range b.out {
		for _, e := range es {
			if c.of[s] != c.of[e.To] {
				e.To = lowest[e.To]
			}
			d.out[s] = append(d.out[s], e)
		}
		d.out[s] = d.merge(d.out[s])
	}
	if d = d.Trim().Quotient(); len(d.out) < len(a.out) {
		return d
	}
	return a
}

// languages returns whether two states of a, which is deterministic and complete, accept the
// same words: whether no two runs from them over one word differ in acceptance. It is nil if
// there are too many pairs.
func (a *Automaton) languages() (equal func(s, t int) bool) {
	splitter := a.splitter()
	n, letters := len(a.out), splitter.Classes()
	if letters == 0 || n*n*letters > maxPairEdges || 2*a.sets > MaxSets {
		return nil
	}
	read := make([]Edge, n*letters)
	for s, es := range a.out {
		for _, e := range es {
			for set := splitter.Set(e.Label); set != 0; set &= set - 1 {
				read[s*letters+bits.TrailingZeros64(set)] = e
			}
		}
	}
	first, second := a.condition, a.condition.shift(a.sets)
	pairs := a.like(n*n, 2*a.sets, Or(And(first, second.Dual()), And(first.Dual(), second)))
	for s := range n {
		for t := range n {
			for l := range letters {
				e, f := read[s*letters+l], read[t*letters+l]
				if s != t && e.To != f.To {
					pairs.out[s*n+t] = append(pairs.out[s*n+t], Edge{AnyLetter, e.To*int32(n) + f.To, e.Marks | f.Marks<<a.sets})
				}
			}
		}
	}
	found, _ := scc.All(graph{out: pairs.out}, nil) // no tick, no error
	c := componentsOf(pairs.out, found)
	differ := pairs.usefulComponents(c)
	return func(s, t int) bool { return !differ[c.of[s*n+t]] }
}
