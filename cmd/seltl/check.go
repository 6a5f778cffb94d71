package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/cmd/seltl/internal/ask"
	"github.com/seltl/seltl/internal/cmdline"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/lks/explore"
	"github.com/seltl/seltl/product"
	"github.com/seltl/seltl/report"
)

func checkCommand(s cmdline.Streams) *cli.Command {
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

That a property holds only since a part of it never happens is said beside the
verdict; --vacuity asks of each part whether it has an effect.

The time of --timeout is shared out: every question may take an equal part of
what is left for it and those still to be asked.

EXAMPLES
   seltl check model.lts
   seltl check specs/classics/philosophers.lks --process TABLE
   seltl check model.lts -D N=4 --json
   seltl check large.lts --only=deadlock,safety --disk /var/tmp`,
		Flags: cmdline.Concat(cmdline.ModelFlags(), []cli.Flag{
			&cli.StringFlag{Name: "only", Usage: "decide only these `KINDS`: " + strings.Join(check.Kinds, ",")},
		}, propertyFlags(), cmdline.StoreFlags(), cmdline.DiskFlags(false), cmdline.LimitFlags(), []cli.Flag{cmdline.ProfileFlag()}, cmdline.OutputFlags()),
		Action: func(c *cli.Context) error { return checkAll(c, s) },
	}
}

func progressCommand(s cmdline.Streams) *cli.Command {
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
		Flags: cmdline.Concat(cmdline.ModelFlags(), cmdline.LimitFlags(), cmdline.OutputFlags()),
		Action: func(c *cli.Context) error {
			if err := onlyModel(c); err != nil {
				return err
			}
			return ask.Analyse(c, s, func(m *check.Model, o check.Options) (*report.Report, func() error, error) {
				r, err := check.Progress(c.Context, m, o)
				return r, nil, err
			})
		},
	}
}

// propertyFlags say how verify and check read properties.
func propertyFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "finite", Value: "stutter", Usage: "`HOW` runs that end are read: stutter, ignore, error"},
		&cli.StringFlag{Name: "fair", Value: "", Usage: "`WHICH` runs count: none, declared, process, action, strong-action, transition, choice (default: declared, by fair in the model; choice for assert)"},
		&cli.StringFlag{Name: "emptiness", Value: "auto", Usage: "search `METHOD`: " + searches()},
		&cli.StringFlag{Name: "por", Value: "auto", Usage: "partial-order reduction `WHEN`: auto, on (wherever it is sound), off"},
		&cli.StringFlag{Name: "reduce", Value: "auto", Usage: "minimise `WHAT` first, keeping what the formula sees: none, components, tree (also compositions of them); auto: tree, once a search without has become long"},
		&cli.StringFlag{Name: "symmetry", Value: "off", Usage: "search states that differ only by like components in other places once: on, off"},
		&cli.BoolFlag{Name: "shortest", Usage: "find shortest counterexamples (takes longer)"},
		&cli.BoolFlag{Name: "explain", Usage: "say why a formula fails, and which parts of it hold in which state; C: tell alphabets and narrate the rounds"},
		&cli.BoolFlag{Name: "vacuity", Usage: "say of each part of a formula that holds whether it has an effect on that (takes longer)"},
		&cli.BoolFlag{Name: "echo", Usage: "print how every formula was read"},
	}
}

// onlyModel refuses arguments behind the model.
func onlyModel(c *cli.Context) error {
	if c.NArg() <= 1 {
		return nil
	}
	if cmdline.IsFile(c.Args().Get(1)) {
		return ask.TwoModels(c, c.Args().Get(1))
	}
	err := &cmdline.Error{Command: c.Command.Name, Text: fmt.Sprintf("unexpected argument %q behind the model", c.Args().Get(1))}
	err.Help = fmt.Sprintf("to check a formula, write: seltl verify %s %q", c.Args().First(), c.Args().Get(1))
	return err
}

// wantedKinds reads --only.
func wantedKinds(c *cli.Context) ([]string, error) {
	only := check.Kinds
	if c.IsSet("only") {
		only = strings.FieldsFunc(c.String("only"), func(r rune) bool { return r == ',' || r == ' ' })
		if len(only) == 0 {
			return nil, cmdline.Usagef(c, "--only: some of %s are needed", strings.Join(check.Kinds, ", "))
		}
	}
	for _, kind := range only {
		if !slices.Contains(check.Kinds, kind) {
			return nil, &cmdline.Error{Command: c.Command.Name, Text: fmt.Sprintf("--only %s: one of %s is needed", kind, strings.Join(check.Kinds, ", ")),
				Help: source.DidYouMean(kind, check.Kinds)}
		}
	}
	return only, nil
}

// checkSuited refuses ways to keep states that some kind cannot be decided with.
func checkSuited(c *cli.Context, engine *explore.Resources, wanted []string) error {
	progress := slices.Contains(wanted, "progress")
	inMemory := progress || slices.Contains(wanted, "ltl") || slices.Contains(wanted, "assert")
	if inMemory {
		if err := cmdline.OnlyInMemory(c, "only deadlock and safety are decided by a search in breadth",
			"--only=deadlock,safety"); err != nil {
			return err
		}
	}
	if engine.Store != explore.Auto && progress {
		return &cmdline.Error{Command: c.Command.Name, Text: fmt.Sprintf("--store=%v: progress needs all states with their numbers", engine.Store),
			Help: "--only=deadlock,safety,ltl"}
	}
	return nil
}

func checkAll(c *cli.Context, s cmdline.Streams) error {
	if err := onlyModel(c); err != nil {
		return err
	}
	opts, err := ask.VerifyOptions(c)
	if err != nil {
		return err
	}
	engine, err := cmdline.EngineOptions(c)
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
	return ask.Analyse(c, s, func(m *check.Model, o check.Options) (*report.Report, func() error, error) {
		opts.Options = o
		r, err := check.All(c.Context, m, check.Everything{Verification: opts, Kinds: wanted, Elsewhere: !c.IsSet("process") && !c.IsSet("only"), Search: engine})
		return r, nil, err
	})
}

// searches lists the ways to search, with what they are.
func searches() string {
	var list []string
	for _, name := range product.AutoSearch.Names()[1:] {
		var e product.Emptiness
		if err := e.UnmarshalText([]byte(name)); err != nil {
			panic(err)
		}
		list = append(list, fmt.Sprintf("%s (%s)", name, e.About()))
	}
	return strings.Join(append(list, product.AutoSearch.String()), ", ")
}
