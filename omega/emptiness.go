package omega

import (
	"slices"

	"github.com/seltl/seltl/bug"
	"github.com/seltl/seltl/internal/scc"
)

// region is strongly connected: states, and the edges between them without some marks. A
// run that goes on in it for ever and meets the sets of need again and again accepts.
type region struct {
	states  []int32
	without uint64
	need    uint64
}

// Empty reports whether the automaton accepts no word. Time is exponential in the number of
// sets that Fin terms speak of, in the worst case, and polynomial for Rabin, Streett,
// parity and Büchi conditions.
func (a *Automaton) Empty() bool { return a.acceptingRegion() == nil }

// acceptingRegion finds a region in which some run accepts, nil if there is none.
func (a *Automaton) acceptingRegion() *region {
	return search(graph{out: a.out, meter: a.meter}, a.components().states, a.condition)
}

// search looks for a region in parts of a graph, each of which is split into components
// first. This is the generic emptiness check of [Baier19]: a component that satisfies the
// condition with all its marks accepts; in others, edges of a set that a Fin term wants
// to be finite are left out, or the term is given up.
func search(g graph, parts [][]int32, c *Condition) *region {
	for _, part := range parts {
		if r := searchPart(g, part, c); r != nil {
			return r
		}
	}
	return nil
}

// searchPart looks in a part which may not be strongly connected.
func searchPart(g graph, states []int32, c *Condition) *region {
	for _, p := range componentsWithin(g, states) {
		if r := searchComponent(g, p.states, p.marks, c); r != nil {
			return r
		}
	}
	return nil
}

// part is a strongly connected part of a graph that has edges, and their marks.
type part struct {
	states []int32
	marks  uint64
}

// componentsWithin returns the components of the graph between states that have edges inside.
func componentsWithin(g graph, states []int32) []part {
	sub, number := g.induced(states)
	found, err := scc.All(sub, nil)
	if err != nil {
		panic(err) // there is no tick
	}
	parts := make([]part, found.Count)
	cyclic := make([]bool, found.Count)
	for i, id := range found.Of {
		s := states[i]
		parts[id].states = append(parts[id].states, s)
		for _, e := range g.out[s] {
			if to, ok := number[e.To]; ok && e.Marks&g.without == 0 && found.Of[to] == id {
				parts[id].marks |= e.Marks
				cyclic[id] = true
			}
		}
	}
	var list []part
	for id, p := range parts {
		if cyclic[id] {
			list = append(list, p)
		}
	}
	return list
}

// induced is the graph between the states of a part, which are numbered by their places.
func (g graph) induced(part []int32) (scc.Edges, map[int32]int32) {
	number := make(map[int32]int32, len(part))
	for i, s := range part {
		number[s] = int32(i)
	}
	sub := scc.Edges{First: []int32{0}}
	for _, s := range part {
		for _, e := range g.out[s] {
			if to, ok := number[e.To]; ok && e.Marks&g.without == 0 {
				sub.To = append(sub.To, to)
			}
		}
		sub.First = append(sub.First, int32(len(sub.To)))
	}
	return sub, number
}

// searchComponent looks in a strongly connected part whose edges have these marks.
func searchComponent(g graph, states []int32, marks uint64, c *Condition) *region {
	c = c.within(marks)
	for {
		step(g.meter, "looking for a word", 0)
		switch {
		case c.Holds(marks):
			return &region{states, g.without, needed(c, marks)}
		case c.op == OpOr:
			for _, arg := range c.args {
				if r := searchComponent(g, states, marks, arg); r != nil {
					return r
				}
			}
			return nil
		}
		fin := c.someFin()
		if fin < 0 {
			return nil
		}
		rest := g
		rest.without |= 1 << fin
		if r := searchPart(rest, states, c.within(marks&^(1<<fin))); r != nil {
			return r
		}
		// Given up: Inf terms about the set still want it to be met.
		c = c.replace(func(t *Condition) *Condition {
			if t.op == OpFin && t.set == fin {
				return never
			}
			return t
		})
	}
}

// someFin returns the set of a Fin term, one that must hold if there is such; -1 if there
// is none.
func (c *Condition) someFin() int {
	if c.op == OpFin {
		return c.set
	}
	found := -1
	for _, arg := range c.args {
		if arg.op == OpFin {
			return arg.set
		}
		if found < 0 {
			found = arg.someFin()
		}
	}
	return found
}

// needed returns few sets of marks so that every run accepts that meets them, and no sets
// outside of marks, infinitely often. The condition holds for marks and speaks of these
// only.
func needed(c *Condition, marks uint64) uint64 {
	strict := c.replace(func(t *Condition) *Condition {
		if t.op == OpFin {
			return never
		}
		return t
	})
	need := strict.Sets()
	for _, set := range bitList(need) {
		if strict.Holds(need &^ (1 << set)) {
			need &^= 1 << set
		}
	}
	return need
}

// Run is a path that begins in the initial state and then a loop.
type Run struct{ Stem, Loop []Step }

// Step is an edge and where it begins.
type Step struct {
	From int32
	Edge Edge
}

// AcceptingRun returns a run that accepts, false if there is none. The stem is as short as it
// can be to where the loop is, the loop is short. It is checked edge by edge.
func (a *Automaton) AcceptingRun() (Run, bool) {
	r := a.acceptingRegion()
	if r == nil {
		return Run{}, false
	}
	in := map[int32]bool{}
	for _, s := range r.states {
		in[s] = true
	}
	var run Run
	at := a.initial
	run.Stem, at = a.path(at, func(Edge) bool { return true }, func(e Edge) bool { return in[e.To] }, in[at])
	start, met := at, uint64(0)
	inside := func(e Edge) bool { return e.Marks&r.without == 0 && in[e.To] }
	for met&r.need != r.need || at != start || len(run.Loop) == 0 {
		goal := func(e Edge) bool { return e.To == start }
		if met&r.need != r.need {
			goal = func(e Edge) bool { return e.Marks&r.need&^met != 0 }
		}
		var part []Step
		part, at = a.path(at, inside, goal, false)
		for _, t := range part {
			met |= t.Edge.Marks
		}
		run.Loop = append(run.Loop, part...)
	}
	if err := a.Replay(run); err != nil {
		panic(err)
	}
	return run, true
}

// path returns a shortest path over edges that are allowed, up to one that is a goal, which
// must exist, and where it ends; the empty path if there already.
func (a *Automaton) path(from int32, allowed, goal func(Edge) bool, there bool) ([]Step, int32) {
	if there {
		return nil, from
	}
	path, ok := scc.Path(from, a.Edges, func(e Edge) int32 { return e.To }, allowed, goal)
	if !ok {
		panic(bug.Errorf("omega", "no path within a strongly connected component"))
	}
	steps := make([]Step, len(path))
	for i, e := range path {
		steps[i] = Step{from, e}
		from = e.To
	}
	return steps, from
}

// Replay returns an error if the run is none of the automaton or does not accept.
func (a *Automaton) Replay(run Run) error {
	at, marks := a.initial, uint64(0)
	for i, t := range slices.Concat(run.Stem, run.Loop) {
		if t.From != at || !slices.Contains(a.out[at], t.Edge) {
			return bug.Errorf("omega", "step %d of the run is no edge of state %d", i, at)
		}
		at = t.Edge.To
		if i >= len(run.Stem) {
			marks |= t.Edge.Marks
		}
	}
	if len(run.Loop) == 0 || at != run.Loop[0].From {
		return bug.Errorf("omega", "the loop of the run does not close")
	}
	if !a.condition.Holds(marks) {
		return bug.Errorf("omega", "the run does not accept")
	}
	return nil
}
