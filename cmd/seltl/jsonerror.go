package main

import (
	"errors"
	"slices"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/lks/explore"
	"github.com/seltl/seltl/report"
)

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
