package main

import (
	"errors"
	"io"
	"strconv"
	"strings"

	"github.com/seltl/seltl/bug"
	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/report"
)

// With --json there is one object on standard output. A command that ends with an error before it
// has written one has it made here.

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

// errorReport is the report of an error that came before there was anything else to tell.
func errorReport(err error, status int) *report.Report {
	r := &report.Report{Exit: status, Version: versionText(), Command: "cluster"}
	var list source.List
	if errors.As(err, &list) {
		r.Messages = check.Messages(list)
		return r
	}
	m := report.Message{Severity: source.Error.String(), Code: "input", Text: err.Error(), Help: helpFor(err)}
	var usage *usageError
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
