package cmdline

import (
	"errors"
	"io"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/report"
)

func SortedKeys[T any](m map[string]T) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		if k != "" {
			keys = append(keys, k)
		}
	}
	slices.Sort(keys)
	return keys
}

// LimitStatus prints a limit or an interruption that no report has shown, and returns
// its status.
func LimitStatus(err error, s Streams) int {
	if list, ok := errors.AsType[source.List](err); ok {
		list.RenderWidth(s.Err, TextWidth(s.Err))
		return report.ExitUnknown
	}
	s.Say(4, "seltl: unknown: %v", err)
	if errors.Is(err, budget.ErrInterrupted) {
		return report.ExitInterrupted
	}
	if help := LimitAdvice(err); help != "" {
		s.Say(10, "    help: try %s", help)
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

// ChosenForm is the first that a flag asks for, nil for text.
func ChosenForm(c *cli.Context) *outputForm {
	for i := range outputForms {
		if c.Bool(outputForms[i].flag) {
			return &outputForms[i]
		}
	}
	return nil
}

// Narration is where --explain writes, wrapped on a terminal: standard output, unless that is for
// a form.
func Narration(c *cli.Context, s Streams) io.Writer {
	w := s.Out
	if ChosenForm(c) != nil {
		w = s.Err
	}
	return report.Wrapped(w, TextWidth(w))
}
