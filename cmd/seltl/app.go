package main

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/internal/cmdline"
)

// newApp builds the command table.
func newApp(s streams) *cli.App {
	cli.VersionPrinter = func(c *cli.Context) { fmt.Fprintf(s.out, "seltl %s\n", versionText()) }
	app := &cli.App{
		Name:            "seltl",
		Version:         versionText(),
		Usage:           "checks concurrent systems",
		HideHelpCommand: true,
		Reader:          s.in,
		Writer:          s.out,
		ErrWriter:       s.err,
		Commands: []*cli.Command{
			verifyCommand(s),
			checkCommand(s),
			batchCommand(s),
			deadlockCommand(s),
			progressCommand(s),
			simCommand(s),
			serveCommand(s),
			conformCommand(s),
			equivalentCommand(s),
			composeCommand(s),
			statsCommand(s),
			fmtCommand(s),
			translateCommand(s),
			formulaCommand(s),
			automatonCommand(s),
			crossCommand(s),
			reachCommand(s),
			clpCommand(s),
			checkCertificateCommand(s),
			programCommand(s),
			versionCommand(s),
			helpCommand(s),
		},
		Action: func(c *cli.Context) error {
			if c.Args().Present() {
				return unknownCommand(c.App, c.Args().First())
			}
			showTemplate(s.out, appTemplate, c.App)
			return nil
		},
		// Errors and their exit statuses are statusOf's business.
		ExitErrHandler: func(*cli.Context, error) {},
		OnUsageError:   onUsageError,
	}
	for _, command := range app.Commands {
		command.HideHelpCommand = true
		command.OnUsageError = onUsageError
		command.CustomHelpTemplate = commandTemplate
		command.Action = sparing(cmdline.Profiled(reporting(timed(command.Action), s), check.FileError), s)
	}
	app.CustomAppHelpTemplate = appTemplate
	cli.HelpPrinter = showTemplate
	return app
}

// onUsageError says what is wrong with a value that package flag could not read.
func onUsageError(c *cli.Context, err error, _ bool) error {
	return usagef(c, "%s", cmdline.Usage(c.Command, err).Text)
}

func versionCommand(s streams) *cli.Command {
	return &cli.Command{
		Name:  "version",
		Usage: "print the version",
		Action: func(c *cli.Context) error {
			if c.Args().Present() {
				return usagef(c, "unexpected argument %q", c.Args().First())
			}
			fmt.Fprintf(s.out, "seltl %s\n", versionText())
			return nil
		},
	}
}
