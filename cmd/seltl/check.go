package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/bug"
	"github.com/seltl/seltl/deadlock"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/explore"
	"github.com/seltl/seltl/lks/fsp"
	"github.com/seltl/seltl/product"
	"github.com/seltl/seltl/product/fairchoice"
	"github.com/seltl/seltl/report"
)

func checkCommand(s streams) *cli.Command {
	return &cli.Command{
		Name:      "check",
		Usage:     "deadlock, safety, progress and all properties of a model",
		ArgsUsage: "MODEL",
		Description: `Decides everything that can be asked of a model file: whether it can deadlock,
whether ERROR is reachable (safety: property processes, undefined processes),
every progress property (by default: every action that can occur again and again
does, unless END is reached), and every assert and ltl declaration. Prints a
table of verdicts, then a trace for each that fails, and lists actions that
never occur.

progress and assert are decided under fair choice, as LTSA does; --fair=none
decides assert for all runs. ltl declarations assume what the model declares
(fair strong {a}), and what --fair adds.

A comment "// expect: fails" behind a property, or "// expect: deadlock" or
"// expect: error" behind a composite, says what should come out: the exit
status is 0 if all is as expected.

The time of --timeout is shared out: every question may take an equal part of
what is left for it and those still to be asked.

EXAMPLES
   seltl check model.lts
   seltl check specs/classics/philosophers.lks --process TABLE
   seltl check model.lts -D N=4 --json
   seltl check large.lts --only=deadlock,safety --disk /var/tmp`,
		Flags: concat(modelFlags(), []cli.Flag{
			&cli.StringFlag{Name: "only", Usage: "decide only these `KINDS`: " + strings.Join(checkKinds, ",")},
		}, propertyFlags(), storeFlags(), diskFlags(false), limitFlags(), []cli.Flag{profileFlag()}, outputFlags()),
		Action: func(c *cli.Context) error { return check(c, s) },
	}
}

func progressCommand(s streams) *cli.Command {
	return &cli.Command{
		Name:      "progress",
		Usage:     "decide progress properties of a model under fair choice",
		ArgsUsage: "MODEL",
		Description: `Decides every progress property of the model file; without any, that every
action of the alphabet occurs again and again, which is LTSA's default (seltl
check asks less). Fair choice: a transition whose source is visited again and
again is taken again and again, so that a run ends up in a terminal set of
states.

EXAMPLES
   seltl progress model.lts
   seltl progress model.lts --process SYSTEM --json`,
		Flags: concat(modelFlags(), limitFlags(), outputFlags()),
		Action: func(c *cli.Context) error {
			if err := onlyModel(c); err != nil {
				return err
			}
			return analyse(c, s, (*analysis).progressOfAll)
		},
	}
}

// propertyFlags say how verify and check read properties.
func propertyFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "finite", Value: "stutter", Usage: "`HOW` runs that end are read: stutter, ignore, error"},
		&cli.StringFlag{Name: "fair", Value: "", Usage: "`WHICH` runs count: none, declared, process, action, strong-action, transition, choice (default: declared, by fair in the model; choice for assert)"},
		&cli.StringFlag{Name: "emptiness", Value: "auto", Usage: "search `METHOD`: ndfs (nested depth-first), scc (components), auto"},
		&cli.StringFlag{Name: "por", Value: "auto", Usage: "partial-order reduction `WHEN`: auto, on (wherever it is sound), off"},
		&cli.StringFlag{Name: "reduce", Value: "auto", Usage: "minimise `WHAT` first, keeping what the formula sees: none, components, tree (also compositions of them); auto: tree, once a search without has become long"},
		&cli.StringFlag{Name: "symmetry", Value: "off", Usage: "search states that differ only by like components in other places once: on, off"},
		&cli.BoolFlag{Name: "shortest", Usage: "find shortest counterexamples (takes longer)"},
		&cli.BoolFlag{Name: "echo", Usage: "print how every formula was read"},
	}
}

// analysis is one run of several checks on one model.
type analysis struct {
	c    *cli.Context
	s    streams
	m    *model
	opts product.Options
	r    *report.Report
	// ended is the number, from 1, of a result in r by which runs end in a deadlock or
	// ERROR, as expected; 0 if there is none.
	ended int
	// open is how many questions are still to be asked, for the time that each gets.
	open int
	// ctx and opts.Limits are those of the question that is being asked; share is its part
	// of the time, 0 if it has all.
	ctx   context.Context
	share time.Duration
	// questions are the declared properties that are wanted, once they were read.
	questions []question
}

// shareOf is the time that the next of some questions may take of what is left: as much
// as each of them. What it does not need is left to the others.
func shareOf(left time.Duration, questions int) time.Duration {
	return left / time.Duration(max(questions, 1))
}

// turn begins the next question, which has its share of the time that is left, until done
// is called.
func (a *analysis) turn() (done func()) {
	questions := a.open
	a.open--
	deadline, timed := a.c.Context.Deadline()
	left := time.Until(deadline)
	if !timed || left <= 0 || questions <= 1 {
		return func() {}
	}
	whole := a.opts.Limits.Time
	a.share = shareOf(left, questions).Round(time.Millisecond)
	a.opts.Limits.Time = a.share
	ctx, cancel := context.WithTimeout(a.c.Context, a.share)
	a.ctx = ctx
	return func() {
		cancel()
		a.ctx, a.share, a.opts.Limits.Time = a.c.Context, 0, whole
	}
}

// analyse loads the model, runs the checks, and prints the report. A check that
// was interrupted ends the run, with what is known so far.
func analyse(c *cli.Context, s streams, checks ...func(*analysis) error) error {
	show, done := progress(c, s)
	defer done()
	l, err := limits(c)
	if err != nil {
		return err
	}
	if err := checkOutputs(c); err != nil {
		return err
	}
	m, err := loadModel(c, s)
	if err != nil {
		return loadError(c, s, err)
	}
	a := &analysis{c: c, s: s, m: m, ctx: c.Context, r: &report.Report{Model: m.describe()}}
	a.opts.Limits, a.opts.Progress = l, show
	for _, check := range checks {
		if err := check(a); err != nil {
			done()
			return unwritten(c, s, a.r, err)
		}
		if a.r.Exit == exitInterrupted {
			break
		}
	}
	done()
	a.tellWarnings()
	a.r.Table = len(checks) > 1
	return finish(c, s, a.r)
}

// unwritten is the end of a run with an error. If that is only that a picture or
// the like could not be written, what was found is reported first.
func unwritten(c *cli.Context, s streams, r *report.Report, err error) error {
	var output *outputError
	if !errors.As(err, &output) || len(r.Results) == 0 {
		return err
	}
	var status exitError
	if reportErr := finish(c, s, r); reportErr != nil && !errors.As(reportErr, &status) {
		return reportErr
	}
	return err
}

// loadError is the end of a run whose model could not be loaded: wrong input, or
// a limit that was reached before anything could be checked.
func loadError(c *cli.Context, s streams, err error) error {
	if !isLimit(err) {
		return err
	}
	result := report.Result{Kind: c.Command.Name, Formula: "the model could not be compiled within the limits"}
	r := &report.Report{Exit: unknown(&result, err)}
	r.Results = []report.Result{result}
	return finish(c, s, r)
}

// onlyModel refuses arguments behind the model.
func onlyModel(c *cli.Context) error {
	if c.NArg() <= 1 {
		return nil
	}
	if isFile(c.Args().Get(1)) {
		return twoModels(c, c.Args().Get(1))
	}
	err := &usageError{command: c.Command.Name, text: fmt.Sprintf("unexpected argument %q behind the model", c.Args().Get(1))}
	err.help = fmt.Sprintf("to check a formula, write: seltl verify %s %q", c.Args().First(), c.Args().Get(1))
	return err
}

// checkKinds are the kinds of results of check, in their order.
var checkKinds = []string{"deadlock", "safety", "progress", "ltl", "assert"}

// wantedKinds reads --only.
func wantedKinds(c *cli.Context) (map[string]bool, error) {
	only := checkKinds
	if c.IsSet("only") {
		only = strings.FieldsFunc(c.String("only"), func(r rune) bool { return r == ',' || r == ' ' })
		if len(only) == 0 {
			return nil, usagef(c, "--only: some of %s are needed", strings.Join(checkKinds, ", "))
		}
	}
	wanted := map[string]bool{}
	for _, kind := range only {
		if !slices.Contains(checkKinds, kind) {
			return nil, &usageError{command: c.Command.Name, text: fmt.Sprintf("--only %s: one of %s is needed", kind, strings.Join(checkKinds, ", ")),
				help: source.DidYouMean(kind, checkKinds)}
		}
		wanted[kind] = true
	}
	return wanted, nil
}

// checkSuited refuses ways to keep states that some kind cannot be decided with.
func checkSuited(c *cli.Context, engine *explore.Options, wanted map[string]bool) error {
	inMemory := wanted["progress"] || wanted["ltl"] || wanted["assert"]
	if inMemory {
		if err := onlyInMemory(c, "only deadlock and safety are decided by a search in breadth",
			"--only=deadlock,safety"); err != nil {
			return err
		}
	}
	if engine.Store != explore.Numbered && wanted["progress"] {
		return &usageError{command: c.Command.Name, text: fmt.Sprintf("--store=%v: progress needs all states with their numbers", engine.Store),
			help: "--only=deadlock,safety,ltl"}
	}
	return nil
}

func check(c *cli.Context, s streams) error {
	if err := onlyModel(c); err != nil {
		return err
	}
	opts, err := verifyOptions(c)
	if err != nil {
		return err
	}
	engine, err := engineOptions(c)
	if err != nil {
		return err
	}
	wanted, err := wantedKinds(c)
	if err != nil {
		return err
	}
	if err := checkSuited(c, &engine, wanted); err != nil {
		return err
	}
	checks := []func(*analysis) error{func(a *analysis) error {
		opts.Progress = a.opts.Progress
		a.opts = opts
		if err := a.readProperties(wanted); err != nil || !wanted["deadlock"] && !wanted["safety"] {
			return err
		}
		return a.reachability(engine, wanted)
	}}
	if wanted["progress"] {
		checks = append(checks, (*analysis).progressOfRecurring)
	}
	if wanted["ltl"] || wanted["assert"] {
		checks = append(checks, func(a *analysis) error { return a.answerAll(a.questions) })
	}
	return analyse(c, s, checks...)
}

// add adds a result and its exit status.
func (a *analysis) add(r report.Result, status int) {
	status = a.m.judge(&r, status)
	a.record(r, status)
}

// record adds a result that was compared with what is expected of it.
func (a *analysis) record(r report.Result, status int) {
	if !a.c.Bool("profile") {
		r.Profile = nil
	}
	if late := (&budget.Exhausted{What: "time", Limit: a.share.String()}).Error(); a.share > 0 && r.Verdict == report.Unknown && r.Reason == late {
		addNote(&r, "that is its share of the time that was left: other questions were still to be asked")
	}
	if ends := r.Kind == "deadlock" || r.Kind == "safety"; ends && r.AsExpected != nil && *r.AsExpected && r.Verdict == report.Violated {
		a.ended = len(a.r.Results) + 1
	}
	a.r.Results = append(a.r.Results, r)
	a.r.Exit = report.Worst(a.r.Exit, status)
}

// unknown fills in why a result is unknown and returns the exit status.
func unknown(r *report.Result, reason error) int {
	r.Verdict, r.Reason, r.Advice = report.Unknown, reason.Error(), adviceFor(reason)
	var missing *explore.LossyStore
	if errors.As(reason, &missing) {
		r.Lossy = &report.Lossy{Store: missing.Store.String(), Coverage: missing.Coverage, Missed: missing.Missed}
	}
	if errors.Is(reason, budget.ErrInterrupted) {
		return exitInterrupted
	}
	return exitUnknown
}

// reachability explores the composition once for deadlocks and errors, or for one
// of them, which is sought no longer once it is found.
func (a *analysis) reachability(engine explore.Options, wanted map[string]bool) error {
	net, err := a.m.composition()
	if err != nil {
		return err
	}
	defer a.turn()()
	engine.Meter = budget.New(a.ctx, a.opts.Limits, a.opts.Progress)
	engine.StopAtDeadlock, engine.StopAtError = !wanted["safety"], !wanted["deadlock"]
	reached, err := explore.Search(net, engine)
	if err != nil && !isLimit(err) {
		return err
	}
	elapsed := engine.Meter.Elapsed().Seconds()
	stats := &report.Statistics{States: reached.States, Transitions: reached.Transitions, Depth: reached.Depth,
		SearchSeconds: elapsed, StoreBytes: reached.Bytes(), Method: "breadth-first" + storeText(reached)}
	profile := reachProfile(reached)
	for _, q := range []struct {
		kind, end string
		state     []uint64
	}{{"deadlock", "deadlock", reached.DeadlockState}, {"safety", "error", reached.ErrorState}} {
		if !wanted[q.kind] {
			continue
		}
		r := report.Result{Kind: q.kind, Verdict: report.Holds, Statistics: stats, Profile: profile}
		profile = nil // once is enough
		status := exitHolds
		missing := reached.Lossy()
		switch {
		case q.state != nil:
			// err stays: of the other kind the exploration may not have seen all.
			var failed error
			if status, failed = a.showTrace(&r, net, reached, q.state, q.end); failed != nil {
				return failed
			}
		case err != nil:
			if status = unknown(&r, err); isFile(engine.Checkpoint) {
				r.Advice = checkpointAdvice(a.c)
			}
		case missing != nil:
			status = unknown(&r, missing)
		case !reached.Complete:
			return bug.Errorf("check", "an exploration without a state in %s ended before its end", q.end)
		case q.kind == "deadlock" && reached.Ends > 0:
			r.Assumptions = append(r.Assumptions, "that END is termination, not deadlock: it is reachable")
		}
		a.m.expectReached(&r)
		status, failed := a.judgeSafety(&r, net, engine, status)
		if failed != nil {
			return failed
		}
		a.record(r, status)
	}
	return nil
}

// showTrace fills in the trace to a state that was found. Without it the verdict
// remains unknown: nothing is reported that was not replayed.
func (a *analysis) showTrace(r *report.Result, net *lks.Network, reached *explore.Reached, state []uint64, end string) (int, error) {
	trace, err := reached.TraceTo(state, budget.New(a.ctx, a.opts.Limits, a.opts.Progress))
	switch {
	case err != nil && isLimit(err):
		return unknown(r, fmt.Errorf("a state in %s was found, %s, but not the way there: %w", end, net.StateName(state), err)), nil
	case err != nil:
		return exitInternal, bug.Errorf("check", "the state in %s that was found: %v", end, err)
	}
	if err := trace.Replay(net); err != nil {
		return exitInternal, bug.Errorf("check", "the trace to %s does not replay: %v", end, err)
	}
	r.Verdict = report.Violated
	if end == "deadlock" {
		explained, err := deadlock.Explain(net, trace)
		if err != nil {
			return exitInternal, bug.Errorf("check", "the deadlock that was found: %v", err)
		}
		r.Counterexample = report.DeadlockTrace(net, explained)
		return exitViolated, nil
	}
	r.Counterexample = report.Run(net, trace)
	r.Counterexample.End = end
	return exitViolated, nil
}

func isLimit(err error) bool {
	var list source.List
	return budget.Stopped(err) || errors.As(err, &list) && list.Limited()
}

// progressOfAll decides the progress properties of the file, or that all actions occur
// again and again, as LTSA does.
func (a *analysis) progressOfAll() error { return a.progress(fairchoice.EveryAction) }

// progressOfRecurring is the same without what fails for models that are as they
// should be: if the file declares no progress, actions may occur at the beginning
// only, or never, and the model may terminate.
func (a *analysis) progressOfRecurring() error { return a.progress(fairchoice.EveryRecurringAction) }

var progressTexts = map[fairchoice.ProgressOf]string{
	fairchoice.EveryAction:          "every action occurs again and again",
	fairchoice.EveryRecurringAction: "every action that can occur again and again does",
}

// progress decides the progress properties of the file; without any, that of the
// actions given.
func (a *analysis) progress(undeclared fairchoice.ProgressOf) error {
	net, err := a.m.composition()
	if err != nil {
		return err
	}
	var props []fairchoice.ProgressProperty
	var declared []fsp.Progress
	if a.m.fsp != nil {
		if declared, err = a.m.fsp.Progress(); err != nil {
			return err
		}
		if err = a.m.fsp.NoteUnknownActions(net); err != nil {
			return err
		}
		for _, p := range declared {
			props = append(props, fairchoice.ProgressProperty{Name: p.Name, Condition: p.Condition, Actions: p.Actions})
		}
	}
	if len(props) == 0 && a.ended > 0 {
		// It would only say again that runs end.
		expected := &a.r.Results[a.ended-1]
		addNote(expected, fmt.Sprintf("not asked, since this is expected: whether %s", progressTexts[undeclared]))
		return nil
	}
	if len(props) == 0 {
		props = []fairchoice.ProgressProperty{{Name: fairchoice.DefaultProgress, Of: undeclared}}
	}
	defer a.turn()()
	rep, err := fairchoice.Progress(a.ctx, net, props, a.opts)
	if err != nil {
		return err
	}
	for i, p := range rep.Results {
		r := report.Result{Kind: "progress", Name: p.Name, Formula: describeProgress(&props[i])}
		if props[i].Of != fairchoice.ListedActions {
			r.Never = rep.Never
		} else {
			placed(&r, declared[i].Span)
			r.Expected = a.m.expected(declared[i].Expect)
		}
		r.Statistics = &report.Statistics{States: rep.States, Transitions: rep.Transitions, Method: report.Count(int64(rep.TerminalSets), "terminal set")}
		r.Assumptions = []string{choiceText}
		status := exitHolds
		switch {
		case p.Verdict == product.Holds && rep.Error != nil:
			// A run into ERROR makes no progress, but that is not what the property
			// is about (LTSA does not check it either).
			status = exitUnknown
			r.Verdict, r.Reason = report.Unknown, "ERROR is reachable; where it is not, the property holds"
			if r.Advice = "repair safety first"; a.c.Command.Name != "check" {
				r.Advice = "seltl check, and " + r.Advice
			}
		case p.Verdict == product.Holds:
			r.Verdict = report.Holds
		case p.Verdict == product.Violated:
			r.Verdict, status = report.Violated, exitViolated
			r.Counterexample = report.ProgressLasso(net, &p, rep.Never)
		default:
			status = unknown(&r, rep.Reason)
		}
		a.add(r, status)
	}
	return nil
}

func describeProgress(p *fairchoice.ProgressProperty) string {
	if p.Of != fairchoice.ListedActions {
		return progressTexts[p.Of]
	}
	text := "{" + strings.Join(p.Actions, ", ") + "} again and again"
	if p.Condition != nil {
		text = "if {" + strings.Join(p.Condition, ", ") + "} then " + text
	}
	return text
}

// readProperties reads the declarations of the file of the kinds wanted, and counts the
// questions.
func (a *analysis) readProperties(wanted map[string]bool) error {
	if wanted["ltl"] || wanted["assert"] {
		questions, err := a.m.declared(nil)
		if err != nil {
			return err
		}
		a.questions = slices.DeleteFunc(questions, func(q question) bool { return !wanted[q.kind] })
	}
	a.open = len(a.questions)
	if wanted["deadlock"] || wanted["safety"] {
		a.open++
	}
	if wanted["progress"] {
		a.open++
	}
	return nil
}

// answerAll decides questions, the last of the run.
func (a *analysis) answerAll(questions []question) error {
	a.open = len(questions)
	if err := a.requireFairness(questions); err != nil {
		return err
	}
	for i, q := range questions {
		done := a.turn()
		r, status, err := answer(a.ctx, q, a.opts)
		var usage *usageError
		if errors.As(err, &usage) {
			usage.command = a.c.Command.Name
		}
		if err != nil {
			done()
			return err
		}
		a.add(r, status)
		done()
		if status == exitInterrupted {
			for _, rest := range questions[i+1:] {
				a.add(report.Result{Kind: rest.kind, Name: rest.name, Formula: rest.text, Verdict: report.Unknown, Reason: "interrupted before it was looked at"}, exitInterrupted)
			}
			return nil
		}
	}
	return nil
}
