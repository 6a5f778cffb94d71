package cegar

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/predabs"
	"github.com/seltl/seltl/internal/predabs/lasso"
	"github.com/seltl/seltl/internal/program/passes"
	"github.com/seltl/seltl/internal/refine"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/outcome"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/smt"
)

// Answer is what every question is answered with.
type Answer struct {
	Verdict outcome.Verdict
	Reason  error // of Unknown
	Rounds  []Round
	Took    Phases
	// Models are the last abstract models, by component.
	Models []*predabs.AbstractLKS
	// Rankings are the functions and transition invariants, by component, that the answer rests
	// on: runs of the models on which one decreases for ever do not count.
	Rankings [][]Ranking
	labels   []map[labelKey]lasso.Label // what transitions do to these
	// Smaller says that they are of components that passes made smaller.
	Smaller bool
	// NoRun says of a proof that it rests on there being no run at all: an assumption fails on
	// every one of the models. Not known of conformance.
	NoRun bool
	// Seeds are the branches whose conditions predicates were inferred from, by component.
	Seeds [][]predabs.Branch
	// Incomplete says that for Minimal not all sets of branches were tried: a bound was reached.
	Incomplete bool
}

// Ranked reports whether ranking functions had a part in the last round.
func (a *Answer) Ranked() bool {
	return slices.ContainsFunc(a.Rankings, func(of []Ranking) bool { return len(of) > 0 })
}

// Round is the account of one round of refinement.
type Round struct {
	States     []int // of the abstract models, by component
	Predicates []int // tracked at a location at most, by component
	Positions  int64 // of the game, pairs, or states of the product, of the largest search
	Trees      int   // counterexamples that were looked at
	Nodes      int   // of the largest part
	Refined    []int // components that could not follow, sorted
	New        int   // predicates added
	// Above is how often quotients were searched, and Classes are their states in the end,
	// by component; 0 and nil with one level.
	Above    int
	Classes  []int
	Branches []int // seeds, by component
}

// NoInitialState is the error of a component that cannot begin.
type NoInitialState struct {
	Component int // its index
	Name      string
}

func (e *NoInitialState) Error() string {
	return e.Name + " has no initial state: its guard is never true"
}

// loop is what the questions share: components with what is known of them, which grows from
// round to round, their abstract models, validation of a counterexample component by
// component, and predicates for those that cannot follow. A question adds what it asks of the
// models, and what a counterexample is.
type loop struct {
	ctx        context.Context
	solver     smt.Solver
	opts       Options
	meter      *budget.Meter
	components []*component
	answer     *Answer
	unclear    string // why nothing is known of what components do not do, if so
}

// component is what is known of one component.
type component struct {
	source     *program.Component
	passed     *passes.PassedComponent // nil if source is searched as it is
	abstracter *predabs.Abstracter
	mapping    predabs.Mapping
	model      *predabs.AbstractLKS
	seeds      *seeds
	found      map[*logic.Term]int // predicates by how often they were found
	ranked     ranked
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

// questionWork bounds a question, in the solver's units.
const questionWork = 50_000_000

// newLoop prepares components that are usable. seen is what the question sees of them, by
// component; it may be nil. The solver has no assertions.
func newLoop(ctx context.Context, components []*program.Component, seen []predabs.Observation, solver smt.Solver, opts Options, answer *Answer) *loop {
	l := &loop{ctx: ctx, solver: solver, opts: opts, answer: answer, meter: budget.New(ctx, opts.Limits, opts.Progress)}
	prover := predabs.NewProver(solver)
	solver.Limit(questionWork)
	for i, c := range components {
		var user predabs.Mapping
		var observed predabs.Observation
		if i < len(seen) {
			observed = seen[i]
		}
		if i < len(opts.User) {
			user = opts.User[i]
		}
		k := &component{source: c, abstracter: predabs.NewAbstracter(c, observed, prover), seeds: newSeeds(c, user, opts.Apart || opts.Minimise == Minimal)}
		if why := k.abstracter.Unclear; why != "" && l.unclear == "" {
			l.unclear = c.Name + ": " + why
		}
		k.seeds.empty.AddAll(k.abstracter.Always)
		k.mapping = k.seeds.empty.Clone()
		l.components = append(l.components, k)
	}
	return l
}

// decide refines until the question is answered, which it writes down. c is the
// counterexample of an answer that is Violated.
func decide[C any](l *loop, question refine.Problem[C, Round]) (c C, err error) {
	c, real, err := refine.Run(timed[C]{question, &l.answer.Took}, refine.Options[Round]{Refinements: l.opts.Rounds, Explain: func(r Round) {
		l.answer.Rounds = append(l.answer.Rounds, r)
		if l.opts.Explain != nil {
			l.opts.Explain(r)
		}
	}})
	switch {
	case outcome.Ended(err), refine.OutOfRounds(err):
		l.answer.Reason = err
	case errors.Is(err, context.DeadlineExceeded):
		var limit *budget.Exhausted
		if l.answer.Reason = err; !errors.As(err, &limit) {
			l.answer.Reason = &budget.Exhausted{What: "time", Limit: l.meter.Elapsed().Round(time.Millisecond).String()}
		}
	case err != nil:
		return c, err
	case real:
		l.answer.Verdict = outcome.Violated
	default:
		l.answer.Verdict = outcome.Holds
	}
	return c, nil
}

// abstract builds the abstract models, each a network of its own.
func (l *loop) abstract(round *Round) (nets []*lks.Network, err error) {
	begin := time.Now()
	defer func() { l.answer.Took.Abstraction += time.Since(begin) }()
	l.answer.Models, l.answer.Seeds, l.answer.Rankings, l.answer.labels = nil, nil, nil, nil
	for i, k := range l.components {
		model, err := k.abstracter.Build(l.ctx, k.mapping, l.meter)
		if err != nil {
			return nil, err
		}
		k.model = model
		if len(model.Initial) == 0 {
			return nil, &NoInitialState{Component: i, Name: k.abstracter.Component.Name}
		}
		net, err := l.labelled(k, len(l.components) > 1)
		if err != nil {
			return nil, err
		}
		nets = append(nets, net)
		round.States = append(round.States, len(model.States))
		round.Predicates = append(round.Predicates, k.mapping.Most())
		round.Branches = append(round.Branches, len(k.seeds.branches()))
		l.answer.Models = append(l.answer.Models, model)
		l.answer.Seeds = append(l.answer.Seeds, k.seeds.branches())
		l.answer.Rankings = append(l.answer.Rankings, slices.Clone(k.ranked.measures))
		l.answer.labels = append(l.answer.labels, k.ranked.known)
	}
	return nets, nil
}

// spurious is a part that its component cannot follow.
type spurious struct {
	component int
	part      *part
}

// findings are what the parts of a round's counterexamples came to.
type findings struct {
	spurious   []spurious
	leaves     string // reason: a counterexample that can be run leaves what is modelled
	unanswered string // reason
}

// follow asks every component, in their order, whether it can follow its part of a
// counterexample; project makes the parts, nil where one is too large. It returns what they
// do if all can, in what is modelled, and otherwise writes down what was found.
func (l *loop) follow(f *findings, round *Round, project func(component int) (*part, error)) ([]Part, error) {
	leaves, answered := "", true
	var all []Part
	for i := range l.components {
		p, err := project(i)
		if err != nil {
			return nil, err
		}
		if p == nil {
			f.unanswered = "a counterexample is too large to be followed"
			answered = false
			continue
		}
		round.Nodes = max(round.Nodes, len(p.nodes))
		status, r, reason, err := p.feasible(l.ctx, l.solver)
		switch {
		case err != nil:
			return nil, err
		case status == smt.Unsat:
			f.spurious = append(f.spurious, spurious{i, p})
			if !slices.Contains(round.Refined, i) {
				round.Refined = append(round.Refined, i)
				slices.Sort(round.Refined)
			}
			return nil, nil
		case status == smt.Unknown:
			f.unanswered = "the solver cannot say whether a counterexample can be run: " + reason
			answered = false
			continue
		}
		if p.lost && leaves == "" {
			leaves = p.leaving()
		}
		steps, err := l.components[i].steps(p, r)
		if err != nil {
			f.unanswered = err.Error()
			answered = false
			continue
		}
		all = append(all, steps)
	}
	switch {
	case !answered:
		return nil, nil
	case leaves != "":
		f.leaves = leaves
		return nil, nil
	}
	return all, nil
}

// verdict says, if no counterexample was one that all components can follow, whether
// refinement may help: nil then.
func (f *findings) verdict() error {
	switch {
	case len(f.spurious) > 0:
		return nil
	case f.leaves != "":
		return &outcome.Stuck{What: f.leaves}
	}
	return &outcome.Stuck{What: f.unanswered}
}

// learn gives predicates to the components that cannot follow.
func (l *loop) learn(f *findings, round *Round) (bool, error) {
	for i, x := range f.spurious {
		if i > 0 { // what the others gave may do
			k := l.components[x.component]
			if gone, err := l.excludes(k, k.mapping, x.part); gone || err != nil {
				if err != nil {
					return false, err
				}
				continue
			}
		}
		added, err := l.exclude(l.components[x.component], x.part)
		if err != nil {
			return false, err
		}
		round.New += added
	}
	return round.New > 0, nil
}
