package meet

import "slices"

// Matcher remembers which edges of the automaton a letter and an event class
// match, so that the inner loop of the product is a look-up. Rows are made when
// a state of the automaton first reads a letter, their entries when first asked.
type Matcher struct {
	aut     *Automaton
	bind    *Binding
	rows    []int32 // by letter*states+state: row number plus 1, 0 if not made
	keys    []rowKey
	entries []span // by row*classes+class
	matches []Match
	// markSets are the different marks of matches: searches keep 32 bits each.
	markSets []uint64
	letter   []uint64 // scratch
	found    []int32  // scratch
}

type rowKey struct{ letter, state int32 }

// span is matches[from:to]; to is 0 if it has not been computed.
type span struct{ from, to int32 }

// Match is an edge of the automaton, without its label.
type Match struct {
	marks   uint64
	Target  int32
	markSet int32 // Marks == MarkSets[MarkSet]
	ahead   bool  // it leaves the automaton's component
}

// NewMatcher returns a matcher that remembers nothing yet.
func NewMatcher(aut *Automaton, bind *Binding) *Matcher {
	// The first match is a dummy, so that a computed span never has to == 0.
	return &Matcher{aut: aut, bind: bind, matches: make([]Match, 1), letter: make([]uint64, bind.Words)}
}

// Row returns the row of a letter and a state of the automaton.
func (m *Matcher) Row(letter, state int32) int32 {
	i := int(letter)*len(m.aut.Out) + int(state)
	for i >= len(m.rows) {
		m.rows = append(m.rows, 0)
	}
	if m.rows[i] == 0 {
		m.keys = append(m.keys, rowKey{letter, state})
		m.entries = append(m.entries, make([]span, len(m.bind.Events))...)
		m.rows[i] = int32(len(m.keys))
	}
	return m.rows[i] - 1
}

// Find returns the edges that match a row and an event class. The slice is valid
// until the next call of Row or Find.
func (m *Matcher) Find(row, class int32) []Match {
	s := &m.entries[int(row)*len(m.bind.Events)+int(class)]
	if s.to == 0 {
		*s = m.compute(m.keys[row], class)
	}
	return m.matches[s.from:s.to]
}

func (m *Matcher) compute(k rowKey, class int32) span {
	copy(m.letter, m.bind.Letter[int(k.letter)*m.bind.Words:])
	Or(m.letter, m.bind.Events[class])
	from := int32(len(m.matches))
	m.found = m.aut.Reads.Match(k.state, m.letter, m.found[:0])
	for _, i := range m.found {
		e := m.aut.Out[k.state][i]
		m.add(from, Match{e.Marks, e.To, m.markSet(e.Marks), m.aut.Component[e.To] != m.aut.Component[k.state]})
	}
	return span{from, int32(len(m.matches))}
}

func (m *Matcher) markSet(marks uint64) int32 {
	i := slices.Index(m.markSets, marks)
	if i < 0 {
		i = len(m.markSets)
		m.markSets = append(m.markSets, marks)
	}
	return int32(i)
}

// add appends a match unless one with the same target covers it, and replaces
// those that it covers. Marks only ever help.
func (m *Matcher) add(from int32, new Match) {
	kept := m.matches[:from]
	for _, old := range m.matches[from:] {
		if old.Target == new.Target {
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
