package ask

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/internal/cmdline"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/ltl"
)

// Formulas that are given as arguments, in files, or on standard input.

// FormulaText is a formula as it was written.
type FormulaText struct {
	Text    string
	Formula *ltl.Formula
	At      source.Span // in its file, nowhere without one
}

// ReadFormulas reads the formulas of the arguments and of formula files. All
// wrong ones are reported together.
func ReadFormulas(c *cli.Context, s cmdline.Streams, args, files []string, opts ltl.ParseOptions) ([]FormulaText, error) {
	var formulas []FormulaText
	var bad source.List
	for i, text := range args {
		name := "<formula>"
		if len(args) > 1 {
			name = fmt.Sprintf("<formula %d>", i+1)
		}
		f, err := ltl.Parse(source.NewFile(name, text), opts)
		if err != nil {
			if source.KindOf(text).Model() && cmdline.IsFile(s.Path(text)) && c.Command.Name == "verify" {
				return nil, TwoModels(c, text)
			}
			if source.KindOf(text).Model() && !strings.ContainsAny(text, " ()[]<>!&|") {
				return nil, &check.InputError{Code: "no-such-file", File: text, Text: fmt.Sprintf("%s: no such file%s; and it is no formula", text, check.SuggestFile(text)),
					Help: "one model comes first, then formulas"}
			}
			if help := Misplaced(s, args, text, opts); help != "" {
				return nil, &cmdline.Error{Command: c.Command.Name, Text: fmt.Sprintf("%q is no formula", text), Help: help}
			}
			if err := Collect(&bad, err); err != nil {
				return nil, err
			}
			continue
		}
		formulas = append(formulas, FormulaText{Text: text, Formula: f})
	}
	for _, name := range files {
		src, err := check.ReadSource(name, s.Open)
		if err != nil {
			return nil, err
		}
		located, err := ltl.ParseAll(src, opts)
		if err != nil {
			if err := Collect(&bad, err); err != nil {
				return nil, err
			}
		} else if len(located) == 0 {
			return nil, fmt.Errorf("%s: no formula in it", src.Name())
		}
		for _, l := range located {
			formulas = append(formulas, FormulaText{strings.TrimSpace(l.Span.Text()), l.Formula, l.Span})
		}
	}
	return formulas, bad.Err()
}

// LoneOperators are no formulas, but words of one that was not quoted.
var LoneOperators = []string{"G", "F", "X", "U", "W", "R", "M", "!", "-", "->", "<->", "=>", "[]", "<>", "and", "or", "not"}

// Misplaced says what is wrong with the arguments where one is no formula: the
// quotes were forgotten, or a file stands where a formula should. It returns ""
// if it is the formula itself.
func Misplaced(s cmdline.Streams, args []string, text string, opts ltl.ParseOptions) string {
	if info, err := os.Stat(s.Path(text)); err == nil && !info.IsDir() {
		return "this is a file; the model comes first, then formulas; formulas in a file: -F " + text
	}
	if len(args) > 1 {
		whole := strings.Join(args, " ")
		if _, err := ltl.Parse(source.NewFile("<formula>", whole), opts); err == nil {
			return fmt.Sprintf("put the formula in quotes: %q", whole)
		}
		// "G a -> F b" without quotes: the shell has taken "> F" for itself.
		if slices.ContainsFunc(args, func(arg string) bool { return slices.Contains(LoneOperators, arg) }) {
			return "put the whole formula in quotes: \"G(a -> F b)\"; the shell reads > | & ( for itself"
		}
	}
	return ""
}

// Collect adds the diagnostics of an error to the list; another error it returns.
func Collect(list *source.List, err error) error {
	var l source.List
	if !errors.As(err, &l) {
		return err
	}
	*list = append(*list, l...)
	return nil
}
