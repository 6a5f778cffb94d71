package certificate

import (
	"fmt"
	"maps"
	"slices"

	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/smt"
)

// path is a sequence of edges from a location where a run is at a state to the next such one:
// one edge that performs an action, or silent ones.
type path struct {
	to     int
	action string
	edges  []int
	guard  []*logic.Term               // over the variables at its beginning, and inputs
	value  map[*logic.Term]*logic.Term // at its end, of the variables that changed
}

// walker finds the paths of a component.
type walker struct {
	c     *program.Component
	cut   []bool // by location: whether a run is at a state there
	out   [][]int
	waits []bool          // by location
	names map[string]bool // of variables
	steps int
	paths int
}

// newWalker finds the places where a run is at a state: those that are listed, and the
// others that abstractions may not pass. props and offers are what the question sees beside
// actions: then a step may not hide that a proposition changes for a while, or that there is
// another way than an action.
func newWalker(c *program.Component, listed []Cut, props []Prop, offers bool) *walker {
	w := &walker{c: c, cut: make([]bool, len(c.System.Locations)), out: make([][]int, len(c.System.Locations)), waits: c.Waiting(), names: map[string]bool{}}
	for _, v := range c.System.Vars {
		w.names[v.Name()] = true
	}
	for _, k := range listed {
		w.cut[k.Location] = true
	}
	for _, l := range c.Ends {
		w.cut[l] = true
	}
	for l := range c.Lost {
		w.cut[l] = true
	}
	for i, e := range c.System.Edges {
		w.out[e.From] = append(w.out[e.From], i)
		if c.Actions[i] != "" {
			w.cut[e.From], w.cut[e.To] = true, true
		}
	}
	for l := range w.out {
		if offers && w.waits[l] {
			w.cut[l] = true
			for _, i := range w.out[l] {
				w.cut[c.System.Edges[i].To] = true
			}
		}
	}
	for _, p := range props {
		for _, e := range c.System.Edges {
			changes := p.Formula == nil && (slices.Contains(p.At, e.From) || slices.Contains(p.At, e.To))
			formula := p.Formula != nil || p.Local != nil
			if formula {
				changes = logic.Substitute(p.where(e.To), e.Command.Update) != p.where(e.From)
			}
			if changes {
				w.cut[e.From], w.cut[e.To] = w.cut[e.From] || formula, true
			}
		}
	}
	return w
}

// turns is how often a path passes a location. More than once is of a loop with constant bounds, of
// which the conditions decide by their look.
const turns = 64

// from returns the paths that begin at a location. It refuses a cycle on which no run is ever
// at a state.
func (w *walker) from(l int) (all []path, err error) {
	on := map[int]int{}
	var walk func(at int, so *path) error
	walk = func(at int, so *path) error {
		for _, i := range w.out[at] {
			e := &w.c.System.Edges[i]
			next, possible := w.extend(so, i)
			if w.steps++; w.steps > 16*maxPaths {
				return &TooLarge{What: fmt.Sprintf("%s has too many paths between its states", w.c.Name)}
			}
			if !possible {
				continue
			}
			next.action = w.c.Actions[i]
			if w.cut[e.To] {
				if w.paths++; w.paths > maxPaths {
					return &TooLarge{What: fmt.Sprintf("%s has too many paths between its states", w.c.Name)}
				}
				all = append(all, *next)
				continue
			}
			if on[e.To] == turns {
				return &Refused{Component: w.c.Name, Claim: "every cycle has a state of the abstraction", Where: w.c.System.Locations[e.To].Name, Status: smt.Sat}
			}
			on[e.To]++
			if err := walk(e.To, next); err != nil {
				return err
			}
			on[e.To]--
		}
		return nil
	}
	err = walk(l, &path{})
	return all, err
}

// extend returns a path with an edge more; possible is false if its conditions are false by
// their look.
func (w *walker) extend(so *path, edge int) (next *path, possible bool) {
	e := &w.c.System.Edges[edge]
	next = &path{to: e.To, edges: append(slices.Clone(so.edges), edge), value: maps.Clone(so.value)}
	if next.value == nil {
		next.value = map[*logic.Term]*logic.Term{}
	}
	by := maps.Clone(next.value)
	for _, in := range e.Command.Inputs {
		name := fmt.Sprintf("%s@%d", in.Name(), len(next.edges))
		for w.names[name] {
			name += "'"
		}
		by[in] = logic.Var(name, in.Sort())
	}
	next.guard = slices.Clone(so.guard)
	for _, f := range logic.Conjuncts(logic.Substitute(e.Command.Guard, by)) {
		if f.IsFalse() || slices.Contains(next.guard, logic.Not(f)) {
			return nil, false
		}
		next.guard = append(next.guard, f)
	}
	for v, t := range e.Command.Update {
		next.value[v] = logic.Substitute(t, by)
	}
	return next, true
}
