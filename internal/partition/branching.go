package partition

import (
	"container/heap"
	"encoding/binary"
	"slices"

	"github.com/seltl/seltl/internal/scc"
)

// Branching returns the coarsest branching bisimulation that refines the
// initial partition, where label 0 is the silent one: if s and t are in one
// class and s has an edge by a into a class C, then a = 0 and C is their own
// class, or t reaches by silent edges inside their class a state with an edge by
// a into C. It is blind to divergence; who wants to preserve that gives the
// states on silent cycles an edge of their own label to themselves.
//
// Edges that form silent cycles inside initial classes are collapsed first, so
// that silent edges inside classes form no cycles. Then states are distributed
// by signatures [BlomVanDePol09]: the set of (label, class) that a
// state offers directly or after silent edges inside its class. A signature is
// computed again only when something in it may have changed, and the states of
// a class whose signatures have not changed keep the class's number. Worst-case
// time is quadratic; it is near m log n where classes split off few states at a
// time and silent paths are short. tick is as in Refine.
func Branching(g *Graph, initial []int32, tick func() error) (class []int32, classes int, err error) {
	component, components := SilentComponents(g, initial)
	b := newBranching(g, initial, component, components)
	b.pace.tick = tick
	for b.dirty.Len() > 0 {
		if err := b.round(); err != nil {
			return nil, 0, err
		}
	}
	class = make([]int32, g.States)
	for s := range class {
		class[s] = b.blockOf[component[s]]
	}
	class, classes = number(class)
	return class, classes, nil
}

// SilentComponents returns the strongly connected components of the edges with
// label 0 inside the classes of a partition. They are numbered in reverse
// topological order: a silent edge between two leads to the lower number.
func SilentComponents(g *Graph, partition []int32) (component []int32, components int) {
	inert := func(e int) bool { return g.Label[e] == 0 && partition[g.From[e]] == partition[g.To[e]] }
	first := make([]int32, g.States+1)
	total := int32(0)
	for e, s := range g.From {
		if inert(e) {
			first[s+1]++
			total++
		}
	}
	for s := range g.States {
		first[s+1] += first[s]
	}
	to := make([]int32, total)
	next := append([]int32(nil), first[:g.States]...)
	for e, s := range g.From {
		if inert(e) {
			to[next[s]] = g.To[e]
			next[s]++
		}
	}
	found, _ := scc.All(scc.Edges{First: first, To: to}, nil)
	return found.Of, found.Count
}

type halfEdge struct{ label, state int32 }

// branching works on the collapsed graph, whose states are in reverse
// topological order of the silent edges inside initial classes.
type branching struct {
	out, in   [][]halfEdge
	blockOf   []int32
	size      []int32   // by block
	signature []int32   // by state
	sets      [][]int64 // by signature: sorted label<<32 | class
	ids       map[string]int32
	dirty     *lowest
	isDirty   []bool
	key       []byte
	pace      pace
}

func newBranching(g *Graph, initial, component []int32, n int) *branching {
	b := &branching{
		out: make([][]halfEdge, n), in: make([][]halfEdge, n),
		blockOf: make([]int32, n), signature: make([]int32, n), isDirty: make([]bool, n),
		ids: map[string]int32{}, dirty: &lowest{},
	}
	for e := range g.From {
		s, a, t := component[g.From[e]], g.Label[e], component[g.To[e]]
		if a != 0 || s != t {
			b.out[s] = append(b.out[s], halfEdge{a, t})
		}
	}
	for s := range b.out {
		slices.SortFunc(b.out[s], func(x, y halfEdge) int {
			if x.label != y.label {
				return int(x.label) - int(y.label)
			}
			return int(x.state) - int(y.state)
		})
		b.out[s] = slices.Compact(b.out[s])
		for _, e := range b.out[s] {
			b.in[e.state] = append(b.in[e.state], halfEdge{e.label, int32(s)})
		}
	}
	raw := make([]int32, n)
	for s, c := range component {
		raw[c] = initial[s]
	}
	var blocks int
	b.blockOf, blocks = number(raw)
	b.size = make([]int32, blocks)
	for s, block := range b.blockOf {
		b.size[block]++
		b.signature[s] = -1
		b.touch(int32(s))
	}
	return b
}

// touch puts a state into doubt.
func (b *branching) touch(s int32) {
	if !b.isDirty[s] {
		b.isDirty[s] = true
		heap.Push(b.dirty, s)
	}
}

// round computes the signatures in doubt and splits the blocks in which they
// have changed.
func (b *branching) round() error {
	var changed []int32
	for b.dirty.Len() > 0 {
		// Signatures of inert successors, which have lower numbers, are final.
		s := heap.Pop(b.dirty).(int32)
		b.isDirty[s] = false
		sig := b.compute(s)
		if err := b.pace.spend(len(b.sets[sig]) + len(b.out[s]) + 1); err != nil {
			return err
		}
		if sig == b.signature[s] {
			continue
		}
		b.signature[s] = sig
		changed = append(changed, s)
		for _, e := range b.in[s] {
			if e.label == 0 && b.blockOf[e.state] == b.blockOf[s] {
				b.touch(e.state)
			}
		}
	}
	slices.SortStableFunc(changed, func(s, t int32) int {
		if b.blockOf[s] != b.blockOf[t] {
			return int(b.blockOf[s]) - int(b.blockOf[t])
		}
		return int(b.signature[s]) - int(b.signature[t])
	})
	var moved []int32
	for len(changed) > 0 {
		k := 1
		for k < len(changed) && b.blockOf[changed[k]] == b.blockOf[changed[0]] {
			k++
		}
		moved = append(moved, b.splitBlock(changed[:k])...)
		changed = changed[k:]
	}
	for _, s := range moved {
		b.touch(s)
		for _, e := range b.in[s] {
			b.touch(e.state)
		}
	}
	return nil
}

// splitBlock gives new blocks to the states of one block whose signatures have
// changed, sorted by signature, and returns the states that were renumbered. All
// states of the block had one signature; where none has kept it, the largest
// group of those that share a new one keeps the block.
func (b *branching) splitBlock(changed []int32) (moved []int32) {
	block := b.blockOf[changed[0]]
	var groups [][]int32
	for i := 0; i < len(changed); {
		from := i
		for i < len(changed) && b.signature[changed[i]] == b.signature[changed[from]] {
			i++
		}
		groups = append(groups, changed[from:i])
	}
	rest := int(b.size[block]) - len(changed)
	keep := -1 // the group that keeps the number; -1: those that have not changed
	if rest == 0 {
		keep = 0
		for i, group := range groups {
			if len(group) > len(groups[keep]) {
				keep = i
			}
		}
	}
	for i, group := range groups {
		if i == keep {
			continue
		}
		new := int32(len(b.size))
		b.size = append(b.size, int32(len(group)))
		b.size[block] -= int32(len(group))
		for _, s := range group {
			b.blockOf[s] = new
		}
		moved = append(moved, group...)
	}
	return moved
}

// compute returns the signature of s from its edges' blocks and the signatures
// of its inert successors.
func (b *branching) compute(s int32) int32 {
	var set []int64
	block := b.blockOf[s]
	for _, e := range b.out[s] {
		if e.label == 0 && b.blockOf[e.state] == block {
			set = append(set, b.sets[b.signature[e.state]]...)
			continue
		}
		set = append(set, int64(e.label)<<32|int64(b.blockOf[e.state]))
	}
	slices.Sort(set)
	set = slices.Compact(set)
	b.key = b.key[:0]
	for _, x := range set {
		b.key = binary.LittleEndian.AppendUint64(b.key, uint64(x))
	}
	id, ok := b.ids[string(b.key)]
	if !ok {
		id = int32(len(b.sets))
		b.ids[string(b.key)] = id
		b.sets = append(b.sets, set)
	}
	return id
}

// lowest is a heap of states.
type lowest []int32

func (h lowest) Len() int           { return len(h) }
func (h lowest) Less(i, j int) bool { return h[i] < h[j] }
func (h lowest) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *lowest) Push(x any)        { *h = append(*h, x.(int32)) }
func (h *lowest) Pop() any {
	old := *h
	x := old[len(old)-1]
	*h = old[:len(old)-1]
	return x
}
