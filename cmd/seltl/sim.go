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
	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/check/sim"
	"github.com/seltl/seltl/cmd/seltl/internal/ask"
	"github.com/seltl/seltl/cmd/seltl/internal/simui"
	"github.com/seltl/seltl/internal/cmdline"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/report"
)

func simCommand(s cmdline.Streams) *cli.Command {
	return &cli.Command{
		Name:      "sim",
		Usage:     "step through a model or a C program",
		ArgsUsage: "MODEL [FORMULA...] | C-FILE... [SPEC [FORMULA...]]",
		Description: `Steps through MODEL: what is possible, who takes part, what changes; by hand, at
random, or, of models, by the shortest way to where a formula is true, to a
deadlock or to a violation. How properties stand is told on the way: those of
--property and each FORMULA, or all that the model declares.

On a terminal it fills the screen; ? lists the keys. With --lines, and on pipes,
it reads commands from standard input, one a line: the number or the name of an
action, undo, redo, reset, goto GOAL, random N, run, menu, save FILE, help, ...
A line that is wrong does not end the session. With --json every line is
answered by a line of JSON.

C programs (.c, .i, .pp), on their own or with a specification (.spec), go line
by line; where a line asks for a value, that is given, or drawn: 1 5, give 5,
give random. goto takes a line, ROUTINE(), an action, a C expression, error,
end, deadlock or return, and looks for them by runs at random, not for the
shortest way; over, out, stack.

--trace takes a counterexample, of which every step lies ahead, and can be
branched off from: the --json of another command, or what save has written.
--html writes the run as it is in the end as a page to be stepped through.

EXAMPLES
   seltl sim specs/classics/mutex.lks
   seltl sim specs/classics/philosophers.lks --process MIXED -D N=3
   seltl sim specs/first.lks "G(press -> X lit)"
   printf "give 1\ngive 7\ngoto error\n" | seltl sim specs/c/queue.c
   seltl reach specs/c/queue.c --json > queue.json ; \
      seltl sim specs/c/queue.c --trace queue.json
   seltl sim specs/c/philosophers.c specs/c/philosophers.spec --process peace
   echo "goto p[0].crit" | seltl sim specs/classics/mutex.lks
   printf "press\nundo\nsave run.json\n" | seltl sim specs/first.lks
   seltl verify specs/classics/mutex.lks --json > mutex.json && \
      seltl sim specs/classics/mutex.lks --trace mutex.json`,
		Flags: cmdline.Concat(cmdline.ModelFlags(), simCFlags(), []cli.Flag{
			&cli.StringFlag{Name: "trace", Usage: "load the counterexample in `FILE`, a report made with --json"},
			&cli.StringFlag{Name: "result", Usage: "of --trace, the run of the property `NAME` (default: the first)"},
			&cli.StringSliceFlag{Name: "property", Usage: "follow only the declaration `NAME` of the model file; may be repeated"},
			&cli.StringFlag{Name: "menu", Usage: "let the user choose among the actions of the menu `NAME` of the model; off: among all (default: the first menu, if there is one)"},
			&cli.Uint64Flag{Name: "seed", Usage: "`N` for random choices: the same seed, the same choices"},
			&cli.BoolFlag{Name: "lines", Usage: "read commands from standard input even on a terminal"},
			&cli.BoolFlag{Name: "json", Usage: "answer every command by one JSON object on one line"},
		}, cmdline.LimitFlags(), []cli.Flag{
			&cli.BoolFlag{Name: "quiet", Aliases: []string{"q"}, Usage: "no choices behind every step, no progress, no warnings"},
			cmdline.NoWarningsFlag(), cmdline.ColorFlag(), cmdline.HTMLFlag(),
		}),
		Action: func(c *cli.Context) error { return simulate(c, s) },
	}
}

func simulate(c *cli.Context, s cmdline.Streams) error {
	if err := simulable(c); err != nil {
		return err
	}
	if err := cmdline.CheckOutputs(c); err != nil {
		return err
	}
	if simulatesC(c) {
		return simulateC(c, s)
	}
	if err := onlyForSimC(c); err != nil {
		return err
	}
	opts, done, err := ask.Options(c, s)
	if err != nil {
		return err
	}
	defer done()
	process := c.String("process")
	var trace *sim.Trace
	if name := c.String("trace"); name != "" {
		if trace, err = readTrace(s, name, c.String("result")); err != nil {
			return err
		}
		if process == "" && trace.Report.Model != nil {
			process = cmp.Or(trace.Result.Process, trace.Report.Model.Process)
		}
	}
	m, err := ask.LoadFile(c, s, c.Args().First(), process)
	if err != nil {
		return traceOfOther(c, process, err)
	}
	questions, err := followed(c, s, m)
	if err != nil {
		return err
	}
	cmdline.ShowWarnings(c, s, m.Warnings())
	session, err := sim.New(c.Context, m, questions, sim.Options{Menu: c.String("menu"), Seed: c.Uint64("seed"), Limits: opts.Limits, Progress: opts.Progress})
	if err != nil {
		return err
	}
	if trace != nil {
		if err := trace.LoadInto(session); err != nil {
			return notOf(c, err, "the same model, --process and -D as for the command that wrote it")
		}
	}
	return converse(c, s, session)
}

// notOf says that --trace is not a run of what is stepped through; help is what to do if the
// reason is not known.
func notOf(c *cli.Context, err error, help string) error {
	name := c.String("trace")
	if mismatch, ok := errors.AsType[*sim.Mismatch](err); ok {
		help = cmp.Or(mismatch.Help, help)
		name = cmp.Or(mismatch.Place, name)
	}
	return &check.InputError{Code: "file", File: c.String("trace"), Text: fmt.Sprintf("%s: %v", name, err), Help: help}
}

// traceOfOther says of a process that the file does not define that it is the one of the trace,
// if nobody else has named it.
func traceOfOther(c *cli.Context, process string, err error) error {
	var list source.List
	if process == "" || c.String("process") != "" || !errors.As(err, &list) {
		return err
	}
	missing := fmt.Sprintf("defines no process %q", process)
	for _, d := range list {
		if strings.Contains(d.Message, missing) {
			trace := c.String("trace")
			return &check.InputError{Code: "file", File: trace, Text: fmt.Sprintf("%s: the trace is of process %s, which %s does not define", trace, process, c.Args().First()),
				Help: "the same model as for the command that wrote it; " + d.Help}
		}
	}
	return err
}

// converse gives the session to a person, or to a script.
func converse(c *cli.Context, s cmdline.Streams, session sim.Stepper) error {
	inputs := slices.DeleteFunc(s.Files.Inputs(), func(name string) bool { return name == c.String("trace") }) // a saved run may be saved again
	ui := &simui.UI{
		Session: session, In: s.In, Out: s.Out, Prompt: cmdline.IsTerminal(s.In) && cmdline.IsTerminal(s.Out), JSON: c.Bool("json"), Quiet: c.Bool("quiet"), Color: cmdline.Colorful(c, s.Out), Width: cmdline.TextWidth(s.Out),
		Save: func(name string) error { return saveRun(session, name, inputs) },
		Read: func(name, result string) (*sim.Trace, error) { return readTrace(s, name, result) },
		Help: cmdline.HelpFor,
	}
	talk := simui.Lines
	if ui.Prompt && cmdline.Obeys(s.Out) && !ui.JSON && !c.Bool("lines") {
		talk = simui.Screen
	}
	err := talk(c.Context, ui)
	if err != nil && errors.Is(c.Context.Err(), context.DeadlineExceeded) {
		err = &budget.Exhausted{What: "time", Limit: c.Duration("timeout").String(), Advice: "a longer --timeout"}
	} else if errors.Is(err, budget.ErrInterrupted) {
		err = cmdline.ExitError(report.ExitInterrupted)
	}
	if c.String("html") != "" {
		return cmp.Or(err, walked(c, s, session))
	}
	return err
}

// walked writes the report of the run so far.
func walked(c *cli.Context, s cmdline.Streams, session sim.Stepper) error {
	r := session.Report()
	r.Version = cmdline.VersionText()
	if model, ok := session.(*sim.Session); ok {
		check.DrawModel(c.Context, r, model.Model())
	}
	return cmdline.WriteHTML(c, s, r)
}

// simulable refuses what cannot be stepped through.
func simulable(c *cli.Context) error {
	switch {
	case c.Args().First() == "":
		return cmdline.Usagef(c, "no model: name a .lks, .lts, .fsp or .aut file, or C sources")
	case c.Args().First() == "-":
		return cmdline.Usagef(c, "the commands come from standard input, so the model must be a file")
	case c.IsSet("result") && !c.IsSet("trace"):
		return cmdline.Usagef(c, "--result says which run of --trace is meant: give that, too")
	}
	return nil
}

// followed returns the properties to be followed: those asked for, or all of the model.
func followed(c *cli.Context, s cmdline.Streams, m *check.Model) ([]check.Question, error) {
	opts, err := m.ParseOptions()
	if err != nil {
		return nil, err
	}
	formulas, err := ask.ReadFormulas(c, s, c.Args().Tail(), nil, opts)
	if err != nil {
		return nil, err
	}
	var qs []check.Question
	for _, f := range formulas {
		q, err := m.AskParsed(f.Text, f.Formula, f.At)
		if err != nil {
			return nil, err
		}
		qs = append(qs, q)
	}
	wanted := c.StringSlice("property")
	if len(qs) > 0 && len(wanted) == 0 {
		return qs, nil
	}
	declared, err := m.Declared(wanted...)
	return append(qs, declared...), err
}

// readTrace reads the run of a report.
func readTrace(s cmdline.Streams, name, result string) (*sim.Trace, error) {
	if name == "-" {
		return nil, &check.InputError{Code: "file", File: name, Text: "the commands come from standard input, so the trace must be a file"}
	}
	f, err := s.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	found, err := sim.ReadTrace(source.Named(f, name), result)
	var list source.List
	switch {
	case errors.As(err, &list):
		for i := range list {
			list[i].Help = cmp.Or(list[i].Help, "write one with --json: seltl verify MODEL --json > "+name)
		}
		return nil, list
	case err != nil:
		return nil, &check.InputError{Code: "file", File: name, Text: fmt.Sprintf("%s: %v", name, err), Help: "write one with --json: seltl verify MODEL --json > " + name}
	}
	return found, nil
}

// saveRun writes the run so far, but not over what the command has read.
func saveRun(session sim.Stepper, name string, inputs []string) error {
	if i := slices.IndexFunc(inputs, func(input string) bool { return cmdline.SameFile(name, input) }); i >= 0 {
		return cmdline.Overwriting("save "+name, inputs[i])
	}
	r := session.Report()
	r.Version = cmdline.VersionText()
	return cmdline.WriteFile(name, func(w io.Writer) error { return r.JSON(w) })
}
