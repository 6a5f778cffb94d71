package simui

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/seltl/seltl/check/sim"
	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/internal/source"
)

// line is a line of the screen, of one style.
type line struct {
	text  string
	style style
}

type style string

const (
	plain    style = ""
	bold     style = "1"
	faint    style = "2"
	reversed style = "7"
	red      style = "1;31"
	green    style = "32"
	yellow   style = "33"
)

// colors are the styles that are colours: without them they are bold or plain.
var colors = map[style]style{red: bold, green: plain, yellow: plain}

// paint cuts or fills a line to a width, and styles it.
func (m *screen) paint(l line, width int) string {
	text := fit(l.text, width)
	s := l.style
	if without, ok := colors[s]; ok && !m.ui.Color {
		s = without
	}
	if s == plain {
		return text
	}
	return "\x1b[" + string(s) + "m" + text + "\x1b[0m"
}

// printable is a rune as it can be shown: control characters would move the cursor.
func printable(r rune) rune {
	if !unicode.IsPrint(r) {
		return '?'
	}
	return r
}

// cells is how many columns a printable rune takes.
func cells(r rune) int {
	switch {
	case unicode.In(r, unicode.Mn, unicode.Me):
		return 0
	case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul) || r >= 0xff01 && r <= 0xff60 || r >= 0x1f300 && r <= 0x1faff:
		return 2
	}
	return 1
}

// fit makes a text exactly so many columns wide; what is cut off ends in "…".
func fit(text string, width int) string {
	if width <= 0 {
		return ""
	}
	var b strings.Builder
	used := 0
	runes := []rune(strings.Map(printable, text))
	for i, r := range runes {
		need := cells(r)
		if used+need > width || used+need == width && i < len(runes)-1 {
			b.WriteString("…")
			used++
			break
		}
		b.WriteRune(r)
		used += need
	}
	return b.String() + strings.Repeat(" ", max(0, width-used))
}

// wrapped breaks a text into lines.
func wrapped(text string, width, hang int) []string {
	return strings.Split(source.Wrap(text, width, hang), "\n")
}

// View draws the screen: as many lines as it has, none wider than it is.
func (m *screen) View() string {
	if m.width <= 0 || m.height <= 0 {
		return ""
	}
	if m.help {
		return m.join(m.helpLines())
	}
	bottom := m.bottom()
	body := m.height - 1 - len(bottom)
	lines := []string{m.paint(line{m.title(), reversed}, m.width)}
	if body > 0 {
		lines = append(lines, m.panes(body)...)
	}
	for _, l := range bottom {
		lines = append(lines, m.paint(l, m.width))
	}
	return strings.Join(lines[:min(len(lines), m.height)], "\n")
}

func (m *screen) join(lines []line) string {
	lines = window(lines, m.helpTop, m.height)
	out := lists.Map(lines, func(l line) string { return m.paint(l, m.width) })
	return strings.Join(out, "\n")
}

// title says what is stepped through, and where that is.
func (m *screen) title() string {
	model := m.ui.Session.Describe()
	text := fmt.Sprintf(" %s  %s  state %d", model.Process, filepath.Base(model.File), m.now.Step)
	if m.now.Ahead > 0 {
		text += fmt.Sprintf(" of %d", m.now.Step+m.now.Ahead)
	}
	if m.now.Same >= 0 {
		text += fmt.Sprintf(", the same as %d", m.now.Same)
	}
	if l := m.now.Loop; l != nil {
		text += fmt.Sprintf(", on the loop from %d", l.Start)
	}
	if m.now.Menu != "" {
		text += ", menu " + m.now.Menu
	}
	return text
}

// bottom is the message or the prompt, and which keys there are.
func (m *screen) bottom() []line {
	var lines []line
	switch {
	case m.prompt != nil:
		text := m.prompt.label + m.prompt.text + "_"
		if runes := []rune(text); len(runes) > m.width { // the end is what is being typed
			text = string(runes[len(runes)-m.width:])
		}
		lines = append(lines, line{text, bold})
	case m.message != "":
		look := plain
		if m.bad {
			look = red
		}
		for _, text := range strings.Split(m.message, "\n") {
			for _, part := range wrapped(text, m.width, 2) {
				lines = append(lines, line{part, look})
			}
		}
		lines = lines[:min(len(lines), max(1, m.height/3))]
	default:
		lines = append(lines, line{})
	}
	if m.height > 6 {
		keys := "enter take  u undo  r redo  g goto  R random  x run  / filter  s save  ? help  q quit"
		if m.width < len(keys) { // what is cut off is in the help
			keys = "? help  q quit  enter take  u undo  r redo  g goto  R random  x run  / filter  s save"
		}
		lines = append(lines, line{keys, faint})
	}
	return lines
}

// Widths and heights from which on there is room for more.
const (
	twoColumns = 60
	fewLines   = 6
	column     = " │ "
)

// panes are the parts between title and bottom, in so many lines.
func (m *screen) panes(height int) []string {
	if height < fewLines {
		return m.draw(choicesPane, m.width, height)
	}
	properties := 0
	if n := len(m.now.Properties); n > 0 {
		properties = min(n+1, max(2, height/4))
	}
	main := height - properties
	var lines []string
	if m.width >= twoColumns {
		left := (m.width - len([]rune(column))) * 11 / 20
		right := m.width - len([]rune(column)) - left
		state := min(len(m.state(right))+1, main*3/5)
		details := 0
		if main >= 2*fewLines {
			details = min(fewLines+2, main/3)
		}
		choices := main - details
		if details > 0 && m.now.End == "" {
			choices = min(choices, len(m.shown)+2)
		}
		one := slices.Concat(m.draw(choicesPane, left, choices), m.details(left, main-choices))
		two := slices.Concat(m.draw(statePane, right, state), m.draw(runPane, right, main-state))
		for i := range main {
			lines = append(lines, one[i]+column+two[i])
		}
	} else {
		choices := min(len(m.shown)+1, max(main/2, main-2*fewLines))
		if m.now.End != "" {
			choices = main / 2
		}
		rest := main - choices
		state := rest * 3 / 5
		lines = slices.Concat(m.draw(choicesPane, m.width, choices), m.draw(statePane, m.width, state), m.draw(runPane, m.width, rest-state))
	}
	return append(lines, m.draw(propertiesPane, m.width, properties)...)
}

// draw draws a pane: exactly so many lines, each exactly so wide.
func (m *screen) draw(p pane, width, height int) []string {
	if height <= 0 {
		return nil
	}
	var title string
	var lines []line
	switch p {
	case choicesPane:
		title, lines = m.choices(width)
	case statePane:
		title, lines = "state", m.state(width)
	case runPane:
		title, lines = "run", m.run()
	case propertiesPane:
		title, lines = "properties", m.properties()
	}
	first := 0 // to be shown, where nobody scrolls
	switch {
	case p == choicesPane && m.now.End == "":
		first = m.cursor - (height-1)/2
	case p == runPane:
		first = m.now.Step - (height-1)*2/3
	case p == statePane:
		if changed := slices.IndexFunc(lines, func(l line) bool { return strings.HasPrefix(l.text, " * ") }); changed >= height-1 {
			first = changed - (height-1)/2
		}
	}
	last := max(0, len(lines)-(height-1))
	first = max(0, min(first, last))
	m.offset[p] = max(-first, min(m.offset[p], last-first))
	first += m.offset[p]
	if below := len(lines) - first - (height - 1); p == statePane && (first > 0 || below > 0) {
		title += fmt.Sprintf(" (%d lines above, %d below)", first, max(below, 0))
	}
	if m.focus == p {
		title = "[" + title + "]"
	}
	out := []string{m.paint(line{title, bold}, width)}
	for _, l := range window(lines, first, height-1) {
		out = append(out, m.paint(l, width))
	}
	for len(out) < height {
		out = append(out, fit("", width))
	}
	return out
}

// window returns so many lines from top on, or as many as there are: nothing is left empty
// where there are more.
func window(lines []line, top, height int) []line {
	top = max(0, min(top, len(lines)-height))
	return lines[top:min(len(lines), top+max(0, height))]
}

// choices lists what is possible, the cursor marked, or says why nothing is.
func (m *screen) choices(width int) (title string, lines []line) {
	title = fmt.Sprintf("choices (%d)", len(m.now.Choices))
	if m.now.More > 0 {
		title = fmt.Sprintf("choices (%d of %d)", len(m.now.Choices), len(m.now.Choices)+m.now.More)
	}
	if m.filter != "" {
		title = fmt.Sprintf("choices (%d of %d with %q)", len(m.shown), len(m.now.Choices), m.filter)
	}
	if m.now.End != "" {
		for _, text := range endText(m.now) {
			for i, part := range wrapped(m.near(text), width, 2) {
				look := plain
				if len(lines) == 0 && i == 0 && m.now.End != "end" {
					look = red
				}
				lines = append(lines, line{part, look})
			}
		}
		return title, lines
	}
	names := 0
	for _, n := range m.shown {
		names = max(names, len(m.near(m.now.Choices[n].Event)))
	}
	names = min(names, max(8, width/2))
	for i, n := range m.shown {
		c := &m.now.Choices[n]
		mark, number := " ", fmt.Sprint(c.Number)
		if c.Ahead {
			mark = "*"
		}
		if c.Alone {
			number = "-"
		}
		what := strings.Join(changes(&c.Step, m.name), "; ") + truths(&c.Step)
		if m.now.Program != nil {
			what = strings.TrimSpace(programChoice(c))
		}
		l := line{text: fmt.Sprintf(" %s%2s %-*s  %s", mark, number, names, m.near(c.Event), what)}
		switch {
		case i == m.cursor:
			l.text, l.style = ">"+l.text[1:], reversed
		case c.Alone:
			l.style = faint
		}
		lines = append(lines, l)
	}
	return title, lines
}

// details says what the choice under the cursor changes, in exactly so many lines.
func (m *screen) details(width, height int) []string {
	if height == 0 {
		return nil
	}
	lines := []line{{}}
	if m.now.Program != nil {
		lines = m.source(height)
	} else if m.cursor < len(m.shown) && m.now.End == "" {
		c := &m.now.Choices[m.shown[m.cursor]]
		lines[0] = line{c.Event, bold}
		for _, text := range append(changes(&c.Step, m.name), strings.TrimSpace(truths(&c.Step))) {
			for _, part := range wrapped(" "+text, width, 3) {
				lines = append(lines, line{part, plain})
			}
		}
		if c.Alone {
			lines = append(lines, line{" the system's to choose (x), or m for another menu", faint})
		}
	}
	out := make([]string, height)
	for i := range out {
		l := line{}
		if i < len(lines) {
			l = lines[i]
		}
		out[i] = m.paint(l, width)
	}
	return out
}

// name is a component's short name, "" where there is one only.
func (m *screen) name(component string) string {
	if len(m.short) == 1 {
		return ""
	}
	return m.short[component]
}

// state lists the components with their local states, those that have just moved marked,
// and what is true.
func (m *screen) state(width int) []line {
	if m.now.Program != nil {
		return m.programState(width)
	}
	moved := map[string]bool{}
	if m.now.By != nil {
		for _, ch := range m.now.By.Changed {
			moved[ch.Component] = true
		}
	}
	names := m.ui.Session.Components()
	long := 0
	for i, name := range names {
		if !m.ui.Session.Watching(i) {
			long = max(long, len(m.short[name]))
		}
	}
	long = min(long, max(8, width/2))
	var lines []line
	for i, name := range names {
		if m.ui.Session.Watching(i) {
			continue
		}
		mark, look := " ", plain
		if moved[name] {
			mark, look = "*", yellow
		}
		lines = append(lines, line{fmt.Sprintf("%s%s  %s", mark, fit(m.short[name], long), m.now.State.Locals[i]), look})
	}
	holds := m.now.State.Props
	not := lists.Filter(m.ui.Session.Props(), func(p string) bool { return !slices.Contains(holds, p) })
	for _, group := range []struct {
		name  string
		props []string
		look  style
	}{{"true", holds, green}, {"false", not, faint}} {
		if len(group.props) == 0 {
			continue
		}
		for _, text := range wrapped(fmt.Sprintf(" %-5s  %s", group.name, strings.Join(group.props, ", ")), width, 8) {
			lines = append(lines, line{text, group.look})
		}
	}
	return lines
}

// run lists the states of the run and the events that led there.
func (m *screen) run() []line {
	lines := make([]line, 0, len(m.history)+1)
	for i := range len(m.history) + 1 {
		event := "initially"
		if i > 0 {
			event = m.near(m.history[i-1])
		}
		l := line{text: fmt.Sprintf(" %4d  %s", i, event)}
		switch {
		case i == m.now.Step:
			l.text, l.style = ">"+l.text[1:], bold
		case i > m.now.Step:
			l.style = faint
		}
		lines = append(lines, l)
	}
	return lines
}

// properties lists how they stand.
func (m *screen) properties() []line {
	var lines []line
	for i := range m.now.Properties {
		p := &m.now.Properties[i]
		look := plain
		switch {
		case p.Verdict == sim.Violated || p.Lasso == sim.Violated:
			look = red
		case p.Verdict == sim.Satisfied:
			look = green
		case len(p.Owes) > 0:
			look = yellow
		}
		lines = append(lines, line{" " + standing(p), look})
	}
	return lines
}

// standing says how a property stands, with its formula where there is nothing else to say.
func standing(p *sim.Property) string {
	if p.Verdict == sim.Open && len(p.Owes) == 0 && p.Lasso == "" && p.Name != "" {
		return p.Name + "  open  " + p.Formula
	}
	return propertyText(p, false)
}

// wideHelp is from which width on keys and commands stand beside what they do.
const wideHelp = 50

// helpEntry is a key or a command, and what it does.
func (m *screen) helpEntry(name, does string) (lines []line) {
	texts := wrapped(fmt.Sprintf("  %-16s %s", name, does), m.width, 19)
	if m.width < wideHelp {
		texts = append(wrapped(name, m.width, 2), wrapped("  "+does, m.width, 2)...)
	}
	return lists.Append(nil, texts, func(text string) line { return line{text, plain} })
}

// helpLine is where the help says what a command does.
func (m *screen) helpLine(v *sim.Verb) int {
	name := strings.TrimSpace(v.Name + " " + v.Args)
	commands := false
	for i, l := range m.helpLines() {
		commands = commands || l.text == "commands"
		if commands && strings.HasPrefix(strings.TrimSpace(l.text), strings.Fields(name)[0]) {
			return i
		}
	}
	return 0
}

// helpLines are the keys and the commands.
func (m *screen) helpLines() []line {
	var lines []line
	for _, text := range wrapped("keys (any other key ends this, j and k scroll)", m.width, 2) {
		lines = append(lines, line{text, bold})
	}
	goals, start := "go to a formula, event, COMPONENT in STATE, deadlock, or violation of PROPERTY", "a new run, from another initial state"
	if m.now.Program != nil {
		goals, start = "go to a line, ROUTINE(), an action, a C expression, error, end, deadlock or return", "a new run, with arguments; enter alone draws them"
	}
	for _, k := range [][2]string{
		{"enter, space", "take the step under the cursor"}, {"1 ... 9", "take the step of that number"},
		{"up down j k", "move the cursor, or scroll the pane in brackets"}, {"tab", "the next pane"},
		{"u left, r right", "undo, redo: back and forth in the run"}, {"home 0", "back to the start"},
		{"g", goals},
		{"R", "steps at random"}, {"x", "run on as long as there is no choice"}, {"/", "show choices with a text only"},
		{"m", "the next menu of the model, or none"}, {"i", start},
		{"s l", "save the run, load one"}, {":", "a command, see below"}, {"esc", "end what takes long; forget the filter"}, {"q ctrl+c", "end"},
	} {
		if k[0] != "m" || m.now.Program == nil {
			lines = append(lines, m.helpEntry(k[0], k[1])...)
		}
	}
	if m.now.Program != nil {
		lines = append(lines, m.helpEntry("o O", "over what this line calls; out of this routine")...)
	}
	lines = append(lines, line{}, line{"commands", bold})
	for _, v := range m.ui.Session.Verbs() {
		lines = append(lines, m.helpEntry(strings.TrimSpace(v.Name+" "+v.Args), v.About)...)
	}
	return lines
}
