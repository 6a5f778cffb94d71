package lks

import "github.com/seltl/seltl/internal/scc"

// Stats are the figures of an LKS. As in LTSA, ERROR is no state: States, Reachable,
// Labels, degrees and components are about the others. But transitions into it are
// transitions, which count in Transitions and MaxOut, and leave their component.
type Stats struct {
	States, Transitions int
	Initial             int
	Alphabet            int // actions without tau
	Props               int
	Labels              int // different labels
	Silent              int // transitions by tau
	Deadlocks           int // Normal states without transitions
	Ends                int // End states
	Errors              int // Error states, not in States
	Reachable           int // states
	MaxOut, MaxIn       int // degrees
	Components          int // strongly connected components
	LargestComponent    int // in states
	Terminal            int // components that no transition leaves
	Deterministic       bool
}

// AverageOut returns the transitions per state, 0 without states.
func (s *Stats) AverageOut() float64 {
	if s.States == 0 {
		return 0
	}
	return float64(s.Transitions) / float64(s.States)
}

// SilentShare returns the share of transitions that are silent, 0 to 1.
func (s *Stats) SilentShare() float64 {
	if s.Transitions == 0 {
		return 0
	}
	return float64(s.Silent) / float64(s.Transitions)
}

// Stats computes the figures of m, unreachable states included. Deterministic
// means one initial state, no silent transitions, and at most one successor for
// each action. Time O(states + transitions).
func (m *LKS) Stats() Stats {
	s := Stats{
		Transitions: m.NumTransitions(), Initial: len(m.initial), Alphabet: len(m.alphabet) - 1,
		Props: len(m.props), Reachable: m.countReachable(), Deterministic: len(m.initial) == 1,
	}
	s.States = m.countStates()
	s.Errors = m.NumStates() - s.States
	in := make([]int32, m.NumStates())
	labels := make([]bool, m.NumLabelClasses())
	for state := range int32(m.NumStates()) {
		edges := m.Edges(state)
		s.MaxOut = max(s.MaxOut, len(edges))
		if class := m.LabelClass(state); m.Kind(state) != Error && !labels[class] {
			labels[class] = true
			s.Labels++
		}
		for i, e := range edges {
			in[e.Target]++
			if e.Action == TauID {
				s.Silent++
				s.Deterministic = false
			}
			if i > 0 && edges[i-1].Action == e.Action {
				s.Deterministic = false
			}
		}
		switch kind := m.Kind(state); {
		case kind == End:
			s.Ends++
		case kind == Error:
		case len(edges) == 0:
			s.Deadlocks++
		}
	}
	for state, d := range in {
		if m.Kind(int32(state)) != Error {
			s.MaxIn = max(s.MaxIn, int(d))
		}
	}
	m.componentStats(&s)
	return s
}

// countStates returns the number of states without those in error.
func (m *LKS) countStates() int {
	n := 0
	for state := range int32(m.NumStates()) {
		if m.Kind(state) != Error {
			n++
		}
	}
	return n
}

// countReachable returns the number of reachable states without those in error.
func (m *LKS) countReachable() int {
	n := 0
	order, _ := m.discover()
	for _, state := range order {
		if m.Kind(state) != Error {
			n++
		}
	}
	return n
}

func (m *LKS) componentStats(s *Stats) {
	component, n := m.components()
	size := make([]int, n)
	left := make([]bool, n)
	for state := range int32(m.NumStates()) {
		if m.Kind(state) == Error {
			continue // a component of its own
		}
		c := component[state]
		if size[c]++; size[c] == 1 {
			s.Components++
		}
		s.LargestComponent = max(s.LargestComponent, size[c])
		for _, e := range m.Edges(state) {
			left[c] = left[c] || component[e.Target] != c
		}
	}
	for c, l := range left {
		if !l && size[c] > 0 {
			s.Terminal++
		}
	}
}

// components returns the strongly connected component of every state and their
// number. They are numbered in reverse topological order: transitions between
// components lead to lower numbers.
func (m *LKS) components() (component []int32, n int) {
	found, _ := scc.All(transitions{m}, nil)
	return found.Of, found.Count
}

// transitions is the graph of states and transitions.
type transitions struct{ m *LKS }

func (t transitions) Nodes() int { return t.m.NumStates() }

func (t transitions) Degree(s int32) int { return int(t.m.first[s+1] - t.m.first[s]) }

func (t transitions) Successor(s int32, i int) (int32, bool) {
	return t.m.edges[t.m.first[s]+int32(i)].Target, true
}
