package product

import "slices"

// matcher remembers which edges of the automaton a letter and an event class
// match, so that the inner loop of the product is a look-up. Rows are made when
// a state of the automaton first reads a letter, their entries when first asked.
type matcher struct {
	aut     *automaton
	bind    *binding
	rows    []int32 // by letter*states+state: row number plus 1, 0 if not made
	keys    []rowKey
	entries []span // by row*classes+class
	matches []match
	// markSets are the different marks of matches: searches keep 32 bits each.
	markSets []uint64
	letter   []uint64 // scratch
	found    []int32  // scratch
}

type rowKey struct{ letter, state int32 }

// span is matches[from:to]; to is 0 if it has not been computed.
type span struct{ from, to int32 }

// match is an edge of the automaton, without its label.
type match struct {
	marks   uint64
	target  int32
	markSet int32 // marks == markSets[markSet]
	ahead   bool  // it leaves the automaton's component
}

func newMatcher(aut *automaton, bind *binding) *matcher {
	// The first match is a dummy, so that a computed span never has to == 0.
	return &matcher{aut: aut, bind: bind, matches: make([]match, 1), letter: make([]uint64, bind.words)}
}

// row returns the row of a letter and a state of the automaton.
func (m *matcher) row(letter, state int32) int32 {
	i := int(letter)*len(m.aut.out) + int(state)
	for i >= len(m.rows) {
		m.rows = append(m.rows, 0)
	}
	if m.rows[i] == 0 {
		m.keys = append(m.keys, rowKey{letter, state})
		m.entries = append(m.entries, make([]span, len(m.bind.events))...)
		m.rows[i] = int32(len(m.keys))
	}
	return m.rows[i] - 1
}

// find returns the edges that match a row and an event class. The slice is valid
// until the next call of row or find.
func (m *matcher) find(row, class int32) []match {
	s := &m.entries[int(row)*len(m.bind.events)+int(class)]
	if s.to == 0 {
		*s = m.compute(m.keys[row], class)
	}
	return m.matches[s.from:s.to]
}

func (m *matcher) compute(k rowKey, class int32) span {
	copy(m.letter, m.bind.letter[int(k.letter)*m.bind.words:])
	or(m.letter, m.bind.events[class])
	from := int32(len(m.matches))
	m.found = m.aut.reads.Match(k.state, m.letter, m.found[:0])
	for _, i := range m.found {
		e := m.aut.out[k.state][i]
		m.add(from, match{e.Marks, e.To, m.markSet(e.Marks), m.aut.component[e.To] != m.aut.component[k.state]})
	}
	return span{from, int32(len(m.matches))}
}

func (m *matcher) markSet(marks uint64) int32 {
	i := slices.Index(m.markSets, marks)
	if i < 0 {
		i = len(m.markSets)
		m.markSets = append(m.markSets, marks)
	}
	return int32(i)
}

// add appends a match unless one with the same target covers it, and replaces
// those that it covers. Marks only ever help.
func (m *matcher) add(from int32, new match) {
	kept := m.matches[:from]
	for _, old := range m.matches[from:] {
		if old.target == new.target {
			if old.marks|new.marks == old.marks {
				return
			}
			if old.marks|new.marks == new.marks {
				continue
			}
		}
		kept = append(kept, old)
	}
	m.matches = append(kept, new)
}
