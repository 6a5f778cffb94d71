package scc

import "slices"

// Element of a weak topological order: a node, or a component, whose head comes
// first and whose body is ordered in the same way ([Bourdoncle93]). Every edge leads
// forwards, or to the head of a component that it is in; or to any node of one that
// is flat.
type Element struct {
	Node      int
	Component bool
	Flat      bool // all nodes are heads
	Body      []Element
}

// maxNesting bounds how deep components are nested: what is deeper is flat.
const maxNesting = 50

// WeakOrder returns a weak topological order of the nodes that can be reached from the
// roots along edges. Heads of components are the nodes that a depth-first search
// meets first. Time is linear in nodes and edges, for each level of nesting.
func WeakOrder(out [][]int, roots []int) []Element {
	o := &orderer{out: out, met: depthFirst(out, roots), in: make([]int32, len(out))}
	var reached []int
	for l, n := range o.met {
		if n >= 0 {
			reached = append(reached, l)
		}
	}
	return o.split(reached, 0)
}

type orderer struct {
	out [][]int
	met []int   // by location: its number in reverse postorder, -1 if not reached
	in  []int32 // by location: its number in the part that is split, plus 1
}

// depthFirst numbers locations in reverse postorder.
func depthFirst(out [][]int, roots []int) []int {
	met := make([]int, len(out))
	for l := range met {
		met[l] = -1
	}
	var post []int
	DepthFirst(len(out), roots, Along(out, func(to int) int { return to }), func(l int) { post = append(post, l) }, nil)
	for i, l := range post {
		met[l] = len(post) - 1 - i
	}
	return met
}

// split orders a part of the locations.
func (o *orderer) split(part []int, nesting int) []Element {
	slices.SortFunc(part, func(a, b int) int { return o.met[a] - o.met[b] })
	for i, l := range part {
		o.in[l] = int32(i) + 1
	}
	g := Edges{First: []int32{0}}
	loop := make([]bool, len(part))
	for i, l := range part {
		for _, to := range o.out[l] {
			if n := o.in[to]; n > 0 {
				g.To = append(g.To, n-1)
				loop[i] = loop[i] || to == l
			}
		}
		g.First = append(g.First, int32(len(g.To)))
	}
	found, _ := All(g, nil) // no error without tick
	for _, l := range part {
		o.in[l] = 0
	}
	members := make([][]int, found.Count)
	cyclic := make([]bool, found.Count)
	for i, l := range part {
		c := found.Count - 1 - int(found.Of[i]) // edges lead to higher numbers
		members[c] = append(members[c], l)
		cyclic[c] = cyclic[c] || loop[i] || len(members[c]) > 1
	}
	var elements []Element
	for c, ls := range members {
		e := Element{Node: ls[0], Component: cyclic[c]}
		switch {
		case len(ls) == 1:
		case nesting == maxNesting:
			e.Flat = true
			for _, l := range ls[1:] {
				e.Body = append(e.Body, Element{Node: l})
			}
		default:
			e.Body = o.split(ls[1:], nesting+1)
		}
		elements = append(elements, e)
	}
	return elements
}
