package armc

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/internal/names"
	"github.com/seltl/seltl/internal/predabs"
	"github.com/seltl/seltl/internal/program/facts"
	"github.com/seltl/seltl/internal/refine"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/outcome"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/smt"
)

// Abstraction chooses how sets of states are abstracted.
type Abstraction uint8

const (
	// A3 is α3, the Cartesian abstraction: every predicate that is entailed.
	A3 Abstraction = iota
	// A1 and A2 are α1 and α2 of [Rybalchenko02].
	A1
	A2
	// Boolean keeps the relations between predicates (forward only).
	Boolean
)

var abstractions = names.Of[Abstraction]("abstraction", "a3", "a1", "a2", "boolean")

func (a Abstraction) String() string                   { return abstractions.String(a) }
func (a Abstraction) MarshalText() ([]byte, error)     { return abstractions.Marshal(a) }
func (a *Abstraction) UnmarshalText(text []byte) error { return abstractions.Unmarshal(text, a) }

// Names lists the texts of all values.
func (Abstraction) Names() []string { return abstractions.List() }

// Refinement is how predicates are found that exclude a path. Its values have texts, as
// `reach --refine` writes them: UnmarshalText reads one, Names lists them.
type Refinement = predabs.Refinement

// Facts are what holds at each location of a system, found by abstract interpretation; ProverStats is
// what the prover of abstractions was asked.
type (
	Facts       = facts.Facts
	ProverStats = predabs.ProverStats
)

func (a Abstraction) order() predabs.Order {
	switch a {
	case A1:
		return predabs.Syntactic
	case A2:
		return predabs.Conjunctwise
	}
	return predabs.Full
}

// Options of Check. The zero value is the automatic choice without limits.
type Options struct {
	Method       Method
	Abstraction  Abstraction
	Refine       Refinement    // of Forward; Backward takes the atoms of iterated pre
	Global       bool          // predicates are tracked at all locations, not where they were found
	AbstractOnly bool          // Backward: no concrete iteration in the spuriousness test (cfp_chk=false of [Rybalchenko02])
	Restart      bool          // Forward: abstract everything anew in every round, not only below the pivot
	Minimize     bool          // Forward: look for a proof with fewer predicates once there is one
	Blocks       Encoding      // what of several edges becomes one step
	Without      []Method      // that Auto leaves out
	Seed         []*logic.Term // predicates that are tracked everywhere from the start
	NoFacts      bool          // do not compute facts (internal/program/facts) first
	Facts        *Facts        // Result.Facts of the same system, which need not be computed again; nil: of none
	// Enumeration: a certificate may be one without an invariant, where there are many states. One that is an
	// execution is then left to the caller to check, which takes as long as the search.
	Enumeration bool
	// NoAcceleration: Bounded, and Forward with interpolants, go round every loop one by one.
	NoAcceleration bool
	Rounds         int // refinement steps, 0 without limit
	MaxQueries     int // of the solver, and their work in proportion; 0 without limit
	// MaxWork is what may be done, in the solver's units of work, some 300,000 a second; 0 without
	// limit. The reason is *budget.Exhausted of "work" then. Each lane of Auto may do so much.
	MaxWork  int64
	Limits   budget.Limits // States are abstract states
	Progress func(budget.Progress)
	Explain  func(Round)        // called after every round
	Turned   func(outcome.Turn) // Auto: called after every turn of a lane, in the order of turns, behind the rounds that belong to it
}

// Verdict is the answer.
type Verdict = outcome.Verdict

const (
	// Unknown: see Result.Reason.
	Unknown = outcome.Unknown
	// Safe: no error state is reachable; see Result.Certificate.
	Safe = outcome.Holds
	// Unsafe: an error state is reachable; see Result.Trace.
	Unsafe = outcome.Violated
)

// Result is what Check found.
type Result struct {
	Verdict     Verdict
	Certificate *Certificate      // of Safe, confirmed by CheckCertificate
	Trace       *program.Trace    // of Unsafe, replayed
	Reason      error             // of Unknown
	Recurs      bool              // Enumerate, Safe: there are runs, which go on for ever
	Facts       *Facts            // that were computed first; nil without
	Method      Method            // that gave the verdict
	Abstraction Abstraction       // of Backward and Forward
	Refine      Refinement        // of Forward
	Tried       []outcome.Attempt // what Auto tried and what came of it, in the order of the ends
	Stats       Stats
	Graph       *Graph // of the last round
}

// Stats are the figures of table 6.1 of [Rybalchenko02], and more. After Auto,
// they are those of the last attempt, but for the queries and times.
type Stats struct {
	Refinements int // R: refinement steps
	Iterations  int // I: steps of the last fixpoint iteration
	Used        int // P: different predicates in the invariant
	Generated   int // G: different predicates generated
	States      int // abstract states of the last round
	Prover      ProverStats
	Solver      smt.Stats
	Facts       int // that were computed first, see Options.NoFacts
	Time        time.Duration
}

// Round tells what one round of abstraction and refinement did.
type Round struct {
	Method      Method
	Abstraction Abstraction
	Number      int             // from 0
	States      int             // abstract states
	Iterations  int             // steps of the fixpoint iteration
	Predicates  []int           // tracked at each location; Values: everywhere, one number
	Path        []program.Block // the abstract counterexample, nil if there is none
	Feasible    smt.Status
	Refinement  Refinement
	Accelerated bool               // Feasible, or New, is of the path with its loops taken any number of times
	New         []LocatedPredicate // found by refinement
	Variables   int                // Values: how many are tracked
	Tracked     []*logic.Term      // Values: variables that are tracked from now on, or more exactly
}

// LocatedPredicate is a predicate that is tracked at a location.
type LocatedPredicate struct {
	Location  int
	Predicate *logic.Term
}

var errNil = errors.New("armc: a system and solvers are needed, and one of them is nil")

// Check decides whether an error state of the system is reachable. It acquires one solver
// of the pool; Auto takes another for every lane that begins.
//
// A limit, a solver without an answer and a refinement without progress give
// Unknown, not an error. Errors: the context ended (budget.ErrInterrupted), no
// solver can be had, or options that do not go together.
func Check(ctx context.Context, sys *program.System, pool *smt.Pool, o Options) (*Result, error) {
	if sys == nil || pool == nil {
		return nil, errNil
	}
	return check(ctx, sys, pool, o, unaided{})
}

// unaided says what is left out that saves questions to the solver, for measurements: answers
// given before, and looking at formulas.
type unaided struct {
	noCache, noSyntactic bool
	everything           bool // explicit values begin with all variables, for tests
}

func check(ctx context.Context, sys *program.System, pool *smt.Pool, o Options, u unaided) (*Result, error) {
	if err := sys.Validate(); err != nil {
		return nil, err
	}
	if o.Method == Backward && o.Abstraction == Boolean {
		return nil, errors.New("the boolean abstraction needs the forward direction")
	}
	if o.Method != Auto && o.Method != Forward && o.Minimize {
		return nil, errors.New("predicates are minimised in the forward direction only: Method I takes all atoms of iterated pre, and others have none")
	}
	began := time.Now()
	// The meter looks at the clock between abstract states only; this ends a question to the solver too.
	ctx, cancel := o.Limits.Within(ctx)
	defer cancel()
	r := &run{ctx: ctx, sys: sys, options: o, unaided: u, meter: budget.New(ctx, o.Limits, o.Progress), result: &Result{}, encoded: &encoded{}, confirming: questionCheck}
	err := r.with(pool, func() error {
		if err := r.findKnown(); err != nil {
			return err
		}
		if o.Method == Auto {
			return r.auto(pool)
		}
		r.deadline, r.each = o.MaxQueries, r.solver.question()
		defer func() { r.work = r.used() }()
		r.solver.Limit(r.each)
		return r.attempt(way{method: o.Method, abstraction: o.Abstraction, refine: o.Refine})
	})
	if err = r.giveUp(err); err != nil {
		return nil, err
	}
	r.result.Stats.Solver = r.work
	if r.found != nil { // a limit may have come before
		r.result.Facts, r.result.Stats.Facts = r.found, r.found.Count()
	}
	r.result.Stats.Time = time.Since(began)
	return r.result, nil
}

// with runs f with a solver of the pool.
func (r *run) with(pool *smt.Pool, f func() error) error {
	s, err := pool.Acquire(r.ctx)
	if err != nil {
		return err
	}
	defer pool.Release(s)
	r.use(s)
	return f()
}

// use makes a solver the run's own.
func (r *run) use(s smt.Solver) {
	r.solver, r.before = ration(s, r.options.MaxQueries), s.Stats()
	if most := uint64(r.options.MaxWork); most > 0 && (r.solver.most == 0 || r.solver.most > most) {
		r.solver.most, r.solver.slice = most, true
	}
}

// used returns what the solver has done for the run.
func (r *run) used() smt.Stats {
	work := r.solver.Stats()
	work.Subtract(r.before)
	return work
}

// run is one call of Check.
type run struct {
	ctx     context.Context
	sys     *program.System
	options Options
	unaided
	solver      *rationed
	meter       *budget.Meter
	progress    budget.Progress
	result      *Result
	known       known
	found       *facts.Facts
	blocks      *program.Blocks
	encoded     *encoded
	accelerated map[string]accelerations // by cycles of blocks
	plain       *Certificate             // of the proof that was minimised, if one was
	prover      *predabs.Prover
	deadline    int       // of Queries, 0 without
	short       bool      // a lane of Auto had less work than it has use for
	cells       int       // that Enumerate visits, 0 without limit
	confirming  uint64    // work of an obligation of a certificate
	before      smt.Stats // what the solver had done before
	work        smt.Stats // of the solvers
	pace
}

// cut reports that a run which has no answer might have one with more work than it may do.
func (r *run) cut() bool {
	return r.options.MaxWork > 0 && r.solver != nil && (r.level() >= r.options.MaxWork || r.solver.open || r.solver.slice && r.solver.over())
}

// worked is the reason of a run that has done what it may.
func (r *run) worked() error {
	return &budget.Exhausted{What: "work", Limit: fmt.Sprint(r.options.MaxWork), At: r.progress}
}

// giveUp turns limits into the verdict Unknown and passes other errors on.
func (r *run) giveUp(err error) error {
	switch {
	case err == nil:
		return nil
	case ended(err) && (r.short || r.options.Method != Auto && r.cut()):
		r.result.Reason = r.worked()
	case isLimit(err):
		r.result.Reason = err
	case errors.Is(err, context.DeadlineExceeded):
		r.result.Reason = &budget.Exhausted{What: "time", Limit: r.meter.Elapsed().Round(time.Millisecond).String()}
	case errors.Is(err, context.Canceled):
		return budget.ErrInterrupted
	default:
		return err
	}
	r.result.Verdict = Unknown
	return nil
}

// attempt runs one method; it fills in the result unless it returns an error. A proof is
// confirmed then.
func (r *run) attempt(w way) error {
	r.blocks = r.encoded.of(r.options.Blocks.of(w), r.sys)
	r.accelerated = map[string]accelerations{}
	r.prover = predabs.NewProver(r.solver)
	r.prover.NoCache, r.prover.NoSyntactic = r.noCache, r.noSyntactic
	r.result.Method, r.result.Abstraction, r.result.Refine = w.method, w.abstraction, w.refine
	defer func() { r.result.Stats.Prover = r.prover.Stats() }()
	err := techniques[w.method].run(r, w)
	if err != nil || r.result.Verdict != Safe {
		return err
	}
	if c := r.result.Certificate; c.Enumeration || c.Execution && r.options.Enumeration {
		return nil // the states were visited a second time (enumerated)
	}
	return r.confirm()
}

// refineWith runs a method, and reports whether it has proved safety; a run to an error
// is in the result then.
func refineWith[C any](r *run, method refine.Problem[C, Round]) (safe bool, err error) {
	narrate := func(round Round) {
		r.progress.Rounds++
		r.progress.Predicates += int64(len(round.New) + len(round.Tracked))
		if r.options.Explain != nil {
			r.options.Explain(round)
		}
	}
	_, found, err := refine.Run(method, refine.Options[Round]{Refinements: r.options.Rounds, Explain: narrate})
	return !found && err == nil, err
}

// spentWork is the reason of a run whose questions have done what all together may: of a slice, or of so many.
func (r *run) spentWork() error {
	if r.options.MaxWork > 0 {
		return r.worked()
	}
	return &outcome.Stuck{What: fmt.Sprintf("the work of %d solver queries is done", r.options.MaxQueries)}
}

// tick is called once for every abstract state, and every question of the methods that
// have none.
func (r *run) tick(phase string, states int) error {
	if r.deadline > 0 && r.prover.Stats().Queries+r.asked > r.deadline {
		return &outcome.Stuck{What: fmt.Sprintf("limit of %d solver queries reached", r.deadline)}
	}
	if most := r.options.MaxWork; most > 0 && r.level() > most || r.solver.over() {
		return r.spentWork()
	}
	r.progress.Phase, r.progress.States = phase, int64(states)
	if err := r.meter.Tick(r.progress); err != nil {
		return err
	}
	return r.wait()
}

// confirm has the certificate checked, first simplified and without what it does not need, with a solver
// that has no assertions. Until then there is no verdict.
func (r *run) confirm() error {
	r.result.Verdict = Unknown
	whole := r.result.Certificate
	var err error
	var refused *Refused
	if !techniques[r.result.Method].whole {
		if r.result.Certificate, err = r.simplest(whole); err == nil {
			err = r.check()
		}
		if errors.As(err, &refused) {
			r.result.Certificate, err = whole, nil
		}
	}
	if err == nil && r.result.Certificate == whole {
		err = r.check()
	}
	refused = nil
	if errors.As(err, &refused) {
		err = &outcome.Stuck{What: "the proof was not confirmed: " + refused.Error()}
	}
	if err != nil {
		r.result.Certificate = nil
		return err
	}
	r.result.Verdict = Safe
	return nil
}

// simplest simplifies a certificate and leaves out what it does not need. Where predicates
// were minimised, what is left of the proof before may be less.
func (r *run) simplest(whole *Certificate) (*Certificate, error) {
	least, err := r.simplified(whole)
	if err != nil || r.plain == nil {
		return least, err
	}
	plain, err := r.simplified(r.plain)
	if err == nil && certificateSize(plain.Invariant) < certificateSize(least.Invariant) {
		least = plain
	}
	return least, err
}

func (r *run) simplified(whole *Certificate) (*Certificate, error) {
	simple := lists.Map(whole.Invariant, logic.Simplify)
	least, err := r.needed(simple)
	if least == nil {
		least = simple
	}
	return &Certificate{Invariant: least}, err
}

func (r *run) check() error {
	r.solver.most = 0 // the search is over
	r.solver.Clear()
	r.solver.Limit(r.confirming)
	defer r.solver.Limit(r.each)
	checker, end := r.result.Confirming(r.solver)
	defer end()
	if checker != r.solver {
		checker.Limit(r.confirming)
	}
	return CheckCertificate(r.ctx, r.sys, r.result.Certificate, checker)
}

// Confirming returns what the certificate is checked with, and what ends it: beside the solver, which is
// better at words, if it is of an unrolling, whose few questions are large.
func (r *Result) Confirming(s smt.Solver) (c smt.Checker, end func()) {
	if r.Method == Bounded {
		return s.Beside()
	}
	return s, func() {}
}

// safe fills in the verdict with invariants of the program's locations, to which it adds
// the facts that they rest on.
func (r *run) safe(invariant []*logic.Term) error {
	c, err := r.certificate(invariant)
	if err == nil {
		r.result.Verdict, r.result.Certificate = Safe, c
	}
	return err
}

func (r *run) certificate(invariant []*logic.Term) (*Certificate, error) {
	if err := r.expand(invariant); err != nil {
		return nil, err
	}
	for l := range invariant {
		invariant[l] = logic.And(invariant[l], r.known.at[l])
	}
	return &Certificate{Invariant: invariant}, nil
}

// largestExpansion bounds the parts that preconditions of locations inside blocks are made from, all
// together: a few seconds' work.
const largestExpansion = 500_000

var errExpansion error = &outcome.Stuck{What: "there is a proof, whose invariant is too large to be written down"}

// expand gives invariants to the locations inside blocks.
func (r *run) expand(invariant []*logic.Term) error {
	all := 0
	return r.blocks.Expand(invariant, func(parts int) error {
		if all += parts; all > largestExpansion {
			return errExpansion
		}
		return r.meter.Tick(r.progress)
	})
}

// unsafe fills in the verdict with a run of blocks, unfolded to edges and
// replayed step by step on the system as it was read.
func (r *run) unsafe(start int, blocks []int, e *program.Execution) error {
	trace, err := r.blocks.Unfold(start, blocks, e)
	if err == nil {
		err = trace.Replay(r.sys)
	}
	if err != nil {
		return &outcome.Stuck{What: "the counterexample cannot be replayed: " + err.Error()}
	}
	r.result.Verdict, r.result.Trace = Unsafe, trace
	return nil
}
