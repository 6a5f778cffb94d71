package main

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/cmd/seltl/internal/batches"
	"github.com/seltl/seltl/cmd/seltl/internal/programcmds"
	"github.com/seltl/seltl/cmd/seltl/internal/words"
	"github.com/seltl/seltl/internal/cmdline"
)

// newApp builds the command table.
func newApp(s cmdline.Streams) *cli.App {
	cli.VersionPrinter = func(c *cli.Context) { fmt.Fprintf(s.Out, "seltl %s\n", cmdline.VersionText()) }
	app := &cli.App{
		Name:            "seltl",
		Version:         cmdline.VersionText(),
		Usage:           "checks concurrent systems",
		HideHelpCommand: true,
		// -D NAME=TEXT may have commas.
		DisableSliceFlagSeparator: true,
		Reader:                    s.In,
		Writer:                    s.Out,
		ErrWriter:                 s.Err,
		Commands: []*cli.Command{
			verifyCommand(s),
			checkCommand(s),
			batches.BatchCommand(s),
			deadlockCommand(s),
			progressCommand(s),
			simCommand(s),
			serveCommand(s),
			conformCommand(s),
			equivalentCommand(s),
			composeCommand(s),
			statsCommand(s),
			fmtCommand(s),
			words.TranslateCommand(s),
			words.FormulaCommand(s),
			words.AutomatonCommand(s),
			words.CrossCommand(s),
			programcmds.ReachCommand(s),
			programcmds.ClpCommand(s),
			programcmds.CheckCertificateCommand(s),
			programcmds.ProgramCommand(s),
			versionCommand(s),
			helpCommand(s),
		},
		Action: func(c *cli.Context) error {
			if c.Args().Present() {
				return grammar.UnknownCommand(c.App, c.Args().First())
			}
			cmdline.ShowTemplate(s.Out, appTemplate, c.App)
			return nil
		},
		// Errors and their exit statuses are statusOf's business.
		ExitErrHandler: func(*cli.Context, error) {},
		OnUsageError:   onUsageError,
	}
	(&batches.Program{App: newApp, Grammar: &grammar}).In(app)
	for _, command := range app.Commands {
		command.HideHelpCommand = true
		command.OnUsageError = onUsageError
		command.CustomHelpTemplate = commandTemplate
		command.Action = cmdline.Sparing(cmdline.Profiled(cmdline.Reporting(cmdline.Timed(command.Action), s), check.FileError), s)
	}
	app.CustomAppHelpTemplate = appTemplate
	cli.HelpPrinter = cmdline.ShowTemplate
	return app
}

// onUsageError says what is wrong with a value that package flag could not read.
func onUsageError(c *cli.Context, err error, _ bool) error {
	return cmdline.Usagef(c, "%s", cmdline.Usage(c.Command, err).Text)
}

func versionCommand(s cmdline.Streams) *cli.Command {
	return &cli.Command{
		Name:  "version",
		Usage: "print the version",
		Action: func(c *cli.Context) error {
			if c.Args().Present() {
				return cmdline.Usagef(c, "unexpected argument %q", c.Args().First())
			}
			fmt.Fprintf(s.Out, "seltl %s\n", cmdline.VersionText())
			return nil
		},
	}
}
