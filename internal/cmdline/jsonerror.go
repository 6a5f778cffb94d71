package cmdline

import (
	"errors"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/lks/explore"
	"github.com/seltl/seltl/report"
)

// ErrorReport is the report of a run that ended with an error before it could tell
// anything else.
func ErrorReport(command string, err error, status int) *report.Report {
	r := &report.Report{Exit: status, Version: VersionText(), Command: command}
	if list, ok := errors.AsType[source.List](err); ok {
		r.Messages = check.Messages(list)
		return r
	}
	m := report.Message{Severity: source.Error.String(), Code: ErrorCode(err), Text: err.Error(), Help: HelpFor(err)}
	var usage *Error
	var input *check.InputError
	switch {
	case errors.As(err, &usage):
		m.Help = usage.Help
	case errors.As(err, &input):
		m.File = input.File
	case check.Limited(err):
		m.Help = LimitAdvice(err)
	}
	r.Messages = []report.Message{m}
	return r
}

// ErrorCode is the code of an error that is no diagnostic.
func ErrorCode(err error) string {
	var usage *Error
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
	case IsBug(err):
		return "internal"
	}
	return "input"
}
