package main

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/cmd/seltl/internal/ask"
	"github.com/seltl/seltl/cmd/seltl/internal/programcmds"
	"github.com/seltl/seltl/deadlock"
	"github.com/seltl/seltl/internal/cmdline"
	"github.com/seltl/seltl/report"
)

func deadlockCommand(s cmdline.Streams) *cli.Command {
	return &cli.Command{
		Name:      "deadlock",
		Usage:     "decide whether a model or a program can deadlock",
		ArgsUsage: "MODEL | FILE.c... FILE.spec",
		Description: `Decides whether a state is reachable in which nothing is possible. Termination
(all processes at END) is no deadlock, and neither is ERROR.

--method=plain       looks at the states one by one (stubborn sets save most of
                     them)
         iter        refines abstractions of the components until they decide
         tree        minimises components and compositions of them, and searches
                     the rest
         conditions  tries only conditions on the structure that need no search
         auto        plain and iter side by side, and conditions and tree when
                     that takes long

--explain narrates the rounds of refinement; it implies --method=iter.

-j, --store, --disk and --checkpoint are of a plain search of all states,
without stubborn sets: they imply --method=plain --no-reduction.

--local asks instead for a component that can never move again while others may
go on, --livelock for a cycle of silent steps.

A deadlock is shown with its trace, what every component waits for, and a cycle
of waiting components if there is one.

With C sources and a specification (.spec, see docs/spec.md) it asks whether the
components of a cprog block can get stuck: each waits for an action that another
one refuses, or that one would have to do that has ended. --process chooses the
block.

EXAMPLES
   seltl deadlock specs/classics/philosophers.lks --process TABLE
   seltl deadlock specs/classics/philosophers.lks --process MIXED -D N=10
   seltl deadlock model.lts --explain
   seltl deadlock large.lks --checkpoint run.ckpt
   seltl deadlock specs/c/philosophers.c specs/c/philosophers.spec \
      --process dinner`,
		Flags: cmdline.Concat(cmdline.ModelFlags(), programcmds.SpecifiedFlags(), []cli.Flag{
			&cli.StringFlag{Name: "method", Value: "auto", Usage: "search by `METHOD`: auto, plain, iter, tree, conditions"},
			&cli.BoolFlag{Name: "explain", Usage: "narrate the rounds of refinement (implies --method=iter)"},
			&cli.BoolFlag{Name: "no-reduction", Usage: "follow all transitions instead of stubborn sets"},
			&cli.BoolFlag{Name: "local", Usage: "ask for a component that can never move again while others may"},
			&cli.BoolFlag{Name: "livelock", Usage: "ask for a cycle of silent steps"},
			&cli.StringFlag{Name: "waits", Usage: "draw who waits for whom into `FILE`"},
			&cli.StringFlag{Name: "dot", Usage: "draw who waits for whom into `FILE`, for Graphviz"},
			&cli.StringFlag{Name: "svg", Usage: "draw the trace into `FILE`"},
		}, cmdline.StoreFlags(), cmdline.DiskFlags(false), cmdline.LimitFlags(), []cli.Flag{cmdline.ProfileFlag()}, cmdline.OutputFlags()),
		Action: func(c *cli.Context) error {
			if sources, spec, err := programcmds.Specified(c, s); err != nil {
				return err
			} else if spec != "" {
				return programcmds.StuckC(c, s, sources, spec)
			}
			if err := cmdline.OnlyFor(c, cmdline.NamesOfFlags(programcmds.SpecifiedFlags()), programcmds.ForCSpecified); err != nil {
				return err
			}
			if err := onlyModel(c); err != nil {
				return err
			}
			opts, err := deadlockOptions(c)
			if err != nil {
				return err
			}
			return ask.Analyse(c, s, func(m *check.Model, o check.Options) (*report.Report, func() error, error) {
				return findDeadlock(c, s, m, o, opts)
			})
		},
	}
}

// findDeadlock asks the question that the flags choose.
func findDeadlock(c *cli.Context, s cmdline.Streams, m *check.Model, o check.Options, engine deadlock.Options) (r *report.Report, draw func() error, err error) {
	switch {
	case c.Bool("local"):
		r, err = check.LocalDeadlock(c.Context, m, o, engine)
	case c.Bool("livelock"):
		r, err = check.Livelock(c.Context, m, o, engine)
	default:
		r, _, err = check.Deadlock(c.Context, m, o, engine)
	}
	return r, func() error {
		if err := ask.DrawWaits(c, r); err != nil {
			return err
		}
		return ask.DrawFirst(c, r)
	}, err
}

// deadlockOptions reads the flags, and refuses those that contradict each other.
func deadlockOptions(c *cli.Context) (opts deadlock.Options, err error) {
	if err := cmdline.Choose(c, "method", &opts.Method); err != nil {
		return opts, err
	}
	if opts.Search, err = cmdline.EngineOptions(c); err != nil {
		return opts, err
	}
	opts.NoReduction = c.Bool("no-reduction")
	asked := cmdline.ChosenEngine(&opts.Search)
	if c.Bool("explain") {
		if !c.IsSet("method") {
			opts.Method = deadlock.Iter
		}
		if refining := opts.Method == deadlock.Iter || opts.Method == deadlock.Auto; !refining || asked != "" || c.Bool("local") || c.Bool("livelock") {
			return opts, &cmdline.Error{Command: "deadlock", Text: "--explain narrates the rounds of abstraction refinement, of which there are none in this search",
				Help: "--method=iter alone, or leave --explain out"}
		}
	}
	switch {
	case c.Bool("local") && c.Bool("livelock"):
		return opts, cmdline.Usagef(c, "--local and --livelock: one question at a time")
	case asked == "":
		return opts, nil
	case c.Bool("local") || c.Bool("livelock"):
		return opts, cmdline.Usagef(c, "%s: --local and --livelock need all states in memory, with one worker; leave it out", asked)
	case c.IsSet("method") && opts.Method != deadlock.Plain:
		return opts, &cmdline.Error{Command: "deadlock", Text: fmt.Sprintf("%s is of a search of all states, which --method=%v is not", asked, opts.Method),
			Help: "--method=plain, or leave " + asked + " out"}
	}
	opts.Method, opts.NoReduction = deadlock.Plain, true
	return opts, nil
}
