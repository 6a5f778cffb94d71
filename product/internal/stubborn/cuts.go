package stubborn

import "slices"

// Bounds of the search for cuts, per local state and action.
const (
	maxCutEdges   = 1 << 11 // beyond: only what leaves the local state
	maxCutSingles = 1 << 14 // actions times edges
)

// cuts returns sets of rules without which component c cannot come from local
// state s, in which action a is not offered, to one in which it is: (N) of
// stubborn. They are what leaves s towards such a state, what enters the first
// such states, and single actions that do for all ways; only the empty set if
// there is no way.
func (b *Sets) cuts(c, s, a int32) [][]uint64 {
	p := &b.parts[c]
	key := cutKey{s, a}
	if known, ok := p.cuts[key]; ok {
		return known
	}
	var sets [][]uint64
	for _, actions := range p.actionCuts(s, a) {
		set := make([]uint64, b.words)
		for _, action := range actions {
			p.addRules(set, action)
		}
		if !slices.ContainsFunc(sets, func(t []uint64) bool { return slices.Equal(t, set) }) {
			sets = append(sets, set)
		}
	}
	p.cuts[key] = sets
	return sets
}

// actionCuts returns sets of actions that cut all ways from s to where a is offered.
func (p *part) actionCuts(s, a int32) [][]int32 {
	if p.m.NumTransitions() > maxCutEdges {
		var leave []int32
		for _, e := range p.m.Edges(s) {
			leave = append(leave, e.Action)
		}
		return [][]int32{leave}
	}
	offers := make([]bool, p.m.NumStates())
	for t := range int32(len(offers)) {
		offers[t] = len(p.m.Succ(t, a)) > 0
	}
	reached, entering := p.waysTo(s, offers, -1)
	if !reached {
		return [][]int32{nil}
	}
	cuts := [][]int32{p.leaving(s, offers), entering}
	if len(p.m.Alphabet())*p.m.NumTransitions() <= maxCutSingles {
		for action := range int32(len(p.users)) {
			if reached, _ := p.waysTo(s, offers, action); !reached {
				cuts = append(cuts, []int32{action})
			}
		}
	}
	return cuts
}

// waysTo searches the local graph from s, without transitions of one action and
// not beyond goals. It reports whether a goal is reached, and the actions that
// enter goals.
func (p *part) waysTo(s int32, goal []bool, without int32) (reached bool, entering []int32) {
	seen := make([]bool, len(goal))
	seen[s] = true
	queue := []int32{s}
	for i := 0; i < len(queue); i++ {
		for _, e := range p.m.Edges(queue[i]) {
			if e.Action == without {
				continue
			}
			if goal[e.Target] {
				reached = true
				if !slices.Contains(entering, e.Action) {
					entering = append(entering, e.Action)
				}
			} else if !seen[e.Target] {
				seen[e.Target] = true
				queue = append(queue, e.Target)
			}
		}
	}
	return reached, entering
}

// leaving returns the actions of transitions from s after which a goal can be
// reached without coming back to s.
func (p *part) leaving(s int32, goal []bool) []int32 {
	var actions []int32
	for _, e := range p.m.Edges(s) {
		if slices.Contains(actions, e.Action) || e.Target == s {
			continue
		}
		if goal[e.Target] || p.reachesAvoiding(e.Target, s, goal) {
			actions = append(actions, e.Action)
		}
	}
	return actions
}

func (p *part) reachesAvoiding(from, avoid int32, goal []bool) bool {
	seen := make([]bool, len(goal))
	seen[from], seen[avoid] = true, true
	for queue := []int32{from}; len(queue) > 0; queue = queue[1:] {
		for _, e := range p.m.Edges(queue[0]) {
			if goal[e.Target] {
				return true
			}
			if !seen[e.Target] {
				seen[e.Target] = true
				queue = append(queue, e.Target)
			}
		}
	}
	return false
}
