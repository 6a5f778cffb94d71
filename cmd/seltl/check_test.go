package main

import (
	"context"
	"flag"
	"testing"
	"time"

	"github.com/urfave/cli/v2"

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
	c := cli.NewContext(nil, flag.NewFlagSet("check", flag.ContinueOnError), nil)
	c.Context = ctx
	a := &analysis{c: c, ctx: ctx, r: &report.Report{}, m: &model{}, open: 2}
	a.opts.Limits.Time = whole
	done := a.turn()
	share := a.opts.Limits.Time
	deadline, _ := a.ctx.Deadline()
	end, _ := ctx.Deadline()
	if share > whole/2 || share < whole/3 || end.Sub(deadline) < whole/3 || a.open != 1 {
		t.Errorf("share %v of %v, ending %v before the end, %d left", share, whole, end.Sub(deadline), a.open)
	}
	var r report.Result
	status := unknown(&r, &budget.Exhausted{What: "time", Limit: share.String()})
	a.add(r, status)
	r = report.Result{}
	a.add(r, unknown(&r, &budget.Exhausted{What: "states", Limit: "7"}))
	done()
	if a.r.Results[0].Note == "" || a.r.Results[1].Note != "" {
		t.Errorf("notes %q, %q", a.r.Results[0].Note, a.r.Results[1].Note)
	}
	if a.ctx != ctx || a.opts.Limits.Time != whole || a.share != 0 {
		t.Error("not as before")
	}
	a.turn()
	if a.ctx != ctx || a.opts.Limits.Time != whole {
		t.Error("the last question has not all that is left")
	}
	c.Context = context.Background()
	a.ctx, a.open = c.Context, 5
	a.turn()
	if a.ctx != c.Context || a.opts.Limits.Time != whole {
		t.Error("without a deadline there is nothing to share")
	}
}
