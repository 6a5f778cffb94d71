package product

import (
	"gonum.org/v1/gonum/graph/simple"
	"gonum.org/v1/gonum/graph/topo"

	"github.com/seltl/seltl/buchi"
	"github.com/seltl/seltl/ltl"
)

// automaton is a Büchi automaton prepared for a search.
type automaton struct {
	atoms     []ltl.Atom
	initial   int32
	out       [][]buchi.Edge
	reads     *buchi.Matcher
	sets      int
	allMarks  uint64
	accepting []bool  // by state; meaningful for state-based acceptance only
	universal []bool  // by state: it accepts every word, by looping on all letters with all marks
	weak      bool    // every component has accepting states only, or none on a cycle
	empty     bool    // no run is accepting
	component []int32 // by state: its strongly connected component
	plain     []bool  // by state: it is on no cycle with an accepting state
	forks     []bool  // by state: some edges leave its component, some stay
}

func newAutomaton(a *buchi.Automaton) *automaton {
	n := a.NumStates()
	m := &automaton{
		atoms: a.Atoms(), initial: a.Initial(), out: make([][]buchi.Edge, n), reads: a.Matcher(),
		sets: a.NumSets(), allMarks: a.AllMarks(), accepting: make([]bool, n), universal: make([]bool, n),
	}
	for s := range int32(n) {
		m.out[s] = a.Edges(s)
		m.accepting[s] = m.sets == 0 || a.StateBased() && a.StateMarks(s) == m.allMarks
		for _, e := range m.out[s] {
			if e.To == s && e.Label == a.Care() && e.Marks == m.allMarks {
				m.universal[s] = true
			}
		}
	}
	m.classify()
	return m
}

// classify finds out whether the automaton is weak, and whether it is empty.
func (m *automaton) classify() {
	g := simple.NewDirectedGraph()
	loops := make([]bool, len(m.out))
	for s := range m.out {
		if g.Node(int64(s)) == nil {
			g.AddNode(simple.Node(s))
		}
		for _, e := range m.out[s] {
			if int(e.To) == s {
				loops[s] = true
			} else {
				g.SetEdge(simple.Edge{F: simple.Node(s), T: simple.Node(e.To)})
			}
		}
	}
	m.weak, m.empty = true, true
	m.component, m.plain, m.forks = make([]int32, len(m.out)), make([]bool, len(m.out)), make([]bool, len(m.out))
	for number, component := range topo.TarjanSCC(g) {
		for _, s := range component {
			m.component[s.ID()], m.plain[s.ID()] = int32(number), true
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
			if m.accepting[s] {
				accepting++
			}
			for _, e := range m.out[s] {
				if inside[e.To] {
					marks |= e.Marks
				}
			}
		}
		for s := range inside {
			m.plain[s] = accepting == 0
		}
		if accepting != 0 && accepting != len(inside) {
			m.weak = false
		}
		if marks == m.allMarks {
			m.empty = false
		}
	}
	for s, out := range m.out {
		stays := 0
		for _, e := range out {
			if m.component[e.To] == m.component[s] {
				stays++
			}
		}
		m.forks[s] = stays > 0 && stays < len(out)
	}
}

// numEdges returns the number of edges.
func (m *automaton) numEdges() int {
	n := 0
	for _, edges := range m.out {
		n += len(edges)
	}
	return n
}
