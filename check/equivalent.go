package check

import (
	"context"
	"fmt"
	"strings"

	"github.com/seltl/seltl/conform/equivalence"
	"github.com/seltl/seltl/outcome"
	"github.com/seltl/seltl/report"
)

// Equivalent decides whether two models are equivalent, by a relation; what tells them
// apart comes with the verdict.
func Equivalent(ctx context.Context, a, b *Model, opts Options, by equivalence.Relation) (*report.Report, error) {
	res, err := equivalence.Check(ctx, a.Net, b.Net, equivalence.Options{Relation: by, Limits: opts.Limits, Progress: opts.Progress})
	result := report.Result{Kind: "equivalent", Formula: fmt.Sprintf("%s and %s are equivalent (%s)", a.Process, b.Process, by)}
	r := compared("equivalent", a, b)
	switch {
	case err != nil && Limited(err):
		r.Exit = opts.Unknown(&result, err)
	case err != nil:
		return nil, err
	case res.Verdict == outcome.Unknown:
		r.Exit = opts.Unknown(&result, res.Reason)
	case res.Equivalent():
		result.Verdict = report.Holds
	default:
		result.Verdict, r.Exit = report.Violated, report.ExitViolated
		describeDifference(&result, res, a.Process, b.Process)
	}
	if result.Verdict != report.Unknown && res.Classes > 0 {
		result.Note = strings.TrimSpace(fmt.Sprintf("%s %d and %s, %s together", result.Note, res.StatesA,
			report.Counted(int64(res.StatesB), "state"), classesText(res.Classes)))
	}
	r.Results = []report.Result{result}
	return r, nil
}

func classesText(n int64) string {
	if n == 1 {
		return "1 class"
	}
	return report.Group(n) + " classes"
}

// describeDifference says what tells the two processes apart.
func describeDifference(result *report.Result, res *equivalence.Result, a, b string) {
	if res.Formula != nil {
		has, lacks := a, b
		if !res.FirstHas {
			has, lacks = b, a
		}
		result.Note = fmt.Sprintf("true of %s in %s and not of %s: %s;", has, res.InitialName, lacks, res.Formula)
		return
	}
	below, above, failing := a, b, res.Forward
	if failing != nil && failing.Holds() {
		below, above, failing = b, a, res.Backward
	}
	if failing == nil {
		return
	}
	result.Note = fmt.Sprintf("%s does what %s cannot", below, above)
	for _, t := range failing.Trees {
		result.Games = append(result.Games, Game(failing, t))
	}
	if failing.Trace != nil {
		result.Counterexample = conformTrace(failing, failing.Trace)
	}
}
