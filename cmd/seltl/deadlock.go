package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/seltl/seltl/deadlock"
	"github.com/seltl/seltl/internal/budget"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/report"
)

func deadlockCommand(s streams) *cli.Command {
	return &cli.Command{
		Name:      "deadlock",
		Usage:     "decide whether a model can deadlock",
		ArgsUsage: "MODEL",
		Description: `Decides whether a state is reachable in which nothing is possible. Termination (all
processes at END) is no deadlock, and neither is ERROR.

--method=plain       looks at the states one by one (stubborn sets save most of them)
         iter        refines abstractions of the components until they decide
         conditions  tries only conditions on the structure that need no search
         auto        conditions, then plain and iter side by side

A deadlock is shown with its trace, what every component waits for, and a cycle of
waiting components if there is one.

EXAMPLES
   seltl deadlock specs/classics/philosophers.lks --process TABLE
   seltl deadlock specs/classics/philosophers.lks --process MIXED -D N=40
   seltl deadlock model.lts --method=iter --explain`,
		Flags: concat(modelFlags(), []cli.Flag{
			&cli.StringFlag{Name: "method", Value: "auto", Usage: "search by `METHOD`: auto, plain, iter, conditions"},
			&cli.BoolFlag{Name: "explain", Usage: "narrate the rounds of refinement"},
			&cli.BoolFlag{Name: "no-reduction", Usage: "follow all transitions instead of stubborn sets"},
		}, limitFlags(), outputFlags()),
		Action: func(c *cli.Context) error {
			return analyse(c, s, func(a *analysis) error { return a.deadlock() })
		},
	}
}

func (a *analysis) deadlock() error {
	method, err := deadlock.ParseMethod(a.c.String("method"))
	if err != nil {
		return usagef(a.c, "%v", err)
	}
	net, err := a.m.composition()
	if err != nil {
		return err
	}
	opts := deadlock.Options{Method: method, NoReduction: a.c.Bool("no-reduction"), Limits: a.opts.Limits, Progress: a.opts.Progress}
	if a.c.Bool("explain") {
		opts.Explain = func(r deadlock.Round) { fmt.Fprint(a.s.out, r.Write(net)) }
	}
	r, status, err := decideDeadlock(a.c.Context, net, opts)
	if err != nil {
		return err
	}
	a.add(r, status)
	return nil
}

// decideDeadlock runs the check and describes its answer.
func decideDeadlock(ctx context.Context, net *lks.Network, opts deadlock.Options) (report.Result, int, error) {
	r := report.Result{Kind: "deadlock", Verdict: report.Holds}
	meter := budget.New(ctx, budget.Limits{}, nil)
	res, err := deadlock.Check(ctx, net, opts)
	r.Statistics = deadlockStatistics(res)
	if r.Statistics != nil {
		r.Statistics.SearchSeconds = meter.Elapsed().Seconds()
	}
	var internal *deadlock.InternalError
	switch {
	case errors.As(err, &internal):
		r.Verdict, r.Reason = report.Unknown, "internal error: "+internal.Error()
		r.Advice = "this is a bug in seltl; please report it with the model"
		return r, exitInternal, nil
	case errors.Is(err, deadlock.ErrNotProved):
		r.Verdict, r.Reason, r.Advice = report.Unknown, err.Error(), "--method=auto"
		return r, exitUnknown, nil
	case err != nil && isLimit(err):
		return r, unknown(&r, err), nil
	case err != nil:
		return r, exitUsage, err
	case res.Free():
		if res.Proof != nil {
			r.Assumptions = append(r.Assumptions, "nothing: "+res.Proof.Text)
		}
		return r, exitHolds, nil
	}
	r.Verdict = report.Violated
	r.Counterexample = report.DeadlockTrace(net, res.Deadlock)
	return r, exitViolated, nil
}

func deadlockStatistics(res *deadlock.Result) *report.Statistics {
	switch {
	case res == nil:
		return nil
	case res.Proof != nil:
		return &report.Statistics{Method: "by condition: " + res.Proof.Rule}
	case res.Method == deadlock.Iter && res.Abstraction != nil:
		a := res.Abstraction
		return &report.Statistics{States: int64(a.MaxStates), StoreBytes: a.Bytes,
			Method: fmt.Sprintf("iter: %d rounds, %s classes of %s component states", a.Rounds, sum(a.Classes), sum(a.Components))}
	case res.Exploration != nil:
		e := res.Exploration
		method := "plain"
		if e.Reduced {
			method = "plain with stubborn sets"
		}
		return &report.Statistics{States: e.States, Transitions: e.Transitions, StoreBytes: e.Bytes, Method: method}
	}
	return nil
}

func sum(ns []int) string {
	parts := make([]string, len(ns))
	total := 0
	for i, n := range ns {
		total += n
		parts[i] = fmt.Sprint(n)
	}
	if len(ns) > 8 {
		return fmt.Sprint(total)
	}
	return strings.Join(parts, "+")
}
