package programs

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/seltl/seltl/armc"
	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/c/cfront"
	"github.com/seltl/seltl/c/checks"
	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/c/machine"
	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/clp"
	"github.com/seltl/seltl/internal/c/witnessed"
	"github.com/seltl/seltl/internal/program/passes"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/internal/svcomp"
	"github.com/seltl/seltl/outcome"
	"github.com/seltl/seltl/report"
	"github.com/seltl/seltl/safety"
	"github.com/seltl/seltl/smt"
)

// WitnessC is a witness about a C program that is to be validated, and how.
type WitnessC struct {
	Name    string // of its file
	Witness *svcomp.Witness
	Sources []*source.File
	// Options are how the sources are read; the failures are those of the property that the witness is about.
	Options  cfront.Options
	Calls    Calls
	Engine   armc.Options
	Clauses  clp.Options
	Integers safety.Integers
	Without  []passes.Pass
}

// LoadWitness reads a witness.
func LoadWitness(name string, open check.Open) (*svcomp.Witness, error) {
	src, err := check.ReadSource(name, open)
	if err != nil {
		return nil, err
	}
	return svcomp.ParseWitness(src)
}

// ValidateC decides whether a witness is one. It holds of one of correctness if all invariants hold where they
// stand, and the property does; of one of a violation if there is a failing run that passes its waypoints, which is
// shown. The error is a source.List about the witness or the program, or the solver's.
func ValidateC(ctx context.Context, w *WitnessC, opts check.Options) (*report.Report, error) {
	question, err := Question(w.Witness.Meta.Property)
	if err != nil {
		return NotAsked(w.Name, w.Witness.Meta.Property, err, opts), nil
	}
	ctx, cancel := opts.Limits.Within(ctx)
	defer cancel()
	w.Options.Failures = question.Failures
	p, err := witnessed.New(w.Witness, w.Sources, w.Options)
	if budget.Stopped(err) {
		return check.NotLoaded("reach", err, opts), nil
	}
	if err != nil {
		return nil, err
	}
	if question.Ends || question.Stricter || slices.Contains(question.Checks, ir.CheckLeaks) { // a run that a witness ends would leak
		return NotAsked(w.Name, w.Witness.Meta.Property, &outcome.Outside{What: "witnesses of " + string(w.Witness.Meta.Property.Kind) + " are not validated"}, opts), nil
	}
	v := &validation{WitnessC: w, program: p, checks: question.Checks, opts: opts}
	v.result = report.Result{Kind: "witness", Name: w.Name, Property: w.Witness.Meta.Property.Name}
	if w.Witness.Violation {
		v.result.Formula = "a failing run passes the waypoints"
		err = v.violation(ctx)
	} else {
		property := strings.Join(w.Witness.Meta.Property.Formulas, ", ")
		switch n := len(w.Witness.Invariants); n {
		case 0:
			v.result.Formula = property + " (the witness has no invariants)"
		case 1:
			v.result.Formula = "the invariant, and " + property
		default:
			v.result.Formula = fmt.Sprintf("the %d invariants, and %s", n, property)
		}
		err = v.correctness(ctx)
	}
	if err != nil {
		var list source.List
		if errors.As(err, &list) {
			return nil, p.At(list)
		}
		return nil, err
	}
	return &report.Report{Command: "reach", Results: []report.Result{v.result}, Exit: v.exit}, nil
}

// validation is one of a witness.
type validation struct {
	*WitnessC
	program *witnessed.Program
	checks  []ir.Check
	opts    check.Options
	result  report.Result
	exit    int
	// elsewhere: the program may fail in a routine of the library, whose text has no place that a witness can name.
	elsewhere bool
}

// parse reads sources with a witness in them.
func (v *validation) parse(files []*source.File) (*ir.Program, error) {
	o := v.Options
	o.Checks = v.checks
	prog, err := cfront.Parse(files, o)
	if err != nil {
		return nil, err
	}
	// An access through null ends the run. In what a witness says it must not, or an invariant could end the runs
	// that break others.
	checks.AddAt(prog, []ir.Check{ir.CheckNull}, func(at ir.Span) bool { return v.program.Mark(at) >= 0 })
	return prog, nil
}

// ask decides whether a program fails, and where.
func (v *validation) ask(ctx context.Context, prog *ir.Program) (*report.Result, *machine.Recording, int, error) {
	enc, err := v.Calls.Encode(ctx, prog, v.Options.Entry)
	if budget.Stopped(err) {
		r := check.NotLoaded("reach", err, v.opts)
		return &r.Results[0], nil, r.Exit, nil
	}
	if err != nil {
		return nil, nil, 0, err
	}
	var r *report.Report
	var run *machine.Recording
	pool := smt.Z3Pool(1, smt.Options{})
	defer pool.Close()
	if enc.Routines != nil {
		pool := smt.Z3Pool(2, smt.Options{})
		defer pool.Close()
		res, answer := (*report.Report)(nil), (*safety.RoutinesAnswer)(nil)
		if res, answer, err = ReachRoutines(ctx, enc, pool, v.opts, v.Clauses, v.Integers); answer != nil {
			run = answer.Run
		}
		r = res
	} else {
		res, answer := (*report.Report)(nil), (*CResult)(nil)
		if res, answer, err = ReachC(ctx, enc, pool, v.opts, safety.Options{Engine: v.Engine, Integers: v.Integers, Without: v.Without, Heaps: true}); answer != nil {
			run = answer.Run
		}
		r = res
	}
	if err != nil {
		return nil, nil, 0, err
	}
	return &r.Results[0], run, r.Exit, nil
}

// taking makes the answer to a question about the program with the witness one about the witness.
func (v *validation) taking(r *report.Result, verdict report.Verdict, exit int) {
	v.result.Verdict, v.exit = verdict, exit
	v.result.Assumptions, v.result.Assumed, v.result.Statistics, v.result.NoRun = r.Assumptions, r.Assumed, r.Statistics, r.NoRun
	v.result.Reason, v.result.Advice, v.result.Tried = r.Reason, r.Advice, r.Tried
	if v.result.Counterexample == nil {
		v.result.Counterexample = v.plain(r.Counterexample)
	}
}

// correctness asks for all invariants together with the property; one that fails is left out, and the others asked
// once more, so that all that do not hold are told.
func (v *validation) correctness(ctx context.Context) error {
	v.Options.Failures.Calls = append(slices.Clone(v.Options.Failures.Calls), witnessed.Broken)
	without := map[int]bool{}
	for {
		files, err := v.program.Assert(without)
		if err != nil {
			return err
		}
		prog, err := v.parse(files)
		if err != nil {
			return err
		}
		r, run, exit, err := v.ask(ctx, prog)
		if err != nil {
			return err
		}
		mark := -1
		if r.Verdict == report.Violated {
			mark = v.program.Mark(run.Outcome.Span)
		}
		switch {
		case mark >= 0:
			v.fails(mark, run.Outcome.What)
			v.taking(r, report.Violated, report.ExitViolated)
			without[mark] = true
			continue
		case r.Verdict == report.Violated:
			check.AddNote(&v.result, fmt.Sprintf("the property does not hold: %s: %s", placeOf(run.Outcome.Span), run.Outcome.What))
			v.taking(r, report.Violated, report.ExitViolated)
		case len(without) > 0: // what was found remains
			if r.Verdict == report.Unknown {
				check.AddNote(&v.result, "of the others nothing is known: "+r.Reason)
			}
		default:
			v.taking(r, r.Verdict, exit)
		}
		return nil
	}
}

// fails tells of an invariant that does not hold.
func (v *validation) fails(mark int, what string) {
	inv := v.Witness.Invariants[mark]
	text := fmt.Sprintf("%s:%d: %s:%d: %s does not hold", v.Name, inv.Span.Pos().Line, inv.Location.File, inv.Location.Line, source.Shown(inv.Value))
	if what != witnessed.Broken+"() is called" {
		text += ": " + what
	}
	check.AddNote(&v.result, text)
}

// violation looks for a failing run that passes the waypoints.
func (v *validation) violation(ctx context.Context) error {
	files, err := v.program.Follow()
	if err != nil {
		return err
	}
	prog, err := v.parse(files)
	if err != nil {
		return err
	}
	if err := v.only(prog); err != nil {
		return err
	}
	r, run, exit, err := v.ask(ctx, prog)
	switch {
	case err != nil:
		return err
	case r.Verdict == report.Violated:
		v.taking(r, report.Holds, report.ExitHolds)
		v.result.Note = fmt.Sprintf("%s: %s", placeOf(run.Outcome.Span), run.Outcome.What)
	case r.Verdict == report.Unknown:
		v.taking(r, report.Unknown, exit)
	case v.elsewhere:
		v.taking(r, report.Unknown, report.ExitUnknown)
		v.exit = v.opts.Unknown(&v.result, &outcome.Outside{What: "the program may fail inside of a routine of the library, which is at no place of the sources"})
	default:
		v.taking(r, report.Violated, report.ExitViolated)
		v.result.Note = "no failing run passes the waypoints in their order and is at the target then"
	}
	return nil
}

// only leaves failures at the target, after all waypoints.
func (v *validation) only(prog *ir.Program) (err error) {
	var counter *ir.Var
	for _, g := range prog.Globals {
		if g.Name == witnessed.Counter {
			counter = g
		}
	}
	if counter == nil {
		return errors.New("the variable that counts waypoints is lost")
	}
	prog.FailOnly(func(f *ir.Fail) bool {
		v.elsewhere = v.elsewhere || f.Span.File.Name() == cfront.LibraryName
		hits, bad := v.program.Hits(f.Span)
		err = errors.Join(err, bad)
		return hits
	}, counter, uint64(v.program.Waypoints()))
	return err
}

// plain is a run without what the witness added to the program.
func (v *validation) plain(c *report.Counterexample) *report.Counterexample {
	if c == nil {
		return nil
	}
	texts := map[string][]string{}
	for _, src := range v.Sources {
		texts[src.Name()] = strings.Split(src.Text(), "\n")
	}
	without := func(list []string) []string { return slices.DeleteFunc(list, witnessed.Own) }
	c.Initial.Props = without(c.Initial.Props)
	for i := range c.Stem {
		s := &c.Stem[i]
		if at := strings.LastIndexByte(s.Event, ':'); at >= 0 {
			if n, err := strconv.Atoi(s.Event[at+1:]); err == nil && n >= 1 && n <= len(texts[s.Event[:at]]) {
				s.Source = strings.TrimSpace(texts[s.Event[:at]][n-1])
			}
		}
		for k, text := range s.Gained {
			if n, ok := witnessed.Passed(text); ok && n > 0 {
				s.Gained[k] = fmt.Sprintf("waypoint %d of %d", n, v.program.Waypoints())
			}
		}
		s.State.Props, s.Gained = without(s.State.Props), without(s.Gained)
	}
	return c
}
