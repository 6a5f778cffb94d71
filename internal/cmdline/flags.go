package cmdline

import (
	"context"
	"errors"
	"runtime/debug"

	"github.com/urfave/cli/v2"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/lists"
)

// Flags that several commands share.

func ModelFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "process", Aliases: []string{"p"}, Usage: "check process `NAME` (default: the last composite of the file, else its only process, else all processes in parallel)"},
		&cli.StringSliceFlag{Name: "D", Usage: "set the constant or parameter `NAME=VALUE` of the model; may be repeated"},
	}
}

func LimitFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "max-states", Usage: "stop a search with unknown after `N` states (1000000, 1e6, 50M); several workers and large searches count them every few thousand"},
		&cli.StringFlag{Name: "max-memory", Usage: "stop with unknown when `SIZE` of memory is in use (500M, 8G)"},
		&cli.DurationFlag{Name: "timeout", Usage: "stop the whole run with unknown after `TIME` (30s, 5m)"},
		&cli.StringFlag{Name: "cpuprofile", Usage: "write a processor profile (for go tool pprof) to `FILE`"},
	}
}

func OutputFlags() []cli.Flag {
	flags := lists.Append(nil, outputForms, func(f outputForm) cli.Flag { return &cli.BoolFlag{Name: f.flag, Usage: f.usage} })
	return append(flags,
		HTMLFlag(), ColorFlag(),
		&cli.BoolFlag{Name: "quiet", Aliases: []string{"q"}, Usage: "print one line a result; no progress, no warnings"},
		NoWarningsFlag())
}

// Limits reads limitFlags.
func Limits(c *cli.Context) (budget.Limits, error) {
	var l budget.Limits
	var err error
	if l.States, err = ParseCount(c, "max-states", 1000); err != nil {
		return l, err
	}
	if l.Memory, err = ParseCount(c, "max-memory", 1024); err != nil {
		return l, err
	}
	if l.Time = c.Duration("timeout"); l.Time < 0 || c.IsSet("timeout") && l.Time == 0 {
		return l, Usagef(c, "--timeout %v: a positive time is needed, such as 30s or 5m", c.Duration("timeout"))
	}
	return l, nil
}

// Timed gives a command the time of --timeout for all that it does: loading, and every
// property, and the collector of garbage the memory of --max-memory. Translations, and the checks
// of a server, have that time each.
func Timed(action cli.ActionFunc) cli.ActionFunc {
	return func(c *cli.Context) error {
		if d := c.Duration("timeout"); d > 0 && c.Command.Name != "translate" && c.Command.Name != "serve" {
			var cancel context.CancelFunc
			c.Context, cancel = context.WithTimeout(c.Context, d)
			defer cancel()
		}
		// The limit is about what is in use; garbage is to be no more than half of that.
		if memory, err := ParseCount(c, "max-memory", 1024); err == nil && memory > 0 && c.Command.Name != "serve" {
			before := debug.SetMemoryLimit(-1)
			debug.SetMemoryLimit(min(before, memory/2*3))
			defer debug.SetMemoryLimit(before)
		}
		return action(c)
	}
}

// ParseCount reads a number with an optional unit K, M, G or T (powers of unit).
func ParseCount(c *cli.Context, name string, unit float64) (int64, error) {
	if !c.IsSet(name) {
		return 0, nil
	}
	value, ok := Number(c.String(name), unit)
	if !ok {
		return 0, Usagef(c, "--%s %s: a positive number is needed, such as 500000, 20M or 2G", name, c.String(name))
	}
	return value, nil
}

// Constants reads the -D flags.
func Constants(c *cli.Context) (map[string]int, error) {
	values, err := Definitions(c.StringSlice("D"))
	if wrong, ok := errors.AsType[*Error](err); ok {
		return nil, Usagef(c, "%s", wrong.Text)
	}
	return values, err
}

func Concat(lists ...[]cli.Flag) []cli.Flag {
	var all []cli.Flag
	for _, l := range lists {
		all = append(all, l...)
	}
	return all
}

// OnlyFor refuses flags that are set and are not for what is asked about.
func OnlyFor(c *cli.Context, names []string, what string) error {
	for _, name := range names {
		if c.IsSet(name) {
			return Usagef(c, "%s is for %s", SpelledFlag(name), what)
		}
	}
	return nil
}

// NamesOfFlags are the names of flags.
func NamesOfFlags(flags []cli.Flag) (all []string) {
	return lists.Append(nil, flags, func(f cli.Flag) string { return f.Names()[0] })
}
