package main

import (
	"errors"

	"github.com/urfave/cli/v2"

	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/cmd/seltl/internal/ask"
	"github.com/seltl/seltl/internal/cmdline"
	"github.com/seltl/seltl/lks/explore"
	"github.com/seltl/seltl/report"
)

func statsCommand(s cmdline.Streams) *cli.Command {
	return &cli.Command{
		Name:      "stats",
		Usage:     "figures of the composition of a model",
		ArgsUsage: "MODEL",
		Description: `Builds the reachable composition of a process and prints its figures: states,
transitions, alphabet, propositions, degrees, strongly connected components,
silent steps. ERROR is no state, as in LTSA, but transitions into it are
transitions. At a limit and when interrupted, what was counted until then is
printed: lower bounds.

Where it has more than four million states, or with --profile, -j, --store,
--disk or --checkpoint, it is explored without being built: states, transitions,
depth, deadlocks, and where time and memory went.

EXAMPLES
   seltl stats model.lts --process SYSTEM
   seltl stats system.aut --json
   seltl stats large.lks --profile --store=compact`,
		Flags: cmdline.Concat(cmdline.ModelFlags(), cmdline.StoreFlags(), cmdline.DiskFlags(false), cmdline.LimitFlags(), []cli.Flag{
			cmdline.ProfileFlag(),
			&cli.BoolFlag{Name: "json", Usage: "print one JSON object"},
			&cli.BoolFlag{Name: "quiet", Aliases: []string{"q"}, Usage: "no progress, no warnings"},
			cmdline.NoWarningsFlag(), cmdline.HTMLFlag(),
		}),
		Action: func(c *cli.Context) error { return stats(c, s) },
	}
}

func stats(c *cli.Context, s cmdline.Streams) error {
	if err := onlyModel(c); err != nil {
		return err
	}
	if err := cmdline.CheckOutputs(c); err != nil {
		return err
	}
	engine, err := cmdline.EngineOptions(c)
	if err != nil {
		return err
	}
	m, err := ask.LoadModel(c, s)
	if err != nil {
		return err
	}
	cmdline.ShowWarnings(c, s, m.Warnings())
	opts, done, err := ask.Options(c, s)
	if err != nil {
		return err
	}
	defer done()
	figures, err := check.Stats(c.Context, m, opts, engine)
	done()
	if figures != nil {
		if err := printFigures(c, s, figures); err != nil {
			return err
		}
	}
	var missing *explore.LossyStore
	status := report.ExitHolds
	if errors.As(err, &missing) || check.Limited(err) {
		status = report.ExitUnknown
	}
	if figures != nil {
		if err := counted(c, s, m, figures, status); err != nil {
			return err
		}
	}
	if missing != nil {
		return cmdline.ExitError(status)
	}
	return err
}

// printFigures prints figures, as JSON if that is asked for.
func printFigures(c *cli.Context, s cmdline.Streams, figures report.Figures) error {
	if c.Bool("json") {
		return figures.JSON(s.Out)
	}
	return figures.Text(s.Out, cmdline.HelpWidth)
}
