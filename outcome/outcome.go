// Package outcome says what any engine answers: a verdict and, of one that is Unknown, why. Reasons
// are errors with a type, on which advice hangs; their texts are for people, and nothing reads them:
//
//	*budget.Exhausted      a limit: which, of what, and how far the engine was
//	budget.ErrInterrupted  its context has ended
//	*Stuck                 a method came to its end
//	*Outside               the question is none for the method
//	*Tried                 several attempts, each with a reason of its own
//	*explore.LossyStore    a store that may have missed states (package lks/explore)
//
// The errors that an engine returns beside its result are about wrong input and bugs alone.
package outcome

import (
	"errors"
	"slices"
	"strings"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/internal/names"
)

// Verdict is the answer to a question.
type Verdict uint8

const (
	// Unknown: there is a reason.
	Unknown Verdict = iota
	// Holds: the property is satisfied, no error is reachable, there is no deadlock.
	Holds
	// Violated: it is not, which a counterexample shows.
	Violated
)

var verdicts = names.Of[Verdict]("verdict", "unknown", "holds", "violated")

func (v Verdict) String() string { return verdicts.String(v) }

// Stuck is why a method has no answer though no limit was reached: a solver that cannot decide, a
// counterexample that refinement learns nothing from.
type Stuck struct {
	What string // what was met, for people
	Try  string // what to try instead, "" if nothing is known that others would not do, too
}

func (s *Stuck) Error() string { return s.What }

// Advice implements what Try looks for.
func (s *Stuck) Advice() string { return s.Try }

// Outside is why a method does not answer a question: it is none of those that the method is for.
type Outside struct {
	What string // what is outside, for people
	Try  string // what to ask instead, or by which method; ""
}

func (o *Outside) Error() string { return o.What }

// Advice implements what Try looks for.
func (o *Outside) Advice() string { return o.Try }

// Attempt is one of several attempts at a question.
type Attempt struct {
	Name    string
	Verdict Verdict
	Reason  error // why it has no answer; nil of one that has, or that did not come to its end
}

func (a Attempt) String() string {
	switch {
	case a.Reason != nil:
		return a.Name + ": " + a.Reason.Error()
	case a.Verdict == Unknown:
		return a.Name + ": not ended"
	}
	return a.Name + ": " + a.Verdict.String()
}

// Texts are attempts in words, for reports.
func Texts(all []Attempt) (texts []string) {
	return lists.Append(nil, all, Attempt.String)
}

// Tried is why several attempts have no answer. errors.As finds their reasons, the last one first.
type Tried struct{ Attempts []Attempt }

// Error lists the attempts, each text once.
func (t *Tried) Error() string {
	var all []string
	for _, a := range t.Attempts {
		if text := a.String(); !slices.Contains(all, text) {
			all = append(all, text)
		}
	}
	return strings.Join(all, "; ")
}

// Unwrap returns the reasons, the last one first.
func (t *Tried) Unwrap() []error {
	var all []error
	for _, a := range t.Attempts {
		if a.Reason != nil {
			all = append(all, a.Reason)
		}
	}
	slices.Reverse(all)
	return all
}

// Open reports whether an error is a reason for a verdict to be Unknown: a limit, the end of a context, or
// that of a method (Ended). Other errors are about wrong input and bugs.
func Open(err error) bool { return budget.Stopped(err) || Ended(err) }

// Ended reports whether an error is a reason for a method to have no answer though no limit was reached: one of
// the types here, or another with a method LeavesOpen that says so.
func Ended(err error) bool {
	var stuck *Stuck
	var outside *Outside
	var other interface{ LeavesOpen() bool }
	return errors.As(err, &stuck) || errors.As(err, &outside) || errors.As(err, &other) && other.LeavesOpen()
}

// Try is what to try about a reason, "" if it does not say: that of the first error in it, or that it wraps,
// whose method Advice says something. The advice of a limit is that of its type.
func Try(reason error) string {
	if a, ok := reason.(interface{ Advice() string }); ok && a.Advice() != "" {
		return a.Advice()
	}
	switch wraps := reason.(type) {
	case interface{ Unwrap() error }:
		return Try(wraps.Unwrap())
	case interface{ Unwrap() []error }:
		for _, err := range wraps.Unwrap() {
			if advice := Try(err); advice != "" {
				return advice
			}
		}
	}
	return ""
}
