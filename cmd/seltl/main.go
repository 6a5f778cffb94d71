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

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/bug"
	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/internal/cmdline"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/lks/explore"
	"github.com/seltl/seltl/report"
)

// version is set by the linker (see the Makefile).
var version = ""

func main() {
	os.Exit(run(os.Args, os.Stdin, os.Stdout, os.Stderr))
}

// streams are the standard streams of one run, so that tests can replace them.
type streams struct {
	ctx      context.Context // is cancelled by a signal; nil where none ends what is read
	in       io.Reader
	out, err io.Writer
	opened   *check.Opened // what was read, for reports that show it
	files    *fileUse      // what is read and written
	// Of a unit of a work list: the folder that names are relative to, what opens its files,
	// and who takes its report, which is then not printed.
	folder string
	source check.Open
	take   func(*report.Report)
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
	s := streams{in: stdin, out: stdout, err: stderr, opened: &check.Opened{}, files: &fileUse{}}
	object := &cmdline.Noticed{To: stdout}
	inJSON := cmdline.WantsJSON(args)
	if inJSON {
		s.out = object
	}
	defer func() {
		if p := recover(); p == nil {
			return
		} else if err := budget.Aborted(p); err != nil {
			status = limitStatus(err, s)
			if inJSON && !object.Used {
				_ = errorReport(commandOf(args), err, status).JSON(stdout)
			}
		} else {
			reportPanic(stderr, args, p, debug.Stack())
			status = report.ExitInternal
			if inJSON && !object.Used {
				_ = errorReport(commandOf(args), bug.Errorf("panic", "%v", p), status).JSON(stdout)
			}
		}
	}()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	s.ctx = ctx
	context.AfterFunc(ctx, stop) // the second signal ends what does not look at the first
	app := newApp(s)
	ordered, err := orderArgs(app, args)
	if err == nil {
		err = app.RunContext(ctx, ordered)
	}
	status = statusOf(err, s)
	if inJSON && err != nil && !object.Used {
		if err := errorReport(commandOf(args), err, status).JSON(stdout); err != nil {
			fmt.Fprintf(stderr, "seltl: writing the report: %v\n", err)
		}
	}
	return status
}

// statusOf prints an error that no report has shown yet and returns its status.
func statusOf(err error, s streams) int {
	if err == nil {
		return report.ExitHolds
	}
	var exit exitError
	var list source.List
	var usage *usageError
	switch {
	case errors.As(err, &exit):
		return int(exit)
	case check.Limited(err):
		return limitStatus(err, s)
	case errors.As(err, &list):
		list.RenderWidth(s.err, textWidth(s.err))
	case errors.As(err, &usage):
		s.say(4, "seltl: %s", usage.text)
		if usage.help != "" {
			s.say(10, "    help: %s", usage.help)
		}
		s.say(10, "    help: see `%s`", strings.TrimSpace("seltl help "+usage.command))
	case isBug(err):
		fmt.Fprintf(s.err, "seltl: %v\n    This is a bug in seltl, and no verdict. Please report it with your input.\n", err)
		return report.ExitInternal
	default:
		s.say(4, "seltl: %v", err)
		if help := helpFor(err); help != "" {
			s.say(10, "    help: %s", help)
		}
	}
	return report.ExitInput
}

// helpFor says what to do about an error that is no diagnostic.
func helpFor(err error) string {
	var input *check.InputError
	var saved *explore.CheckpointError
	var limit *budget.Exhausted
	switch {
	case errors.As(err, &limit): // of a goal of a session
		if advice := limitAdvice(err); advice != "" {
			return "try " + advice
		}
	case errors.As(err, &input):
		return input.Help
	case errors.As(err, &saved):
		return "repeat the command that wrote it, or remove it to start again"
	}
	return ""
}

// isBug reports whether an error says that seltl contradicts itself.
func isBug(err error) bool {
	var e *bug.Error
	return errors.As(err, &e)
}

// reportPanic says how to report a bug. The stack is the reporter's to send, so
// it goes into a file rather than over the screen.
func reportPanic(w io.Writer, args []string, p any, stack []byte) {
	fmt.Fprintf(w, "seltl: internal error: %s\n", strings.TrimPrefix(fmt.Sprint(p), "internal error: "))
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
	if s.take != nil {
		s.take(r)
		return exitOf(r)
	}
	unwritten := writeHTML(c, s, r)
	var err error
	if f := chosenForm(c); f != nil {
		err = f.write(r, s.out)
	} else {
		err = r.Text(s.out, report.TextOptions{Quiet: c.Bool("quiet"), Echo: c.Bool("echo"), Color: colorful(c, s.out), Games: c.Bool("explain"), Width: textWidth(s.out)})
	}
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
		return exitError(r.Exit)
	}
	return nil
}
