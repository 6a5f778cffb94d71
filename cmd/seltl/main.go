// Command seltl checks concurrent systems: SE-LTL properties, deadlock, progress,
// and everything around them. It turns flags into calls of the library, and what
// the library answers into reports; it analyses nothing itself.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/urfave/cli/v2"

	"github.com/seltl/seltl/deadlock"
	"github.com/seltl/seltl/internal/bug"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/product"
	"github.com/seltl/seltl/report"
)

// version is set by the linker (see the Makefile).
var version = ""

// Exit statuses, see exitStatuses in help.go.
const (
	exitHolds       = 0
	exitViolated    = 1
	exitUsage       = 2
	exitUnknown     = 3
	exitInternal    = 4
	exitInterrupted = 130
)

func main() {
	os.Exit(run(os.Args, os.Stdin, os.Stdout, os.Stderr))
}

// streams are the standard streams of one run, so that tests can replace them.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

// exitError carries an exit status out of a command whose report is already
// printed.
type exitError int

func (e exitError) Error() string { return fmt.Sprintf("exit status %d", int(e)) }

// usageError is a wrong command line: exit status 2 with a pointer to the help.
type usageError struct {
	command string
	text    string
	help    string
}

func (e *usageError) Error() string { return e.text }

func usagef(c *cli.Context, format string, args ...any) error {
	name := ""
	if c != nil && c.Command != nil {
		name = c.Command.Name
	}
	return &usageError{command: name, text: fmt.Sprintf(format, args...)}
}

// run is main with its surroundings as arguments; args[0] is the program name.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) (status int) {
	s := streams{in: stdin, out: stdout, err: stderr}
	defer func() {
		if p := recover(); p != nil {
			reportPanic(stderr, args, p, debug.Stack())
			status = exitInternal
		}
	}()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	app := newApp(s)
	ordered, err := orderArgs(app, args)
	if err == nil {
		err = app.RunContext(ctx, ordered)
	}
	return statusOf(err, s)
}

// statusOf prints an error that no report has shown yet and returns its status.
func statusOf(err error, s streams) int {
	if err == nil {
		return exitHolds
	}
	var exit exitError
	var list source.List
	var usage *usageError
	var saved *lks.CheckpointError
	switch {
	case errors.As(err, &exit):
		return int(exit)
	case isLimit(err):
		return limitStatus(err, s)
	case errors.As(err, &list):
		list.Render(s.err)
	case errors.As(err, &usage):
		fmt.Fprintf(s.err, "seltl: %s\n", usage.text)
		if usage.help != "" {
			fmt.Fprintf(s.err, "    help: %s\n", usage.help)
		}
		fmt.Fprintf(s.err, "    help: see `%s`\n", strings.TrimSpace("seltl help "+usage.command))
	case errors.As(err, &saved):
		fmt.Fprintf(s.err, "seltl: %v\n    help: repeat the command that wrote it, or remove it to start again\n", saved)
	case isBug(err):
		fmt.Fprintf(s.err, "seltl: %v\n    This is a bug in seltl, and no verdict. Please report it with your input.\n", err)
		return exitInternal
	default:
		fmt.Fprintf(s.err, "seltl: %v\n", err)
	}
	return exitUsage
}

// isBug reports whether an error says that seltl contradicts itself.
func isBug(err error) bool {
	var any *bug.Error
	var inProduct *product.InternalError
	var inDeadlock *deadlock.InternalError
	return errors.As(err, &any) || errors.As(err, &inProduct) || errors.As(err, &inDeadlock)
}

// reportPanic says how to report a bug. The stack is the reporter's to send, so
// it goes into a file rather than over the screen.
func reportPanic(w io.Writer, args []string, p any, stack []byte) {
	fmt.Fprintf(w, "seltl: internal error: %v\n", p)
	name := "nowhere: it could not be written"
	if f, err := os.CreateTemp("", "seltl-crash-*.txt"); err == nil {
		fmt.Fprintf(f, "seltl %s\narguments: %q\npanic: %v\n\n%s", versionText(), args, p, stack)
		f.Close()
		name = f.Name()
	}
	fmt.Fprintf(w, "    This is a bug in seltl, and no verdict. Please report it with your model and the details in\n    %s\n", name)
}

func versionText() string {
	if version != "" {
		return version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "unknown"
}

// finish prints a report as the flags ask and turns its exit status into the
// command's error.
func finish(c *cli.Context, s streams, r *report.Report) error {
	r.Version = versionText()
	r.Command = c.Command.Name
	var err error
	if c.Bool("json") {
		err = r.JSON(s.out)
	} else {
		err = r.Text(s.out, report.TextOptions{Quiet: c.Bool("quiet"), Echo: c.Bool("echo"), Color: colorful(s.out)})
	}
	if err != nil {
		return fmt.Errorf("writing the report: %w", err)
	}
	if r.Exit != 0 {
		return exitError(r.Exit)
	}
	return nil
}
