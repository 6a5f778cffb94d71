package product

import (
	"cmp"
	"errors"
	"math"
	"slices"

	"github.com/seltl/seltl/buchi"
	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/frontier"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/run"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/product/internal/meet"
)

// Watch follows a formula along finite runs of a network: what it asks of the rest, by
// the expansion laws of temporal operators, and whether that is settled, whatever
// follows, by the automata of the formula and of its negation: a monitor with three values
// ([BauerLeuckerSchallhart11]).
type Watch struct {
	net *lks.Network
	f   *ltl.Formula
	// Of the formula, and of its negation; nil if they are too large.
	good, bad *monitor
}

// Standing is how a formula stands after some steps of a run.
type Standing struct {
	// Left is what the formula asks of the rest of the run, which begins with the state
	// that has been reached; nil once it has become too large.
	Left      *ltl.Formula
	good, bad int32 // sets of the monitors
}

// NewWatch returns a watch for a formula whose atoms are propositions and actions of the
// network. Where the automata take long it does without. The error is ltl.ErrNil, an
// *ltl.AtomError, or the meter's.
func NewWatch(net *lks.Network, f *ltl.Formula, meter *budget.Meter) (*Watch, error) {
	if f == nil {
		return nil, ltl.ErrNil
	}
	w := &Watch{net: net, f: f}
	if _, err := meet.NewBinding(net, ltl.Atoms(f)); err != nil {
		return nil, err
	}
	for _, side := range []struct {
		f  *ltl.Formula
		to **monitor
	}{{f, &w.good}, {ltl.MakeNot(f), &w.bad}} {
		a, err := buchi.Live(side.f, prefixOptions(net, f, meter))
		if err == nil {
			*side.to, err = newMonitor(net, meet.NewAutomaton(a))
		}
		if err != nil && !budget.Stopped(err) {
			return nil, err
		}
		if err := meter.Tick(budget.Progress{}); err != nil {
			return nil, err
		}
	}
	if w.good == nil || w.bad == nil {
		w.good, w.bad = nil, nil
	}
	return w, nil
}

// Begin returns how the formula stands before any step.
func (w *Watch) Begin() Standing {
	s := Standing{Left: w.f}
	if w.Settles() {
		s.good, s.bad = w.good.start(), w.bad.start()
	}
	return s
}

// Settles reports whether Verdict has an answer wherever there is one. Otherwise it has one
// at the end of runs, and where nothing is left of the formula.
func (w *Watch) Settles() bool { return w.good != nil }

// After returns how the formula stands after another step. Of the step, state and event
// count. Time is linear in what is left of the formula.
func (w *Watch) After(at Standing, step *run.Step) Standing {
	next := Standing{}
	if at.Left != nil {
		next.Left = ltl.Residual(at.Left, meet.Letter(step))
		if next.Left.Size() > 2*w.f.Size()+16 {
			next.Left = ltl.Simplify(next.Left, ltl.SimplifyOptions{})
		}
		if next.Left.Size() > mostResidual {
			next.Left = nil
		}
	}
	if w.Settles() {
		next.good = w.good.follow(at.good, step)
		next.bad = w.bad.follow(at.bad, step)
	}
	return next
}

// follow is after for a step that is described.
func (m *monitor) follow(set int32, step *run.Step) int32 {
	class := int32(0)
	if step.Rule != run.Stutter {
		class = m.classOf(step.Event)
	}
	return m.after(set, m.letter(&step.State), class)
}

// classOf returns the class of the rules that show an event: 0 of one that the automaton
// does not read.
func (m *monitor) classOf(event string) int32 {
	rules := m.net.Rules()
	r, found := slices.BinarySearchFunc(rules, m.net.Action(event), func(r lks.Rule, action int32) int { return cmp.Compare(r.Action, action) })
	if !found {
		return 0
	}
	return m.bind.Class[r]
}

// Verdict says whether every infinite run that begins with the steps so far, and goes on
// from the state, violates the formula, or satisfies it, or neither is so (Unknown): from
// a state without successors, where the run stutters, one of the first two.
func (w *Watch) Verdict(at Standing, state *run.State) Verdict {
	switch ended := len(state.Enabled) == 0; {
	case ended && at.Left != nil:
		if ltl.Eval(at.Left, ltl.Word{Loop: []ltl.Letter{meet.StateLetter(state)}}) {
			return Holds
		}
		return Violated
	case w.Settles() && w.good.lost(at.good, state):
		return Violated
	case w.Settles() && w.bad.lost(at.bad, state):
		return Holds
	case at.Left == ltl.Ff():
		return Violated
	case at.Left == ltl.T():
		return Holds
	}
	return Unknown
}

// lost reports whether nothing that follows is good, of a set that stands before a state.
func (m *monitor) lost(set int32, state *run.State) bool {
	if set == 0 {
		return true
	}
	letter := m.letter(state)
	return m.badState(set, letter) || len(state.Enabled) == 0 && m.badEnd(set, letter)
}

// Owed returns the conjuncts of what is left that the formula does not have itself and that
// the state does not fulfil whatever event leaves it: what the steps so far have left to be
// done.
func (w *Watch) Owed(at Standing, state *run.State) []*ltl.Formula {
	if at.Left == nil {
		return nil
	}
	had := conjuncts(w.f)
	var owed []*ltl.Formula
	for _, g := range conjuncts(at.Left) {
		fulfilled := !slices.ContainsFunc(afterAnyEvent(g, state), func(left *ltl.Formula) bool { return left != ltl.T() })
		if simple := ltl.Simplify(g, ltl.SimplifyOptions{}); simple.Size() < g.Size() {
			g = simple
		}
		if !fulfilled && !slices.Contains(had, g) && !slices.Contains(owed, g) {
			owed = append(owed, g)
		}
	}
	return owed
}

func conjuncts(f *ltl.Formula) []*ltl.Formula {
	if f.Op() == ltl.And {
		return f.Args()
	}
	return []*ltl.Formula{f}
}

// Eval reports whether a run with a loop satisfies the formula.
func (w *Watch) Eval(lasso *run.Run) bool { return ltl.Eval(w.f, meet.Word(lasso)) }

// ErrUnsettled is why Violation does not search: the automata of the formula are too large.
var ErrUnsettled = errors.New("the formula is too large to be followed along all runs")

// Violation searches, breadth-first, from a packed state where the formula stands so, for
// the nearest one where the formula is violated whatever follows, or by the run ending. It returns the states on
// the way, this one included, and the rules between them; none if there is no such state.
// Time is linear in the transitions of the product of the network and the monitor. The
// error is ErrUnsettled or the meter's.
func (w *Watch) Violation(from []uint64, at Standing, meter *budget.Meter) (states [][]uint64, rules []int32, err error) {
	if !w.Settles() {
		return nil, nil, ErrUnsettled
	}
	s := &prefixSearch{monitor: w.good, counts: EveryState, states: frontier.New(w.net.Words() + 1), phase: "searching"}
	n, _, err := s.nearest(from, at.good, math.MaxInt, meter)
	switch {
	case err != nil:
		return nil, nil, err
	case s.gaveUp:
		return nil, nil, ErrUnsettled
	case n < 0:
		return nil, nil, nil
	}
	states, rules = s.way(n)
	return states, rules, nil
}

// way returns the packed states on the way to a state of the search, and the rules.
func (s *prefixSearch) way(n int32) (states [][]uint64, rules []int32) {
	states, rules = s.states.Run(n)
	for i := range states {
		states[i] = states[i][:s.net.Words()]
	}
	return states, rules
}
