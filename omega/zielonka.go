package omega

import (
	"errors"
	"fmt"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/parity"
)

// Parity conditions by Zielonka's trees ([Zielonka98], [CasaresDuretLutz22]).

// A zielonka node is a set of marks; its children are the largest sets below it on which the
// condition says the opposite. Nodes are numbered in the order of a depth-first search, so
// that the first leaf below one is found by going to first children.
type zielonka struct {
	marks    []uint64
	depth    []int
	parent   []int
	children [][]int
}

// maxZielonka bounds the nodes of a tree and the sets that are looked at for one.
const maxZielonka = 1 << 16

// newZielonka makes the tree of a condition for runs that meet no other sets than marks.
func newZielonka(c *Condition, marks uint64) (*zielonka, error) {
	z := &zielonka{}
	work := 0
	var add func(marks uint64, parent, depth int) error
	add = func(marks uint64, parent, depth int) error {
		n := len(z.marks)
		z.marks = append(z.marks, marks)
		z.depth = append(z.depth, depth)
		z.parent = append(z.parent, parent)
		z.children = append(z.children, nil)
		if parent >= 0 {
			z.children[parent] = append(z.children[parent], n)
		}
		flips, ok := largestFlips(c, marks, &work)
		if !ok || n > maxZielonka {
			return &budget.Exhausted{What: "nodes of the tree of the acceptance condition", Limit: fmt.Sprint(maxZielonka)}
		}
		for _, flip := range flips {
			if err := add(flip, n, depth+1); err != nil {
				return err
			}
		}
		return nil
	}
	// Marks that the condition does not speak of would only be carried along.
	err := add(marks&c.Sets(), -1, 0)
	return z, err
}

// largestFlips returns the largest subsets of marks on which the condition has another value,
// by taking away one more mark at a time; false if there is too much work.
func largestFlips(c *Condition, marks uint64, work *int) ([]uint64, bool) {
	value := c.Holds(marks)
	var flips []uint64
	level := []uint64{marks}
	for len(level) > 0 {
		seen := map[uint64]bool{}
		var next []uint64
		for _, x := range level {
			for _, set := range bitList(x) {
				y := x &^ (1 << set)
				if *work++; *work > maxZielonka*MaxSets {
					return nil, false
				}
				if seen[y] || within(y, flips) {
					continue
				}
				seen[y] = true
				if c.Holds(y) != value {
					flips = append(flips, y)
				} else if c.dependsOn(y) {
					next = append(next, y)
				}
			}
		}
		level = next
	}
	return flips, true
}

// dependsOn reports whether the condition might have another value on a part of marks: what is
// left of it is not constant.
func (c *Condition) dependsOn(marks uint64) bool { return c.within(marks).Sets() != 0 }

func within(y uint64, larger []uint64) bool {
	for _, x := range larger {
		if y&^x == 0 {
			return true
		}
	}
	return false
}

// leaf returns the first leaf below a node.
func (z *zielonka) leaf(n int) int {
	for len(z.children[n]) > 0 {
		n = z.children[n][0]
	}
	return n
}

// step goes from a leaf over an edge: to the next leaf, by way of the lowest node above that
// has the marks of the edge, whose depth is the priority.
func (z *zielonka) step(leaf int, marks uint64) (next, depth int) {
	n, below := leaf, -1
	for marks&z.marks[0]&^z.marks[n] != 0 {
		n, below = z.parent[n], n
	}
	if below < 0 {
		return leaf, z.depth[n]
	}
	for i, child := range z.children[n] {
		if child == below {
			next = z.children[n][(i+1)%len(z.children[n])]
		}
	}
	return z.leaf(next), z.depth[n]
}

// markTree is a Zielonka tree as a memory of edges; a cycleTree is another one.
type markTree struct {
	*zielonka
	a   *Automaton
	odd int
}

func (t markTree) enter(int32) int { return t.leaf(0) }
func (t markTree) step(leaf int, s int32, i int) (next, priority int) {
	next, depth := t.zielonka.step(leaf, t.a.out[s][i].Marks)
	return next, depth + t.odd
}

// memory is what a component is multiplied with, so that priorities say what a condition does.
type memory interface {
	enter(s int32) int
	// step is about edge number i of s, which stays in the component.
	step(at int, s int32, i int) (next, priority int)
}

// Parity returns an equivalent automaton with the condition Parity(false, false, n), min even,
// each edge of which has at most one mark. It is deterministic or complete if a is. Each
// component is multiplied with the decomposition of its cycles, which gives no more states than
// any other such memory, or, if that is too large, with the Zielonka tree of the condition for its
// marks. The error is that of the meter or says that this tree is too large, too.
func (a *Automaton) Parity(meter *budget.Meter) (*Automaton, error) {
	if n := a.sets; a.condition.canonical() == Parity(false, false, n).canonical() {
		return reducedParity(a.mapEdges(n, a.condition, func(_ int32, e Edge) uint64 { return e.Marks & -e.Marks }))
	}
	c := a.components()
	p, err := a.parityWith(c, meter, func(id int) (memory, error) { return a.newCycleTree(c, id, meter) })
	if !errors.Is(err, errTooManyCycles) {
		return p, err
	}
	return a.parityWith(c, meter, a.markMemory(c))
}

// markMemory makes memories of Zielonka trees.
func (a *Automaton) markMemory(c *components) func(id int) (memory, error) {
	return func(id int) (memory, error) {
		tree, err := newZielonka(a.condition, c.marks[id])
		if err != nil {
			return nil, err
		}
		t := markTree{zielonka: tree, a: a}
		if !a.condition.Holds(tree.marks[0]) {
			t.odd = 1
		}
		return t, nil
	}
}

// parityWith multiplies each component with a memory.
func (a *Automaton) parityWith(c *components, meter *budget.Meter, of func(id int) (memory, error)) (*Automaton, error) {
	memories := make([]memory, len(c.states))
	for id := range memories {
		var err error
		if memories[id], err = of(id); err != nil {
			return nil, err
		}
	}
	type copyOf struct {
		s  int32
		at int
	}
	var copies numbering[copyOf]
	enter := func(s int32) int32 { return copies.add(copyOf{s, memories[c.of[s]].enter(s)}) }
	enter(a.initial)
	var out parity.Graph
	for i := 0; i < len(copies.list); i++ {
		if err := tick(meter, "making a parity condition", len(copies.list)); err != nil {
			return nil, err
		}
		k := copies.list[i]
		id := c.of[k.s]
		var es []parity.Edge
		for j, e := range a.out[k.s] {
			if c.of[e.To] != id {
				es = append(es, parity.Edge{Letters: e.Label, To: enter(e.To)})
				continue
			}
			next, priority := memories[id].step(k.at, k.s, j)
			es = append(es, parity.Edge{Letters: e.Label, To: copies.add(copyOf{e.To, next}), Priority: priority})
		}
		out = append(out, es)
	}
	return a.parityAutomaton(out)
}
