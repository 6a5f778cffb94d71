package programs

import (
	"context"
	"errors"
	"time"

	"github.com/seltl/seltl/armc"
	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/c/encode"
	"github.com/seltl/seltl/c/machine"
	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/outcome"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/report"
	"github.com/seltl/seltl/safety"
	"github.com/seltl/seltl/smt"
)

// CResult is what the engine answered about a C program; its certificate is one of the
// program over machine words. What statistics count is that of all attempts.
type CResult struct {
	*armc.Result
	Run      *machine.Recording // a failure, done again by package machine
	Searched *program.System    // which Graph is about: after passes
}

// ReachC decides whether a C program can fail. The result is nil if it was interrupted. What is
// searched are the systems after passes, of which some may be left out; what is found is checked
// and replayed on the systems before them. Of ask, Explain and the limits and progress of Engine are those of opts.
func ReachC(ctx context.Context, enc *encode.Encoding, pool *smt.Pool, opts check.Options, ask safety.Options) (*report.Report, *CResult, error) {
	ask.Engine.Limits, ask.Explain = opts.Limits, opts.Narrate
	begin := time.Now().Add(-enc.Took)
	if opts.Progress != nil { // one attempt follows the other
		ask.Engine.Progress = func(p budget.Progress) {
			p.Elapsed = time.Since(begin)
			opts.Progress(p)
		}
	}
	ctx, cancel := opts.Limits.Within(ctx)
	defer cancel()
	r := &report.Report{Command: "reach", Messages: MessagesOfC(enc.Program)}
	result := report.Result{Kind: "reach", Name: enc.Program.Name, Formula: "no failure is reachable"}
	a, err := safety.Program(ctx, enc, pool, ask)
	if err != nil {
		return nil, nil, err
	}
	r.Exit = describeC(&opts, &result, enc, a, ask.Engine.Method, ask.Integers)
	took := time.Since(begin)
	if result.Statistics != nil {
		result.Statistics.SearchSeconds = took.Seconds()
	}
	r.Results = []report.Result{result}
	if a.Result == nil {
		return r, nil, nil
	}
	a.Result.Stats.Time = took
	return r, &CResult{a.Result, a.Run, a.Searched}, nil
}

// describeC fills in what was found, and returns the exit status.
func describeC(o *check.Options, result *report.Result, enc *encode.Encoding, a *safety.Answer, asked armc.Method, how safety.Integers) int {
	if a.Result != nil {
		result.Statistics = &report.Statistics{States: report.NewCount(int64(a.Result.Stats.States)), Method: a.How}
		if a.How == "" {
			result.Statistics.Method = howReached(a.Result)
		}
	}
	switch a.Verdict {
	case outcome.Unknown:
		if errors.Is(a.Reason, budget.ErrInterrupted) {
			return o.Unknown(result, a.Reason)
		}
		status := o.Unknown(result, &check.Inconclusive{Reason: a.Reason, Method: asked})
		adviseChecks(o, result, enc, a.Left)
		return status
	case outcome.Holds:
		result.Verdict, result.Note, result.NoRun = report.Holds, a.Over, a.NoRun
	default:
		result.Verdict = report.Violated
		last := a.Trace.Location(enc.Words, len(a.Trace.Edges))
		span, what := enc.Words.Locations[last].Span, enc.Failures[last]
		if a.Failed != nil {
			span, what = a.Failed.Span, a.Failed.What
		} else if a.Run != nil && a.Run.Outcome.Ending == machine.Failed { // of two failures on a line, say, the one that it is
			span, what = a.Run.Outcome.Span, a.Run.Outcome.What
		}
		result.Name, result.Formula = placeOf(span), what
		result.Note = placeOf(span) + ": " + what
		if n := len(a.Trace.Edges); n > 0 {
			result.Note += calledFrom(enc.FrameOf(a.Trace.Edges[n-1]))
		}
		if result.Counterexample = (&cRun{enc, a.Trace, a.Run}).counterexample(); a.Lines != nil {
			result.Counterexample = byLines(enc, a.Run, a.Lines)
		}
	}
	on := assumed(enc, how)
	if a.How != "" {
		on = byGraphs(on)
	}
	if !rests(o, result, on) {
		return report.ExitUnknown
	}
	return result.Verdict.Exit()
}

// adviseChecks says what makes a run that leaves what is modelled a failure.
func adviseChecks(o *check.Options, result *report.Result, enc *encode.Encoding, left bool) {
	if left && len(enc.Program.Checked) == 0 {
		result.Advice = "--check=null,bounds,div, which makes such mistakes failures and shows the run"
	}
}
