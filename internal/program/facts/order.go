package facts

import (
	"slices"

	"github.com/seltl/seltl/internal/scc"
)

// element of a weak topological order: a location, or a component, whose head comes
// first and whose body is ordered in the same way ([Bourdoncle93]). Every edge leads
// forwards, or to the head of a component that it is in; or to any location of one that
// is flat.
type element struct {
	location  int
	component bool
	flat      bool // all locations are heads
	body      []element
}

// maxNesting bounds how deep components are nested: what is deeper is flat.
const maxNesting = 50

// order returns a weak topological order of the locations that can be reached from the
// roots along edges. Heads of components are the locations that a depth-first search
// meets first. Time is linear in locations and edges, for each level of nesting.
func order(out [][]int, roots []int) []element {
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
	scc.DepthFirst(len(out), roots, scc.Along(out, func(to int) int { return to }), func(l int) { post = append(post, l) }, nil)
	for i, l := range post {
		met[l] = len(post) - 1 - i
	}
	return met
}

// split orders a part of the locations.
func (o *orderer) split(part []int, nesting int) []element {
	slices.SortFunc(part, func(a, b int) int { return o.met[a] - o.met[b] })
	for i, l := range part {
		o.in[l] = int32(i) + 1
	}
	g := scc.Edges{First: []int32{0}}
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
	found, _ := scc.All(g, nil) // no error without tick
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
	var elements []element
	for c, ls := range members {
		e := element{location: ls[0], component: cyclic[c]}
		switch {
		case len(ls) == 1:
		case nesting == maxNesting:
			e.flat = true
			for _, l := range ls[1:] {
				e.body = append(e.body, element{location: l})
			}
		default:
			e.body = o.split(ls[1:], nesting+1)
		}
		elements = append(elements, e)
	}
	return elements
}
