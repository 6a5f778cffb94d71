package meet

import (
	"gonum.org/v1/gonum/graph/simple"
	"gonum.org/v1/gonum/graph/topo"

	"github.com/seltl/seltl/buchi"
	"github.com/seltl/seltl/ltl"
)

// Automaton is a Büchi automaton prepared for a search.
type Automaton struct {
	Atoms     []ltl.Atom
	Initial   int32
	Out       [][]buchi.Edge
	Reads     *buchi.Matcher
	Sets      int
	AllMarks  uint64
	Accepting []bool  // by state; meaningful for state-based acceptance only
	universal []bool  // by state: it accepts every word, by looping on all letters with all marks
	Weak      bool    // every component has accepting states only, or none on a cycle
	Empty     bool    // no run is accepting
	Component []int32 // by state: its strongly connected component
	Plain     []bool  // by state: it is on no cycle with an accepting state
	forks     []bool  // by state: some edges leave its component, some stay
}

// NewAutomaton prepares an automaton, in time linear in its edges.
func NewAutomaton(a *buchi.Automaton) *Automaton {
	n := a.NumStates()
	m := &Automaton{
		Atoms: a.Atoms(), Initial: a.Initial(), Out: make([][]buchi.Edge, n), Reads: a.Matcher(),
		Sets: a.NumSets(), AllMarks: a.AllMarks(), Accepting: make([]bool, n), universal: make([]bool, n),
	}
	for s := range int32(n) {
		m.Out[s] = a.Edges(s)
		m.Accepting[s] = m.Sets == 0 || a.StateBased() && a.StateMarks(s) == m.AllMarks
		for _, e := range m.Out[s] {
			if e.To == s && e.Label == a.Care() && e.Marks == m.AllMarks {
				m.universal[s] = true
			}
		}
	}
	m.classify()
	return m
}

// classify finds out whether the automaton is weak, and whether it is empty.
func (m *Automaton) classify() {
	g := simple.NewDirectedGraph()
	loops := make([]bool, len(m.Out))
	for s := range m.Out {
		if g.Node(int64(s)) == nil {
			g.AddNode(simple.Node(s))
		}
		for _, e := range m.Out[s] {
			if int(e.To) == s {
				loops[s] = true
			} else {
				g.SetEdge(simple.Edge{F: simple.Node(s), T: simple.Node(e.To)})
			}
		}
	}
	m.Weak, m.Empty = true, true
	m.Component, m.Plain, m.forks = make([]int32, len(m.Out)), make([]bool, len(m.Out)), make([]bool, len(m.Out))
	for number, component := range topo.TarjanSCC(g) {
		for _, s := range component {
			m.Component[s.ID()], m.Plain[s.ID()] = int32(number), true
		}
		if len(component) == 1 && !loops[component[0].ID()] {
			continue
		}
		inside := map[int32]bool{}
		for _, s := range component {
			inside[int32(s.ID())] = true
		}
		accepting := 0
		marks := uint64(0)
		for s := range inside {
			if m.Accepting[s] {
				accepting++
			}
			for _, e := range m.Out[s] {
				if inside[e.To] {
					marks |= e.Marks
				}
			}
		}
		for s := range inside {
			m.Plain[s] = accepting == 0
		}
		if accepting != 0 && accepting != len(inside) {
			m.Weak = false
		}
		if marks == m.AllMarks {
			m.Empty = false
		}
	}
	for s, out := range m.Out {
		stays := 0
		for _, e := range out {
			if m.Component[e.To] == m.Component[s] {
				stays++
			}
		}
		m.forks[s] = stays > 0 && stays < len(out)
	}
}

// Universal reports whether the automaton accepts every word from a state, by looping there.
func (m *Automaton) Universal(state int32) bool { return m.universal[state] }

// NumEdges returns the number of edges.
func (m *Automaton) NumEdges() int {
	n := 0
	for _, edges := range m.Out {
		n += len(edges)
	}
	return n
}
