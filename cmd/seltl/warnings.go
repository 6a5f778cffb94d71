package main

import (
	"fmt"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/lks/fsp"
	"github.com/seltl/seltl/report"
)

// noWarningsFlag is of all commands that read a model.
func noWarningsFlag() cli.Flag {
	return &cli.BoolFlag{Name: "no-warnings", Usage: "say only how many warnings there are"}
}

// tellWarnings shows the warnings about the model. What makes the verdicts speak of
// another system than was meant stands with them, however quiet they are.
func (a *analysis) tellWarnings() {
	if a.m.fsp != nil {
		a.m.warnings = a.m.fsp.Warnings()
	}
	grave, other := splitWarnings(a.m.warnings)
	a.r.Grave = messages(grave)
	showWarnings(a.c, a.s, other)
	a.r.Messages = messages(a.m.warnings)
}

// showWarnings prints warnings on the error output (not with --json or --quiet, with
// --no-warnings only their number) and returns them for the report.
func showWarnings(c *cli.Context, s streams, warnings source.List) []report.Message {
	all := messages(warnings)
	grave, other := splitWarnings(warnings)
	switch {
	case c.Bool("json"):
		return all
	case c.Bool("quiet"):
	case c.Bool("no-warnings"):
		if len(other) > 0 {
			fmt.Fprintf(s.err, "seltl: %s left out (--no-warnings)\n", report.Count(int64(len(other)), "warning"))
		}
	default:
		other.RenderWidth(s.err, textWidth(s.err))
	}
	grave.RenderWidth(s.err, textWidth(s.err))
	return all
}

// splitWarnings separates the warnings that are shown in any case.
func splitWarnings(warnings source.List) (grave, other source.List) {
	for _, w := range warnings {
		if w.Code == fsp.SwappedRelabelling {
			grave = append(grave, w)
		} else {
			other = append(other, w)
		}
	}
	return grave, slices.Clip(other)
}
