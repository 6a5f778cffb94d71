package main

import (
	"encoding"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/product"
)

// choice is a pointer to a value of an enumeration.
type choice interface {
	encoding.TextUnmarshaler
	Names() []string
}

// choose sets to to the value that the flag names. Some values may be no choice.
func choose(c *cli.Context, flag string, to choice, none ...string) error {
	name := c.String(flag)
	if slices.Contains(none, name) || to.UnmarshalText([]byte(name)) != nil {
		known := slices.DeleteFunc(to.Names(), func(n string) bool { return slices.Contains(none, n) })
		return noChoice(c, flag, known)
	}
	return nil
}

// switched reports whether the flag has the second of two values.
func switched(c *cli.Context, flag, no, yes string) (bool, error) {
	switch c.String(flag) {
	case no:
		return false, nil
	case yes:
		return true, nil
	}
	return false, noChoice(c, flag, []string{no, yes})
}

// noChoice says what the flag could have been.
func noChoice(c *cli.Context, flag string, known []string) error {
	name := c.String(flag)
	return &usageError{command: c.Command.Name, text: fmt.Sprintf("--%s %s: one of %s is needed", flag, name, strings.Join(known, ", ")),
		help: source.DidYouMean(name, known)}
}

// searches lists the ways to search, with what they are.
func searches() string {
	var list []string
	for _, name := range product.AutoSearch.Names()[1:] {
		var e product.Emptiness
		if err := e.UnmarshalText([]byte(name)); err != nil {
			panic(err)
		}
		list = append(list, fmt.Sprintf("%s (%s)", name, e.About()))
	}
	return strings.Join(append(list, product.AutoSearch.String()), ", ")
}
