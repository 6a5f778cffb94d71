package semantics

import "slices"

// distance is the length of a shortest way to a state that is wanted, or -1.
func (g *Graph) distance(wanted func(*State) bool) int {
	far := map[int]int{0: 0}
	for queue := []int{0}; len(queue) > 0; queue = queue[1:] {
		s := queue[0]
		if wanted(&g.States[s]) {
			return far[s]
		}
		for _, e := range g.States[s].Edges {
			if _, ok := far[e.To]; !ok {
				far[e.To] = far[s] + 1
				queue = append(queue, e.To)
			}
		}
	}
	return -1
}

// Deadlock is the length of a shortest way to a deadlock: "Any other state [than
// END and ERROR] without a transition is a deadlock."
func (g *Graph) Deadlock() int {
	return g.distance(func(s *State) bool { return s.Kind == Normal && len(s.Edges) == 0 })
}

// ErrorDistance is the length of a shortest way to ERROR.
func (g *Graph) ErrorDistance() int {
	return g.distance(func(s *State) bool { return s.Kind == Error })
}

// successors are the targets of a state's transitions.
func (g *Graph) successors() [][]int {
	next := make([][]int, len(g.States))
	for i, s := range g.States {
		for _, e := range s.Edges {
			next[i] = append(next[i], e.To)
		}
	}
	return next
}

// closure is everything that can be reached, by no step too.
func closure(next [][]int, from int) map[int]bool {
	seen := map[int]bool{from: true}
	for stack := []int{from}; len(stack) > 0; {
		s := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for _, t := range next[s] {
			if !seen[t] {
				seen[t] = true
				stack = append(stack, t)
			}
		}
	}
	return seen
}

// terminalSets lists the sets of states that are left no more once they are
// entered, and in which every state leads to every other.
func terminalSets(next [][]int) [][]int {
	closures := make([]map[int]bool, len(next))
	for s := range next {
		closures[s] = closure(next, s)
	}
	var sets [][]int
	for s := range next {
		smallest, terminal := s, true
		for t := range closures[s] {
			if !closures[t][s] {
				terminal = false
			}
			smallest = min(smallest, t)
		}
		if terminal && smallest == s {
			var members []int
			for t := range closures[s] {
				members = append(members, t)
			}
			slices.Sort(members)
			sets = append(sets, members)
		}
	}
	return sets
}

// Progresses decides a progress property: "a run ends up in a set of states that
// it cannot leave. A property fails if one of these sets has none of its actions";
// "with if, in those runs in which some action of another set does".
func (g *Graph) Progresses(p *Progress) bool {
	return g.progresses(p, g.successors())
}

// ProgressesClear decides it of the runs that do not come to ERROR, which choose fairly among what does
// not lead to where all runs do; some reports whether there are any.
func (g *Graph) ProgressesClear(p *Progress) (holds, some bool) {
	lost := make([]bool, len(g.States))
	for range g.States {
		for s, state := range g.States {
			all := len(state.Edges) > 0
			for _, e := range state.Edges {
				all = all && lost[e.To]
			}
			lost[s] = state.Kind == Error || all
		}
	}
	next := g.successors()
	for s := range next {
		next[s] = slices.DeleteFunc(slices.Clone(next[s]), func(t int) bool { return lost[t] })
		if lost[s] {
			next[s] = []int{s}
		}
	}
	clear := &Graph{States: slices.Clone(g.States)}
	for s := range clear.States {
		if lost[s] {
			clear.States[s].Kind = Error
		}
		clear.States[s].Edges = slices.DeleteFunc(slices.Clone(clear.States[s].Edges), func(e Edge) bool { return lost[e.To] })
	}
	return clear.progresses(p, next), slices.Contains(lost, false)
}

func (g *Graph) progresses(p *Progress, next [][]int) bool {
	for _, members := range terminalSets(next) {
		if g.States[members[0]].Kind == Error {
			continue // asked for by ErrorDistance
		}
		some, condition := false, p.If == nil
		for _, s := range members {
			for _, e := range g.States[s].Edges {
				some = some || slices.Contains(p.Actions, e.Action)
				condition = condition || slices.Contains(p.If, e.Action)
			}
		}
		if condition && !some {
			return false
		}
	}
	return true
}
