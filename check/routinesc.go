package check

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/seltl/seltl/armc"
	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/clp"
	"github.com/seltl/seltl/horn"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/outcome"
	"github.com/seltl/seltl/program/cfront"
	"github.com/seltl/seltl/program/cfront/encode"
	"github.com/seltl/seltl/program/cfront/relations"
	"github.com/seltl/seltl/report"
	"github.com/seltl/seltl/smt"
)

// RoutinesResult is what was found out about a program whose routines are not all inlined.
type RoutinesResult struct {
	*clp.Result
	Relations *relations.Relations
	Summaries horn.Solution     // over machine words, of a proof; checked clause by clause
	Run       *cfront.Recording // a failure, done again by cfront's machine
}

// routinesSearch decides one program by relations.
type routinesSearch struct {
	ctx    context.Context
	enc    *encode.Encoding
	pool   *smt.Pool
	engine clp.Options
	notes  []outcome.Attempt
	note   string
	left   bool // a run leaves what is modelled by a mistake
	lost   int  // where
	found  RoutinesResult
	shown  *horn.Problem // that the solution is of
	run    *relations.Run
	lines  []cfront.Line
}

// ReachRoutines decides whether a C program can fail that was encoded by encode.EncodeApart:
// by relations for its routines, as engine says (its limits and callbacks apart), with the
// solvers of pool. What was found comes with the report. The error is the solver's.
func ReachRoutines(ctx context.Context, enc *encode.Encoding, pool *smt.Pool, opts Options, engine clp.Options, how Integers) (*report.Report, *RoutinesResult, error) {
	begin := time.Now().Add(-enc.Took)
	engine.Limits, engine.Progress = opts.Limits, opts.Progress
	if opts.Narrate != nil {
		engine.Explain = func(r clp.Round) { opts.Narrate(r.Explain()) }
	}
	if t := opts.Limits.Time; t > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, t)
		defer cancel()
	}
	s := &routinesSearch{ctx: ctx, enc: enc, pool: pool, engine: engine}
	r := &report.Report{Command: "reach", Messages: MessagesOfC(enc.Program)}
	result := report.Result{Kind: "reach", Name: enc.Program.Name, Formula: "no failure is reachable"}
	verdict, err := s.decide(how)
	if err == nil {
		r.Exit = s.describe(&result, &opts, verdict, how)
		if result.Verdict == report.Holds {
			if result.NoRun, err = NoRun(ctx, enc, pool, armc.Options{Limits: opts.Limits}); err != nil {
				return nil, nil, err
			}
		}
	} else if result, r.Exit, err = opts.undecided(result, err); err != nil {
		return nil, nil, err
	}
	if result.Statistics != nil {
		result.Statistics.SearchSeconds = time.Since(begin).Seconds()
	}
	r.Results = []report.Result{result}
	return r, &s.found, nil
}

// decide looks for a proof over unbounded integers, which machine words are to confirm, and
// over machine words then.
func (s *routinesSearch) decide(how Integers) (clp.Verdict, error) {
	for _, words := range []bool{false, true} {
		if words && how == MathIntegers || !words && how == MachineIntegers {
			continue
		}
		v, err := s.phase(words, how)
		if v != clp.Unknown || err != nil {
			return v, err
		}
	}
	return clp.Unknown, nil
}

// phase decides one encoding: first with the ways out of what is modelled as errors, and if
// one of them is reachable, for failures alone, of which a proof is worth nothing then.
func (s *routinesSearch) phase(words bool, how Integers) (clp.Verdict, error) {
	name := "unbounded integers"
	if words {
		name = "machine words"
	}
	for _, lost := range []bool{true, false} {
		rel := relations.Of(s.enc, lost)
		s.found.Relations = rel
		problem := rel.Numbers
		if words {
			problem = rel.Words
		}
		engine := s.engine
		if end, ok := s.ctx.Deadline(); ok && !words && how == AutoIntegers { // half of the time for machine words
			engine.Limits.Time = max(time.Until(end)/2, time.Second)
		}
		if s.ctx.Err() != nil && len(s.notes) > 0 {
			return clp.Unknown, nil // the time is used up
		}
		query := clp.OfProblem(problem)
		if !words { // facts are about numbers
			query.Modes = rel.Modes
		}
		if how == AutoIntegers {
			query.Within = rel.Within()
		}
		res, err := clp.Decide(s.ctx, query, s.pool, engine)
		if err != nil {
			return clp.Unknown, err
		}
		s.found.Result = res
		switch res.Verdict {
		case clp.Underivable:
			if !lost {
				return clp.Unknown, nil
			}
			return s.proved(rel, problem, how)
		case clp.Derivable:
			why, err := s.failure(rel, problem)
			switch {
			case err != nil:
				s.notes = append(s.notes, outcome.Attempt{Name: name, Reason: fmt.Errorf("a derivation was found, but %w", err)})
				return clp.Unknown, nil
			case why == "":
				return clp.Derivable, nil
			}
			s.notes, s.left = append(s.notes, outcome.Attempt{Name: name, Reason: &outcome.Stuck{What: why}}), s.left || !s.enc.Called[s.lost]
			if len(s.enc.Failures) == 0 {
				return clp.Unknown, nil
			}
		default:
			s.notes = append(s.notes, outcome.Attempt{Name: name, Reason: res.Reason})
			return clp.Unknown, nil
		}
	}
	return clp.Unknown, nil
}

// proved takes a solution, or has machine words confirm it.
func (s *routinesSearch) proved(rel *relations.Relations, problem *horn.Problem, how Integers) (clp.Verdict, error) {
	solution := s.found.Solution
	s.shown = problem
	switch {
	case problem == rel.Words:
		s.found.Summaries = solution
		return clp.Underivable, nil
	case how == MathIntegers:
		s.note = "unbounded integers"
		return clp.Underivable, nil
	}
	lifted, err := rel.Lift(solution)
	if err != nil {
		s.notes = append(s.notes, outcome.Attempt{Name: "safe for unbounded integers", Reason: err})
		return clp.Unknown, nil
	}
	if err := s.confirm(rel.Words, lifted); err != nil {
		if budget.Stopped(err) {
			return clp.Unknown, err
		}
		s.notes = append(s.notes, outcome.Attempt{Name: "safe for unbounded integers, but not confirmed for machine words", Reason: err})
		return clp.Unknown, nil
	}
	s.found.Summaries, s.note = lifted, "unbounded integers, confirmed for machine words"
	return clp.Underivable, nil
}

func (s *routinesSearch) confirm(p *horn.Problem, solution horn.Solution) error {
	solver, err := s.pool.Acquire(s.ctx)
	if err != nil {
		return err
	}
	defer s.pool.Release(solver)
	return clp.CheckSolution(s.ctx, p, solution, solver)
}

// failure does a derivation as a run of the program. Why says how the run leaves what is
// modelled; the error, that it is no run of the program that fails.
func (s *routinesSearch) failure(rel *relations.Relations, problem *horn.Problem) (why string, err error) {
	run, err := rel.Run(problem, s.found.Derivation)
	if err != nil {
		return "", err
	}
	if text, lost := s.enc.Lost[run.End]; lost {
		s.lost = run.End
		span := s.enc.Words.Locations[run.End].Span
		return fmt.Sprintf("%s is possible (%s), and what happens then is not modelled", text, placeOf(span)), nil
	}
	var lines *[]cfront.Line
	rec, err := run.Replay(func(m *cfront.Machine) { lines = cfront.Watch(m) })
	if err != nil {
		return "", err
	}
	s.run, s.found.Run, s.lines = run, rec, *lines
	return "", nil
}

func (s *routinesSearch) describe(result *report.Result, opts *Options, verdict clp.Verdict, how Integers) int {
	if res := s.found.Result; res != nil {
		result.Statistics = &report.Statistics{States: report.NewCount(int64(res.Stats.Facts)), Method: fmt.Sprintf("relations of %s, %s, %s", report.Counted(int64(len(s.enc.Routines)), "routine"), res.Method, report.Counted(int64(res.Stats.Rounds), "round"))}
	}
	if verdict == clp.Unknown {
		if res := s.found.Result; res != nil {
			if result.Tried = outcome.Texts(res.Tried); budget.Stopped(res.Reason) {
				return opts.unknown(result, res.Reason)
			}
		}
		status := opts.unknown(result, &outcome.Tried{Attempts: s.notes})
		if s.left && len(s.enc.Program.Checked) == 0 {
			result.Advice = "--check=null,bounds,div, which makes such mistakes failures and shows the run"
		}
		return status
	}
	rests := func(exit int) int {
		if !opts.rests(result, assumed(s.enc, how)) {
			return report.ExitUnknown
		}
		return exit
	}
	if verdict == clp.Underivable {
		result.Verdict, result.Note = report.Holds, s.note
		s.summaries(result)
		return rests(report.ExitHolds)
	}
	result.Verdict = report.Violated
	out := s.found.Run.Outcome
	result.Name, result.Formula = placeOf(out.Span), out.What
	result.Note = placeOf(out.Span) + ": " + out.What
	result.Counterexample = s.counterexample()
	return rests(report.ExitViolated)
}

// summaries shows what the proof says of each routine: what it is called with, and what
// holds of each of its relations then.
func (s *routinesSearch) summaries(result *report.Result) {
	rel, said := s.found.Relations, map[*cfront.Func]bool{}
	for i, kind := range rel.Kinds {
		returns := s.found.Solution[i]
		if contracts := s.found.Contracts; contracts != nil {
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
func (s *routinesSearch) shownFormula(pred int, title string, f *logic.Term) report.Formula {
	if size := f.Size(); size > largestShown {
		return report.Formula{Location: title, Nodes: size}
	}
	by := map[*logic.Term]*logic.Term{}
	for _, v := range s.shown.Preds[pred].Params {
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
func (s *routinesSearch) counterexample() *report.Counterexample {
	c := &report.Counterexample{Kind: "program", Components: []string{s.enc.Entry.Name}, Stem: []report.Step{}, End: "error",
		Initial: report.State{Locals: []string{"start"}, Props: []string{}}}
	texts, redo := lines{}, &again{run: s.found.Run}
	c.Arguments = [][]string{argumentsOf(s.enc, s.found.Run)}
	for i, l := range s.lines {
		step := report.Step{Event: placeOf(l.Span), Source: texts.at(l.Span), Routine: l.Func.Name, Depth: l.Depth, Inputs: slices.Clone(l.Given), Gained: l.Set,
			State: report.State{Locals: []string{placeOf(l.Span)}, Props: []string{}}}
		if redo.upTo = s.found.Run.Nodes(); i+1 < len(s.lines) {
			redo.upTo = s.lines[i+1].First - 1
		}
		redo.step(&step)
		c.Stem = append(c.Stem, step)
	}
	return c
}

// Summaries checks what a certificate says of the routines of a program, clause by clause,
// over machine words.
func Summaries(ctx context.Context, rel *relations.Relations, solution horn.Solution, solver smt.Checker, opts Options) *report.Report {
	result := report.Result{Kind: "certificate", Formula: "the relations hold of all that routines do, and exclude failures", Verdict: report.Holds}
	r := &report.Report{Command: "check-certificate"}
	err := clp.CheckSolution(ctx, rel.Words, solution, solver)
	var wrong *horn.Unproved
	switch {
	case errors.As(err, &wrong) && !budget.Stopped(err):
		result.Verdict, r.Exit, result.Note = report.Violated, report.ExitViolated, err.Error()
	case err != nil:
		r.Exit = opts.unknown(&result, err)
	default:
		if !opts.rests(&result, assumed(rel.Encoding, AutoIntegers)) {
			r.Exit = report.ExitUnknown
		}
	}
	r.Results = []report.Result{result}
	return r
}
