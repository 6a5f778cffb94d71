package cfront

import (
	"slices"

	"github.com/seltl/seltl/c/ir"
)

// Failures are what a program fails by: what else could be one is not asked about. An assertion that fails
// ends the run then, a routine that is called is entered.
type Failures struct {
	Calls      []string // routines whose call is a failure, with a body or without
	Labels     []string // labels whose reaching is one
	Assertions bool     // that do not hold
}

// Asserts reports a routine by which assertions fail: __assert_fail, and what is called like it.
func Asserts(routine string) bool { return ir.AssertRoutines[routine] }

// failsBy reports a routine whose call is a failure.
func (o *Options) failsBy(routine string) bool {
	if o.Failures == nil {
		return ir.FailRoutines[routine]
	}
	return slices.Contains(o.Failures.Calls, routine)
}

func (o *Options) failsAt(label string) bool {
	if o.Failures == nil {
		return label == errorLabel
	}
	return slices.Contains(o.Failures.Labels, label)
}

func (o *Options) assertions() bool { return o.Failures == nil || o.Failures.Assertions }
