package scc

// DepthFirst goes through a graph depth-first, from each of the roots that was not met yet. Where the i-th edge of
// v leads is next(v, i); false: it has no more. Of each node leave is told behind those that it leads to (postorder), and
// back, which may be nil, of each edge to a node on the path.
func DepthFirst(nodes int, roots []int, next func(v, i int) (int, bool), leave func(v int), back func(v, i int)) {
	const open, done = 1, 2
	state := make([]uint8, nodes)
	type visit struct{ node, next int }
	for _, root := range roots {
		if state[root] != 0 {
			continue
		}
		state[root] = open
		for path := []visit{{root, 0}}; len(path) > 0; {
			top := &path[len(path)-1]
			to, more := next(top.node, top.next)
			if !more {
				state[top.node] = done
				leave(top.node)
				path = path[:len(path)-1]
				continue
			}
			top.next++
			switch {
			case state[to] == 0:
				state[to] = open
				path = append(path, visit{to, 0})
			case state[to] == open && back != nil:
				back(top.node, top.next-1)
			}
		}
	}
}

// Along is where edges lead that each node has a list of, as DepthFirst asks.
func Along(out [][]int, to func(edge int) int) func(v, i int) (int, bool) {
	return func(v, i int) (int, bool) {
		if i == len(out[v]) {
			return 0, false
		}
		return to(out[v][i]), true
	}
}
