package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/bug"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/explore"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/product"
	"github.com/seltl/seltl/product/fairchoice"
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
input.

EXAMPLES
   seltl verify specs/first.lks "G(press & dark -> X lit)"
   seltl verify specs/classics/philosophers.lks -D N=3
   seltl verify specs/classics/philosophers.lks --process MIXED "G !deadlock"
   seltl verify specs/fairness/semaphore.lks --fair=none
   seltl verify model.lks --formula-file properties.ltl --json
   echo "G F a" | seltl verify model.lks -F -`,
		Flags: concat(modelFlags(), []cli.Flag{
			&cli.StringSliceFlag{Name: "formula-file", Aliases: []string{"F"}, Usage: "check the formulas of `FILE`, one a line, # comments (- is standard input)"},
			&cli.StringSliceFlag{Name: "property", Usage: "check only the declaration `NAME` of the model file; may be repeated"},
			&cli.StringFlag{Name: "svg", Usage: "draw the first counterexample into `FILE`"},
		}, propertyFlags(), storeFlags(), diskFlags(true), limitFlags(), []cli.Flag{profileFlag()}, outputFlags()),
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

// question is a property to decide on a network.
type question struct {
	kind    string // "ltl" or "assert"
	name    string
	text    string
	formula *ltl.Formula
	expect  report.Verdict
	at      source.Span // where it stands, nowhere for one of the command line
	net     *lks.Network
	// The fairness that the model declares, and whether it declares any.
	fair     []product.FairSet
	declares bool
}

func verify(c *cli.Context, s streams) error {
	if err := onlyInMemory(c, "verify searches in depth, for cycles, with the states in memory",
		"`seltl check --only=deadlock,safety` searches in breadth; here --store=compact needs less memory"); err != nil {
		return err
	}
	opts, err := verifyOptions(c)
	if err != nil {
		return err
	}
	return analyse(c, s, func(a *analysis) error {
		opts.Progress = a.opts.Progress
		a.opts = opts
		questions, err := a.m.questions(c, s)
		if err != nil {
			return err
		}
		if err := a.answerAll(questions); err != nil {
			return err
		}
		return drawFirst(c, a.r)
	})
}

// answer decides one question. An error means that the question made no sense;
// a bug of ours is a result with exit status 4.
func answer(ctx context.Context, q question, opts product.Options) (report.Result, int, error) {
	result := report.Result{Kind: q.kind, Name: q.name, Formula: q.text, ReadAs: echoText(q.formula)}
	placed(&result, q.at)
	result.Expected = q.expect
	fair := q.fairness(opts.Fairness)
	decide := product.Verify
	opts.Fairness, opts.FairSets = fair.kind, fair.sets
	if fair.choice {
		decide = fairchoice.Verify
	}
	res, err := decide(ctx, q.net, q.formula, opts)
	var internal *bug.Error
	var finite *product.FiniteRunError
	var store *product.StoreError
	switch {
	case errors.As(err, &store):
		return result, exitUsage, &usageError{text: fmt.Sprintf("%s: %v", cmp.Or(q.name, q.text), store), help: storeAdvice(fair, opts)}
	case errors.As(err, &internal):
		result.Verdict = report.Unknown
		result.Reason = internal.Error()
		result.Advice = "this is a bug in seltl; please report it with the model and the formula"
		return result, exitInternal, nil
	case errors.As(err, &finite):
		return result, exitUsage, &finiteRun{err: finite, trace: report.Run(q.net, finite.Trace)}
	case err != nil:
		return result, exitUsage, err
	}
	fillResult(&result, q, res, fair, opts.Shortest)
	fillStore(&result, res)
	noteReductions(&result, res, opts)
	if errors.Is(res.Reason, budget.ErrInterrupted) {
		return result, exitInterrupted, nil
	}
	return result, result.Verdict.Exit(), nil
}

func fillResult(result *report.Result, q question, res *product.Result, fair fairRuns, shortest bool) {
	result.Statistics = &report.Statistics{
		States: res.Stats.States, Transitions: res.Stats.Transitions, ModelStates: res.Stats.ModelStates,
		Depth: res.Stats.Depth, AutomatonStates: res.Stats.AutomatonStates, AutomatonEdges: res.Stats.AutomatonEdges,
		TranslateSeconds: report.Seconds(res.Stats.Translate),
		SearchSeconds:    report.Seconds(res.Stats.Search + res.Stats.Trace),
		StoreBytes:       res.Stats.StoreBytes, Method: res.Emptiness.String(),
	}
	switch res.Verdict {
	case product.Holds:
		result.Verdict = report.Holds
	case product.Violated:
		result.Verdict = report.Violated
		if res.Prefix != nil {
			result.Counterexample = report.Prefix(q.net, res.Prefix)
		} else {
			result.Counterexample = report.Run(q.net, res.Lasso)
			fair.explain(result.Counterexample, q.net, res)
		}
	default:
		unknown(result, res.Reason)
	}
	if res.FiniteMet {
		result.Assumptions = append(result.Assumptions, finiteText(res.Finite))
	}
	if res.POR {
		result.Statistics.Method += " with partial-order reduction"
	}
	if res.AllRuns {
		result.Note = "it holds in all runs: no fairness is needed"
	} else {
		result.Assumptions = append(result.Assumptions, fair.assumptions()...)
	}
	if res.NoRuns {
		result.Note = "there is no run to judge: all runs of this model end, and --finite=ignore leaves those out"
	}
	if shortest && res.Verdict == product.Violated {
		result.Note = shortestText(res)
	}
	if res.Trivial {
		result.Statistics.Method = "no search needed: true of every run with such labels"
	}
}

// shortestText says whether a counterexample is as short as any.
func shortestText(res *product.Result) string {
	switch {
	case res.Prefix != nil && res.Prefix.Minimal:
		return "no beginning of a run with fewer steps violates it, whatever follows"
	case res.Prefix == nil && res.ShortestRun:
		return "no run with fewer steps in stem and loop violates it"
	}
	return "shorter runs may violate it: the search for them was given up"
}

// noteReductions says which reductions were used, and why others that were asked for
// were not.
func noteReductions(result *report.Result, res *product.Result, opts product.Options) {
	if r := res.Reduction; r != nil {
		result.Statistics.Method += ", " + reductionText(r)
		result.Statistics.SearchSeconds += report.Seconds(r.Time)
	}
	if len(res.Symmetric) > 0 {
		result.Statistics.Method += ", " + symmetryText(res.Symmetric)
	}
	if res.NoSymmetryBecause != "" && !res.Trivial {
		addNote(result, "no symmetry: "+res.NoSymmetryBecause)
	}
	if opts.POR == product.EagerPOR && !res.POR && !res.Trivial && res.NoPORBecause != "" {
		addNote(result, "no partial-order reduction: "+res.NoPORBecause)
	}
	if res.NoReductionBecause != "" {
		addNote(result, "nothing was minimised: "+res.NoReductionBecause)
	}
}

// fillStore says what the search kept its states in, and what that has missed.
func fillStore(result *report.Result, res *product.Result) {
	if res.Workers > 1 {
		result.Statistics.Method += fmt.Sprintf(", %d workers", res.Workers)
	}
	if res.Store != explore.Numbered {
		result.Statistics.Method += fmt.Sprintf(", %v store", res.Store)
	}
	result.Profile = productProfile(res)
}

// storeAdvice says what to do instead about a store that does not suit a question.
func storeAdvice(fair fairRuns, opts product.Options) string {
	switch {
	case fair.choice || fair.kind != product.NoFairness || len(fair.sets) > 0:
		return "leave --store out, or decide it for all runs by --fair=none"
	case opts.Workers > 1:
		return "leave --store or --workers out"
	}
	return "leave --store out, or what it does not suit"
}

func addNote(result *report.Result, text string) {
	if result.Note != "" {
		text = result.Note + "; " + text
	}
	result.Note = text
}

func symmetryText(groups [][]int32) string {
	var sizes []string
	for _, g := range groups {
		sizes = append(sizes, fmt.Sprint(len(g)))
	}
	return "symmetry of " + strings.Join(sizes, " and ") + " components"
}

func reductionText(r *product.Reduction) string {
	before, after := 0, 0
	for _, n := range r.Before {
		before += n
	}
	for _, n := range r.After {
		after += n
	}
	text := "minimised"
	if r.Searched > 0 {
		text += fmt.Sprintf(" after %d states without an answer", r.Searched)
	}
	text += fmt.Sprintf(" from %d components of %d states in all to %d of %d", len(r.Before), before, len(r.After), after)
	if r.GivenUp > 0 {
		text += fmt.Sprintf(" (compositions too large: %d)", r.GivenUp)
	}
	if r.Stopped {
		text += " (composing took too long)"
	}
	return text
}

func adviceFor(reason error) string {
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

func finiteText(f product.FiniteRuns) string {
	switch f {
	case product.IgnoreRuns:
		return "that only infinite runs count (--finite=ignore): some runs of this model end"
	case product.RefuseRuns:
		return "that no run ends"
	}
	return "that a run that ends repeats its last state with no event (--finite=stutter): some runs of this model end"
}

// finiteRun is the refusal of a model with runs that end (--finite=error).
type finiteRun struct {
	err   *product.FiniteRunError
	trace *report.Counterexample
}

func (e *finiteRun) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%v, and --finite=error refuses such models; the way there:", e.err)
	for _, step := range e.trace.Stem {
		fmt.Fprintf(&b, " %s", step.Event)
	}
	return b.String()
}

func verifyOptions(c *cli.Context) (product.Options, error) {
	var opts product.Options
	var err error
	if opts.Limits, err = limits(c); err != nil {
		return opts, err
	}
	if err := choose(c, "finite", &opts.Finite, map[string]product.FiniteRuns{
		"stutter": product.StutterRuns, "ignore": product.IgnoreRuns, "error": product.RefuseRuns}); err != nil {
		return opts, err
	}
	if err := choose(c, "emptiness", &opts.Emptiness, map[string]product.Emptiness{
		"auto": product.AutoSearch, "ndfs": product.NestedDFS, "scc": product.Components}); err != nil {
		return opts, err
	}
	if err := choose(c, "fair", &opts.Fairness, fairnessNames); err != nil {
		return opts, err
	}
	if err := choose(c, "por", &opts.POR, map[string]product.POR{
		"auto": product.AutoPOR, "on": product.EagerPOR, "off": product.NoPOR}); err != nil {
		return opts, err
	}
	if err := choose(c, "reduce", &opts.Reduce, map[string]product.Reduce{
		"auto": product.AutoReduce, "none": product.NoReduce, "components": product.ReduceComponents, "tree": product.ReduceTree}); err != nil {
		return opts, err
	}
	if err := choose(c, "symmetry", &opts.Symmetry, map[string]bool{"on": true, "off": false}); err != nil {
		return opts, err
	}
	opts.Shortest = c.Bool("shortest")
	engine, err := engineOptions(c)
	opts.Store, opts.StoreBytes, opts.Workers = engine.Store, engine.StoreBytes, engine.Workers
	switch {
	case err != nil:
	case opts.Workers == 0:
		opts.Workers = product.AutoWorkers
	case opts.Workers > 1 && opts.Emptiness == product.Components:
		err = &usageError{command: c.Command.Name, text: fmt.Sprintf("--workers %d: the search by components has one worker", opts.Workers),
			help: "--emptiness=ndfs, or leave one of them out"}
	}
	return opts, err
}

// choose sets *to to what the flag's value names.
func choose[T any](c *cli.Context, flag string, to *T, names map[string]T) error {
	value, ok := names[c.String(flag)]
	if !ok {
		known := sortedKeys(names)
		return &usageError{command: c.Command.Name, text: fmt.Sprintf("--%s %s: one of %s is needed", flag, c.String(flag), strings.Join(known, ", ")),
			help: source.DidYouMean(c.String(flag), known)}
	}
	*to = value
	return nil
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
				return ce.SVG(w, "a run that violates "+cmp.Or(r.Results[i].Formula, "freedom from "+r.Results[i].Kind))
			})
		}
	}
	return nil
}

// echoText writes a formula with all parentheses; a formula that is too large to
// be written is shown as its size.
func echoText(f *ltl.Formula) string {
	text, err := ltl.Echo(f)
	if err != nil {
		return fmt.Sprintf("(a formula of %d nodes)", f.Size())
	}
	return text
}
