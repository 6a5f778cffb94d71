package cegar

import (
	"context"
	"maps"
	"slices"

	"github.com/seltl/seltl/conform"
	"github.com/seltl/seltl/internal/program/passes"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/outcome"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/smt"
)

// Result of Simulates.
type Result struct {
	Answer
	// Abstract is what the last comparison with the specification found. Where the question
	// fails, its tree or trace is one that the program has: Counterexample.
	Abstract       *conform.Result
	Counterexample *Counterexample
}

// Counterexample is a run of the program that the specification cannot follow, or several
// that begin as one.
type Counterexample struct {
	Tree  int // of Result.Abstract.Trees
	Moves *conform.Moves
	Parts []Part // by component
}

// Simulates decides whether the parallel composition of components conforms to a
// specification ([Chaki05], Procedures 6.5 and 7.2): whether it is weakly simulated by it,
// with any number of silent steps of the specification, or, with Options.Traces, whether
// the specification has all its traces. An action that the specification does not have is
// one that it never performs; what is not to be compared is silent in the components.
//
// A program that holds is simulated by abstract models that are. One that fails has a
// Counterexample, whose parts were evaluated step by step. What leads to a Lost location is
// Unknown, as are limits, a solver without an answer, and refinement that learns nothing.
// Errors are those of the solver, of a context that ended, NoInitialState, and of components
// that are inconsistent (program.Component.Validate) or share a name.
func Simulates(ctx context.Context, components []*program.Component, spec *lks.LKS, pool *smt.Pool, opts Options) (*Result, error) {
	if err := usable(components); err != nil {
		return nil, err
	}
	r, s, err := simulates(ctx, components, spec, pool, opts)
	if err == nil && r.Verdict == outcome.Holds && slices.ContainsFunc(s.components, func(k *component) bool { return k.model != nil && !k.model.Completes() }) {
		r.NoRun = noRun(ctx, components, pool, opts)
	}
	return r, err
}

func simulates(ctx context.Context, components []*program.Component, spec *lks.LKS, pool *smt.Pool, opts Options) (*Result, *simulation, error) {
	solver, err := pool.Acquire(ctx)
	if err != nil {
		return nil, nil, err
	}
	defer pool.Release(solver)
	r := &Result{}
	s := &simulation{result: r}
	if s.loop, err = newSmallLoop(ctx, components, smaller(ctx, components, nil, passes.Sight{Ends: !mayEnd(spec)}, opts), nil, solver, opts, &r.Answer); err != nil {
		return nil, nil, err
	}
	if err := s.specify(spec); err != nil {
		return nil, nil, err
	}
	f, err := decide(s.loop, s)
	if err != nil {
		return r, s, err
	}
	if r.Verdict == outcome.Violated {
		r.Counterexample = f.counterexample
	}
	return r, s, nil
}

// simulation is a refine.Problem.
type simulation struct {
	*loop
	spec   *lks.Network
	result *Result
}

// specify takes a specification.
func (s *simulation) specify(spec *lks.LKS) error {
	all := map[string]bool{}
	for _, k := range s.components {
		for _, a := range k.abstracter.Component.Alphabet {
			all[a] = true
		}
		all[k.abstracter.LostAction()] = true
	}
	// What only one side has is added to the other: the comparison is of equal alphabets.
	b := lks.NewBuilder(spec.Name())
	for _, a := range spec.Alphabet()[1:] {
		b.Action(a)
		if !all[a] {
			c := *s.components[0].abstracter.Component
			c.Alphabet = append(slices.Clone(c.Alphabet), a)
			slices.Sort(c.Alphabet)
			s.components[0].abstracter.Component = &c
		}
	}
	for _, a := range slices.Sorted(maps.Keys(all)) {
		b.Action(a)
	}
	for q := range int32(spec.NumStates()) {
		b.StateID(spec.Kind(q), nil)
		for _, e := range spec.Edges(q) {
			b.Transition(q, spec.Alphabet()[e.Action], e.Target)
		}
	}
	b.Initial(spec.Initial()...)
	b.Describe(spec.StateName)
	m, err := b.Build()
	if err != nil {
		return err
	}
	s.spec = lks.Single(m)
	return nil
}

// found is what a round finds.
type found struct {
	findings
	counterexample *Counterexample
}

// Check builds the abstract models and compares their composition with the
// specification.
func (s *simulation) Check(_ int, round *Round) (*found, bool, error) {
	nets, err := s.abstract(round)
	if err != nil {
		return nil, false, err
	}
	net := nets[0]
	if len(nets) > 1 {
		if net, err = lks.Compose("program", nets...); err != nil {
			return nil, false, err
		}
	}
	opts := conform.Options{Preorder: conform.Weak, Method: s.method(), SilentSpec: conform.Saturate, Trees: s.opts.trees(), Limits: s.opts.Limits, Progress: s.opts.Progress}
	if s.opts.Traces {
		opts.Preorder = conform.Trace
	}
	r, err := conform.Check(s.ctx, net, s.spec, opts)
	s.result.Abstract = r
	if err == nil {
		err = r.Reason
	}
	if err != nil {
		return nil, false, err
	}
	round.Positions = r.Stats.Positions
	if l := r.Levels; l != nil && r.Method == conform.TwoLevel {
		round.Above = len(l.Rounds) + 1
		for _, k := range l.Components {
			round.Classes = append(round.Classes, k.Classes)
		}
	}
	return &found{}, !r.Holds(), nil
}

// method compares with the composition of the abstract models or, with two levels, with that of
// quotients of them: WeakSimulAG, CanSimulAG, ValidateAndRefineAG ([Chaki05], Procedures 9.1 to
// 9.3) are conform's, which gives back what all abstract models can follow. The loop around it
// makes it TwoLevelCEGAR (9.4).
func (s *simulation) method() conform.Method {
	switch s.opts.Levels {
	case OneLevel:
		return conform.Plain
	case TwoLevels:
		return conform.TwoLevel
	}
	return conform.Auto
}

// counterexamples returns how many trees, or traces, the comparison has found.
func (s *simulation) counterexamples() int {
	if s.opts.Traces {
		return 1
	}
	return len(s.result.Abstract.Trees)
}

// Validate looks for a component that cannot follow, in each counterexample: one that all
// components can follow decides.
func (s *simulation) Validate(f *found, round *Round) (bool, error) {
	net := s.result.Abstract.ImplNetwork()
	for i := range s.counterexamples() {
		round.Trees++
		moves, err := s.result.Abstract.Moves(i)
		if err != nil {
			return false, err
		}
		if moves == nil {
			f.unanswered = "a counterexample is too large to be followed"
			continue
		}
		parts, err := s.follow(&f.findings, round, func(component int) (*part, error) {
			return project(moves, net, component, s.components[component].model)
		})
		if err != nil {
			return false, err
		}
		if parts != nil {
			f.counterexample = &Counterexample{Tree: i, Moves: moves, Parts: parts}
			return true, nil
		}
	}
	return false, f.verdict()
}

// Refine gives predicates to the components that cannot follow.
func (s *simulation) Refine(f *found, round *Round) (bool, error) { return s.learn(&f.findings, round) }
