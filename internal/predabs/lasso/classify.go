package lasso

import (
	"context"
	"slices"

	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/smt"
)

// Label says what a step does to a ranking function. A run with infinitely many steps of
// Decrease and finitely many of Other does not exist.
type Label uint8

const (
	// Other: nothing is known; the function may increase.
	Other Label = iota
	// Same: the function does not increase.
	Same
	// Decrease: the function is not negative before the step, and becomes smaller.
	Decrease
)

func (l Label) String() string { return [...]string{"other", "same", "dec"}[l] }

// Classify says what the steps of a command from states of an invariant do to the function:
// Other unless the solver proves something else. Two questions at most.
func Classify(ctx context.Context, s smt.Checker, f *Function, c *program.Command, invariant *logic.Term) (Label, error) {
	return newAsker(ctx, s, Options{}).classify(f, c, invariant)
}

func (q *asker) classify(f *Function, c *program.Command, invariants ...*logic.Term) (Label, error) {
	if !slices.ContainsFunc(f.Vars(), func(v *logic.Term) bool { return c.Update[v] != nil }) {
		return Same, nil
	}
	given := append(slices.Clone(invariants), c.Guard)
	if ok, err := q.proves(append(given, logic.Not(logic.And(f.Bounded(), f.Decreases(c))))...); ok || err != nil {
		return Decrease, err
	}
	if ok, err := q.proves(append(given, logic.Not(f.Stays(c)))...); ok || err != nil {
		return Same, err
	}
	return Other, nil
}

// Excludes returns a path that cannot be run because a step has a label (not Other): from
// states of the invariant along commands to a step that does something else to the function.
// The predicates by which predabs.Refine excludes it let the abstraction see the label.
func (f *Function) Excludes(vars []*logic.Term, invariant *logic.Term, before []*program.Command, step *program.Command, label Label) *program.Path {
	kept := f.Stays(step)
	if label == Decrease {
		kept = logic.And(f.Bounded(), f.Decreases(step))
	}
	bad := &program.Command{Inputs: step.Inputs, Guard: logic.And(step.Guard, logic.Not(kept))}
	return &program.Path{Vars: vars, Init: invariant, Steps: append(slices.Clone(before), bad), Error: logic.True()}
}
