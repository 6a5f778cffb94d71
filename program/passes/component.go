package passes

import (
	"context"
	"fmt"
	"slices"

	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
)

// PassedComponent is a component after passes.
type PassedComponent struct {
	Source *program.Component
	// Component weakly simulates Source, and Source it: silent steps may be fewer, or others
	// for them. It has the same alphabet, and ends and is lost where Source is.
	Component *program.Component
	Passed    *Passed // of the system in which actions are marked

	origin []int // by location of Component: where it was in the marked system
}

// ApplyComponent does passes as Apply does them, such that what can be seen stays: actions,
// where the component has ended and where it is lost. The component must be valid.
//
// What passes keep are ways to errors. So an edge that performs an action leads to a location
// of its own, the mark, from where another one goes on; marks, where actions begin, ends and
// lost locations are errors of all states, which no pass removes. An edge to a mark performs
// its action, and has no guard but that of the action.
//
// What a pass does to silent steps is seen by none: locations are left out where control only
// passes, so that a choice is made earlier, but whoever makes it later could make it at once.
//
// Without ends, nothing is said about where the component has ended: for questions in which
// ending is like any state in which nothing happens any more.
func ApplyComponent(ctx context.Context, c *program.Component, ends bool, list []Pass) *PassedComponent {
	if !ends {
		open := *c
		open.Ends = nil
		c = &open
	}
	p := &PassedComponent{Source: c, Passed: Apply(ctx, marked(c), list)}
	made := *c
	sys := *p.Passed.System
	sys.Error = nil
	made.System, made.Actions, made.Ends, made.Lost = &sys, make([]string, len(sys.Edges)), nil, map[int]string{}
	ended := map[int]bool{}
	for _, l := range c.Ends {
		ended[l] = true
	}
	sys.Locations = slices.Clone(sys.Locations)
	for l := range sys.Locations {
		at := l
		for i := len(p.Passed.images) - 1; i >= 0; i-- {
			at = p.Passed.images[i].before(at)
		}
		p.origin = append(p.origin, at)
		if ended[at] {
			made.Ends = append(made.Ends, l)
		}
		if why, lost := c.Lost[at]; lost {
			made.Lost[l] = why
		}
	}
	for l := range sys.Locations {
		sys.Locations[l] = c.System.Locations[p.place(l)] // copies have the names of what they are copies of
	}
	for i, e := range sys.Edges {
		if edge, is := p.marks(e.To); is {
			made.Actions[i] = c.Actions[edge]
		}
	}
	p.Component = &made
	return p
}

// marked is the system of a component with marks: behind its locations one for each action
// edge, in their order, and behind its edges those that leave the marks.
func marked(c *program.Component) *program.System {
	sys := *c.System
	sys.Locations, sys.Edges = slices.Clone(sys.Locations), slices.Clone(sys.Edges)
	sys.Error = nil
	kept := map[int]bool{}
	keep := func(l int) {
		if kept[l] {
			return
		}
		kept[l] = true
		sys.Error = append(sys.Error, program.Region{Location: l, Where: logic.True()})
	}
	for i, e := range c.System.Edges {
		if c.Actions[i] == "" {
			continue
		}
		mark := len(sys.Locations)
		keep(e.From)
		keep(mark)
		sys.Locations = append(sys.Locations, c.System.Locations[e.To])
		sys.Edges[i].To = mark
		sys.Edges = append(sys.Edges, program.Edge{Name: e.Name, From: mark, To: e.To, Command: &program.Command{Guard: logic.True()}, Span: e.Span})
	}
	for _, l := range c.Ends {
		keep(l)
	}
	for l := range c.System.Locations {
		if _, lost := c.Lost[l]; lost {
			keep(l)
		}
	}
	return &sys
}

// marks returns the edge of Source that a location of Component is the mark of.
func (p *PassedComponent) marks(l int) (edge int, is bool) {
	k := p.origin[l] - len(p.Source.System.Locations)
	if k < 0 {
		return 0, false
	}
	for i, a := range p.Source.Actions {
		if a == "" {
			continue
		}
		if k == 0 {
			return i, true
		}
		k--
	}
	return 0, false
}

// Place is where a run of Source is that does what a run of Component does.
type Place struct {
	Location int // of Source
	State    logic.Model
	states   []logic.Model // before each pass
	at       int           // of Component
}

// Start returns where Source begins if Component begins in a state. The error says that there
// is no such place.
func (p *PassedComponent) Start(location int, state logic.Model) (*Place, error) {
	t := &program.Trace{Start: location, Execution: program.Execution{States: []logic.Model{state}}}
	states := make([]logic.Model, len(p.Passed.images))
	for i := len(states) - 1; i >= 0; i-- {
		var err error
		if t, err = p.Passed.images[i].trace(t); err != nil {
			return nil, fmt.Errorf("before the passes: %w", err)
		}
		states[i] = t.States[0]
	}
	return &Place{Location: p.place(location), State: t.States[0], states: states, at: location}, nil
}

// place is where Source is when Component is at a location.
func (p *PassedComponent) place(l int) int {
	if edge, is := p.marks(l); is {
		return p.Source.System.Edges[edge].To
	}
	return p.origin[l]
}

// Follow returns what Source does from a place while Component does the steps of a trace, and
// where it is then. Its steps were evaluated; the error says that it cannot do them.
func (p *PassedComponent) Follow(from *Place, steps *program.Trace) (*program.Trace, *Place, error) {
	to := &Place{states: make([]logic.Model, len(from.states)), at: from.at}
	if n := len(steps.Edges); n > 0 {
		to.at = p.Component.System.Edges[steps.Edges[n-1]].To
	}
	t := steps
	for i := len(from.states) - 1; i >= 0; i-- {
		m := p.Passed.images[i]
		out := &program.Trace{Start: m.before(t.Start), Execution: program.Execution{States: []logic.Model{from.states[i]}}}
		for k, e := range t.Edges {
			if err := m.follow(out, m.ways[e], t.Inputs[k]); err != nil {
				return nil, nil, fmt.Errorf("before the passes: step %d: %w", k+1, err)
			}
		}
		t, to.states[i] = out, out.States[len(out.States)-1]
	}
	out := &program.Trace{Start: from.Location, Execution: program.Execution{States: []logic.Model{from.State}}}
	for k, e := range t.Edges {
		if e < len(p.Source.System.Edges) {
			out.Edges, out.Inputs, out.States = append(out.Edges, e), append(out.Inputs, t.Inputs[k]), append(out.States, t.States[k+1])
		}
	}
	to.Location, to.State = p.place(to.at), out.States[len(out.States)-1]
	return out, to, nil
}
