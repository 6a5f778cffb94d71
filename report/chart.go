package report

import (
	"bufio"
	"encoding/xml"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/seltl/seltl/internal/diagram"
)

// Geometry of the chart of a program's run, in pixels.
const (
	chartLine   = 15  // between lines of text
	chartChar   = 6.7 // width of a character, a little more than it takes at this font size
	chartFont   = 11
	chartLeft   = 24
	chartInset  = 10 // from a component's line to its texts
	chartWidth  = 940
	chartColumn = 22  // characters of a column that texts are broken at, at least
	chartWide   = 110 // characters of a line of title or caption
	mostWrapped = 6   // lines of one text
)

// chartText is a line of text in a column: an optional place in grey before it.
type chartText struct {
	place, text, color string
	indent             int  // characters
	row                int  // of the step that it is about, from 1; 0: of none
	code               bool // beside a component's line
}

func (t chartText) width() int {
	n := t.indent + cells(t.place) + cells(t.text)
	if t.place != "" && t.text != "" {
		n++
	}
	return n
}

// chartEvent is a row of a chart: a line of one component, or the lines of all that perform an
// action at the same time, whose texts stand above and below the bar.
type chartEvent struct {
	steps   []*Step
	columns []int // of the steps
	joined  []int // columns that take part in the action, sorted
	leftOut gap   // just before it
}

func (e *chartEvent) action() string { return e.steps[0].Action }

// chart draws the run of a program with components.
type chart struct {
	*Counterexample
	names []string
	rows  map[*Step]int // steps, numbered from 1
	limit int           // characters at which texts in columns are broken
	x     []float64     // the components' lines
	width float64
	body  strings.Builder
	y     float64
}

// sequenceChart writes the run of a program as a message-sequence chart: a line downwards for
// every component, its source lines and the values that they change beside it, and a bar with
// the name of the action across those that perform it together.
func (c *Counterexample) sequenceChart(w io.Writer, title string) error {
	d := &chart{Counterexample: c, names: c.active(), rows: map[*Step]int{}}
	for _, steps := range [][]Step{c.Stem, c.Loop} {
		for i := range steps {
			d.rows[&steps[i]] = len(d.rows) + 1
		}
	}
	d.limit = max(chartColumn, int((chartWidth/float64(len(d.names))-2*chartInset)/chartChar))
	stem, loop := d.events(c.Stem), d.events(c.Loop)
	ends := d.waiting()
	titles := brokenAt(title, chartWide)
	caption := d.caption()
	d.measure(slices.Concat(stem, loop), ends, titles, caption)

	for i, line := range titles {
		fmt.Fprintf(&d.body, `<text x="16" y="%d" font-size="14" font-weight="bold">%s</text>`+"\n", 24+18*i, escaped(line))
	}
	head := 24 + 18*float64(len(titles)) + 10
	d.y = head + 8
	for i := range stem {
		d.event(&stem[i])
	}
	if len(loop) > 0 {
		d.frame(loop)
	}
	d.ending(ends)
	foot := d.y + 4
	for i, line := range caption {
		d.text(16, foot+chartLine*float64(i+1), chartText{text: line, color: "#3366aa"}, false)
	}
	height := foot + chartLine*float64(len(caption)) + 16

	b := bufio.NewWriter(w)
	chartHead(b, title, d.width, height, chartFont)
	for i := range d.names {
		fmt.Fprintf(b, `<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke="#bbbbbb"/>`+"\n", d.x[i], head+6, d.x[i], foot-2)
	}
	b.WriteString(d.body.String())
	fmt.Fprintf(b, `<g class="heads"><rect x="12" y="%.1f" width="%.1f" height="18" fill="white"/>`+"\n", head-13, d.width-24)
	for i, name := range d.names { // last: a page keeps them in sight
		fmt.Fprintf(b, `<text x="%.1f" y="%.1f" font-size="12" font-weight="bold">%s</text>`+"\n", d.x[i]-4, head, escaped(name))
	}
	b.WriteString("</g>\n")
	b.WriteString("</svg>\n")
	return b.Flush()
}

// active are the components that do something, take part in an action, or wait at the end; all
// if there are none such.
func (c *Counterexample) active() (names []string) {
	for _, name := range c.Components {
		does := func(s Step) bool { return slices.Contains(s.Movers, name) || slices.Contains(s.With, name) }
		if slices.ContainsFunc(c.Stem, does) || slices.ContainsFunc(c.Loop, does) || slices.ContainsFunc(c.Waiting, func(w Waiting) bool { return w.Component == name }) {
			names = append(names, name)
		}
	}
	switch {
	case len(c.Components) == 0:
		return []string{"program"}
	case names == nil:
		return c.Components
	}
	return names
}

// events puts together the steps that perform one action at the same time; each is one step of
// the run, behind what its component did alone.
func (d *chart) events(steps []Step) (all []chartEvent) {
	var open []chartEvent                 // actions that wait for other participants
	before := make([]*Step, len(d.names)) // by column
	missing := func(e *chartEvent) bool { return len(e.steps) < len(e.joined) }
	for i, leftOut := range shownLines(steps) {
		s := &steps[i]
		if leftOut.steps > 0 {
			all, open = append(all, open...), nil
		}
		column := d.column(s)
		if last := before[column]; last != nil && last.Action != "" && leftOut.steps == 0 && restOf(last, s) {
			continue
		}
		before[column] = s
		e := chartEvent{steps: []*Step{s}, columns: []int{column}, joined: d.joined(s, column), leftOut: leftOut}
		if k := slices.IndexFunc(open, func(o chartEvent) bool {
			return o.action() == s.Action && slices.Equal(o.joined, e.joined) && !slices.Contains(o.columns, column)
		}); k >= 0 {
			e.steps, e.columns = append(open[k].steps, s), append(open[k].columns, column)
			e.leftOut = open[k].leftOut
			open = slices.Delete(open, k, k+1)
		} else if k := slices.IndexFunc(open, func(o chartEvent) bool { return slices.Contains(o.columns, column) }); k >= 0 {
			all, open = append(all, open[k]), slices.Delete(open, k, k+1) // its component goes on
		}
		if missing(&e) {
			if e.leftOut.steps > 0 { // it stands where it is, whatever comes before the others
				all, e.leftOut = append(all, chartEvent{leftOut: e.leftOut}), gap{}
			}
			open = append(open, e)
			continue
		}
		all = append(all, e)
	}
	return append(all, open...)
}

// restOf reports whether all that s says is that the line of an action comes to its end.
func restOf(action, s *Step) bool {
	return sameLine(action, s) && s.Source == action.Source && s.Action == "" && len(s.Gained)+len(s.Inputs) == 0
}

// column is that of a step's component.
func (d *chart) column(s *Step) int {
	if len(s.Movers) > 0 {
		return max(0, slices.Index(d.names, s.Movers[0]))
	}
	return 0
}

// joined are the columns that perform the action of a step, nil if it has none.
func (d *chart) joined(s *Step, column int) []int {
	if s.Action == "" {
		return nil
	}
	all := []int{column}
	for _, name := range s.With {
		if i := slices.Index(d.names, name); i >= 0 && !slices.Contains(all, i) {
			all = append(all, i)
		}
	}
	slices.Sort(all)
	return all
}

// above are the texts of a step that stand above its bar: the line, and what it is given.
func (d *chart) above(s *Step, column int) []chartText {
	place := shortPlace(s.Event)
	if routine := strings.TrimPrefix(s.Routine, d.names[column]+": "); routine != "" && routine != d.names[column] {
		place += " " + routine + "()"
	}
	all := d.broken(place, s.Source, "#000000", min(s.Depth, 4))
	if len(s.Inputs) > 0 {
		all = append(all, d.broken("", "with "+strings.Join(s.Inputs, ", "), "#8a5a00", 1)...)
	}
	return all
}

// below are the values that a step changes.
func (d *chart) below(s *Step) []chartText {
	if len(s.Gained) == 0 {
		return nil
	}
	return d.broken("", strings.Join(s.Gained, ", "), "#226622", 1)
}

// broken breaks a text, behind a place if there is one, into lines of a column.
func (d *chart) broken(place, text, color string, indent int) (all []chartText) {
	text, place = strings.Join(strings.Fields(text), " "), strings.Join(strings.Fields(place), " ")
	if place != "" && (text == "" || indent+cells(place)+1+cells(text) > d.limit) {
		for _, line := range brokenAt(place, d.limit-indent) {
			all = append(all, chartText{place: line, indent: indent})
		}
		place, indent = "", indent+1
	}
	lines := brokenAt(text, d.limit-indent)
	if len(lines) > mostWrapped {
		last := []rune(lines[mostWrapped-1])
		lines = append(lines[:mostWrapped-1], string(last[:max(0, min(len(last), d.limit-indent-4))])+"…")
	}
	for i, line := range lines {
		if line == "" {
			continue
		}
		t := chartText{text: line, color: color, indent: indent}
		if i == 0 {
			t.place = place
		}
		all = append(all, t)
	}
	return all
}

// waiting are the situations of the components in a deadlock, by column.
func (d *chart) waiting() map[int][]chartText {
	all := map[int][]chartText{}
	for _, w := range d.Waiting {
		i := slices.Index(d.names, w.Component)
		if i < 0 {
			continue
		}
		const red = "#b02a10"
		switch {
		case w.Ended:
			all[i] = d.broken("", "has ended", red, 0)
			continue
		case len(w.Offers) == 0:
			all[i] = d.broken("", "can do nothing", red, 0)
		default:
			all[i] = d.broken("", "waits here", red, 0)
		}
		all[i] = append(all[i], d.broken(shortPlace(w.Place), w.Source, "#000000", 0)...)
		for _, text := range offersText(w.Offers) {
			all[i] = append(all[i], d.broken("", text, red, 1)...)
		}
		if len(w.Values) > 0 {
			all[i] = append(all[i], d.broken("", strings.Join(w.Values, ", "), "#226622", 1)...)
		}
	}
	return all
}

// offersText has a line for each thing that a component waits for.
func offersText(offers []Offer) (lines []string) {
	for i, o := range offers {
		line := "for " + o.Event
		if i > 0 {
			line = "or " + line
		}
		if len(o.Refused) > 0 {
			line += ", refused by " + strings.Join(o.Refused, " and ")
		}
		lines = append(lines, line)
	}
	return slices.Compact(lines)
}

// caption is what stands below: how the run ends, and why it is a counterexample.
func (d *chart) caption() (lines []string) {
	var texts []string
	switch d.End {
	case "deadlock":
		texts = append(texts, "deadlock: nothing is possible here")
	case "end":
		texts = append(texts, "the run ends here")
	}
	if len(d.Cycle) > 0 {
		texts = append(texts, d.cycleText())
	}
	if d.Note != "" && len(d.Waiting) == 0 {
		texts = append(texts, strings.Split(d.Note, "\n")...)
	}
	texts = append(texts, d.fairLines()...)
	if still := slices.DeleteFunc(slices.Clone(d.Components), func(name string) bool { return slices.Contains(d.names, name) }); len(still) > 0 {
		texts = append(texts, "never moving: "+strings.Join(still, ", "))
	}
	for _, text := range texts {
		lines = append(lines, brokenAt(text, chartWide)...)
	}
	return lines
}

// cycleText names the components that wait for one another.
func (c *Counterexample) cycleText() string {
	return "cycle of waiting: " + strings.Join(append(slices.Clone(c.Cycle), c.Cycle[0]), " -> ")
}

// measure makes every column as wide as its widest text, and the picture as all of it.
func (d *chart) measure(events []chartEvent, ends map[int][]chartText, titles, caption []string) {
	widths := make([]int, len(d.names))
	for i, name := range d.names {
		widths[i] = max(int(1.1*diagram.Width(name, 12)/chartChar)+1, 12)
		for _, t := range ends[i] {
			widths[i] = max(widths[i], t.width())
		}
	}
	for _, e := range events {
		for k, s := range e.steps {
			for _, t := range slices.Concat(d.above(s, e.columns[k]), d.below(s)) {
				widths[e.columns[k]] = max(widths[e.columns[k]], t.width())
			}
		}
	}
	at := float64(chartLeft)
	for _, n := range widths {
		d.x = append(d.x, at)
		at += float64(n)*chartChar + 3*chartInset
	}
	d.width = at + 8
	for _, e := range events {
		if len(e.joined) > 0 {
			d.width = max(d.width, d.x[e.joined[0]]+chartInset+1.1*diagram.Width(e.action(), chartFont)+16)
		}
		if e.leftOut.steps > 0 {
			d.width = max(d.width, 1.1*diagram.Width("… "+e.leftOut.String(), chartFont)+chartLeft+chartInset+16)
		}
	}
	for _, line := range titles {
		d.width = max(d.width, 1.1*diagram.Width(line, 14)+32)
	}
	for _, line := range caption {
		d.width = max(d.width, diagram.Width(line, chartFont)+32)
	}
}

// event draws a row.
func (d *chart) event(e *chartEvent) {
	if e.leftOut.steps > 0 {
		d.y += chartLine
		d.text(chartLeft+chartInset, d.y, chartText{text: "… " + e.leftOut.String(), color: "#666666"}, true)
		d.y += 6
	}
	if len(e.steps) == 0 {
		return
	}
	top, most := d.y, 0
	for k, s := range e.steps {
		most = max(most, d.texts(e.columns[k], top, d.above(s, e.columns[k]), d.rows[s]))
	}
	d.y = top + chartLine*float64(most)
	if len(e.joined) > 0 {
		d.bar(e)
	} else {
		fmt.Fprintf(&d.body, `<circle cx="%.1f" cy="%.1f" r="2.5" fill="#777777"/>`+"\n", d.x[e.columns[0]], top+chartLine-4)
	}
	top, most = d.y, 0
	for k, s := range e.steps {
		most = max(most, d.texts(e.columns[k], top, d.below(s), d.rows[s]))
	}
	d.y = top + chartLine*float64(most) + 5
}

// bar draws the action of a row, with its name, across those that perform it.
func (d *chart) bar(e *chartEvent) {
	first, last := d.x[e.joined[0]], d.x[e.joined[len(e.joined)-1]]
	d.y += chartLine
	d.text(first+chartInset, d.y, chartText{text: e.action(), color: "#cc4422"}, true)
	d.y += 5
	fmt.Fprintf(&d.body, `<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke="#cc4422" stroke-width="2"/>`+"\n", first, d.y, last, d.y)
	for _, i := range e.joined {
		fmt.Fprintf(&d.body, `<circle cx="%.1f" cy="%.1f" r="4" fill="#cc4422"/>`+"\n", d.x[i], d.y)
	}
	d.y += 2
}

// frame draws the loop, in a frame that says that it is repeated.
func (d *chart) frame(loop []chartEvent) {
	before := d.body.String()
	d.body.Reset()
	d.y += 4
	top := d.y
	d.y += chartLine + 2
	fmt.Fprintf(&d.body, `<text x="%d" y="%.1f" fill="#3366aa" font-weight="bold">for ever</text>`+"\n", chartLeft+chartInset, d.y-2)
	for i := range loop {
		d.event(&loop[i])
	}
	d.y += 4
	rows := d.body.String()
	d.body.Reset()
	d.body.WriteString(before)
	fmt.Fprintf(&d.body, `<rect x="8" y="%.1f" width="%.1f" height="%.1f" rx="8" fill="#7aa0dd" fill-opacity="0.13" stroke="#7aa0dd" stroke-dasharray="4 3"/>`+"\n", top, d.width-16, d.y-top)
	d.body.WriteString(rows)
	d.y += 4
}

// ending draws what the components wait for at the end.
func (d *chart) ending(ends map[int][]chartText) {
	if len(ends) == 0 {
		return
	}
	d.y += 6
	most := 0
	for i := range d.names {
		if len(ends[i]) == 0 {
			continue
		}
		most = max(most, d.texts(i, d.y, ends[i], 0))
		fmt.Fprintf(&d.body, `<rect x="%.1f" y="%.1f" width="8" height="8" fill="#b02a10"/>`+"\n", d.x[i]-4, d.y+chartLine-8)
	}
	d.y += chartLine*float64(most) + 6
}

// texts draws lines about a step in a column below y, and returns how many there are.
func (d *chart) texts(column int, y float64, lines []chartText, row int) int {
	for i, t := range lines {
		t.row, t.code = row, true
		d.text(d.x[column]+chartInset+float64(t.indent)*chartChar, y+chartLine*float64(i+1), t, false)
	}
	return len(lines)
}

// text draws a line of text, on white if it may lie on others' lines.
func (d *chart) text(x, y float64, t chartText, white bool) {
	weight := ""
	if white {
		n := 1.1*diagram.Width(t.text, chartFont) + 4
		fmt.Fprintf(&d.body, `<rect x="%.1f" y="%.1f" width="%.1f" height="%d" fill="white"/>`+"\n", x-2, y-chartFont+1, n, chartFont+2)
		weight = ` font-weight="bold"`
	}
	if t.code {
		weight += fmt.Sprintf(` font-family="%s"`, diagram.Mono)
	}
	place := ""
	if t.place != "" {
		place = `<tspan fill="#666666">` + escaped(t.place) + `</tspan>`
		if t.text != "" {
			place += " "
		}
	}
	if t.row > 0 { // a page finds its way by the numbers of steps
		weight += fmt.Sprintf(` data-row="%d"`, t.row-1)
	}
	fmt.Fprintf(&d.body, `<text x="%.1f" y="%.1f" fill="%s"%s>%s%s</text>`+"\n", x, y, t.fill(), weight, place, escaped(t.text))
}

func (t chartText) fill() string {
	if t.color == "" {
		return "#000000"
	}
	return t.color
}

// shortPlace is a place without the folders of its file.
func shortPlace(place string) string { return path.Base("/" + strings.ReplaceAll(place, `\`, "/")) }

// escaped is text that XML readers show as it is, whatever is in it.
func escaped(text string) string {
	var b strings.Builder
	if err := xml.EscapeText(&b, []byte(strings.ToValidUTF8(text, "\uFFFD"))); err != nil {
		return ""
	}
	return b.String()
}

// cells is how many places a text takes where all characters are of one width; those of
// eastern scripts take two.
func cells(text string) int {
	n := utf8.RuneCountInString(text)
	for _, r := range text {
		if r >= 0x1100 && r != utf8.RuneError && (r < 0x2000 || r > 0x2bff) {
			n++
		}
	}
	return n
}

// brokenAt breaks a text between its words, words that are longer behind their signs, and names
// that are longer than n places where they must be, into lines of at most n places.
func brokenAt(text string, n int) (lines []string) {
	for _, part := range brokenBehind(strings.Join(strings.Fields(text), " "), n, 0) {
		line := ""
		for _, r := range part {
			if cells(line)+cells(string(r)) > n {
				lines, line = append(lines, line), ""
			}
			line += string(r)
		}
		if line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}
