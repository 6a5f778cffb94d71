package product

import (
	"context"
	"fmt"
	"time"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/names"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/explore"
	"github.com/seltl/seltl/lks/run"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/outcome"
)

// FiniteRuns says what a run means that reaches a state without successors.
type FiniteRuns int

const (
	// StutterRuns: it is a run, its last state repeated with no event true.
	StutterRuns FiniteRuns = iota
	// IgnoreRuns: only infinite runs count (the thesis's reading).
	IgnoreRuns
	// RefuseRuns: a model that has one is an error, *FiniteRunError.
	RefuseRuns
)

var finiteRuns = names.Of[FiniteRuns]("reading of finite runs", "stutter", "ignore", "error")

func (f FiniteRuns) String() string                   { return finiteRuns.String(f) }
func (f FiniteRuns) MarshalText() ([]byte, error)     { return finiteRuns.Marshal(f) }
func (f *FiniteRuns) UnmarshalText(text []byte) error { return finiteRuns.Unmarshal(text, f) }

// Names lists the texts of all values.
func (FiniteRuns) Names() []string { return finiteRuns.List() }

// Options of Verify; the zero value is a good choice.
type Options struct {
	Finite FiniteRuns
	// Fairness restricts the runs that count. It needs the search by components,
	// which is used whatever Emptiness says, unless a search as for all runs shows
	// before that the formula holds in these.
	Fairness Fairness
	// FairSets restricts the runs that count further; it needs what Fairness needs.
	FairSets []FairSet
	// Compassion restricts the runs that count further; it needs what Fairness needs.
	Compassion []Compassion
	Search
	Reductions
	// Shortest asks for a counterexample with the fewest steps in stem and loop
	// together that the automaton of the formula accepts, and then for a shorter one
	// among all runs of the network, as far as their number allows. Result.Minimal
	// and Result.ShortestRun say what was achieved.
	Shortest bool
	// NoPrefix leaves Result.Prefix nil, which takes another automaton.
	NoPrefix bool
	// AsFound leaves a counterexample as the search finds it, however long: for those that nobody reads.
	AsFound bool
	// CountModel asks for Stats.ModelStates, at the cost of a second table.
	// Stores that do not keep states cannot count them.
	CountModel bool
	Limits     budget.Limits
	// Progress is called about once a second; it may be nil.
	Progress func(budget.Progress)
}

// Search is how the product is searched.
type Search struct {
	Emptiness Emptiness
	// Workers is the number of goroutines of a nested search: one, or more
	// for multi-core nested search; 0 is as many as there are cores if one
	// alone is not soon done. The verdict is the same; with more than one, which
	// counterexample is found, and how much is explored before, depends on chance.
	// Other searches have one worker; none has more than 15. With AutoReduce one
	// begins even if more are asked for.
	Workers int
	// Store is how the states of the product are remembered. Auto is Numbered, which
	// is the only one for the search by components, and so for fairness. For nested
	// search it is the same as Exact; others are for one worker only. With a store
	// that can lose states the verdict is never Holds, unless that does not depend on
	// the network, and finite runs cannot be refused. What does not go together is a
	// *StoreError.
	Store explore.Store
	// StoreBytes is the size of the BitstateHash store, 0: 256 MiB.
	StoreBytes int64
	// Seed chooses the hash function of stores that can lose states, and the order in which
	// they have a search take the successors of a state.
	Seed uint64
}

// Reductions are ways to search less. None changes the verdict.
type Reductions struct {
	// POR says whether partial-order reduction may leave out runs that differ from
	// others by the order of steps that the formula does not see.
	POR POR
	// Reduce says whether components, or compositions of them, are minimised first.
	Reduce Reduce
	// ReduceBound is the number of states that ReduceTree allows a composition
	// before it is minimised; 0 means a good one.
	ReduceBound int
	// ReduceAfter is how many states AutoReduce expands or stores first, 0 meaning a
	// good number.
	ReduceAfter int64
	// Symmetry asks for states that differ only by components having changed places,
	// which the formula does not notice, to be searched once.
	Symmetry bool
}

// Verdict is the answer of Verify.
type Verdict = outcome.Verdict

const (
	Unknown  = outcome.Unknown
	Holds    = outcome.Holds
	Violated = outcome.Violated
)

// Result says whether every run of the network satisfies the formula.
type Result struct {
	Verdict Verdict
	// Reason is why the verdict is Unknown: a *budget.Exhausted,
	// budget.ErrInterrupted, or an *explore.LossyStore if the search came to its end.
	Reason error
	// Lasso is a run that violates the formula, nil unless Violated. It has been
	// replayed on the components, and the formula evaluated on it.
	Lasso *run.Run
	// Prefix is a bad prefix of the formula, if the lasso has one (as it has if the
	// formula is a safety property) and to tell takes not long. It need not be the
	// lasso's own: a shorter one is taken where a search finds it.
	// Under fairchoice.Verify the lasso need not have one.
	Prefix *BadPrefix
	// Certain is set by fairchoice.Verify with a Lasso if already its stem is one after
	// which a random walk violates the formula with probability 1; the loop is then
	// one of many ways to go on. Only if to find such a stem takes long it is not set.
	Certain bool
	// Fair says for every requirement of fairness why the lasso meets it: first
	// those of FairSets, then those of Fairness. A lasso that stutters needs none. That it
	// is compassionate is checked, but no reason is given.
	Fair []FairReason
	// Minimal is set if Options.Shortest was, and the search for a shortest
	// counterexample came to its end: the lasso is not longer than any that the
	// automaton accepts. ShortestRun is set if besides all shorter runs of the
	// network were tried: no run that violates the formula has fewer steps in stem
	// and loop together.
	Minimal, ShortestRun bool
	// Trivial is set if the formula holds in every network with these atoms, so
	// that none of the network's states had to be visited.
	Trivial bool
	// AllRuns is set if fairness was asked for and not needed: the formula holds in
	// all runs, fair or not.
	AllRuns bool
	// Finite is the reading of finite runs that was used, and FiniteMet whether
	// a state without successors was met: without one, every reading gives the
	// same verdict; so it does if Lasso is there and does not stutter.
	Finite    FiniteRuns
	FiniteMet bool
	// NoRuns is set by fairchoice.Verify if no run counts, so that the formula
	// holds whatever it says: every random walk ends, and such runs are ignored.
	NoRuns    bool
	Fairness  Fairness
	Emptiness Emptiness     // the search that was used
	Workers   int           // how many searched
	Store     explore.Store // where the product was kept
	// Missed estimates how many states of the product a lossy store took for
	// others, and Coverage which share of those that the search met it did not:
	// 0 and 1 for exact stores. What they would have led to is not counted.
	Missed, Coverage float64
	// POR is set if partial-order reduction was used; if not, NoPORBecause says
	// why.
	POR          bool
	NoPORBecause string
	// Reduction says how components were minimised; nil if they were not. If that was
	// asked for, NoReductionBecause says why.
	Reduction          *Reduction
	NoReductionBecause string
	// Symmetric are the groups of components that were taken to be able to change
	// places, each sorted: by their numbers in the network that was searched, see
	// Reduction. NoSymmetryBecause says why there are none, if they were asked for.
	Symmetric         [][]int32
	NoSymmetryBecause string
	Stats             Stats
}

// Stats are the sizes and times of one verification.
type Stats struct {
	States      int64 // of the product, stored
	Expanded    int64 // of these, expanded at least once; a nested search counts again
	Transitions int64 // of the product, followed; likewise
	ModelStates int64 // states of the network that were stored, 0 if not counted
	Depth       int64 // of the depth-first search
	StoreBytes  int64 // of the state table
	StackBytes  int64 // of the stacks of a search that keeps states there, at its end

	AutomatonStates, AutomatonEdges, AcceptanceSets int

	Translate, Search, Trace time.Duration
}

// BytesPerState returns the memory that the state table takes per state.
func (s *Stats) BytesPerState() float64 {
	if s.States == 0 {
		return 0
	}
	return float64(s.StoreBytes) / float64(s.States)
}

// FiniteRunError says that a model has a state without successors, which
// RefuseRuns does not allow.
type FiniteRunError struct {
	// Trace is a shortest run to such a state, in which it stutters.
	Trace *run.Run
}

func (e *FiniteRunError) Error() string {
	steps := "steps"
	if len(e.Trace.Stem) == 1 {
		steps = "step"
	}
	return fmt.Sprintf("the model has a state without successors, after %d %s", len(e.Trace.Stem), steps)
}

// Verify decides whether every run of the network satisfies f, all of whose
// atoms must be propositions and actions of the network (ltl.Parse with a
// vocabulary makes them so). The time is linear in the states and edges of the
// product of the network with an automaton for the negation of f.
//
// The error is ltl.ErrNil, lks.ErrNil, an *ltl.AtomError, a *FiniteRunError, a *StoreError, an *bug.Error,
// or that of the translation. Limits and interruption are not errors but an Unknown result
// with what has been explored.
func Verify(ctx context.Context, net *lks.Network, f *ltl.Formula, opts Options) (*Result, error) {
	return verify(ctx, net, f, opts, lengths{workers: manyStates})
}

// verify is Verify with lengths that tests choose.
func verify(ctx context.Context, net *lks.Network, f *ltl.Formula, opts Options, lengths lengths) (*Result, error) {
	if f == nil {
		return nil, ltl.ErrNil
	}
	if net == nil {
		return nil, lks.ErrNil
	}
	if opts.Store == explore.Auto {
		opts.Store = explore.Numbered
	}
	t := newTask(ctx, net, opts, lengths)
	t.f = f
	if err := t.check(); err != nil {
		return nil, err
	}
	return t.result(t.within())
}

// within is decide, where a state with too many transitions is a limit.
func (t *task) within() (d decision, err error) {
	err = budget.Within(func() (err error) { d, err = t.decide(); return err })
	return d, err
}

// newTask returns a task without its property.
func newTask(ctx context.Context, net *lks.Network, opts Options, lengths lengths) *task {
	return &task{net: net, opts: opts, lengths: lengths, meter: budget.New(ctx, opts.Limits, opts.Progress)}
}
