package cmdline

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/bug"
	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/lks/explore"
	"github.com/seltl/seltl/report"
)

// StatusOf prints an error that no report has shown yet and returns its status.
func StatusOf(err error, s Streams) int {
	if err == nil {
		return report.ExitHolds
	}
	var exit ExitError
	var list source.List
	var usage *Error
	switch {
	case errors.As(err, &exit):
		return int(exit)
	case check.Limited(err):
		return LimitStatus(err, s)
	case errors.As(err, &list):
		list.RenderWidth(s.Err, TextWidth(s.Err))
	case errors.As(err, &usage):
		s.Say(4, "seltl: %s", usage.Text)
		if usage.Help != "" {
			s.Say(10, "    help: %s", usage.Help)
		}
		s.Say(10, "    help: see `%s`", strings.TrimSpace("seltl help "+usage.Command))
	case IsBug(err):
		fmt.Fprintf(s.Err, "seltl: %v\n    This is a bug in seltl, and no verdict. Please report it with your input.\n", err)
		return report.ExitInternal
	default:
		s.Say(4, "seltl: %v", err)
		if help := HelpFor(err); help != "" {
			s.Say(10, "    help: %s", help)
		}
	}
	return report.ExitInput
}

// HelpFor says what to do about an error that is no diagnostic.
func HelpFor(err error) string {
	var input *check.InputError
	var saved *explore.CheckpointError
	var limit *budget.Exhausted
	switch {
	case errors.As(err, &limit): // of a goal of a session
		if advice := LimitAdvice(err); advice != "" {
			return "try " + advice
		}
	case errors.As(err, &input):
		return input.Help
	case errors.As(err, &saved):
		return "repeat the command that wrote it, or remove it to start again"
	}
	return ""
}

// IsBug reports whether an error says that seltl contradicts itself.
func IsBug(err error) bool {
	var e *bug.Error
	return errors.As(err, &e)
}

// LimitAdvice says what to try about a limit.
func LimitAdvice(reason error) string {
	var e *budget.Exhausted
	var list source.List
	var missing *explore.LossyStore
	switch {
	case errors.As(reason, &list) && list.Limited():
		return list[slices.IndexFunc(list, func(d source.Diagnostic) bool { return d.Limit })].Help
	case errors.As(reason, &missing) && missing.Store == explore.BitstateHash:
		return "a larger --store-bytes, or --store=compact, which misses none (seltl help memory)"
	case errors.As(reason, &missing):
		return "--store=compact, which misses none (seltl help memory)"
	case !errors.As(reason, &e):
		return ""
	case e.Advice != "":
		return e.Advice
	}
	switch e.What {
	case "states":
		return "a larger --max-states, smaller constants (-D), or hiding what the formula does not need"
	case "memory":
		return "a larger --max-memory, smaller constants (-D), or what `seltl help memory` says"
	case "acceptance sets", "decision diagrams": // of the translation
		return "smaller formulas in place of this one"
	}
	return "a longer --timeout, or smaller constants (-D)"
}

// ReportPanic says how to report a bug. The stack is the reporter's to send, so
// it goes into a file rather than over the screen.
func ReportPanic(w io.Writer, args []string, p any, stack []byte) {
	fmt.Fprintf(w, "seltl: internal error: %s\n", strings.TrimPrefix(fmt.Sprint(p), "internal error: "))
	name := "nowhere: it could not be written"
	if f, err := os.CreateTemp("", "seltl-crash-*.txt"); err == nil {
		fmt.Fprintf(f, "seltl %s\narguments: %q\npanic: %v\n\n%s", VersionText(), args, p, stack)
		f.Close()
		name = f.Name()
	}
	fmt.Fprintf(w, "    This is a bug in seltl, and no verdict. Please report it with your model and the details in\n    %s\n", name)
}
