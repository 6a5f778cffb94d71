package simui

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/seltl/seltl/check/sim"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/report"
)

// programHead is the line of a state of a program.
func (t *teller) programHead(p *sim.Position) {
	if len(p.Program.By) == 0 {
		t.programStart(p.State.Locals)
		return
	}
	numbers := make([]int, len(p.Program.By))
	for i := range numbers {
		numbers[i] = p.Step
	}
	t.programSteps(numbers, p.Program.By)
}

// programStart is the line of the start of a run: where it is, and what it was given.
func (t *teller) programStart(locals []string) {
	text := strings.Join(locals, "; ")
	if p, ok := t.session.(*sim.Program); ok && len(p.Given()) > 0 {
		text += "  with " + strings.Join(p.Given(), ", ")
	}
	t.printf("%5d  initially  %s\n", 0, text)
}

// longestCode bounds what is told of a line of a source, in characters.
const longestCode = 200

// programSteps tells lines that were done.
func (t *teller) programSteps(numbers []int, steps []report.Step) {
	place, routine, code := 0, 0, 0
	for i := range steps {
		if len(steps) > mostTaken && i >= mostTaken/2 && i < len(steps)-mostTaken/2 {
			continue // is not told
		}
		s := &steps[i]
		place, routine = max(place, utf8.RuneCountInString(s.Event)), max(routine, utf8.RuneCountInString(s.Routine))
		if s.Does() != "" {
			code = max(code, utf8.RuneCountInString(s.Source))
		}
	}
	place, routine, code = min(place, 40), min(routine, 30), min(code, 50)
	for i := range steps {
		if len(steps) > mostTaken && i >= mostTaken/2 && i < len(steps)-mostTaken/2 {
			if i == mostTaken/2 {
				t.printf("%5s  %s in between\n", "...", report.Counted(int64(len(steps)-mostTaken), "step"))
			}
			continue
		}
		s := &steps[i]
		t.printf("%s\n", strings.TrimRight(fmt.Sprintf("%5d  %-*s  %-*s  %-*s%s", numbers[i], place, s.Event, routine, s.Routine, code, source.Beginning(s.Source, longestCode), s.Does()), " "))
	}
}

// programTrace tells the run so far.
func (t *teller) programTrace(c *report.Counterexample) {
	numbers, n := []int{}, 0
	steps := append(append([]report.Step{}, c.Stem...), c.Loop...)
	for i := range steps {
		if i == 0 || steps[i].Action == "" || len(steps[i].With) == 0 || steps[i-1].Action != steps[i].Action {
			n++
		}
		numbers = append(numbers, n)
	}
	t.programStart(c.Initial.Locals)
	t.programSteps(numbers[:len(c.Stem)], c.Stem)
	if len(c.Loop) > 0 {
		t.printf("  loop, repeated for ever:\n")
		t.programSteps(numbers[len(c.Stem):], c.Loop)
	}
}

// programChoice is what there is to say of a choice behind its place.
func programChoice(c *sim.Choice) string {
	text := ""
	if len(c.Movers) > 0 {
		text += "  " + strings.Join(c.Movers, ", ")
	}
	if c.Source != "" {
		text += "  " + source.Beginning(c.Source, longestCode)
	}
	text += c.Does()
	if c.Text != "" && c.Action == "" {
		text += "  (" + c.Text + ")"
	}
	if c.Asks != "" {
		text += "  asks for " + c.Asks
	}
	return text
}

// programEnds are the kinds of ends of runs.
var programEnds = map[string]string{"error": "ERROR", "end": "END", "deadlock": "DEADLOCK: nothing is possible here", "refused": "NO SUCH RUN", "undefined": "UNDEFINED", "exceeded": "TOO LONG"}

// programEnd says why nothing is possible, in lines.
func programEnd(p *sim.Position) []string {
	why := p.Program.Why
	if p.End == "deadlock" || len(why) != 1 {
		return append([]string{programEnds[p.End]}, why...)
	}
	return []string{programEnds[p.End] + ": " + why[0]}
}

// programState tells where the components are, and their values.
func (t *teller) programState(p *sim.Position, stack bool) {
	for i := range p.Program.Parts {
		part := &p.Program.Parts[i]
		if len(p.Program.Parts) > 1 {
			t.printf("       %s\n", part.Name)
		}
		for _, text := range placeLines(part) {
			t.printf("       %s\n", text)
		}
		if stack {
			continue
		}
		for _, v := range part.Values {
			t.printf("         %s\n", v)
		}
	}
	holds := map[string]bool{}
	for _, name := range p.Program.True {
		holds[name] = true
	}
	for _, name := range t.session.Props() {
		if !stack {
			t.printf("       %-5v  %s\n", holds[name], name)
		}
	}
}

// placeLines says where a component is: its calls, the innermost first.
func placeLines(part *sim.ProgramPart) (all []string) {
	if part.Ended != "" {
		return []string{part.Ended}
	}
	for k, f := range part.Stack {
		text := "in "
		if k > 0 {
			text = "called by "
		}
		text += f.Name()
		if f.Place != "" {
			text += " at " + f.Place + "  " + source.Beginning(f.Source, longestCode)
		}
		all = append(all, text)
	}
	if part.Inside != "" {
		all = append(all, "inside of "+part.Inside)
	}
	return all
}

// near is a text without the folder of the source that is shown.
func (m *screen) near(text string) string {
	p, ok := m.ui.Session.(*sim.Program)
	if !ok {
		return text
	}
	if name, _, _ := p.Around(); strings.ContainsRune(name, '/') {
		return strings.ReplaceAll(text, name[:strings.LastIndexByte(name, '/')+1], "")
	}
	return text
}

// programKeys are keys that stand for commands of programs only.
var programKeys = map[string]string{"o": "over", "O": "out"}

// takes takes a step, and asks for a value where that needs one.
func (m *screen) takes(n int) tea.Cmd {
	if n <= len(m.now.Choices) && m.now.Choices[n-1].Asks != "" {
		m.prompt = &prompt{label: m.now.Choices[n-1].Asks + " (enter: random): ", otherwise: "random", command: strconv.Itoa(n) + " "}
		return nil
	}
	return m.do(strconv.Itoa(n))
}

// source is the text around where the component is that moved last.
func (m *screen) source(height int) []line {
	p, ok := m.ui.Session.(*sim.Program)
	if !ok {
		return nil
	}
	name, text, at := p.Around()
	lines := []line{{name, bold}}
	first := max(0, min(at-1-(height-1)/2, len(text)-(height-1)))
	for i := first; i < len(text) && len(lines) < height; i++ {
		l := line{fmt.Sprintf("  %4d  %s", i+1, strings.ReplaceAll(text[i], "\t", "    ")), plain}
		if i+1 == at {
			l.text, l.style = "> "+l.text[2:], bold
		}
		lines = append(lines, l)
	}
	return lines
}

// calls says where a component is, in no more lines than about half of the pane has: of many calls those
// in the middle are folded. It returns their names.
func (m *screen) calls(part *sim.ProgramPart, width int) (lines []line, folded map[string]bool) {
	for _, text := range placeLines(part) {
		for _, l := range wrapped(" "+m.near(text), width, 4) {
			lines = append(lines, line{l, plain})
		}
	}
	room := max(4, (m.height-6)*3/10)
	if len(lines) <= room || len(part.Stack) < 4 {
		return lines, nil
	}
	inner := min(room-3, len(part.Stack)-3)
	outer := len(part.Stack) - 2
	folded, lines = map[string]bool{}, nil
	for k := range part.Stack {
		f := part.Stack[k]
		switch f.Source = ""; {
		case k < inner || k >= outer:
			text := "called by "
			if k == 0 {
				text = "in "
			}
			lines = append(lines, line{" " + text + f.Name() + " at " + m.near(f.Place), plain})
		default:
			if folded[f.Name()] = true; k == inner {
				lines = append(lines, line{fmt.Sprintf(" ... %s in between", report.Counted(int64(outer-inner), "call")), faint})
			}
		}
	}
	return lines, folded
}

// ownerOf is the call of a local that a value is of: "f#2" of "*f#2.p = 3".
func ownerOf(value string) string {
	name, _, local := strings.Cut(strings.TrimLeft(value, "*("), ".")
	if !local {
		return ""
	}
	return name
}

// programState lists where the components are, with values.
func (m *screen) programState(width int) (lines []line) {
	changed := map[string]bool{}
	for _, by := range m.now.Program.By {
		for _, v := range by.Gained {
			changed[strings.TrimSuffix(v, " (drawn)")] = true
		}
	}
	for i := range m.now.Program.Parts {
		part := &m.now.Program.Parts[i]
		if len(m.now.Program.Parts) > 1 {
			lines = append(lines, line{part.Name, bold})
		}
		calls, folded := m.calls(part, width)
		lines = append(lines, calls...)
		hidden := 0
		for k, v := range part.Values {
			if folded[ownerOf(v)] {
				if hidden++; k+1 == len(part.Values) || !folded[ownerOf(part.Values[k+1])] {
					lines = append(lines, line{fmt.Sprintf("   ... %s in between", report.Counted(int64(hidden), "value")), faint})
					hidden = 0
				}
				continue
			}
			l := line{"   " + v, plain}
			short := v
			if len(part.Stack) > 0 {
				short = strings.Replace(v, part.Stack[0].Name()+".", "", 1)
			}
			if changed[v] || changed[short] {
				l = line{" * " + v, yellow}
			}
			lines = append(lines, l)
		}
	}
	for _, name := range m.now.Program.True {
		lines = append(lines, line{" true   " + name, green})
	}
	return lines
}
