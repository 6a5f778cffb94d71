package certificate

import "slices"

// arena is a graph in which an infinite run is looked for that is fair to all requirements:
// those that are asked for again and again (strong), or at all times from some point on (weak),
// are met again and again. Edges say which requirements they meet, nodes which they ask for. An
// acceptance set is a requirement that is asked for everywhere.
type arena struct {
	out    [][]arenaEdge
	asks   [][]bool // by node and requirement
	strong []bool   // by requirement
}

type arenaEdge struct {
	to   int32
	meet []bool // by requirement
}

// fairNode returns a node that a fair run comes to again and again, -1 if there is none. All
// nodes are taken to be reachable.
func (a *arena) fairNode() int32 {
	all := make([]int32, len(a.out))
	for i := range all {
		all[i] = int32(i)
	}
	todo := [][]int32{all}
	for len(todo) > 0 {
		nodes := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, c := range a.components(nodes) {
			without, fair := a.without(c)
			switch {
			case fair:
				return c[0]
			case without != nil:
				todo = append(todo, without)
			}
		}
	}
	return -1
}

// without looks at a strongly connected set: it is fair if what it asks for is met inside. If
// only strong requirements are not met, what is left without the nodes that ask for these may
// have a fair run; otherwise it has none, nor has any part of it.
func (a *arena) without(c []int32) (left []int32, fair bool) {
	inside := map[int32]bool{}
	for _, n := range c {
		inside[n] = true
	}
	met, some, always := make([]bool, len(a.strong)), make([]bool, len(a.strong)), make([]bool, len(a.strong))
	for r := range always {
		always[r] = true
	}
	moves := false
	for _, n := range c {
		for r, asks := range a.asks[n] {
			some[r], always[r] = some[r] || asks, always[r] && asks
		}
		for _, e := range a.out[n] {
			if inside[e.to] {
				moves = true
				for r, meets := range e.meet {
					met[r] = met[r] || meets
				}
			}
		}
	}
	if !moves {
		return nil, false
	}
	fair = true
	left = c
	for r, strong := range a.strong {
		switch {
		case met[r] || !some[r] || !strong && !always[r]:
		case !strong, always[r]:
			return nil, false
		default:
			fair = false
			left = slices.DeleteFunc(slices.Clone(left), func(n int32) bool { return a.asks[n][r] })
		}
	}
	return left, fair
}

// components are the strongly connected sets of what some nodes span: of each node, what it
// reaches and what reaches it, by two searches in the order of the ends of the first.
func (a *arena) components(nodes []int32) (all [][]int32) {
	inside := map[int32]bool{}
	back := map[int32][]int32{}
	for _, n := range nodes {
		inside[n] = true
	}
	for _, n := range nodes {
		for _, e := range a.out[n] {
			if inside[e.to] {
				back[e.to] = append(back[e.to], n)
			}
		}
	}
	var ends []int32
	seen := map[int32]bool{}
	type frame struct {
		node int32
		next int
	}
	for _, root := range nodes {
		if seen[root] {
			continue
		}
		seen[root] = true
		for stack := []frame{{node: root}}; len(stack) > 0; {
			top := &stack[len(stack)-1]
			if top.next == len(a.out[top.node]) {
				ends, stack = append(ends, top.node), stack[:len(stack)-1]
				continue
			}
			to := a.out[top.node][top.next].to
			top.next++
			if inside[to] && !seen[to] {
				seen[to] = true
				stack = append(stack, frame{node: to})
			}
		}
	}
	taken := map[int32]bool{}
	for i := len(ends) - 1; i >= 0; i-- {
		if taken[ends[i]] {
			continue
		}
		taken[ends[i]] = true
		c := []int32{ends[i]}
		for k := 0; k < len(c); k++ {
			for _, n := range back[c[k]] {
				if !taken[n] {
					taken[n] = true
					c = append(c, n)
				}
			}
		}
		all = append(all, c)
	}
	return all
}
