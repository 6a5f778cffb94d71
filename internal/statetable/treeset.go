package statetable

import "math/bits"

// TreeSet is a set of states of several words that one or several goroutines add to at
// once, without locks, by tree compression ([Blom09], [Laarman11]): a state is cut into
// pieces of 32 bits, the leaves of a balanced binary tree. The two values below an
// inner node are one word, which a table numbers; that number is the node's value. The
// word of the root stands for the state and is a WordSet's: so a state takes little
// more than one word, however many it has, as long as its parts come together again and
// again.
//
// All inner nodes use one table. A state is often like the one before it, and then only
// the nodes above what differs are looked up.
type TreeSet struct {
	words  int
	leaves []leaf
	// inner are the nodes but the root, every one after those below it. Their values
	// come after those of the leaves.
	inner       []pair
	left, right int // below the root
	nodes       *Shared
	roots       *WordSet
}

// leaf is a piece of a state.
type leaf struct{ word, shift int }

// pair says which two values are below a node.
type pair struct{ left, right int }

// NewTreeSet returns an empty set of states of that many words, at least two, whose bits
// all lie in used, for so many goroutines.
func NewTreeSet(words int, used []uint64, users int) *TreeSet {
	t := &TreeSet{words: words, nodes: NewShared(1, []uint64{^uint64(0)}, 0, users), roots: NewWordSet(users)}
	for w, u := range used[:words] {
		for shift := 0; shift < bits.Len64(u); shift += 32 {
			if u>>shift&(1<<32-1) != 0 {
				t.leaves = append(t.leaves, leaf{w, shift})
			}
		}
	}
	for len(t.leaves) < 2 { // a root needs two
		t.leaves = append(t.leaves, leaf{0, 32 * len(t.leaves)})
	}
	middle := len(t.leaves) / 2
	t.left, t.right = t.node(0, middle), t.node(middle, len(t.leaves))
	return t
}

// node adds the nodes above some leaves, and returns which value is that of the top.
func (t *TreeSet) node(from, to int) int {
	if to-from == 1 {
		return from
	}
	middle := (from + to) / 2
	p := pair{t.node(from, middle), t.node(middle, to)}
	t.inner = append(t.inner, p)
	return len(t.leaves) + len(t.inner) - 1
}

// Crowded reports whether Grow should be called soon.
func (t *TreeSet) Crowded() bool { return t.nodes.Crowded() || t.roots.Crowded() }

// Grow makes room when nobody else uses the set.
func (t *TreeSet) Grow() {
	if t.nodes.Crowded() {
		t.nodes.Grow()
	}
	if t.roots.Crowded() {
		t.roots.Grow()
	}
}

// Reserve is that of the WordSet of the roots: they are states as they were if there is
// nothing between the leaves and the root. Nodes get other numbers in another order of
// states, so that their table needs no more than Grow.
func (t *TreeSet) Reserve(states int, tick func() error) error { return t.roots.Reserve(states, tick) }

// Len returns the number of states.
func (t *TreeSet) Len() int { return t.roots.Len() }

// Nodes returns the number of inner nodes, the root apart; at most MaxStates can be
// numbered, and callers must stop before.
func (t *TreeSet) Nodes() int { return t.nodes.Len() }

// Load returns the share of places for roots that are in use.
func (t *TreeSet) Load() float64 { return t.roots.Load() }

// Bytes returns the memory that the set holds.
func (t *TreeSet) Bytes() int64 { return t.nodes.Bytes() + t.roots.Bytes() }

// All calls yield for every state, until it returns false, in no particular order.
// Nobody may add states meanwhile, and yield must not keep or change them.
func (t *TreeSet) All(yield func(state []uint64) bool) {
	state, values := make([]uint64, t.words), make([]uint32, len(t.leaves)+len(t.inner))
	var word [1]uint64
	for root := range t.roots.All {
		values[t.left], values[t.right] = uint32(root[0]>>32), uint32(root[0])
		for i := len(t.inner) - 1; i >= 0; i-- { // what is above comes first
			t.nodes.State(int32(values[len(t.leaves)+i]), word[:])
			values[t.inner[i].left], values[t.inner[i].right] = uint32(word[0]>>32), uint32(word[0])
		}
		clear(state)
		for i, l := range t.leaves {
			state[l.word] |= uint64(values[i]) << l.shift
		}
		if !yield(state) {
			return
		}
	}
}

// TreeInserter adds states for one goroutine.
type TreeInserter struct {
	t       *TreeSet
	in      *Inserter
	root    *WordInserter
	values  [][treeBlock]uint32 // of the leaves and inner nodes, of a block of states
	words   []uint64            // scratch: different words of a node
	which   [treeBlock]int32    // scratch: which of them a state has
	numbers []int32
	marks   []uint32
	roots   []uint64
	fresh   []uint64
}

// treeBlock is how many states go up the tree together, so that look-ups wait for memory
// together.
const treeBlock = 256

// Inserter returns one for a goroutine.
func (t *TreeSet) Inserter() *TreeInserter {
	return &TreeInserter{
		t: t, in: t.nodes.Inserter(), root: t.roots.Inserter(), values: make([][treeBlock]uint32, len(t.leaves)+len(t.inner)),
		numbers: make([]int32, treeBlock), marks: make([]uint32, treeBlock),
	}
}

// Flush tells the set of all that was added: before it is asked for its length or its
// states, or grows.
func (in *TreeInserter) Flush() {
	in.in.Flush()
	in.root.Flush()
}

// AddAll adds the states, which lie one after the other, that are new, and appends them
// to fresh, in their order: of goroutines that add the same state at once one finds it
// new. It returns how many words of states it has dealt with: all, unless there is no
// room. Then Grow must be called, and AddAll for the rest.
func (in *TreeInserter) AddAll(states, fresh []uint64) (done int, added []uint64) {
	w := in.t.words
	for done < len(states) {
		part := states[done:min(done+treeBlock*w, len(states))]
		if !in.climb(part) {
			return done, fresh
		}
		dealt, isNew := in.root.AddAll(in.roots, in.fresh[:0])
		in.fresh = isNew
		for i, root := range in.roots[:dealt] {
			if len(isNew) > 0 && isNew[0] == root {
				isNew = isNew[1:]
				fresh = append(fresh, part[i*w:(i+1)*w]...)
			}
		}
		done += dealt * w
		if dealt*w < len(part) {
			return done, fresh
		}
	}
	return done, fresh
}

// climb computes the roots of a block of states, unless there is no room for their nodes.
func (in *TreeInserter) climb(states []uint64) bool {
	t := in.t
	w := t.words
	k := len(states) / w
	for i, l := range t.leaves {
		values := in.values[i][:k]
		for s := range values {
			values[s] = uint32(states[s*w+l.word] >> (l.shift & 63))
		}
	}
	for i, p := range t.inner {
		in.pair(p, k)
		n := len(in.words)
		if !in.in.InsertAll(in.words, in.numbers[:n], in.marks[:n]) {
			return false
		}
		values := in.values[len(t.leaves)+i][:k]
		for s := range values {
			values[s] = uint32(in.numbers[in.which[s]])
		}
	}
	left, right := in.values[t.left][:k], in.values[t.right][:k]
	in.roots = in.roots[:0]
	for s := range left {
		in.roots = append(in.roots, uint64(left[s])<<32|uint64(right[s]))
	}
	return true
}

// pair collects the words of a node of k states; neighbours often have the same.
func (in *TreeInserter) pair(p pair, k int) {
	left, right := in.values[p.left][:k], in.values[p.right][:k]
	in.words = in.words[:0]
	last := uint64(0)
	for s := range left {
		word := uint64(left[s])<<32 | uint64(right[s])
		if s == 0 || word != last {
			in.words = append(in.words, word)
			last = word
		}
		in.which[s] = int32(len(in.words) - 1)
	}
}
