package report

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Geometry of a sequence picture, in pixels.
const (
	seqRow       = 44  // between rows
	seqChar      = 7.2 // width of a character at the font size used
	seqBold      = 8.6 // of one of the title
	seqMinColumn = 90
	seqMaxColumn = 260
	seqMaxMargin = 400
	seqCaption   = 16 // between lines of the caption
	seqTitle     = 18 // between lines of the title
)

// sequence draws the run of a network.
type sequence struct {
	*Counterexample
	b       *bufio.Writer
	rows    []Row
	columns []int     // the components that have a line: those that take part in a step
	x       []float64 // of the lines
	wide    []float64 // columns
	top     float64   // of the first row
	label   float64   // where numbers and propositions of states begin
}

// PictureTitle is what a picture of the counterexample of a result is called.
func (res *Result) PictureTitle() string {
	switch {
	case res.Kind == "reach" && res.Counterexample != nil && res.Counterexample.Kind == "program":
		return "a run: " + res.Formula // what fails
	case slices.Contains([]string{"ltl", "assert", "automaton", "progress"}, res.Kind):
		return "a run that violates " + res.Formula
	case res.Kind == "deadlock" && res.Formula == "":
		return "a run into a deadlock"
	case res.Kind == "run":
		return "a run that was stepped through"
	case res.Kind == "safety" && res.Formula == "":
		return "a run into ERROR"
	case res.Formula == "":
		return "a run against " + res.Kind
	}
	return "not so: " + res.Formula
}

// SVG draws a counterexample as a sequence picture: a line downwards for every
// component that moves, a row for every step, a bar that joins the components that take
// part in it, the number and the propositions of every state on the right, a frame
// around the loop, and below why it is fair, what is bad, who waits for what in a deadlock,
// and which components never move.
// The run of a program is a message-sequence chart (sequenceChart).
func (c *Counterexample) SVG(w io.Writer, title string) error {
	if c.Kind == "program" {
		return c.sequenceChart(w, title)
	}
	d := &sequence{Counterexample: c, b: bufio.NewWriter(w), rows: c.Rows()}
	d.columns = d.movers()
	d.measure()
	labelWidth := width(strings.Join(c.Initial.Props, ", "))
	for _, r := range d.rows {
		labelWidth = max(labelWidth, width(strings.Join(r.State.Props, ", ")))
	}
	titles, caption := brokenAt(title, chartWide), d.captionLines()
	d.top = float64(52 + seqTitle*len(titles))
	wide := max(d.label+(float64(labelWidth)+9)*seqChar+30, float64(widest(caption))*seqChar+30, float64(widest(titles))*seqBold+32)
	height := d.row(len(d.rows)) + seqRow + 20 + seqCaption*float64(len(caption))

	fmt.Fprintf(d.b, `<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%.0f" viewBox="0 0 %.0f %.0f" font-family="monospace" font-size="12">`+"\n", wide, height, wide, height)
	fmt.Fprintf(d.b, "<title>%s</title>\n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n", escaped(title))
	for i, line := range titles {
		fmt.Fprintf(d.b, `<text x="16" y="%d" font-size="14" font-weight="bold">%s</text>`+"\n", 24+seqTitle*i, escaped(line))
	}
	d.frame(wide)
	d.lifelines()
	d.state(0, 0, &c.Initial)
	for i, r := range d.rows {
		if r.LeftOut != "" {
			fmt.Fprintf(d.b, `<text x="16" y="%.1f" font-size="10" fill="#666666">… %s</text>`+"\n", d.row(i+1)-28, escaped(r.LeftOut))
		}
		d.step(r.Step, d.row(i+1))
		d.state(i+1, r.Number, &r.State)
	}
	svgCaption(d.b, caption, d.row(len(d.rows))+seqRow)
	d.b.WriteString("</svg>\n")
	return d.b.Flush()
}

// row is how far down row i is; row 0 is the initial state.
func (d *sequence) row(i int) float64 { return d.top + seqRow*float64(i) }

// movers are the components that take part in a step, all if none does.
func (d *sequence) movers() (columns []int) {
	for i, name := range d.Components {
		if slices.ContainsFunc(d.rows, func(r Row) bool { return slices.Contains(r.Movers, name) }) {
			columns = append(columns, i)
		}
	}
	if columns == nil {
		for i := range d.Components {
			columns = append(columns, i)
		}
	}
	return columns
}

// measure makes room for events on the left and for the columns, each as wide as its widest
// text, within bounds.
func (d *sequence) measure() {
	at := 130.0
	for _, r := range d.rows {
		at = max(at, float64(width(eventText(r.Step)))*seqChar+40)
	}
	at = min(at, seqMaxMargin)
	for _, i := range d.columns {
		n := width(local(&d.Initial, i))
		for _, r := range d.rows {
			n = max(n, width(local(&r.State, i)))
		}
		wide := max(min(max(float64(n)*seqChar+20, seqMinColumn), seqMaxColumn), float64(width(d.Components[i]))*seqChar+20)
		d.wide = append(d.wide, wide)
		d.x = append(d.x, at+wide/2)
		at += wide
	}
	d.label = at + 20
}

// captionLines are what stands below the picture.
func (d *sequence) captionLines() (caption []string) {
	caption = d.fairLines()
	if d.Bad != nil {
		caption = append(caption, d.badText())
	}
	if d.End == "deadlock" && d.Waiting == nil {
		caption = append(caption, "deadlock: nothing is possible here")
	}
	caption = append(caption, d.waitingLines()...)
	var still []string
	for i, name := range d.Components {
		if !slices.Contains(d.columns, i) {
			still = append(still, name+" in "+local(&d.Initial, i))
		}
	}
	if len(still) > 0 {
		caption = append(caption, brokenAt("never moving: "+strings.Join(still, ", "), chartWide)...)
	}
	return caption
}

// frame draws the frame of the loop.
func (d *sequence) frame(wide float64) {
	if len(d.Loop) == 0 {
		return
	}
	first := slices.IndexFunc(d.rows, func(r Row) bool { return r.InLoop })
	top, height := d.row(first)+seqRow*0.32, float64(seqRow*(len(d.rows)-first))
	fmt.Fprintf(d.b, `<rect x="8" y="%.1f" width="%.1f" height="%.1f" rx="8" fill="#eef4ff" stroke="#7aa0dd" stroke-dasharray="4 3"/>`+"\n", top, wide-16, height)
	fmt.Fprintf(d.b, `<text x="16" y="%.1f" fill="#3366aa">for ever</text>`+"\n", top+height-7)
}

// lifelines draws the components with their initial states.
func (d *sequence) lifelines() {
	for k, i := range d.columns {
		fmt.Fprintf(d.b, `<text x="%.1f" y="%.1f" text-anchor="middle" font-weight="bold">%s</text>`+"\n", d.x[k], d.top-24, escaped(d.Components[i]))
		fmt.Fprintf(d.b, `<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke="#bbbbbb"/>`+"\n", d.x[k], d.top-16, d.x[k], d.row(len(d.rows))+18)
		d.localState(k, &d.Initial, d.top)
	}
}

// state writes the number of a state and its propositions, and marks it if it is bad.
func (d *sequence) state(row, number int, s *State) {
	y, color, mark := d.row(row), "#226622", ""
	if d.Bad != nil && d.Bad.State == number {
		color, mark = "#b02a10", " bad"
		n := float64(len(fmt.Sprint(number))+width(strings.Join(s.Props, ", "))+7) * seqChar
		fmt.Fprintf(d.b, `<rect x="%.1f" y="%.1f" width="%.1f" height="20" rx="4" fill="#fdecea" stroke="#b02a10"/>`+"\n", d.label-6, y-10, n+12)
	}
	fmt.Fprintf(d.b, `<text x="%.1f" y="%.1f" fill="%s" data-row="%d"><tspan fill="#666666">%d</tspan> {%s}%s</text>`+"\n", d.label, y+4, color, row, number, escaped(strings.Join(s.Props, ", ")), mark)
}

// step draws the event of a step, and who takes part.
func (d *sequence) step(s *Step, y float64) {
	fmt.Fprintf(d.b, `<text x="16" y="%.1f">%s</text>`+"\n", y-10, escaped(shorten(eventText(s), seqMaxMargin-40)))
	var moving []int
	for k, i := range d.columns {
		if slices.Contains(s.Movers, d.Components[i]) {
			moving = append(moving, k)
		}
	}
	if len(moving) > 0 {
		fmt.Fprintf(d.b, `<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke="#cc4422" stroke-width="2"/>`+"\n", d.x[moving[0]], y-14, d.x[moving[len(moving)-1]], y-14)
	}
	for _, k := range moving {
		fmt.Fprintf(d.b, `<circle cx="%.1f" cy="%.1f" r="4.5" fill="#cc4422"/>`+"\n", d.x[k], y-14)
		d.localState(k, &s.State, y)
	}
}

// localState writes the state of a component below its bar, on white: lines go through it.
func (d *sequence) localState(k int, s *State, y float64) {
	text := shorten(local(s, d.columns[k]), d.wide[k])
	n := float64(width(text))*6.1 + 4
	fmt.Fprintf(d.b, `<rect x="%.1f" y="%.1f" width="%.1f" height="13" fill="white" fill-opacity="0.8"/>`+"\n", d.x[k]-n/2, y-6, n)
	fmt.Fprintf(d.b, `<text x="%.1f" y="%.1f" text-anchor="middle" font-size="10" fill="#555555">%s</text>`+"\n", d.x[k], y+4, escaped(text))
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

func local(s *State, i int) string {
	if i < len(s.Locals) {
		return s.Locals[i]
	}
	return ""
}

// shorten cuts a text that is wider than width pixels.
func shorten(s string, width float64) string { return clipped(s, max(int(width/seqChar), 4)) }
