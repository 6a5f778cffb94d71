package omega

import (
	"fmt"
	"slices"
	"strings"
)

// Quotient returns an equivalent automaton in which states are one that are bisimilar: that
// have the same edges, with the same marks, to bisimilar states. Time is at most quadratic in
// the number of states times the size of their edges.
func (a *Automaton) Quotient() *Automaton {
	class := make([]int32, len(a.out))
	for count := 1; ; {
		numbers := map[string]int32{}
		next := make([]int32, len(a.out))
		step(a.meter, "joining states that are bisimilar", 0)
		for s := range a.out {
			var key strings.Builder
			fmt.Fprint(&key, class[s])
			for _, e := range a.classEdges(int32(s), class) {
				fmt.Fprint(&key, " ", e.Label, e.To, e.Marks)
			}
			n, ok := numbers[key.String()]
			if !ok {
				n = int32(len(numbers))
				numbers[key.String()] = n
			}
			next[s] = n
		}
		class = next
		if len(numbers) == count {
			break
		}
		count = len(numbers)
	}
	count := slices.Max(class) + 1
	if int(count) == len(a.out) {
		return a
	}
	b := a.like(int(count), a.sets, a.condition)
	b.initial = class[a.initial]
	for s := range a.out {
		if b.out[class[s]] == nil {
			b.out[class[s]] = a.classEdges(int32(s), class)
		}
	}
	return b
}

// classEdges returns the edges of a state to the classes of their targets.
func (a *Automaton) classEdges(s int32, class []int32) []Edge {
	es := slices.Clone(a.out[s])
	for i := range es {
		es[i].To = class[es[i].To]
	}
	return a.merge(es)
}
