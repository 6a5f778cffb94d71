package houdini

import "slices"

// literal is a predicate, or its negation: twice its number, and one more.
type literal int

func (l literal) predicate() int   { return int(l) / 2 }
func (l literal) positive() bool   { return l%2 == 0 }
func (l literal) negated() literal { return l ^ 1 }

// hull is the least set of abstract states that contains some of them and is described by clauses of one or two literals,
// and of three of which one is about an element: what is said of indices alone, for all of them, says little.
type hull struct {
	element []bool     // by predicate: it is about an element
	states  [][]uint64 // by literal: of which states it is true, one bit each
	count   int
	known   [][]literal // clauses, while no state is added
}

func newHull(element []bool) *hull {
	return &hull{element: element, states: make([][]uint64, 2*len(element))}
}

// empty reports a hull of no states, which says that there is none.
func (h *hull) empty() bool { return h.count == 0 }

// add takes a state in, given as the truth of each predicate.
func (h *hull) add(state []bool) {
	word, bit := h.count/64, uint64(1)<<(h.count%64)
	for i, holds := range state {
		l := literal(2 * i)
		if !holds {
			l = l.negated()
		}
		for k := range 2 {
			if m := literal(2*i + k); len(h.states[m]) <= word {
				h.states[m] = append(h.states[m], 0)
			}
		}
		h.states[l][word] |= bit
	}
	h.count++
	h.known = nil
}

// full reports that each state has one of some literals.
func (h *hull) full(ls ...literal) bool {
	for word := range (h.count + 63) / 64 {
		all := ^uint64(0)
		if left := h.count - 64*word; left < 64 {
			all = 1<<left - 1
		}
		var some uint64
		for _, l := range ls {
			some |= h.states[l][word]
		}
		if some != all {
			return false
		}
	}
	return true
}

// clauses are those that describe the hull: without those that shorter ones imply, and with one literal for all that
// are equal. The result must not be changed.
func (h *hull) clauses() [][]literal {
	if h.known != nil {
		return h.known
	}
	open, element := h.single()
	pairs := map[[2]literal]bool{}
	for i, l := range open {
		for _, m := range open[:i] {
			if l != m.negated() && h.full(l, m) {
				pairs[[2]literal{m, l}] = true
				h.known = append(h.known, []literal{m, l})
			}
		}
	}
	for i, l := range open {
		for k, m := range open[:i] {
			if l == m.negated() || pairs[[2]literal{m, l}] {
				continue
			}
			for _, n := range open[:k] {
				if n.negated() != m && n.negated() != l && (element[n] || element[m] || element[l]) &&
					!pairs[[2]literal{n, m}] && !pairs[[2]literal{n, l}] && h.full(n, m, l) {
					h.known = append(h.known, []literal{n, m, l})
				}
			}
		}
	}
	return h.known
}

// single begins the clauses: with literals that are true of all states, and those that are equal. Open are the others, both
// signs of each, and of equal ones one; element tells which of these are about an element, or equal to what is.
func (h *hull) single() (open []literal, element []bool) {
	h.known, element = [][]literal{}, make([]bool, len(h.states))
	for i := range h.element {
		l := literal(2 * i)
		switch {
		case h.full(l):
			h.known = append(h.known, []literal{l})
			continue
		case h.full(l.negated()):
			h.known = append(h.known, []literal{l.negated()})
			continue
		}
		m := l
		if same := slices.IndexFunc(open, func(m literal) bool { return slices.Equal(h.states[l], h.states[m]) }); same < 0 {
			open = append(open, l, l.negated())
		} else {
			m = open[same]
			h.known = append(h.known, []literal{l, m.negated()}, []literal{l.negated(), m})
		}
		if h.element[i] {
			element[m], element[m.negated()] = true, true
		}
	}
	return open, element
}
