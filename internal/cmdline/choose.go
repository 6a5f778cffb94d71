package cmdline

import (
	"encoding"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/seltl/seltl/internal/source"
)

// Choice is a pointer to a value of an enumeration.
type Choice interface {
	encoding.TextUnmarshaler
	Names() []string
}

// Choose sets to to the value that the flag names. Some values may be no choice.
func Choose(c *cli.Context, flag string, to Choice, none ...string) error {
	name := c.String(flag)
	if slices.Contains(none, name) || to.UnmarshalText([]byte(name)) != nil {
		known := slices.DeleteFunc(to.Names(), func(n string) bool { return slices.Contains(none, n) })
		return NoChoice(c, flag, known)
	}
	return nil
}

// Switched reports whether the flag has the second of two values.
func Switched(c *cli.Context, flag, no, yes string) (bool, error) {
	switch c.String(flag) {
	case no:
		return false, nil
	case yes:
		return true, nil
	}
	return false, NoChoice(c, flag, []string{no, yes})
}

// NoChoice says what the flag could have been.
func NoChoice(c *cli.Context, flag string, known []string) error {
	name := c.String(flag)
	return &Error{Command: c.Command.Name, Text: fmt.Sprintf("--%s %s: one of %s is needed", flag, name, strings.Join(known, ", ")),
		Help: source.DidYouMean(name, known)}
}
