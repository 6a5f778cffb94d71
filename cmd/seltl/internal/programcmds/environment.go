package programcmds

import (
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/seltl/seltl/c/cfront"
	"github.com/seltl/seltl/c/checks"
	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/check/programs"
	"github.com/seltl/seltl/internal/cmdline"
)

// EnvironmentChoices are options that say what the surroundings of a C program do, without which a
// certificate is one of another program.
var EnvironmentChoices = []string{"malloc", "volatile"}

// environmentFlags say what a C program is to do with, and what a verdict about it may rest on.
func environmentFlags() []cli.Flag {
	return append(SurroundingFlags(),
		&cli.StringFlag{Name: "assume", Value: "all", Usage: "C: a verdict may rest on `WHAT`: all, none, or a list of " + strings.Join(programs.Assumables(), ", ") + "; one that rests on something else is unknown"})
}

// SurroundingFlags are those of them that make a program another one.
func SurroundingFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "malloc", Value: "succeeds", Usage: "C: malloc and calloc `DO`: succeeds, may-fail (they may give null); --check=null lets them fail, too, if nothing else is said"},
		&cli.StringFlag{Name: "volatile", Value: "input", Usage: "C: a volatile variable is `WHAT`: input (each read gives any value), plain (only the program changes it)"},
	}
}

// Surroundings are what the options say of those of a program.
func Surroundings(c *cli.Context, chosen systemOptions, o *cfront.Options) (err error) {
	if o.Memory, err = cmdline.ParseCount(c, "max-memory", 1024); err != nil {
		return err
	}
	if o.PlainVolatile, err = oneOf(c, chosen, "volatile", "input", "plain"); err != nil {
		return err
	}
	if o.MallocFails, err = oneOf(c, chosen, "malloc", "succeeds", "may-fail"); err != nil {
		return err
	}
	if chosen.One("malloc") == "" {
		kinds, _ := checks.Parse(chosen.One("check")) // LoadCAs says what is wrong with it
		o.MallocFails = slices.Contains(kinds, ir.CheckNull)
	}
	return nil
}
