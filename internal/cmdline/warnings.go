package cmdline

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/report"
)

// NoWarningsFlag is of all commands that read a model.
func NoWarningsFlag() cli.Flag {
	return &cli.BoolFlag{Name: "no-warnings", Usage: "say only how many warnings there are"}
}

// ShowWarnings prints warnings on the error output: with --json none, with --quiet and
// --no-warnings only those that are shown in any case.
func ShowWarnings(c *cli.Context, s Streams, warnings source.List) {
	grave, other := check.SplitWarnings(warnings)
	switch {
	case c.Bool("json"):
		return
	case c.Bool("quiet"):
	case c.Bool("no-warnings"):
		if len(other) > 0 {
			fmt.Fprintf(s.Err, "seltl: %s left out (--no-warnings)\n", report.Counted(int64(len(other)), "warning"))
		}
	default:
		other.RenderWidth(s.Err, TextWidth(s.Err))
	}
	grave.RenderWidth(s.Err, TextWidth(s.Err))
}

// ShowNotes prints what is no warning, but left out, on the error output.
func ShowNotes(c *cli.Context, s Streams, messages []report.Message) {
	if c.Bool("json") || c.Bool("quiet") || c.Bool("no-warnings") {
		return
	}
	for _, m := range messages {
		if m.Severity == "note" {
			fmt.Fprintf(s.Err, "%s: note: %s; %s\n", m.File, m.Text, m.Help)
		}
	}
}
