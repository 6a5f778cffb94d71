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
	List   []*Tree
	number map[string]int32
	key    []byte
}

// Number returns the number of a tree, which is kept if it is new.
func (x *Trees) Number(t *Tree) int32 {
	x.key = x.key[:0]
	for i, s := range t.States {
		x.key = binary.LittleEndian.AppendUint32(x.key, uint32(s))
		for _, n := range t.Stacks[i] {
			x.key = binary.AppendUvarint(x.key, uint64(n)+1)
		}
		x.key = append(x.key, 0)
	}
	n, ok := x.number[string(x.key)]
	if !ok {
		if x.number == nil {
			x.number = map[string]int32{}
		}
		n = int32(len(x.List))
		x.number[string(x.key)] = n
		x.List = append(x.List, t)
	}
	return n
}

// Successor is the tree after a letter, with which its states make some moves, and the
// priority of the step: 2n if n is the oldest node that accepts, 2n-1 if an older node, n,
// disappears. The root does not accept if it holds what merely came in (Enters).
func (t *Tree) Successor(moves []Move, holds bool) (*Tree, int) {
	nodes := int32(0)
	for _, st := range t.Stacks {
		nodes = max(nodes, slices.Max(st)+1)
	}
	best := t.reach(moves, nodes)
	next := &Tree{}
	for s := range best {
		next.States = append(next.States, s)
	}
	slices.Sort(next.States)
	for _, s := range next.States {
		next.Stacks = append(next.Stacks, best[s])
	}
	return next, next.tidy(nodes, holds)
}

// reach gives each target the best stack. Of two stacks, the one with the older node where
// they first differ wins, or the longer one. New nodes have the numbers from nodes on.
func (t *Tree) reach(moves []Move, nodes int32) map[int32][]int32 {
	child := map[int32]int32{} // the new node below a node
	best := map[int32][]int32{}
	below := func(stack []int32) []int32 {
		parent := stack[len(stack)-1]
		n, ok := child[parent]
		if !ok {
			n = nodes + int32(len(child))
			child[parent] = n
		}
		return append(slices.Clone(stack), n)
	}
	for _, m := range moves {
		stack := t.Stacks[m.From]
		switch m.Does {
		case Accepts:
			stack = below(stack)
		case Leaves:
			stack = stack[:1]
		case Enters:
			stack = below(stack[:1])
		}
		if old, ok := best[m.To]; !ok || olderStack(stack, old) {
			best[m.To] = stack
		}
	}
	return best
}

func olderStack(x, y []int32) bool {
	for i := range min(len(x), len(y)) {
		if x[i] != y[i] {
			return x[i] < y[i]
		}
	}
	return len(x) > len(y)
}

// tidy lets nodes accept whose states are all in younger nodes, removes nodes without
// states, renumbers the rest by age, and returns the priority. Nodes from nodes on are new,
// and no event for themselves.
func (t *Tree) tidy(nodes int32, holds bool) int {
	last, present := map[int32]bool{}, map[int32]bool{}
	for _, st := range t.Stacks {
		last[st[len(st)-1]] = true
		for _, n := range st {
			present[n] = true
		}
	}
	priority := int32(Silent)
	for n := range nodes {
		if !present[n] && n > 0 {
			priority = min(priority, 2*n-1)
		}
	}
	left := map[int32]bool{}
	for i, st := range t.Stacks {
		for j, n := range st {
			left[n] = true
			if !last[n] && !(holds && n == 0) {
				// The stack is cut behind its first node that accepts.
				priority = min(priority, 2*n)
				t.Stacks[i] = st[:j+1]
				break
			}
		}
	}
	var order []int32
	for n := range left {
		order = append(order, n)
	}
	slices.Sort(order)
	for i, st := range t.Stacks {
		renamed := make([]int32, len(st))
		for j, n := range st {
			place, _ := slices.BinarySearch(order, n)
			renamed[j] = int32(place)
		}
		t.Stacks[i] = renamed
	}
	return int(priority)
}
