package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/seltl/seltl/armc"
	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/deadlock"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/lks/explore"
	"github.com/seltl/seltl/report"
)

func verifyCommand(s streams) *cli.Command {
	return &cli.Command{
		Name:      "verify",
		Usage:     "decide SE-LTL properties of a model",
		ArgsUsage: "MODEL [FORMULA...]",
		Description: `Decides whether every run of MODEL satisfies each FORMULA, and prints a run that
does not if there is one. Without a formula: every ltl and assert declaration of
the model file; "// expect: fails" behind one makes failing the right answer.
MODEL is a .lks, .lts or .fsp file, an Aldebaran .aut file, or - for standard
input. C programs come with a specification, which says which actions they
perform and may declare properties: SOURCE.c... SPEC.spec [FORMULA...].

--automaton takes properties from a file with automata (HOA with any acceptance
condition, or never claims). Their atoms are texts of atoms of formulas. A never
claim accepts the runs that violate the property, a HOA automaton those that
satisfy it, unless --positive or --negative says otherwise.

That a formula holds only since a part of it never happens is said beside the
verdict; --vacuity asks of each part whether it has an effect.

EXAMPLES
   seltl verify specs/first.lks "G(press & dark -> X lit)"
   seltl verify specs/classics/philosophers.lks -D N=3
   seltl verify specs/classics/philosophers.lks --process MIXED "G !deadlock"
   seltl verify specs/fairness/semaphore.lks --fair=none
   seltl verify model.lks --formula-file properties.ltl --json
   seltl verify specs/classics/courier.lks --finite-words "F home"
   seltl verify specs/first.lks "G(press & dark -> X lit)" --vacuity
   seltl verify specs/first.lks --automaton specs/automata/even-dark.hoa
   echo "G F a" | seltl verify model.lks -F -`,
		Flags: concat(modelFlags(), []cli.Flag{
			&cli.StringSliceFlag{Name: "formula-file", Aliases: []string{"F"}, Usage: "check the formulas of `FILE`, one a line, # comments (- is standard input)"},
			&cli.StringSliceFlag{Name: "automaton", Usage: "check the automata of `FILE`, HOA or never claims (- is standard input); may be repeated"},
			&cli.BoolFlag{Name: "positive", Usage: "automata accept the runs that satisfy the property (the default for HOA)"},
			&cli.BoolFlag{Name: "negative", Usage: "automata accept the runs that violate the property (the default for never claims)"},
			&cli.BoolFlag{Name: "finite-words", Usage: "formulas are about the runs that end (LTLf; X is weak, X[!] strong); infinite runs are left out"},
			&cli.StringSliceFlag{Name: "property", Usage: "check only the declaration `NAME` of the model file; may be repeated"},
			&cli.StringFlag{Name: "svg", Usage: "draw the first counterexample into `FILE`"},
		}, propertyFlags(), storeFlags(), diskFlags(true), verifyCFlags(), limitFlags(), []cli.Flag{profileFlag()}, outputFlags()),
		Action: func(c *cli.Context) error { return verify(c, s) },
	}
}

func concat(lists ...[]cli.Flag) []cli.Flag {
	var all []cli.Flag
	for _, l := range lists {
		all = append(all, l...)
	}
	return all
}

func verify(c *cli.Context, s streams) error {
	if sources, spec, formulas, err := split(c, s); err != nil || spec != "" {
		if err != nil {
			return err
		}
		return verifiesC(c, s, sources, spec, formulas)
	}
	if err := onlyFor(c, namesOfFlags(verifyCFlags()), forCSpecified); err != nil {
		return err
	}
	if err := onlyInMemory(c, "verify searches in depth, for cycles, with the states in memory",
		"`seltl check --only=deadlock,safety` searches in breadth; here --store=compact needs less memory"); err != nil {
		return err
	}
	opts, err := verifyOptions(c)
	if err != nil {
		return err
	}
	return analyse(c, s, func(m *check.Model, o check.Options) (*report.Report, func() error, error) {
		opts.Options = o
		questions, err := questions(c, s, m)
		if err != nil {
			return nil, nil, err
		}
		r, err := check.Verify(c.Context, m, questions, opts)
		return r, func() error { return drawFirst(c, r) }, storeAdvice(c, err)
	})
}

// questions returns what is to be verified: the formulas of the command line, or
// the declarations of the file.
func questions(c *cli.Context, s streams, m *check.Model) ([]check.Question, error) {
	opts, err := m.ParseOptions()
	if err != nil {
		return nil, err
	}
	if c.Bool("finite-words") {
		opts.Finite = check.FiniteRuns()
		if c.IsSet("finite") && c.String("finite") != "stutter" {
			return nil, usagef(c, "--finite-words is about runs that end, and --finite=%s leaves them out", c.String("finite"))
		}
		if c.IsSet("automaton") || c.IsSet("property") {
			return nil, usagef(c, "--finite-words is for formulas of the command line: declarations and automata are about infinite runs")
		}
	}
	formulas, err := readFormulas(c, s, c.Args().Tail(), c.StringSlice("formula-file"), opts)
	if err != nil {
		return nil, err
	}
	var qs []check.Question
	for _, f := range formulas {
		ask := m.AskParsed
		if opts.Finite != nil {
			ask = m.AskFinite
		}
		q, err := ask(f.text, f.formula, f.at)
		if err != nil {
			return nil, err
		}
		qs = append(qs, q)
	}
	automata, err := askedAutomata(c, s, m)
	if err != nil {
		return nil, err
	}
	qs = append(qs, automata...)
	if opts.Finite != nil && len(qs) == 0 {
		return nil, usagef(c, "--finite-words needs a formula")
	}
	wanted := c.StringSlice("property")
	if len(qs) == 0 || len(wanted) > 0 {
		declared, err := m.Declared(wanted...)
		if err != nil {
			return nil, err
		}
		qs = append(qs, declared...)
	}
	if len(qs) == 0 {
		showWarnings(c, s, m.Warnings())
		return nil, &check.InputError{Code: "no-property", File: m.File,
			Text: fmt.Sprintf("%s: no property of %s to verify: give a formula, or declare one in the file (ltl NAME = formula)", m.File, m.Process)}
	}
	return qs, nil
}

// askedAutomata returns the properties that automata of files say.
func askedAutomata(c *cli.Context, s streams, m *check.Model) (qs []check.Question, err error) {
	files, how := c.StringSlice("automaton"), check.AutoReading
	switch positive, negative := c.Bool("positive"), c.Bool("negative"); {
	case positive && negative:
		return nil, usagef(c, "--positive and --negative exclude each other")
	case (positive || negative) && len(files) == 0:
		return nil, usagef(c, "--positive and --negative say how automata are read: give --automaton FILE")
	case positive:
		how = check.Positive
	case negative:
		how = check.Negative
	}
	for _, name := range files {
		src, err := check.ReadSource(name, s.open)
		if err != nil {
			return nil, err
		}
		asked, err := m.AskAutomata(src, how)
		if err != nil {
			return nil, err
		}
		qs = append(qs, asked...)
	}
	return qs, nil
}

// storeAdvice says what to do instead about a store that does not suit a question.
func storeAdvice(c *cli.Context, err error) error {
	var store *check.Unsuited
	if !errors.As(err, &store) {
		return err
	}
	return &usageError{command: c.Command.Name, text: err.Error(), help: store.Help()}
}

// adviceFor says what to try about a question of a command that stayed open.
func adviceFor(command string, reason error) string {
	var saved *check.Resumable
	var inconclusive *check.Inconclusive
	var store *check.Unsuited
	var input *check.InputError
	switch {
	case errors.As(reason, &store):
		return store.Help()
	case errors.As(reason, &input):
		return input.Help
	case errors.As(reason, &saved):
		return "the same command, with larger limits if there are any: it goes on from " + saved.Checkpoint
	case errors.As(reason, &inconclusive) && command != "reach":
		return specifiedAdvice(inconclusive)
	case errors.As(reason, &inconclusive):
		return reachAdvice(inconclusive)
	case errors.Is(reason, deadlock.ErrNotProved):
		return "--method=auto"
	case errors.Is(reason, check.ErrReached) && command == "check":
		return "repair safety first"
	case errors.Is(reason, check.ErrReached):
		return "seltl check, and repair safety first"
	}
	advice := limitAdvice(reason)
	if command == "clp" {
		return queryAdvice(reason)
	}
	if command == "check-certificate" {
		advice = strings.ReplaceAll(advice, ", or smaller constants (-D)", "")
	}
	return advice
}

// reachAdvice says what to try where `seltl reach` has no answer: only what can help.
func reachAdvice(reason *check.Inconclusive) string {
	var limit *budget.Exhausted
	limited := errors.As(reason, &limit)
	switch {
	case !limited && reason.Method != armc.Auto:
		return "--direction=auto, which tries all of them, or another --abstraction or --refine"
	case !limited:
		return "one --direction alone: it has no limit of work; or an invariant of your own (seltl check-certificate)"
	}
	switch limit.What {
	case "states":
		return "a larger --max-states, or another --direction, --abstraction or --refine"
	case "memory":
		return "a larger --max-memory, or another --direction, --abstraction or --refine"
	case "refinements":
		return "a larger --max-rounds, or another --direction, --abstraction or --refine"
	}
	return "a longer --timeout, or another --direction, --abstraction or --refine"
}

// limitAdvice says what to try about a limit.
func limitAdvice(reason error) string {
	var e *budget.Exhausted
	var list source.List
	var missing *explore.LossyStore
	switch {
	case errors.As(reason, &list) && list.Limited():
		return list[slices.IndexFunc(list, func(d source.Diagnostic) bool { return d.Limit })].Help
	case errors.As(reason, &missing) && missing.Store == explore.BitstateHash:
		return "a larger --store-bytes, or --store=compact, which misses none (seltl help memory)"
	case errors.As(reason, &missing):
		return "--store=compact, which misses none (seltl help memory)"
	case !errors.As(reason, &e):
		return ""
	case e.Advice != "":
		return e.Advice
	}
	switch e.What {
	case "states":
		return "a larger --max-states, smaller constants (-D), or hiding what the formula does not need"
	case "memory":
		return "a larger --max-memory, smaller constants (-D), or what `seltl help memory` says"
	case "acceptance sets", "decision diagrams": // of the translation
		return "smaller formulas in place of this one"
	}
	return "a longer --timeout, or smaller constants (-D)"
}

func verifyOptions(c *cli.Context) (check.Verification, error) {
	var opts check.Verification
	var err error
	if _, err = limits(c); err != nil {
		return opts, err
	}
	for _, flag := range []struct {
		name string
		to   choice
	}{
		{"finite", &opts.Finite}, {"emptiness", &opts.Emptiness}, {"fair", &opts.Fair},
		{"por", &opts.POR}, {"reduce", &opts.Reduce},
	} {
		if flag.name == "fair" && c.String("fair") == "" {
			continue
		}
		if err := choose(c, flag.name, flag.to); err != nil {
			return opts, err
		}
	}
	if opts.Symmetry, err = switched(c, "symmetry", "off", "on"); err != nil {
		return opts, err
	}
	opts.Shortest, opts.Explain = c.Bool("shortest"), c.Bool("explain") || c.String("html") != ""
	opts.Vacuity = c.Bool("vacuity")
	engine, err := engineOptions(c)
	opts.Store, opts.StoreBytes, opts.Seed, opts.Workers = engine.Store, engine.StoreBytes, engine.Seed, engine.Workers
	switch {
	case err != nil:
	case opts.Workers > 1 && opts.Emptiness.OneWorker():
		err = &usageError{command: c.Command.Name, text: fmt.Sprintf("--workers %d: the search by %s has one worker", opts.Workers, opts.Emptiness.About()),
			help: "--emptiness=ndfs, or leave one of them out"}
	}
	return opts, err
}

// drawFirst writes the picture of the first counterexample, if asked for.
func drawFirst(c *cli.Context, r *report.Report) error {
	name := c.String("svg")
	if name == "" {
		return nil
	}
	for i := range r.Results {
		if ce := r.Results[i].Counterexample; ce != nil {
			return writeFile(name, func(w io.Writer) error {
				return ce.SVG(w, r.Results[i].PictureTitle())
			})
		}
	}
	return nil
}
