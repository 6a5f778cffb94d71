package main

import (
	"errors"

	"github.com/seltl/seltl/bug"
	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/internal/cmdline"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/report"
)

// errorReport is the report of an error that came before there was anything else to tell.
func errorReport(err error, status int) *report.Report {
	r := &report.Report{Exit: status, Version: cmdline.VersionText(), Command: "cluster"}
	var list source.List
	if errors.As(err, &list) {
		r.Messages = check.Messages(list)
		return r
	}
	m := report.Message{Severity: source.Error.String(), Code: "input", Text: err.Error(), Help: helpFor(err)}
	var usage *cmdline.Error
	var input *check.InputError
	var internal *bug.Error
	switch {
	case status == report.ExitInterrupted:
		m.Code = "interrupted"
	case errors.As(err, &usage):
		m.Code = "usage"
	case errors.As(err, &input):
		m.Code, m.File = input.Code, input.File
	case errors.As(err, &internal):
		m.Code = "internal"
	}
	r.Messages = []report.Message{m}
	return r
}
