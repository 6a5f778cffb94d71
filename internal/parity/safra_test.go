package parity

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/seltl/seltl/internal/testing/soak"
)

// The twin of Trees.Successor: with maps, as the definition says it.

// successor is the tree after a letter, with which its states make some moves, and the
// priority of the step: 2n if n is the oldest node that accepts, 2n-1 if an older node, n,
// disappears. The root does not accept if it holds what merely came in (Enters).
func (t *Tree) successor(moves []Move, holds bool) (*Tree, int) {
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

// Random walks: each tree is the successor of the one before.
func TestSuccessorTwin(t *testing.T) {
	for seed := range soak.Cases(uint64(3000)) {
		rng := rand.New(rand.NewPCG(seed, 20))
		n := int32(1 + rng.IntN(7))
		var trees Trees
		trees.Number(&Tree{States: []int32{0}, Stacks: [][]int32{{0}}})
		now := trees.List[0]
		for step := 0; step < 12 && len(now.States) > 0; step++ {
			moves := randomMoves(rng, now, n)
			holds := rng.IntN(2) == 0
			want, priority := now.successor(moves, holds)
			number, got := trees.Successor(now, moves, holds)
			what := fmt.Sprintf("seed %d step %d: %v, %v, holds %v", seed, step, *now, moves, holds)
			now = trees.List[number]
			if got != priority || fmt.Sprint(*now) != fmt.Sprint(*want) {
				t.Fatalf("%s: %v priority %d, want %v priority %d", what, *now, got, *want, priority)
			}
			if trees.Number(want) != number {
				t.Fatalf("%s: %v is not number %d", what, *want, number)
			}
		}
		for i, a := range trees.List {
			for _, b := range trees.List[:i] {
				if reflect.DeepEqual(a, b) {
					t.Fatalf("seed %d: %v has two numbers", seed, *a)
				}
			}
		}
	}
}

func randomMoves(rng *rand.Rand, t *Tree, states int32) []Move {
	var moves []Move
	for from := range t.States {
		for range rng.IntN(4) {
			moves = append(moves, Move{from, rng.Int32N(states), Does(rng.IntN(4))})
		}
	}
	return moves
}
