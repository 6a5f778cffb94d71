package deadlock

import "slices"

// maxWaits bounds the waits among which cycles that do not turn back are looked
// for: the search is quadratic in their number.
const maxWaits = 1 << 12

// waitingCycle chooses a cycle of the wait-for relation (see Deadlock.Cycle).
func waitingCycle(waiting []Waiting) []int {
	necessary := make([][]int, len(waiting))
	every := make([][]int, len(waiting))
	waits := 0
	for c := range waiting {
		every[c] = waiting[c].For
		waits += len(every[c])
		for _, d := range every[c] {
			if waiting[c].needs(d) {
				necessary[c] = append(necessary[c], d)
			}
		}
	}
	if cycle := shortestCycle(necessary); cycle != nil {
		return cycle
	}
	if waits <= maxWaits {
		if cycle := cycleOnward(every, necessary); cycle != nil {
			return cycle
		}
	}
	return shortestCycle(every)
}

// needs reports whether each offer misses component d.
func (w *Waiting) needs(d int) bool {
	return !slices.ContainsFunc(w.Offers, func(o Offer) bool { return !slices.Contains(o.Refused, d) })
}

// cycleOnward returns a shortest cycle in which a step that is not necessary never
// goes back where the step before came from, or nil: a shortest cycle of steps
// instead of components, unless that meets a component twice.
func cycleOnward(every, necessary [][]int) []int {
	type step struct{ from, to int }
	number := map[step]int{}
	var steps []step
	for c := range every {
		for _, d := range every[c] {
			number[step{c, d}] = len(steps)
			steps = append(steps, step{c, d})
		}
	}
	next := make([][]int, len(steps))
	for i, s := range steps {
		for _, d := range every[s.to] {
			if d != s.from || slices.Contains(necessary[s.to], d) {
				next[i] = append(next[i], number[step{s.to, d}])
			}
		}
	}
	var cycle []int
	for _, i := range shortestCycle(next) {
		if slices.Contains(cycle, steps[i].from) {
			return nil
		}
		cycle = append(cycle, steps[i].from)
	}
	return cycle
}

// shortestCycle returns a shortest cycle of a graph, the first of these, by a
// breadth-first search from every node; nil if there is none.
func shortestCycle(next [][]int) []int {
	var best []int
	parent, depth := make([]int, len(next)), make([]int, len(next))
	for start := range next {
		for i := range parent {
			parent[i] = -1
		}
		depth[start] = 1
		queue := []int{start}
		for len(queue) > 0 {
			c := queue[0]
			queue = queue[1:]
			if best != nil && depth[c] >= len(best) {
				break
			}
			if slices.Contains(next[c], start) {
				cycle := []int{c}
				for c != start {
					c = parent[c]
					cycle = append(cycle, c)
				}
				slices.Reverse(cycle)
				best = cycle
				break
			}
			for _, d := range next[c] {
				if parent[d] < 0 && d != start {
					parent[d], depth[d] = c, depth[c]+1
					queue = append(queue, d)
				}
			}
		}
	}
	return best
}
