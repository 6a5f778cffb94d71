package conform

import (
	"cmp"
	"container/heap"
	"math"
	"slices"
)

// derivations finds the smallest counterexample trees of a game whose root has
// fallen, and the next smallest. A tree is a derivation in the hypergraph of the
// clauses: a challenge, and a derivation for every answer. Smallest derivations
// come from Knuth's generalisation of Dijkstra's algorithm [Knuth77]: positions are
// finished in the order of the size of their smallest tree.
//
// For more than one tree, a position may use every challenge all of whose answers
// were finished before it, which excludes circles; the k smallest of these
// derivations are computed bottom-up by the method of [HuangChiang05].
type derivations struct {
	game   *game
	items  []int32         // fallen positions by index; root has the index len(items)
	index  map[int32]int32 // of a fallen position
	edges  []hyperedge
	usedBy [][]int32 // by index: hyperedges with it among their tails
	rank   []int32   // by index: when it was finished, or -1
	order  []int32   // finished indices
	usable [][]int32 // by index: hyperedges completed before it was finished
	best   [][]derivation
}

// hyperedge is a challenge whose answers have all fallen.
type hyperedge struct {
	owner int32 // index
	edge  int32
	tails []int32 // indices, in the order of the answers
	open  int32   // tails not yet finished
	size  uint64
}

// derivation of a position: a challenge and, for every tail, which of its
// derivations.
type derivation struct {
	hyperedge int32
	pick      []int32
	size      uint64
	from      int32 // picks before this one are not raised any more, see best
}

func newDerivations(g *game) *derivations {
	d := &derivations{game: g, items: g.fallen, index: make(map[int32]int32, len(g.fallen))}
	for i, p := range d.items {
		d.index[p] = int32(i)
	}
	n := len(d.items) + 1
	d.usedBy, d.usable = make([][]int32, n), make([][]int32, n)
	d.rank = make([]int32, n)
	for i := range d.rank {
		d.rank[i] = -1
	}
	d.collect()
	d.knuth()
	return d
}

// collect finds all hyperedges between fallen positions and root.
func (d *derivations) collect() {
	g := d.game
	for i, p := range d.items {
		impl, _ := g.at(p)
		for e := g.impl.first[impl]; e < g.impl.last[impl]; e++ {
			d.add(int32(i), p, e)
		}
	}
	for e := range g.impl.initial {
		d.add(int32(len(d.items)), root, int32(e))
	}
}

func (d *derivations) add(owner, position, e int32) {
	answers := d.game.answers(position, e)
	tails := make([]int32, 0, len(answers))
	to := d.game.challenge(position, e).to
	for _, s := range answers {
		key := pack(to, s)
		i, ok := d.index[d.game.table.Find(key[:])]
		if !ok {
			return
		}
		tails = append(tails, i)
	}
	id := int32(len(d.edges))
	d.edges = append(d.edges, hyperedge{owner: owner, edge: e, tails: tails, open: int32(len(tails)), size: 1})
	for _, t := range tails {
		d.usedBy[t] = append(d.usedBy[t], id)
	}
}

// answers returns the specification states that can answer a challenge, each
// once, staying first.
func (g *game) answers(position, e int32) []int32 {
	var all []int32
	c := g.challenge(position, e)
	for k := int32(0); ; k++ {
		s, more := g.answer(&c, k)
		if !more {
			return all
		}
		if s >= 0 && !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
}

// candidates is a heap of hyperedges by size.
type candidates struct {
	edges []hyperedge
	ids   []int32
}

func (c *candidates) Len() int { return len(c.ids) }
func (c *candidates) Less(i, j int) bool {
	a, b := c.ids[i], c.ids[j]
	return cmp.Or(cmp.Compare(c.edges[a].size, c.edges[b].size), cmp.Compare(a, b)) < 0
}
func (c *candidates) Swap(i, j int) { c.ids[i], c.ids[j] = c.ids[j], c.ids[i] }
func (c *candidates) Push(x any)    { c.ids = append(c.ids, x.(int32)) }
func (c *candidates) Pop() any {
	last := c.ids[len(c.ids)-1]
	c.ids = c.ids[:len(c.ids)-1]
	return last
}

func (d *derivations) knuth() {
	open := &candidates{edges: d.edges}
	complete := func(id int32) {
		owner := d.edges[id].owner
		if d.rank[owner] < 0 {
			d.usable[owner] = append(d.usable[owner], id)
			heap.Push(open, id)
		}
	}
	for id := range d.edges {
		if d.edges[id].open == 0 {
			complete(int32(id))
		}
	}
	for open.Len() > 0 {
		id := heap.Pop(open).(int32)
		owner := d.edges[id].owner
		if d.rank[owner] >= 0 {
			continue
		}
		d.rank[owner] = int32(len(d.order))
		d.order = append(d.order, owner)
		// The edge that finished its owner comes first among the usable ones.
		at := slices.Index(d.usable[owner], id)
		d.usable[owner][0], d.usable[owner][at] = d.usable[owner][at], d.usable[owner][0]
		for _, user := range d.usedBy[owner] {
			u := &d.edges[user]
			u.size = plus(u.size, d.edges[id].size)
			if u.open--; u.open == 0 {
				complete(user)
			}
		}
	}
}

// plus adds and saturates.
func plus(a, b uint64) uint64 {
	if a > math.MaxUint64-b {
		return math.MaxUint64
	}
	return a + b
}

// trees returns up to k trees, the smallest first.
func (d *derivations) trees(k int) []*Tree {
	d.best = make([][]derivation, len(d.rank))
	needed := d.needed()
	for _, i := range d.order {
		if needed[i] {
			d.best[i] = d.bestOf(i, k)
		}
	}
	var trees []*Tree
	for j := range d.best[len(d.items)] {
		trees = append(trees, d.tree(int32(j)))
	}
	return trees
}

// needed marks what root's derivations can use.
func (d *derivations) needed() []bool {
	needed := make([]bool, len(d.rank))
	todo := []int32{int32(len(d.items))}
	needed[todo[0]] = true
	for len(todo) > 0 {
		i := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, id := range d.usable[i] {
			for _, t := range d.edges[id].tails {
				if !needed[t] {
					needed[t] = true
					todo = append(todo, t)
				}
			}
		}
	}
	return needed
}

// bestOf returns the k smallest derivations of item i; those of its tails are
// known. Every vector of picks is reached once: by raising its coordinates from
// left to right.
func (d *derivations) bestOf(i int32, k int) []derivation {
	h := &derivationHeap{}
	for _, id := range d.usable[i] {
		pick := make([]int32, len(d.edges[id].tails))
		h.items = append(h.items, derivation{hyperedge: id, pick: pick, size: d.sizeOf(id, pick)})
	}
	heap.Init(h)
	var best []derivation
	for h.Len() > 0 && len(best) < k {
		x := heap.Pop(h).(derivation)
		best = append(best, x)
		tails := d.edges[x.hyperedge].tails
		for c := x.from; int(c) < len(tails) && k > 1; c++ {
			if int(x.pick[c])+1 >= len(d.best[tails[c]]) {
				continue
			}
			pick := slices.Clone(x.pick)
			pick[c]++
			heap.Push(h, derivation{x.hyperedge, pick, d.sizeOf(x.hyperedge, pick), c})
		}
	}
	return best
}

func (d *derivations) sizeOf(id int32, pick []int32) uint64 {
	size := uint64(1)
	for c, t := range d.edges[id].tails {
		size = plus(size, d.best[t][pick[c]].size)
	}
	return size
}

type derivationHeap struct{ items []derivation }

func (h *derivationHeap) Len() int { return len(h.items) }
func (h *derivationHeap) Less(i, j int) bool {
	a, b := h.items[i], h.items[j]
	return cmp.Or(cmp.Compare(a.size, b.size), cmp.Compare(a.hyperedge, b.hyperedge), slices.Compare(a.pick, b.pick)) < 0
}
func (h *derivationHeap) Swap(i, j int) { h.items[i], h.items[j] = h.items[j], h.items[i] }
func (h *derivationHeap) Push(x any)    { h.items = append(h.items, x.(derivation)) }
func (h *derivationHeap) Pop() any {
	last := h.items[len(h.items)-1]
	h.items = h.items[:len(h.items)-1]
	return last
}

// tree unfolds the j-th derivation of root into a Tree, in which equal subtrees
// are shared.
func (d *derivations) tree(j int32) *Tree {
	type key struct{ item, pick int32 }
	g := d.game
	top := int32(len(d.items))
	t := &Tree{Size: d.best[top][j].size}
	ids := map[key]int32{{top, j}: 0}
	todo := []key{{top, j}}
	for n := 0; n < len(todo); n++ {
		at := todo[n]
		x := d.best[at.item][at.pick]
		h := d.edges[x.hyperedge]
		position := root
		node := Node{Impl: -1, Spec: -1, Action: -1, Rule: -1}
		if at.item != top {
			position = d.items[at.item]
			node.Impl, node.Spec = g.at(position)
			node.Action, node.Rule = g.impl.edges[h.edge].action, g.impl.edges[h.edge].rule
		}
		node.Next = g.challenge(position, h.edge).to
		for c, tail := range h.tails {
			child := key{tail, x.pick[c]}
			id, ok := ids[child]
			if !ok {
				id = int32(len(todo))
				ids[child] = id
				todo = append(todo, child)
			}
			node.Children = append(node.Children, id)
		}
		t.Nodes = append(t.Nodes, node)
	}
	return t
}
