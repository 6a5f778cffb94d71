package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/seltl/seltl/internal/budget"
	"github.com/seltl/seltl/internal/bug"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/product"
	"github.com/seltl/seltl/report"
)

func checkCommand(s streams) *cli.Command {
	return &cli.Command{
		Name:      "check",
		Usage:     "deadlock, safety, progress and properties of a model, all in one",
		ArgsUsage: "MODEL",
		Description: `Decides everything that can be asked of a model file: whether it can deadlock, whether
ERROR is reachable (safety: property processes, undefined processes), every progress
property (by default: every action occurs again and again), and every assert and ltl
declaration. Prints a table of verdicts, then a trace for each that fails.

progress and assert are decided under fair choice, as LTSA does; --fair=none decides
assert for all runs. ltl declarations assume what the model declares (fair strong {a}),
and what --fair adds.

EXAMPLES
   seltl check model.lts
   seltl check specs/classics/philosophers.lks --process TABLE
   seltl check model.lts -D N=4 --json`,
		Flags:  concat(modelFlags(), propertyFlags(), limitFlags(), outputFlags()),
		Action: func(c *cli.Context) error { return check(c, s) },
	}
}

func progressCommand(s streams) *cli.Command {
	return &cli.Command{
		Name:      "progress",
		Usage:     "decide the progress properties of a model under fair choice",
		ArgsUsage: "MODEL",
		Description: `Decides every progress property of the model file; without any, that every action
occurs again and again. Fair choice: a transition whose source is visited again and
again is taken again and again, so that a run ends up in a terminal set of states.

EXAMPLES
   seltl progress model.lts
   seltl progress model.lts --process SYSTEM --json`,
		Flags: concat(modelFlags(), limitFlags(), outputFlags()),
		Action: func(c *cli.Context) error {
			if err := onlyModel(c); err != nil {
				return err
			}
			return analyse(c, s, func(a *analysis) error { return a.progress() })
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
		&cli.StringFlag{Name: "reduce", Value: "none", Usage: "minimise `WHAT` first, keeping what the formula sees: none, components, tree (also compositions of them)"},
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
	m, err := loadModel(c, s)
	if err != nil {
		return loadError(c, s, err)
	}
	a := &analysis{c: c, s: s, m: m, r: &report.Report{Model: m.describe()}}
	a.opts.Limits, a.opts.Progress = l, show
	for _, check := range checks {
		if err := check(a); err != nil {
			return inputError(c, s, err)
		}
		if a.r.Exit == exitInterrupted {
			break
		}
	}
	done()
	a.r.Messages = showWarnings(c, s, m.warnings)
	a.r.Table = len(checks) > 1
	return finish(c, s, a.r)
}

// loadError is the end of a run whose model could not be loaded: wrong input, or
// a limit that was reached before anything could be checked.
func loadError(c *cli.Context, s streams, err error) error {
	if !isLimit(err) {
		return inputError(c, s, err)
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
	err := &usageError{command: c.Command.Name, text: fmt.Sprintf("unexpected argument %q behind the model", c.Args().Get(1))}
	err.help = fmt.Sprintf("to check a formula, write: seltl verify %s %q", c.Args().First(), c.Args().Get(1))
	return err
}

func check(c *cli.Context, s streams) error {
	if err := onlyModel(c); err != nil {
		return err
	}
	opts, err := verifyOptions(c)
	if err != nil {
		return err
	}
	return analyse(c, s,
		func(a *analysis) error {
			opts.Progress = a.opts.Progress
			a.opts = opts
			return a.reachability()
		},
		(*analysis).progress,
		(*analysis).properties)
}

// add adds a result and its exit status.
func (a *analysis) add(r report.Result, status int) {
	a.r.Results = append(a.r.Results, r)
	a.r.Exit = report.Worst(a.r.Exit, status)
}

// unknown fills in why a result is unknown and returns the exit status.
func unknown(r *report.Result, reason error) int {
	r.Verdict, r.Reason, r.Advice = report.Unknown, reason.Error(), adviceFor(reason)
	if errors.Is(reason, budget.ErrInterrupted) {
		return exitInterrupted
	}
	return exitUnknown
}

// reachability explores the composition once for deadlocks and errors.
func (a *analysis) reachability() error {
	net, err := a.m.composition()
	if err != nil {
		return err
	}
	meter := budget.New(a.c.Context, a.opts.Limits, a.opts.Progress)
	reached, err := lks.Reach(net, lks.ReachOptions{Meter: meter, Traces: true})
	if err != nil && !isLimit(err) {
		return err
	}
	stats := &report.Statistics{States: reached.States, Transitions: reached.Transitions, Depth: reached.Depth,
		SearchSeconds: meter.Elapsed().Seconds(), StoreBytes: reached.Bytes(), Method: "breadth-first"}
	for _, q := range []struct {
		kind, end string
		state     int32
	}{{"deadlock", "deadlock", reached.Deadlock}, {"safety", "error", reached.Error}} {
		r := report.Result{Kind: q.kind, Verdict: report.Holds, Statistics: stats}
		status := exitHolds
		switch {
		case q.state >= 0:
			status = exitViolated
			r.Verdict = report.Violated
			trace, err := reached.Trace(q.state)
			if err != nil {
				return err
			}
			if err := lks.Replay(net, trace); err != nil {
				return bug.Errorf("the trace to %s does not replay: %v", q.end, err)
			}
			r.Counterexample = report.Run(net, trace)
			r.Counterexample.End = q.end
		case err != nil:
			status = unknown(&r, err)
		case q.kind == "deadlock" && reached.Ends > 0:
			r.Assumptions = append(r.Assumptions, "that END is termination, not deadlock: it is reachable")
		}
		a.add(r, status)
	}
	return nil
}

func isLimit(err error) bool {
	var e *budget.Exhausted
	return errors.As(err, &e) || errors.Is(err, budget.ErrInterrupted)
}

// progress decides the progress properties of the file.
func (a *analysis) progress() error {
	net, err := a.m.composition()
	if err != nil {
		return err
	}
	var props []product.ProgressProperty
	if a.m.fsp != nil {
		declared, err := a.m.fsp.Progress()
		if err != nil {
			return err
		}
		for _, p := range declared {
			props = append(props, product.ProgressProperty{Name: p.Name, Condition: p.Condition, Actions: p.Actions})
		}
	}
	rep, err := product.Progress(a.c.Context, net, props, a.opts)
	if err != nil {
		return err
	}
	for i, p := range rep.Results {
		r := report.Result{Kind: "progress", Name: p.Name, Formula: "every action occurs again and again"}
		if len(props) > 0 {
			r.Formula = progressText2(props[i])
		}
		r.Statistics = &report.Statistics{States: rep.States, Transitions: rep.Transitions, Method: fmt.Sprintf("%d terminal sets", rep.TerminalSets)}
		r.Assumptions = []string{choiceText}
		status := exitHolds
		switch {
		case p.Verdict == product.Holds && rep.Error != nil:
			// A run into ERROR makes no progress, but that is not what the property
			// is about (LTSA does not check it either).
			status = exitUnknown
			r.Verdict, r.Reason = report.Unknown, "ERROR is reachable; where it is not, the property holds"
			r.Advice = "seltl check, and repair safety first"
		case p.Verdict == product.Holds:
			r.Verdict = report.Holds
		case p.Verdict == product.Violated:
			r.Verdict, status = report.Violated, exitViolated
			r.Counterexample = report.Lasso(net, p.Lasso)
			r.Counterexample.Note = progressNote(p)
		default:
			status = unknown(&r, rep.Reason)
		}
		a.add(r, status)
	}
	return nil
}

func progressText2(p product.ProgressProperty) string {
	text := "{" + strings.Join(p.Actions, ", ") + "} again and again"
	if p.Condition != nil {
		text = "if {" + strings.Join(p.Condition, ", ") + "} then " + text
	}
	return text
}

// progressNote says what happens in the terminal set and what does not.
func progressNote(p product.ProgressResult) string {
	note := "from there on nothing happens"
	if len(p.Terminal) > 0 {
		note = "from there on only {" + strings.Join(p.Terminal, ", ") + "} can happen"
	}
	if len(p.Missing) > 0 {
		note += "; never again {" + strings.Join(p.Missing, ", ") + "}"
	}
	return note
}

// properties decides the declarations of the file.
func (a *analysis) properties() error {
	questions, err := a.m.declared(nil)
	if err != nil {
		return err
	}
	return a.answerAll(a.c.Context, questions)
}

func (a *analysis) answerAll(ctx context.Context, questions []question) error {
	if err := a.requireFairness(questions); err != nil {
		return err
	}
	for i, q := range questions {
		r, status, err := answer(ctx, q, a.opts)
		if err != nil {
			return err
		}
		a.add(r, status)
		if status == exitInterrupted {
			for _, rest := range questions[i+1:] {
				a.add(report.Result{Kind: rest.kind, Name: rest.name, Formula: rest.text, Verdict: report.Unknown, Reason: "interrupted before it was looked at"}, exitInterrupted)
			}
			return nil
		}
	}
	return nil
}
