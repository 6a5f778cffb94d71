package safety

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/seltl/seltl/armc"
	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/c/encode"
	"github.com/seltl/seltl/c/machine"
	"github.com/seltl/seltl/internal/c/shapes"
	"github.com/seltl/seltl/internal/program/passes"
	"github.com/seltl/seltl/outcome"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/smt"
)

// Pass makes a system smaller before it is searched. Its values have texts, as `reach --passes`
// writes them: UnmarshalText reads one, Names lists them.
type Pass = passes.Pass

// Options say how a program is asked about. The zero value is good.
type Options struct {
	// Engine is how proofs and failures are looked for; its Explain is not told.
	Engine   armc.Options
	Integers Integers
	// Without are the passes that are left out.
	Without []Pass
	// Heaps has graphs of memory tried, too (internal/c/shapes), where the program allocates, and the encoding is of
	// it as it is: of all its runs, with no routine abstracted. What is proved so has no certificate.
	Heaps bool
	// Tracked: that it holds is not enough, but no memory must be lost either, which only graphs of memory know.
	Tracked bool
	// Explain is told the rounds of abstraction refinement as they come, in lines for people; it may be nil.
	Explain func(text string)
}

// Answer says whether a failure of a program is reachable: Violated if it is.
type Answer struct {
	Verdict outcome.Verdict
	Reason  error // of Unknown: *outcome.Tried, or budget.ErrInterrupted
	// Result is that of the attempt that decided, or of the last one, nil without; its certificate is one of
	// the program over machine words. What its statistics count is that of all attempts.
	Result *armc.Result
	// Trace and Run are a failure: over machine words, and done again by package machine. Failed is what the
	// run does, if it leaves what is modelled by a mistake that is to be a failure.
	Trace  *program.Trace
	Run    *machine.Recording
	Failed *machine.Outcome
	// Lines is what the run does where it is not the one of Trace, since that returns an address from a routine that
	// does not know it; else nil.
	Lines []machine.Line
	// Over says what a proof is about: unbounded integers, say. "" is machine words.
	Over string
	// How is how it was decided, "" where Result says it.
	How string
	// Left: a run leaves what is modelled by a mistake that is not asked about.
	Left bool
	// NoRun: it holds since there is no run, as far as a search with few questions shows.
	NoRun bool
	// Searched is the system that Result.Graph is about: after passes.
	Searched *program.System
}

// errLost is why it is not enough that nothing is done wrongly.
var errLost = &outcome.Outside{What: "nothing is done wrongly, but memory may be lost, to which nothing points any more", Try: "--check=null,bounds,memory,leaks, for what is used or freed wrongly, or left at the end"}

var errNil = errors.New("safety: an encoding and solvers are needed, and one of them is nil")

// Program decides whether a C program can fail. What is searched are its systems after passes; what is found is
// checked and replayed on those before. The error is the solver's.
func Program(ctx context.Context, enc *encode.Encoding, pool *smt.Pool, o Options) (*Answer, error) {
	if enc == nil || pool == nil {
		return nil, errNil
	}
	s := &search{ctx: ctx, enc: enc, pool: pool, engine: o.Engine, explain: o.Explain, shared: newShared(),
		passes: slices.DeleteFunc(passes.Default(), func(p passes.Pass) bool { return slices.Contains(o.Without, p) })}
	s.tracked = o.Tracked && enc.Program.Allocates
	s.heaps = o.Heaps && o.Integers != MathIntegers && enc.Program.Allocates
	verdict, err := s.decide(o.Integers)
	a := &Answer{Verdict: verdict, Trace: s.trace, Run: s.run, Lines: s.lines, Failed: s.failed, Over: s.note, How: s.how, Left: s.left, Searched: s.searched}
	if s.result != nil {
		all := *s.result
		all.Stats.Refinements, all.Stats.Generated, all.Stats.Solver = s.spent.Refinements, s.spent.Generated, s.spent.Solver
		a.Result = &all
	}
	switch {
	case errors.Is(err, budget.ErrInterrupted), errors.Is(err, context.Canceled):
		a.Verdict, a.Reason = outcome.Unknown, budget.ErrInterrupted
	case errors.Is(err, context.DeadlineExceeded): // while it waited for a solver
		a.Verdict, a.Reason = outcome.Unknown, &budget.Exhausted{What: "time", Limit: o.Engine.Limits.Time.String()}
	case err != nil:
		return nil, err
	case verdict == outcome.Unknown:
		a.Reason = &outcome.Tried{Attempts: s.notes}
		if a.Result != nil { // a proof that was not confirmed is none
			a.Result.Certificate = nil
		}
	case verdict == outcome.Holds && !s.result.Recurs:
		if a.NoRun, err = NoRun(ctx, enc, pool, o.Engine); err != nil && ctx.Err() == nil { // a proof is one when the time has ended, too
			return nil, err
		}
	}
	return a, nil
}

// search decides one C program.
type search struct {
	ctx            context.Context
	enc            *encode.Encoding
	pool           *smt.Pool
	engine         armc.Options
	explain        func(string)
	passes         []passes.Pass
	shared         *shared
	searched       *program.System   // by the last attempt, after passes
	found          *passes.Passed    // of the last proof
	before         *armc.Certificate // and that, of the system after passes
	result         *armc.Result      // of the phase that decided, or the last
	spent          armc.Stats        // in all phases: refinements, predicates generated and solver
	trace          *program.Trace
	run            *machine.Recording // that it is of the program
	lines          []machine.Line     // what that does, if it is another run than the trace
	failed         *machine.Outcome   // what it does, if it leaves what is modelled
	notes          []outcome.Attempt  // what came of the phases that did not decide
	note           string             // about the phase that did
	how            string             // it did, if that is not armc's
	left           bool               // a run leaves what is modelled by a mistake
	heaps, tracked bool               // Options.Heaps and Tracked, where these are of use
	// settled: a run leaves what is modelled, and no other attempt can change that.
	settled bool
}

// try asks of one encoding. Where the way out of what is modelled can be reached, it
// looks for a failure before that, which is one all the same.
func (s *search) try(a attempt, how Integers) (v outcome.Verdict, ended bool, err error) {
	sys := a.sys
	name := "machine words"
	if sys == s.enc.Numbers {
		name = "unbounded integers"
	}
	if s.ctx.Err() != nil && len(s.notes) > 0 {
		return outcome.Unknown, true, nil // the time is used up
	}
	if a.graphs {
		return s.byGraphs(a)
	}
	res, err := s.check(a)
	if err != nil {
		return outcome.Unknown, true, err
	}
	s.result = res
	if lost := s.lostAt(sys, res); lost != nil {
		if s.mistake(sys, res.Trace) {
			return outcome.Violated, true, nil
		}
		s.notes = append(s.notes, outcome.Attempt{Name: name, Reason: lost})
		s.left = s.left || !s.enc.Called[res.Trace.Location(sys, len(res.Trace.Edges))]
		if len(s.enc.Failures) == 0 {
			return s.settle(a, sys == s.enc.Words, true)
		}
		a.sys = s.failing(sys)
		if res, err = s.check(a); err != nil {
			return outcome.Unknown, true, err
		}
		if res.Verdict != outcome.Violated {
			return s.settle(a, sys == s.enc.Words && res.Verdict == outcome.Holds, !worked(res))
		}
		s.result = res
	}
	switch res.Verdict {
	case outcome.Holds:
		if s.tracked {
			s.notes = append(s.notes, outcome.Attempt{Name: name, Reason: errLost})
			return outcome.Unknown, true, nil
		}
		v, more, err := s.confirm(sys, res, how, a.engine.MaxWork)
		return v, !more, err
	case outcome.Violated:
		if err := s.replay(sys, res.Trace); err != nil {
			s.notes = append(s.notes, outcome.Attempt{Name: name, Reason: fmt.Errorf("a run was found, but %w", err)})
			return outcome.Unknown, true, nil
		}
		return outcome.Violated, true, nil
	}
	s.notes = append(s.notes, outcome.Attempt{Name: name, Reason: res.Reason})
	return outcome.Unknown, !worked(res), nil
}

// settle ends an attempt that found that a run of the encoding leaves what is modelled; final: no other can change that,
// but by graphs of memory, which model more of addresses.
func (s *search) settle(a attempt, final, ended bool) (outcome.Verdict, bool, error) {
	if final && s.heaps {
		result := s.result
		a.engine.MaxWork = settling
		if v, _, err := s.byGraphs(a); v == outcome.Holds || err != nil {
			return v, true, err
		}
		s.result = result
	}
	s.settled = final
	return outcome.Unknown, ended, nil
}

// settling is the work of graphs before nothing else is tried: some seconds.
const settling = 3_000_000

// byGraphs asks for a proof by graphs of memory.
func (s *search) byGraphs(a attempt) (v outcome.Verdict, ended bool, err error) {
	did, err := shapes.Prove(s.ctx, s.enc.Program, shapes.Options{Work: a.engine.MaxWork})
	s.spent.Solver.Work += uint64(did.Work)
	if err == nil && s.tracked && did.Lost {
		err = errLost
	}
	if err == nil {
		s.how, s.result = "graphs of memory", &armc.Result{Verdict: outcome.Holds, Stats: armc.Stats{States: did.Graphs}}
		return outcome.Holds, true, nil
	}
	s.notes = append(s.notes, outcome.Attempt{Name: "graphs of memory", Reason: err})
	return outcome.Unknown, !budget.Stopped(err), nil
}

// worked reports that an attempt has no answer since its slice of work is done.
func worked(res *armc.Result) bool {
	var limit *budget.Exhausted
	return errors.As(res.Reason, &limit) && limit.What == "work"
}

// mistake reports that a trace to where a run leaves what is modelled is a run that makes
// a mistake which is to be a failure.
func (s *search) mistake(sys *program.System, t *program.Trace) bool {
	run, err := s.enc.Replay(s.ctx, sys, t)
	if err == nil || !mistaken(s.enc, run) {
		return false
	}
	if sys == s.enc.Numbers {
		if t, err = s.enc.InWords(t); err != nil {
			return false
		}
	}
	s.trace, s.run, s.failed = t, run, &run.Outcome
	return true
}

// mistaken reports a run that ends with a mistake which is to be a failure.
func mistaken(enc *encode.Encoding, run *machine.Recording) bool {
	return run != nil && run.Outcome.Ending == machine.Undefined && run.Outcome.Guessed == "" && enc.Program.Checks(run.Outcome.Broken)
}

// check searches a system after passes; the result is of the system before them: an
// invariant that is still to be checked there, or a run that was replayed there. All work is
// added up.
func (s *search) check(a attempt) (*armc.Result, error) {
	engine, p := a.engine, s.after(a)
	engine.Enumeration = true
	if !engine.NoFacts {
		engine.Facts = s.shared.factsOf(p.System)
	}
	if s.explain != nil {
		engine.Explain = func(r armc.Round) { s.explain(r.Explain(p.System)) }
	}
	res, err := armc.Check(s.ctx, p.System, s.pool, engine)
	if err != nil {
		return nil, err
	}
	if !engine.NoFacts {
		s.shared.know(p.System, res.Facts)
	}
	s.searched = p.System
	s.spent.Refinements += res.Stats.Refinements
	s.spent.Generated += res.Stats.Generated
	s.spent.Solver.Add(res.Stats.Solver)
	switch res.Verdict {
	case outcome.Holds:
		s.found, s.before = p, res.Certificate
		if !res.Certificate.Enumeration && !res.Certificate.Execution { // which are done anew
			res.Certificate = &armc.Certificate{Invariant: p.Invariant(res.Certificate.Invariant)}
		}
	case outcome.Violated:
		if res.Trace, err = p.Trace(res.Trace); err != nil {
			res.Verdict, res.Reason = outcome.Unknown, err
		}
	}
	return res, nil
}

// lostAt says where a run leaves what is modelled, nil if it does not.
func (s *search) lostAt(sys *program.System, res *armc.Result) *outcome.Stuck {
	if res.Verdict != outcome.Violated {
		return nil
	}
	return notModelled(s.enc, res.Trace.Location(sys, len(res.Trace.Edges)))
}

// notModelled says how a run that comes to a location leaves what is modelled, nil if it does not, and what to do about
// what is not read there.
func notModelled(enc *encode.Encoding, at int) *outcome.Stuck {
	what, lost := enc.Lost[at]
	if !lost {
		return nil
	}
	span := enc.Words.Locations[at].Span
	stuck := &outcome.Stuck{What: fmt.Sprintf("%s is possible (%s:%d), and what happens then is not modelled", what, span.File.Name(), span.Pos().Line)}
	for _, d := range enc.Program.Unread {
		if d.Span == span {
			stuck.Try = d.Help
			return stuck
		}
	}
	if enc.Called[at] {
		stuck.Try = "a body for this routine, in another file"
	}
	return stuck
}
