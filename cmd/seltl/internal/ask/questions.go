package ask

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/internal/cmdline"
)

// What verify and its kind ask of a model: formulas, declarations and automata.

// Questions returns what is to be verified: the formulas of the command line, or
// the declarations of the file.
func Questions(c *cli.Context, s cmdline.Streams, m *check.Model) ([]check.Question, error) {
	opts, err := m.ParseOptions()
	if err != nil {
		return nil, err
	}
	if c.Bool("finite-words") {
		opts.Finite = check.FiniteRuns()
		if c.IsSet("finite") && c.String("finite") != "stutter" {
			return nil, cmdline.Usagef(c, "--finite-words is about runs that end, and --finite=%s leaves them out", c.String("finite"))
		}
		if c.IsSet("automaton") || c.IsSet("property") {
			return nil, cmdline.Usagef(c, "--finite-words is for formulas of the command line: declarations and automata are about infinite runs")
		}
	}
	formulas, err := ReadFormulas(c, s, c.Args().Tail(), c.StringSlice("formula-file"), opts)
	if err != nil {
		return nil, err
	}
	var qs []check.Question
	for _, f := range formulas {
		ask := m.AskParsed
		if opts.Finite != nil {
			ask = m.AskFinite
		}
		q, err := ask(f.Text, f.Formula, f.At)
		if err != nil {
			return nil, err
		}
		qs = append(qs, q)
	}
	automata, err := askedAutomata(c, s, m)
	if err != nil {
		return nil, err
	}
	qs = append(qs, automata...)
	if opts.Finite != nil && len(qs) == 0 {
		return nil, cmdline.Usagef(c, "--finite-words needs a formula")
	}
	wanted := c.StringSlice("property")
	if len(qs) == 0 || len(wanted) > 0 {
		declared, err := m.Declared(wanted...)
		if err != nil {
			return nil, err
		}
		qs = append(qs, declared...)
	}
	if len(qs) == 0 {
		cmdline.ShowWarnings(c, s, m.Warnings())
		return nil, &check.InputError{Code: "no-property", File: m.File,
			Text: fmt.Sprintf("%s: no property of %s to verify: give a formula, or declare one in the file (ltl NAME = formula)", m.File, m.Process)}
	}
	return qs, nil
}

// askedAutomata returns the properties that automata of files say.
func askedAutomata(c *cli.Context, s cmdline.Streams, m *check.Model) (qs []check.Question, err error) {
	files, how := c.StringSlice("automaton"), check.AutoReading
	switch positive, negative := c.Bool("positive"), c.Bool("negative"); {
	case positive && negative:
		return nil, cmdline.Usagef(c, "--positive and --negative exclude each other")
	case (positive || negative) && len(files) == 0:
		return nil, cmdline.Usagef(c, "--positive and --negative say how automata are read: give --automaton FILE")
	case positive:
		how = check.Positive
	case negative:
		how = check.Negative
	}
	for _, name := range files {
		src, err := check.ReadSource(name, s.Open)
		if err != nil {
			return nil, err
		}
		asked, err := m.AskAutomata(src, how)
		if err != nil {
			return nil, err
		}
		qs = append(qs, asked...)
	}
	return qs, nil
}

func VerifyOptions(c *cli.Context) (check.Verification, error) {
	var opts check.Verification
	var err error
	if _, err = cmdline.Limits(c); err != nil {
		return opts, err
	}
	for _, flag := range []struct {
		name string
		to   cmdline.Choice
	}{
		{"finite", &opts.Finite}, {"emptiness", &opts.Emptiness}, {"fair", &opts.Fair},
		{"por", &opts.POR}, {"reduce", &opts.Reduce},
	} {
		if flag.name == "fair" && c.String("fair") == "" {
			continue
		}
		if err := cmdline.Choose(c, flag.name, flag.to); err != nil {
			return opts, err
		}
	}
	if opts.Symmetry, err = cmdline.Switched(c, "symmetry", "off", "on"); err != nil {
		return opts, err
	}
	opts.Shortest, opts.Explain = c.Bool("shortest"), c.Bool("explain") || c.String("html") != ""
	opts.Vacuity = c.Bool("vacuity")
	engine, err := cmdline.EngineOptions(c)
	opts.Store, opts.StoreBytes, opts.Seed, opts.Workers = engine.Store, engine.StoreBytes, engine.Seed, engine.Workers
	switch {
	case err != nil:
	case opts.Workers > 1 && opts.Emptiness.OneWorker():
		err = &cmdline.Error{Command: c.Command.Name, Text: fmt.Sprintf("--workers %d: the search by %s has one worker", opts.Workers, opts.Emptiness.About()),
			Help: "--emptiness=ndfs, or leave one of them out"}
	}
	return opts, err
}
