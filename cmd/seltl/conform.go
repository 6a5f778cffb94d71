package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/seltl/seltl/conform"
	"github.com/seltl/seltl/conform/equivalence"
	"github.com/seltl/seltl/report"
)

const comparedText = `IMPL and SPEC are FILE or FILE:PROCESS; SPEC may also be the name of a process
in IMPL's file. A FILE without a process is its default process (seltl help
language).`

func conformCommand(s streams) *cli.Command {
	return &cli.Command{
		Name:      "conform",
		Usage:     "decide whether one process conforms to another",
		ArgsUsage: "IMPL SPEC",
		Description: `Decides whether SPEC can do everything that IMPL does, by --preorder:

   simulation  step by step, with equal propositions (the default)
   weak        likewise, but silent steps of IMPL may be answered by staying
   trace       every trace of IMPL is one of SPEC
   failures    and IMPL refuses nothing that SPEC must offer (stable failures)

` + comparedText + `

EXAMPLES
   seltl conform specs/thesis/2-2-simulation.lks:M1 M2
   seltl conform impl.lks spec.lks --preorder=trace
   seltl conform model.lks:SYSTEM SPEC --restrict --trees=4`,
		Flags: concat([]cli.Flag{
			&cli.StringFlag{Name: "preorder", Value: "simulation", Usage: "`WHAT` conforms means: simulation, weak, trace, failures"},
			&cli.StringFlag{Name: "method", Value: "auto", Usage: "`METHOD`: auto, plain, two-level (refine abstractions of the components)"},
			&cli.BoolFlag{Name: "restrict", Usage: "ignore actions and propositions of IMPL that SPEC does not have"},
			&cli.StringFlag{Name: "silent-spec", Value: "refuse", Usage: "`HOW` silent steps of SPEC are read: refuse, letter, saturate"},
			&cli.StringFlag{Name: "dot", Usage: "draw the first counterexample as a Graphviz graph into `FILE`"},
			&cli.StringFlag{Name: "svg", Usage: "draw the first counterexample into `FILE`"},
			&cli.IntFlag{Name: "trees", Value: 1, Usage: "show up to `K` different counterexamples"},
			&cli.StringSliceFlag{Name: "D", Usage: "set the constant or parameter `NAME=VALUE`; may be repeated"},
		}, limitFlags(), outputFlags()),
		Action: func(c *cli.Context) error { return conforms(c, s) },
	}
}

func equivalentCommand(s streams) *cli.Command {
	return &cli.Command{
		Name:      "equivalent",
		Usage:     "decide whether two processes are equivalent",
		ArgsUsage: "A B",
		Description: `Decides whether A and B are equivalent, by --by: strong, weak, branching or
divergence (-preserving branching) bisimulation, or simulation, trace or
failures equivalence. If they are not, a formula or a trace tells them apart.
Weak and branching bisimulation do not tell a deadlock from an endless run of
silent steps; divergence and failures do.

A and B are FILE or FILE:PROCESS; B may also be the name of a process in A's
file.

EXAMPLES
   seltl equivalent model.lks:A B
   seltl equivalent a.aut b.aut --by=weak`,
		Flags: concat([]cli.Flag{
			&cli.StringFlag{Name: "by", Value: "strong", Usage: "`RELATION`: strong, weak, branching, divergence, simulation, trace, failures"},
			&cli.StringSliceFlag{Name: "D", Usage: "set the constant or parameter `NAME=VALUE`; may be repeated"},
		}, limitFlags(), outputFlags()),
		Action: func(c *cli.Context) error { return equivalent(c, s) },
	}
}

// comparedPair loads the two processes that the arguments name.
func comparedPair(c *cli.Context, s streams) (a, b *model, err error) {
	if c.NArg() != 2 {
		return nil, nil, usagef(c, "two processes are needed, FILE or FILE:PROCESS, not %s", report.Count(int64(c.NArg()), "argument"))
	}
	first, second := c.Args().Get(0), c.Args().Get(1)
	file, process := splitProcess(first)
	if file == "" {
		file, process = first, "" // no file of that name: let the reader say so
	}
	if a, err = loadFile(c, s, file, process); err != nil {
		return nil, nil, err
	}
	if file2, process2 := splitProcess(second); file2 != "" {
		b, err = loadFile(c, s, file2, process2)
	} else {
		b, err = loadFile(c, s, file, second)
	}
	return a, b, err
}

// splitProcess splits FILE:PROCESS. The file is "" if the text is no file but can
// be the name of a process.
func splitProcess(text string) (file, process string) {
	if _, err := os.Stat(text); err == nil || text == "-" {
		return text, ""
	}
	if i := strings.LastIndexByte(text, ':'); i > 0 {
		return text[:i], text[i+1:]
	}
	if strings.ContainsAny(text, "./\\") {
		return text, ""
	}
	return "", text
}

func conformOptions(c *cli.Context, s streams) (opts conform.Options, done func(), err error) {
	if opts.Preorder, err = conform.ParsePreorder(c.String("preorder")); err != nil {
		return opts, nil, usagef(c, "%v", err)
	}
	if opts.Method, err = conform.ParseMethod(c.String("method")); err != nil {
		return opts, nil, usagef(c, "%v", err)
	}
	if err := choose(c, "silent-spec", &opts.SilentSpec, map[string]conform.Silent{
		"refuse": conform.Refuse, "letter": conform.Letter, "saturate": conform.Saturate}); err != nil {
		return opts, nil, err
	}
	if opts.Trees = c.Int("trees"); opts.Trees < 1 {
		return opts, nil, usagef(c, "--trees %d: a positive number is needed", opts.Trees)
	}
	opts.Restrict = c.Bool("restrict")
	if opts.Limits, err = limits(c); err != nil {
		return opts, nil, err
	}
	opts.Progress, done = progress(c, s)
	return opts, done, nil
}

func conforms(c *cli.Context, s streams) error {
	opts, done, err := conformOptions(c, s)
	if err != nil {
		return err
	}
	defer done()
	if err := checkOutputs(c); err != nil {
		return err
	}
	impl, spec, err := comparedPair(c, s)
	if err != nil {
		return err
	}
	res, err := conform.Check(c.Context, impl.net, spec.net, opts)
	done()
	r := &report.Report{Model: impl.describe()}
	r.Messages = showWarnings(c, s, slices.Concat(impl.warnings, spec.warnings))
	result := report.Result{Kind: "conform", Formula: fmt.Sprintf("%s conforms to %s (%s)", impl.process, spec.process, opts.Preorder)}
	switch {
	case err != nil && isLimit(err):
		r.Exit = unknown(&result, err)
	case err != nil:
		return conformHelp(err)
	case res.Holds:
		result.Verdict = report.Holds
	default:
		result.Verdict, r.Exit = report.Violated, exitViolated
		for _, t := range res.Trees {
			result.Games = append(result.Games, report.Game(res, t))
		}
		if res.Trace != nil {
			result.Counterexample = report.ConformTrace(res, res.Trace)
		}
	}
	if res != nil {
		describeConform(&result, res)
	}
	r.Results = []report.Result{result}
	if err := drawConform(c, &result); err != nil {
		return unwritten(c, s, r, err)
	}
	return finish(c, s, r)
}

// drawConform writes the pictures that were asked for.
func drawConform(c *cli.Context, result *report.Result) error {
	if name := c.String("dot"); name != "" && len(result.Games) > 0 {
		if err := writeFile(name, result.Games[0].DOT); err != nil {
			return err
		}
	}
	name := c.String("svg")
	if name == "" {
		return nil
	}
	title := "not so: " + result.Formula
	switch {
	case len(result.Games) > 0:
		return writeFile(name, func(w io.Writer) error { return result.Games[0].SVG(w, title) })
	case result.Counterexample != nil:
		return writeFile(name, func(w io.Writer) error { return result.Counterexample.SVG(w, title) })
	}
	return nil
}

// conformHelp names the flags that the library's errors speak of.
func conformHelp(err error) error {
	var mismatch *conform.Mismatch
	var silent *conform.SilentSpec
	switch {
	case errors.As(err, &mismatch):
		return mismatchHelp(err, mismatch)
	case errors.As(err, &silent):
		return fmt.Errorf("%w (seltl compose --minimise, --preorder=trace, --silent-spec)", err)
	}
	return err
}

// mismatchHelp says what can be done about processes that speak of different things.
func mismatchHelp(err error, m *conform.Mismatch) error {
	if !m.Restricted && len(m.ActionsImpl)+len(m.PropsImpl) > 0 {
		err = fmt.Errorf("%w. --restrict ignores what only %s has", err, m.Impl)
	}
	if len(m.ActionsSpec) > 0 {
		err = fmt.Errorf("%w. What %s never does it can still know, and so refuse: (...) + {%s}", err, m.Impl, m.ActionsSpec[0])
	}
	if len(m.PropsSpec) > 0 {
		err = fmt.Errorf("%w. What labels no state of %s can still be declared: {when (0) %s}", err, m.Impl, m.PropsSpec[0])
	}
	return err
}

func describeConform(result *report.Result, res *conform.Result) {
	if res.Restricted {
		result.Assumptions = append(result.Assumptions, fmt.Sprintf("that the specification says nothing about actions {%s} and propositions {%s} (--restrict)",
			strings.Join(res.IgnoredActions, ", "), strings.Join(res.IgnoredProps, ", ")))
	}
	if res.Silent != conform.Refuse {
		result.Assumptions = append(result.Assumptions, "a reading of silent steps of the specification (--silent-spec)")
	}
	st := res.Stats
	result.Statistics = &report.Statistics{States: st.ImplStates, Transitions: st.Positions, SearchSeconds: st.Elapsed.Seconds(), Method: res.Method.String()}
	result.Note = fmt.Sprintf("%s of the implementation, %d of the specification, %s", report.Count(st.ImplStates, "state"), st.SpecStates, report.Count(st.Positions, "game position"))
	if res.Levels != nil {
		var parts []string
		for _, l := range res.Levels.Components {
			parts = append(parts, fmt.Sprintf("%s %d of %d", l.Name, l.Classes, l.States))
		}
		result.Note = fmt.Sprintf("two-level: %s; classes: %s", report.Count(int64(len(res.Levels.Rounds)), "round"), strings.Join(parts, ", "))
	}
	result.Statistics.Transitions = 0
}

func equivalent(c *cli.Context, s streams) error {
	relation, err := equivalence.ParseRelation(c.String("by"))
	if err != nil {
		return usagef(c, "%v", err)
	}
	l, err := limits(c)
	if err != nil {
		return err
	}
	show, done := progress(c, s)
	defer done()
	a, b, err := comparedPair(c, s)
	if err != nil {
		return err
	}
	res, err := equivalence.Check(c.Context, a.net, b.net, equivalence.Options{Relation: relation, Limits: l, Progress: show})
	done()
	r := &report.Report{Model: a.describe()}
	r.Messages = showWarnings(c, s, slices.Concat(a.warnings, b.warnings))
	result := report.Result{Kind: "equivalent", Formula: fmt.Sprintf("%s and %s are equivalent (%s)", a.process, b.process, relation)}
	switch {
	case err != nil && isLimit(err):
		r.Exit = unknown(&result, err)
	case err != nil:
		return err
	case res.Equivalent:
		result.Verdict = report.Holds
	default:
		result.Verdict, r.Exit = report.Violated, exitViolated
		describeDifference(&result, res, a.process, b.process)
	}
	if err == nil && res.Classes > 0 {
		result.Note = strings.TrimSpace(fmt.Sprintf("%s %d and %s, %s together", result.Note, res.StatesA,
			report.Count(int64(res.StatesB), "state"), classesText(res.Classes)))
	}
	r.Results = []report.Result{result}
	return finish(c, s, r)
}

func classesText(n int64) string {
	if n == 1 {
		return "1 class"
	}
	return report.Group(n) + " classes"
}

// describeDifference says what tells the two processes apart.
func describeDifference(result *report.Result, res *equivalence.Result, a, b string) {
	if res.Formula != nil {
		has, lacks := a, b
		if !res.FirstHas {
			has, lacks = b, a
		}
		result.Note = fmt.Sprintf("true of %s in %s and not of %s: %s;", has, res.InitialName, lacks, res.Formula)
		return
	}
	below, above, failing := a, b, res.Forward
	if failing != nil && failing.Holds {
		below, above, failing = b, a, res.Backward
	}
	if failing == nil {
		return
	}
	result.Note = fmt.Sprintf("%s does what %s cannot", below, above)
	for _, t := range failing.Trees {
		result.Games = append(result.Games, report.Game(failing, t))
	}
	if failing.Trace != nil {
		result.Counterexample = report.ConformTrace(failing, failing.Trace)
	}
}
