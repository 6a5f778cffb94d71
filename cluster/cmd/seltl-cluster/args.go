package main

import (
	"errors"

	"github.com/urfave/cli/v2"

	"github.com/seltl/seltl/internal/cmdline"
)

var grammar = cmdline.Grammar{Program: "seltl-cluster", Check: "run"}

// orderArgs is a command line as urfave/cli wants it.
func orderArgs(app *cli.App, args []string) ([]string, error) {
	ordered, err := grammar.Order(app, args)
	return ordered, asUsage(err)
}

// asUsage returns what is wrong with a command line as an error of this command.
func asUsage(err error) error {
	var wrong *cmdline.Error
	if errors.As(err, &wrong) {
		return &usageError{wrong.Text, wrong.Help}
	}
	return err
}
