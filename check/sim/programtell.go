package sim

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/c/machine"
	"github.com/seltl/seltl/internal/c/steps"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/report"
)

// told is a line that a component has done.
func (s *Program) told(part int, from *steps.Point, line *steps.Line) report.Step {
	step := report.Step{Inputs: line.Given, Returns: line.Returned, Action: line.Action, Depth: line.Depth, Moves: line.Moves, Choices: line.Choices}
	if line.Span.Valid() {
		step.Event, step.Source = s.placeText(line.Span), s.lineAt(line.Span)
	}
	if line.Func != nil {
		step.Routine = line.Func.Name
	}
	if several := len(s.c.Parts) > 1; several {
		name := s.c.Parts[part].Name
		step.Movers = []string{name}
		if line.Func == nil || line.Func == s.c.Parts[part].Procedure.Entry {
			step.Routine = name
		} else {
			step.Routine = name + ": " + line.Func.Name
		}
	}
	for _, v := range line.To.Gained(from) {
		text := valueText(&v)
		if v.Of != nil && v.Of == line.Func && v.Level == line.Depth {
			text = v.Name + strings.TrimPrefix(text, v.In())
		}
		if v.Drawn {
			text += drawnMark
		}
		step.Gained = append(step.Gained, text)
	}
	return step
}

// drawnMark stands behind values of variables that the program has given none.
const drawnMark = " (drawn)"

// valueText is a value: "f.n = 3"; of a member of a union behind the first one it says which bytes
// it has.
func valueText(v *machine.Held) string {
	text := v.In() + " = " + v.Value
	if v.As != "" {
		text += " (bytes of " + v.As + ")"
	}
	return text
}

func placeText(s source.Span) string { return fmt.Sprintf("%s:%d", s.File.Name(), s.Pos().Line) }

// spot is a line of a source.
type spot struct {
	file *source.File
	line int
}

// placeText is that of a span, of which there are many on one line.
func (s *Program) placeText(at source.Span) string {
	where := spot{at.File, at.Pos().Line}
	if s.places[where] == "" {
		s.places[where] = placeText(at)
	}
	return s.places[where]
}

// shown is a rune of a source as it can be shown: control characters would reach the terminal.
func shown(r rune) rune {
	if r != '\n' && r != '\t' && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)) {
		return utf8.RuneError
	}
	return r
}

// clipped is a text that was typed, or the beginning of a long one.
func clipped(text string) string {
	const most = 60
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "..."
	}
	return text
}

// lineAt is the line where a span begins, without the blanks around it.
func (s *Program) lineAt(at source.Span) string {
	lines := s.texts[at.File]
	if lines == nil {
		lines = strings.Split(strings.Map(shown, at.File.Text()), "\n")
		s.texts[at.File] = lines
	}
	if n := at.Pos().Line; n <= len(lines) {
		return strings.TrimSpace(lines[n-1])
	}
	return ""
}

// stateOf is a state as reports have it: where the components are, and all values.
func (s *Program) stateOf(v *programVisit) report.State {
	state := report.State{Props: []string{}}
	for i, p := range v.points {
		state.Locals = append(state.Locals, s.where(i, p))
		for _, h := range p.Values() {
			text := valueText(&h)
			if len(v.points) > 1 {
				text = s.c.Parts[i].Name + "::" + text
			}
			state.Props = append(state.Props, text)
		}
	}
	return state
}

// where says where a component is.
func (s *Program) where(part int, p *steps.Point) string {
	if p.End() != nil {
		return s.endingText(part, p.End())
	}
	here := p.Here()
	if len(here) == 0 {
		return "returns"
	}
	text := here[len(here)-1].Func.Name
	if at := here[len(here)-1].At; at.Valid() {
		text = placeText(at) + " in " + text
	}
	if inside := p.Inside(); inside != "" {
		text += ", " + inside
	}
	return text
}

// endingText says how the run of a component has ended.
func (s *Program) endingText(part int, out *machine.Outcome) string {
	switch out.Ending {
	case machine.Returned:
		return returnedText(s.c.Parts[part].Procedure.Entry, out)
	case machine.Stopped:
		return "has ended"
	}
	text := out.What
	if out.Span.Valid() {
		text = placeText(out.Span) + ": " + text
	}
	return text
}

// returnedText says what the routine that a component begins with has returned: its value only
// where every return says one.
func returnedText(f *ir.Func, out *machine.Outcome) string {
	text := "has returned"
	if !f.Type.Result.Scalar() {
		return text
	}
	for _, b := range f.Blocks {
		if r, ok := b.End.(*ir.Return); ok && r.Value == nil {
			return text
		}
	}
	return text + " " + ir.Number(f.Type.Result, out.Value)
}

// Frame is an activation of a routine.
type Frame struct {
	Routine string `json:"routine"`
	Nth     int    `json:"nth,omitempty"`   // of the activations of the routine, where there are others outside
	Place   string `json:"place,omitempty"` // where it is: of all but the innermost, a call
	Source  string `json:"source,omitempty"`
}

// Name tells the activation apart from others of the routine: "f", "f#2".
func (f *Frame) Name() string {
	if f.Nth > 1 {
		return fmt.Sprintf("%s#%d", f.Routine, f.Nth)
	}
	return f.Routine
}

// ProgramPart is where a component of a program is.
type ProgramPart struct {
	Name string `json:"name"`
	// Stack are the activations of routines, the innermost first; none where it has ended.
	Stack []Frame `json:"stack,omitempty"`
	// Inside is the state of the abstraction of a routine that it is in, "" for none.
	Inside string `json:"inside,omitempty"`
	// Ended says how it has ended, "" while it has not.
	Ended string `json:"ended,omitempty"`
	// Values are those of memory: "main.n = 3".
	Values []string `json:"values"`
}

// Parts says where the components are.
func (s *Program) Parts() (all []ProgramPart) {
	v := s.now()
	for i, p := range v.points {
		part := ProgramPart{Name: s.c.Parts[i].Name, Inside: p.Inside(), Values: []string{}}
		if out := p.End(); out != nil {
			part.Ended = s.endingText(i, out)
		} else {
			here, calls := p.Here(), map[*ir.Func]int{}
			for _, a := range here {
				calls[a.Func]++
			}
			for k := len(here) - 1; k >= 0; k-- {
				f := Frame{Routine: here[k].Func.Name}
				if calls[here[k].Func] > 1 {
					f.Nth = calls[here[k].Func]
				}
				calls[here[k].Func]--
				if here[k].At.Valid() {
					f.Place, f.Source = placeText(here[k].At), s.lineAt(here[k].At)
				}
				part.Stack = append(part.Stack, f)
			}
		}
		for _, h := range p.Values() {
			part.Values = append(part.Values, valueText(&h))
		}
		all = append(all, part)
	}
	return all
}

// truths are the propositions that hold in a state, sorted.
func (v *followed) truths() []string {
	all := slices.Concat(v.props...)
	slices.Sort(all)
	return all
}
