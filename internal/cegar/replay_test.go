package cegar

import (
	"slices"
	"testing"

	"github.com/seltl/seltl/internal/testing/naive"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/product"
	"github.com/seltl/seltl/program"
)

// together is a state of components side by side: what counterexamples are replayed on, edge by
// edge, by nothing but program.Command.Step.
type together struct {
	of     []*program.Component
	at     []int
	stores []logic.Model
}

func (s *together) copied() *together {
	return &together{s.of, slices.Clone(s.at), slices.Clone(s.stores)}
}

// edge takes an edge of a component.
func (s *together) edge(component, e int, inputs logic.Model) bool {
	sys := s.of[component].System
	if sys.Edges[e].From != s.at[component] {
		return false
	}
	next, err := sys.Edges[e].Command.Step(s.stores[component], inputs)
	if err != nil {
		return false
	}
	s.at[component], s.stores[component] = sys.Edges[e].To, next
	return true
}

// offers reports whether a component can perform an action, "" for a silent step.
func (s *together) offers(component int, action string) (can bool) {
	c := s.of[component]
	for i, e := range c.System.Edges {
		if e.From == s.at[component] && c.Actions[i] == action {
			eachInput(e.Command, func(inputs logic.Model) {
				_, err := e.Command.Step(s.stores[component], inputs)
				can = can || err == nil
			})
		}
	}
	return can
}

// enabled reports whether all that take part in an action can perform it.
func (s *together) enabled(action string) bool {
	some := false
	for i, c := range s.of {
		if slices.Contains(c.Alphabet, action) {
			if some = true; !s.offers(i, action) {
				return false
			}
		}
	}
	return some
}

// able reports whether a component takes part in something that is possible.
func (s *together) able(component int) bool {
	return s.offers(component, "") || slices.ContainsFunc(s.of[component].Alphabet, s.enabled)
}

func (s *together) stuck() bool {
	for i := range s.of {
		if s.able(i) {
			return false
		}
	}
	return true
}

// imaginary reports whether a component would have to make a silent step, and cannot: the run
// does not exist.
func (s *together) imaginary() bool {
	for i, c := range s.of {
		only := !slices.Contains(c.Ends, s.at[i]) && !slices.Contains(c.Waits, s.at[i]) && !s.offers(i, "")
		for k, e := range c.System.Edges {
			only = only && (e.From != s.at[i] || c.Actions[k] == "")
		}
		if _, lost := c.Lost[s.at[i]]; only && !lost {
			return true
		}
	}
	return false
}

// moment is a state of a run, and what happens then: an event, and who takes part in it.
type moment struct {
	*together
	event  string
	movers []int
}

// letter is what is true at a moment.
func (m *moment) letter(props [][]Proposition) ltl.Letter {
	return func(a ltl.Atom) bool {
		switch a.Kind {
		case ltl.Event:
			return m.event == a.Name
		case ltl.Deadlock:
			return m.stuck()
		case ltl.Enabled:
			return m.enabled(a.Name)
		}
		for i, all := range props {
			for _, p := range all {
				if p.Name == a.Name && p.Formula != nil {
					return isTrue(p.Formula, m.stores[i])
				} else if p.Name == a.Name {
					return slices.Contains(p.At, m.at[i])
				}
			}
		}
		return false
	}
}

// replayer goes along a counterexample.
type replayer struct {
	t     *testing.T
	seed  uint64
	now   *together
	parts []Part
	next  []int // of each part's steps
	run   []moment
	taken []taken
}

// taken is an edge that was taken.
type taken struct {
	component, edge int
	inputs          logic.Model
	behind          *together
}

func newReplayer(t *testing.T, seed uint64, components []*program.Component, parts []Part) *replayer {
	r := &replayer{t: t, seed: seed, now: &together{of: components}, parts: parts}
	for i, c := range components {
		start := parts[i].Steps[0]
		if !slices.ContainsFunc(c.System.Init, func(init program.Region) bool {
			return init.Location == start.Location && isTrue(init.Where, start.State)
		}) {
			t.Errorf("seed %d: %s does not begin where it can", seed, c.Name)
		}
		r.now.at, r.now.stores, r.next = append(r.now.at, start.Location), append(r.now.stores, start.State), append(r.next, 1)
	}
	return r
}

// step takes the step of the counterexample with a number, from 1, that performs an event. Silent
// edges are moments of their own.
func (r *replayer) step(number int, event string) {
	var movers []int
	for i := range r.parts {
		if steps := r.parts[i].Steps; r.next[i] < len(steps) && int(steps[r.next[i]].Moves) == number {
			movers = append(movers, i)
		}
	}
	if event == lks.TauName {
		event = ""
	}
	for i, c := range r.now.of {
		if takes := slices.Contains(c.Alphabet, event); event != "" && takes != slices.Contains(movers, i) {
			r.t.Errorf("seed %d: step %d: %s takes part in %s: %v", r.seed, number, c.Name, event, !takes)
		}
	}
	if event == "" && len(movers) > 1 {
		r.t.Errorf("seed %d: step %d: %v move silently together", r.seed, number, movers)
	}
	before := r.now.copied()
	for _, i := range movers {
		s := &r.parts[i].Steps[r.next[i]]
		r.next[i]++
		for k, e := range s.Trace.Edges {
			if event == "" {
				r.run = append(r.run, moment{r.now.copied(), "", movers})
			}
			if r.now.of[i].Actions[e] != event {
				r.t.Errorf("seed %d: step %d: an edge performs %q, not %q", r.seed, number, r.now.of[i].Actions[e], event)
			}
			if !r.now.edge(i, e, s.Trace.Inputs[k]) {
				r.t.Errorf("seed %d: step %d: edge %d of %s is not possible", r.seed, number, e, r.now.of[i].Name)
			}
			r.taken = append(r.taken, taken{i, e, s.Trace.Inputs[k], r.now.copied()})
		}
		if r.now.at[i] != s.Location || r.now.stores[i].String() != s.State.String() {
			r.t.Errorf("seed %d: step %d: %s is elsewhere", r.seed, number, r.now.of[i].Name)
		}
	}
	if event != "" || len(movers) == 0 {
		r.run = append(r.run, moment{before, event, movers})
	}
}

// again takes the edges from some number on once more, with the same choices, and reports whether
// that is possible, and letters are the same behind each.
func (r *replayer) again(from int, atoms []ltl.Atom, props [][]Proposition) bool {
	for _, x := range r.taken[from:] {
		if !r.now.edge(x.component, x.edge, x.inputs) {
			return false
		}
		was, is := moment{together: x.behind}, moment{together: r.now}
		for _, a := range atoms {
			if was.letter(props)(a) != is.letter(props)(a) {
				return false
			}
		}
	}
	return true
}

// violation replays a lasso and evaluates the property on it, from the definitions.
func violation(t *testing.T, seed uint64, components []*program.Component, p *Property, got *SatisfiesResult) {
	t.Helper()
	l := got.Lasso
	r := newReplayer(t, seed, components, l.Parts)
	steps := l.Run.Steps()
	head, taken := 0, 0
	for i := range steps {
		if i == len(l.Run.Stem) {
			head, taken = len(r.run), len(r.taken)
		}
		r.step(i+1, steps[i].Event)
	}
	stem, loop := r.run[:head], r.run[head:]
	for i := range r.parts {
		if r.next[i] != len(r.parts[i].Steps) {
			t.Errorf("seed %d: %s does more than the lasso", seed, components[i].Name)
		}
		if r.now.at[i] != loop[0].at[i] {
			t.Errorf("seed %d: %s does not come back", seed, components[i].Name)
		}
	}
	ended := len(loop) == 1 && len(loop[0].movers) == 0
	if ended != loop[0].stuck() || ended && loop[0].imaginary() || !ended && slices.ContainsFunc(loop, func(m moment) bool { return len(m.movers) == 0 }) {
		t.Errorf("seed %d: the lasso ends: %v, by definition %v", seed, ended, loop[0].stuck())
	}
	if got.Ends || ended && p.Finite == product.IgnoreRuns {
		if !got.Ends || !ended || p.Finite != product.RefuseRuns {
			t.Errorf("seed %d: the end of a run is no violation", seed)
		}
		return
	}
	var word ltl.Word
	for i := range stem {
		word.Stem = append(word.Stem, stem[i].letter(p.Propositions))
	}
	for i := range loop {
		word.Loop = append(word.Loop, loop[i].letter(p.Propositions))
	}
	if naive.LTLHolds(p.Formula, word) {
		t.Errorf("seed %d: the lasso satisfies %v", seed, p.Formula)
	}
	for _, m := range r.run {
		for i, all := range p.Propositions {
			for _, q := range all {
				if q.Undefined != nil && isTrue(q.Undefined, m.stores[i]) {
					t.Errorf("seed %d: %s has no value in the lasso", seed, q.Name)
				}
			}
			if _, lost := components[i].Lost[m.at[i]]; lost {
				t.Errorf("seed %d: the lasso leaves what is modelled", seed)
			}
		}
	}
	if !ended {
		fair(t, seed, components, p, loop)
	}
	for range 2 {
		if end := len(r.taken); l.Repeats && !r.again(taken, ltl.Atoms(p.Formula), p.Propositions) {
			t.Errorf("seed %d: the loop of %d edges cannot be repeated", seed, end-taken)
		}
	}
}

// fair asks of a loop what the property's fairness asks of runs.
func fair(t *testing.T, seed uint64, components []*program.Component, p *Property, loop []moment) {
	t.Helper()
	if p.Fairness == product.NoFairness {
		return
	}
	all := func(f func(m moment) bool) bool {
		return !slices.ContainsFunc(loop, func(m moment) bool { return !f(m) })
	}
	actions := map[string]bool{}
	for i, c := range components {
		for _, a := range c.Alphabet {
			actions[a] = true
		}
		if all(func(m moment) bool { return m.able(i) && !slices.Contains(m.movers, i) }) {
			t.Errorf("seed %d: the loop is not fair to %s", seed, c.Name)
		}
	}
	for a := range actions {
		never := all(func(m moment) bool { return m.event != a })
		always := all(func(m moment) bool { return m.enabled(a) })
		again := slices.ContainsFunc(loop, func(m moment) bool { return m.enabled(a) })
		if never && (p.Fairness == product.ActionFairness && always || p.Fairness == product.StrongActionFairness && again) {
			t.Errorf("seed %d: the loop is not fair to %s", seed, a)
		}
	}
}

// deadlocked replays a run into a deadlock.
func deadlocked(t *testing.T, seed uint64, components []*program.Component, d *Deadlock) {
	t.Helper()
	r := newReplayer(t, seed, components, d.Parts)
	for i, s := range d.Trace.Stem {
		r.step(i+1, s.Event)
	}
	done := true
	for i, c := range components {
		done = done && slices.Contains(c.Ends, r.now.at[i])
	}
	if !r.now.stuck() || r.now.imaginary() || done {
		t.Errorf("seed %d: the run does not end in a deadlock", seed)
	}
}
