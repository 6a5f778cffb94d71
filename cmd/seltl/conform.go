package main

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/cmd/seltl/internal/ask"
	"github.com/seltl/seltl/cmd/seltl/internal/programcmds"
	"github.com/seltl/seltl/conform"
	"github.com/seltl/seltl/conform/equivalence"
	"github.com/seltl/seltl/internal/cmdline"
	"github.com/seltl/seltl/internal/diagram"
	"github.com/seltl/seltl/report"
)

const comparedText = `IMPL and SPEC are FILE or FILE:PROCESS; SPEC may also be the name of a process
in IMPL's file. A FILE without a process is its default process (seltl help
language).`

func conformCommand(s cmdline.Streams) *cli.Command {
	return &cli.Command{
		Name:      "conform",
		Usage:     "decide whether one process or program conforms to another",
		ArgsUsage: "IMPL SPEC | FILE.c... FILE.spec",
		Description: `Decides whether SPEC can do everything that IMPL does, by --preorder:

   simulation  step by step, with equal propositions (the default)
   weak        likewise, but silent steps of IMPL may be answered by staying
   trace       every trace of IMPL is one of SPEC
   failures    and IMPL refuses nothing that SPEC must offer (stable failures)

` + comparedText + `

With C sources and a specification (.spec, see docs/spec.md) it asks MAGIC's
question: do the procedures of a cprog block, side by side, do only what an
abstract statement says, given what their routines do? It asks all abstract
statements, or those of --abstraction. Programs that conform are shown to by
predicate abstractions of the components; a run that does not was executed.

EXAMPLES
   seltl conform specs/thesis/2-2-simulation.lks:M1 M2
   seltl conform impl.lks spec.lks --preorder=trace
   seltl conform model.lks:SYSTEM SPEC --restrict --trees=4
   seltl conform specs/c/my_proc.c specs/c/my_proc.spec
   seltl conform specs/c/my_proc.c specs/c/my_proc.spec \
      --abstraction abs_7 --explain`,
		Flags: cmdline.Concat(programcmds.ConformCFlags(), []cli.Flag{
			&cli.StringFlag{Name: "preorder", Value: "simulation", Usage: "`WHAT` conforms means: simulation, weak, trace, failures"},
			&cli.StringFlag{Name: "method", Value: "auto", Usage: "`METHOD`: auto, plain, two-level (refine abstractions of the components)"},
			&cli.BoolFlag{Name: "restrict", Usage: "ignore actions and propositions of IMPL that SPEC does not have"},
			&cli.StringFlag{Name: "silent-spec", Value: "refuse", Usage: "`HOW` silent steps of SPEC are read: refuse, letter, saturate"},
			&cli.StringFlag{Name: "dot", Usage: "draw the game that is the counterexample into `FILE`, for Graphviz"},
			&cli.StringFlag{Name: "svg", Usage: "draw the first counterexample into `FILE`"},
			&cli.IntFlag{Name: "trees", Value: 1, Usage: "show up to `K` different counterexamples"},
			&cli.StringSliceFlag{Name: "D", Usage: "set the constant or parameter `NAME=VALUE`; may be repeated"},
		}, cmdline.LimitFlags(), cmdline.OutputFlags()),
		Action: func(c *cli.Context) error { return conforms(c, s) },
	}
}

func equivalentCommand(s cmdline.Streams) *cli.Command {
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
   seltl equivalent a.aut b.aut --by=weak
   seltl equivalent model.lts:A B --by=branching --svg quotient.svg`,
		Flags: cmdline.Concat([]cli.Flag{
			&cli.StringFlag{Name: "svg", Usage: "draw the quotient of both, or one of each if they differ, into `FILE`"},
			&cli.StringFlag{Name: "dot", Usage: "draw that into `FILE`, for Graphviz"},
			&cli.StringFlag{Name: "by", Value: "strong", Usage: "`RELATION`: strong, weak, branching, divergence, simulation, trace, failures"},
			&cli.StringSliceFlag{Name: "D", Usage: "set the constant or parameter `NAME=VALUE`; may be repeated"},
		}, cmdline.LimitFlags(), cmdline.OutputFlags()),
		Action: func(c *cli.Context) error { return equivalent(c, s) },
	}
}

// comparedPair loads the two processes that the arguments name.
func comparedPair(c *cli.Context, s cmdline.Streams) (a, b *check.Model, err error) {
	if c.NArg() != 2 {
		return nil, nil, cmdline.Usagef(c, "two processes are needed, FILE or FILE:PROCESS, not %s", report.Counted(int64(c.NArg()), "argument"))
	}
	first, second := c.Args().Get(0), c.Args().Get(1)
	file, process := ask.SplitProcess(s, first)
	if file == "" {
		file, process = first, "" // no file of that name: let the reader say so
	}
	if a, err = ask.LoadFile(c, s, file, process); err != nil {
		return nil, nil, err
	}
	if file2, process2 := ask.SplitProcess(s, second); file2 != "" {
		b, err = ask.LoadFile(c, s, file2, process2)
	} else {
		b, err = ask.LoadFile(c, s, file, second)
	}
	return a, b, err
}

func conformOptions(c *cli.Context) (opts conform.Options, err error) {
	if err := cmp.Or(cmdline.Choose(c, "preorder", &opts.Preorder), cmdline.Choose(c, "method", &opts.Method), cmdline.Choose(c, "silent-spec", &opts.SilentSpec)); err != nil {
		return opts, err
	}
	if opts.Trees = c.Int("trees"); opts.Trees < 1 {
		return opts, cmdline.Usagef(c, "--trees %d: a positive number is needed", opts.Trees)
	}
	opts.Restrict = c.Bool("restrict")
	return opts, nil
}

func conforms(c *cli.Context, s cmdline.Streams) error {
	if sources, spec, err := programcmds.Specified(c, s); err != nil || spec != "" {
		if err != nil {
			return err
		}
		return programcmds.ConformsC(c, s, sources, spec)
	}
	if err := cmdline.OnlyFor(c, cmdline.NamesOfFlags(programcmds.ConformCFlags()), programcmds.ForCSpecified); err != nil {
		return err
	}
	engine, err := conformOptions(c)
	if err != nil {
		return err
	}
	opts, done, err := ask.Options(c, s)
	if err != nil {
		return err
	}
	defer done()
	impl, spec, err := comparedPair(c, s)
	if err != nil {
		return err
	}
	r, err := check.Conform(c.Context, impl, spec, opts, engine)
	done()
	cmdline.ShowWarnings(c, s, slices.Concat(impl.Warnings(), spec.Warnings()))
	if err != nil {
		return conformHelp(err)
	}
	if err := ask.DrawConform(c, &r.Results[0]); err != nil {
		return ask.Unwritten(c, s, r, err)
	}
	return cmdline.Finish(c, s, r)
}

func equivalent(c *cli.Context, s cmdline.Streams) error {
	var relation equivalence.Relation
	if err := cmdline.Choose(c, "by", &relation); err != nil {
		return err
	}
	opts, done, err := ask.Options(c, s)
	if err != nil {
		return err
	}
	defer done()
	a, b, err := comparedPair(c, s)
	if err != nil {
		return err
	}
	r, err := check.Equivalent(c.Context, a, b, opts, relation)
	done()
	cmdline.ShowWarnings(c, s, slices.Concat(a.Warnings(), b.Warnings()))
	if err != nil {
		return err
	}
	if verdict := r.Results[0].Verdict; verdict == report.Holds || verdict == report.Violated {
		quotients := []*check.Model{a, b}
		if verdict == report.Holds {
			quotients = quotients[:1]
		}
		if err := drawQuotients(c, opts, relation, quotients); err != nil {
			return ask.Unwritten(c, s, r, err)
		}
	}
	return cmdline.Finish(c, s, r)
}

// drawQuotients draws processes with equivalent states as one: by the relation that was asked
// for, if it is a bisimulation or that of traces, else by strong bisimulation.
func drawQuotients(c *cli.Context, opts check.Options, relation equivalence.Relation, of []*check.Model) error {
	if c.String("svg") == "" && c.String("dot") == "" {
		return nil
	}
	by, known := map[equivalence.Relation]check.Minimisation{equivalence.Weak: check.ByWeak, equivalence.Branching: check.ByBranching,
		equivalence.Divergence: check.ByDivergence, equivalence.Trace: check.ByTraces}[relation]
	if !known {
		by = check.ByStrong
	}
	opts.Progress = nil
	var graphs []*diagram.Graph
	for _, m := range of {
		_, quotient, err := check.Compose(c.Context, m, by, opts)
		if err != nil {
			return err
		}
		g := quotient.Diagram()
		g.Name = fmt.Sprintf("%s, reduced by %s", m.Process, by)
		if len(of) == 1 {
			g.Name = "both, reduced by " + by.String()
		}
		graphs = append(graphs, g)
	}
	return cmdline.DrawInto(c, func() []*diagram.Graph { return graphs })
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
