package simui

import (
	"fmt"
	"io"
	"reflect"
	"strings"
	"unicode/utf8"

	"github.com/seltl/seltl/check/sim"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/report"
)

// teller tells a session in lines.
type teller struct {
	w       io.Writer
	session sim.Stepper
	quiet   bool
	short   map[string]string       // names of components
	told    map[string]sim.Property // how properties stood when that was told last
}

// Of many choices and steps some are shown.
const (
	mostChoices = 40
	mostTaken   = 24
)

// printf shows no words of programs, or of what was typed, that would fill or control a terminal.
func (t *teller) printf(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if _, ok := t.session.(*sim.Program); ok {
		text = source.Shown(text)
	}
	fmt.Fprint(t.w, text)
}

// begin says what is stepped through.
func (t *teller) begin() {
	m := t.session.Describe()
	text := fmt.Sprintf("%s of %s: %s", m.Process, m.File, report.Counted(int64(len(t.session.Components())), "component"))
	if starts, err := t.session.Starts(); err == nil && len(starts) > 1 {
		text += fmt.Sprintf(", %d initial states (start N)", len(starts))
	}
	t.printf("%s; help lists the commands\n", text)
	now := t.session.Now()
	if now.Menu != "" {
		t.printf("menu %s is in force: run takes what is not on it, menu off lifts it\n", now.Menu)
	}
	if now.Ahead > 0 {
		t.printf("%s ahead: redo takes the next one\n", report.Counted(int64(now.Ahead), "step"))
	}
	t.head(now)
	t.properties(false)
	t.position(now)
}

// answer tells what a command did.
func (t *teller) answer(out *Line, command sim.Command, moved bool) {
	if out.Error != "" {
		t.printf("error: %s\n", out.Error)
		for i := range out.Among {
			t.choice(&out.Among[i], 0)
		}
		if out.Help != "" {
			t.printf("  %s\n", out.Help)
		}
		return
	}
	now := t.session.Now()
	if now.Program != nil {
		t.programSteps(out.numbers, out.Steps)
	} else {
		t.steps(now.Step-len(out.Steps), out.Steps)
	}
	if out.Text != "" {
		t.printf("%s\n", out.Text)
	}
	switch command.Verb {
	case "state", "stack":
		if now.Program != nil {
			t.programState(now, command.Verb == "stack")
		} else {
			t.state(now)
		}
	case "properties":
		t.properties(true)
	case "trace":
		t.trace()
	case "show":
		t.head(now)
		t.choices(now, len(now.Choices))
	default:
		if moved {
			if len(out.Steps) == 0 {
				t.head(now)
			}
			t.properties(false)
			t.position(now)
		}
	}
}

// head is the line of a state.
func (t *teller) head(p *sim.Position) {
	if p.Program != nil {
		t.programHead(p)
		return
	}
	event := "initially"
	if p.By != nil {
		event = p.By.Event
	}
	t.printf("%s\n", strings.TrimRight(fmt.Sprintf("%5d  %s  %s", p.Step, event, stateText(p.State, t.session.Components())), " "))
}

// stateText is what is true in a state; of a single component also where it is.
func stateText(s report.State, components []string) string {
	var parts []string
	if len(s.Props) > 0 {
		parts = append(parts, "{"+strings.Join(s.Props, ", ")+"}")
	}
	if len(components) == 1 {
		parts = append(parts, "in "+s.Locals[0])
	}
	return strings.Join(parts, "  ")
}

// steps tells steps that were made after so many others.
func (t *teller) steps(from int, steps []report.Step) {
	width := 0
	for i := range steps {
		width = max(width, utf8.RuneCountInString(steps[i].Event))
	}
	width = min(width, 40)
	for i := range steps {
		if len(steps) > mostTaken && i >= mostTaken/2 && i < len(steps)-mostTaken/2 {
			if i == mostTaken/2 {
				t.printf("%5s  %s in between\n", "...", report.Counted(int64(len(steps)-mostTaken), "step"))
			}
			continue
		}
		s := &steps[i]
		t.printf("%s\n", strings.TrimRight(fmt.Sprintf("%5d  %-*s  %s", from+i+1, width, s.Event, stateText(s.State, t.session.Components())), " "))
		if len(t.session.Components()) > 1 {
			t.printf("%5s  %*s  %s\n", "", width, "", strings.Join(shortened(changes(s, t.name)), "; "))
		}
	}
}

// changes says who takes part in a step and what changes; name is how components are called.
func changes(s *report.Step, name func(component string) string) []string {
	var parts []string
	changed := map[string]bool{}
	for _, ch := range s.Changed {
		changed[ch.Component] = true
		text := ch.From + " -> " + ch.To
		if of := name(ch.Component); of != "" {
			text = of + ": " + text
		}
		parts = append(parts, text)
	}
	var others []string
	for _, m := range s.Movers {
		if of := name(m); !changed[m] && of != "" {
			others = append(others, of)
		}
	}
	switch {
	case len(others) > 0:
		parts = append(parts, strings.Join(others, ", ")+" unchanged")
	case len(parts) == 0:
		parts = append(parts, "nothing changes")
	}
	return parts
}

// shortened leaves out parts of many.
func shortened(parts []string) []string {
	if len(parts) > 4 {
		return append(parts[:3:3], fmt.Sprintf("%d more", len(parts)-3))
	}
	return parts
}

// truths says which propositions a step makes true and false.
func truths(s *report.Step) string {
	text := ""
	for _, p := range s.Gained {
		text += "  +" + p
	}
	for _, p := range s.Lost {
		text += "  -" + p
	}
	return text
}

// name is a component's short name, "" where there is one only.
func (t *teller) name(component string) string {
	if t.short == nil {
		t.short = shortNames(t.session.Components())
	}
	if len(t.short) == 1 {
		return ""
	}
	return t.short[component]
}

// shortNames leaves out of the names of components what tells none apart: the process of one
// that has a prefix.
func shortNames(names []string) map[string]string {
	short, taken := map[string]string{}, map[string]bool{}
	for _, name := range names {
		short[name] = name
		if i := strings.LastIndexByte(name, ':'); i > 0 && name[i-1] != ':' {
			short[name] = name[:i]
		}
		if taken[short[name]] {
			for _, name := range names {
				short[name] = name
			}
			break
		}
		taken[short[name]] = true
	}
	return short
}

// position says what there is to know of where the session is, and what is possible.
func (t *teller) position(p *sim.Position) {
	if p.Same >= 0 {
		t.printf("       the same state as %d\n", p.Same)
	}
	if l := p.Loop; l != nil {
		t.printf("       on the loop of %s from state %d\n", report.Counted(int64(l.Length), "step"), l.Start)
	}
	if !t.quiet {
		t.choices(p, mostChoices)
	} else if p.End != "" {
		t.end(p)
	}
}

// end says why nothing is possible.
func (t *teller) end(p *sim.Position) {
	lines := endText(p)
	t.printf("%s\n", lines[0])
	for _, line := range lines[1:] {
		t.printf("       %s\n", line)
	}
}

// endText says why nothing is possible, in lines.
func endText(p *sim.Position) []string {
	if p.Program != nil {
		return programEnd(p)
	}
	switch p.End {
	case "error":
		return []string{"ERROR: of " + strings.Join(p.Failed, ", ")}
	case "end":
		return []string{"END: the model has terminated"}
	}
	lines := []string{"DEADLOCK: nothing is possible here"}
	if len(p.Cycle) > 0 {
		lines = append(lines, fmt.Sprintf("cycle of waiting: %s -> %s", strings.Join(p.Cycle, " -> "), p.Cycle[0]))
	}
	for i := range p.Waiting {
		lines = append(lines, waitingText(&p.Waiting[i]))
	}
	return lines
}

// waitingText says what a component waits for.
func waitingText(w *report.Waiting) string {
	switch {
	case w.Ended:
		return w.Component + " has terminated"
	case len(w.Offers) == 0:
		return fmt.Sprintf("%s in %s can do nothing", w.Component, w.State)
	}
	var offers []string
	for _, o := range w.Offers {
		offers = append(offers, fmt.Sprintf("%s (refused by %s)", o.Event, strings.Join(o.Refused, ", ")))
	}
	return fmt.Sprintf("%s in %s waits for %s", w.Component, w.State, strings.Join(offers, " or "))
}

// choices lists what is possible.
func (t *teller) choices(p *sim.Position, most int) {
	if p.End != "" {
		t.end(p)
		return
	}
	width := 0
	for i := range p.Choices {
		width = max(width, utf8.RuneCountInString(p.Choices[i].Event))
	}
	width = min(width, 40)
	for i := range p.Choices {
		if i == most {
			t.printf("%8s  %d more: show lists all\n", "...", len(p.Choices)-most)
			return
		}
		t.choice(&p.Choices[i], width)
	}
	if p.More > 0 {
		t.printf("%8s  %d more: name an action to take it\n", "...", p.More)
	}
}

func (t *teller) choice(c *sim.Choice, width int) {
	number := fmt.Sprint(c.Number)
	if c.Alone {
		number = "-" // by itself
	}
	ahead := ""
	if c.Ahead {
		ahead = "  (ahead)"
	}
	if c.OfProgram() {
		t.printf("%8s  %-*s%s%s\n", number, width, c.Event, programChoice(c), ahead)
		return
	}
	t.printf("%8s  %-*s  %s%s\n", number, width, c.Event, strings.Join(shortened(changes(&c.Step, t.name)), "; "), truths(&c.Step)+ahead)
}

// state tells every local state and every proposition.
func (t *teller) state(p *sim.Position) {
	names := t.session.Components()
	width := 0
	for i, name := range names {
		if !t.session.Watching(i) {
			width = max(width, utf8.RuneCountInString(name))
		}
	}
	for i, name := range names {
		if !t.session.Watching(i) {
			t.printf("       %-*s  %s\n", width, name, p.State.Locals[i])
		}
	}
	holds := map[string]bool{}
	for _, name := range p.State.Props {
		holds[name] = true
	}
	for _, name := range t.session.Props() {
		t.printf("       %-5v  %s\n", holds[name], name)
	}
}

// properties tells how properties stand: all, or those of which something is new.
func (t *teller) properties(all bool) {
	if t.told == nil {
		t.told = map[string]sim.Property{}
	}
	for i, p := range t.session.Properties() {
		key := fmt.Sprint(i)
		before, known := t.told[key]
		t.told[key] = p
		if !known {
			before = sim.Property{Verdict: sim.Open}
		}
		if !all && p.Verdict == before.Verdict && reflect.DeepEqual(p.Owes, before.Owes) && p.Lasso == before.Lasso {
			continue
		}
		t.printf("       %s\n", propertyText(&p, all))
	}
}

// propertyText says how a property stands; with its formula, if wanted.
func propertyText(p *sim.Property, formula bool) string {
	text := p.Name
	if text == "" {
		text = p.Formula
	} else if formula && p.Formula != "" {
		text += ": " + p.Formula
	}
	switch p.Verdict {
	case sim.Violated, sim.Satisfied:
		text += "  " + strings.ToUpper(p.Verdict)
		switch {
		case p.Kind == "safety":
		case p.AtEnd:
			text += fmt.Sprintf(": the run ends in state %d", p.Since)
		default:
			text += fmt.Sprintf(" by state %d, whatever follows", p.Since)
		}
	default:
		text += "  open"
		if p.Lasso != "" {
			text += fmt.Sprintf("; %s if the loop goes on for ever", p.Lasso)
		} else if len(p.Owes) > 0 {
			text += ", still to come: " + strings.Join(p.Owes, " and ")
		} else if !formula {
			text += ", nothing has to come"
		}
	}
	return text
}

// trace tells the run so far.
func (t *teller) trace() {
	c := t.session.Report().Results[0].Counterexample
	if c.Kind == "program" {
		t.programTrace(c)
		return
	}
	t.printf("%s\n", strings.TrimRight(fmt.Sprintf("%5d  initially  %s", 0, stateText(c.Initial, c.Components)), " "))
	t.steps(0, c.Stem)
	if len(c.Loop) > 0 {
		t.printf("  loop, repeated for ever from state %d:\n", len(c.Stem))
		t.steps(len(c.Stem), c.Loop)
	}
}

// helpText lists the commands, or says what there is to say of one.
func helpText(of string, verbs []sim.Verb) (string, error) {
	if of != "" {
		v, err := sim.FindVerb(of, verbs...)
		if err != nil {
			return "", err
		}
		verbs = []sim.Verb{*v}
	}
	var b strings.Builder
	for _, v := range verbs {
		name := v.Name
		if v.Other != "" {
			name += ", " + v.Other
		}
		fmt.Fprintf(&b, "  %-24s  %s\n", strings.TrimSpace(name+" "+v.Args), v.About)
	}
	return b.String(), nil
}
