package main

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/report"
)

// noWarningsFlag is of all commands that read a model.
func noWarningsFlag() cli.Flag {
	return &cli.BoolFlag{Name: "no-warnings", Usage: "say only how many warnings there are"}
}

// showWarnings prints warnings on the error output: with --json none, with --quiet and
// --no-warnings only those that are shown in any case.
func showWarnings(c *cli.Context, s streams, warnings source.List) {
	grave, other := check.SplitWarnings(warnings)
	switch {
	case c.Bool("json"):
		return
	case c.Bool("quiet"):
	case c.Bool("no-warnings"):
		if len(other) > 0 {
			fmt.Fprintf(s.err, "seltl: %s left out (--no-warnings)\n", report.Counted(int64(len(other)), "warning"))
		}
	default:
		other.RenderWidth(s.err, textWidth(s.err))
	}
	grave.RenderWidth(s.err, textWidth(s.err))
}

// showNotes prints what is no warning, but left out, on the error output.
func showNotes(c *cli.Context, s streams, messages []report.Message) {
	if c.Bool("json") || c.Bool("quiet") || c.Bool("no-warnings") {
		return
	}
	for _, m := range messages {
		if m.Severity == "note" {
			fmt.Fprintf(s.err, "%s: note: %s; %s\n", m.File, m.Text, m.Help)
		}
	}
}
