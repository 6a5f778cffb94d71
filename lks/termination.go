package lks

import "slices"

// Termination is what decides whether a network has terminated. It has in the
// states in which all Deciders are in an End state and no rule is enabled. Where
// the former is true and a rule is enabled, it is one of Silent.
type Termination struct {
	// Deciders are the components with End states, observers apart, sorted; nil if
	// the network never terminates: if there are none, or if some rule has a part in
	// none of them. Rules that were silent before they were composed do not count.
	Deciders []int32
	// Ends are the End states of each decider, sorted.
	Ends [][]int32
	// Silent are the rules without a part in a decider, sorted: silent steps of the
	// others.
	Silent []int32
}

// Termination returns what decides on termination. Time O(rules · parts + states of the
// components).
func (n *Network) Termination() Termination {
	var t Termination
	decides := make([]bool, len(n.components))
	for i, m := range n.components {
		if n.observer[i] {
			continue
		}
		if ends := m.statesOf(End); ends != nil {
			t.Deciders, t.Ends = append(t.Deciders, int32(i)), append(t.Ends, ends)
			decides[i] = true
		}
	}
	if t.Deciders == nil {
		return t
	}
	for i, r := range n.rules {
		if slices.ContainsFunc(r.Parts, func(p Part) bool { return decides[p.Component] }) {
			continue
		}
		if !n.uncounted[i] {
			return Termination{}
		}
		t.Silent = append(t.Silent, int32(i))
	}
	return t
}

// SilentActions returns the local actions by which components take part in the
// Silent rules, by component, sorted. A state that offers none of them is quiet.
func (n *Network) SilentActions(t Termination) map[int32][]int32 {
	silent := map[int32][]int32{}
	for _, r := range t.Silent {
		for _, p := range n.rules[r].Parts {
			silent[p.Component] = append(silent[p.Component], p.Action)
		}
	}
	for c, actions := range silent {
		slices.Sort(actions)
		silent[c] = slices.Compact(actions)
	}
	return silent
}

// Settled reports whether all components that decide on termination are in End
// states: the network has terminated, or goes on by silent steps only, for ever or
// until it has.
func (n *Network) Settled(state []uint64) bool { return n.packing().settled(n, state) }

// restless returns a component for which there may be no state to rest in, when
// the network has terminated, or -1: one that has parts in silent rules together
// with other components, and a label with which no state is quiet. (A component
// that has such rules alone is quiet whenever the network has terminated.)
func (n *Network) restless() int32 {
	t := n.Termination()
	shared := map[int32]bool{}
	for _, r := range t.Silent {
		if parts := n.rules[r].Parts; len(parts) > 1 {
			for _, p := range parts {
				shared[p.Component] = true
			}
		}
	}
	if len(shared) == 0 {
		return -1
	}
	silent := n.SilentActions(t)
	for c := range int32(len(n.components)) {
		if !shared[c] {
			continue
		}
		m := n.components[c]
		rest := m.quiet(silent[c])
		for s := range int32(m.NumStates()) {
			if m.Kind(s) != Error && rest[m.restClass(s)] < 0 {
				return c
			}
		}
	}
	return -1
}
