package fairchoice

import (
	"slices"

	"github.com/seltl/seltl/internal/lists"
)

// walkGraph is a random walk through a network as a graph: its nodes are the
// transitions of the network, or copies of them, and a node is followed by those of
// the transitions that leave its target. There are many more edges than nodes, and
// none of them is kept. The nodes are in the order of their transitions, so that
// those that may follow are neighbours; what rules out some of them is kept bit by
// bit, eight splits in a level.
type walkGraph struct {
	g      *stateGraph
	source []int32 // by transition: the state it leaves
	into   []int32 // transitions by target: into[intoAt[s]:intoAt[s+1]] lead to s
	intoAt []int64
	start  []int32 // by transition: its first node; one more at the end
	edge   []int32 // by node: its transition
	levels []walkLevel
	splits int
	// firsts says at which nodes a walk may begin as far as the past is concerned; nil: at all.
	firsts []bool
}

// walkLevel says of up to eight splits which copies follow each other: m follows n
// if where n needs it, what m has is what n wants.
type walkLevel struct{ needs, wants, has []uint8 } // by node

func (w *walkGraph) Nodes() int { return len(w.edge) }

// candidates returns the nodes that may follow n: from the first to before the end.
func (w *walkGraph) candidates(n int32) (from, end int32) {
	t := w.g.target[w.edge[n]]
	return w.start[w.g.first[t]], w.start[w.g.first[t+1]]
}

// follows reports whether a candidate follows n.
func (w *walkGraph) follows(n, m int32) bool {
	for i := range w.levels {
		if l := &w.levels[i]; (l.wants[n]^l.has[m])&l.needs[n] != 0 {
			return false
		}
	}
	return true
}

func (w *walkGraph) Degree(n int32) int {
	from, end := w.candidates(n)
	return int(end - from)
}

func (w *walkGraph) Successor(n int32, i int) (int32, bool) {
	from, _ := w.candidates(n)
	m := from + int32(i)
	return m, w.follows(n, m)
}

// begin makes a node of every transition of g whose target counts (nil: all do).
func (w *walkGraph) begin(counts []bool) {
	g := w.g
	n := len(g.target)
	w.source, w.into, w.start = make([]int32, n), make([]int32, n), make([]int32, n+1)
	w.intoAt = make([]int64, g.Nodes()+1)
	for s := range int32(g.Nodes()) {
		for e := g.first[s]; e < g.first[s+1]; e++ {
			w.source[e] = s
			w.intoAt[g.target[e]+1]++
		}
	}
	for s := range g.Nodes() {
		w.intoAt[s+1] += w.intoAt[s]
	}
	next := slices.Clone(w.intoAt)
	nodes := 0
	for e, t := range g.target {
		w.into[next[t]] = int32(e)
		next[t]++
		if counts == nil || counts[t] {
			nodes++
		}
	}
	w.edge = make([]int32, 0, nodes)
	for e, t := range g.target {
		w.start[e] = int32(len(w.edge))
		if counts == nil || counts[t] {
			w.edge = append(w.edge, int32(e))
		}
	}
	w.start[n] = int32(len(w.edge))
}

// initial returns the nodes of transitions that leave initial states, sorted.
func (w *walkGraph) initial() []int32 {
	var nodes []int32
	for _, s := range w.g.initial {
		for n := w.start[w.g.first[s]]; n < w.start[w.g.first[s+1]]; n++ {
			if w.firsts == nil || w.firsts[n] {
				nodes = append(nodes, n)
			}
		}
	}
	return nodes
}

// backwards returns the nodes from which a goal can be reached over nodes through
// which the way may lead (the goals themselves included). It ticks now and then.
func (w *walkGraph) backwards(goals, through []bool, tick func(n int) error) ([]bool, error) {
	reach := slices.Clone(goals)
	var stack []int32
	for goal := range goals {
		if !goals[goal] {
			continue
		}
		stack = append(stack, int32(goal))
		for len(stack) > 0 {
			m := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			s := w.source[w.edge[m]]
			for _, e := range w.into[w.intoAt[s]:w.intoAt[s+1]] {
				for n := w.start[e]; n < w.start[e+1]; n++ {
					if !reach[n] && through[n] && w.follows(n, m) {
						reach[n] = true
						stack = append(stack, n)
					}
				}
			}
			if err := tick(int(m)); err != nil {
				return nil, err
			}
		}
	}
	return reach, nil
}

// split makes two copies of the nodes whose probability is between 0 and 1, with
// value false and true; the others have the value that their probability says. A
// copy of a node that needs it (nil: all do) is followed by those copies only that
// have its value: as their own or, if have is not nil, as that says of the old node.
// Every node keeps a successor, since each value that a node has is possible behind
// it. split returns the old node and the value of each new one.
func (w *walkGraph) split(probability []uint8, needs, have []bool, tick func(n int) error) (origin []int32, value []bool, err error) {
	copies := make([]int32, len(probability)+1) // by old node: its first copy
	count := int32(0)
	for n, p := range probability {
		copies[n] = count
		if count++; p == probabilityBetween {
			count++
		}
	}
	copies[len(probability)] = count
	origin, value = make([]int32, count), make([]bool, count)
	for n, p := range probability {
		k := copies[n]
		origin[k], value[k] = int32(n), p == probabilityOne
		if p == probabilityBetween {
			origin[k+1], value[k+1] = int32(n), true
		}
	}
	for e, n := range w.start {
		w.start[e] = copies[n]
	}
	w.edge = inherit(w.edge, origin)
	if w.firsts != nil {
		w.firsts = inherit(w.firsts, origin)
	}
	for i := range w.levels {
		l := &w.levels[i]
		l.needs, l.wants, l.has = inherit(l.needs, origin), inherit(l.wants, origin), inherit(l.has, origin)
	}
	if w.splits%8 == 0 {
		w.levels = append(w.levels, walkLevel{make([]uint8, count), make([]uint8, count), make([]uint8, count)})
	}
	bit := uint8(1) << (w.splits % 8)
	w.splits++
	l := &w.levels[len(w.levels)-1]
	for k, n := range origin {
		if needs == nil || needs[n] {
			l.needs[k] |= bit
		}
		if value[k] {
			l.wants[k] |= bit
		}
		if have == nil && value[k] || have != nil && have[n] {
			l.has[k] |= bit
		}
		if err := tick(k); err != nil {
			return nil, nil, err
		}
	}
	return origin, value, nil
}

// remember makes two copies of every node, for one bit about the nodes before: first where a walk
// begins, and then what the node before hands on, by its own bit. It returns the old node and the
// bit of each new one. A copy that no walk comes to does no harm.
func (w *walkGraph) remember(first bool, handed func(n int32, bit bool) bool, tick func(n int) error) (origin []int32, bit []bool, err error) {
	open := make([]uint8, w.Nodes())
	for n := range open {
		open[n] = probabilityBetween
	}
	if origin, bit, err = w.split(open, nil, nil, tick); err != nil {
		return nil, nil, err
	}
	l, mask := &w.levels[len(w.levels)-1], uint8(1)<<((w.splits-1)%8)
	firsts := make([]bool, len(origin))
	for k, n := range origin {
		l.wants[k] &^= mask
		if handed(n, bit[k]) {
			l.wants[k] |= mask
		}
		firsts[k] = bit[k] == first && (w.firsts == nil || w.firsts[k])
	}
	w.firsts = firsts
	return origin, bit, nil
}

// inherit gives copies what their originals have.
func inherit[T any](old []T, origin []int32) []T {
	return lists.Map(origin, func(n int32) T { return old[n] })
}

// countEdges returns the number of edges.
func (w *walkGraph) countEdges() int64 {
	edges := int64(0)
	for n := range int32(w.Nodes()) {
		from, end := w.candidates(n)
		if len(w.levels) == 0 {
			edges += int64(end - from)
			continue
		}
		for m := from; m < end; m++ {
			if w.follows(n, m) {
				edges++
			}
		}
	}
	return edges
}

// bytes returns the memory that the transitions and nodes take.
func (w *walkGraph) bytes() int64 {
	return int64(5*4*len(w.start)) + int64(w.Nodes()*(4+3*len(w.levels)))
}
