package buchi

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/seltl/seltl/internal/bdd"
)

// Determinisation after [Safra88], into a parity automaton as in [Piterman06], on edges.
//
// A Safra tree is written as a stack of numbered nodes for each state: the nodes
// of the tree that have the state in their label, root (0) first. Numbers grow
// with age: older nodes have smaller ones.

// parityAutomaton is deterministic. A run accepts iff the least priority that it
// sees infinitely often is even. A letter without edge rejects.
type parityAutomaton struct {
	src *Automaton // atoms, diagrams
	out [][]parityEdge
}

type parityEdge struct {
	label    Label
	to       int32
	priority int32
}

// silent is the priority of a step in which no node accepts or disappears: odd,
// and larger than all others.
const silent = math.MaxInt32

// safraTree holds the reachable states, sorted, and the stack of nodes of each.
type safraTree struct {
	states []int32
	stacks [][]int32
}

func (t *safraTree) key() string {
	var key []byte
	for i, s := range t.states {
		key = binary.LittleEndian.AppendUint32(key, uint32(s))
		for _, n := range t.stacks[i] {
			key = binary.AppendUvarint(key, uint64(n)+1)
		}
		key = append(key, 0)
	}
	return string(key)
}

// determinize returns a deterministic automaton for the language of a, which has
// at most one acceptance set; nil if it would have more than limit states.
func determinize(a *Automaton, limit int) *parityAutomaton {
	return determinizeUnless(a, limit, nil)
}

// determinizeRecurrence is determinize, but returns nil as soon as it sees that no deterministic
// Büchi automaton has the language: what it sees in a part of the result is in the whole.
func determinizeRecurrence(a *Automaton, limit int) *parityAutomaton {
	return determinizeUnless(a, limit, func(d *parityAutomaton) bool { return d.hasMixedLoops(1) })
}

// determinizeUnless gives up where what there is of the result at some time is not wanted.
func determinizeUnless(a *Automaton, limit int, unwanted func(*parityAutomaton) bool) *parityAutomaton {
	d := &parityAutomaton{src: a}
	number := map[string]int32{}
	var trees []*safraTree
	add := func(t *safraTree) int32 {
		key := t.key()
		n, ok := number[key]
		if !ok {
			n = int32(len(trees))
			number[key] = n
			trees = append(trees, t)
		}
		return n
	}
	add(&safraTree{[]int32{a.initial}, [][]int32{{0}}})
	next := firstLook
	for i := 0; i < len(trees); i++ {
		if len(trees) > limit {
			return nil
		}
		if unwanted != nil && i == next {
			next *= 2
			explored := &parityAutomaton{src: a, out: append(slices.Clone(d.out), make([][]parityEdge, len(trees)-i)...)}
			if unwanted(explored) {
				return nil
			}
		}
		var es []parityEdge
		for _, step := range splitSteps(a, trees[i]) {
			if len(step.moves) == 0 {
				continue
			}
			next, priority := trees[i].successor(step.moves)
			es = append(es, parityEdge{step.letters, add(next), priority})
		}
		d.out = append(d.out, es)
	}
	if unwanted != nil && unwanted(d) {
		return nil
	}
	return d
}

// move is one edge of a from a state of a tree: the position of the state, the
// target, and whether the edge is accepting.
type move struct {
	from   int
	to     int32
	accept bool
}

type treeStep struct {
	letters Label
	moves   []move
}

// splitSteps partitions the letters by the edges that they allow.
func splitSteps(a *Automaton, t *safraTree) []treeStep {
	parts := []treeStep{{letters: a.care}}
	all := a.AllMarks()
	for from, s := range t.states {
		for _, e := range a.out[s] {
			m := move{from, e.To, e.Marks == all}
			for i := range len(parts) {
				in := a.man.And(parts[i].letters, e.Label)
				switch in {
				case bdd.False:
				case parts[i].letters:
					parts[i].moves = append(parts[i].moves, m)
				default:
					with := append(slices.Clone(parts[i].moves), m)
					parts[i].letters = a.man.Diff(parts[i].letters, in)
					parts = append(parts, treeStep{in, with})
				}
			}
		}
	}
	return parts
}

// successor is the step of a tree and its priority: 2n if n is the oldest node
// that accepts, 2n-1 if an older node, n, disappears.
func (t *safraTree) successor(moves []move) (*safraTree, int32) {
	nodes := int32(0)
	for _, st := range t.stacks {
		nodes = max(nodes, slices.Max(st)+1)
	}
	best := t.reach(moves, nodes)
	next := &safraTree{}
	for s := range best {
		next.states = append(next.states, s)
	}
	slices.Sort(next.states)
	for _, s := range next.states {
		next.stacks = append(next.stacks, best[s])
	}
	return next, next.tidy(nodes)
}

// reach gives each target the best stack: an accepting edge adds a new node below
// the last of its source; of two stacks, the one with the older node where they
// first differ wins, or the longer one.
func (t *safraTree) reach(moves []move, nodes int32) map[int32][]int32 {
	child := map[int32]int32{} // the new node below a node
	best := map[int32][]int32{}
	for _, m := range moves {
		stack := t.stacks[m.from]
		if m.accept {
			parent := stack[len(stack)-1]
			n, ok := child[parent]
			if !ok {
				n = nodes + int32(len(child))
				child[parent] = n
			}
			stack = append(slices.Clone(stack), n)
		}
		if old, ok := best[m.to]; !ok || olderStack(stack, old) {
			best[m.to] = stack
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

// tidy lets nodes accept whose states are all in younger nodes, removes nodes
// without states, renumbers the rest by age, and returns the priority. Nodes from
// `nodes` on are new, and no event for themselves.
func (t *safraTree) tidy(nodes int32) int32 {
	last, present := map[int32]bool{}, map[int32]bool{}
	for _, st := range t.stacks {
		last[st[len(st)-1]] = true
		for _, n := range st {
			present[n] = true
		}
	}
	priority := int32(silent)
	for n := range nodes {
		if !present[n] && n > 0 {
			priority = min(priority, 2*n-1)
		}
	}
	// Cut each stack behind its first node that accepts.
	left := map[int32]bool{}
	for i, st := range t.stacks {
		for j, n := range st {
			left[n] = true
			if !last[n] {
				priority = min(priority, 2*n)
				t.stacks[i] = st[:j+1]
				break
			}
		}
	}
	var order []int32
	for n := range left {
		order = append(order, n)
	}
	slices.Sort(order)
	number := map[int32]int32{}
	for i, n := range order {
		number[n] = int32(i)
	}
	for i, st := range t.stacks {
		renamed := make([]int32, len(st))
		for j, n := range st {
			renamed[j] = number[n]
		}
		t.stacks[i] = renamed
	}
	return priority
}

// priorities lists the priorities that occur, in increasing order.
func (d *parityAutomaton) priorities() []int32 {
	var list []int32
	for _, es := range d.out {
		for _, e := range es {
			list = append(list, e.priority)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// above returns the edges of priority at least k that are allowed, as a graph;
// the marks of an edge are its priority.
func (d *parityAutomaton) above(k int32, allowed func(from int, e parityEdge) bool) [][]Edge {
	out := make([][]Edge, len(d.out))
	for s, es := range d.out {
		for _, e := range es {
			if e.priority >= k && (allowed == nil || allowed(s, e)) {
				out[s] = append(out[s], Edge{To: e.to, Marks: uint64(e.priority)})
			}
		}
	}
	return out
}

// componentsOf is findComponents for a graph of which not everything need be
// reachable from one node.
func componentsOf(out [][]Edge) *components {
	// One more node that leads everywhere.
	root := make([]Edge, len(out))
	for i := range root {
		root[i].To = int32(i)
	}
	c := findComponentsFrom(append(slices.Clone(out), root), int32(len(out)))
	c.of = c.of[:len(out)]
	return c
}

// hasMixedLoops reports whether some cycle whose least priority has the given
// parity contains a cycle of the other parity.
func (d *parityAutomaton) hasMixedLoops(parity int32) bool {
	priorities := d.priorities()
	for _, k := range priorities {
		if k%2 != parity {
			continue
		}
		// Components of the edges from k on that have an edge k inside.
		c := componentsOf(d.above(k, nil))
		rooted := make([]bool, len(c.marks))
		for s, es := range d.out {
			for _, e := range es {
				if e.priority == k && c.of[e.to] == c.of[s] {
					rooted[c.of[s]] = true
				}
			}
		}
		inside := func(s int, e parityEdge) bool { return c.of[s] == c.of[e.to] && rooted[c.of[s]] }
		for _, j := range priorities {
			if j > k && j%2 != parity && d.hasCycleOf(j, inside) {
				return true
			}
		}
	}
	return false
}

// hasCycleOf reports whether some cycle of allowed edges has least priority j.
func (d *parityAutomaton) hasCycleOf(j int32, allowed func(int, parityEdge) bool) bool {
	c := componentsOf(d.above(j, allowed))
	for s, es := range d.out {
		for _, e := range es {
			if e.priority == j && allowed(s, e) && c.of[s] == c.of[e.to] {
				return true
			}
		}
	}
	return false
}

// buchi returns a deterministic Büchi automaton for the same language, which
// must be one that has one (no mixed loops of odd parity): an edge accepts iff it
// is on no rejecting cycle ([KrishnanPuriBrayton94]).
func (d *parityAutomaton) buchi() *Automaton {
	b := d.src.like(len(d.out))
	b.initial, b.sets, b.stateBased = 0, 1, false
	for s, es := range d.out {
		for _, e := range es {
			b.out[s] = append(b.out[s], Edge{e.label, e.to, 1})
		}
	}
	for _, k := range d.priorities() {
		if k%2 == 0 {
			continue
		}
		c := componentsOf(d.above(k, nil))
		rooted := make([]bool, len(c.marks))
		for s, es := range d.out {
			for _, e := range es {
				if e.priority == k && c.of[e.to] == c.of[s] {
					rooted[c.of[s]] = true
				}
			}
		}
		for s, es := range d.out {
			for i, e := range es {
				if e.priority >= k && c.of[e.to] == c.of[s] && rooted[c.of[s]] {
					b.out[s][i].Marks = 0
				}
			}
		}
	}
	for s := range b.out {
		b.out[s] = b.mergeEdges(b.out[s])
	}
	return trim(b)
}
