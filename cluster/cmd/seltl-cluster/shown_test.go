package main

import (
	"context"
	"testing"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/cluster/answer"
	"github.com/seltl/seltl/cluster/job"
	"github.com/seltl/seltl/cluster/search"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/report"
)

var noLimits budget.Limits

// shown is the report of a job.
func shown(t *testing.T, task *search.Task, r *job.Record, res *search.Result) *report.Report {
	t.Helper()
	c, err := task.Compile(context.Background(), noLimits)
	if err != nil {
		t.Fatal(err)
	}
	out, err := answer.Report(c, r, res)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// longer is n, or a larger number in soak runs, in which jobs are to be hit more often.
func longer(n, soaking int) int {
	if soak.On() {
		return soaking
	}
	return n
}
