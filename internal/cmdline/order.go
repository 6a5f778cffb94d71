// Package cmdline is what every command of a program shares, in programs whose commands are those of
// urfave/cli: command lines are read as people write them (flags behind arguments, sizes with units,
// definitions of constants), files are written whole and never over an input, a signal ends waiting
// for a pipe, progress and reports go where the flags say, and errors have their exit statuses.
package cmdline

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/urfave/cli/v2"

	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/internal/source"
)

// Grammar is what Order needs to know of a program beside its commands.
type Grammar struct {
	Program string // its name
	Check   string // the command that checks a model, for who names a model in its place
	// Words are arguments that look like flags.
	Words []string
	// Optional are the flags whose value may be left out, by command and flag, with what is
	// meant then.
	Optional map[[2]string]string
}

// Error is a wrong command line: exit status 2 with a pointer to the help.
type Error struct {
	Command string // "" if it is not known
	Text    string
	Help    string // "" for none
}

func (e *Error) Error() string { return e.Text }

// Order puts the flags of a command line before its other arguments, because
// urfave/cli (as package flag) stops at the first argument that is no flag, and
// people write `seltl verify model.lks "G p" --json`. It also accepts -DN=9 for
// -D N=9, -j4 for -j 4, so for every flag of one letter, and gives flags with an optional value their default.
//
// Everything behind "--" is an argument; "-" is one (standard input). The error is an *Error.
func (g *Grammar) Order(app *cli.App, args []string) ([]string, error) {
	if len(args) == 0 {
		return []string{g.Program}, nil
	}
	rest := args[1:]
	// The command is the first word that is no flag.
	at := 0
	for at < len(rest) && strings.HasPrefix(rest[at], "-") {
		at++
	}
	if slices.ContainsFunc(rest[:at], isHelp) {
		return []string{args[0], "help"}, nil
	}
	if at == len(rest) {
		return args, nil
	}
	command := app.Command(rest[at])
	early := rest[:at]
	switch {
	case slices.Contains(early, "--version") || slices.Contains(early, "-v"):
		return []string{args[0], "--version"}, nil // as without a command
	case command == nil && (rest[at] == "help" || rest[at] == "h"): // urfave/cli adds it later
		return append([]string{args[0]}, rest[at:]...), nil
	case command == nil:
		return nil, g.UnknownCommand(app, rest[at])
	}
	// Flags in front of the command are the command's.
	flags := g.flagTable(command)
	return g.order(args[0], command, flags, slices.Concat(early, rest[at+1:]))
}

// order puts what follows a command in order.
func (g *Grammar) order(program string, command *cli.Command, flags map[string]flagShape, words []string) ([]string, error) {
	ordered := []string{program, command.Name}
	var operands []string
	process := false
	given := map[string]string{} // the name that was used of each flag
	twoForms := func(flag flagShape, name string) error {
		if before := given[flag.name]; before != "" && before != name {
			return &Error{command.Name, fmt.Sprintf("%s and %s are two forms of one flag", spelled(before), spelled(name)), "one of them"}
		}
		given[flag.name] = name
		return nil
	}
	for i := 0; i < len(words); i++ {
		word := words[i]
		if word == "--" {
			operands = append(operands, words[i+1:]...)
			break
		}
		if isHelp(word) {
			return []string{program, "help", command.Name}, nil
		}
		if len(word) < 2 || word[0] != '-' || slices.Contains(g.Words, word) {
			operands = append(operands, word)
			continue
		}
		if joined := strings.HasPrefix(word, "-D") || word[1] != '-' && strings.Trim(word[2:], "0123456789") == ""; joined && len(word) > 2 && flags[word[1:2]].takesValue {
			if err := twoForms(flags[word[1:2]], word[1:2]); err != nil {
				return nil, err
			}
			ordered = append(ordered, word[:2], word[2:])
			continue
		}
		name, _, hasValue := strings.Cut(strings.TrimLeft(word, "-"), "=")
		flag, ok := flags[name]
		if !ok {
			return nil, &Error{command.Name, fmt.Sprintf("unknown flag %s of `%s %s`", word, g.Program, command.Name), suggestFlag(name, flags)}
		}
		if name == "process" || name == "p" && flag.takesValue {
			if process {
				return nil, &Error{command.Name, "--process is given twice", "one process at a time: a command for each"}
			}
			process = true
		}
		if err := twoForms(flag, name); err != nil {
			return nil, err
		}
		switch {
		case hasValue || !flag.takesValue:
			ordered = append(ordered, word)
		case flag.optional != "":
			// An optional value is recognised by its percent signs.
			if i+1 < len(words) && strings.Contains(words[i+1], "%") {
				i++
				ordered = append(ordered, "--"+name+"="+words[i])
			} else {
				ordered = append(ordered, "--"+name+"="+flag.optional)
			}
		case i+1 == len(words):
			return nil, &Error{Command: command.Name, Text: fmt.Sprintf("flag %s needs a value", word)}
		default:
			i++
			ordered = append(ordered, word, words[i])
		}
	}
	ordered = append(ordered, "--")
	return append(ordered, operands...), nil
}

// spelled is a flag's name as people write it.
func spelled(name string) string {
	if len(name) == 1 {
		return "-" + name
	}
	return "--" + name
}

func isHelp(word string) bool { return word == "--help" || word == "-help" || word == "-h" }

type flagShape struct {
	name       string // the first of its names
	takesValue bool
	optional   string // default of a value that may be left out, "" if it may not
}

// flagTable returns the shapes of a command's flags by their names, and makes them flags that
// know theirs.
func (g *Grammar) flagTable(command *cli.Command) map[string]flagShape {
	command.Flags = named(command.Flags)
	table := map[string]flagShape{}
	for _, f := range command.Flags {
		_, isBool := KindOf(f).(*cli.BoolFlag)
		for _, name := range f.Names() {
			table[name] = flagShape{name: f.Names()[0], takesValue: !isBool, optional: g.Optional[[2]string{command.Name, name}]}
		}
	}
	return table
}

// namedFlag is a flag that knows its names. Those of urfave/cli take them apart by a regular
// expression whenever they are asked, which is once for each other flag of the command.
type namedFlag struct {
	everyFlag
	names []string
}

// everyFlag is what urfave/cli looks for in flags.
type everyFlag interface {
	cli.Flag
	cli.RequiredFlag
	cli.DocGenerationFlag
	cli.VisibleFlag
	cli.CategorizableFlag
}

func (f *namedFlag) Names() []string { return f.names }

// named returns the flags as ones that know their names, but for those of several values, which urfave/cli asks
// whether commas separate them (they do not: -D NAME=TEXT may have some).
func named(flags []cli.Flag) []cli.Flag {
	out := make([]cli.Flag, len(flags))
	for i, f := range flags {
		out[i] = f
		if _, several := f.(*cli.StringSliceFlag); several {
			continue
		}
		if every, ok := f.(everyFlag); ok {
			out[i] = &namedFlag{every, f.Names()}
		}
	}
	return out
}

// KindOf returns a flag of urfave/cli, whose type says what its values are.
func KindOf(f cli.Flag) cli.Flag {
	if n, ok := f.(*namedFlag); ok {
		return n.everyFlag
	}
	return f
}

// badValue is what package flag says of a value that it cannot read.
var badValue = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^invalid (?:boolean )?value "(.*)" for (?:flag )?-([^:]+):`)
})

// Usage says what is wrong with a value that package flag could not read, and what is needed
// in its place.
func Usage(command *cli.Command, err error) *Error {
	wrong := &Error{Command: command.Name, Text: err.Error()}
	m := badValue().FindStringSubmatch(err.Error())
	if m == nil {
		return wrong
	}
	name := spelled(m[2])
	for _, f := range command.Flags {
		if !slices.Contains(f.Names(), m[2]) {
			continue
		}
		switch KindOf(f).(type) {
		case *cli.DurationFlag:
			wrong.Text = fmt.Sprintf("%s %s: a time is needed, such as 30s or 5m", name, m[1])
		case *cli.BoolFlag:
			wrong.Text = fmt.Sprintf("%s=%s: true or false is needed", name, m[1])
		case *cli.IntFlag, *cli.Uint64Flag:
			wrong.Text = fmt.Sprintf("%s %s: a number is needed", name, m[1])
		}
	}
	return wrong
}

// UnknownCommand is the error for a command that the program does not have.
func (g *Grammar) UnknownCommand(app *cli.App, name string) error {
	known := lists.Append(nil, app.VisibleCommands(), func(c *cli.Command) string { return c.Name })
	err := &Error{Text: fmt.Sprintf("unknown command %q", name), Help: source.DidYouMean(name, known)}
	if strings.Contains(name, ".") {
		err.Help = fmt.Sprintf("to check a model, write `%s %s %s`", g.Program, g.Check, name)
	}
	return err
}

// suggestFlag says which flag may have been meant: a short name is near to
// too many, but for those with its first letter.
func suggestFlag(name string, flags map[string]flagShape) string {
	near := lists.Filter(flagNames(flags), func(known string) bool { return len(name) > 3 || name != "" && known[2] == name[0] })
	return source.DidYouMean("--"+name, near)
}

func flagNames(flags map[string]flagShape) []string {
	names := make([]string, 0, len(flags))
	for name := range flags {
		if len(name) > 1 {
			names = append(names, "--"+name)
		}
	}
	slices.Sort(names)
	return names
}
