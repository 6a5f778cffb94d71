package check

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/seltl/seltl/armc"
	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/names"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/outcome"
	"github.com/seltl/seltl/predabs"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/program/cfront"
	"github.com/seltl/seltl/program/cfront/encode"
	"github.com/seltl/seltl/program/passes"
	"github.com/seltl/seltl/report"
	"github.com/seltl/seltl/smt"
)

// Integers says how a question about a C program is decided.
type Integers uint8

const (
	// AutoIntegers looks for a proof over unbounded integers, confirms it over machine
	// words, and begins with words where that fails.
	AutoIntegers Integers = iota
	// MathIntegers reports what holds for unbounded integers, as such.
	MathIntegers
	// MachineIntegers begins with machine words.
	MachineIntegers
)

var integers = names.Of[Integers]("integers", "auto", "math", "machine")

func (i Integers) String() string { return integers.String(i) }

// Names lists the values of Integers.
func (Integers) Names() []string { return integers.List() }

// MarshalText implements encoding.TextMarshaler.
func (i Integers) MarshalText() ([]byte, error) { return integers.Marshal(i) }

// UnmarshalText implements encoding.TextUnmarshaler.
func (i *Integers) UnmarshalText(text []byte) error { return integers.Unmarshal(text, i) }

// IsC reports whether a file is, by its name, a C source.
func IsC(name string) bool {
	switch filepath.Ext(name) {
	case ".c", ".i", ".pp":
		return true
	}
	return false
}

// ModelOf is the data model that a file has, by its name: benchmarks that were
// preprocessed have 32 bits.
func ModelOf(name string) cfront.DataModel {
	if filepath.Ext(name) == ".i" || strings.HasSuffix(name, ".cil.c") {
		return cfront.ILP32
	}
	return cfront.LP64
}

// LoadC reads the sources of a C program, from the file system if open is nil. The error
// is diagnostics or an *InputError.
func LoadC(files []string, o cfront.Options, open Open) (*cfront.Program, error) {
	var sources []*source.File
	for _, name := range files {
		src, err := ReadSource(name, open)
		if err != nil {
			return nil, err
		}
		sources = append(sources, src)
	}
	o.Open = func(name string) (*source.File, error) { return ReadSource(name, open) }
	return cfront.Parse(sources, o)
}

// cSearch decides one C program.
type cSearch struct {
	ctx      context.Context
	enc      *encode.Encoding
	pool     *smt.Pool
	engine   armc.Options
	narrate  func(string)
	passes   []passes.Pass
	passed   map[*program.System]*passes.Passed
	searched *program.System   // by the last attempt, after passes
	found    *passes.Passed    // of the last proof
	before   *armc.Certificate // and that, of the system after passes
	result   *armc.Result      // of the phase that decided, or the last
	begin    time.Time
	spent    armc.Stats // in all phases: refinements, predicates generated and solver
	trace    *program.Trace
	run      *cfront.Recording // that it is of the program
	failed   *cfront.Outcome   // what it does, if it leaves what is modelled
	notes    []outcome.Attempt // what came of the phases that did not decide
	note     string            // about the phase that did
	left     bool              // a run leaves what is modelled by a mistake
	// settled: a run leaves what is modelled, and no other attempt can change that.
	settled bool
}

// CResult is what the engine answered about a C program; its certificate is one of the
// program over machine words. What statistics count is that of all attempts.
type CResult struct {
	*armc.Result
	Run      *cfront.Recording // a failure, done again by cfront's machine
	Searched *program.System   // which Graph is about: after passes
}

// ReachC decides whether a C program can fail. The result is nil if it was interrupted. What is
// searched are the systems after passes, of which some may be left out; what is found is checked
// and replayed on the systems before them.
func ReachC(ctx context.Context, enc *encode.Encoding, pool *smt.Pool, opts Options, engine armc.Options, how Integers, without ...passes.Pass) (*report.Report, *CResult, error) {
	engine.Limits = opts.Limits
	begin := time.Now().Add(-enc.Took)
	if opts.Progress != nil { // one attempt follows the other
		engine.Progress = func(p budget.Progress) {
			p.Elapsed = time.Since(begin)
			opts.Progress(p)
		}
	}
	if t := opts.Limits.Time; t > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, t)
		defer cancel()
	}
	s := &cSearch{ctx: ctx, begin: begin, enc: enc, pool: pool, engine: engine, narrate: opts.Narrate, passed: map[*program.System]*passes.Passed{},
		passes: slices.DeleteFunc(passes.Default(), func(p passes.Pass) bool { return slices.Contains(without, p) })}
	r := &report.Report{Command: "reach", Messages: MessagesOfC(enc.Program)}
	result := report.Result{Kind: "reach", Name: enc.Program.Name, Formula: "no failure is reachable"}
	verdict, err := s.decide(how)
	switch {
	case err != nil && !errors.Is(err, budget.ErrInterrupted):
		return nil, nil, err
	case err != nil:
		r.Exit = opts.unknown(&result, err)
	default:
		r.Exit = s.describe(&result, &opts, verdict, how)
		if result.Verdict == report.Holds && !s.result.Recurs {
			if result.NoRun, err = NoRun(ctx, enc, pool, engine); err != nil {
				return nil, nil, err
			}
		}
	}
	took := time.Since(begin)
	if result.Statistics != nil {
		result.Statistics.SearchSeconds = took.Seconds()
	}
	r.Results = []report.Result{result}
	if s.result == nil {
		return r, nil, nil
	}
	all := *s.result
	all.Stats.Refinements, all.Stats.Generated, all.Stats.Solver, all.Stats.Time = s.spent.Refinements, s.spent.Generated, s.spent.Solver, took
	return r, &CResult{&all, s.run, s.searched}, nil
}

func (s *cSearch) decide(how Integers) (armc.Verdict, error) {
	systems := []*program.System{s.enc.Numbers, s.enc.Words}
	switch how {
	case MathIntegers:
		systems = systems[:1]
	case MachineIntegers:
		systems = systems[1:]
	}
	var attempts []attempt
	if s.open() { // numbers and differences are exact over words
		words := systems[len(systems)-1]
		values := s.concrete(armc.Values, valueStates, quickQueries)
		// The first ends soon where not all values are concrete.
		attempts = append(attempts, attempt{words, s.concrete(armc.Enumerate, firstStates, firstQueries), s.passes}, attempt{words, values, s.passes})
		if len(s.passes) > 0 { // which join what separate variables tell apart
			values.Rounds, values.MaxQueries, values.Limits.States = plainRounds, min(values.MaxQueries, plainQueries), min(values.Limits.States, plainStates)
			attempts = append(attempts, attempt{words, values, nil})
		}
	}
	for _, sys := range systems {
		for _, engine := range s.engines() {
			attempts = append(attempts, attempt{sys, engine, s.passes})
		}
	}
	for _, a := range attempts {
		if v, err := s.try(a, how); v != armc.Unknown || err != nil || s.settled {
			return v, err
		}
	}
	return armc.Unknown, nil
}

// concrete are the options of a method that goes by explicit values, with bounds of its own.
func (s *cSearch) concrete(m armc.Method, states int64, queries int) armc.Options {
	o := s.engine
	o.Method, o.NoFacts = m, true
	if most := o.Limits.States; most == 0 || most > states {
		o.Limits.States = states
	}
	if o.MaxQueries == 0 {
		o.MaxQueries = queries
	}
	return o
}

// attempt is a way to decide one of the encodings.
type attempt struct {
	sys    *program.System
	engine armc.Options
	passes []passes.Pass
}

// open reports that the caller leaves the method open.
func (s *cSearch) open() bool {
	e := s.engine
	return e.Method == armc.Auto && !e.Global && !e.NoFacts && e.Blocks == armc.AutoBlocks
}

// Bounds of attempts at an encoding: questions to the solver.
const (
	firstQueries = 1_000
	quickQueries = 4_000
	longQueries  = 50_000
)

// valueStates bounds the abstract states with explicit values in one round.
const valueStates = 5_000_000

// firstStates bounds the states that are enumerated.
const firstStates = 5_000

// Bounds of explicit values without passes, which are quick where they do well.
const (
	plainRounds  = 20
	plainQueries = 500
	plainStates  = 10_000 // in one round
)

// engines are the further attempts at one encoding: where the caller leaves the method open,
// first the one that copes with many branches, by facts and large blocks, which decides most
// of what passes leave with few questions, and then the one that copes with many locations,
// predicates being tracked everywhere; both again with more questions.
func (s *cSearch) engines() []armc.Options {
	if !s.open() {
		return []armc.Options{s.engine}
	}
	quick := s.engine
	quick.Method, quick.Global, quick.NoFacts, quick.Blocks = armc.Forward, true, true, armc.Spliced
	long := quick
	if quick.MaxQueries == 0 {
		quick.MaxQueries, long.MaxQueries = quickQueries, longQueries
	}
	large := s.engine
	large.Method, large.Refine, large.Blocks, large.MaxQueries = armc.Forward, predabs.UnsatCore, armc.Large, quick.MaxQueries
	first := large
	if s.engine.MaxQueries == 0 {
		first.MaxQueries = firstQueries
	}
	last := s.engine
	last.Without = append(slices.Clone(last.Without), armc.Values, armc.Enumerate) // which have had their turns
	return []armc.Options{first, quick, large, long, last}
}

// try asks of one encoding. Where the way out of what is modelled can be reached, it
// looks for a failure before that, which is one all the same.
func (s *cSearch) try(a attempt, how Integers) (armc.Verdict, error) {
	sys := a.sys
	name := "machine words"
	if sys == s.enc.Numbers {
		name = "unbounded integers"
	}
	if s.ctx.Err() != nil && len(s.notes) > 0 {
		return armc.Unknown, nil // the time is used up
	}
	if end, ok := s.ctx.Deadline(); ok { // half of what is left for what comes next
		a.engine.Limits.Time = max(time.Until(end)/2, time.Second)
	}
	res, err := s.check(a)
	if err != nil {
		return armc.Unknown, err
	}
	s.result = res
	if lost := s.lostAt(sys, res); lost != "" {
		if s.mistake(sys, res.Trace) {
			return armc.Unsafe, nil
		}
		s.notes = append(s.notes, outcome.Attempt{Name: name, Reason: &outcome.Stuck{What: lost}})
		s.left = s.left || !s.enc.Called[res.Trace.Location(sys, len(res.Trace.Edges))]
		failing := *sys
		failing.Error = sys.Error[:len(s.enc.Failures)]
		if len(failing.Error) == 0 {
			s.settled = sys == s.enc.Words
			return armc.Unknown, nil
		}
		a.sys = &failing
		if res, err = s.check(a); err != nil {
			return armc.Unknown, err
		}
		if res.Verdict != armc.Unsafe {
			s.settled = sys == s.enc.Words && res.Verdict == armc.Safe
			return armc.Unknown, nil
		}
		s.result = res
	}
	switch res.Verdict {
	case armc.Safe:
		return s.confirm(sys, res, how)
	case armc.Unsafe:
		if err := s.replay(sys, res.Trace); err != nil {
			s.notes = append(s.notes, outcome.Attempt{Name: name, Reason: fmt.Errorf("a run was found, but %w", err)})
			return armc.Unknown, nil
		}
		return armc.Unsafe, nil
	}
	s.notes = append(s.notes, outcome.Attempt{Name: name, Reason: res.Reason})
	return armc.Unknown, nil
}

// mistake reports that a trace to where a run leaves what is modelled is a run that makes
// a mistake which is to be a failure.
func (s *cSearch) mistake(sys *program.System, t *program.Trace) bool {
	run, err := s.enc.Replay(sys, t)
	if err == nil || run.Outcome.Ending != cfront.Undefined || run.Outcome.Guessed != "" || !s.enc.Program.Checks(run.Outcome.Broken) {
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

// check searches a system after passes; the result is of the system before them: an
// invariant that is still to be checked there, or a run that was replayed there. All work is
// added up.
func (s *cSearch) check(a attempt) (*armc.Result, error) {
	engine, p := a.engine, s.passed[a.sys]
	switch {
	case len(a.passes) == 0:
		p = passes.Apply(s.ctx, a.sys, nil)
	case p == nil:
		p = passes.Apply(s.ctx, a.sys, a.passes)
		s.passed[a.sys] = p
	}
	if s.narrate != nil {
		engine.Explain = func(r armc.Round) { s.narrate(r.Explain(p.System)) }
	}
	res, err := armc.Check(s.ctx, p.System, s.pool, engine)
	if err != nil {
		return nil, err
	}
	s.searched = p.System
	s.spent.Refinements += res.Stats.Refinements
	s.spent.Generated += res.Stats.Generated
	s.spent.Solver.Add(res.Stats.Solver)
	switch res.Verdict {
	case armc.Safe:
		s.found, s.before = p, res.Certificate
		res.Certificate = &armc.Certificate{Invariant: p.Invariant(res.Certificate.Invariant)}
	case armc.Unsafe:
		if res.Trace, err = p.Trace(res.Trace); err != nil {
			res.Verdict, res.Reason = armc.Unknown, err
		}
	}
	return res, nil
}

// lostAt says where a run leaves what is modelled, "" if it does not.
func (s *cSearch) lostAt(sys *program.System, res *armc.Result) string {
	if res.Verdict != armc.Unsafe {
		return ""
	}
	last := res.Trace.Location(sys, len(res.Trace.Edges))
	why, ok := s.enc.Lost[last]
	if !ok {
		return ""
	}
	span := sys.Locations[last].Span
	return fmt.Sprintf("%s is possible (%s:%d), and what happens then is not modelled", why, span.File.Name(), span.Pos().Line)
}

// confirm checks the invariant of a proof: over machine words, but for MathIntegers.
func (s *cSearch) confirm(sys *program.System, res *armc.Result, how Integers) (armc.Verdict, error) {
	solver, err := s.pool.Acquire(s.ctx)
	if err != nil {
		return armc.Unknown, err
	}
	defer s.pool.Release(solver)
	if sys == s.enc.Numbers && how == AutoIntegers {
		return s.inWords(res, solver)
	}
	if err := armc.CheckCertificate(s.ctx, sys, res.Certificate, solver); err != nil {
		s.notes = append(s.notes, outcome.Attempt{Name: "the proof is not confirmed", Reason: err})
		return armc.Unknown, nil
	}
	if how == MathIntegers {
		res.Certificate = nil // it is of another system
		s.note = "unbounded integers"
	}
	return armc.Safe, nil
}

// inWords checks the invariant of a proof over unbounded integers over machine words. Where it speaks of
// products, and where it fails as it is, it is strengthened by facts and by the sizes that follow.
func (s *cSearch) inWords(res *armc.Result, solver smt.Solver) (armc.Verdict, error) {
	proof, strong := res.Certificate, slices.ContainsFunc(res.Certificate.Invariant, logic.HasProduct)
	for {
		if strong {
			facts, err := armc.WithFacts(s.ctx, s.found.System, s.before)
			if err == nil {
				proof, err = armc.Sized(s.ctx, s.enc.Numbers, &armc.Certificate{Invariant: s.found.Invariant(facts.Invariant)}, solver)
			}
			if err != nil {
				s.notes = append(s.notes, outcome.Attempt{Name: "safe for unbounded integers, but not confirmed for machine words", Reason: err})
				return armc.Unknown, nil
			}
		}
		lifted, err := s.lifted(proof)
		if err != nil {
			s.notes = append(s.notes, outcome.Attempt{Name: "safe for unbounded integers", Reason: err})
			return armc.Unknown, nil
		}
		if err = armc.CheckCertificate(s.ctx, s.enc.Words, lifted, solver); err == nil {
			res.Certificate, s.note = lifted, "unbounded integers, confirmed for machine words"
			return armc.Safe, nil
		}
		s.notes = append(s.notes, outcome.Attempt{Name: "safe for unbounded integers, but not confirmed for machine words", Reason: err})
		if strong || s.ctx.Err() != nil {
			return armc.Unknown, nil
		}
		strong = true
	}
}

// lifted reads a certificate over unbounded integers as one over machine words.
func (s *cSearch) lifted(proof *armc.Certificate) (*armc.Certificate, error) {
	lifted := &armc.Certificate{}
	for _, inv := range proof.Invariant {
		t, err := s.enc.Lift(inv)
		if err != nil {
			return nil, err
		}
		lifted.Invariant = append(lifted.Invariant, t)
	}
	return lifted, nil
}

// replay runs the program itself on what a trace chose, and the trace over machine words.
func (s *cSearch) replay(sys *program.System, t *program.Trace) error {
	run, err := s.enc.Replay(sys, t)
	if err != nil {
		return err
	}
	s.trace = t
	if sys == s.enc.Numbers {
		words, err := s.enc.InWords(t)
		if err != nil {
			return err
		}
		s.trace = words
	}
	s.run = run
	return nil
}

func (s *cSearch) describe(result *report.Result, opts *Options, verdict armc.Verdict, how Integers) int {
	if s.result != nil {
		result.Statistics = &report.Statistics{States: report.NewCount(int64(s.result.Stats.States)), Method: howReached(s.result)}
	}
	if verdict == armc.Unknown {
		status := opts.unknown(result, &Inconclusive{Reason: &outcome.Tried{Attempts: s.notes}, Method: s.engine.Method})
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
	if verdict == armc.Safe {
		result.Verdict, result.Note = report.Holds, s.note
		return rests(report.ExitHolds)
	}
	result.Verdict = report.Violated
	last := s.trace.Location(s.enc.Words, len(s.trace.Edges))
	span := s.enc.Words.Locations[last].Span
	what := s.enc.Failures[last]
	if s.failed != nil {
		span, what = s.failed.Span, s.failed.What
	}
	result.Name, result.Formula = placeOf(span), what
	result.Note = placeOf(span) + ": " + what
	if n := len(s.trace.Edges); n > 0 {
		result.Note += calledFrom(s.enc.FrameOf(s.trace.Edges[n-1]))
	}
	result.Counterexample = s.counterexample()
	return rests(report.ExitViolated)
}

// MessagesOfC are the notes of the front end about a program.
func MessagesOfC(p *cfront.Program) []report.Message {
	var list source.List
	for _, n := range p.Notes {
		list.Warnf(n.Span, "c-note", "%s", n.Text)
	}
	return Messages(list)
}
