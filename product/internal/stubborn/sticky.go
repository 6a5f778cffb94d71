package stubborn

import (
	"slices"

	"github.com/seltl/seltl/internal/scc"
	"github.com/seltl/seltl/lks"
)

// sticky chooses rules such that every cycle of the network's state graph takes
// one of them, or one of the given rules. [Kurshan98] observe that a cycle of
// a composition takes each component that moves round a cycle of its own: it is
// enough to break local cycles.
//
// A rule can be on a cycle only if, for each of its parts, a transition that the
// part can take lies on a cycle of its component (among transitions of rules that
// can be on a cycle). Removing rules for which that fails, again and again,
// leaves the rules that may be on cycles. As long as some are left, one of them
// is chosen and removed as well.
func sticky(net *lks.Network, given []bool) []bool {
	s := &cycles{net: net, left: make([]bool, len(net.Rules())), users: make([][][]int32, len(net.Components()))}
	for r := range s.left {
		s.left[r] = !given[r]
	}
	for c, m := range net.Components() {
		s.users[c] = make([][]int32, len(m.Alphabet()))
	}
	for r, rule := range net.Rules() {
		for _, p := range rule.Parts {
			s.users[p.Component][p.Action] = append(s.users[p.Component][p.Action], int32(r))
		}
	}
	chosen := make([]bool, len(s.left))
	near := make([]bool, len(net.Components()))
	for r, is := range given {
		if is {
			s.mark(near, r)
		}
	}
	s.prune()
	s.forced(chosen, near)
	for {
		if s.work > stickyWork {
			for r, left := range s.left {
				chosen[r] = chosen[r] || left
			}
			return chosen
		}
		r := s.choose(near)
		if r < 0 {
			return chosen
		}
		chosen[r] = true
		s.mark(near, int(r))
		s.left[r] = false
		s.touch(net.Rules()[r])
		s.prune()
	}
}

// stickyWork bounds the edges and rules that are looked at to choose few rules.
// After that all that are left are taken: that breaks every cycle too, and the
// sets are larger only where the choice would have taken too long.
const stickyWork = 1 << 26

// forced chooses the rules that can take a step without changing any local state:
// each is a cycle by itself, which only it can break.
func (s *cycles) forced(chosen, near []bool) {
	loops := make([][]bool, len(s.users)) // by component, by action
	for c, m := range s.net.Components() {
		loops[c] = make([]bool, len(m.Alphabet()))
		for state := range int32(m.NumStates()) {
			for _, e := range m.Edges(state) {
				loops[c][e.Action] = loops[c][e.Action] || e.Target == state
			}
		}
	}
	moved := make([]bool, len(s.users))
	for r, left := range s.left {
		parts := s.net.Rules()[r].Parts
		if !left || slices.ContainsFunc(parts, func(p lks.Part) bool { return !loops[p.Component][p.Action] }) {
			continue
		}
		chosen[r], s.left[r] = true, false
		s.mark(near, r)
		for _, p := range parts {
			moved[p.Component] = true
		}
	}
	for c, is := range moved {
		if is {
			s.push(int32(c))
		}
	}
	s.prune()
}

// cycles is the state of the elimination.
type cycles struct {
	net    *lks.Network
	left   []bool      // by rule: it may be on a cycle
	users  [][][]int32 // by component, by action: the rules with that part
	dirty  []int32     // components to look at, each once; nil at first: all
	queued []bool      // by component: it is dirty
	work   int64       // edges and rules looked at
}

func (s *cycles) push(c int32) {
	if !s.queued[c] {
		s.queued[c] = true
		s.dirty = append(s.dirty, c)
	}
}

// touch makes the components of a rule dirty.
func (s *cycles) touch(r lks.Rule) {
	for _, p := range r.Parts {
		s.push(p.Component)
	}
}

// prune removes rules that cannot be on a cycle, until nothing changes.
func (s *cycles) prune() {
	if s.queued == nil {
		s.queued = make([]bool, len(s.users))
		for c := range s.users {
			s.push(int32(c))
		}
	}
	for len(s.dirty) > 0 {
		c := s.dirty[len(s.dirty)-1]
		s.dirty = s.dirty[:len(s.dirty)-1]
		s.queued[c] = false
		cyclic := s.cyclicActions(c)
		for a, rules := range s.users[c] {
			if cyclic[a] {
				continue
			}
			for _, r := range rules {
				if s.left[r] {
					s.left[r] = false
					s.touch(s.net.Rules()[r])
				}
			}
		}
	}
}

// cyclicActions returns which actions of component c have a transition on a
// local cycle of transitions that are left.
func (s *cycles) cyclicActions(c int32) []bool {
	m := s.net.Components()[c]
	s.work += int64(m.NumTransitions() + m.NumStates() + len(m.Alphabet()))
	used := make([]bool, len(m.Alphabet()))
	for a, rules := range s.users[c] {
		used[a] = slices.ContainsFunc(rules, func(r int32) bool { return s.left[r] })
	}
	first := []int32{}
	var to []int32
	for state := range int32(m.NumStates()) {
		first = append(first, int32(len(to)))
		for _, e := range m.Edges(state) {
			if used[e.Action] {
				to = append(to, e.Target)
			}
		}
	}
	first = append(first, int32(len(to)))
	found, _ := scc.All(scc.Edges{First: first, To: to}, nil)
	component := found.Of
	cyclic := make([]bool, len(used))
	for state := range int32(m.NumStates()) {
		for _, e := range m.Edges(state) {
			if used[e.Action] && component[state] == component[e.Target] {
				cyclic[e.Action] = true
			}
		}
	}
	return cyclic
}

// choose returns a rule that is left, or -1: one that shares a component with the
// given or chosen rules, so that the sets that follow it and have to contain the
// visible rules grow little; among these one with the most parts, since it breaks
// the cycles of several components; among these the first.
func (s *cycles) choose(near []bool) int32 {
	s.work += int64(len(s.left))
	best, most := int32(-1), -1
	for r, left := range s.left {
		if !left {
			continue
		}
		parts := s.net.Rules()[r].Parts
		score := len(parts)
		if slices.ContainsFunc(parts, func(p lks.Part) bool { return near[p.Component] }) {
			score += len(near)
		}
		if score > most {
			best, most = int32(r), score
		}
	}
	return best
}

// mark marks the components of a rule.
func (s *cycles) mark(near []bool, r int) {
	for _, p := range s.net.Rules()[r].Parts {
		near[p.Component] = true
	}
}
