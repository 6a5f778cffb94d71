package partition

// Components returns the strongly connected component of every state of a graph
// in which s has edges to to[first[s]:first[s+1]]; first is one longer than there
// are states. Components are numbered in reverse topological order: edges
// between them lead to lower numbers. Tarjan's algorithm [Tarjan72] with explicit stacks,
// linear time.
func Components(first, to []int32) (component []int32, components int) {
	n := len(first) - 1
	component = make([]int32, n)
	order := make([]int32, n) // 0: not visited
	low := make([]int32, n)
	at := make([]int32, n) // next edge
	var stack, path []int32
	visited := int32(0)
	visit := func(s int32) {
		visited++
		order[s], low[s], at[s] = visited, visited, first[s]
		component[s] = -1
		stack, path = append(stack, s), append(path, s)
	}
	for root := range int32(n) {
		if order[root] != 0 {
			continue
		}
		visit(root)
		for len(path) > 0 {
			s := path[len(path)-1]
			if at[s] < first[s+1] {
				t := to[at[s]]
				at[s]++
				if order[t] == 0 {
					visit(t)
				} else if component[t] < 0 {
					low[s] = min(low[s], order[t])
				}
				continue
			}
			path = path[:len(path)-1]
			if len(path) > 0 {
				p := path[len(path)-1]
				low[p] = min(low[p], low[s])
			}
			if low[s] != order[s] {
				continue
			}
			for {
				t := stack[len(stack)-1]
				stack = stack[:len(stack)-1]
				component[t] = int32(components)
				if t == s {
					break
				}
			}
			components++
		}
	}
	return component, components
}
