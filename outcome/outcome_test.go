package outcome_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/outcome"
)

// TestTried: reasons of attempts are found by their type, the last one first, and each text is said once.
func TestTried(t *testing.T) {
	states := &budget.Exhausted{What: "states", Limit: "7"}
	tried := &outcome.Tried{Attempts: []outcome.Attempt{
		{Name: "a", Reason: &budget.Exhausted{What: "time"}},
		{Name: "b", Reason: fmt.Errorf("in a part: %w", states)},
		{Name: "c"},
		{Name: "b", Reason: fmt.Errorf("in a part: %w", states)},
		{Name: "d", Verdict: outcome.Holds},
	}}
	if got := tried.Error(); got != "a: time limit reached; b: in a part: states limit reached (7); c: not ended; d: holds" {
		t.Error(got)
	}
	var limit *budget.Exhausted
	if !errors.As(tried, &limit) || limit != states {
		t.Errorf("%v", limit)
	}
	if !budget.Stopped(tried) {
		t.Error("a limit was reached")
	}
	if got := outcome.Texts(tried.Attempts[2:3]); len(got) != 1 || got[0] != "c: not ended" {
		t.Error(got)
	}
}

// TestTry: what to try hangs on the type of a reason, whatever is around it.
func TestTry(t *testing.T) {
	for want, reason := range map[string]error{
		"this":    fmt.Errorf("x: %w", &outcome.Outside{What: "w", Try: "this"}),
		"another": &outcome.Tried{Attempts: []outcome.Attempt{{Name: "a", Reason: &outcome.Stuck{What: "w", Try: "another"}}}},
		"":        &outcome.Stuck{What: "w"},
	} {
		if got := outcome.Try(reason); got != want {
			t.Errorf("%v: %q, want %q", reason, got, want)
		}
	}
}

// nonlinear is a reason of a type that the package does not know.
type nonlinear struct{}

func (nonlinear) Error() string    { return "it is not linear" }
func (nonlinear) LeavesOpen() bool { return true }
func (nonlinear) Advice() string   { return "--linear" }

// TestOtherReasons: a type of its own is a reason if it says so, and has its advice.
func TestOtherReasons(t *testing.T) {
	reason := fmt.Errorf("facts: %w", nonlinear{})
	if !outcome.Open(reason) || !outcome.Ended(reason) || outcome.Ended(budget.ErrInterrupted) || outcome.Open(errors.New("a bug")) {
		t.Error("it is not told apart what leaves a question open")
	}
	tried := &outcome.Tried{Attempts: []outcome.Attempt{{Name: "a", Reason: reason}, {Name: "b", Reason: &outcome.Stuck{What: "w"}}}}
	if got := outcome.Try(tried); got != "--linear" {
		t.Error(got)
	}
}
