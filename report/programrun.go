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
// indented by calls, with what they are given and the values that they change, under the names
// of the columns.
func writeProgramRun(b *bufio.Writer, c *Counterexample, screen int) {
	place, routine, code := len("line"), len("routine"), 0
	for _, steps := range [][]Step{c.Stem, c.Loop} {
		for i := range shownLines(steps) {
			s := &steps[i]
			place, routine, code = max(place, cells(s.Event)), max(routine, cells(s.Routine)), max(code, cells(sourceText(s)))
		}
	}
	place, routine = min(place, widestPlace), min(routine, widestRoutine)
	// Where it is told what holds in which state, lines have the number of the state before them.
	number := func(string) string { return "" }
	if total := len(c.Stem) + len(c.Loop); c.Truth != nil {
		digits := max(len("state"), len(fmt.Sprint(total)))
		number = func(state string) string { return fmt.Sprintf("  %*s", digits, state) }
	}
	head := func(state, event, in string) string {
		return number(state) + "  " + padded(event, place) + "  " + padded(in, routine)
	}
	w := rowWriter{b, min(cells(head("", "", ""))+2, screen*3/5), screen}
	code = min(code, widestCode, (screen-w.at)*3/5)
	w.row(strings.TrimRight(head("state", "line", "routine"), " "), []piece{{text: "source", gap: 2}})
	write := func(steps []Step, first int) {
		for i, leftOut := range shownLines(steps) {
			if leftOut.steps > 0 {
				fmt.Fprintf(b, "  ...  %s (--json has them all)\n", leftOut)
			}
			w.row(strings.TrimRight(head(fmt.Sprint(first+i), steps[i].Event, steps[i].Routine), " "), steps[i].pieces(code))
		}
	}
	write(c.Stem, 0)
	if len(c.Loop) > 0 {
		b.WriteString("  loop, repeated for ever:\n")
		write(c.Loop, len(c.Stem))
	} else if c.Truth != nil {
		fmt.Fprintf(b, "%s  from here on nothing happens\n", number(fmt.Sprint(len(c.Stem))))
	}
}

// pieces are the source of a step, as wide as code if it is shorter, and what Does says.
func (s *Step) pieces(code int) (all []piece) {
	gap := code + 4
	if s.Source != "" {
		indent := 2 * min(s.Depth, 10)
		all = append(all, piece{text: s.Source, gap: 2, hang: indent})
		gap = max(2, code+2-cells(sourceText(s)))
	}
	for _, p := range s.doing() {
		p.hang += 4
		if len(all) > 0 && p.gap == 2 && gap > 0 {
			p.gap, gap = gap, 0
		}
		all = append(all, p)
	}
	return all
}

// doing is what a step of a program is given, performs and changes.
func (s *Step) doing() []piece {
	all := listPieces("with ", s.Inputs, "")
	if s.Action != "" {
		all = append(all, piece{text: "performs " + s.Action, gap: 2})
	}
	if len(s.With) > 0 {
		if n := len(all); s.Action != "" {
			all[n-1].text += ","
		}
		with := listPieces("at once with ", s.With, "")
		with[0].gap = 1
		all = append(all, with...)
	}
	all = append(all, listPieces("", s.Gained, "")...)
	for i, text := range s.Returns {
		p := piece{text: "then " + text, gap: 1}
		if i == 0 {
			p = piece{text: "returned " + text, gap: 2}
		}
		if i < len(s.Returns)-1 {
			p.text += ","
		}
		all = append(all, p)
	}
	return all
}

// Does says what a step of a program is given, performs and changes; each part begins with two
// blanks.
func (s *Step) Does() string {
	var b strings.Builder
	for _, p := range s.doing() {
		b.WriteString(strings.Repeat(" ", p.gap) + p.text)
	}
	return b.String()
}

func width(text string) int { return utf8.RuneCountInString(text) }

// sourceText is the line, indented.
func sourceText(s *Step) string { return strings.Repeat("  ", min(s.Depth, 10)) + s.Source }
