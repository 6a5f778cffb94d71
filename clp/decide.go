package clp

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/bug"
	"github.com/seltl/seltl/horn"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/outcome"
	"github.com/seltl/seltl/smt"
)

// Verdict says whether the goal has a derivation.
type Verdict = outcome.Verdict

const (
	Unknown     = outcome.Unknown
	Underivable = outcome.Holds    // it has none: there is a Solution
	Derivable   = outcome.Violated // it has one: there is a Derivation
)

// Round is the account of one round of refinement.
type Round struct {
	Number     int
	Predicates int      // of all interfaces, before the round
	Explicated int      // clauses, with lazy explication
	Facts      int      // abstract facts, or rounds of the least model with lazy explication
	Nodes      int      // of the abstract derivation as a graph; 0: there is none
	Derivation bool     // it is one
	New        []string // predicates that were found, with their relations
	Known      []string // before the first round: facts about what is called with what, and about relations
	Answered   bool     // they decide the query
}

// Stats says how much was done.
type Stats struct {
	Rounds     int
	Predicates int
	Facts      int
	Solver     smt.Stats
	Time       time.Duration
}

// Result is the answer to a query.
type Result struct {
	Verdict    Verdict
	Solution   horn.Solution     // of Underivable: checked clause by clause
	Folds      []*horn.Fold      // of Underivable, by Sizes: functions that the solution speaks of (horn.Problem.With)
	Contracts  []Contract        // of Underivable, by predicate, if the query has modes: what the solution consists of
	Derivation *Derivation       // of Derivable: replayed
	Method     Method            // that had the answer
	Reason     error             // of Unknown
	Tried      []outcome.Attempt // of Unknown with several methods: what came of each
	Stats      Stats
}

// Options of Decide. The zero value is useful.
type Options struct {
	Method      Method
	Source      Source      // of explanations
	Explication Explication // of CAR
	NoFacts     bool        // CAR with complete explication: do not look for facts first
	NoPasses    bool        // CAR with complete explication: leave the clauses as they are
	NoUnrolling bool        // CAR with complete explication: look for derivations by refinement alone
	NoWidening  bool        // CAR with complete explication: do not generalise predicates whose numbers march
	Without     []Method    // that Auto leaves out
	Rounds      int         // of refinement; 0: no bound
	Turns       int         // of Auto: how often each method has its turn, which allows it four times as much work as the one before; 0: as often as it needs
	Limits      budget.Limits
	Progress    func(budget.Progress)
	Explain     func(Round)
	Turned      func(outcome.Turn) // Auto: called after every turn of a method, in the order of turns, behind the rounds that belong to it
}

// undecided makes a result of an error that leaves the question open, and returns others.
func undecided(ctx context.Context, r *Result, err error) (*Result, error) {
	switch {
	case ctx.Err() != nil && !errors.Is(ctx.Err(), context.DeadlineExceeded):
		return nil, budget.ErrInterrupted
	case ctx.Err() != nil:
		r.Reason = budget.New(ctx, budget.Limits{}, nil).Tick(budget.Progress{})
	case errors.Is(err, budget.ErrInterrupted):
		return nil, err
	case outcome.Open(err):
		r.Reason = err
	default:
		return nil, err
	}
	return r, nil
}

// confirm checks a solution, clause by clause, in a scope without other assertions.
func confirm(ctx context.Context, r *Result, p *horn.Problem, s smt.Checker) (*Result, error) {
	err := CheckSolution(ctx, p, r.Solution, s)
	var wrong *horn.Unproved
	switch {
	case err == nil:
		r.Verdict = Underivable
	case errors.As(err, &wrong):
		r.Solution, r.Reason = nil, &outcome.Stuck{What: err.Error()}
	default:
		return undecided(ctx, r, err)
	}
	return r, nil
}

// CheckSolution asks for each clause whether the solution satisfies it. What the solver has
// asserted before is forgotten. The error is a *horn.Unproved, or the solver's.
func CheckSolution(ctx context.Context, p *horn.Problem, solution horn.Solution, s smt.Checker) error {
	defer s.Reset()
	refuter, ok := s.(smt.Refuter)
	if !ok {
		refuter = smt.OneByOne{Checker: s}
	}
	return p.Check(solution, func(fs []*logic.Term) (int, error) { return refuter.Impossible(ctx, 0, fs) })
}

// OfProblem returns clauses, which are to be valid, as a query.
func OfProblem(p *horn.Problem) *Clauses { return &Clauses{Problem: p} }

var errNil = errors.New("clp: clauses and solvers are needed, and one of them is nil")

// Decide decides whether the clauses have a solution: whether the goal has no derivation.
// A solution was checked clause by clause, a derivation replayed. The error is of the input
// (method ARMC: a source.List of clauses that are not linear), of the solver that cannot be
// started, or budget.ErrInterrupted; limits and what methods cannot do make an Unknown.
func Decide(ctx context.Context, q *Clauses, pool *smt.Pool, o Options) (*Result, error) {
	if q == nil || pool == nil {
		return nil, errNil
	}
	began := time.Now()
	ctx, cancel := o.Limits.Within(ctx)
	defer cancel()
	r, err := decide(ctx, q, pool, budget.New(ctx, o.Limits, o.Progress), o)
	if err != nil {
		return nil, err
	}
	if r.Verdict == Derivable {
		if err := r.Derivation.Replay(q.Problem); err != nil {
			return nil, bug.Errorf("replay of the derivation", "%w", err)
		}
	}
	r.Stats.Time = time.Since(began)
	var limit *budget.Exhausted
	if errors.As(r.Reason, &limit) && limit.What == "time" { // of a part, it says how long that took
		limit.Limit = cmp.Or(o.Limits.Time, r.Stats.Time.Round(time.Millisecond)).String()
	}
	r.Stats.Solver = pool.Stats()
	return r, nil
}

func decide(ctx context.Context, q *Clauses, pool *smt.Pool, meter *budget.Meter, o Options) (*Result, error) {
	if q.Modes == nil || o.NoFacts || o.Explication == Lazy || o.Method == Spacer {
		return byMethod(ctx, q, pool, meter, o)
	}
	return byDemand(ctx, q, pool, meter, o.Explain, func(guarded *Clauses) (*Result, error) { return byMethod(ctx, guarded, pool, meter, o) })
}

func byMethod(ctx context.Context, q *Clauses, pool *smt.Pool, meter *budget.Meter, o Options) (*Result, error) {
	switch o.Method {
	case Auto:
		return auto(ctx, q, pool, meter, o)
	case ARMC:
		return byARMC(ctx, q, pool, o, 0)
	}
	s, err := pool.Acquire(ctx)
	if err != nil {
		return undecided(ctx, &Result{Method: o.Method}, err)
	}
	defer pool.Release(s)
	switch o.Method {
	case Spacer:
		return bySolver(ctx, q, s, meter, o, 0)
	case Sizes:
		return bySizes(ctx, q, s, 0)
	case Cells:
		return byCells(ctx, q, s, meter, 0)
	}
	return byCAR(ctx, q, s, meter, o)
}
