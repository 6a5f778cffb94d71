package main

import (
	"slices"
	"strings"

	"github.com/seltl/seltl/internal/cmdline"

	"github.com/urfave/cli/v2"

	"github.com/seltl/seltl/c/cfront"
	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/internal/source"
)

// environmentChoices are options that say what the surroundings of a C program do, without which a
// certificate is one of another program.
var environmentChoices = []string{"malloc", "volatile"}

// environmentFlags say what a C program is to do with, and what a verdict about it may rest on.
func environmentFlags() []cli.Flag {
	return append(surroundingFlags(),
		&cli.StringFlag{Name: "assume", Value: "all", Usage: "C: a verdict may rest on `WHAT`: all, none, or a list of " + strings.Join(check.Assumables(), ", ") + "; one that rests on something else is unknown"})
}

// surroundingFlags are those of them that make a program another one.
func surroundingFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "malloc", Value: "succeeds", Usage: "C: malloc and calloc `DO`: succeeds, may-fail (they may give null); --check=null lets them fail, too, if nothing else is said"},
		&cli.StringFlag{Name: "volatile", Value: "input", Usage: "C: a volatile variable is `WHAT`: input (each read gives any value), plain (only the program changes it)"},
	}
}

// surroundings are what the options say of those of a program.
func surroundings(c *cli.Context, chosen systemOptions, o *cfront.Options) (err error) {
	if o.PlainVolatile, err = oneOf(c, chosen, "volatile", "input", "plain"); err != nil {
		return err
	}
	if o.MallocFails, err = oneOf(c, chosen, "malloc", "succeeds", "may-fail"); err != nil {
		return err
	}
	if chosen.one("malloc") == "" {
		o.MallocFails = slices.Contains(strings.Split(chosen.one("check"), ","), "null")
	}
	return nil
}

// assume is what verdicts may rest on: nil is all.
func assume(c *cli.Context) ([]string, error) {
	switch list := c.String("assume"); list {
	case "", "all":
		return nil, nil
	case "none":
		return []string{}, nil
	default:
		names := strings.Split(list, ",")
		for _, name := range names {
			if known := check.Assumables(); !slices.Contains(known, name) {
				return nil, &cmdline.Error{Command: c.Command.Name, Text: "--assume=" + list + ": there is no assumption " + name, Help: source.DidYouMean(name, known)}
			}
		}
		return names, nil
	}
}
