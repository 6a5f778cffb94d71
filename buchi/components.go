package buchi

// components are the strongly connected components of an automaton, numbered so
// that every edge goes to the same or a lower number (sinks first).
//
// DESIGN.md asks for gonum's graphs here; its Tarjan needs a graph of maps built
// for every call, and components are computed some ten times per translation of
// a formula that may take a millisecond in total, so this is our own.
type components struct {
	of        []int32  // component of each state; -1 for unreachable ones
	marks     []uint64 // of each component: the marks of its inner edges
	cyclic    []bool   // of each component: it has an inner edge
	size      []int32
	allInside []uint64 // of each component: marks that all its inner edges have
}

// accepting reports whether component c has an accepting cycle.
func (c *components) accepting(i int32, all uint64) bool {
	return c.cyclic[i] && c.marks[i]&all == all
}

// frame of an explicit depth-first search: a state and its next edge.
type frame struct {
	state int32
	edge  int32
}

// findComponents is Tarjan's algorithm [Tarjan72] from the initial state, with an explicit
// stack. O(states + edges).
func findComponents(a *Automaton) *components {
	return findComponentsFrom(a.out, a.initial)
}

func findComponentsFrom(out [][]Edge, initial int32) *components {
	n := len(out)
	c := &components{of: make([]int32, n)}
	low := make([]int32, n) // 0: not visited
	for i := range c.of {
		c.of[i] = -1
	}
	var open []int32 // visited states whose component is not complete
	var stack []frame
	visited := int32(0)
	visit := func(s int32) {
		visited++
		low[s] = visited
		open = append(open, s)
		stack = append(stack, frame{state: s})
	}
	index := make([]int32, n)
	visit(initial)
	index[initial] = visited
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		s := top.state
		if int(top.edge) < len(out[s]) {
			to := out[s][top.edge].To
			top.edge++
			if low[to] == 0 {
				visit(to)
				index[to] = visited
			} else if c.of[to] < 0 {
				low[s] = min(low[s], index[to])
			}
			continue
		}
		stack = stack[:len(stack)-1]
		if low[s] == index[s] {
			open = c.close(out, open, s)
		}
		if len(stack) > 0 {
			p := stack[len(stack)-1].state
			low[p] = min(low[p], low[s])
		}
	}
	return c
}

// close takes the component with root s off the list of open states.
func (c *components) close(out [][]Edge, open []int32, s int32) []int32 {
	id := int32(len(c.marks))
	i := len(open) - 1
	for {
		c.of[open[i]] = id
		if open[i] == s {
			break
		}
		i--
	}
	marks, inside, cyclic := uint64(0), ^uint64(0), false
	for _, t := range open[i:] {
		for _, e := range out[t] {
			if c.of[e.To] == id {
				cyclic = true
				marks |= e.Marks
				inside &= e.Marks
			}
		}
	}
	c.marks = append(c.marks, marks)
	c.cyclic = append(c.cyclic, cyclic)
	c.allInside = append(c.allInside, inside)
	c.size = append(c.size, int32(len(open)-i))
	return open[:i]
}
