// Command seltl-cluster answers one question about one model by several processes, on one
// machine or on many: states have owners, and travel in messages.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/nats-io/nats.go"
	"github.com/urfave/cli/v2"

	"github.com/seltl/seltl/bug"
	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/cluster/broker"
	"github.com/seltl/seltl/cluster/checkpoint"
	"github.com/seltl/seltl/cluster/job"
	"github.com/seltl/seltl/internal/cmdline"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/report"
)

func main() {
	os.Exit(run(os.Args, os.Stdin, os.Stdout, os.Stderr))
}

// streams are the standard streams of one run.
type streams struct{ cmdline.Streams }

func usagef(format string, args ...any) error { return cmdline.Usagef(nil, format, args...) }

// run is main with its surroundings as arguments; args[0] is the program name.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	object := &cmdline.Noticed{To: stdout}
	s := streams{cmdline.Streams{In: stdin, Out: object, Err: stderr}}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // the second signal ends what does not look at the first
	app := newApp(s)
	ordered, err := grammar.Order(app, args)
	if err == nil {
		err = app.RunContext(ctx, ordered)
	}
	status := s.statusWithin(ctx, err)
	if err != nil && !object.Used && cmdline.WantsJSON(args) {
		if err := errorReport(err, status).JSON(stdout); err != nil {
			fmt.Fprintf(stderr, "seltl-cluster: writing the report: %v\n", err)
		}
	}
	return status
}

// statusWithin is status of what a signal may have ended before there was anything to say. Once
// there was one, connections that were being made end with errors of their own.
func (s streams) statusWithin(ctx context.Context, err error) int {
	var exit cmdline.ExitError
	if err != nil && ctx.Err() != nil && !errors.As(err, &exit) &&
		(errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, nats.ErrTimeout) || errors.Is(err, nats.ErrConnectionClosed)) {
		return report.ExitInterrupted
	}
	return s.status(err)
}

func newApp(s streams) *cli.App {
	cli.VersionPrinter = func(*cli.Context) { s.version() }
	usage := func(c *cli.Context, err error, _ bool) error { return cmdline.Usage(c.Command, err) }
	app := &cli.App{
		Name:    "seltl-cluster",
		Version: cmdline.VersionText(),
		Usage:   "one question about one model, answered by several processes",
		Description: `Reachability, deadlock, ERROR, counts and SE-LTL for models that are too large
for one process. "run" starts everything on this machine. On several machines,
"serve" is started on one, "work" on all that are to search, and "submit" asks.

EXIT STATUS
   0    holds / no deadlock; 1 violated: a counterexample is printed
   2    the input or the command line is wrong, or a worker was refused
   3    unknown: a limit was reached, or workers were lost
   4    internal error: a bug; 130 interrupted, after printing what was explored`,
		Reader: s.In, Writer: s.Out, ErrWriter: s.Err,
		Commands:       []*cli.Command{runCommand(s), serveCommand(s), workCommand(s), submitCommand(s), statusCommand(s), cancelCommand(s), forgetCommand(s), versionCommand(s)},
		ExitErrHandler: func(*cli.Context, error) {}, // status does that
		OnUsageError:   usage,
	}
	for _, command := range app.Commands {
		command.HideHelpCommand = true
		command.OnUsageError = usage
	}
	return app
}

// status prints an error that no report has shown yet and returns its status.
func (s streams) status(err error) int {
	var exit cmdline.ExitError
	var list source.List
	switch {
	case err == nil:
		return report.ExitHolds
	case errors.As(err, &exit):
		return int(exit)
	case errors.As(err, &list):
		list.Render(s.Err)
		return report.ExitInput
	}
	fmt.Fprintf(s.Err, "seltl-cluster: %v\n", err)
	var internal *bug.Error
	if errors.As(err, &internal) {
		fmt.Fprintln(s.Err, "    This is a bug in seltl-cluster, and no verdict. Please report it with your input.")
		return report.ExitInternal
	}
	if help := helpFor(err); help != "" {
		fmt.Fprintf(s.Err, "    help: %s\n", help)
	}
	if errors.Is(err, job.ErrAlone) || errors.Is(err, checkpoint.ErrFull) {
		return report.ExitUnknown
	}
	return report.ExitInput
}

// helpFor says what to do about an error, "" if nothing is known.
func helpFor(err error) string {
	var usage *cmdline.Error
	var input *check.InputError
	var refused *job.RefusedError
	var locked *broker.RefusedError
	switch {
	case errors.As(err, &usage):
		return usage.Help
	case errors.As(err, &input):
		return input.Help
	case errors.As(err, &refused):
		return "use one build of seltl-cluster for all processes"
	case errors.As(err, &locked):
		return locked.Help()
	case errors.Is(err, checkpoint.ErrFull):
		return "seltl-cluster forget JOB makes room; serve has --keep and --store-limit"
	}
	return ""
}

func versionCommand(s streams) *cli.Command {
	return &cli.Command{
		Name:  "version",
		Usage: "print the version, and what else must be equal in all processes of a job",
		Flags: []cli.Flag{&cli.BoolFlag{Name: "json", Usage: "print it as JSON"}},
		Action: func(c *cli.Context) error {
			if c.Args().Present() {
				return usagef("unexpected argument %q", c.Args().First())
			}
			if !c.Bool("json") {
				s.version()
				return nil
			}
			return writeJSON(s.Out, job.ThisBuild(cmdline.VersionText()))
		},
	}
}

// version prints what this program is.
func (s streams) version() {
	b := job.ThisBuild(cmdline.VersionText())
	fmt.Fprintf(s.Out, "seltl-cluster %s\nschema %d, %s, %s", b.Version, b.Schema, b.Go, b.Architecture)
	if b.Revision != "" {
		fmt.Fprintf(s.Out, ", revision %s", b.Revision)
	}
	if b.Binary != "" {
		fmt.Fprintf(s.Out, ", program %s", b.Binary)
	}
	fmt.Fprintln(s.Out)
}
