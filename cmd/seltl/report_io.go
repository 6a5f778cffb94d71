package main

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/seltl/seltl/internal/budget"
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

// showWarnings prints warnings on the error output (not with --json or --quiet)
// and returns them for the report.
func showWarnings(c *cli.Context, s streams, warnings source.List) []report.Message {
	if !c.Bool("json") && !c.Bool("quiet") {
		warnings.Render(s.err)
	}
	return messages(warnings)
}

// inputError is the end of a run whose input was wrong: with --json a report that
// says so goes to standard output, and the messages go to the error output in
// any case.
func inputError(c *cli.Context, s streams, err error) error {
	var usage *usageError
	if !c.Bool("json") || errors.As(err, &usage) {
		return err
	}
	r := &report.Report{Exit: exitUsage, Version: versionText(), Command: c.Command.Name}
	switch {
	case isBug(err):
		r.Exit = exitInternal
	case errors.Is(err, budget.ErrInterrupted):
		r.Exit = exitInterrupted
	case isLimit(err):
		r.Exit = exitUnknown
	}
	var list source.List
	if errors.As(err, &list) {
		r.Messages = messages(list)
	} else {
		r.Messages = []report.Message{{Severity: "error", Text: err.Error()}}
	}
	if jsonErr := r.JSON(s.out); jsonErr != nil {
		return fmt.Errorf("writing the report: %w", jsonErr)
	}
	return err
}

// limitStatus prints a limit or an interruption that no report has shown, and returns
// its status.
func limitStatus(err error, s streams) int {
	var list source.List
	if errors.As(err, &list) {
		list.Render(s.err)
		return exitUnknown
	}
	fmt.Fprintf(s.err, "seltl: unknown: %v\n", err)
	if errors.Is(err, budget.ErrInterrupted) {
		return exitInterrupted
	}
	if help := adviceFor(err); help != "" {
		fmt.Fprintf(s.err, "    help: try %s\n", help)
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
