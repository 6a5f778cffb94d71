package deadlock

import (
	"slices"

	"github.com/seltl/seltl/lks"
)

// orderedWaits proves deadlock freedom by an order on who waits for whom. The idea
// is that of [RoscoeDathi87], with the order found for local states instead of
// given for components, as in the state dependency digraphs of [MartinJassim97].
//
// Call a local state s of component c safe if
//
//	(a) s is an Error state, or c can move from s without anybody else; or
//	(b) c offers in s some rule r such that, for every other component d of r and
//	    every state t of d in which d refuses r and that can be waiting beside s
//	    (see pair), t is safe.
//
// The least such set has no state that occurs in a deadlock: (a) is clear; in (b)
// r is refused by some d in a state t beside s, (s,t) is reachable and waiting,
// and t, safe before s, would occur in the same deadlock. So a network is free if
// all local states of one component are safe, or if one of the two states of
// every waiting pair state of two components is. Priorities and termination only
// remove states or steps from what is considered.
type orderedWaits struct {
	net   *lks.Network
	comps []component
	pairs map[[2]int32]*pair
	safe  [][]bool // by component and local state
	rank  int      // rounds until nothing more became safe
	pace  *pace
}

// run computes the safe states.
func (w *orderedWaits) run() error {
	w.safe = make([][]bool, len(w.comps))
	for c := range w.comps {
		w.safe[c] = make([]bool, w.comps[c].m.NumStates())
	}
	for changed := true; changed; w.rank++ {
		changed = false
		for c := range w.comps {
			m := w.comps[c].m
			for s := range int32(m.NumStates()) {
				if w.safe[c][s] {
					continue
				}
				if err := w.pace.spend(8, 0); err != nil {
					return err
				}
				if w.becomesSafe(int32(c), s) {
					w.safe[c][s] = true
					changed = true
				}
			}
		}
	}
	return nil
}

func (w *orderedWaits) becomesSafe(c, s int32) bool {
	m := w.comps[c].m
	if m.Kind(s) == lks.Error {
		return true
	}
	last := int32(-1)
	for _, e := range m.Edges(s) {
		if e.Action == last {
			continue
		}
		last = e.Action
		for _, r := range w.comps[c].rules[e.Action] {
			if w.leadsToSafe(c, s, r) {
				return true
			}
		}
	}
	return false
}

// leadsToSafe reports whether rule r, which c offers in s, makes s safe.
func (w *orderedWaits) leadsToSafe(c, s, r int32) bool {
	for _, part := range w.net.Rules()[r].Parts {
		d := part.Component
		if d == c {
			continue
		}
		m := w.comps[d].m
		for t := range int32(m.NumStates()) {
			if !w.safe[d][t] && w.waiting(c, s, d, t) && len(m.Succ(t, part.Action)) == 0 {
				return false
			}
		}
	}
	return true
}

func (w *orderedWaits) waiting(c, s, d, t int32) bool {
	if c < d {
		return w.pairs[[2]int32{c, d}].waiting(s, t)
	}
	return w.pairs[[2]int32{d, c}].waiting(t, s)
}

// conclusion returns one component of which all states are safe, or two of which
// one always is, or nil.
func (w *orderedWaits) conclusion(shared [][2]int32) []int {
	for c := range w.comps {
		reached := reachable(w.comps[c].m)
		if !slices.ContainsFunc(w.safe[c], func(safe bool) bool { return !safe }) {
			return []int{c}
		}
		ok := true
		for s, safe := range w.safe[c] {
			ok = ok && (safe || !reached[s])
		}
		if ok {
			return []int{c}
		}
	}
	for _, k := range shared {
		if w.coversPair(w.pairs[k]) {
			return []int{int(k[0]), int(k[1])}
		}
	}
	return nil
}

func (w *orderedWaits) coversPair(p *pair) bool {
	for s := range int32(len(w.safe[p.c])) {
		for t := range int32(len(w.safe[p.d])) {
			if !w.safe[p.c][s] && !w.safe[p.d][t] && p.waiting(s, t) {
				return false
			}
		}
	}
	return true
}
