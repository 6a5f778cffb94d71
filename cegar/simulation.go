package cegar

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/conform"
	"github.com/seltl/seltl/internal/refine"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/predabs"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/program/passes"
	"github.com/seltl/seltl/smt"
)

// Verdict is the answer to a question about a program.
type Verdict int

const (
	Unknown Verdict = iota
	Holds
	Fails
)

// Result of Simulates.
type Result struct {
	Verdict Verdict
	Reason  string // of Unknown
	Rounds  []Round
	// Models are the last abstract models, by component.
	Models []*predabs.AbstractLKS
	// Seeds are the branches whose conditions predicates were inferred from, by component.
	Seeds [][]predabs.Branch
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

// Part is what a component does in a counterexample.
type Part struct {
	Steps []Step // Steps[0] is where it starts
}

// Step is where a component is, and how it came there.
type Step struct {
	Parent   int   // the step before it, -1 at the start
	Moves    int32 // the state of the Moves that it leads to
	Action   string
	Trace    *program.Trace // the edges and the states between, nil at the start
	State    logic.Model
	Location int
}

// Round is the account of one round of refinement.
type Round struct {
	States     []int // of the abstract models, by component
	Predicates []int // tracked at a location at most, by component
	Positions  int64 // of the game, or pairs
	Trees      int   // counterexamples that were looked at
	Nodes      int   // of the largest part
	Refined    []int // components that could not follow, sorted
	New        int   // predicates added
	Branches   []int // seeds, by component
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
	solver, err := pool.Acquire(ctx)
	if err != nil {
		return nil, err
	}
	defer pool.Release(solver)
	s := &simulation{ctx: ctx, solver: solver, opts: opts, meter: budget.New(ctx, opts.Limits, opts.Progress), result: &Result{}}
	if err := s.prepare(components, spec); err != nil {
		return nil, err
	}
	f, real, err := refine.Run(s, refine.Options[Round]{Refinements: opts.Rounds, Narrate: func(r Round) {
		s.result.Rounds = append(s.result.Rounds, r)
		if opts.Narrate != nil {
			opts.Narrate(r)
		}
	}})
	var u *undecided
	switch {
	case errors.As(err, &u):
		s.result.Reason = u.reason
	case errors.Is(err, refine.ErrRounds), errors.Is(err, refine.ErrStuck), errors.Is(err, context.DeadlineExceeded):
		s.result.Reason = err.Error()
	case err != nil:
		return s.result, err
	case real:
		s.result.Verdict, s.result.Counterexample = Fails, f.counterexample
	default:
		s.result.Verdict = Holds
	}
	return s.result, nil
}

// undecided ends a loop that more rounds would not help.
type undecided struct{ reason string }

func (u *undecided) Error() string { return u.reason }

// NoInitialState is the error of a component that cannot begin.
type NoInitialState struct {
	Component int // its index
	Name      string
}

func (e *NoInitialState) Error() string {
	return e.Name + " has no initial state: its guard is never true"
}

// simulation is a refine.Problem.
type simulation struct {
	ctx        context.Context
	solver     smt.Solver
	opts       Options
	meter      *budget.Meter
	spec       *lks.Network
	mayEnd     bool // the specification can end wherever it is
	components []*component
	result     *Result
}

// component is what is known of one component.
type component struct {
	passed     *passes.PassedComponent // nil if it is searched as it is
	abstracter *predabs.Abstracter
	mapping    predabs.Mapping
	model      *predabs.AbstractLKS
	seeds      *seeds
}

// usable reports the first thing wrong with components that are to run side by side.
func usable(components []*program.Component) error {
	if len(components) == 0 {
		return errors.New("there is no component")
	}
	names := map[string]bool{}
	for _, c := range components {
		if err := c.Validate(); err != nil {
			return fmt.Errorf("component %s: %w", c.Name, err)
		}
		if names[c.Name] {
			return fmt.Errorf("two components have the name %s", c.Name)
		}
		names[c.Name] = true
	}
	return nil
}

func (s *simulation) prepare(components []*program.Component, spec *lks.LKS) error {
	prover := predabs.NewProver(s.solver)
	s.solver.Limit(questionWork)
	s.mayEnd = mayEnd(spec)
	all := map[string]bool{}
	for i, c := range components {
		var user predabs.Mapping
		if i < len(s.opts.User) {
			user = s.opts.User[i]
		}
		k := &component{}
		var err error
		if k.passed, err = s.smaller(c, user); err != nil {
			return err
		}
		if k.passed != nil {
			c = k.passed.Component
		}
		k.abstracter, k.seeds = predabs.NewAbstracter(c, prover), newSeeds(c, user, s.opts.Apart)
		k.mapping = k.seeds.empty.Clone()
		s.components = append(s.components, k)
		for _, a := range c.Alphabet {
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

// questionWork bounds a question, in the solver's units.
const questionWork = 50_000_000

// found is what a round finds.
type found struct {
	counterexample *Counterexample
	spurious       []spurious
	leaves         string // reason: a counterexample that can be run leaves what is modelled
	unanswered     string // reason
}

// spurious is a part that its component cannot follow.
type spurious struct {
	component int
	part      *part
}

// Check builds the abstract models and compares their composition with the
// specification.
func (s *simulation) Check(_ int, round *Round) (*found, bool, error) {
	nets := make([]*lks.Network, len(s.components))
	s.result.Models, s.result.Seeds = nil, nil
	for i, k := range s.components {
		model, err := k.abstracter.Build(s.ctx, k.mapping, s.meter)
		if err != nil {
			return nil, false, err
		}
		k.model = model
		if len(model.Initial) == 0 {
			return nil, false, &NoInitialState{Component: i, Name: k.abstracter.Component.Name}
		}
		m, err := model.LKS()
		if err != nil {
			return nil, false, err
		}
		nets[i] = lks.Single(m)
		round.States = append(round.States, len(model.States))
		round.Predicates = append(round.Predicates, k.mapping.Most())
		round.Branches = append(round.Branches, len(k.seeds.branches()))
		s.result.Models = append(s.result.Models, model)
		s.result.Seeds = append(s.result.Seeds, k.seeds.branches())
	}
	net := nets[0]
	if len(nets) > 1 {
		var err error
		if net, err = lks.Compose("program", nets...); err != nil {
			return nil, false, err
		}
	}
	opts := conform.Options{Preorder: conform.Weak, Method: conform.Plain, SilentSpec: conform.Saturate, Trees: s.opts.trees(), Limits: s.opts.Limits, Progress: s.opts.Progress}
	if s.opts.Traces {
		opts.Preorder = conform.Trace
	}
	r, err := conform.Check(s.ctx, net, s.spec, opts)
	s.result.Abstract = r
	if err != nil {
		return nil, false, err
	}
	round.Positions = r.Stats.Positions
	return &found{}, !r.Holds, nil
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
		done, err := s.validate(f, i, moves, net, round)
		if done || err != nil {
			return done, err
		}
	}
	switch {
	case len(f.spurious) > 0:
		return false, nil
	case f.leaves != "":
		return false, &undecided{f.leaves}
	}
	return false, &undecided{f.unanswered}
}

func (s *simulation) validate(f *found, tree int, moves *conform.Moves, net *lks.Network, round *Round) (bool, error) {
	c := &Counterexample{Tree: tree, Moves: moves}
	leaves, answered := "", true
	var parts []*part
	var runs []*run
	for i, k := range s.components {
		p, err := project(moves, net, i, k.model)
		if err != nil {
			return false, err
		}
		if p == nil {
			f.unanswered = "a counterexample is too large to be followed"
			answered = false
			continue
		}
		round.Nodes = max(round.Nodes, len(p.nodes))
		status, r, reason, err := p.feasible(s.ctx, s.solver)
		switch {
		case err != nil:
			return false, err
		case status == smt.Unsat:
			f.spurious = append(f.spurious, spurious{i, p})
			if !slices.Contains(round.Refined, i) {
				round.Refined = append(round.Refined, i)
				slices.Sort(round.Refined)
			}
			return false, nil
		case status == smt.Unknown:
			f.unanswered = "the solver cannot say whether a counterexample can be run: " + reason
			answered = false
			continue
		}
		if p.lost && leaves == "" {
			leaves = p.leaving()
		}
		parts, runs = append(parts, p), append(runs, r)
	}
	switch {
	case !answered:
		return false, nil
	case leaves != "":
		f.leaves = leaves
		return false, nil
	}
	for i, k := range s.components {
		steps, err := k.steps(parts[i], runs[i])
		if err != nil {
			f.unanswered = err.Error()
			return false, nil
		}
		c.Parts = append(c.Parts, steps)
	}
	f.counterexample = c
	return true, nil
}

// leaving says where a part leaves what is modelled, and why.
func (p *part) leaving() string {
	for _, n := range p.nodes {
		if why, is := p.of.Component.Lost[n.location]; is {
			return fmt.Sprintf("a run of %s leaves what is modelled: %s", p.of.Component.Name, why)
		}
	}
	return ""
}

// Refine gives predicates to the components that cannot follow.
func (s *simulation) Refine(f *found, round *Round) (bool, error) {
	for i, x := range f.spurious {
		if i > 0 { // what the others gave may do
			k := s.components[x.component]
			if gone, err := s.excludes(k, k.mapping, x.part, false); gone || err != nil {
				if err != nil {
					return false, err
				}
				continue
			}
		}
		added, err := s.exclude(s.components[x.component], x.part)
		if err != nil {
			return false, err
		}
		round.New += added
	}
	return round.New > 0, nil
}
