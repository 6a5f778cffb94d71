// Package partition computes coarsest stable refinements of partitions of the
// states of a labelled graph: strong bisimulation (Refine) and branching
// bisimulation (Branching).
//
// # Decisions
//
// One partition (internal/partition.Partition): class numbers and members, split by keys. What a quotient's
// transitions are is lks.ClassEdges everywhere; what else a quotient must know (kinds and divergence in
// lks, offered rules in deadlock) stays where it is needed. conform/equivalence refines a second time, in
// rounds, because the round in which two states part is the depth of a formula. product maps states to
// tuples of classes (lks.Simplified.Locals) and has no partition of its own.
package partition

import "slices"

// Graph is a directed graph with labelled edges in parallel slices: the i-th
// edge leads from From[i] by Label[i] to To[i]. States are 0 to States-1, labels
// 0 to Labels-1.
type Graph struct {
	States, Labels  int
	From, Label, To []int32
}

// Add appends an edge.
func (g *Graph) Add(from, label, to int32) {
	g.From = append(g.From, from)
	g.Label = append(g.Label, label)
	g.To = append(g.To, to)
}

// Grow makes room for so many edges more.
func (g *Graph) Grow(edges int) {
	g.From, g.Label, g.To = slices.Grow(g.From, edges), slices.Grow(g.Label, edges), slices.Grow(g.To, edges)
}

// Refine returns the coarsest partition that refines the initial one (a class
// number for every state) and is stable: if one state of a class has an edge by
// a label into a class, so has every state. It returns the class of every
// state; classes are numbered from 0 by their first states.
//
// This is the relational coarsest partition of [PaigeTarjan87], section 3, with
// labelled edges as in [Fernandez90]. Time O(m log n) for m edges, n states.
// tick, which may be nil, is asked every millisecond or so; its error ends the
// refinement.
func Refine(g *Graph, initial []int32, tick func() error) (class []int32, classes int, err error) {
	if g.States == 0 {
		return nil, 0, nil
	}
	r := newRefinement(g, initial)
	r.pace.tick = tick
	if err := r.indexEdges(); err != nil {
		return nil, 0, err
	}
	if err := r.splitByPossible(); err != nil {
		return nil, 0, err
	}
	for len(r.compound) > 0 {
		if err := r.step(); err != nil {
			return nil, 0, err
		}
	}
	class, classes = number(r.blockOf)
	return class, classes, nil
}

// number renumbers classes by their first states.
func number(classOf []int32) (class []int32, classes int) {
	class = make([]int32, len(classOf))
	most := int32(-1)
	for _, c := range classOf {
		most = max(most, c)
	}
	new := make([]int32, most+1)
	for i := range new {
		new[i] = -1
	}
	for s, c := range classOf {
		if new[c] < 0 {
			new[c] = int32(classes)
			classes++
		}
		class[s] = new[c]
	}
	return class, classes
}

// refinement is the state of Refine. The blocks of Paige and Tarjan's fine
// partition Q are runs of elems; those of their coarse partition X are sets of
// blocks. Q is stable with respect to every block of X; the work is done when
// every block of X is one block of Q.
type refinement struct {
	g    *Graph
	pace pace

	elems   []int32 // states, those of a block together
	at      []int32 // by state: its index in elems
	blockOf []int32 // by state
	first   []int32 // by block: it is elems[first:end], marked states are elems[first:mid]
	mid     []int32
	end     []int32
	touched []int32 // blocks with marked states

	coarse   []int32   // by block: its block of X
	members  [][]int32 // by block of X
	compound []int32   // blocks of X with at least two members

	into     []int32 // edges sorted by target
	firstIn  []int32 // by state
	count    []int32 // counters: edges from one state by one label into one block of X
	counter  []int32 // by edge: the index of its counter
	free     []int32 // counters not in use
	fresh    []int32 // by state: its new counter in this step, or -1
	old      []int32 // by state: its old counter in this step
	byLabel  [][]int32
	labels   []int32 // labels with edges in byLabel
	splitter []int32
	sources  []int32
}

func newRefinement(g *Graph, initial []int32) *refinement {
	n := g.States
	r := &refinement{
		g:       g,
		elems:   make([]int32, n),
		at:      make([]int32, n),
		blockOf: make([]int32, n),
		fresh:   make([]int32, n),
		old:     make([]int32, n),
		byLabel: make([][]int32, g.Labels),
	}
	var blocks int
	r.blockOf, blocks = number(initial)
	r.first = make([]int32, blocks+1)
	for _, b := range r.blockOf {
		r.first[b+1]++
	}
	for b := range blocks {
		r.first[b+1] += r.first[b]
	}
	next := append([]int32(nil), r.first[:blocks]...)
	for s, b := range r.blockOf {
		r.elems[next[b]] = int32(s)
		r.at[s] = next[b]
		next[b]++
	}
	r.end = append([]int32(nil), r.first[1:]...)
	r.first = r.first[:blocks]
	r.mid = append([]int32(nil), r.first...)
	r.coarse = make([]int32, blocks)
	all := make([]int32, blocks)
	for b := range all {
		all[b] = int32(b)
	}
	r.members = [][]int32{all}
	if blocks > 1 {
		r.compound = []int32{0}
	}
	for s := range r.fresh {
		r.fresh[s] = -1
	}
	return r
}

// indexEdges sorts edges by target and gives all edges of a state with one label
// one counter: X is one block yet.
func (r *refinement) indexEdges() error {
	g := r.g
	r.into, r.firstIn = index(g.To, g.States)
	if err := r.pace.spend(len(g.To)); err != nil {
		return err
	}
	r.counter = make([]int32, len(g.From))
	out, firstOut := index(g.From, g.States)
	counterOf := make([]int32, g.Labels)
	for i := range counterOf {
		counterOf[i] = -1
	}
	for s := range g.States {
		edges := out[firstOut[s]:firstOut[s+1]]
		if err := r.pace.spend(len(edges)); err != nil {
			return err
		}
		for _, e := range edges {
			a := g.Label[e]
			if counterOf[a] < 0 {
				counterOf[a] = int32(len(r.count))
				r.count = append(r.count, 0)
			}
			r.counter[e] = counterOf[a]
			r.count[counterOf[a]]++
		}
		for _, e := range edges {
			counterOf[g.Label[e]] = -1
		}
	}
	return nil
}

// index returns the edges sorted by key, and where each key's edges begin.
func index(key []int32, keys int) (edges, first []int32) {
	first = make([]int32, keys+1)
	for _, k := range key {
		first[k+1]++
	}
	for k := range keys {
		first[k+1] += first[k]
	}
	edges = make([]int32, len(key))
	next := append([]int32(nil), first[:keys]...)
	for e, k := range key {
		edges[next[k]] = int32(e)
		next[k]++
	}
	return edges, first
}

// splitByPossible makes Q stable with respect to the set of all states.
func (r *refinement) splitByPossible() error {
	edges, first := index(r.g.Label, r.g.Labels)
	for a := range r.g.Labels {
		for _, e := range edges[first[a]:first[a+1]] {
			r.mark(r.g.From[e])
		}
		r.split()
		if err := r.pace.spend(int(first[a+1] - first[a])); err != nil {
			return err
		}
	}
	return nil
}

// mark marks a state for the next split.
func (r *refinement) mark(s int32) {
	b := r.blockOf[s]
	i, m := r.at[s], r.mid[b]
	if i < m {
		return
	}
	if m == r.first[b] {
		r.touched = append(r.touched, b)
	}
	t := r.elems[m]
	r.elems[m], r.elems[i] = s, t
	r.at[s], r.at[t] = m, i
	r.mid[b]++
}

// split parts marked from unmarked states in every touched block; the smaller
// part becomes a new block.
func (r *refinement) split() {
	for _, b := range r.touched {
		first, mid, end := r.first[b], r.mid[b], r.end[b]
		r.mid[b] = first
		if mid == end {
			continue
		}
		new := int32(len(r.first))
		from, to := first, mid
		if mid-first <= end-mid {
			r.first[b], r.mid[b] = mid, mid
		} else {
			from, to = mid, end
			r.end[b] = mid
		}
		r.first = append(r.first, from)
		r.mid = append(r.mid, from)
		r.end = append(r.end, to)
		for _, s := range r.elems[from:to] {
			r.blockOf[s] = new
		}
		x := r.coarse[b]
		r.coarse = append(r.coarse, x)
		r.members[x] = append(r.members[x], new)
		if len(r.members[x]) == 2 {
			r.compound = append(r.compound, x)
		}
	}
	r.touched = r.touched[:0]
}

// step takes a small block out of a compound block of X and makes Q stable with
// respect to both parts.
func (r *refinement) step() error {
	r.takeSplitter()
	g := r.g
	for _, t := range r.splitter {
		for _, e := range r.into[r.firstIn[t]:r.firstIn[t+1]] {
			a := g.Label[e]
			if len(r.byLabel[a]) == 0 {
				r.labels = append(r.labels, a)
			}
			r.byLabel[a] = append(r.byLabel[a], e)
		}
	}
	for _, a := range r.labels {
		if err := r.pace.spend(len(r.byLabel[a]) + 1); err != nil {
			return err
		}
		r.splitBy(r.byLabel[a])
		r.byLabel[a] = r.byLabel[a][:0]
	}
	r.labels = r.labels[:0]
	return nil
}

// takeSplitter moves the smaller of two members of a compound block into a block
// of X of its own, and copies its states to r.splitter.
func (r *refinement) takeSplitter() {
	x := r.compound[len(r.compound)-1]
	m := r.members[x]
	k := len(m)
	if r.end[m[k-2]]-r.first[m[k-2]] < r.end[m[k-1]]-r.first[m[k-1]] {
		m[k-2], m[k-1] = m[k-1], m[k-2]
	}
	b := m[k-1]
	r.members[x] = m[:k-1]
	if k == 2 {
		r.compound = r.compound[:len(r.compound)-1]
	}
	r.coarse[b] = int32(len(r.members))
	r.members = append(r.members, []int32{b})
	r.splitter = append(r.splitter[:0], r.elems[r.first[b]:r.end[b]]...)
}

// splitBy splits by a set of edges, all those with one label into the splitter:
// first what has such an edge from what has not, then, of the former, what has
// edges into the splitter only from what has others into the rest.
func (r *refinement) splitBy(edges []int32) {
	g := r.g
	r.sources = r.sources[:0]
	for _, e := range edges {
		s := g.From[e]
		if r.fresh[s] < 0 {
			r.fresh[s] = r.newCounter()
			r.old[s] = r.counter[e]
			r.sources = append(r.sources, s)
		}
		r.count[r.fresh[s]]++
	}
	for _, s := range r.sources {
		r.mark(s)
	}
	r.split()
	for _, s := range r.sources {
		if r.count[r.fresh[s]] == r.count[r.old[s]] {
			r.mark(s)
		}
	}
	r.split()
	for _, e := range edges {
		old := r.counter[e]
		if r.count[old]--; r.count[old] == 0 {
			r.free = append(r.free, old)
		}
		r.counter[e] = r.fresh[g.From[e]]
	}
	for _, s := range r.sources {
		r.fresh[s] = -1
	}
}

func (r *refinement) newCounter() int32 {
	if k := len(r.free); k > 0 {
		c := r.free[k-1]
		r.free = r.free[:k-1]
		return c
	}
	r.count = append(r.count, 0)
	return int32(len(r.count) - 1)
}
