package sim

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/frontier"
	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/run"
	"github.com/seltl/seltl/ltl"
)

// Found says how a search for a goal went on in the run.
type Found struct {
	Steps int // made; 0: the goal was reached already
	// Loaded is set if the run is now another one, a counterexample from the start, all of
	// which lies ahead.
	Loaded bool
}

// ErrNowhere is what Goto says where no state that can be reached from here is the goal.
var ErrNowhere = errors.New("that cannot be reached from here")

// Goto goes on to a goal by a shortest way, breadth-first. Goals are
//
//	deadlock              nothing is possible, and the model is not at its END or in ERROR
//	end, error            END, ERROR
//	COMPONENT in STATE    a local state; several of these with &
//	a formula             without temporal operators: the first state where it is true; with
//	                      events, the step where it is true is taken
//	violation             the nearest ERROR, or state where a property is violated
//	violation of NAME     of a property of the session, of a component, or a progress property
//	violation of FORMULA  of any SE-LTL formula
//
// Where runs violate a property that no finite one does for good, one of those is loaded,
// from the start. The error is ErrNowhere, diagnostics of the formula, a *NotPossible, or
// that of a limit or the context.
func (s *Session) Goto(ctx context.Context, goal string) (*Found, error) {
	goal = strings.TrimSpace(goal)
	if rest, ok := strings.CutPrefix(goal+" ", "violation "); ok {
		rest = strings.TrimSpace(rest)
		if rest == "" {
			return s.gotoAnyViolation(ctx)
		}
		if of, ok := strings.CutPrefix(rest+" ", "of "); ok {
			return s.gotoViolation(ctx, strings.TrimSpace(of))
		}
	}
	switch goal {
	case "":
		return nil, &NotPossible{Text: "goto: where to?", Help: "a formula, deadlock, end, error, or violation of PROPERTY"}
	case "deadlock":
		return s.search(ctx, &target{state: func(v *met) bool { return v.next.Len() == 0 && v.kind == lks.Normal }})
	case "end":
		return s.search(ctx, &target{state: func(v *met) bool { return v.kind == lks.End }})
	case "error":
		return s.search(ctx, &target{state: func(v *met) bool { return v.kind == lks.Error }})
	}
	if t, err := s.localGoal(goal); t != nil || err != nil {
		if err != nil {
			return nil, err
		}
		return s.search(ctx, t)
	}
	f, err := s.parse(goal)
	if err != nil {
		return nil, s.hintLocal(goal, err)
	}
	t, err := s.reading(f)
	if err != nil {
		return nil, err
	}
	return s.search(ctx, t)
}

// parse reads a formula about the model.
func (s *Session) parse(text string) (*ltl.Formula, error) {
	opts, err := s.model.ParseOptions()
	if err != nil {
		return nil, err
	}
	return ltl.Parse(source.NewFile("<goal>", text), opts)
}

// met is a state that the search has met, with what it can do.
type met struct {
	state []uint64
	kind  lks.Kind
	next  lks.Successors
}

// target is what a search is for: a state, or a step, by the index of a successor.
type target struct {
	state func(*met) bool
	step  func(*met, int) bool
}

// reading makes a target of a formula without temporal operators.
func (s *Session) reading(f *ltl.Formula) (*target, error) {
	if !f.Is(ltl.Boolean) {
		return nil, &NotPossible{Text: fmt.Sprintf("goto %v: a state is needed, and this is about runs", f), Help: fmt.Sprintf("goto violation of %v leads to where it is violated", f)}
	}
	for _, a := range ltl.Atoms(f) {
		if a.Kind == ltl.Event || a.Kind == ltl.Enabled {
			if s.net.Action(a.Name) < 0 {
				return nil, &NotPossible{Text: fmt.Sprintf("there is no action %s", a.Name), Help: source.DidYouMean(a.Name, s.net.Alphabet()[1:])}
			}
		}
	}
	value := s.evaluator(f)
	if !slices.ContainsFunc(ltl.Atoms(f), func(a ltl.Atom) bool { return a.Kind == ltl.Event }) {
		return &target{state: func(v *met) bool { return value(v, -1) }}, nil
	}
	return &target{
		state: func(v *met) bool { return v.next.Len() == 0 && value(v, -1) }, // without any event
		step:  value,
	}, nil
}

// evaluator compiles a formula without temporal operators to a function of a state and a
// step by the successor with that index, -1: none.
func (s *Session) evaluator(f *ltl.Formula) func(*met, int) bool {
	args := lists.Map(f.Args(), s.evaluator)
	switch f.Op() {
	case ltl.Atomic:
		return s.atom(f.Atom())
	case ltl.Not:
		return func(v *met, i int) bool { return !args[0](v, i) }
	case ltl.And, ltl.Or:
		isOr := f.Op() == ltl.Or
		return func(v *met, i int) bool {
			for _, a := range args {
				if a(v, i) == isOr {
					return isOr
				}
			}
			return !isOr
		}
	case ltl.Xor:
		return func(v *met, i int) bool { return args[0](v, i) != args[1](v, i) }
	case ltl.Iff:
		return func(v *met, i int) bool { return args[0](v, i) == args[1](v, i) }
	case ltl.Implies:
		return func(v *met, i int) bool { return !args[0](v, i) || args[1](v, i) }
	}
	constant := f == ltl.T()
	return func(*met, int) bool { return constant }
}

func (s *Session) atom(a ltl.Atom) func(*met, int) bool {
	rules := s.net.Rules()
	id := s.net.Action(a.Name)
	switch a.Kind {
	case ltl.Prop:
		c, p, _ := s.net.Prop(a.Name)
		m := s.net.Components()[c]
		return func(v *met, _ int) bool {
			local := s.net.Local(v.state, c)
			return m.HasProp(local, p) && !s.net.LabelVoid(v.kind, c, local)
		}
	case ltl.Deadlock:
		return func(v *met, _ int) bool { return v.next.Len() == 0 }
	case ltl.Enabled:
		return func(v *met, _ int) bool {
			return slices.ContainsFunc(v.next.Rules, func(r int32) bool { return rules[r].Action == id })
		}
	}
	return func(v *met, i int) bool { return i >= 0 && rules[v.next.Rules[i]].Action == id }
}

// way is a way from the present state: packed states, and the rules between them.
type way struct {
	states [][]uint64
	rules  []int32
}

// search goes on to the nearest target.
func (s *Session) search(ctx context.Context, t *target) (*Found, error) {
	w, err := s.nearest(s.meter(ctx), t)
	if err != nil {
		return nil, err
	}
	return s.follow(w)
}

// nearest returns a shortest way to a target, or ErrNowhere.
func (s *Session) nearest(meter *budget.Meter, t *target) (*way, error) {
	words := s.net.Words()
	f := frontier.New(words)
	f.Reach(-1, s.packed(), []int32{-1})
	v := &met{state: make([]uint64, words)}
	transitions := int64(0)
	// A state that is a target is as near as its level, a step one more: it waits for the
	// rest of its level, behind which nothing is nearer.
	level := int32(1) // the first state of the next level
	var step *way
	for n := range f.InOrder {
		if n == level {
			if step != nil {
				break
			}
			level = int32(f.Len())
		}
		copy(v.state, f.State(n))
		v.kind = s.net.Kind(v.state)
		s.ex.Successors(v.state, &v.next)
		if t.state(v) {
			states, rules := f.Run(n)
			return &way{states, rules}, nil
		}
		if step == nil {
			step = stepOf(f, n, v, t)
		}
		if step == nil {
			f.Reach(n, v.next.States, v.next.Rules)
		}
		if transitions += int64(v.next.Len()); f.Due(meter, n, transitions) {
			if err := f.Tick(meter, budget.Progress{Phase: "searching", Transitions: transitions}); err != nil {
				return nil, err
			}
		}
	}
	if step == nil {
		return nil, ErrNowhere
	}
	return step, nil
}

// stepOf is the way to the first step of state n that is a target, nil if there is none.
func stepOf(f *frontier.Frontier, n int32, v *met, t *target) *way {
	if t.step == nil {
		return nil
	}
	words := len(v.state)
	for i, rule := range v.next.Rules {
		if t.step(v, i) {
			states, rules := f.Run(n)
			return &way{append(states, slices.Clone(v.next.States[i*words:(i+1)*words])), append(rules, rule)}
		}
	}
	return nil
}

// packed is the present state as explorers have it.
func (s *Session) packed() []uint64 {
	state := make([]uint64, s.net.Words())
	s.net.Pack(s.now().state.Local, state)
	s.net.Canonicalise(state)
	return state
}

// follow makes the steps of a way.
func (s *Session) follow(w *way) (*Found, error) {
	for i, rule := range w.rules {
		local, err := run.Follow(s.net, s.now().state.Local, rule, w.states[i+1])
		if err != nil {
			return nil, err
		}
		s.take(move{rule, local})
	}
	return &Found{Steps: len(w.rules)}, nil
}
