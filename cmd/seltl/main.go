// Command seltl checks concurrent systems: SE-LTL properties, deadlock, progress,
// and everything around them. It turns flags into calls of the library, and what
// the library answers into reports; it analyses nothing itself.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"syscall"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/bug"
	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/internal/cmdline"
	"github.com/seltl/seltl/report"
)

func main() {
	os.Exit(run(os.Args, os.Stdin, os.Stdout, os.Stderr))
}

// run is main with its surroundings as arguments; args[0] is the program name.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) (status int) {
	s := cmdline.Streams{In: stdin, Out: stdout, Err: stderr, Opened: &check.Opened{}, Files: &cmdline.FileUse{}}
	object := &cmdline.Noticed{To: stdout}
	inJSON := cmdline.WantsJSON(args)
	if inJSON {
		s.Out = object
	}
	defer func() {
		if p := recover(); p == nil {
			return
		} else if err := budget.Aborted(p); err != nil {
			status = cmdline.LimitStatus(err, s)
			if inJSON && !object.Used {
				_ = cmdline.ErrorReport(commandOf(args), err, status).JSON(stdout)
			}
		} else {
			cmdline.ReportPanic(stderr, args, p, debug.Stack())
			status = report.ExitInternal
			if inJSON && !object.Used {
				_ = cmdline.ErrorReport(commandOf(args), bug.Errorf("panic", "%v", p), status).JSON(stdout)
			}
		}
	}()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	s.Ctx = ctx
	context.AfterFunc(ctx, stop) // the second signal ends what does not look at the first
	app := newApp(s)
	ordered, err := grammar.Order(app, args)
	if err == nil {
		err = app.RunContext(ctx, ordered)
	}
	status = cmdline.StatusOf(err, s)
	if inJSON && err != nil && !object.Used {
		if err := cmdline.ErrorReport(commandOf(args), err, status).JSON(stdout); err != nil {
			fmt.Fprintf(stderr, "seltl: writing the report: %v\n", err)
		}
	}
	return status
}

// commandOf is the command that a command line names, "" if it names none.
func commandOf(args []string) string {
	app := newApp(cmdline.Streams{})
	if i := slices.IndexFunc(args, func(word string) bool { return app.Command(word) != nil }); i > 0 {
		return app.Command(args[i]).Name
	}
	return ""
}
