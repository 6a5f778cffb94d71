package predabs

import (
	"fmt"
	"slices"

	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
)

// Observation is what a question sees of a component beside the actions that it performs. An
// abstraction has more steps than the component, which is no harm to what only asks whether
// something is done. What asks whether something is not done, or possible, or what holds, needs
// abstract states that agree with all their concrete ones about it: what decides it is always
// tracked (Abstracter.Always), and the places where it changes are cut points.
type Observation struct {
	Props []Prop
	// Offers says that it matters which actions are possible: for ends of runs, deadlock,
	// and enabled(a).
	Offers bool
}

// Prop is a proposition: a formula over the component's variables, or, with a nil formula,
// being at one of some locations.
type Prop struct {
	Name    string
	Formula *logic.Term
	At      []int // sorted
	// Local has, in place of both, where it holds by location, nil where it does not.
	Local []*logic.Term
}

// Where returns where a proposition holds at a location.
func (p *Prop) Where(l int) *logic.Term {
	switch _, at := slices.BinarySearch(p.At, l); {
	case p.Local != nil && p.Local[l] != nil:
		return p.Local[l]
	case p.Local == nil && p.Formula != nil:
		return p.Formula
	case p.Local == nil && at:
		return logic.True()
	}
	return logic.False()
}

// cuts returns locations that blocks must not pass: where propositions change, where a component
// waits, and where steps lead from there (or a block could hide that there is an alternative).
func (o *Observation) cuts(c *program.Component) (all []int) {
	for _, p := range o.Props {
		all = append(all, p.At...)
		for _, e := range c.System.Edges {
			if p.changes(&e) { // also behind p.At: a block must not come back unnoticed
				all = append(all, e.From, e.To)
			}
		}
	}
	if o.Offers {
		all = append(all, c.Waits...)
		waits := c.Waiting()
		for _, e := range c.System.Edges {
			if waits[e.From] {
				all = append(all, e.To)
			}
		}
	}
	return all
}

// changes reports whether it may be true on one side of an edge and not on the other.
func (p *Prop) changes(e *program.Edge) bool {
	return p.Where(e.From) != e.Command.After(p.Where(e.To)) || p.Local == nil && slices.Contains(p.At, e.From)
}

// always returns the predicates that must be tracked, and why that is not enough, if so: see
// Abstracter.
//
// A guard that speaks of inputs alone is taken to be possible, as the classes of results are
// from which a routine's result is chosen.
func (o *Observation) always(c *program.Component) (m Mapping, unclear string) {
	m = make(Mapping, len(c.System.Locations))
	for _, p := range o.Props {
		for l := range m {
			m.Add(l, p.Where(l))
		}
	}
	if !o.Offers {
		return m, ""
	}
	waits := c.Waiting()
	for _, e := range c.System.Edges {
		if !waits[e.From] {
			continue
		}
		var both []*logic.Term
		for _, f := range logic.Conjuncts(e.Command.Guard) {
			switch {
			case !mentions(f, e.Command.Inputs):
				m.Add(e.From, f)
			case slices.ContainsFunc(logic.Vars(f), func(v *logic.Term) bool { return !slices.Contains(e.Command.Inputs, v) }):
				both = append(both, f)
			}
		}
		if len(both) == 0 {
			continue
		}
		able, exact := e.Command.Able()
		if !exact {
			unclear = fmt.Sprintf("whether %s is possible depends on a choice and on variables together", e.Name)
		}
		for _, f := range logic.Conjuncts(able) {
			m.Add(e.From, f)
		}
	}
	return m, unclear
}

// satisfies returns the value of a proposition in a state.
func (m *AbstractLKS) satisfies(s AbstractState, p *Prop) (holds, known bool) {
	return m.value(s, p.Where(s.Location))
}

// Props returns the propositions of the observation that hold in a state, sorted.
func (m *AbstractLKS) Props(s int32) (all []string) {
	for _, p := range m.Abstracter.observation.Props {
		if holds, _ := m.satisfies(m.States[s], &p); holds {
			all = append(all, p.Name)
		}
	}
	slices.Sort(all)
	return all
}

// value returns what a valuation says of a predicate.
func (m *AbstractLKS) value(s AbstractState, f *logic.Term) (value, tracked bool) {
	if f.IsTrue() || f.IsFalse() {
		return f.IsTrue(), true
	}
	p := positive(f)
	i := slices.Index(m.Mapping[s.Location], p)
	if i < 0 {
		return false, false
	}
	return s.Holds(i) == (p == f), true
}

// DiscardedAction is the action, repeated, of a run that does not exist: an assumption of the
// program fails. Nobody else has it (see LostAction).
func (a *Abstracter) DiscardedAction() string { return "discarded in " + a.Component.Name }

// discarded reports whether none of the ways on from a state is possible, and it is none where the
// component waits.
func (m *AbstractLKS) discarded(s int32) bool {
	at := m.States[s].Location
	if _, ended := slices.BinarySearch(m.Abstracter.Component.Ends, at); ended || len(m.Out[s]) > 0 {
		return false
	}
	return !m.Abstracter.waits[at]
}

// Discards reports whether a run reaches a state where DiscardedAction is performed.
func (m *AbstractLKS) Discards() bool {
	if !m.Abstracter.observation.Offers {
		return false
	}
	for s := range m.States {
		if _, lost := m.Abstracter.Component.Lost[m.States[s].Location]; !lost && m.discarded(int32(s)) {
			return true
		}
	}
	return false
}

// Completes reports whether a run of the model ends, waits, or goes on for ever. Otherwise there is
// none of the component: on each of them an assumption fails, or it is lost.
func (m *AbstractLKS) Completes() bool {
	entering := make([]int, len(m.States))
	for _, out := range m.Out {
		for _, e := range out {
			entering[e.Target]++
		}
	}
	var free []int32
	for s := range m.States {
		if entering[s] == 0 {
			free = append(free, int32(s))
		}
	}
	seen := 0
	for ; len(free) > 0; seen++ {
		s := free[len(free)-1]
		free = free[:len(free)-1]
		if len(m.Out[s]) == 0 && !m.discarded(s) {
			return true
		}
		for _, e := range m.Out[s] {
			if entering[e.Target]--; entering[e.Target] == 0 {
				free = append(free, e.Target)
			}
		}
	}
	return seen < len(m.States) // the rest is on cycles, or behind them
}

// Needs returns what a counterexample that passes through a state needs to be true there: what
// the valuation says of propositions, and of what is possible.
func (m *AbstractLKS) Needs(s int32) *logic.Term {
	at := m.States[s]
	var all []*logic.Term
	for _, p := range m.Abstracter.Always[at.Location] {
		if value, tracked := m.value(at, p); tracked && value {
			all = append(all, p)
		} else if tracked {
			all = append(all, logic.Not(p))
		}
	}
	return logic.And(all...)
}
