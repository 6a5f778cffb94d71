package scc

import "slices"

// Path returns a shortest path from a node, as its edges, that ends with one for which
// goal holds, over edges for which follow holds; follow and goal may not be nil, and the
// last edge has to satisfy both. The edges of a node are what out says, in that order, and
// to is where one leads. False if there is no such path. A path has at least one edge.
func Path[E any](from int32, out func(node int32) []E, to func(E) int32, follow, goal func(E) bool) ([]E, bool) {
	type step struct {
		prev int
		edge E
	}
	var steps []step
	seen := map[int32]bool{from: true}
	for i, at := -1, from; ; {
		for _, e := range out(at) {
			switch {
			case !follow(e):
			case goal(e):
				path := []E{e}
				for ; i >= 0; i = steps[i].prev {
					path = append(path, steps[i].edge)
				}
				slices.Reverse(path)
				return path, true
			case !seen[to(e)]:
				seen[to(e)] = true
				steps = append(steps, step{i, e})
			}
		}
		if i++; i == len(steps) {
			return nil, false
		}
		at = to(steps[i].edge)
	}
}
