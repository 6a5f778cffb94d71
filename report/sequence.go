package report

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/seltl/seltl/internal/diagram"
)

// Geometry of a sequence picture, in pixels.
const (
	seqSize      = 12 // of text
	seqSmall     = 10 // of local states
	seqLine      = 15 // between lines
	seqSmallLine = 12
	seqGap       = 16 // between rows
	seqEvents    = 170
	seqProps     = 240
	seqWidth     = 1180 // of a picture, where its names allow it
	seqMinColumn = 76
	seqMaxColumn = 260
	seqCaption   = 16 // between lines of the caption
	seqTitle     = 18 // between lines of the title
)

// sequence draws the run of a network.
type sequence struct {
	*Counterexample
	b       *bufio.Writer
	rows    []Row
	columns []int      // the components that have a line: those that take part in a step
	names   [][]string // of the columns, in lines
	x       []float64  // of the lines
	wide    []float64  // columns
	y       []float64  // of the rows: their bars; 0 is the initial state
	texts   []seqTexts // of the rows
	top     float64    // of the names
	label   float64    // where numbers and propositions of states begin
	width   float64
	events  float64 // width of their column
}

// seqTexts are those of a row, in lines.
type seqTexts struct {
	event, props []string
	locals       map[int][]string // by column
	height       float64
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
	titles, caption := brokenAt(title, chartWide), d.captionLines()
	d.top = float64(20 + seqTitle*len(titles))
	d.measure()
	for _, line := range titles {
		d.width = max(d.width, 1.1*diagram.Width(line, 14)+32)
	}
	for _, line := range caption {
		d.width = max(d.width, diagram.Width(line, 11)+32)
	}
	foot := d.y[len(d.rows)] + d.texts[len(d.rows)].height + 14
	height := foot + 20 + seqCaption*float64(len(caption))

	chartHead(d.b, title, d.width, height, seqSize)
	for i, line := range titles {
		fmt.Fprintf(d.b, `<text x="16" y="%d" font-size="14" font-weight="bold">%s</text>`+"\n", 24+seqTitle*i, escaped(line))
	}
	d.frame(foot)
	for k := range d.columns {
		fmt.Fprintf(d.b, `<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke="#bbbbbb"/>`+"\n", d.x[k], d.y[0]-8, d.x[k], foot-4)
	}
	d.state(0, 0)
	for i, r := range d.rows {
		if r.LeftOut != "" {
			fmt.Fprintf(d.b, `<text x="16" y="%.1f" font-size="10" fill="#666666">… %s</text>`+"\n", d.y[i+1]-14, escaped(r.LeftOut))
		}
		d.step(r.Step, i+1)
		d.state(i+1, r.Number)
	}
	svgCaption(d.b, caption, foot+seqCaption)
	d.heads()
	d.b.WriteString("</svg>\n")
	return d.b.Flush()
}

// chartHead begins a chart, with colours for dark screens.
func chartHead(w io.Writer, title string, width, height float64, size int) {
	fmt.Fprintf(w, `<svg xmlns="http://www.w3.org/2000/svg" class="seltl-chart" width="%.0f" height="%.0f" viewBox="0 0 %.0f %.0f" font-family="%s" font-size="%d">`+"\n", width, height, width, height, diagram.Sans, size)
	fmt.Fprintf(w, "<title>%s</title>\n<style>%s</style>\n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n", escaped(title), diagram.StyleSheet)
}

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

// brokenIn breaks a text of some size behind its words and signs, into lines of a width where
// its names allow it; it returns the widest line.
func brokenIn(text string, size, width float64) (lines []string, widest float64) {
	measure := func(s string) float64 { return diagram.Width(s, size) }
	lines = broken(text, width, 0, measure)
	for _, line := range lines {
		widest = max(widest, measure(line))
	}
	return lines, widest
}

// measure breaks all texts, and makes room for events on the left and for columns, which share
// what a page has.
func (d *sequence) measure() {
	d.events = 100
	d.texts = make([]seqTexts, len(d.rows)+1)
	var labels float64
	for i := range d.texts {
		s, t := d.at(i), &d.texts[i]
		t.locals = map[int][]string{}
		if i > 0 {
			var n float64
			t.event, n = brokenIn(eventText(d.rows[i-1].Step), seqSize, seqEvents)
			d.events = max(d.events, n)
		}
		if len(s.Props) > 0 {
			var n float64
			t.props, n = brokenIn("{"+strings.Join(s.Props, ", ")+"}", seqSize, seqProps)
			labels = max(labels, n)
		}
	}
	at := d.events + 32
	share := min(max((seqWidth-at-labels-60)/float64(len(d.columns)), seqMinColumn), seqMaxColumn)
	heads := 0
	for k, i := range d.columns {
		names, wide := brokenIn(d.Components[i], seqSize*1.1, share-12)
		for row := range d.texts {
			if row > 0 && !slices.Contains(d.rows[row-1].Movers, d.Components[i]) {
				continue
			}
			lines, n := brokenIn(clipped(local(d.at(row), i), 80), seqSmall, share-12)
			d.texts[row].locals[k] = lines
			wide = max(wide, n)
		}
		wide = max(wide+14, min(share, seqMinColumn))
		d.names, d.wide, d.x = append(d.names, names), append(d.wide, wide), append(d.x, at+wide/2)
		at += wide
		heads = max(heads, len(names))
	}
	d.label = at + 16
	d.width = d.label + labels + 80
	y := d.top + float64(seqLine*heads) + 24
	for i := range d.texts {
		t := &d.texts[i]
		locals := 0
		for _, lines := range t.locals {
			locals = max(locals, len(lines))
		}
		t.height = max(float64(seqLine*len(t.event)), 18+float64(seqSmallLine*locals), 18+float64(seqLine*len(t.props)))
		if i > 0 && d.rows[i-1].LeftOut != "" {
			y += seqCaption
		}
		d.y = append(d.y, y)
		y += t.height + seqGap
	}
}

// at is the state of a row.
func (d *sequence) at(row int) *State {
	if row == 0 {
		return &d.Initial
	}
	return &d.rows[row-1].State
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
func (d *sequence) frame(foot float64) {
	if len(d.Loop) == 0 {
		return
	}
	top := d.y[1+slices.IndexFunc(d.rows, func(r Row) bool { return r.InLoop })] - seqGap
	fmt.Fprintf(d.b, `<rect x="8" y="%.1f" width="%.1f" height="%.1f" rx="8" fill="#eef4ff" stroke="#7aa0dd" stroke-dasharray="4 3"/>`+"\n", top, d.width-16, foot-top)
	fmt.Fprintf(d.b, `<text x="16" y="%.1f" fill="#3366aa">for ever</text>`+"\n", foot-6)
}

// heads draws the names of the components, last: a page keeps them in sight.
func (d *sequence) heads() {
	fmt.Fprintf(d.b, `<g class="heads"><rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="white"/>`+"\n", d.events+24, d.top-4, d.label-d.events-24, d.y[0]-d.top-6)
	for k, lines := range d.names {
		for i, line := range lines {
			fmt.Fprintf(d.b, `<text x="%.1f" y="%.1f" text-anchor="middle" font-weight="bold">%s</text>`+"\n", d.x[k], d.y[0]-14-float64(seqLine*(len(lines)-1-i)), escaped(line))
		}
	}
	d.b.WriteString("</g>\n")
}

// state writes the number of a state and its propositions, and marks it if it is bad.
func (d *sequence) state(row, number int) {
	y, color, t := d.y[row]+18, "#226622", &d.texts[row]
	for k := range d.columns {
		d.localState(k, row)
	}
	if d.Bad != nil && d.Bad.State == number {
		color = "#b02a10"
		fmt.Fprintf(d.b, `<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" rx="4" fill="#fdecea" stroke="#b02a10"/>`+"\n", d.label-6, y-14, d.width-d.label-10, float64(seqLine*max(1, len(t.props)))+6)
		fmt.Fprintf(d.b, `<text x="%.1f" y="%.1f" text-anchor="middle" fill="%s">bad</text>`+"\n", d.width-34, y, color)
	}
	fmt.Fprintf(d.b, `<text x="%.1f" y="%.1f" fill="#666666" data-row="%d">%d</text>`+"\n", d.label, y, row, number)
	for i, line := range t.props {
		fmt.Fprintf(d.b, `<text x="%.1f" y="%.1f" fill="%s" data-row="%d">%s</text>`+"\n", d.label+34, y+float64(seqLine*i), color, row, escaped(line))
	}
}

// step draws the event of a step, and who takes part.
func (d *sequence) step(s *Step, row int) {
	y := d.y[row]
	for i, line := range d.texts[row].event {
		fmt.Fprintf(d.b, `<text x="16" y="%.1f">%s</text>`+"\n", y+4+float64(seqLine*i), escaped(line))
	}
	var moving []int
	for k, i := range d.columns {
		if slices.Contains(s.Movers, d.Components[i]) {
			moving = append(moving, k)
		}
	}
	if len(moving) > 0 {
		fmt.Fprintf(d.b, `<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke="#cc4422" stroke-width="2"/>`+"\n", d.x[moving[0]], y, d.x[moving[len(moving)-1]], y)
	}
	for _, k := range moving {
		fmt.Fprintf(d.b, `<circle cx="%.1f" cy="%.1f" r="4.5" fill="#cc4422"/>`+"\n", d.x[k], y)
	}
}

// localState writes the state of a component below its bar, on white: lines go through it.
func (d *sequence) localState(k, row int) {
	for i, line := range d.texts[row].locals[k] {
		y, n := d.y[row]+18+float64(seqSmallLine*i), diagram.Width(line, seqSmall)
		fmt.Fprintf(d.b, `<rect x="%.1f" y="%.1f" width="%.1f" height="%d" fill="white" fill-opacity="0.8"/>`+"\n", d.x[k]-n/2, y-seqSmall, n, seqSmallLine+1)
		fmt.Fprintf(d.b, `<text x="%.1f" y="%.1f" text-anchor="middle" font-size="%d" fill="#555555">%s</text>`+"\n", d.x[k], y, seqSmall, escaped(line))
	}
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
