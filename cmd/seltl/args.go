package main

import (
	"errors"

	"github.com/urfave/cli/v2"

	"github.com/seltl/seltl/internal/cmdline"
)

var grammar = cmdline.Grammar{
	Program: "seltl",
	Check:   "verify",
	Words:   loneOperators,
	Optional: map[[2]string]string{
		{"translate", "stats"}:  defaultStatsFormat,
		{"automaton", "stats"}:  "%F: %s states, %e edges, %a acceptance sets (%g), deterministic: %d, %r s",
		{"formula", "simplify"}: "all", {"formula", "relabel"}: "pnn", {"formula", "relabel-bool"}: "pnn", {"formula", "unique"}: "formula",
		{"formula", "from-ltlf"}: "alive",
	},
}

// orderArgs is a command line as urfave/cli wants it.
func orderArgs(app *cli.App, args []string) ([]string, error) {
	ordered, err := grammar.Order(app, args)
	return ordered, asUsage(err)
}

func unknownCommand(app *cli.App, name string) error {
	return asUsage(grammar.UnknownCommand(app, name))
}

// asUsage returns what is wrong with a command line as an error of this command.
func asUsage(err error) error {
	var wrong *cmdline.Error
	if errors.As(err, &wrong) {
		return &usageError{command: wrong.Command, text: wrong.Text, help: wrong.Help}
	}
	return err
}
