package lks

import "github.com/seltl/seltl/internal/partition"

// Stats are the figures of an LKS.
type Stats struct {
	States, Transitions int
	Initial             int
	Alphabet            int // actions without tau
	Props               int
	Labels              int // different labels
	Silent              int // transitions by tau
	Deadlocks           int // Normal states without transitions
	Ends, Errors        int // special states
	Reachable           int // states
	MaxOut, MaxIn       int // degrees
	Components          int // strongly connected components
	LargestComponent    int // in states
	Terminal            int // components that no transition leaves
	Deterministic       bool
}

// AverageOut returns the transitions per state.
func (s *Stats) AverageOut() float64 { return float64(s.Transitions) / float64(s.States) }

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
		States: m.NumStates(), Transitions: m.NumTransitions(), Initial: len(m.initial),
		Alphabet: len(m.alphabet) - 1, Props: len(m.props), Labels: m.NumLabelClasses(),
		Reachable: m.Reachable().NumStates(), Deterministic: len(m.initial) == 1,
	}
	in := make([]int, m.NumStates())
	for state := range int32(m.NumStates()) {
		edges := m.Edges(state)
		s.MaxOut = max(s.MaxOut, len(edges))
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
			s.Errors++
		case len(edges) == 0:
			s.Deadlocks++
		}
	}
	for _, d := range in {
		s.MaxIn = max(s.MaxIn, d)
	}
	m.componentStats(&s)
	return s
}

func (m *LKS) componentStats(s *Stats) {
	component, n := m.Components()
	size := make([]int, n)
	left := make([]bool, n)
	for state := range int32(m.NumStates()) {
		c := component[state]
		size[c]++
		s.LargestComponent = max(s.LargestComponent, size[c])
		for _, e := range m.Edges(state) {
			left[c] = left[c] || component[e.Target] != c
		}
	}
	s.Components = n
	for _, l := range left {
		if !l {
			s.Terminal++
		}
	}
}

// Components returns the strongly connected component of every state and their
// number. They are numbered in reverse topological order: transitions between
// components lead to lower numbers.
func (m *LKS) Components() (component []int32, n int) {
	to := make([]int32, len(m.edges))
	for i, e := range m.edges {
		to[i] = e.Target
	}
	return partition.Components(m.first, to)
}
