package report

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

// Geometry of a sequence picture, in pixels.
const (
	seqTop       = 70  // of the first row
	seqRow       = 44  // between rows
	seqChar      = 7.2 // width of a character at the font size used
	seqMinColumn = 90
	seqMaxColumn = 260
	seqMaxMargin = 400
	seqCaption   = 16 // between lines of the caption
)

// SVG draws a counterexample as a sequence picture: a line downwards for every
// component, a row for every step, a bar that joins the components that take
// part in it, the number and the propositions of every state on the right, a frame
// around the loop, and below why it is fair, what is bad, or who waits for what in a deadlock.
// The run of a program is a message-sequence chart (sequenceChart).
func (c *Counterexample) SVG(w io.Writer, title string) error {
	if c.Kind == "program" {
		return c.sequenceChart(w, title)
	}
	b := bufio.NewWriter(w)
	rows, loopRow := c.rows()
	columns := columnWidths(c, rows)
	x := make([]float64, len(columns))
	at := eventMargin(rows)
	for i, width := range columns {
		x[i] = at + width/2
		at += width
	}
	labelX := at + 20
	labelWidth := float64(utf8.RuneCountInString(strings.Join(c.Initial.Props, ", ")))
	for _, r := range rows {
		labelWidth = max(labelWidth, float64(utf8.RuneCountInString(strings.Join(r.step.State.Props, ", "))))
	}
	caption := c.fairLines()
	if c.Bad != nil {
		caption = append(caption, c.badText())
	}
	caption = append(caption, c.waitingLines()...)
	width := max(labelX+(labelWidth+5)*seqChar+30, float64(widest(caption))*seqChar+30, float64(utf8.RuneCountInString(title))*8.6+32)
	height := float64(seqTop + seqRow*(len(rows)+1) + 20 + seqCaption*len(caption))
	rowY := func(i int) float64 { return float64(seqTop + seqRow*i) }

	fmt.Fprintf(b, `<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%.0f" viewBox="0 0 %.0f %.0f" font-family="monospace" font-size="12">`+"\n", width, height, width, height)
	fmt.Fprintf(b, "<title>%s</title>\n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n", escaped(title))
	fmt.Fprintf(b, `<text x="16" y="24" font-size="14" font-weight="bold">%s</text>`+"\n", escaped(title))
	if len(c.Loop) > 0 {
		top := rowY(loopRow) + seqRow*0.32
		fmt.Fprintf(b, `<rect x="8" y="%.1f" width="%.1f" height="%.1f" rx="8" fill="#eef4ff" stroke="#7aa0dd" stroke-dasharray="4 3"/>`+"\n", top, width-16, float64(seqRow*(len(rows)-loopRow)))
		fmt.Fprintf(b, `<text x="16" y="%.1f" fill="#3366aa">for ever</text>`+"\n", top+float64(seqRow*(len(rows)-loopRow))-7)
	}
	for i, name := range c.Components {
		fmt.Fprintf(b, `<text x="%.1f" y="%d" text-anchor="middle" font-weight="bold">%s</text>`+"\n", x[i], seqTop-24, escaped(name))
		fmt.Fprintf(b, `<line x1="%.1f" y1="%d" x2="%.1f" y2="%.1f" stroke="#bbbbbb"/>`+"\n", x[i], seqTop-16, x[i], rowY(len(rows))+18)
		fmt.Fprintf(b, `<text x="%.1f" y="%.1f" text-anchor="middle" font-size="10" fill="#666666">%s</text>`+"\n", x[i], rowY(0)+4, escaped(shorten(local(&c.Initial, i), columns[i])))
	}
	c.writeProps(b, labelX, rowY(0), 0, &c.Initial)
	for i, r := range rows {
		if r.leftOut.steps > 0 {
			fmt.Fprintf(b, `<text x="16" y="%.1f" font-size="10" fill="#666666">… %s</text>`+"\n", rowY(i+1)-28, escaped(r.leftOut.String()))
		}
		writeSequenceStep(b, r.step, c, columns, x, rowY(i+1))
		c.writeProps(b, labelX, rowY(i+1), r.number, &r.step.State)
	}
	svgCaption(b, caption, rowY(len(rows))+seqRow)
	b.WriteString("</svg>\n")
	return b.Flush()
}

// sequenceRow is a step in a picture, with the number of the state it leads to.
type sequenceRow struct {
	step    *Step
	number  int
	leftOut gap // just before it
}

// rows returns the steps to draw, and how many of them belong to the stem.
func (c *Counterexample) rows() (rows []sequenceRow, loop int) {
	for i, leftOut := range shown(c.Stem) {
		rows = append(rows, sequenceRow{&c.Stem[i], i + 1, leftOut})
	}
	loop = len(rows)
	for i, leftOut := range shown(c.Loop) {
		rows = append(rows, sequenceRow{&c.Loop[i], len(c.Stem) + i + 1, leftOut})
	}
	if len(rows) > loop {
		rows[len(rows)-1].number = len(c.Stem) // the loop is back where it began
	}
	return rows, loop
}

// eventMargin is the width that the events left of the components take, within bounds.
func eventMargin(rows []sequenceRow) float64 {
	margin := 130.0
	for _, r := range rows {
		margin = max(margin, float64(utf8.RuneCountInString(eventText(r.step)))*seqChar+40)
	}
	return min(margin, seqMaxMargin)
}

// waitingLines say in a deadlock what every component waits for, and who for whom.
func (c *Counterexample) waitingLines() (lines []string) {
	for _, w := range c.Waiting {
		text := w.Component + " waits " + strings.Join(offersText(w.Offers), " ")
		switch {
		case w.Ended:
			text = w.Component + " has ended"
		case len(w.Offers) == 0:
			text = w.Component + " can do nothing"
		}
		lines = append(lines, brokenAt(text, chartWide)...)
	}
	if len(c.Cycle) > 0 {
		lines = append(lines, brokenAt(c.cycleText(), chartWide)...)
	}
	return lines
}

// writeProps writes the number of a state and its propositions, red if it is bad.
func (c *Counterexample) writeProps(b *bufio.Writer, x, y float64, number int, s *State) {
	color, mark := "#226622", ""
	if c.Bad != nil && c.Bad.State == number {
		color, mark = "#cc4422", " bad"
	}
	fmt.Fprintf(b, `<text x="%.1f" y="%.1f" fill="%s"><tspan fill="#999999">%d</tspan> {%s}%s</text>`+"\n", x, y+4, color, number, escaped(strings.Join(s.Props, ", ")), mark)
}

func writeSequenceStep(b *bufio.Writer, s *Step, c *Counterexample, columns, x []float64, y float64) {
	fmt.Fprintf(b, `<text x="16" y="%.1f">%s</text>`+"\n", y-10, escaped(shorten(eventText(s), seqMaxMargin-40)))
	first, last := -1, -1
	for i, name := range c.Components {
		if slices.Contains(s.Movers, name) {
			if first < 0 {
				first = i
			}
			last = i
		}
	}
	if first >= 0 {
		fmt.Fprintf(b, `<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke="#cc4422" stroke-width="2"/>`+"\n", x[first], y-14, x[last], y-14)
	}
	for i, name := range c.Components {
		if !slices.Contains(s.Movers, name) {
			continue
		}
		fmt.Fprintf(b, `<circle cx="%.1f" cy="%.1f" r="4.5" fill="#cc4422"/>`+"\n", x[i], y-14)
		fmt.Fprintf(b, `<text x="%.1f" y="%.1f" text-anchor="middle" font-size="10" fill="#666666">%s</text>`+"\n", x[i], y+4, escaped(shorten(local(&s.State, i), columns[i])))
	}
}

func local(s *State, i int) string {
	if i < len(s.Locals) {
		return s.Locals[i]
	}
	return ""
}

// columnWidths makes every column as wide as its widest text, within bounds.
func columnWidths(c *Counterexample, rows []sequenceRow) []float64 {
	widths := make([]float64, len(c.Components))
	for i, name := range c.Components {
		n := max(utf8.RuneCountInString(local(&c.Initial, i)))
		for _, r := range rows {
			n = max(n, utf8.RuneCountInString(local(&r.step.State, i)))
		}
		widths[i] = max(min(max(float64(n)*seqChar+20, seqMinColumn), seqMaxColumn), float64(utf8.RuneCountInString(name))*seqChar+20)
	}
	return widths
}

// shorten cuts a text that is wider than width pixels.
func shorten(s string, width float64) string {
	fits := max(int(width/seqChar), 4)
	if utf8.RuneCountInString(s) <= fits {
		return s
	}
	return string([]rune(s)[:fits-1]) + "…"
}
