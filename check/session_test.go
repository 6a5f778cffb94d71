package check

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/report"
)

// TestShareOf: questions that take all they get have equal shares; what one does not need
// is left to the others.
func TestShareOf(t *testing.T) {
	left := time.Minute
	for open := 4; open > 0; open-- {
		share := shareOf(left, open)
		if share != 15*time.Second {
			t.Errorf("%d questions left share %v: %v", open, left, share)
		}
		left -= share
	}
	if got := shareOf(time.Second, 100_000); got != leastShare {
		t.Errorf("one of very many has %v", got)
	}
	if got := shareOf(time.Millisecond, 3); got != time.Millisecond {
		t.Errorf("of a millisecond, one has %v", got)
	}
	if got := shareOf(59*time.Second, 2); got != 29500*time.Millisecond {
		t.Errorf("after a quick one: %v", got)
	}
	for _, open := range []int{1, 0, -1} {
		if got := shareOf(time.Minute, open); got != time.Minute {
			t.Errorf("%d questions: %v", open, got)
		}
	}
}

// TestTurn: a question has its share of a deadline, in its context and its limits, and
// says so; afterwards all is as before. Without a deadline, and for the last question,
// nothing changes.
func TestTurn(t *testing.T) {
	const whole = 1000 * time.Hour
	ctx, cancel := context.WithTimeout(context.Background(), whole)
	defer cancel()
	s := &session{whole: ctx, ctx: ctx, r: &report.Report{}, m: &Model{}, open: 2}
	s.opts.Limits.Time = whole
	done := s.turn()
	share := s.opts.Limits.Time
	deadline, _ := s.ctx.Deadline()
	end, _ := ctx.Deadline()
	if share > whole/2 || share < whole/3 || end.Sub(deadline) < whole/3 || s.open != 1 {
		t.Errorf("share %v of %v, ending %v before the end, %d left", share, whole, end.Sub(deadline), s.open)
	}
	var r report.Result
	status := s.opts.Unknown(&r, &budget.Exhausted{What: "time", Limit: share.String()})
	s.add(r, status)
	r = report.Result{}
	s.add(r, s.opts.Unknown(&r, &budget.Exhausted{What: "states", Limit: "7"}))
	done()
	if s.r.Results[0].Note == "" || s.r.Results[1].Note != "" {
		t.Errorf("notes %q, %q", s.r.Results[0].Note, s.r.Results[1].Note)
	}
	if s.ctx != ctx || s.opts.Limits.Time != whole || s.opts.share != 0 {
		t.Error("not as before")
	}
	s.turn()
	if s.ctx != ctx || s.opts.Limits.Time != whole {
		t.Error("the last question has not all that is left")
	}
	s.whole = context.Background()
	s.ctx, s.open = s.whole, 5
	s.turn()
	if s.ctx != s.whole || s.opts.Limits.Time != whole {
		t.Error("without a deadline there is nothing to share")
	}
}

// TestReasonsInWords: what Go says of a context is no reason for people.
func TestReasonsInWords(t *testing.T) {
	var r report.Result
	(&Options{}).Unknown(&r, fmt.Errorf("the counterexample cannot be replayed: %w", context.DeadlineExceeded))
	if r.Reason != "the counterexample cannot be replayed: time limit reached" {
		t.Error(r.Reason)
	}
}
