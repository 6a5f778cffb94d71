package deadlock

import (
	"slices"

	"github.com/seltl/seltl/lks"
)

// simulation is what a component can be in after each action of a trace.
type simulation struct {
	m       *lks.LKS
	actions []int32
	after   [][]int32 // after[i]: states after i actions, sorted; the last may be empty
}

// simulate follows the trace from the initial states ([Chaki05], Procedure 10.1,
// without its last line). It stops early when nothing is left.
func simulate(m *lks.LKS, actions []int32) *simulation {
	s := &simulation{m: m, actions: actions, after: [][]int32{m.Initial()}}
	for _, a := range actions {
		next := image(m, s.after[len(s.after)-1], a)
		s.after = append(s.after, next)
		if len(next) == 0 {
			break
		}
	}
	return s
}

// image returns the successors of states by action, sorted.
func image(m *lks.LKS, states []int32, action int32) []int32 {
	var next []int32
	for _, s := range states {
		for _, e := range m.Succ(s, action) {
			next = append(next, e.Target)
		}
	}
	slices.Sort(next)
	return slices.Compact(next)
}

// final returns the states after the whole trace.
func (s *simulation) final() []int32 {
	if len(s.after) <= len(s.actions) {
		return nil
	}
	return s.after[len(s.actions)]
}

// isFailure is the last line of Procedure 10.1, for a trace that ends in class k
// of q: it returns a state after the trace that refuses everything in the
// abstract refusal of k, or -1. The thesis asks for a refusal equal to it; a
// larger one serves as well for the deadlock of the whole, of which only the
// union of all refusals matters. The state must be of the kind of k.
func (s *simulation) isFailure(q *quotient, refusal []int32, k int32) int32 {
	for _, t := range s.final() {
		if s.m.Kind(t) == q.kind(k) && refusesAll(s.m, t, refusal) {
			return t
		}
	}
	return -1
}

// abstractRefusal returns the local actions of c that occur in a rule and that
// some member of class k of q refuses, sorted (Def. 38).
func abstractRefusal(c *component, q *quotient, k int32) []int32 {
	var refusal []int32
	for a := range c.rules {
		if len(c.rules[a]) > 0 && q.refuses(k, int32(a)) {
			refusal = append(refusal, int32(a))
		}
	}
	return refusal
}

func refusesAll(m *lks.LKS, s int32, actions []int32) bool {
	return !slices.ContainsFunc(actions, func(a int32) bool { return len(m.Succ(s, a)) > 0 })
}

// pathTo returns states, one more than there are actions, that lead by the trace
// to one of the states in final().
func (s *simulation) pathTo(state int32) []int32 {
	path := make([]int32, len(s.actions)+1)
	path[len(s.actions)] = state
	for i := len(s.actions) - 1; i >= 0; i-- {
		for _, t := range s.after[i] {
			leads := func(e lks.Edge) bool { return e.Target == path[i+1] }
			if slices.ContainsFunc(s.m.Succ(t, s.actions[i]), leads) {
				path[i] = t
				break
			}
		}
	}
	return path
}
