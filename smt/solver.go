// Package smt decides formulas of package logic.
//
// Checker, HornSolver and Optimizer are what its users ask for; a Solver is all three.
// Its one backend is the z3 program, in child processes that are spoken to in SMT-LIB 2
// (NewZ3): a crash, a hang or memory running out ends the child only, which is
// started again with its assertions when it is needed next.
//
// What is guaranteed of a backend behind Validated, ValidatedHorn and ValidatedOptimizer,
// as Z3 is: a model is evaluated by package logic before it is returned; the solution of
// a Horn problem is checked clause by clause; an answer that does not come, or that is
// not understood, is Unknown, never one of the others. Unsat is believed.
//
// Variables whose names start with "seltl!" are reserved for this package.
//
// # Decisions
//
// Validation wraps, caching is the prover. smt.Validated, ValidatedHorn and ValidatedOptimizer make any
// backend one whose answers were evaluated or checked; Z3 is three backends behind them. What is asked
// again is entailment, whose answers come from formulas, earlier answers and models together: that cache is
// the prover of internal/predabs, a wrapper of a smt.Checker; one of single checks below it would be asked nothing.
package smt

import (
	"context"
	"time"

	"github.com/seltl/seltl/horn"
	"github.com/seltl/seltl/logic"
)

// Status is the answer to a question.
type Status uint8

const (
	// Unknown: no answer within the budget, or none at all.
	Unknown Status = iota
	// Sat: there is a model.
	Sat
	// Unsat: there is none.
	Unsat
)

func (s Status) String() string { return [...]string{"unknown", "sat", "unsat"}[s] }

// Checker decides satisfiability. Neither it nor the other interfaces here are safe for
// concurrent use; see Pool.
//
// Every method that takes a context returns its error (and kills the running
// question) once it ends. Other errors mean that the solver cannot be used any
// more: it is closed, or its program cannot be started again. Everything else
// that goes wrong is the status Unknown, see Reason.
type Checker interface {
	// Push opens a scope, Pop closes it with all its assertions. Pop panics
	// without a Push.
	Push()
	Pop()
	// Reset closes all scopes and drops all assertions, and Limit.
	Reset()
	// Clear is Reset for who goes on with the same solver: much cheaper, but later answers
	// (which model, which core, after how much work) may depend on what was asked before.
	Clear()
	// Limit bounds the work of each later Check, in units of the solver and so
	// deterministically; 0: only the solver's own options do.
	Limit(work uint64)
	// Assert adds a formula to the innermost scope.
	Assert(f *logic.Term)
	// Check asks whether all assertions and the assumptions hold together.
	Check(ctx context.Context, assumptions ...*logic.Term) (Status, error)
	// Model returns, after Check answered Sat, values for all variables of the
	// assertions and assumptions. nil if no model could be had (see Reason).
	Model(ctx context.Context) (logic.Model, error)
	// Core returns, after Check answered Unsat, the indices of assumptions
	// that are enough for that, increasing. nil if no core could be had (an
	// empty core is not nil).
	Core(ctx context.Context) ([]int, error)
	// Reason says why the last answer was Unknown or nil.
	Reason() string
}

// HornSolver solves constrained Horn clauses.
type HornSolver interface {
	// Horn asks for a solution. limit bounds the work, in units of the solver and so
	// deterministically; 0: only the solver's own options do.
	Horn(ctx context.Context, problem *horn.Problem, limit uint64) (HornResult, error)
}

// HornResult is the answer: Sat with a Solution; Unsat if there is none; or Unknown
// with a Reason.
type HornResult struct {
	Status     Status
	Solution   horn.Solution
	Refutation horn.Refutation // of Unsat, where there is one: as of Refute
	Reason     string
	useless    bool // Unknown, since a solution that was told is none or was not understood
}

// Optimizer optimises.
type Optimizer interface {
	// Maximize returns a model of all hard formulas that makes soft formulas
	// of large total weight true; best says that no model has more. nil with
	// Unsat or Unknown.
	Maximize(ctx context.Context, hard, soft []*logic.Term, weights []int) (status Status, m logic.Model, best bool, err error)
}

// Solver is all of them: what a Pool lends. Its answers are validated. Horn, Maximize and Impossible
// are independent of the assertions.
type Solver interface {
	Checker
	HornSolver
	// Transformed is Horn with clauses that the solver itself has made smaller, as it does by default, and nothing else
	// tried, but where what it says then is no solution.
	Transformed(ctx context.Context, problem *horn.Problem, limit uint64) (HornResult, error)
	// ForAll is Horn where the solution may say something about all elements of arrays: with universal variables, see horn.Solution.
	ForAll(ctx context.Context, problem *horn.Problem, limit uint64) (HornResult, error)
	// Refute asks for a reason why a Horn problem has no solution, which is not checked; nil if none comes. limit is as of Horn.
	Refute(ctx context.Context, problem *horn.Problem, limit uint64) (horn.Refutation, error)
	Optimizer
	Refuter
	// Beside returns a Checker with assertions of its own, which outlive Reset, and what
	// ends it, as Close does. Its work is counted here. It must not be used at the same
	// time as the Solver.
	Beside() (c Checker, end func())
	// Stats returns what the solver has done so far.
	Stats() Stats
	// Close ends the child processes and waits for their end. It may be called twice.
	Close() error
}

// Stats counts the work of a solver.
type Stats struct {
	Queries  int           // Check and Maximize and Horn, with their internal checks
	Sat      int           // of those
	Unsat    int           // of those
	Unknown  int           // of those
	Models   int           // models read and evaluated
	Horn     int           // Horn problems
	Restarts int           // children started again after trouble
	Bytes    int64         // of commands sent to the children
	Work     uint64        // resource units that the children have counted: the same for the same questions
	Time     time.Duration // waited for the children
}

// Add adds another solver's work.
func (s *Stats) Add(t Stats) {
	s.Queries += t.Queries
	s.Sat += t.Sat
	s.Unsat += t.Unsat
	s.Unknown += t.Unknown
	s.Models += t.Models
	s.Horn += t.Horn
	s.Restarts += t.Restarts
	s.Bytes += t.Bytes
	s.Work += t.Work
	s.Time += t.Time
}

// Subtract takes away what had been done before.
func (s *Stats) Subtract(before Stats) {
	s.Queries -= before.Queries
	s.Sat -= before.Sat
	s.Unsat -= before.Unsat
	s.Unknown -= before.Unknown
	s.Models -= before.Models
	s.Horn -= before.Horn
	s.Restarts -= before.Restarts
	s.Bytes -= before.Bytes
	s.Work -= before.Work
	s.Time -= before.Time
}

// CheckAll asks whether some formulas hold together, in a scope of their own on
// top of what is asserted. After Sat, Model must be asked by ModelOf instead:
// the scope is closed.
func CheckAll(ctx context.Context, s Checker, fs ...*logic.Term) (Status, error) {
	f := logic.And(fs...)
	if f.IsFalse() {
		return Unsat, nil
	}
	s.Push()
	defer s.Pop()
	s.Assert(f)
	return s.Check(ctx)
}

// ModelOf is CheckAll with a model where the answer is Sat. If the answer was
// Sat but no model could be believed, the status is Unknown.
func ModelOf(ctx context.Context, s Checker, fs ...*logic.Term) (Status, logic.Model, error) {
	s.Push()
	defer s.Pop()
	s.Assert(logic.And(fs...))
	status, err := s.Check(ctx)
	if status != Sat || err != nil {
		return status, nil, err
	}
	m, err := s.Model(ctx)
	if m == nil {
		return Unknown, nil, err
	}
	return Sat, m, nil
}

// Entails asks whether the conclusion holds wherever the hypothesis does: Unsat
// means yes, Sat no.
func Entails(ctx context.Context, s Checker, hypothesis, conclusion *logic.Term) (Status, error) {
	return CheckAll(ctx, s, hypothesis, logic.Not(conclusion))
}
