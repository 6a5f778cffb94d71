package passes

import (
	"context"
	"fmt"
	"slices"

	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
)

// Sight is what a question sees of a component, beside the actions that it performs and where it
// is lost. The zero value is that of a question that asks what can be done, and never what cannot.
type Sight struct {
	// Ends says that it matters where the component has ended; otherwise that is like any state
	// in which nothing happens any more.
	Ends bool
	// Offers says that it matters which actions are possible where it communicates, and whether
	// it can go on by itself there: what it refuses, and what enabled(a) means.
	Offers bool
	// Endless says that it matters whether it goes on by itself for ever.
	Endless bool
	// Watched are propositions of its states: where they change is seen, not how often a step
	// leaves them as they are. Their names are different.
	Watched []Watched
}

// Watched is a proposition: Where has by location where it holds there, over the variables; nil is
// nowhere.
type Watched struct {
	Name  string
	Where []*logic.Term
}

// PassedComponent is a component after passes.
type PassedComponent struct {
	Source *program.Component
	// Component does what Source does, as far as that can be seen: silent steps may be fewer,
	// or others for them. It has the same alphabet, and ends and is lost where Source is.
	Component *program.Component
	Passed    *Passed   // of the system in which actions are marked
	Watched   []Watched // as in Sight, by location of Component

	sight  Sight
	origin []int // by location of Component: where it was in the marked system
}

// ApplyComponent does passes as Apply does them, such that what is seen stays; see the package
// comment for what that means and why. The component must be valid.
//
// What passes keep are ways to errors. So an edge that performs an action leads to a location
// of its own, the mark, from where another one goes on; marks, where actions begin, ends and
// lost locations are errors of all states, which no pass removes. An edge to a mark performs
// its action, and has no guard but that of the action. A mark becomes the place behind the action
// again where passes have left that alone, or else stands for it.
func ApplyComponent(ctx context.Context, c *program.Component, sight Sight, list []Pass) *PassedComponent {
	if !sight.Ends {
		open := *c
		open.Ends = nil
		c = &open
	}
	if sight.Endless {
		list = slices.DeleteFunc(slices.Clone(list), func(pass Pass) bool { return pass == Slice })
	}
	p := &PassedComponent{Source: c, Passed: apply(ctx, marked(c, &sight), true, list), sight: sight}
	for l := range p.Passed.System.Locations {
		for i := len(p.Passed.images) - 1; i >= 0; i-- {
			l = p.Passed.images[i].before(l)
		}
		p.origin = append(p.origin, l)
	}
	actions := p.unmark()
	made := *c
	sys := *p.Passed.System
	sys.Error = nil
	made.System, made.Actions, made.Ends, made.Waits, made.Lost = &sys, actions, nil, nil, map[int]string{}
	sys.Locations = slices.Clone(sys.Locations)
	waits := c.Waiting()
	for l, at := range p.origin {
		if sight.Offers && at < len(waits) && waits[at] {
			made.Waits = append(made.Waits, l)
		}
		if _, ended := slices.BinarySearch(c.Ends, at); ended {
			made.Ends = append(made.Ends, l)
		}
		if why, lost := c.Lost[at]; lost {
			made.Lost[l] = why
		}
		sys.Locations[l] = c.System.Locations[p.place(l)] // copies have the names of what they are copies of
	}
	w := watching(p.Passed.subject())
	for _, before := range sight.Watched {
		where := w.at[before.Name]
		if where == nil {
			where = make([]*logic.Term, len(sys.Locations))
		}
		p.Watched = append(p.Watched, Watched{before.Name, where})
	}
	p.Component = &made
	return p
}

// marked is the system of a component with marks: behind its locations one for each action
// edge, in their order, and behind its edges those that leave the marks.
func marked(c *program.Component, sight *Sight) subject {
	sys := *c.System
	sys.Locations, sys.Edges = slices.Clone(sys.Locations), slices.Clone(sys.Edges)
	sys.Error = nil
	kept, waits := map[int]bool{}, c.Waiting()
	keep := func(l int) {
		if kept[l] {
			return
		}
		kept[l] = true
		sys.Error = append(sys.Error, program.Region{Location: l, Where: logic.True()})
	}
	var leads []int // by mark: to where
	for i, e := range c.System.Edges {
		if c.Actions[i] == "" {
			if sight.Offers && waits[e.From] { // what is offered before it is not any more behind it
				keep(e.From)
				keep(e.To)
			}
			continue
		}
		mark := len(sys.Locations)
		keep(e.From)
		keep(mark)
		leads = append(leads, e.To)
		sys.Locations = append(sys.Locations, c.System.Locations[e.To])
		sys.Edges[i].To = mark
		sys.Edges = append(sys.Edges, program.Edge{Name: e.Name, From: mark, To: e.To, Command: &program.Command{Guard: logic.True()}, Span: e.Span})
	}
	for _, l := range c.Ends {
		keep(l)
	}
	if sight.Offers {
		for _, l := range c.Waits {
			keep(l)
		}
	}
	for l := range c.System.Locations {
		if _, lost := c.Lost[l]; lost {
			keep(l)
		}
	}
	var watched []program.Region
	for _, w := range sight.Watched {
		for l := range sys.Locations {
			at := l
			if k := l - len(c.System.Locations); k >= 0 { // a mark is as the location behind it
				at = leads[k]
			}
			if f := w.Where[at]; f != nil && !f.IsFalse() {
				watched = append(watched, program.Region{Location: l, Where: f, Name: w.Name})
			}
		}
	}
	return subject{&sys, watched}
}

// unmark leaves out the marks that are left by the edge that they were made with, and by no
// other: actions lead to behind it. It returns the actions of edges.
func (p *PassedComponent) unmark() (actions []string) {
	sys := p.Passed.System
	out := newFlow(sys).out
	m := newImage(p.Passed.subject())
	m.joined = []joined{}
	gone := map[int]int{} // edges that leave marks, by mark
	for l := range sys.Locations {
		if edge, is := p.marks(l); is && len(out[l]) == 1 {
			e := &sys.Edges[out[l][0]]
			same := p.origin[e.To] == p.Source.System.Edges[edge].To // nothing between was joined
			if same && e.Command.Guard.IsTrue() && len(e.Command.Update)+len(e.Command.Inputs) == 0 {
				gone[l] = out[l][0]
			}
		}
	}
	for i, e := range sys.Edges {
		if next, is := gone[e.From]; is && next == i {
			continue
		}
		action := ""
		m.keep(i, e.Command)
		if edge, is := p.marks(e.To); is {
			action = p.Source.Actions[edge]
			if next, is := gone[e.To]; is {
				m.to.Edges[len(m.to.Edges)-1].To = sys.Edges[next].To
				m.ways[len(m.ways)-1] = &way{then: []*way{{edge: i}, {edge: next}}}
			}
		}
		actions = append(actions, action)
	}
	p.Passed.images, p.Passed.System = append(p.Passed.images, m), m.to
	return actions
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
