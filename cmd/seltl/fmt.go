package main

import (
	"fmt"
	"io"

	"github.com/urfave/cli/v2"

	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/clp"
	"github.com/seltl/seltl/internal/c/specification"
	"github.com/seltl/seltl/internal/cmdline"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/lks/fsp/syntax"
	"github.com/seltl/seltl/report"
)

func fmtCommand(s cmdline.Streams) *cli.Command {
	return &cli.Command{
		Name:      "fmt",
		Usage:     "format model files and specifications",
		ArgsUsage: "FILE...",
		Description: `Prints model files (.lks, .lts, .fsp), specifications of C programs (.spec) and
rules (.clp) in the standard layout; comments stay.
With --write the files are changed, with --check only the names of those that
would change are printed, with exit status 1 if there are any.

EXAMPLES
   seltl fmt model.lks
   seltl fmt --write *.lks`,
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "write", Aliases: []string{"w"}, Usage: "write the result back to the files"},
			&cli.BoolFlag{Name: "check", Usage: "print the names of files that are not in the standard layout"},
		},
		Action: func(c *cli.Context) error { return format(c, s) },
	}
}

// formatted returns a text in the standard layout of its language.
func formatted(name string, src *source.File) (string, error) {
	switch source.KindOf(name) {
	case source.Rules:
		return clp.Format(src)
	case source.Spec:
		file, err := specification.Parse(src)
		if err != nil {
			return "", err
		}
		return specification.Format(file), nil
	case source.Commands, source.Terms, source.Clauses, source.Transitions:
		return "", &check.InputError{Code: "no-layout", File: name, Text: name + ": there is no standard layout of such files",
			Help: "seltl fmt is for models (.lks, .lts, .fsp), specifications (.spec) and rules (.clp)"}
	}
	file, err := syntax.Parse(src)
	if err != nil {
		return "", check.ForeignFile(name, err)
	}
	return syntax.Format(file), nil
}

func format(c *cli.Context, s cmdline.Streams) error {
	if !c.Args().Present() {
		return cmdline.Usagef(c, "no file: name a model file, or - for standard input")
	}
	changed := false
	for _, name := range c.Args().Slice() {
		src, err := check.ReadSource(name, s.Open)
		if err != nil {
			return err
		}
		text, err := formatted(name, src)
		if err != nil {
			return err
		}
		switch {
		case c.Bool("check"):
			if text != src.Text() {
				changed = true
				fmt.Fprintln(s.Out, name)
			}
		case c.Bool("write") && name != "-":
			if text != src.Text() {
				err = cmdline.WriteFile(name, func(w io.Writer) error {
					_, err := io.WriteString(w, text)
					return err
				})
			}
		default:
			_, err = io.WriteString(s.Out, text)
		}
		if err != nil {
			return err
		}
	}
	if changed {
		return cmdline.ExitError(report.ExitViolated)
	}
	return nil
}
