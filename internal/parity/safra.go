package parity

import (
	"encoding/binary"
	"math"
	"slices"
)

// Tree is a Safra tree [Safra88], with which a Büchi automaton is made deterministic, into one
// with priorities on edges as in [Piterman06]. It is written as a stack of numbered nodes for
// each state: the nodes that have the state in their label, root (0) first. Older nodes have
// smaller numbers. A tree is not changed.
type Tree struct {
	States []int32   // the reachable ones, sorted
	Stacks [][]int32 // one for each state, none empty
}

// Does is what an edge does to the stack of its source.
type Does uint8

const (
	Keeps   Does = iota
	Accepts      // a new node comes below the last
	Leaves       // what was met before does not matter: the root alone is left
	Enters       // the root, and a new node below it
)

// Move is an edge of a state of a tree: From is the place of the state.
type Move struct {
	From int
	To   int32
	Does Does
}

// Silent is the priority of a step in which no node accepts or disappears: odd, and larger
// than all others.
const Silent = math.MaxInt32

// Trees numbers trees, equal ones alike, from 0 in the order in which they come. The zero
// value is empty.
type Trees struct {
	List []*Tree
	// Covers, if not nil, says that the state s is not needed beside t if the stack of t is at
	// least as good: t simulates s directly, and is in its component or one below. It is
	// reflexive and transitive.
	Covers func(s, t int32) bool

	number map[string]int32
	key    []byte
	next   step
}

// Number returns the number of a tree, which is kept if it is new.
func (x *Trees) Number(t *Tree) int32 {
	x.next.clear()
	for i, s := range t.States {
		x.next.add(s, t.Stacks[i])
	}
	return x.numberNext()
}

// Successor returns the number of the tree after a letter, with which the states of t make some
// moves, and the priority of the step: 2n if n is the oldest node that accepts, 2n-1 if an older
// node, n, disappears. The root does not accept if it holds what merely came in (Enters).
func (x *Trees) Successor(t *Tree, moves []Move, holds bool) (number int32, priority int) {
	nodes := int32(0)
	for _, st := range t.Stacks {
		nodes = max(nodes, slices.Max(st)+1)
	}
	made := x.next.reach(t, moves, nodes)
	if x.Covers != nil {
		x.next.prune(x.Covers)
	}
	x.next.write()
	priority = x.next.tidy(nodes, made, holds)
	return x.numberNext(), priority
}

// numberNext numbers the tree that was made in x.next.
func (x *Trees) numberNext() int32 {
	x.key = x.next.key(x.key[:0])
	n, ok := x.number[string(x.key)]
	if !ok {
		if x.number == nil {
			x.number = map[string]int32{}
		}
		n = int32(len(x.List))
		x.number[string(x.key)] = n
		x.List = append(x.List, x.next.tree())
	}
	return n
}

// step makes a tree, in memory that is used again for the next: most trees were met before.
type step struct {
	reached []arrival
	at      []int32 // for a state, 1 + its place in reached
	child   []int32 // for an old node, the new one below it
	states  []int32
	ends    []int32 // for each state, where its stack ends in nodes
	nodes   []int32
	is      []nodeIs // by node
	renamed []int32
}

// arrival is a state with the best stack yet: that, and below it a new node unless that is -1.
type arrival struct {
	to    int32
	stack []int32
	below int32
}

type nodeIs uint8

const (
	present nodeIs = 1 << iota // in a stack
	last                       // of a stack
	left                       // in a stack after that was cut
)

func (x *step) clear() { x.states, x.ends, x.nodes = x.states[:0], x.ends[:0], x.nodes[:0] }

func (x *step) add(state int32, stack []int32) {
	x.states = append(x.states, state)
	x.nodes = append(x.nodes, stack...)
	x.ends = append(x.ends, int32(len(x.nodes)))
}

// reach gives each target the best stack. Of two stacks, the one with the older node where
// they first differ wins, or the longer one. New nodes have the numbers from nodes on; it
// returns how many there are.
func (x *step) reach(t *Tree, moves []Move, nodes int32) (made int32) {
	x.child = cleared(x.child, int(nodes))
	x.reached = x.reached[:0]
	for _, m := range moves {
		a := arrival{m.To, t.Stacks[m.From], -1}
		if m.Does == Leaves || m.Does == Enters {
			a.stack = a.stack[:1]
		}
		if m.Does == Accepts || m.Does == Enters {
			child := &x.child[a.stack[len(a.stack)-1]]
			if *child == 0 {
				*child = nodes + made // not 0, since the root is there
				made++
			}
			a.below = *child
		}
		x.arrive(a)
	}
	slices.SortFunc(x.reached, func(a, b arrival) int { return int(a.to) - int(b.to) })
	for _, a := range x.reached {
		x.at[a.to] = 0
	}
	return made
}

// prune takes away states that others cover whose stack is no worse. What a run of the one
// accepts, a run of the other accepts, and its nodes are at least as old. It is a merge of runs
// like that in one state ([LoedingPirogov19]).
func (x *step) prune(covers func(s, t int32) bool) {
	for i := 0; i < len(x.reached); i++ {
		a := x.reached[i]
		if slices.ContainsFunc(x.reached, func(b arrival) bool { return a.to != b.to && covers(a.to, b.to) && !older(a, b) }) {
			x.reached = slices.Delete(x.reached, i, i+1)
			i--
		}
	}
}

// write makes the stacks of what was reached.
func (x *step) write() {
	x.clear()
	for _, a := range x.reached {
		x.add(a.to, a.stack)
		if a.below >= 0 {
			x.nodes = append(x.nodes, a.below)
			x.ends[len(x.ends)-1]++
		}
	}
}

func (x *step) arrive(a arrival) {
	if more := int(a.to) + 1 - len(x.at); more > 0 {
		x.at = append(x.at, make([]int32, more)...)
	}
	if place := x.at[a.to]; place == 0 {
		x.reached = append(x.reached, a)
		x.at[a.to] = int32(len(x.reached))
	} else if older(a, x.reached[place-1]) {
		x.reached[place-1] = a
	}
}

func older(a, b arrival) bool {
	for i := range min(len(a.stack), len(b.stack)) {
		if a.stack[i] != b.stack[i] {
			return a.stack[i] < b.stack[i]
		}
	}
	switch common := min(len(a.stack), len(b.stack)); {
	case len(a.stack) > common:
		return b.below < 0 || a.stack[common] < b.below
	case len(b.stack) > common:
		return a.below >= 0 && a.below < b.stack[common]
	case a.below >= 0 && b.below >= 0:
		return a.below < b.below
	}
	return a.below >= 0 && b.below < 0
}

// tidy lets nodes accept whose states are all in younger nodes, removes nodes without
// states, renumbers the rest by age, and returns the priority. Nodes from nodes on, as many as
// were made, are new, and no event for themselves.
func (x *step) tidy(nodes, made int32, holds bool) int {
	x.is = cleared(x.is, int(nodes+made))
	for i := range x.states {
		st := x.stack(i)
		x.is[st[len(st)-1]] |= last
		for _, n := range st {
			x.is[n] |= present
		}
	}
	priority := int32(Silent)
	for n := int32(1); n < nodes; n++ {
		if x.is[n]&present == 0 {
			priority = min(priority, 2*n-1)
		}
	}
	// A stack is cut behind its first node that accepts.
	kept, begin := int32(0), int32(0)
	for i, end := range x.ends {
		for _, n := range x.nodes[begin:end] {
			x.is[n] |= left
			x.nodes[kept] = n
			kept++
			if x.is[n]&last == 0 && !(holds && n == 0) {
				priority = min(priority, 2*n)
				break
			}
		}
		begin, x.ends[i] = end, kept
	}
	x.nodes = x.nodes[:kept]
	x.renumber()
	return int(priority)
}

// renumber numbers the nodes that are left by age.
func (x *step) renumber() {
	x.renamed = cleared(x.renamed, len(x.is))
	next := int32(0)
	for n, is := range x.is {
		if is&left != 0 {
			x.renamed[n] = next
			next++
		}
	}
	for i, n := range x.nodes {
		x.nodes[i] = x.renamed[n]
	}
}

func (x *step) stack(i int) []int32 {
	begin := int32(0)
	if i > 0 {
		begin = x.ends[i-1]
	}
	return x.nodes[begin:x.ends[i]]
}

func (x *step) key(key []byte) []byte {
	for i, s := range x.states {
		key = binary.AppendUvarint(key, uint64(s))
		for _, n := range x.stack(i) {
			key = binary.AppendUvarint(key, uint64(n)+1)
		}
		key = append(key, 0)
	}
	return key
}

// tree copies what was made.
func (x *step) tree() *Tree {
	t := &Tree{States: slices.Clone(x.states), Stacks: make([][]int32, len(x.states))}
	nodes, begin := slices.Clone(x.nodes), int32(0)
	for i, end := range x.ends {
		t.Stacks[i] = nodes[begin:end:end]
		begin = end
	}
	return t
}

// cleared returns n zeros, in the memory of xs if that is large enough.
func cleared[T any](xs []T, n int) []T {
	if cap(xs) < n {
		return make([]T, n)
	}
	xs = xs[:n]
	clear(xs)
	return xs
}
