package main

import (
	"errors"
	"io"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/report"
)

func sortedKeys[T any](m map[string]T) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		if k != "" {
			keys = append(keys, k)
		}
	}
	slices.Sort(keys)
	return keys
}

// messages turns diagnostics into the report's messages.
func messages(list source.List) []report.Message {
	var out []report.Message
	for _, d := range list {
		m := report.Message{Severity: d.Severity.String(), Code: d.Code, Text: d.Message, Help: d.Help}
		if d.Span.Valid() {
			pos := d.Span.Pos()
			m.File, m.Line, m.Column = d.Span.File.Name(), pos.Line, pos.Column
		}
		out = append(out, m)
	}
	return out
}

// placed says in a result where its property stands.
func placed(r *report.Result, at source.Span) {
	if at.Valid() {
		pos := at.Pos()
		r.File, r.Line, r.Column = at.File.Name(), pos.Line, pos.Column
	}
}

// limitStatus prints a limit or an interruption that no report has shown, and returns
// its status.
func limitStatus(err error, s streams) int {
	var list source.List
	if errors.As(err, &list) {
		list.RenderWidth(s.err, textWidth(s.err))
		return exitUnknown
	}
	s.say(4, "seltl: unknown: %v", err)
	if errors.Is(err, budget.ErrInterrupted) {
		return exitInterrupted
	}
	if help := adviceFor(err); help != "" {
		s.say(10, "    help: try %s", help)
	}
	return exitUnknown
}

// narration is where --explain writes: standard output, unless that is for JSON.
func narration(c *cli.Context, s streams) io.Writer {
	if c.Bool("json") {
		return s.err
	}
	return s.out
}
