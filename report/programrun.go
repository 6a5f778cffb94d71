package report

import (
	"bufio"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Widths of the columns of a program's run, in characters.
const (
	widestPlace   = 40
	widestRoutine = 24
	widestCode    = 60
)

// writeProgramRun prints the lines of a program that a run goes through, in which routine,
// indented by calls, with what they are given and the values that they change.
func writeProgramRun(b *bufio.Writer, c *Counterexample) {
	place, routine, code := 0, 0, 0
	for _, steps := range [][]Step{c.Stem, c.Loop} {
		for i := range shownLines(steps) {
			s := &steps[i]
			place, routine, code = max(place, width(s.Event)), max(routine, width(s.Routine)), max(code, width(sourceText(s)))
		}
	}
	place, routine, code = min(place, widestPlace), min(routine, widestRoutine), min(code, widestCode)
	// Where it is told what holds in which state, lines have the number of the state before them.
	number, digits := func(int) string { return "" }, 0
	if total := len(c.Stem) + len(c.Loop); c.Truth != nil {
		digits = max(3, len(fmt.Sprint(total)))
		number = func(state int) string { return fmt.Sprintf("  %*d", digits, state) }
	}
	write := func(steps []Step, first int) {
		for i, leftOut := range shownLines(steps) {
			if leftOut.steps > 0 {
				fmt.Fprintf(b, "  ...  %s (--json has them all)\n", leftOut)
			}
			s := &steps[i]
			line := fmt.Sprintf("%s  %-*s  %-*s  %-*s", number(first+i), place, s.Event, routine, s.Routine, code, sourceText(s))
			line += s.Does()
			fmt.Fprintln(b, strings.TrimRight(line, " "))
		}
	}
	write(c.Stem, 0)
	if len(c.Loop) > 0 {
		b.WriteString("  loop, repeated for ever:\n")
		write(c.Loop, len(c.Stem))
	} else if c.Truth != nil {
		fmt.Fprintf(b, "%s  from here on nothing happens\n", number(len(c.Stem)))
	}
}

// Does says what a step of a program is given, performs and changes; each part begins with two
// blanks.
func (s *Step) Does() (text string) {
	if len(s.Inputs) > 0 {
		text += "  with " + strings.Join(s.Inputs, ", ")
	}
	if s.Action != "" {
		text += "  performs " + s.Action
	}
	if len(s.With) > 0 {
		text += ", at once with " + strings.Join(s.With, ", ")
	}
	if len(s.Gained) > 0 {
		text += "  " + strings.Join(s.Gained, ", ")
	}
	if len(s.Returns) > 0 {
		text += "  returned " + strings.Join(s.Returns, ", then ")
	}
	return text
}

func width(text string) int { return utf8.RuneCountInString(text) }

// sourceText is the line, indented.
func sourceText(s *Step) string { return strings.Repeat("  ", min(s.Depth, 10)) + s.Source }
