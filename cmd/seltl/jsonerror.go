package main

import (
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/lks/explore"
	"github.com/seltl/seltl/report"
)

// With --json there is one object on standard output. A command that comes to its end
// writes it; for all others it is made here, out of the error they end with.

// writeGuard passes on what is written, and knows whether anything was.
type writeGuard struct {
	w    io.Writer
	used bool
}

func (g *writeGuard) Write(p []byte) (int, error) {
	g.used = true
	return g.w.Write(p)
}

// wantsJSON looks for --json by itself: a command line may be too wrong to be read.
func wantsJSON(args []string) bool {
	for _, word := range args[min(1, len(args)):] {
		name, value, hasValue := strings.Cut(strings.TrimLeft(word, "-"), "=")
		switch {
		case word == "--":
			return false
		case name != "json" || !strings.HasPrefix(word, "-"):
		case hasValue:
			off, err := strconv.ParseBool(value)
			return err != nil || off
		default:
			return true
		}
	}
	return false
}

// errorReport is the report of a run that ended with an error before it could tell
// anything else.
func errorReport(command string, err error, status int) *report.Report {
	r := &report.Report{Exit: status, Version: versionText(), Command: command}
	var list source.List
	if errors.As(err, &list) {
		r.Messages = check.Messages(list)
		return r
	}
	m := report.Message{Severity: source.Error.String(), Code: errorCode(err), Text: err.Error(), Help: helpFor(err)}
	var usage *usageError
	var input *check.InputError
	switch {
	case errors.As(err, &usage):
		m.Help = usage.help
	case errors.As(err, &input):
		m.File = input.File
	case check.Limited(err):
		m.Help = limitAdvice(err)
	}
	r.Messages = []report.Message{m}
	return r
}

// commandOf is the command that a command line names, "" if it names none.
func commandOf(args []string) string {
	app := newApp(streams{})
	if i := slices.IndexFunc(args, func(word string) bool { return app.Command(word) != nil }); i > 0 {
		return app.Command(args[i]).Name
	}
	return ""
}

// errorCode is the code of an error that is no diagnostic.
func errorCode(err error) string {
	var usage *usageError
	var input *check.InputError
	var saved *explore.CheckpointError
	var finite *check.EndingRun
	switch {
	case errors.As(err, &usage):
		return "usage"
	case errors.As(err, &input):
		return input.Code
	case errors.As(err, &saved):
		return "checkpoint"
	case errors.As(err, &finite):
		return "run-ends"
	case errors.Is(err, budget.ErrInterrupted):
		return "interrupted"
	case check.Limited(err):
		return "limit"
	case isBug(err):
		return "internal"
	}
	return "input"
}
