package fairchoice

import (
	"slices"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/frontier"
	"github.com/seltl/seltl/internal/scc"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/run"
)

// stateGraph is the reachable part of a network with its transitions in memory:
// 8 bytes for each, and the state table. States are numbered breadth-first.
type stateGraph struct {
	net     *lks.Network
	states  *frontier.Frontier // by rules
	initial []int32
	first   []int64 // by state: where its edges begin; one more at the end
	rule    []int32 // by edge; run.Stutter where a state without successors repeats
	target  []int32 // by edge
	failed  int32   // first state in error, or -1
	stops   bool    // some state has no successors
	meter   *budget.Meter
}

// newStateGraph explores the network. visit, if not nil, is called for each
// state when its successors are known. The error is the meter's.
func newStateGraph(net *lks.Network, meter *budget.Meter, visit func(state []uint64, succ *lks.Successors)) (*stateGraph, error) {
	g := &stateGraph{net: net, states: frontier.New(net.Words()), failed: -1, meter: meter}
	ex := net.Explorer()
	var succ lks.Successors
	ex.Initial(&succ)
	g.initial = slices.Clone(g.states.Reach(-1, succ.States, succ.Rules))
	slices.Sort(g.initial)
	g.initial = slices.Compact(g.initial)
	for s := range g.states.InOrder {
		ex.Successors(g.states.State(s), &succ)
		if visit != nil {
			visit(g.states.State(s), &succ)
		}
		g.first = append(g.first, int64(len(g.target)))
		if succ.Len() == 0 {
			g.stops = true
			g.rule, g.target = append(g.rule, run.Stutter), append(g.target, s)
			if g.failed < 0 && net.Kind(g.states.State(s)) == lks.Error {
				g.failed = s
			}
		} else {
			g.rule, g.target = append(g.rule, succ.Rules...), append(g.target, g.states.Reach(s, succ.States, succ.Rules)...)
		}
		if g.states.Due(g.meter, s, int64(len(g.target))) {
			if err := g.tick("exploring"); err != nil {
				return nil, err
			}
		}
	}
	g.first = append(g.first, int64(len(g.target)))
	return g, nil
}

func (g *stateGraph) tick(phase string) error {
	return g.states.Tick(g.meter, budget.Progress{Phase: phase, Transitions: int64(len(g.target))})
}

// deadEnd reports whether s has no successors.
func (g *stateGraph) deadEnd(s int32) bool { return g.rule[g.first[s]] == run.Stutter }

func (g *stateGraph) Nodes() int { return g.states.Len() }

func (g *stateGraph) Degree(s int32) int { return int(g.first[s+1] - g.first[s]) }

func (g *stateGraph) Successor(s int32, i int) (int32, bool) {
	return g.target[g.first[s]+int64(i)], true
}

func (g *stateGraph) successors(s int32) []int32 { return g.target[g.first[s]:g.first[s+1]] }

// sccs are the strongly connected components of a graph.
type sccs struct {
	of       []int32 // by node: its component
	terminal []bool  // by component: no edge leaves it
}

// components finds the strongly connected components, and which of them are terminal.
func components[G scc.Graph](g G, tick func() error) (*sccs, error) {
	found, err := scc.All(g, tick)
	if err != nil {
		return nil, err
	}
	c := &sccs{of: found.Of, terminal: slices.Repeat([]bool{true}, found.Count)}
	for v := range int32(g.Nodes()) {
		for i := range g.Degree(v) {
			if w, ok := g.Successor(v, i); ok && c.of[v] != c.of[w] {
				c.terminal[c.of[v]] = false
			}
		}
	}
	return c, nil
}

// wayTo returns a shortest way from one of the nodes, which are admitted, to a
// wanted node over admitted ones: the nodes from the first to the last, or nil.
// With strict set the way has at least one edge.
func wayTo(g scc.Graph, from []int32, strict bool, admitted, wanted func(int32) bool) []int32 {
	parent := map[int32]int32{}
	var queue []int32
	trace := func(n int32) []int32 {
		way := []int32{n}
		for n = parent[n]; n >= 0; n = parent[n] {
			way = append(way, n)
		}
		slices.Reverse(way)
		return way
	}
	for _, n := range from {
		if _, seen := parent[n]; seen {
			continue
		}
		parent[n] = -1
		if !strict && wanted(n) {
			return []int32{n}
		}
		queue = append(queue, n)
	}
	for len(queue) > 0 {
		n := queue[0]
		queue = queue[1:]
		for i := range g.Degree(n) {
			m, ok := g.Successor(n, i)
			if !ok {
				continue
			}
			if strict && wanted(m) {
				return append(trace(n), m)
			}
			if _, seen := parent[m]; seen || !admitted(m) {
				continue
			}
			parent[m] = n
			if wanted(m) {
				return trace(m)
			}
			queue = append(queue, m)
		}
	}
	return nil
}

// lasso describes a lasso that is given by edges of the graph.
func (g *stateGraph) lasso(stem, loop []int64) (*run.Run, error) {
	edges := slices.Concat(stem, loop)
	states := [][]uint64{g.states.State(g.sourceOf(edges[0]))}
	var rules []int32
	for _, e := range edges {
		states, rules = append(states, g.states.State(g.target[e])), append(rules, g.rule[e])
	}
	return run.Unpack(g.net, states, rules, len(stem))
}

// sourceOf returns the state that an edge leaves.
func (g *stateGraph) sourceOf(e int64) int32 {
	i, found := slices.BinarySearch(g.first, e)
	if !found {
		i--
	}
	return int32(i)
}

// edgesOf turns a way over states into edges, the first that fit.
func (g *stateGraph) edgesOf(way []int32) []int64 {
	var edges []int64
	for i := 1; i < len(way); i++ {
		from := g.first[way[i-1]]
		edges = append(edges, from+int64(slices.Index(g.successors(way[i-1]), way[i])))
	}
	return edges
}

// stemTo returns the edges of a shortest run to a state.
func (g *stateGraph) stemTo(s int32) []int64 {
	way, _ := g.states.Way(s)
	return g.edgesOf(way)
}
