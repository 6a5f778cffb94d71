package smt

import (
	"context"
	"slices"

	"github.com/seltl/seltl/horn"
	"github.com/seltl/seltl/logic"
)

// Validated returns the checker with models that have been evaluated: one that does not
// make all assertions and assumptions true is none, and Reason says which it breaks.
// The checker must have no assertions, and be used through the result only.
func Validated(c Checker) Checker { return &validated{Checker: c, scopes: make([][]*logic.Term, 1)} }

type validated struct {
	Checker
	scopes [][]*logic.Term // the assertions
	asked  []*logic.Term   // the assumptions of the last Check
	reason string          // why the last model is none
}

func (v *validated) Push() {
	v.Checker.Push()
	v.scopes = append(v.scopes, nil)
}

func (v *validated) Pop() {
	v.Checker.Pop()
	v.scopes = v.scopes[:len(v.scopes)-1]
}

func (v *validated) Reset() {
	v.Checker.Reset()
	v.scopes = make([][]*logic.Term, 1)
}

func (v *validated) Clear() {
	v.Checker.Clear()
	v.scopes = make([][]*logic.Term, 1)
}

func (v *validated) Assert(f *logic.Term) {
	v.Checker.Assert(f)
	top := &v.scopes[len(v.scopes)-1]
	*top = append(*top, f)
}

func (v *validated) Check(ctx context.Context, assumptions ...*logic.Term) (Status, error) {
	v.asked, v.reason = slices.Clone(assumptions), ""
	return v.Checker.Check(ctx, assumptions...)
}

func (v *validated) Model(ctx context.Context) (logic.Model, error) {
	m, err := v.Checker.Model(ctx)
	if m == nil || err != nil {
		return nil, err
	}
	v.reason = refute(m, append(slices.Concat(v.scopes...), v.asked...))
	if v.reason != "" {
		return nil, nil
	}
	return m, nil
}

func (v *validated) Reason() string {
	if v.reason != "" {
		return v.reason
	}
	return v.Checker.Reason()
}

// refute says which formula a model does not make true, "" if it does all.
func refute(m logic.Model, formulas []*logic.Term) string {
	for _, f := range formulas {
		ok, err := logic.Holds(f, m)
		switch {
		case err != nil:
			return "the solver's model cannot be evaluated: " + err.Error()
		case !ok:
			return "the solver's model is wrong: it does not satisfy " + f.String()
		}
	}
	return ""
}

// ValidatedHorn returns the solver with solutions that have been confirmed clause by clause; others are Unknown.
func ValidatedHorn(h HornSolver, r Refuter) HornSolver { return &validatedHorn{solver: h, refuter: r} }

type validatedHorn struct {
	solver  HornSolver
	refuter Refuter
	mend    bool // one that is none may become one, see horn.Problem.Strongest
}

func (v *validatedHorn) Horn(ctx context.Context, problem *horn.Problem, limit uint64) (HornResult, error) {
	result, err := v.solver.Horn(ctx, problem, limit)
	if err != nil || result.Status != Sat {
		return result, err
	}
	check := func() error {
		return problem.Check(result.Solution, func(fs []*logic.Term) (int, error) { return v.refuter.Impossible(ctx, limit, fs) })
	}
	if err = check(); err != nil && v.mend {
		if strongest := problem.Strongest(result.Solution); strongest != nil && !slices.Equal(strongest, result.Solution) {
			result.Solution = strongest
			err = check()
		}
	}
	switch {
	case ctx.Err() != nil:
		return HornResult{}, ctx.Err()
	case err != nil:
		return HornResult{Reason: err.Error(), useless: true}, nil
	}
	return result, nil
}

// ValidatedOptimizer returns the optimizer with models that make all hard formulas true;
// other answers are Unknown. That there is no better one is believed.
func ValidatedOptimizer(o Optimizer) Optimizer { return &validatedOptimizer{o} }

type validatedOptimizer struct{ Optimizer }

func (v *validatedOptimizer) Maximize(ctx context.Context, hard, soft []*logic.Term, weights []int) (Status, logic.Model, bool, error) {
	status, m, best, err := v.Optimizer.Maximize(ctx, hard, soft, weights)
	if err == nil && status == Sat && refute(m, hard) != "" {
		return Unknown, nil, false, nil
	}
	return status, m, best, err
}
