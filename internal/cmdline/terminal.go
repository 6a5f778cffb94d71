package cmdline

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/schollz/progressbar/v3"
	"github.com/urfave/cli/v2"
	"golang.org/x/term"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/report"
)

func IsTerminal(w any) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// Obeys reports whether an output is a terminal that control characters mean something
// to.
func Obeys(w any) bool { return IsTerminal(w) && os.Getenv("TERM") != "dumb" }

// Colorful reports whether an output is to have colours: as --color says, or else as NO_COLOR,
// CLICOLOR_FORCE and CLICOLOR do, or else if it is a terminal that knows them.
func Colorful(c *cli.Context, w io.Writer) bool {
	force := os.Getenv("CLICOLOR_FORCE")
	switch {
	case c.String("color") == "always":
		return true
	case c.String("color") == "never" || os.Getenv("NO_COLOR") != "":
		return false
	case force != "" && force != "0":
		return true
	}
	return Obeys(w) && os.Getenv("CLICOLOR") != "0"
}

func ColorFlag() cli.Flag {
	return &cli.StringFlag{Name: "color", Value: "auto", Usage: "`WHEN` verdicts have colours: auto (on a terminal, unless NO_COLOR or CLICOLOR say otherwise, or CLICOLOR_FORCE), always, never"}
}

// checkColor refuses other values of --color.
func checkColor(c *cli.Context) error {
	if when := c.String("color"); when != "" && !slices.Contains([]string{"auto", "always", "never"}, when) {
		return &Error{Command: c.Command.Name, Text: fmt.Sprintf("--color %s: one of auto, always, never is needed", when),
			Help: source.DidYouMean(when, []string{"auto", "always", "never"})}
	}
	return nil
}

// Of terminals that do not know how wide they are, and of the narrowest that text is
// still wrapped for.
const (
	usualWidth    = 80
	smallestWidth = 30
)

// TextWidth returns how many columns a terminal has, and 0 for what is none: there
// lines are as long as they are.
func TextWidth(w any) int {
	if n := screenWidth(w); n > 0 {
		return max(n, smallestWidth)
	}
	return 0
}

// screenWidth is textWidth without a smallest value.
func screenWidth(w any) int {
	if !IsTerminal(w) {
		return 0
	}
	width, _, err := term.GetSize(int(w.(*os.File).Fd()))
	if err != nil || width <= 0 {
		return usualWidth
	}
	return width
}

// Say writes a message to the error output, wrapped on a terminal; what does not fit is
// indented by hang.
func (s Streams) Say(hang int, format string, args ...any) {
	fmt.Fprintln(s.Err, source.Wrap(fmt.Sprintf(format, args...), TextWidth(s.Err), hang))
}

// Progress returns the function that shows how far a search is: a line that
// rewrites itself on a terminal, plain lines elsewhere; nil if not wanted.
func Progress(c *cli.Context, s Streams) (show func(budget.Progress), done func()) {
	width := func() int { return screenWidth(s.Err) }
	bounds, _ := Limits(c) // a command that reads them refuses wrong ones
	switch {
	case c.Bool("quiet"):
		return nil, func() {}
	case Obeys(s.Err):
		return progressLine(s.Err, bounds, width)
	}
	return progressLines(s.Err, bounds, width), func() {}
}

// progressLines writes a line every second at first, and every ten once it is clear that
// this takes long.
func progressLines(w io.Writer, bounds budget.Limits, width func() int) func(budget.Progress) {
	const prefix = "seltl: "
	var last time.Duration
	return func(p budget.Progress) {
		if p.Elapsed-last < 10*time.Second && p.Elapsed > 10*time.Second {
			return
		}
		last = p.Elapsed
		room := 0
		if n := width(); n > 0 {
			room = max(n-len(prefix), 1)
		}
		fmt.Fprintf(w, "%s%s\n", prefix, progressText(p, bounds, room))
	}
}

// progressLine writes one line that rewrites itself.
func progressLine(w io.Writer, bounds budget.Limits, width func() int) (show func(budget.Progress), done func()) {
	// The bar puts a spinner before the text and blanks behind it, and the line must not
	// end in the last column, where some terminals begin the next one.
	const decoration = 6
	var bar *progressbar.ProgressBar
	return func(p budget.Progress) {
			if bar == nil {
				bar = progressbar.NewOptions(-1, progressbar.OptionSetWriter(w), progressbar.OptionClearOnFinish(), progressbar.OptionSpinnerType(14), progressbar.OptionSetElapsedTime(false))
			}
			bar.Describe(progressText(p, bounds, max(cmp.Or(width(), usualWidth)-decoration, 1)))
			_ = bar.Add(1)
		}, func() {
			if bar != nil {
				_ = bar.Finish()
			}
		}
}

// manyStates take so much memory that the rest of the program's does not count.
const manyStates = 1 << 20

// progressText says how far a search is, in at most width columns (0: any number): what
// matters least is left out first, and nothing is cut.
func progressText(p budget.Progress, bounds budget.Limits, width int) string {
	type part struct {
		text string
		rank int // the highest goes first
	}
	parts := []part{
		{p.Phase + ": ", 1},
		{report.Counted(p.States, "state"), 0},
	}
	if p.Transitions > 0 {
		parts = append(parts, part{", " + report.Counted(p.Transitions, "transition"), 5})
	}
	if p.Rounds > 0 || p.Predicates > 0 {
		parts = append(parts, part{", " + report.Counted(p.Rounds, "refinement"), 5})
	}
	if p.Predicates > 0 {
		parts = append(parts, part{", " + report.Counted(p.Predicates, "predicate"), 5})
	}
	if p.Depth > 0 {
		parts = append(parts, part{", depth " + report.Group(p.Depth), 6})
	}
	if seconds := p.Elapsed.Seconds(); seconds > 0 && p.States > 0 {
		parts = append(parts, part{", " + report.Group(int64(float64(p.States)/seconds)) + " states/s", 7})
	}
	if p.Memory > 0 {
		parts = append(parts, part{", " + budget.FormatBytes(p.Memory), 3})
		if p.States >= manyStates {
			parts = append(parts, part{fmt.Sprintf(" (%.1f bytes/state)", float64(p.Memory)/float64(p.States)), 8})
		}
	}
	parts = append(parts, part{", " + p.Elapsed.Round(time.Second).String(), 2})
	if left := leftFor(p, bounds); left >= 0 {
		parts = append(parts, part{", at most " + left.Round(time.Second).String() + " more", 4})
	}
	for keep := 8; keep >= 0; keep-- {
		text := ""
		for _, part := range parts {
			if part.rank <= keep {
				text += part.text
			}
		}
		if width <= 0 || utf8.RuneCountInString(text) <= width {
			return text
		}
	}
	for _, text := range []string{rounded(p.States) + " states", rounded(p.States)} {
		if len(text) <= width {
			return text
		}
	}
	return ""
}

// rounded is a number in few places: 123M.
func rounded(n int64) string {
	for _, unit := range []string{"", "k", "M", "G", "T"} {
		if n < 1000 {
			return fmt.Sprint(n) + unit
		}
		n /= 1000
	}
	return fmt.Sprint(n) + "P"
}

// leftFor estimates how long a search can still take until it reaches one of its limits, if it
// goes on as before; negative if it has none. How many states there are nobody knows before.
func leftFor(p budget.Progress, bounds budget.Limits) time.Duration {
	left := time.Duration(-1)
	within := func(d time.Duration) {
		if d = max(d, 0); left < 0 || d < left {
			left = d
		}
	}
	rest := func(have, limit int64) {
		if limit > 0 && have > 0 {
			within(time.Duration(float64(p.Elapsed) * float64(limit-have) / float64(have)))
		}
	}
	if bounds.Time > 0 {
		within(bounds.Time - p.Elapsed)
	}
	rest(p.States, bounds.States)
	return left
}
