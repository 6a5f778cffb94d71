package omega

import (
	"fmt"
	"slices"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/scc"
)

// The alternating cycle decomposition of a component ([CasaresDuretLutz22]): a tree whose nodes are
// sets of edges that are strongly connected. The root has all edges; children of a node are the
// largest sets of cycles in it on which the condition says the opposite. It is Zielonka's tree of
// the condition, but for those sets of marks that cycles have, and so has at most as many leaves
// at each state.

type cycleTree struct {
	a     *Automaton
	id    int32 // of the component
	c     *components
	first map[int32]int // of each state, the number of its first edge
	count int           // numbers of edges
	nodes []cycleNode
	odd   int // the root rejects
	meter *budget.Meter
	work  int
}

// cycleNode is a set of edges, by numbers, and the states that they connect.
type cycleNode struct {
	edges    bitset
	states   map[int32]bool
	marks    uint64
	parent   int
	place    int // among the children of the parent
	depth    int
	children []int
}

// newCycleTree decomposes a component. The error is that of the meter, or says that the tree is too
// large.
func (a *Automaton) newCycleTree(c *components, id int, meter *budget.Meter) (*cycleTree, error) {
	t := &cycleTree{a: a, id: int32(id), c: c, first: map[int32]int{}, meter: meter}
	for _, s := range c.states[id] {
		t.first[s] = t.count
		t.count += len(a.out[s])
	}
	if t.count > maxCycleEdges {
		return nil, errTooManyCycles
	}
	root := cycleNode{edges: make(bitset, (t.count+63)/64), states: map[int32]bool{}, parent: -1, marks: c.marks[id]}
	for _, s := range c.states[id] {
		root.states[s] = true
		for i, e := range a.out[s] {
			if c.of[e.To] == t.id {
				root.edges.add(int32(t.first[s] + i))
			}
		}
	}
	if !a.condition.Holds(root.marks) {
		t.odd = 1
	}
	t.nodes = []cycleNode{root}
	for n := 0; n < len(t.nodes); n++ {
		if err := tick(meter, "decomposing cycles", 0); err != nil {
			return nil, err
		}
		var found []cycleNode
		if err := t.opposites(t.nodes[n], a.condition.Holds(t.nodes[n].marks), &found); err != nil {
			return nil, err
		}
		for i, child := range found {
			if slices.ContainsFunc(found, func(other cycleNode) bool {
				return child.edges.within(other.edges) && !other.edges.within(child.edges)
			}) || slices.ContainsFunc(found[:i], func(other cycleNode) bool { return slices.Equal(child.edges, other.edges) }) {
				continue
			}
			child.parent, child.depth, child.place = n, t.nodes[n].depth+1, len(t.nodes[n].children)
			t.nodes[n].children = append(t.nodes[n].children, len(t.nodes))
			t.nodes = append(t.nodes, child)
		}
	}
	return t, nil
}

// maxCycles bounds the sets of edges that are looked at, maxCycleEdges the edges of a component.
const (
	maxCycles     = 1 << 12
	maxCycleEdges = 1 << 16
)

// opposites collects strongly connected sets of edges within a part on which the condition is not
// as given, the largest ones among them: those without the marks beyond one of the largest sets of
// marks with the other value, or parts of these.
func (t *cycleTree) opposites(part cycleNode, holds bool, found *[]cycleNode) error {
	work := 0
	flips, ok := largestFlips(t.a.condition, part.marks&t.a.condition.Sets(), &work)
	if !ok {
		return errTooManyCycles
	}
	for _, flip := range flips {
		for _, sub := range t.connected(part, flip) {
			if t.work++; t.work > maxCycles {
				return errTooManyCycles
			}
			if t.a.condition.Holds(sub.marks) != holds {
				*found = append(*found, sub)
			} else if err := t.opposites(sub, holds, found); err != nil {
				return err
			}
		}
	}
	return nil
}

var errTooManyCycles = &budget.Exhausted{What: "sets of cycles", Limit: fmt.Sprint(maxCycles)}

// connected returns the strongly connected parts of the edges of a part without other marks than
// given, as far as the condition speaks of them.
func (t *cycleTree) connected(part cycleNode, marks uint64) []cycleNode {
	var states []int32
	for s := range part.states {
		states = append(states, s)
	}
	slices.Sort(states)
	place := make(map[int32]int32, len(states))
	for i, s := range states {
		place[s] = int32(i)
	}
	beyond := t.a.condition.Sets() &^ marks
	each := func(s int32, do func(number int32, e Edge)) {
		for i, e := range t.a.out[s] {
			if number := int32(t.first[s] + i); t.c.of[e.To] == t.id && part.edges.has(number) && e.Marks&beyond == 0 {
				do(number, e)
			}
		}
	}
	sub := scc.Edges{First: []int32{0}}
	for _, s := range states {
		each(s, func(_ int32, e Edge) { sub.To = append(sub.To, place[e.To]) })
		sub.First = append(sub.First, int32(len(sub.To)))
	}
	of, err := scc.All(sub, nil)
	if err != nil {
		panic(err) // there is no tick
	}
	parts := make([]cycleNode, of.Count)
	for i, s := range states {
		p := &parts[of.Of[i]]
		each(s, func(number int32, e Edge) {
			if of.Of[place[e.To]] != of.Of[i] {
				return
			}
			if p.edges == nil {
				p.edges, p.states = make(bitset, len(part.edges)), map[int32]bool{}
			}
			p.edges.add(number)
			p.states[s] = true
			p.marks |= e.Marks
		})
	}
	return slices.DeleteFunc(parts, func(p cycleNode) bool { return p.edges == nil })
}

// leaf returns the first leaf below a node of those nodes that have the state.
func (t *cycleTree) leaf(n int, s int32) int {
	for {
		i := slices.IndexFunc(t.nodes[n].children, func(child int) bool { return t.nodes[child].states[s] })
		if i < 0 {
			return n
		}
		n = t.nodes[n].children[i]
	}
}

// enter is the leaf with which a state is entered from outside.
func (t *cycleTree) enter(s int32) int { return t.leaf(0, s) }

// step goes from a leaf of s over an edge inside: up to the lowest node that has it, whose depth is
// the priority, and down by way of its next child that has the target.
func (t *cycleTree) step(leaf int, s int32, i int) (next, priority int) {
	number, to := int32(t.first[s]+i), t.a.out[s][i].To
	n, below := leaf, -1
	for !t.nodes[n].edges.has(number) {
		n, below = t.nodes[n].parent, n
	}
	priority = t.nodes[n].depth + t.odd
	children := t.nodes[n].children
	from := 0
	if below >= 0 {
		from = t.nodes[below].place + 1
	}
	for k := range children {
		if child := children[(from+k)%len(children)]; t.nodes[child].states[to] {
			return t.leaf(child, to), priority
		}
	}
	return n, priority
}
