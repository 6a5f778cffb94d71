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

// limitStatus prints a limit or an interruption that no report has shown, and returns
// its status.
func limitStatus(err error, s streams) int {
	var list source.List
	if errors.As(err, &list) {
		list.RenderWidth(s.err, textWidth(s.err))
		return report.ExitUnknown
	}
	s.say(4, "seltl: unknown: %v", err)
	if errors.Is(err, budget.ErrInterrupted) {
		return report.ExitInterrupted
	}
	if help := limitAdvice(err); help != "" {
		s.say(10, "    help: try %s", help)
	}
	return report.ExitUnknown
}

// outputForm is a form of reports beside text, chosen by a flag. It has standard output for
// itself.
type outputForm struct {
	flag, usage string
	write       func(*report.Report, io.Writer) error
}

var outputForms = []outputForm{
	{"json", "print one JSON object (see: seltl help json)", (*report.Report).JSON},
}

// chosenForm is the first that a flag asks for, nil for text.
func chosenForm(c *cli.Context) *outputForm {
	for i := range outputForms {
		if c.Bool(outputForms[i].flag) {
			return &outputForms[i]
		}
	}
	return nil
}

// narration is where --explain writes, wrapped on a terminal: standard output, unless that is for
// a form.
func narration(c *cli.Context, s streams) io.Writer {
	w := s.out
	if chosenForm(c) != nil {
		w = s.err
	}
	return report.Wrapped(w, textWidth(w))
}
