package main

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/cmd/seltl/internal/ask"
	"github.com/seltl/seltl/internal/cmdline"
	"github.com/seltl/seltl/internal/diagram"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/report"
)

func composeCommand(s cmdline.Streams) *cli.Command {
	return &cli.Command{
		Name:      "compose",
		Usage:     "build the composition of a model and write it",
		ArgsUsage: "MODEL",
		Description: `Builds the reachable composition of a process as one labeled Kripke structure
and writes it to standard output or a file, in the format that --format or the
ending of the file names: lks (the modelling language), aut (Aldebaran: CADP and
mCRL2 read it), svg (a picture), dot (Graphviz) or json.

In a picture, states of compositions are numbered; a legend and tooltips say
which is which. More than some hundred states are shown by their strongly
connected components, or near the beginning; --around N shows what is near one.

--minimise=strong   strong bisimulation: everything is preserved
           weak     observational equivalence: silent steps are folded away
           branching   branching bisimulation
           divergence  and endless silent runs, which the two above do not see,
                    stay
           trace    a deterministic structure with the same traces: what has
                    been seen (visible actions, propositions) determines the
                    state

EXAMPLES
   seltl compose model.lts --process SYSTEM -o system.aut
   seltl compose model.lts --minimise=weak -o system.svg
   seltl compose specs/classics/elevator.lks --around 5 -o near.svg`,
		Flags: cmdline.Concat(cmdline.ModelFlags(), []cli.Flag{
			&cli.StringFlag{Name: "minimise", Aliases: []string{"minimize"}, Value: "none", Usage: "reduce by `EQUIVALENCE`: none, strong, weak, branching, divergence, trace"},
			&cli.StringFlag{Name: "format", Usage: "write `FORMAT`: lks, aut, svg, dot, json (default: by the ending of the file, else aut)"},
			&cli.StringFlag{Name: "output", Aliases: []string{"o"}, Usage: "write to `FILE`"},
			&cli.IntFlag{Name: "around", Usage: "svg, dot: draw only what is near the state of this `NUMBER`"},
			&cli.IntFlag{Name: "radius", Value: 2, Usage: "with --around: at most `N` steps from it, or to it"},
			&cli.BoolFlag{Name: "quiet", Aliases: []string{"q"}, Usage: "no progress, no warnings, no summary"},
			cmdline.NoWarningsFlag(), cmdline.HTMLFlag(),
		}, cmdline.LimitFlags()),
		Action: func(c *cli.Context) error { return compose(c, s) },
	}
}

func compose(c *cli.Context, s cmdline.Streams) error {
	var by check.Minimisation
	if err := cmdline.Choose(c, "minimise", &by); err != nil {
		return err
	}
	format, err := chooseFormat(c)
	if err != nil {
		return err
	}
	if drawn := format == "svg" || format == "dot"; !drawn && (c.IsSet("around") || c.IsSet("radius")) {
		return cmdline.Usagef(c, "--around and --radius are about pictures: -o FILE.svg, or --format=svg")
	}
	if c.IsSet("radius") && (!c.IsSet("around") || c.Int("radius") < 1) {
		return cmdline.Usagef(c, "--radius %d: a number of steps from the state that --around names", c.Int("radius"))
	}
	opts, done, err := ask.Options(c, s)
	if err != nil {
		return err
	}
	defer done()
	if err := onlyModel(c); err != nil {
		return err
	}
	m, err := ask.LoadModel(c, s)
	if err != nil {
		return err
	}
	cmdline.ShowWarnings(c, s, m.Warnings())
	built, reduced, err := check.Compose(c.Context, m, by, opts)
	if err != nil {
		return err
	}
	warnEnding(c, s, format)
	if format == "aut" {
		warnLost(s, reduced)
	}
	write := func(w io.Writer) error { return check.Write(w, format, reduced) }
	var near *diagram.Graph
	if c.IsSet("around") {
		if near, err = reduced.Around(int32(min(c.Int("around"), math.MaxInt32)), c.Int("radius")); err != nil {
			return cmdline.Usagef(c, "--around: %v", err)
		}
		write = func(w io.Writer) error { return cmdline.WritePicture(w, format, near) }
	}
	if name := c.String("output"); name != "" {
		err = cmdline.WriteFile(name, write)
	} else {
		err = write(s.Out)
	}
	if err == nil && !c.Bool("quiet") && c.String("output") != "" {
		fmt.Fprint(s.Out, sizeText(built))
		if reduced != built {
			fmt.Fprintf(s.Out, "; %s: %s", c.String("minimise"), sizeText(reduced))
		}
		fmt.Fprintln(s.Out)
	}
	if err != nil {
		return err
	}
	return composed(c, s, m, built, reduced, near, format)
}

// sizeText is the size of a structure as stats has it: ERROR is no state.
func sizeText(m *lks.LKS) string {
	st := m.Stats()
	return report.Counted(int64(st.States), "state") + ", " + report.Counted(int64(st.Transitions), "transition")
}

// warnEnding says that a file's name ends like those of another format.
func warnEnding(c *cli.Context, s cmdline.Streams, format string) {
	name := c.String("output")
	of := formatOf(name)
	if slices.Contains(check.Formats(), of) && of != format && !c.Bool("quiet") {
		fmt.Fprintf(s.Err, "seltl: warning: %s is named like a file in format %s, and is written in format %s\n", name, of, format)
	}
}

// warnLost says what an Aldebaran file cannot hold.
func warnLost(s cmdline.Streams, m *lks.LKS) {
	st := m.Stats()
	var lost []string
	if st.Props > 0 {
		lost = append(lost, "propositions")
	}
	if st.Ends > 0 {
		lost = append(lost, "that END is termination")
	}
	if len(lost) > 0 {
		fmt.Fprintf(s.Err, "seltl: warning: an Aldebaran file does not say %s; --format=lks does\n", strings.Join(lost, ", nor "))
	}
}

func chooseFormat(c *cli.Context) (string, error) {
	format := cmp.Or(c.String("format"), formatOf(c.String("output")), "aut")
	if format == "lts" || format == "fsp" {
		format = "lks"
	}
	if !slices.Contains(check.Formats(), format) {
		return "", cmdline.Usagef(c, "format %q: one of %s is needed", format, strings.Join(check.Formats(), ", "))
	}
	return format, nil
}

// formatOf is the format that the name of a file promises by its ending, which may be
// none of writers.
func formatOf(name string) string {
	switch ending := strings.TrimPrefix(filepath.Ext(name), "."); ending {
	case "lts", "fsp":
		return "lks"
	case "gv":
		return "dot"
	default:
		return ending
	}
}
