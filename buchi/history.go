package buchi

// A deterministic automaton of F f that starts again after each f may start as if it had
// read some of the last letters already: what it says is about a suffix of the word then,
// and the automaton needs no states for the time until it has read enough. Successive
// suffixes must begin later and later, so that each f is counted a bounded number of times.

// history says which states a deterministic automaton would be in, had it started later.
type history struct {
	a *Automaton
	// of each state s: states t such that every word that leads to s has a proper suffix that
	// leads to t.
	later  [][]bool
	length historyLength
}

// historyLength says how much of the past a continuation remembers.
type historyLength uint8

const (
	lastLetter historyLength = iota
	longestSuffix
)

// maxHistory bounds the states of automata for which histories are computed, since these
// are relations between states.
const maxHistory = 200

// newHistory computes the greatest relation such that the initial state, for the
// empty word, has no later ones, and for every edge from s to s' each later state of s' is
// the initial one or follows, by the same letters, from a later one of s. It takes cubic
// time at most; nil is returned for large automata.
func newHistory(a *Automaton, length historyLength) *history {
	n := len(a.out)
	if n > maxHistory {
		return nil
	}
	h := &history{a: a, length: length, later: make([][]bool, n)}
	for s := range h.later {
		h.later[s] = make([]bool, n)
		for t := range h.later[s] {
			h.later[s][t] = int32(s) != a.initial && (length == longestSuffix || int32(t) == a.initial)
		}
	}
	for changed := length == longestSuffix; changed; {
		changed = false
		for s, es := range a.out {
			for _, e := range es {
				if h.restrict(int32(s), e) {
					changed = true
				}
			}
		}
	}
	return h
}

// restrict removes the later states of the edge's target that do not come from one of its
// source, for some letter, and reports whether there are any.
func (h *history) restrict(s int32, e Edge) bool {
	man, changed := h.a.man, false
	var reached []Label // of each state: letters by which a later state of s leads to it
	for t, is := range h.later[e.To] {
		if !is || int32(t) == h.a.initial {
			continue
		}
		if reached == nil {
			reached = make([]Label, len(h.a.out))
			for p, ok := range h.later[s] {
				if ok || int32(p) == h.a.initial && s != h.a.initial {
					for _, f := range h.a.out[p] {
						reached[f.To] = man.Or(reached[f.To], f.Label)
					}
				}
			}
		}
		if !man.Implies(e.Label, reached[t]) {
			h.later[e.To][t], changed = false, true
		}
	}
	return changed
}

// continuation is where a restart goes with some letters.
type continuation struct {
	letters Label
	to      int32
}

// continuations splits the letters of an edge out of s by the states where a restart
// that remembers most goes on.
func (h *history) continuations(s int32, letters Label) []continuation {
	var list []continuation
	for letters != NoLetter {
		best := continuation{letters, h.a.initial}
		for p, ok := range h.later[s] {
			if !ok {
				continue
			}
			for _, f := range h.a.out[p] {
				in := h.a.man.And(f.Label, letters)
				if in != NoLetter && !h.a.acceptsAll(f.To) && (best.to == h.a.initial || h.remembers(f.To) > h.remembers(best.to)) {
					best = continuation{in, f.To}
				}
			}
		}
		letters = h.a.man.Diff(letters, best.letters)
		list = append(list, best)
	}
	return list
}

// remembers is a measure of what a state has read: the number of its later states.
func (h *history) remembers(s int32) int {
	n := 0
	for _, ok := range h.later[s] {
		if ok {
			n++
		}
	}
	return n
}
