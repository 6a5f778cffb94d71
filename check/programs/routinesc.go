package programs

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/c/encode"
	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/c/machine"
	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/clp"
	"github.com/seltl/seltl/horn"
	"github.com/seltl/seltl/internal/c/relations"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/outcome"
	"github.com/seltl/seltl/report"
	"github.com/seltl/seltl/safety"
	"github.com/seltl/seltl/smt"
)

// ReachRoutines decides whether a C program can fail that was encoded by encode.EncodeApart:
// by relations for its routines, as engine says (its limits and callbacks apart), with the
// solvers of pool. What was found comes with the report. The error is the solver's.
func ReachRoutines(ctx context.Context, enc *encode.Encoding, pool *smt.Pool, opts check.Options, engine clp.Options, how safety.Integers) (*report.Report, *safety.RoutinesAnswer, error) {
	begin := time.Now().Add(-enc.Took)
	engine.Limits, engine.Progress = opts.Limits, opts.Progress
	if opts.Narrate != nil {
		engine.Explain = func(r clp.Round) { opts.Narrate(r.Explain()) }
		engine.Turned = opts.NarrateTurn
	}
	ctx, cancel := opts.Limits.Within(ctx)
	defer cancel()
	r := &report.Report{Command: "reach", Messages: MessagesOfC(enc.Program)}
	result := report.Result{Kind: "reach", Name: enc.Program.Name, Formula: "no failure is reachable"}
	a, err := safety.Routines(ctx, enc, pool, engine, how)
	if err != nil {
		return nil, nil, err
	}
	r.Exit = (&routinesShown{enc, a}).describe(&result, &opts, how)
	if result.Statistics != nil {
		result.Statistics.SearchSeconds = time.Since(begin).Seconds()
	}
	r.Results = []report.Result{result}
	return r, a, nil
}

// routinesShown is what was found out about a program, for reports.
type routinesShown struct {
	enc   *encode.Encoding
	found *safety.RoutinesAnswer
}

// describe fills in what was found, and returns the exit status.
func (s *routinesShown) describe(result *report.Result, opts *check.Options, how safety.Integers) int {
	a := s.found
	if res := a.Result; res != nil {
		result.Statistics = &report.Statistics{States: report.NewCount(int64(res.Stats.Facts)), Method: fmt.Sprintf("relations of %s, %s, %s", report.Counted(int64(len(s.enc.Routines)), "routine"), res.Method, report.Counted(int64(res.Stats.Rounds), "round"))}
	}
	switch a.Verdict {
	case outcome.Unknown:
		if a.Result != nil {
			result.Tried = outcome.Texts(a.Result.Tried)
		}
		status := opts.Unknown(result, a.Reason)
		if !budget.Stopped(a.Reason) {
			adviseChecks(opts, result, s.enc, a.Left)
		}
		return status
	case outcome.Holds:
		result.Verdict, result.Note, result.NoRun = report.Holds, a.Over, a.NoRun
		s.summaries(result)
	default:
		result.Verdict = report.Violated
		out := a.Run.Outcome
		result.Name, result.Formula = placeOf(out.Span), out.What
		result.Note = placeOf(out.Span) + ": " + out.What
		result.Counterexample = s.counterexample()
	}
	if !rests(opts, result, assumed(s.enc, how)) {
		return report.ExitUnknown
	}
	return result.Verdict.Exit()
}

// summaries shows what the proof says of each routine: what it is called with, and what
// holds of each of its relations then.
func (s *routinesShown) summaries(result *report.Result) {
	rel, said := s.found.Relations, map[*ir.Func]bool{}
	for i, kind := range rel.Kinds {
		returns := s.found.Result.Solution[i]
		if contracts := s.found.Result.Contracts; contracts != nil {
			returns = contracts[i].Returns
			if called := contracts[i].Called; !called.IsTrue() && !said[kind.Routine] {
				result.Invariant = append(result.Invariant, s.shownFormula(i, kind.Routine.Name+"() is called", called))
			}
			said[kind.Routine] = true
		}
		result.Invariant = append(result.Invariant, s.shownFormula(i, kind.Title(), returns))
	}
}

// shownFormula is what a proof says of a relation.
func (s *routinesShown) shownFormula(pred int, title string, f *logic.Term) report.Formula {
	if size := f.Size(); size > largestShown {
		return report.Formula{Location: title, Nodes: size}
	}
	by := map[*logic.Term]*logic.Term{}
	for _, v := range s.found.Shown.Preds[pred].Params {
		name, when := relations.Stands(v.Name())
		by[v] = logic.Var(shownVariable(name, when, s.found.Relations.Kinds[pred]), v.Sort())
	}
	return report.Formula{Location: title, Formula: logic.Substitute(f, by).String()}
}

// shownVariable is what a parameter is called: n for fib's argument n, result for its result,
// and with a dash what a global is afterwards.
func shownVariable(name, when string, k relations.Kind) string {
	own := strings.TrimPrefix(name, k.Routine.Name+":")
	switch {
	case own != name:
		return own
	case when == relations.After:
		return name + "'"
	case when == relations.Before:
		return name + "0"
	}
	return strings.TrimPrefix(name, k.Routine.Name+".")
}

// counterexample is the run, as lines of the source.
func (s *routinesShown) counterexample() *report.Counterexample {
	return byLines(s.enc, s.found.Run, s.found.Lines)
}

// byLines is a run, told by the lines that it goes through.
func byLines(enc *encode.Encoding, run *machine.Recording, all []machine.Line) *report.Counterexample {
	c := &report.Counterexample{Kind: "program", Components: []string{enc.Entry.Name}, Stem: []report.Step{}, End: "error",
		Initial: report.State{Locals: []string{"start"}, Props: []string{}}}
	texts, redo := lines{}, &again{run: run}
	c.Arguments = [][]string{argumentsOf(enc, run)}
	for i, l := range all {
		step := report.Step{Event: placeOf(l.Span), Source: texts.at(l.Span), Routine: l.Func.Name, Depth: l.Depth, Inputs: slices.Clone(l.Given), Gained: l.Set,
			State: report.State{Locals: []string{placeOf(l.Span)}, Props: []string{}}}
		if redo.upTo = run.Nodes(); i+1 < len(all) {
			redo.upTo = all[i+1].First - 1
		}
		redo.step(&step)
		c.Stem = append(c.Stem, step)
	}
	return c
}

// Summaries checks what a certificate says of the routines of a program, clause by clause,
// over machine words.
func Summaries(ctx context.Context, rel *relations.Relations, solution horn.Solution, solver smt.Checker, opts check.Options) *report.Report {
	result := report.Result{Kind: "certificate", Formula: "the relations hold of all that routines do, and exclude failures", Verdict: report.Holds}
	r := &report.Report{Command: "check-certificate"}
	err := clp.CheckSolution(ctx, rel.Words, solution, solver)
	var wrong *horn.Unproved
	switch {
	case errors.As(err, &wrong) && !budget.Stopped(err):
		result.Verdict, r.Exit, result.Note = report.Violated, report.ExitViolated, err.Error()
	case err != nil:
		r.Exit = opts.Unknown(&result, err)
	default:
		if !rests(&opts, &result, assumed(rel.Encoding, safety.AutoIntegers)) {
			r.Exit = report.ExitUnknown
		}
	}
	r.Results = []report.Result{result}
	return r
}
