package buchi

import (
	"slices"

	"github.com/seltl/seltl/internal/bdd"
	"github.com/seltl/seltl/internal/parity"
)

// Determinisation by Safra trees, into a parity automaton. States that others simulate are left
// out of the trees.

// parityAutomaton is deterministic. A letter without edge rejects.
type parityAutomaton struct {
	src *Automaton // atoms, diagrams
	out parity.Graph
}

// determinize returns a deterministic automaton for the language of a, which has
// at most one acceptance set; nil if it would have more than limit states.
func determinize(a *Automaton, limit int) *parityAutomaton {
	return determinizeUnless(a, limit, nil)
}

// determinizeRecurrence is determinize, but returns nil as soon as it sees that no deterministic
// Büchi automaton has the language: what it sees in a part of the result is in the whole.
func determinizeRecurrence(a *Automaton, limit int) *parityAutomaton {
	return determinizeUnless(a, limit, func(d *parityAutomaton) bool { return d.out.Mixed(1) })
}

// determinizeUnless gives up where what there is of the result at some time is not wanted.
func determinizeUnless(a *Automaton, limit int, unwanted func(*parityAutomaton) bool) *parityAutomaton {
	d := &parityAutomaton{src: a}
	l := a.splitter()
	c, simulates := findComponents(a), a.DirectSimulation()
	trees := parity.Trees{Covers: func(s, t int32) bool { return c.of[t] <= c.of[s] && simulates(s, t) }}
	trees.Number(&parity.Tree{States: []int32{a.initial}, Stacks: [][]int32{{0}}})
	next := firstLook
	for i := 0; i < len(trees.List); i++ {
		if len(trees.List) > limit {
			return nil
		}
		if unwanted != nil && i == next {
			next *= 2
			explored := &parityAutomaton{src: a, out: append(slices.Clone(d.out), make(parity.Graph, len(trees.List)-i)...)}
			if unwanted(explored) {
				return nil
			}
		}
		var es []parity.Edge
		for _, step := range splitSteps(a, l, trees.List[i].States) {
			if len(step.Read) > 0 {
				to, priority := trees.Successor(trees.List[i], step.Read, false)
				es = append(es, parity.Edge{Letters: step.Letters, To: to, Priority: priority})
			}
		}
		d.out = append(d.out, es)
	}
	if unwanted != nil && unwanted(d) {
		return nil
	}
	return d
}

// splitSteps partitions the letters by the edges of states that they allow.
func splitSteps(a *Automaton, l *bdd.Splitter, states []int32) []bdd.Part[parity.Move] {
	all := a.AllMarks()
	return bdd.Split(l, func(yield func(Label, parity.Move) bool) {
		for from, s := range states {
			for _, e := range a.out[s] {
				m := parity.Move{From: from, To: e.To}
				if e.Marks == all {
					m.Does = parity.Accepts
				}
				if !yield(e.Label, m) {
					return
				}
			}
		}
	})
}

// componentsOf is findComponents for a graph of which not everything need be
// reachable from one node.
func componentsOf(out [][]Edge) *components {
	// One more node that leads everywhere.
	root := make([]Edge, len(out))
	for i := range root {
		root[i].To = int32(i)
	}
	c := findComponentsFrom(append(slices.Clone(out), root), int32(len(out)))
	c.of = c.of[:len(out)]
	return c
}

// buchi returns a deterministic Büchi automaton for the same language, which
// must be one that has one (no mixed loops of odd parity): an edge accepts iff it
// is on no rejecting cycle ([KrishnanPuriBrayton94]).
func (d *parityAutomaton) buchi() *Automaton {
	b := d.src.like(len(d.out))
	b.initial, b.sets, b.stateBased = 0, 1, false
	for s, on := range d.out.OnCycles(1) {
		for i, e := range d.out[s] {
			marks := uint64(1)
			if on[i] {
				marks = 0
			}
			b.out[s] = append(b.out[s], Edge{e.Letters, e.To, marks})
		}
	}
	for s := range b.out {
		b.out[s] = b.mergeEdges(b.out[s])
	}
	return trim(b)
}
