package buchi

import (
	"encoding/binary"
	"slices"

	"github.com/seltl/seltl/internal/lists"
)

// A state that is on no cycle has edges whose marks mean nothing. Simulation does
// not know that; these reductions join such a state with another one that has the
// same edges up to marks.

// mergeTransient redirects edges into a transient state to a state with the same
// outgoing edges. Both accept the same language, and no cycle arises: a cycle
// through the new target would be one through the old.
func mergeTransient(a *Automaton) *Automaton {
	for {
		redirect, changed := joinTransient(a, outgoing(a))
		if !changed {
			return a
		}
		b := a.like(len(a.out))
		b.initial = redirect[a.initial]
		for s, es := range a.out {
			b.out[s] = slices.Clone(es)
			for i := range b.out[s] {
				b.out[s][i].To = redirect[b.out[s][i].To]
			}
			b.out[s] = b.mergeEdges(b.out[s])
		}
		a = trim(b)
	}
}

// mergeTransientBackward gives the edges of a transient state to a state with the
// same incoming edges. Whatever prefix leads to one leads to the other, and a
// cycle through the new edges would be one through the old.
func mergeTransientBackward(a *Automaton) *Automaton {
	for {
		redirect, changed := joinTransient(a, incoming(a))
		if !changed {
			return a
		}
		b := a.like(len(a.out))
		b.initial = a.initial
		for s, es := range a.out {
			from := redirect[s]
			for _, e := range es {
				to := redirect[e.To]
				if to != e.To {
					continue // the same edge leads to the state it is joined with
				}
				if from != int32(s) && a.stateBased {
					e.Marks = a.StateMarks(from)
				}
				b.out[from] = append(b.out[from], Edge{e.Label, to, e.Marks})
			}
		}
		for s := range b.out {
			b.out[s] = b.mergeEdges(b.out[s])
		}
		a = trim(b)
	}
}

// joinTransient returns for each state the one that it is joined with: itself, or
// for a transient state one with the same signature, on a cycle if there is one.
func joinTransient(a *Automaton, signature []string) (redirect []int32, changed bool) {
	c := findComponents(a)
	cyclic := func(s int32) bool { return c.cyclic[c.of[s]] }
	first := map[string]int32{}
	for s := range a.out {
		old, ok := first[signature[s]]
		if !ok || !cyclic(old) && cyclic(int32(s)) {
			first[signature[s]] = int32(s)
		}
	}
	redirect = make([]int32, len(a.out))
	for s := range a.out {
		redirect[s] = int32(s)
		if t := first[signature[s]]; int(t) != s && !cyclic(int32(s)) {
			redirect[s] = t
			changed = true
		}
	}
	return redirect, changed
}

// outgoing returns for each state which letters lead where, without marks.
func outgoing(a *Automaton) []string {
	return lists.Map(a.out, a.withoutMarks)
}

// incoming is outgoing for the edges turned round; the initial state is unlike
// all others.
func incoming(a *Automaton) []string {
	in := make([][]Edge, len(a.out))
	for s, es := range a.out {
		for _, e := range es {
			in[e.To] = append(in[e.To], Edge{e.Label, int32(s), 0})
		}
	}
	signature := make([]string, len(a.out))
	for s, es := range in {
		signature[s] = a.withoutMarks(es)
	}
	signature[a.initial] += "initial"
	return signature
}

// withoutMarks is the same for slices of edges that differ in marks only.
func (a *Automaton) withoutMarks(es []Edge) string {
	plain := lists.Map(es, func(e Edge) Edge { return Edge{e.Label, e.To, 0} })
	var key []byte
	for _, e := range a.mergeEdges(plain) {
		key = binary.LittleEndian.AppendUint32(key, uint32(e.To))
		key = binary.LittleEndian.AppendUint32(key, uint32(e.Label))
	}
	return string(key)
}
