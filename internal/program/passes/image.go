package passes

import (
	"errors"
	"fmt"
	"slices"

	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
)

// image is what a pass made of a system, and how what is found out about it comes back.
// What is nil says nothing.
type image struct {
	from, to *program.System
	// watched are those of to, and watchedBefore those of from.
	watched, watchedBefore []program.Region
	// origin are the locations of from that those of to are copies of, if they have other
	// numbers, and where says what holds in from at a copy.
	origin []int
	where  []*logic.Term
	// ways says by which edges of from a run goes where to takes an edge.
	ways []*way
	// free are the locations that cannot reach an error: runs of from may come to them.
	free []bool
	// holds is what holds at locations of from besides, and to was made with; false where
	// no run comes to.
	holds []*logic.Term
	// zero are the variables that to has as 0 at a location, where from may have any value
	// of which nothing depends.
	zero []map[*logic.Term]*logic.Term
	// joined are the locations that are passed through on edges of to, in the order in which
	// they were removed.
	joined []joined
}

// joined is a location with the edges that left it when it was removed; if some have inputs,
// there was one edge to it, and in is its strongest postcondition.
type joined struct {
	location int
	out      []program.Edge
	in       *post
}

// post is what holds behind an edge: where, and what held before it of the values that some
// variables had then.
type post struct {
	from   int
	before map[*logic.Term]*logic.Term // constants
	where  *logic.Term
	used   []int // the variables
}

// way is an edge of from, or several after one another, or one of several that do the same.
// Inputs are those of the edge of to, some by other names; chosen are values of some that it
// has not.
type way struct {
	edge     int
	chosen   logic.Model
	names    map[string]string // of inputs: what they are called on the edge of to
	then, or []*way
}

// newImage begins with a system that is as before.
func newImage(in subject) *image {
	to := *in.System
	to.Vars, to.Init, to.Error = slices.Clone(to.Vars), slices.Clone(to.Init), slices.Clone(to.Error)
	to.Edges = nil
	return &image{from: in.System, to: &to, watched: slices.Clone(in.watched), watchedBefore: in.watched}
}

// keep adds an edge that is made of one edge.
func (m *image) keep(i int, c *program.Command) {
	e := m.from.Edges[i]
	e.Command = c
	m.to.Edges, m.ways = append(m.to.Edges, e), append(m.ways, &way{edge: i})
}

// invariant makes an inductive invariant of from: by definition at locations where both
// systems have the same states, by weakest preconditions or strongest postconditions where
// control only passes.
func (m *image) invariant(inv []*logic.Term) []*logic.Term {
	out := slices.Clone(inv)
	if m.origin != nil {
		copies := make([][]*logic.Term, len(m.from.Locations))
		for k, l := range m.origin {
			copies[l] = append(copies[l], logic.And(m.where[k], inv[k]))
		}
		out = make([]*logic.Term, len(copies))
		for l, all := range copies {
			out[l] = logic.Or(all...)
		}
	}
	for l, zero := range m.zero {
		out[l] = logic.Substitute(out[l], zero)
	}
	for i := len(m.joined) - 1; i >= 0; i-- {
		j := &m.joined[i]
		if j.in != nil {
			out[j.location] = logic.And(logic.Substitute(out[j.in.from], j.in.before), j.in.where)
			continue
		}
		all := lists.Append(nil, j.out, func(e program.Edge) *logic.Term { return logic.Implies(e.Command.Guard, e.Command.After(out[e.To])) })
		out[j.location] = logic.And(all...)
	}
	for l, f := range m.holds {
		if f != nil {
			out[l] = logic.And(out[l], f)
		}
	}
	for l, free := range m.free {
		if free {
			out[l] = logic.True()
		}
	}
	return out
}

// trace makes a run of from: the same inputs along the edges that stand for those of the
// run; what to does not know of gets 0.
func (m *image) trace(t *program.Trace) (*program.Trace, error) {
	start, err := m.start(t)
	if err != nil {
		return nil, err
	}
	out := &program.Trace{Start: m.before(t.Start), Execution: program.Execution{States: []logic.Model{start}}}
	for i, e := range t.Edges {
		if err := m.follow(out, m.ways[e], t.Inputs[i]); err != nil {
			return nil, fmt.Errorf("step %d: %w", i+1, err)
		}
	}
	return out, nil
}

// before is where a location was.
func (m *image) before(l int) int {
	if m.origin != nil {
		return m.origin[l]
	}
	return l
}

// start is an initial state of from, like that of a run of to as far as that goes.
func (m *image) start(t *program.Trace) (logic.Model, error) {
	for _, r := range m.from.Init {
		if r.Location != m.before(t.Start) {
			continue
		}
		fixed := bindings(r.Where)
		state := logic.Model{}
		for _, v := range m.from.Vars {
			value, known := t.States[0][v.Name()]
			if m.zero != nil && m.zero[t.Start][v] != nil {
				known = false
			}
			if !known {
				value = first(v, fixed)
			}
			state[v.Name()] = value
		}
		if ok, err := logic.Holds(r.Where, state); ok && err == nil {
			return state, nil
		}
	}
	return nil, errors.New("the first state is not initial")
}

// first is the value that a variable begins with if nothing depends on it.
func first(v *logic.Term, fixed map[*logic.Term]*logic.Term) logic.Value {
	if c := fixed[v]; c != nil {
		if value, err := logic.Eval(c, nil); err == nil {
			return value
		}
	}
	return logic.Zero(v.Sort())
}

// follow takes a way from the end of a run.
func (m *image) follow(t *program.Trace, w *way, inputs logic.Model) (err error) {
	if w.names != nil {
		called := inputs
		inputs = logic.Model{}
		for name, other := range w.names {
			if value, ok := called[other]; ok {
				inputs[name] = value
			}
		}
	}
	switch {
	case w.then != nil:
		for _, part := range w.then {
			if err := m.follow(t, part, inputs); err != nil {
				return err
			}
		}
		return nil
	case w.or != nil:
		steps := len(t.Edges)
		for _, part := range w.or { // all do the same, so that the first one is as good as others
			if err = m.follow(t, part, inputs); err == nil {
				return nil
			}
			t.Edges, t.Inputs, t.States = t.Edges[:steps], t.Inputs[:steps], t.States[:steps+1]
		}
		return err
	}
	c := m.from.Edges[w.edge].Command
	chosen := logic.Model{}
	for _, in := range c.Inputs {
		value, known := inputs[in.Name()]
		if !known {
			value, known = w.chosen[in.Name()]
		}
		if !known {
			value = logic.Zero(in.Sort())
		}
		chosen[in.Name()] = value
	}
	next, err := c.Step(t.States[len(t.States)-1], chosen)
	if err != nil {
		return err
	}
	t.Edges, t.Inputs, t.States = append(t.Edges, w.edge), append(t.Inputs, chosen), append(t.States, next)
	return nil
}
