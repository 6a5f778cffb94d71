// Package simui is what people see of a session of package check/sim: lines on pipes,
// and a screen of a terminal. It is the only one that knows how screens are drawn.
//
//	lines     commands from standard input, answered by lines of text or of JSON
//	text      what is told of a session, in lines
//	screen    the screen: what keys do
//	view      what it shows
//	program   what is told and shown of C programs
package simui

import (
	"io"

	"github.com/seltl/seltl/check/sim"
)

// UI is a session and its surroundings.
type UI struct {
	Session sim.Stepper
	In      io.Reader
	Out     io.Writer
	Prompt  bool // a person types the lines
	JSON    bool // answer by lines of JSON
	Quiet   bool // no choices behind every step
	Color   bool
	Width   int // columns at which Lines breaks its lines, 0: nowhere
	// Save writes the run so far into a file; Read reads the run of the result with that
	// name, "" for the first, of a report.
	Save func(name string) error
	Read func(name, result string) (*sim.Trace, error)
	// Help says what to do about an error, or "".
	Help func(error) string
}
