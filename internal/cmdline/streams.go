package cmdline

import (
	"context"
	"fmt"
	"io"
	"runtime/debug"

	"github.com/urfave/cli/v2"

	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/report"
)

// Streams are the standard streams of one run, so that tests can replace them.
type Streams struct {
	Ctx      context.Context // is cancelled by a signal; nil where none ends what is read
	In       io.Reader
	Out, Err io.Writer
	Opened   *check.Opened // what was read, for reports that show it
	Files    *FileUse      // what is read and written
	// Of a unit of a work list: the folder that names are relative to, what opens its files,
	// and who takes its report, which is then not printed.
	Folder string
	Source check.Open
	Take   func(*report.Report)
}

// ExitError carries an exit status out of a command whose report is already
// printed.
type ExitError int

func (e ExitError) Error() string { return fmt.Sprintf("exit status %d", int(e)) }

// Usagef makes an *Error of a command; nil is no command.
func Usagef(c *cli.Context, format string, args ...any) error {
	name := ""
	if c != nil && c.Command != nil {
		name = c.Command.Name
	}
	return &Error{Command: name, Text: fmt.Sprintf(format, args...)}
}

// Version is set by the linker (see the Makefile).
var Version = ""

// VersionText is the version of the program that runs.
func VersionText() string {
	if Version != "" {
		return Version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "unknown"
}

// Finish prints a report as the flags ask and turns its exit status into the
// command's error.
func Finish(c *cli.Context, s Streams, r *report.Report) error {
	return FinishAs(c, s, r, func(w io.Writer) error {
		if f := ChosenForm(c); f != nil {
			return f.write(r, w)
		}
		return r.Text(w, report.TextOptions{Quiet: c.Bool("quiet"), Echo: c.Bool("echo"), Color: Colorful(c, s.Out), Games: c.Bool("explain"), Width: TextWidth(s.Out)})
	})
}

// FinishAs is Finish for a report that is printed in a way of its own.
func FinishAs(c *cli.Context, s Streams, r *report.Report, write func(io.Writer) error) error {
	r.Version = VersionText()
	if s.Take != nil {
		s.Take(r)
		return exitOf(r)
	}
	unwritten := WriteHTML(c, s, r)
	err := write(s.Out)
	if err != nil {
		return fmt.Errorf("writing the report: %w", err)
	}
	if unwritten != nil {
		return unwritten
	}
	return exitOf(r)
}

// exitOf is the error of a command that ends with a report.
func exitOf(r *report.Report) error {
	if r.Exit != 0 {
		return ExitError(r.Exit)
	}
	return nil
}
