package deadlock

import (
	"fmt"
	"slices"

	"github.com/seltl/seltl/lks"
)

// acyclicGraph proves deadlock freedom of networks whose communication graph has
// no cycle [BrookesRoscoe91]. It applies if
//
//	(1) every rule has at most two parts, and the graph with an edge between
//	    components that share a rule is a forest;
//	(2) every state that a component can reach on its own, Error states apart,
//	    offers some rule;
//	(3) no two components that share a rule are in strong conflict: in a waiting
//	    pair state (see pair) in which each of the two offers the other something,
//	    at least one of them offering something to the other only.
//
// Suppose there is a deadlock. Each component offers something, all of it to
// neighbours, none of which accepts. Walk from component to component along
// offers, never straight back unless nothing else is offered. In a finite forest
// this walk must turn back: there are c and d, c offering something to d, and d
// offering only to c. Neither offer is accepted: a strong conflict.
//
// It returns "" if the condition holds, else what is in the way.
func acyclicGraph(net *lks.Network, comps []component, pairs map[[2]int32]*pair, shared [][2]int32) string {
	for _, rule := range net.Rules() {
		if len(rule.Parts) > 2 {
			return fmt.Sprintf("%d components share %s", len(rule.Parts), net.Alphabet()[rule.Action])
		}
	}
	root := make([]int32, len(comps)) // union-find without ranks: small
	for i := range root {
		root[i] = int32(i)
	}
	find := func(c int32) int32 {
		for root[c] != c {
			root[c] = root[root[c]]
			c = root[c]
		}
		return c
	}
	for _, k := range shared {
		c, d := find(k[0]), find(k[1])
		if c == d {
			return fmt.Sprintf("%s and %s are on a cycle of the communication graph", net.ComponentName(int(k[0])), net.ComponentName(int(k[1])))
		}
		root[c] = d
	}
	for c := range comps {
		if s := idleState(&comps[c]); s >= 0 {
			return fmt.Sprintf("%s can do nothing in state %s", net.ComponentName(c), comps[c].m.StateName(s))
		}
	}
	for _, k := range shared {
		if s, t := strongConflict(net, comps, pairs[k]); s >= 0 {
			return fmt.Sprintf("%s in %s and %s in %s may wait for each other",
				net.ComponentName(int(k[0])), comps[k[0]].m.StateName(s), net.ComponentName(int(k[1])), comps[k[1]].m.StateName(t))
		}
	}
	return ""
}

// idleState returns a reachable state, not Error, that offers no rule, or -1.
func idleState(c *component) int32 {
	for s, ok := range reachable(c.m) {
		if ok && c.m.Kind(int32(s)) != lks.Error && !offers(c, int32(s), func(int32) bool { return true }) {
			return int32(s)
		}
	}
	return -1
}

// offers reports whether c offers in s a rule that is wanted.
func offers(c *component, s int32, wanted func(rule int32) bool) bool {
	return slices.ContainsFunc(c.m.Edges(s), func(e lks.Edge) bool { return slices.ContainsFunc(c.rules[e.Action], wanted) })
}

// strongConflict returns a pair state of strong conflict, or -1, -1.
func strongConflict(net *lks.Network, comps []component, p *pair) (int32, int32) {
	with := func(k int32) func(int32) bool {
		return func(r int32) bool {
			return slices.ContainsFunc(net.Rules()[r].Parts, func(part lks.Part) bool { return part.Component == k })
		}
	}
	not := func(f func(int32) bool) func(int32) bool { return func(r int32) bool { return !f(r) } }
	c, d := &comps[p.c], &comps[p.d]
	for s := range int32(c.m.NumStates()) {
		if !offers(c, s, with(p.d)) {
			continue
		}
		onlyC := !offers(c, s, not(with(p.d)))
		for t := range int32(d.m.NumStates()) {
			if p.waiting(s, t) && offers(d, t, with(p.c)) && (onlyC || !offers(d, t, not(with(p.c)))) {
				return s, t
			}
		}
	}
	return -1, -1
}
