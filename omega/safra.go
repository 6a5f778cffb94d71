package omega

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/seltl/seltl/buchi"
	"github.com/seltl/seltl/budget"
)

// Determinisation after [Safra88], into a parity automaton as in [Piterman06], on edges. As
// in package buchi, a tree is written as a stack of numbered nodes for each state: those that
// have the state in their label, root (0) first; older nodes have smaller numbers. Here, a
// run that goes to another component begins again below the root: what it has met before
// does not matter. So trees do not tell apart what only runs do that have left, and
// components without accepting cycles cost no more than their sets of states. Two variants
// are tried: one lets a run that comes into a component wait at the root for an accepting
// edge, the other gives it a node of its own at once, and the root never accepts. Which
// needs fewer trees depends on the automaton.

// Determinise returns an equivalent deterministic automaton, with a parity condition (min even)
// unless a is deterministic. The number of states is exponential in n log n of the n states of
// an equivalent Büchi automaton in the worst case. Errors are those of the meter, which may
// be nil, and limits.
func (a *Automaton) Determinise(meter *budget.Meter) (*Automaton, error) {
	if a.Deterministic() {
		return a, nil
	}
	return guarded(func() (*Automaton, error) {
		b, err := a.toBuchi(buchi.Buchi, meter)
		if err != nil {
			return nil, err
		}
		b.name = a.name
		if b.Deterministic() {
			return b, nil
		}
		best, err := b.safra(false, 0, meter)
		if err != nil {
			return nil, err
		}
		other, err := b.safra(true, 2*len(best.out)+8, meter)
		if err != nil || other == nil || len(other.out) >= len(best.out) {
			return best, err
		}
		return other, nil
	})
}

// safra determinises a, which has the condition Inf(0), in one of the variants; nil if it takes
// more trees than limit (0: none).
func (a *Automaton) safra(enter bool, limit int, meter *budget.Meter) (*Automaton, error) {
	d := &safra{a: a, c: a.components(), enter: enter}
	out, err := d.run(limit, meter)
	if err != nil || out == nil {
		return nil, err
	}
	p, err := a.parityAutomaton(out)
	if err != nil {
		return nil, err
	}
	return p.Trim().Quotient(), nil
}

type safra struct {
	a     *Automaton
	c     *components
	enter bool // runs that come into a component get a node
}

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

// run makes the automaton; its initial state is 0. It is nil at the limit.
func (d *safra) run(limit int, meter *budget.Meter) ([][]priorityEdge, error) {
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
	start := []int32{0}
	if d.enter && d.c.marks[d.c.of[d.a.initial]]&1 != 0 {
		start = append(start, 1)
	}
	add(&safraTree{[]int32{d.a.initial}, [][]int32{start}})
	var out [][]priorityEdge
	for i := 0; i < len(trees); i++ {
		if err := tick(meter, "determinising", len(trees)); err != nil {
			return nil, err
		}
		if limit > 0 && len(trees) > limit {
			return nil, nil
		}
		var es []priorityEdge
		for _, step := range d.a.split(trees[i].states) {
			if len(step.moves) > 0 {
				next, priority := d.successor(trees[i], step.moves)
				es = append(es, priorityEdge{step.letters, add(next), priority})
			}
		}
		out = append(out, es)
		trees[i].stacks = nil // only the number is needed from here on
	}
	return out, nil
}

// move is an edge of the state at a place of a list.
type move struct {
	from int
	to   int32
	mark uint64
}

// splitStep are letters and the moves that read them.
type splitStep struct {
	letters Label
	moves   []move
}

// split partitions the letters by the edges of the states that read them.
func (a *Automaton) split(states []int32) []splitStep {
	parts := []splitStep{{letters: AnyLetter}}
	for from, s := range states {
		for _, e := range a.out[s] {
			m := move{from, e.To, e.Marks}
			for i := range len(parts) {
				in := a.man.And(parts[i].letters, e.Label)
				switch in {
				case NoLetter:
				case parts[i].letters:
					parts[i].moves = append(parts[i].moves, m)
				default:
					with := append(slices.Clone(parts[i].moves), m)
					parts[i].letters = a.man.Diff(parts[i].letters, in)
					parts = append(parts, splitStep{in, with})
				}
			}
		}
	}
	return parts
}

// successor is the step of a tree and its priority: 2n if n is the oldest node that accepts,
// 2n-1 if an older node, n, disappears.
func (d *safra) successor(t *safraTree, moves []move) (*safraTree, int) {
	nodes := int32(0)
	for _, st := range t.stacks {
		nodes = max(nodes, slices.Max(st)+1)
	}
	best := d.reach(t, moves, nodes)
	next := &safraTree{}
	for s := range best {
		next.states = append(next.states, s)
	}
	slices.Sort(next.states)
	for _, s := range next.states {
		next.stacks = append(next.stacks, best[s])
	}
	return next, next.tidy(nodes, d.enter)
}

// reach gives each target the best stack: an accepting edge adds a new node below the last of
// its source; of two stacks, the one with the older node where they first differ wins, or the
// longer one.
func (d *safra) reach(t *safraTree, moves []move, nodes int32) map[int32][]int32 {
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
		stack := t.stacks[m.from]
		switch id := d.c.of[m.to]; {
		case d.c.of[t.states[m.from]] != id && d.enter && d.c.marks[id]&1 != 0:
			stack = below(stack[:1])
		case d.c.of[t.states[m.from]] != id || d.c.marks[id]&1 == 0:
			stack = stack[:1]
		case m.mark&1 != 0:
			stack = below(stack)
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

// tidy lets nodes accept whose states are all in younger nodes, removes nodes without states,
// renumbers the rest by age, and returns the priority. Nodes from nodes on are new, and no
// event for themselves; the root may not accept if it holds what merely came in.
func (t *safraTree) tidy(nodes int32, holds bool) int {
	last, present := map[int32]bool{}, map[int32]bool{}
	for _, st := range t.stacks {
		last[st[len(st)-1]] = true
		for _, n := range st {
			present[n] = true
		}
	}
	priority := int32(math.MaxInt32)
	for n := range nodes {
		if !present[n] && n > 0 {
			priority = min(priority, 2*n-1)
		}
	}
	left := map[int32]bool{}
	for i, st := range t.stacks {
		for j, n := range st {
			left[n] = true
			if !last[n] && !(holds && n == 0) {
				// The stack is cut behind its first node that accepts.
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
	for i, st := range t.stacks {
		renamed := make([]int32, len(st))
		for j, n := range st {
			place, _ := slices.BinarySearch(order, n)
			renamed[j] = int32(place)
		}
		t.stacks[i] = renamed
	}
	return int(priority)
}
