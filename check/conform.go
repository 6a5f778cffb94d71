package check

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/seltl/seltl/conform"
	"github.com/seltl/seltl/outcome"
	"github.com/seltl/seltl/report"
)

// Conform decides whether an implementation conforms to a specification, as engine says
// (its limits and callbacks apart). An error about what the two speak of is a
// *conform.Mismatch or a *conform.SilentSpec.
func Conform(ctx context.Context, impl, spec *Model, opts Options, engine conform.Options) (*report.Report, error) {
	engine.Limits, engine.Progress = opts.Limits, opts.Progress
	res, err := conform.Check(ctx, impl.Net, spec.Net, engine)
	result := report.Result{Kind: "conform", Formula: fmt.Sprintf("%s conforms to %s (%s)", impl.Process, spec.Process, engine.Preorder)}
	r := compared("conform", impl, spec)
	switch {
	case err != nil && Limited(err):
		r.Exit = opts.Unknown(&result, err)
	case err != nil:
		return nil, err
	case res.Verdict == outcome.Unknown:
		r.Exit = opts.Unknown(&result, res.Reason)
	case res.Holds():
		result.Verdict = report.Holds
	default:
		result.Verdict, r.Exit = report.Violated, report.ExitViolated
		for _, t := range res.Trees {
			result.Games = append(result.Games, Game(res, t))
		}
		if res.Trace != nil {
			result.Counterexample = conformTrace(res, res.Trace)
		}
	}
	if res != nil {
		describeConform(&result, res)
	}
	r.Results = []report.Result{result}
	return r, nil
}

// compared is the report about two models, without results.
func compared(command string, a, b *Model) *report.Report {
	return &report.Report{Command: command, Model: a.Describe(), Messages: Messages(slices.Concat(a.Warnings(), b.Warnings()))}
}

func describeConform(result *report.Result, res *conform.Result) {
	if res.Restricted {
		result.Assumptions = append(result.Assumptions, fmt.Sprintf("that the specification says nothing about actions {%s} and propositions {%s} (--restrict)",
			strings.Join(res.IgnoredActions, ", "), strings.Join(res.IgnoredProps, ", ")))
	}
	if res.Silent != conform.Refuse {
		result.Assumptions = append(result.Assumptions, "a reading of silent steps of the specification (--silent-spec)")
	}
	st := res.Stats
	result.Statistics = &report.Statistics{States: report.NewCount(st.ImplStates), Transitions: report.NewCount(st.Positions), SearchSeconds: st.Elapsed.Seconds(), Method: res.Method.String()}
	result.Note = fmt.Sprintf("%s of the implementation, %d of the specification, %s", report.Counted(st.ImplStates, "state"), st.SpecStates, report.Counted(st.Positions, "game position"))
	if res.Levels != nil {
		var parts []string
		for _, l := range res.Levels.Components {
			parts = append(parts, fmt.Sprintf("%s %d of %d", l.Name, l.Classes, l.States))
		}
		result.Note = fmt.Sprintf("two-level: %s; classes: %s", report.Counted(int64(len(res.Levels.Rounds)), "round"), strings.Join(parts, ", "))
	}
	result.Statistics.Transitions = report.Count{}
}
