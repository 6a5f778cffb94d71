package diagram

import (
	"fmt"
	"slices"

	"github.com/seltl/seltl/internal/names"
	"github.com/seltl/seltl/internal/scc"
)

// Source is a graph of states, perhaps a large one.
type Source interface {
	NumStates() int
	Initial() []int32
	Node(s int32) Node // as it is drawn, but for its number and that it is initial
	// Edges calls each for the edges of a state.
	Edges(s int32, each func(to int32, label string))
}

// View says what is to be seen of a graph. The zero value is all of it, or where that is too
// much an overview.
type View struct {
	Around int32 // with a Radius: this state,
	Radius int   // and those at most so many steps from it, or to it
}

// Limits of pictures. What is larger is shown as an overview.
const (
	MostStates = 200
	mostEdges  = 1000
	fewStates  = 50 // of a neighbourhood that nobody asked for
)

// Draw makes a picture's content of a graph, or of what a view has of it; what is left out is
// said in its notes. Time is linear in states and edges.
func Draw(src Source, v View) *Graph {
	switch {
	case v.Radius > 0:
		near, g := neighbours(src, []int32{v.Around}, v.Radius, src.NumStates(), true), &Graph{}
		g.pick(src, near)
		g.Notes = []string{fmt.Sprintf("%d of %s: those at most %s from state %d, or to it", len(near), names.Counted(src.NumStates(), "state"), names.Counted(v.Radius, "step"), v.Around)}
		return g
	case src.NumStates() <= MostStates && edges(src, mostEdges) <= mostEdges:
		return All(src)
	}
	return overview(src)
}

// All makes a picture's content of all of a graph, however large.
func All(src Source) *Graph {
	all := make([]int32, src.NumStates())
	for s := range all {
		all[s] = int32(s)
	}
	g := &Graph{}
	g.pick(src, all)
	return g
}

// edges counts the edges of a graph, until there are more than some.
func edges(src Source, most int) int {
	n := 0
	for s := range int32(src.NumStates()) {
		src.Edges(s, func(int32, string) { n++ })
		if n > most {
			break
		}
	}
	return n
}

// pick takes some states of a graph, sorted, and the edges between them.
func (g *Graph) pick(src Source, states []int32) {
	at := make(map[int32]int, len(states))
	for i, s := range states {
		at[s] = i
		n := src.Node(s)
		n.Number = int(s)
		g.Nodes = append(g.Nodes, n)
	}
	for i, s := range states {
		src.Edges(s, func(to int32, label string) {
			if k, ok := at[to]; ok {
				g.Edges = append(g.Edges, Edge{From: i, To: k, Labels: []string{label}})
			}
		})
	}
	for _, s := range src.Initial() {
		if k, ok := at[s]; ok {
			g.Nodes[k].Marks |= Initial
		}
	}
}

// neighbours are the states that can be reached from some in a number of steps, and perhaps
// those that can reach them, sorted: no more steps than make most states.
func neighbours(src Source, of []int32, steps, most int, back bool) []int32 {
	into := make([][]int32, src.NumStates())
	for s := range int32(src.NumStates()) {
		if back {
			src.Edges(s, func(to int32, _ string) { into[to] = append(into[to], s) })
		}
	}
	near := map[int32]bool{}
	for _, s := range of {
		near[s] = true
	}
	ahead, behind := of, of
	for range steps {
		var met []int32
		meet := func(s int32, list *[]int32) {
			if !near[s] {
				near[s] = true
				met = append(met, s)
				*list = append(*list, s)
			}
		}
		var next, before []int32
		for _, s := range ahead {
			src.Edges(s, func(to int32, _ string) { meet(to, &next) })
		}
		for _, s := range behind {
			for _, from := range into[s] {
				meet(from, &before)
			}
		}
		if len(near) > most {
			for _, s := range met {
				delete(near, s)
			}
			break
		}
		ahead, behind = next, before
	}
	var all []int32
	for s := range near {
		all = append(all, s)
	}
	slices.Sort(all)
	return all
}

// flat is a graph for scc.
func flat(src Source) scc.Edges {
	e := scc.Edges{First: []int32{0}}
	for s := range int32(src.NumStates()) {
		src.Edges(s, func(to int32, _ string) { e.To = append(e.To, to) })
		e.First = append(e.First, int32(len(e.To)))
	}
	return e
}

// overview shows the strongly connected components of a graph, with their sizes; where that
// says little, because all is one, or is too much, the states near the initial ones.
func overview(src Source) *Graph {
	found, _ := scc.All(flat(src), nil) // no error without a tick
	size := fmt.Sprintf("%s in %s", names.Counted(src.NumStates(), "state"), names.Counted(found.Count, "strongly connected component"))
	if found.Count < 4 || found.Count > MostStates {
		near := neighbours(src, src.Initial(), src.NumStates(), fewStates, false)
		g := &Graph{}
		g.pick(src, near)
		g.Notes = []string{fmt.Sprintf("%s, too many to draw: these %d are near the beginning", size, len(near))}
		return g
	}
	g := &Graph{Notes: []string{size + ": those of several states are drawn as one, with their number"}}
	states := make([][]int32, found.Count)
	for s, c := range found.Of {
		states[c] = append(states[c], int32(s))
	}
	slices.Reverse(states) // topological order: edges lead to later ones
	node := func(s int32) int { return found.Count - 1 - int(found.Of[s]) }
	type link struct {
		from, to int
		label    string
	}
	known := map[link]bool{}
	for i, of := range states {
		n := src.Node(of[0])
		if n.Number = int(of[0]); len(of) > 1 {
			n = Node{Number: int(of[0]), Lines: []string{names.Counted(len(of), "state")}, Marks: Component, Tip: fmt.Sprintf("%d strongly connected states, of which state %d is the first", len(of), of[0])}
		}
		g.Nodes = append(g.Nodes, n)
		for _, s := range of {
			src.Edges(s, func(to int32, label string) {
				if l := (link{i, node(to), label}); (l.from != l.to || len(of) == 1) && !known[l] {
					known[l] = true
					g.Edges = append(g.Edges, Edge{From: l.from, To: l.to, Labels: []string{label}})
				}
			})
		}
	}
	for _, s := range src.Initial() {
		g.Nodes[node(s)].Marks |= Initial
	}
	return g
}
