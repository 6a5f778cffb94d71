package main

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/seltl/seltl/internal/source"
)

// orderArgs puts the flags of a command before its other arguments, because urfave/cli stops
// at the first one that is no flag, and people write `run model.lks "G p" --json`. -DN=9 is
// -D N=9. Behind "--" everything is an argument.
func orderArgs(app *cli.App, args []string) ([]string, error) {
	if len(args) < 2 || strings.HasPrefix(args[1], "-") {
		return args, nil
	}
	command := app.Command(args[1])
	if command == nil {
		if args[1] == "help" || args[1] == "h" {
			return args, nil
		}
		var names []string
		for _, c := range app.Commands {
			names = append(names, c.Name)
		}
		return nil, &usageError{"there is no command " + args[1], source.DidYouMean(args[1], names)}
	}
	takesValue := map[string]bool{}
	for _, f := range command.Flags {
		_, isBool := f.(*cli.BoolFlag)
		for _, name := range f.Names() {
			takesValue[name] = !isBool
		}
	}
	ordered, operands := []string{args[0], args[1]}, []string{"--"}
	words := args[2:]
	for i := 0; i < len(words); i++ {
		word := words[i]
		if word == "--" {
			operands = append(operands, words[i+1:]...)
			break
		}
		if len(word) < 2 || word[0] != '-' {
			operands = append(operands, word)
			continue
		}
		if strings.HasPrefix(word, "-D") && len(word) > 2 && takesValue["D"] {
			ordered = append(ordered, "-D", word[2:])
			continue
		}
		name, _, hasValue := strings.Cut(strings.TrimLeft(word, "-"), "=")
		needs, known := takesValue[name]
		switch {
		case name == "help" || name == "h":
			return []string{args[0], "help", command.Name}, nil
		case !known:
			var names []string
			for n := range takesValue {
				names = append(names, n)
			}
			return nil, &usageError{fmt.Sprintf("unknown flag %s of seltl-cluster %s", word, command.Name), source.DidYouMean(name, names)}
		case hasValue || !needs:
			ordered = append(ordered, word)
		case i+1 == len(words):
			return nil, usagef("flag %s needs a value", word)
		default:
			i++
			ordered = append(ordered, word, words[i])
		}
	}
	return append(ordered, operands...), nil
}
