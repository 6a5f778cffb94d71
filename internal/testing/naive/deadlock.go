package naive

import (
	"encoding/binary"
	"slices"

	"github.com/seltl/seltl/lks"
)

// Global is the reachable state graph of a network, explored rule by rule over
// plain vectors of local states: what package deadlock must agree with.
// Terminated states and states in error are kept apart by their local states.
type Global struct {
	Net    *lks.Network
	States [][]int32
	Depth  []int // distance from the initial states
	Kinds  []lks.Kind
	Edges  [][]GlobalEdge
}

// GlobalEdge is a transition by a rule.
type GlobalEdge struct {
	Rule   int
	Target int
}

// Explore computes the reachable states, breadth-first.
func Explore(net *lks.Network) *Global {
	g := &Global{Net: net}
	number := map[string]int{}
	add := func(locals []int32, depth int) int {
		key := keyOf(locals)
		n, ok := number[key]
		if !ok {
			n = len(g.States)
			number[key] = n
			g.States = append(g.States, locals)
			g.Depth = append(g.Depth, depth)
			packed := make([]uint64, net.Words())
			net.Pack(locals, packed)
			g.Kinds = append(g.Kinds, net.Kind(packed))
		}
		return n
	}
	for _, t := range tuplesOfInitial(net.Components()) {
		add(t, 0)
	}
	for s := 0; s < len(g.States); s++ {
		g.Edges = append(g.Edges, nil)
		if g.Kinds[s] != lks.Normal {
			continue
		}
		for _, r := range possibleRules(net, g.States[s]) {
			for _, to := range ruleTargets(net, g.States[s], r) {
				g.Edges[s] = append(g.Edges[s], GlobalEdge{r, add(to, g.Depth[s]+1)})
			}
		}
	}
	return g
}

// keyOf is the local states as a string, different for different ones of one network.
func keyOf(locals []int32) string {
	var key []byte
	for _, s := range locals {
		key = binary.AppendVarint(key, int64(s))
	}
	return string(key)
}

func possibleRules(net *lks.Network, locals []int32) []int {
	var possible []int
	for r := range net.Rules() {
		if enabled(net, locals, r) {
			possible = append(possible, r)
		}
	}
	for _, low := range net.Low() {
		var high []int
		for _, r := range possible {
			if !low[r] {
				high = append(high, r)
			}
		}
		if len(high) > 0 {
			possible = high
		}
	}
	return possible
}

// enabled reports whether every part of the rule has an edge by its action.
func enabled(net *lks.Network, locals []int32, rule int) bool {
	for _, part := range net.Rules()[rule].Parts {
		by := func(e lks.Edge) bool { return e.Action == part.Action }
		if !slices.ContainsFunc(net.Components()[part.Component].Edges(locals[part.Component]), by) {
			return false
		}
	}
	return true
}

func ruleTargets(net *lks.Network, locals []int32, rule int) [][]int32 {
	targets := [][]int32{locals}
	for _, part := range net.Rules()[rule].Parts {
		var next [][]int32
		for _, t := range targets {
			for _, e := range net.Components()[part.Component].Edges(locals[part.Component]) {
				if e.Action == part.Action {
					moved := slices.Clone(t)
					moved[part.Component] = e.Target
					next = append(next, moved)
				}
			}
		}
		targets = next
	}
	return targets
}

// Deadlock returns the distance of the nearest deadlock, or -1.
func (g *Global) Deadlock() int {
	for s := range g.States {
		if g.Kinds[s] == lks.Normal && len(g.Edges[s]) == 0 {
			return g.Depth[s]
		}
	}
	return -1
}

// closure returns reach[s][t]: t can be reached from s by edges that are allowed,
// at least one.
func (g *Global) closure(allowed func(GlobalEdge) bool) [][]bool {
	reach := make([][]bool, len(g.States))
	for s := range reach {
		reach[s] = make([]bool, len(g.States))
		for _, e := range g.Edges[s] {
			reach[s][e.Target] = reach[s][e.Target] || allowed(e)
		}
	}
	for k := range reach {
		for s := range reach {
			if reach[s][k] {
				for t := range reach {
					reach[s][t] = reach[s][t] || reach[k][t]
				}
			}
		}
	}
	return reach
}

// Livelock reports whether a cycle of silent steps can be reached.
func (g *Global) Livelock() bool {
	silent := g.closure(func(e GlobalEdge) bool { return g.Net.Rules()[e.Rule].Action == lks.TauID })
	for s := range silent {
		if silent[s][s] {
			return true
		}
	}
	return false
}

// settled reports whether all components that decide on termination are at their END.
func (g *Global) settled(s int) bool {
	decide := g.Net.Termination().Deciders
	for _, c := range decide {
		if g.Net.Components()[c].Kind(g.States[s][c]) != lks.End {
			return false
		}
	}
	return decide != nil
}

// Dead returns for every state the components that take part in no step that can
// be reached from it, observers, components that have terminated, special
// global states and those apart from which the network can only terminate.
func (g *Global) Dead() [][]int {
	reach := g.closure(func(GlobalEdge) bool { return true })
	moves := make([][]bool, len(g.States)) // by state and component: in a step from it
	for s := range g.States {
		moves[s] = make([]bool, len(g.States[s]))
		for _, e := range g.Edges[s] {
			for _, part := range g.Net.Rules()[e.Rule].Parts {
				moves[s][part.Component] = true
			}
		}
	}
	dead := make([][]int, len(g.States))
	for s := range g.States {
		for c := range g.States[s] {
			if g.Kinds[s] != lks.Normal || g.settled(s) || g.Net.Observer(c) || g.Net.Components()[c].Kind(g.States[s][c]) == lks.End {
				continue
			}
			alive := moves[s][c]
			for t := range g.States {
				alive = alive || reach[s][t] && moves[t][c]
			}
			if !alive {
				dead[s] = append(dead[s], c)
			}
		}
	}
	return dead
}
