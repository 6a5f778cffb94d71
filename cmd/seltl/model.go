package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/seltl/seltl/check"
)

// open opens a file by its name, or standard input for "-".
func (s streams) open(name string) (io.ReadCloser, error) {
	return s.opened.From(func(name string) (io.ReadCloser, error) {
		if name == "-" {
			return io.NopCloser(s.standardIn()), nil
		}
		if err := s.files.reads(name); err != nil {
			return nil, err
		}
		if s.source != nil {
			return s.source(name)
		}
		return s.openFile(name)
	})(name)
}

// path is where a file is, by its name.
func (s streams) path(name string) string {
	if s.folder == "" || filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(s.folder, name)
}

// twoModels is the error of a command line with a second model.
func twoModels(c *cli.Context, second string) error {
	first := c.Args().First()
	return &usageError{command: c.Command.Name, text: fmt.Sprintf("one model at a time: %s and %s are two", first, second),
		help: fmt.Sprintf("a command for each; to compare them: seltl equivalent %s %s", first, second)}
}

// loadModel reads the model that the first argument names.
func loadModel(c *cli.Context, s streams) (*check.Model, error) {
	name := c.Args().First()
	if name == "" {
		return nil, usagef(c, "no model: name a .lks, .lts, .fsp or .aut file, or - for standard input")
	}
	if name == "-" && slices.Contains(c.StringSlice("formula-file"), "-") {
		return nil, usagef(c, "model and formulas cannot both come from standard input")
	}
	return loadFile(c, s, name, c.String("process"))
}

// loadFile reads a model file and compiles a process of it, "" for the default.
func loadFile(c *cli.Context, s streams, name, process string) (*check.Model, error) {
	params, err := constants(c)
	if err != nil {
		return nil, err
	}
	l, err := limits(c)
	if err != nil {
		return nil, err
	}
	m, err := check.Load(c.Context, name, check.LoadOptions{Process: process, Params: params, Open: s.open, Limits: l})
	return m, otherKind(c, err)
}

// otherKind names the command for a file that this one cannot read.
func otherKind(c *cli.Context, err error) error {
	var other *check.OtherKind
	switch {
	case !errors.As(err, &other):
		return err
	case other.System && filepath.Ext(other.File) == ".clp":
		return &usageError{command: c.Command.Name, text: other.File + ": this is a query for `seltl clp`, by its name", help: "seltl clp " + other.File}
	case other.System:
		return &usageError{command: c.Command.Name, text: other.File + ": this is a system for `seltl reach`, by its name", help: "seltl reach " + other.File}
	}
	return &usageError{command: c.Command.Name, text: other.Error(), help: "seltl verify " + other.File}
}
