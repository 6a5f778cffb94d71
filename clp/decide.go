package clp

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/horn"
	"github.com/seltl/seltl/internal/refine"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/smt"
)

// Verdict says whether the goal has a derivation.
type Verdict uint8

const (
	Unknown     Verdict = iota
	Underivable         // it has none: there is a Solution
	Derivable           // it has one: there is a Derivation
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
	Solution   horn.Solution // of Underivable: checked clause by clause
	Derivation *Derivation   // of Derivable: replayed
	Method     Method        // that had the answer
	Reason     string        // of Unknown
	Limit      error         // of Unknown: the limit, if there was one
	Tried      []string      // of Unknown with several methods: what came of each
	Stats      Stats
}

// Options of Decide. The zero value is useful.
type Options struct {
	Method      Method
	Source      Source      // of explanations
	Explication Explication // of CAR
	MaxRounds   int         // of refinement; 0: no bound
	Limits      budget.Limits
	Progress    func(budget.Progress)
	Narrate     func(Round)
}

// result runs the loop and makes a result of what comes of it.
func (l *lazy) result(o Options) (*Result, error) {
	found, err := l.run(refine.Options[Round]{Refinements: o.MaxRounds, Narrate: o.Narrate, Proceed: func() error {
		return l.meter.Tick(budget.Progress{Phase: "refining", Rounds: int64(l.rounds), Predicates: int64(l.alpha.predicates())})
	}})
	r := &Result{Method: CAR, Stats: Stats{Rounds: l.rounds, Predicates: l.alpha.predicates()}}
	switch {
	case err != nil:
		return undecided(l.ctx, r, err)
	case found:
		r.Verdict, r.Derivation = Derivable, l.derivation
		return r, nil
	}
	r.Solution = l.solution()
	return confirm(l.ctx, r, l.clauses.Problem, l.solver)
}

// undecided makes a result of an error that leaves the question open, and returns others.
func undecided(ctx context.Context, r *Result, err error) (*Result, error) {
	var open *Undecided
	switch {
	case ctx.Err() != nil:
		return nil, budget.New(ctx, budget.Limits{}, nil).Tick(budget.Progress{})
	case errors.Is(err, budget.ErrInterrupted):
		return nil, err
	case budget.Stopped(err):
		r.Reason, r.Limit = err.Error(), err
	case errors.As(err, &open), errors.Is(err, refine.ErrRounds), errors.Is(err, refine.ErrStuck):
		r.Reason = err.Error()
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
		r.Solution, r.Reason = nil, err.Error()
	default:
		return undecided(ctx, r, err)
	}
	return r, nil
}

// CheckSolution asks for each clause whether the solution satisfies it. The error is a
// *horn.Unproved, or the solver's.
func CheckSolution(ctx context.Context, p *horn.Problem, solution horn.Solution, s smt.Checker) error {
	return p.Check(solution, func(fs ...*logic.Term) error {
		status, err := smt.CheckAll(ctx, s, fs...)
		if err == nil && status != smt.Unsat {
			err = fmt.Errorf("the solver says %s", status)
		}
		return err
	})
}
