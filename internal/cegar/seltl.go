package cegar

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/predabs"
	"github.com/seltl/seltl/internal/program/passes"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/outcome"
	"github.com/seltl/seltl/product"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/smt"
)

// Property is what Satisfies asks: whether all runs satisfy a formula.
type Property struct {
	// Formula is over the actions of the components, and the names of propositions. It
	// must ignore silent steps (product.IgnoresSilentSteps), and not name tau.
	Formula *ltl.Formula
	// Propositions are by component; there may be fewer entries.
	Propositions [][]Proposition
	Finite       product.FiniteRuns
	// Fairness is of processes or of actions; that of actions includes that of processes,
	// since silent steps are those of a component, and no common action. Transitions are those
	// of a program, not of its abstractions: product.ChoiceFairness is no question about it.
	Fairness product.Fairness
}

// requirements are the property's fairness: what is asked of components, and of the actions of
// their alphabets.
func (p *Property) requirements(components []*program.Component) (of product.Fairness, sets []product.FairSet) {
	if p.Fairness == product.NoFairness || p.Fairness == product.ProcessFairness {
		return p.Fairness, nil
	}
	var actions []string
	for _, c := range components {
		actions = append(actions, c.Alphabet...)
	}
	slices.Sort(actions)
	for _, a := range slices.Compact(actions) {
		sets = append(sets, product.FairSet{Actions: []string{a}, Strong: p.Fairness == product.StrongActionFairness})
	}
	return product.ProcessFairness, sets
}

// Proposition is one about a component.
type Proposition struct {
	predabs.Prop
	// Undefined are states in which it has no value, and so may have any; nil: none.
	Undefined *logic.Term
}

// SatisfiesResult is the result of Satisfies.
type SatisfiesResult struct {
	Answer
	// Abstract is what the last search of the abstract models found.
	Abstract *product.Result
	// Lasso is a run that violates the property where that Fails. Ends is set if it is one
	// that only product.RefuseRuns does not allow, since it ends.
	Lasso *Lasso
	Ends  bool
	// Proof, of a property that Holds, are the abstract models together, which have all runs of the
	// program, and Formula the property as it was asked of them: of propositions that say the same of a
	// component they have one.
	Proof   *lks.Network
	Formula *ltl.Formula
}

// Satisfies decides whether all runs of the parallel composition of components satisfy a
// property ([Chaki05], SELTL-CEGAR, Procedure 8.4).
//
// What the abstract models satisfy, the program does: they have all its runs, and agree with
// it about what is possible and what holds (predabs.Observation). A counterexample is a lasso
// of theirs, of which every component is asked whether it can follow its projection for ever
// (see lasso.go). A run that does not exist, since an assumption of the program fails
// in it, violates nothing. Where a run leaves what is modelled, or a proposition has no value,
// nothing holds, but a run that does not come there may violate the property.
//
// Errors are as of Simulates, and *ltl.AtomError for a formula that names tau.
func Satisfies(ctx context.Context, components []*program.Component, p *Property, pool *smt.Pool, opts Options) (*SatisfiesResult, error) {
	if err := usable(components); err != nil {
		return nil, err
	}
	if err := p.check(); err != nil {
		return nil, err
	}
	solver, err := pool.Acquire(ctx)
	if err != nil {
		return nil, err
	}
	defer pool.Release(solver)
	r := &SatisfiesResult{}
	s := &satisfaction{programs: components, property: p, formula: p.joined(), result: r}
	seen := s.observations(components)
	small := smaller(ctx, components, seen, passes.Sight{Ends: true, Offers: true, Endless: true}, opts)
	var f *foundLasso
	if !opts.passes && slices.ContainsFunc(small, func(p *passes.PassedComponent) bool { return p != nil }) {
		f, err = s.glance(ctx, components, seen, solver, opts)
	}
	if err == nil && r.Verdict == outcome.Unknown {
		if s.loop, err = newSmallLoop(ctx, components, small, seen, solver, opts, &r.Answer); err != nil {
			return nil, err
		}
		if s.unclear != "" && s.sensitive() {
			r.Reason = &outcome.Outside{What: s.unclear}
			return r, nil
		}
		f, err = decide(s.loop, s)
	}
	if err != nil {
		return r, err
	}
	if r.Verdict == outcome.Violated {
		r.Lasso, r.Ends = f.real, f.asks == ends
	}
	return r, nil
}

// glances bounds the states of the product in a glance.
const glances = 20_000

// glance looks once at the components as they are, before passes: a first abstraction often
// suffices, or a run is found before there is anything to be learnt. Answers of it have a
// certificate, too. Unknown is what takes more than that.
func (s *satisfaction) glance(ctx context.Context, components []*program.Component, seen []predabs.Observation, solver smt.Solver, opts Options) (*foundLasso, error) {
	if n := &opts.Limits.States; *n == 0 || *n > glances {
		*n = glances
	}
	answer := &s.result.Answer
	if s.loop = newLoop(ctx, components, seen, solver, opts, answer); s.unclear != "" && s.sensitive() {
		return nil, nil
	}
	f, err := decide(s.loop, once{s})
	if err != nil && budget.Stopped(err) && ctx.Err() == nil {
		err = nil
	}
	if err != nil || answer.Verdict == outcome.Unknown {
		*answer = Answer{Rounds: answer.Rounds}
	}
	return f, err
}

// once is a refine.Problem of one round.
type once struct{ *satisfaction }

// Refine learns nothing.
func (once) Refine(*foundLasso, *Round) (bool, error) { return false, nil }

// check returns what is wrong with a property.
func (p *Property) check() error {
	if p.Formula == nil {
		return ltl.ErrNil
	}
	for _, a := range ltl.Atoms(p.Formula) {
		if a.Name == lks.TauName && (a.Kind == ltl.Event || a.Kind == ltl.Enabled) {
			return &ltl.AtomError{Atom: a, Why: "is no event that a formula about a program can speak of: how many silent steps it makes has no meaning"}
		}
	}
	if p.Fairness == product.ChoiceFairness {
		return fmt.Errorf("fairness of transitions has no meaning for programs")
	}
	return nil
}

// sensitive reports whether the question depends on what is not possible.
func (s *satisfaction) sensitive() bool {
	return s.property.Finite != product.IgnoreRuns || s.property.Fairness != product.NoFairness ||
		slices.ContainsFunc(ltl.Atoms(s.property.Formula), func(a ltl.Atom) bool { return a.Kind == ltl.Deadlock || a.Kind == ltl.Enabled })
}

// satisfaction is a refine.Problem.
type satisfaction struct {
	*loop
	programs  []*program.Component
	property  *Property
	formula   *ltl.Formula // of the property, for the abstract models
	result    *SatisfiesResult
	outside   []unknowable
	disjoined int  // rounds, when a transition invariant was found last
	accepted  bool // the formula is known to ignore silent steps
}

// unknowable is a proposition of states behind which, or of which, nothing is known.
type unknowable struct{ name, why string }

// observations are what the property sees of the components.
func (s *satisfaction) observations(components []*program.Component) (all []predabs.Observation) {
	for i, c := range components {
		o := predabs.Observation{Offers: true}
		note := func(p predabs.Prop, why string) {
			o.Props = append(o.Props, p)
			s.outside = append(s.outside, unknowable{p.Name, why})
		}
		if i < len(s.property.Propositions) {
			for _, p := range s.property.Propositions[i] {
				o.Props = append(o.Props, p.Prop)
				if p.Undefined != nil && !p.Undefined.IsFalse() {
					note(predabs.Prop{Name: "no value of " + p.Name, Formula: p.Undefined}, fmt.Sprintf("the proposition %q has no value in a state that is reached", p.Name))
				}
			}
		}
		if len(c.Lost) > 0 {
			note(predabs.Prop{Name: "outside in " + c.Name, At: slices.Sorted(maps.Keys(c.Lost))}, "a run leaves what is modelled")
		}
		all = append(all, o)
	}
	return all
}

// asks says what is asked of the abstract models.
type asks int

const (
	satisfied asks = iota // whether runs in what is modelled satisfy the property
	ends                  // whether a run ends
	leaves                // whether a run leaves what is modelled
)

// question is one to the abstract models.
type question struct {
	asks    asks
	formula *ltl.Formula
	options product.Options
}

// questions are those that a proof has to answer, in their order. Runs in which an assumption
// fails do not exist, and runs that leave what is modelled are asked about last: others may
// violate the property whatever these do.
func (s *satisfaction) questions() (all []question) {
	none := s.discarding()
	var outside []*ltl.Formula
	for _, u := range s.outside {
		outside = append(outside, ltl.AtomOf(ltl.Atom{Kind: ltl.Prop, Name: u.name}))
	}
	never := func(fs ...*ltl.Formula) *ltl.Formula { return ltl.MakeAlways(ltl.MakeNot(ltl.MakeOr(fs...))) }
	within := never(slices.Concat(none, outside)...)
	opts := product.Options{Finite: s.property.Finite, Limits: s.opts.Limits, Progress: s.opts.Progress}
	opts.Fairness, opts.FairSets = s.property.requirements(s.programs)
	opts.Workers = 1 // the counterexample does not depend on chance
	opts.NoPrefix = true
	if opts.Finite == product.RefuseRuns {
		opts.Finite = product.StutterRuns
		all = append(all, question{ends, ltl.MakeImplies(within, never(ltl.AtomOf(ltl.Atom{Kind: ltl.Deadlock}))), opts})
		all[0].options.Fairness, all[0].options.FairSets = product.NoFairness, nil
	}
	opts.Compassion = s.compassion()
	all = append(all, question{satisfied, ltl.MakeImplies(within, s.formula), opts})
	if len(outside) > 0 {
		opts.Fairness, opts.FairSets, opts.Compassion, opts.Finite = product.NoFairness, nil, nil, product.StutterRuns
		all = append(all, question{leaves, ltl.MakeImplies(never(none...), never(outside...)), opts})
	}
	return all
}

// foundLasso is what a round finds.
type foundLasso struct {
	findings
	asks asks
	net  *lks.Network
	*product.Result
	real   *Lasso
	loops  []*unrankedLoop // that ranking functions exclude
	some   []*unrankedLoop // in which a ranking function is one for some runs only
	unseen string          // reason, if nothing is learnt of them
	mixed  []*unrankedLoop // that cannot be reached, and end, though no labels show that
}

// Check builds the abstract models and looks for a lasso of their composition.
func (s *satisfaction) Check(_ int, round *Round) (*foundLasso, bool, error) {
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
	if err := s.accept(net); err != nil {
		return nil, false, err
	}
	search, questions := s.search(net, round), s.questions()
	for _, q := range questions {
		r, err := search(q)
		if err != nil {
			return nil, false, err
		}
		if q.asks == satisfied {
			s.result.Abstract = r
		}
		switch r.Verdict {
		case product.Unknown:
			return nil, false, r.Reason
		case product.Violated:
			s.result.Abstract = r
			return &foundLasso{asks: q.asks, net: net, Result: r}, true, nil
		}
	}
	s.result.Proof, s.result.Formula = net, s.formula
	s.result.NoRun, err = s.vacuous(net, questions[0].options)
	return nil, false, err
}

// search returns what asks questions of the composition of the abstract models or, with two
// levels, of that of quotients of them.
func (s *satisfaction) search(net *lks.Network, round *Round) func(question) (*product.Result, error) {
	var above *quotients
	if s.opts.Levels == TwoLevels {
		above = newQuotients(net)
	}
	return func(q question) (*product.Result, error) {
		verify := func(net *lks.Network) (*product.Result, error) {
			r, err := product.Verify(s.ctx, net, q.formula, q.options)
			if err == nil {
				s.result.Took.Automata += r.Stats.Translate
				round.Positions = max(round.Positions, r.Stats.States)
			}
			return r, err
		}
		if above == nil {
			return verify(net)
		}
		r, err := above.verify(round, verify)
		if err == nil && r == nil { // a lasso of the quotients repeats itself too late
			return verify(net)
		}
		return r, err
	}
}

// NoticesSilentSteps is the reason of an answer about a formula that notices silent steps of
// components that make some.
type NoticesSilentSteps struct{ *outcome.Outside }

// Unwrap returns what the reason says.
func (e *NoticesSilentSteps) Unwrap() error { return e.Outside }

// accept asks, once, whether the formula ignores silent steps: blocks are several of the
// program's, and how many has no meaning. The first abstractions have all labels that later ones
// have. Where every edge performs an action there are no silent steps.
func (s *satisfaction) accept(net *lks.Network) error {
	if s.accepted || !slices.ContainsFunc(s.components, func(k *component) bool { return slices.Contains(k.abstracter.Actions, "") }) {
		return nil
	}
	why, err := product.IgnoresSilentSteps(net, s.formula, s.meter)
	if err != nil {
		return err
	}
	if why != "" {
		return &NoticesSilentSteps{&outcome.Outside{What: "a program makes any number of silent steps, which the formula must not notice: " + why,
			Try: "a formula without X, or with W after it: G(a -> X(!a W b))"}}
	}
	s.accepted = true
	return nil
}

// patience is after how many rounds, and after twice as many and so on, a transition invariant is
// looked for before predicates that show what ranks a loop, of which there may be more and more.
const patience = 4

// Refine gives predicates to the components that cannot follow, and ranking functions to those
// that cannot for ever.
func (s *satisfaction) Refine(f *foundLasso, round *Round) (bool, error) {
	if n := len(s.answer.Rounds); n >= patience && (n&(n-1) == 0 || s.disjoined == n-1) {
		if progress, err := s.disjoinAny(slices.Concat(f.mixed, f.loops), true, round); progress || err != nil {
			return progress, err
		}
	}
	for _, u := range f.loops {
		added, err := s.rank(u)
		if err != nil {
			return false, err
		}
		s.learnt(u, added, round)
	}
	progress, err := s.learn(&f.findings, round)
	if err == nil && !progress {
		progress, err = s.disjoinAny(f.loops, false, round)
	}
	if err == nil && !progress && f.unseen != "" {
		err = &outcome.Stuck{What: f.unseen}
	}
	return progress, err
}

// learnt writes down what is new of a loop's component.
func (s *satisfaction) learnt(u *unrankedLoop, added int, round *Round) {
	round.New += added
	component := slices.Index(s.components, u.of)
	if added > 0 && !slices.Contains(round.Refined, component) {
		round.Refined = append(round.Refined, component)
		slices.Sort(round.Refined)
	}
}

// disjoinAny looks for a transition invariant of one of some loops.
func (s *satisfaction) disjoinAny(all []*unrankedLoop, early bool, round *Round) (progress bool, err error) {
	for _, u := range all {
		added, err := s.disjoin(u, early)
		if added > 0 || err != nil {
			s.disjoined = len(s.answer.Rounds)
			s.learnt(u, added, round)
			return added > 0, err
		}
	}
	return false, nil
}
