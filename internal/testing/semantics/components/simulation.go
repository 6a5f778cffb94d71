package components

import (
	"slices"

	"github.com/seltl/seltl/internal/c/specification"
)

// claimed is a claim as a graph: its states, and one that is its STOP.
type claimed struct {
	edges [][]edge // the last is of STOP
	first int
}

// Conforms reports whether the program is simulated weakly by the structure of a claim, or has only
// traces that it has.
func (s *System) Conforms(name string, traces bool) (a Answer, err error) {
	defer recovered(&err)
	spec := s.spec()
	abstract := spec.claim(name)
	claim := &magicClaim{does: spec.structure(abstract.LKS.Text)}
	q := spec.silence()
	q.claim = claim
	for _, st := range claim.does.states {
		for _, alt := range st.alts {
			if alt.kind == specification.StepAssign || alt.guard != "" {
				unsupported("a claim with a guard or an assignment")
			}
			if alt.kind != specification.StepReturn {
				continue
			}
			q.named = true
			if alt.condition != "" && claim.index(alt) < 0 {
				claim.conditions = append(claim.conditions, condition{alt.condition, alt.numbers})
			}
		}
	}
	for i := range q.results {
		q.results[i] = claim.conditions
	}
	c := s.composed(spec, q, abstract)
	g := claim.graph()
	if traces {
		return c.answer(!c.tracesIn(g)), nil
	}
	return c.answer(!c.simulatedBy(g)), nil
}

// index is which of the conditions an alternative has, -1: none.
func (c *magicClaim) index(alt alternative) int {
	return slices.IndexFunc(c.conditions, func(k condition) bool {
		return k.text == alt.condition && same(k.numbers, alt.numbers)
	})
}

func same(a, b map[string]int64) bool {
	if len(a) != len(b) {
		return false
	}
	for k, v := range a {
		if w, ok := b[k]; !ok || v != w {
			return false
		}
	}
	return true
}

// graph is the claim: "The conditions of the claim split the values into classes, each of which is
// one action".
func (c *magicClaim) graph() *claimed {
	n := len(c.does.states)
	g := &claimed{edges: make([][]edge, n+1), first: c.does.first}
	state := func(to int) int {
		if to == stop {
			return n
		}
		return to
	}
	g.first = state(g.first)
	for i, st := range c.does.states {
		for _, alt := range st.alts {
			if alt.kind != specification.StepReturn {
				g.edges[i] = append(g.edges[i], edge{alt.action, state(alt.to)})
				continue
			}
			at := -1
			if alt.condition != "" {
				at = c.index(alt)
			}
			for class := range 1 << len(c.conditions) {
				if at < 0 || class>>at&1 == 1 {
					g.edges[i] = append(g.edges[i], edge{returnName("", len(c.conditions), class), state(alt.to)})
				}
			}
		}
	}
	return g
}

// quietly are the states that silent steps lead to.
func (g *claimed) quietly(from []int) []int {
	all := slices.Clone(from)
	for i := 0; i < len(all); i++ {
		for _, e := range g.edges[all[i]] {
			if e.action == "" && !slices.Contains(all, e.to) {
				all = append(all, e.to)
			}
		}
	}
	slices.Sort(all)
	return all
}

// answers are the states after an action, between silent steps.
func (g *claimed) answers(from []int, action string) []int {
	var all []int
	for _, n := range g.quietly(from) {
		for _, e := range g.edges[n] {
			if e.action == action && !slices.Contains(all, e.to) {
				all = append(all, e.to)
			}
		}
	}
	return g.quietly(all)
}

func (g *claimed) stops(from []int) bool { return slices.Contains(g.quietly(from), len(g.edges)-1) }

// simulatedBy is the greatest relation in which "each action that the composition performs is
// answered by the same action between silent steps, each silent step by silent steps", and "where
// all components have ended, the claim must be able to reach its STOP by silent steps". Steps that
// make a run not exist need no answer: "a claim need not answer the step", "what such a run has
// performed before, a claim has to allow".
func (c *composed) simulatedBy(g *claimed) bool {
	n := len(g.edges)
	related := make([]bool, len(c.states)*n)
	for i := range related {
		related[i] = true
	}
	type asked struct {
		state  int
		action string
	}
	known := map[asked][]int{}
	answers := func(state int, action string) []int {
		k := asked{state, action}
		all, ok := known[k]
		if !ok {
			if action == "" {
				all = g.quietly([]int{state})
			} else {
				all = g.answers([]int{state}, action)
			}
			known[k] = all
		}
		return all
	}
	fine := func(s, q int) bool {
		st := &c.states[s]
		if st.special != ordinary {
			return true
		}
		if st.ended && !g.stops([]int{q}) {
			return false
		}
		for _, e := range st.edges {
			if !slices.ContainsFunc(answers(q, e.action), func(to int) bool { return related[e.to*n+to] }) {
				return false
			}
		}
		return true
	}
	for changed := true; changed; {
		changed = false
		for s := len(c.states) - 1; s >= 0; s-- {
			for q := range n {
				if related[s*n+q] && !fine(s, q) {
					related[s*n+q], changed = false, true
				}
			}
		}
	}
	return !slices.ContainsFunc(c.initial, func(s int) bool { return !related[s*n+g.first] })
}

// tracesIn reports whether the structure has all traces of the program, and can stop where that has
// ended.
func (c *composed) tracesIn(g *claimed) bool {
	type pair struct {
		state int
		set   string
	}
	seen := map[pair]bool{}
	sets := map[string][]int{}
	var work []pair
	enter := func(state int, set []int) {
		key := ""
		for _, n := range set {
			key += string(rune(n + 1))
		}
		sets[key] = set
		if p := (pair{state, key}); !seen[p] {
			seen[p] = true
			work = append(work, p)
		}
	}
	for _, s := range c.initial {
		enter(s, g.quietly([]int{g.first}))
	}
	for len(work) > 0 {
		p := work[len(work)-1]
		work = work[:len(work)-1]
		st, set := &c.states[p.state], sets[p.set]
		if st.special != ordinary {
			continue
		}
		if st.ended && !g.stops(set) {
			return false
		}
		for _, e := range st.edges {
			next := set
			if e.action != "" {
				if next = g.answers(set, e.action); len(next) == 0 {
					return false
				}
			}
			enter(e.to, next)
		}
	}
	return true
}
