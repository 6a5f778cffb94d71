package programs

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/seltl/seltl/armc"
	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/outcome"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/program/reader"
	"github.com/seltl/seltl/report"
	"github.com/seltl/seltl/smt"
)

// LoadSystem reads a system of guarded commands, of ARMC's Prolog terms or of linear Horn
// clauses, from the file system if open is nil. The error is diagnostics, an *InputError or a *check.OtherKind.
func LoadSystem(name string, open check.Open) (*program.System, error) {
	if source.KindOf(name).Model() {
		return nil, &check.OtherKind{File: name, Needed: ".gcl, .pl or .smt2"}
	}
	src, err := check.ReadSource(name, open)
	if err != nil {
		return nil, err
	}
	sys, err := reader.Parse(src)
	return sys, check.ForeignFile(name, err)
}

// Reach decides whether a system can reach an error, as engine says (its limits and
// callbacks apart), with the solvers of pool. What the engine answered comes with the
// report, to be drawn and kept; it is nil if it was interrupted.
func Reach(ctx context.Context, sys *program.System, pool *smt.Pool, opts check.Options, engine armc.Options) (*report.Report, *armc.Result, error) {
	engine.Limits, engine.Progress = opts.Limits, opts.Progress
	if opts.Narrate != nil {
		engine.Explain = func(r armc.Round) { opts.Narrate(r.Explain(sys)) }
		engine.Turned = opts.NarrateTurn
	}
	res, err := armc.Check(ctx, sys, pool, engine)
	r := &report.Report{Command: "reach", Messages: check.Messages(sys.Warnings)}
	result := report.Result{Kind: "reach", Name: sys.Name, Formula: "errors are unreachable"}
	switch {
	case err != nil && errors.Is(err, budget.ErrInterrupted):
		r.Exit = opts.Unknown(&result, err)
	case err != nil:
		return nil, nil, err
	default:
		r.Exit = describeReach(&opts, &result, sys, res, &engine)
	}
	r.Results = []report.Result{result}
	return r, res, nil
}

// howReached says which method gave the answer, with its choices.
func howReached(res *armc.Result) string {
	how, effort, of := res.How()
	if of != "" {
		how += ", " + report.Counted(int64(effort), of)
	}
	return how
}

// largestShown is the size of invariants that are shown to people.
const largestShown = 2000

func describeReach(o *check.Options, result *report.Result, sys *program.System, res *armc.Result, engine *armc.Options) int {
	if res.Facts != nil {
		for l, fs := range res.Facts.At {
			for _, f := range fs {
				fact := located(sys, l, f.Formula)
				fact.By = f.By.String()
				result.Facts = append(result.Facts, fact)
			}
		}
	}
	result.Statistics = &report.Statistics{States: report.NewCount(int64(res.Stats.States)), SearchSeconds: res.Stats.Time.Seconds(),
		Method: howReached(res)}
	switch res.Verdict {
	case armc.Safe:
		result.Verdict = report.Holds
		result.Assumptions = arithmetic(sys)
		for l, inv := range res.Certificate.Invariant { // none of an enumeration
			result.Invariant = append(result.Invariant, located(sys, l, inv))
		}
		return report.ExitHolds
	case armc.Unsafe:
		result.Verdict = report.Violated
		result.Counterexample = programTrace(sys, res.Trace)
		if at, divisors, ok := res.Trace.DivisionAt(sys); ok {
			check.Placed(result, at)
			result.Note = divisionNote(at, divisors)
		}
		return report.ExitViolated
	}
	result.Tried = outcome.Texts(res.Tried)
	return o.Unknown(result, &check.Inconclusive{Reason: res.Reason, Method: engine.Method})
}

func located(sys *program.System, l int, f *logic.Term) report.Formula {
	out := report.Formula{Location: sys.Locations[l].Name}
	if size := f.Size(); size > largestShown {
		out.Nodes = size // the text could be too large to be made
	} else {
		out.Formula = forAll(f, sys.Vars)
	}
	return out
}

// divisionNote says where a run divides by zero.
func divisionNote(at source.Span, divisors []*logic.Term) string {
	text := "division by zero"
	if len(divisors) > 0 {
		text += ": " + logic.Formats(divisors, logic.C, ", ") + " is 0"
	}
	if at.Valid() {
		pos := at.Pos()
		text = fmt.Sprintf("%s:%d:%d: %s, in %s", at.File.Name(), pos.Line, pos.Column, text, strings.Join(strings.Fields(at.Text()), " "))
	}
	return text
}

// mathematical is what verdicts about systems with numbers rest on.
const mathematical = "mathematical integers and reals, no machine words"

// arithmetic says what a proof of safety assumes of numbers.
func arithmetic(sys *program.System) []string {
	var all []string
	if slices.ContainsFunc(sys.Vars, func(v *logic.Term) bool { return v.Sort().Arithmetic() }) {
		all = append(all, mathematical)
	}
	if sys.MayDivideByZero() {
		all = append(all, "that divisors are not 0, or else that a number divided by 0 is some number, always the same (--check=div makes it an error)")
	}
	return all
}

// Certificate checks that an invariant holds initially, is kept by every command of a
// system, and excludes all error states.
func Certificate(ctx context.Context, sys *program.System, cert *armc.Certificate, solver smt.Checker, opts check.Options) *report.Report {
	result := report.Result{Kind: "certificate", Formula: "the invariant is initial, inductive and safe", Verdict: report.Holds}
	r := &report.Report{Command: "check-certificate"}
	if cert.Enumeration {
		result.Formula = "all states are visited, and none is an error"
	} else if cert.Execution {
		result.Formula = "all runs are gone through until they have ended, and none comes to an error"
	}
	err := armc.CheckCertificate(ctx, sys, cert, solver)
	var refused *armc.Refused
	switch {
	case errors.As(err, &refused) && refused.Status == smt.Sat:
		result.Verdict, r.Exit, result.Note = report.Violated, report.ExitViolated, refused.Error()
	case errors.Is(err, context.DeadlineExceeded):
		r.Exit = opts.Unknown(&result, &budget.Exhausted{What: "time", Limit: opts.Limits.Time.String()})
	case errors.Is(err, context.Canceled):
		r.Exit = opts.Unknown(&result, budget.ErrInterrupted)
	case err != nil:
		r.Exit = opts.Unknown(&result, err)
	default:
		result.Assumptions = arithmetic(sys)
	}
	r.Results = []report.Result{result}
	return r
}
