package cmdline

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/internal/source"
)

// HelpWidth is as wide as help texts are: what is laid out by hand is no wider, and
// flags are wrapped, on narrower terminals at their width.
const HelpWidth = 80

// ShowTemplate renders a help template; flag prints a flag, wrapped.
func ShowTemplate(w io.Writer, text string, data any) {
	width := min(cmp.Or(TextWidth(w), HelpWidth), HelpWidth)
	cli.HelpPrinterCustom(w, text, data, map[string]any{"flag": func(f cli.Flag) string { return flagLine(f, width) }})
}

// flagLine is what is said of a flag, behind an indentation of three, for a screen of some
// width.
func flagLine(f cli.Flag, width int) string {
	names := f.Names()
	spelled := lists.Map(names, SpelledFlag)
	usage := ""
	if d, ok := f.(cli.DocGenerationFlag); ok {
		usage = d.GetUsage()
	}
	placeholder := ""
	if i := strings.IndexByte(usage, '`'); i >= 0 {
		if j := strings.IndexByte(usage[i+1:], '`'); j >= 0 {
			placeholder = usage[i+1 : i+1+j]
			usage = usage[:i] + placeholder + usage[i+j+2:]
		}
	}
	left := strings.Join(spelled, ", ")
	if placeholder != "" {
		left += " " + placeholder
	}
	start := ""
	if len(left) > flagColumn {
		start, left = left+"\n   ", ""
	}
	line := source.Wrap(fmt.Sprintf("%-*s %s", flagColumn+3, "   "+left, usage), width, flagColumn+4)
	return start + line[3:]
}

// flagColumn is where the explanations of flags begin.
const flagColumn = 28

func SpelledFlag(name string) string {
	if len(name) == 1 {
		return "-" + name
	}
	return "--" + name
}
