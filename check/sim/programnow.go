package sim

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/c/machine"
	"github.com/seltl/seltl/internal/c/steps"
	"github.com/seltl/seltl/report"
)

// Describe says what is stepped through.
func (s *Program) Describe() *report.Model {
	r := &report.Model{File: s.c.File, Process: s.c.Process, Components: []report.Component{}}
	actions := map[string]bool{}
	for _, p := range s.c.Parts {
		r.Components = append(r.Components, report.Component{Name: p.Name})
		for _, a := range p.Alphabet {
			actions[a] = true
		}
	}
	r.Actions = len(actions)
	return r
}

// Components are the names of the components, in the order of State.Locals.
func (s *Program) Components() (names []string) {
	for _, p := range s.c.Parts {
		names = append(names, p.Name)
	}
	return names
}

// Watching reports false: there are no fluents.
func (s *Program) Watching(int) bool { return false }

// Props are the propositions of the formulas that are followed, sorted.
func (s *Program) Props() (all []string) {
	for _, p := range s.c.Parts {
		for _, q := range p.Propositions {
			all = append(all, q.Name)
		}
	}
	slices.Sort(all)
	return all
}

// Menus are none.
func (s *Program) Menus() []string { return nil }

// Starts is the one state that the run begins in.
func (s *Program) Starts() ([]report.State, error) {
	return []report.State{s.stateOf(s.visit(0))}, nil
}

// OnProgress has searches tell their progress to another function, or to nobody (nil).
func (s *Program) OnProgress(progress func(budget.Progress)) { s.opts.Progress = progress }

// Len is the number of steps of Report's run.
func (s *Program) Len() int { return s.at }

// History lists the places of the run, those that lie ahead behind the others.
func (s *Program) History() []string {
	events := make([]string, 0, len(s.visits)-1)
	for i := range s.visits[1:] {
		by := s.visits[i+1].by
		text := by[0].Event + " " + by[0].Routine
		if by[0].Action != "" {
			text += " " + by[0].Action
		}
		events = append(events, text)
	}
	return events
}

// Now says where the session is.
func (s *Program) Now() *Position {
	v := s.now()
	p := &Position{Step: s.at, Ahead: len(s.visits) - 1 - s.at, State: s.stateOf(v), Same: s.same(), Choices: s.Choices(), Properties: s.Properties(), Loop: s.onLoop()}
	by := withStates(v.by, p.State)
	if len(by) > 0 {
		p.By = &by[0]
	}
	p.Program = &ProgramPosition{By: by, Parts: s.Parts(), True: v.truths()}
	if s.at == 0 {
		p.Program.Given = s.Given()
	}
	if len(p.Choices) == 0 {
		p.End, p.Program.Why = s.ending(v)
	}
	return p
}

// Given are the arguments that the run began with: "n = 3".
func (s *Program) Given() []string { return s.given }

// ProgramPosition says more of where a session of a C program is.
type ProgramPosition struct {
	// By are the lines that led here: of all components that performed an action together.
	By    []report.Step `json:"by,omitempty"`
	Parts []ProgramPart `json:"parts"`
	// True are the propositions that hold.
	True []string `json:"true,omitempty"`
	// Given are the arguments that the run began with, at its start: "n = 3".
	Given []string `json:"given,omitempty"`
	// Why says why nothing is possible, in lines.
	Why []string `json:"why,omitempty"`
}

// ending says why nothing is possible.
func (s *Program) ending(v *programVisit) (kind string, why []string) {
	kind = "end"
	for i, p := range v.points {
		out := p.End()
		if out == nil {
			kind = "deadlock"
			why = append(why, s.waitingText(v, i))
			continue
		}
		text := s.endingText(i, out)
		if len(v.points) > 1 {
			text = s.c.Parts[i].Name + ": " + text
		}
		if out.Ending != machine.Returned && out.Ending != machine.Stopped && !s.endsQuietly(p) {
			return endingKinds[out.Ending], []string{text}
		}
		why = append(why, text)
	}
	return kind, why
}

// endingKinds are the ends of runs that are none of a component alone.
var endingKinds = map[machine.Ending]string{machine.Failed: "error", machine.Refused: "refused", machine.Undefined: "undefined", machine.Exceeded: "exceeded"}

// waitingText says what a component waits for.
func (s *Program) waitingText(v *programVisit, part int) string {
	name := s.c.Parts[part].Name + ", " + s.where(part, v.points[part]) + ","
	var offers []string
	for _, m := range v.points[part].Moves() {
		var refuse []string
		for _, i := range s.sharing(m.Action) {
			if i != part && !slices.ContainsFunc(v.points[i].Moves(), func(o steps.Move) bool { return o.Action == m.Action }) {
				refuse = append(refuse, s.c.Parts[i].Name)
			}
		}
		offers = append(offers, fmt.Sprintf("%s (refused by %s)", m.Action, strings.Join(refuse, ", ")))
	}
	if len(offers) == 0 {
		return name + " can do nothing"
	}
	return name + " waits for " + strings.Join(slices.Compact(offers), " or ")
}

// Choices returns what is possible, in a fixed order, with what it leads to: as far as that does
// not depend on values that are asked for.
func (s *Program) Choices() []Choice {
	from := s.now()
	choices := []Choice{} // for JSON
	next := s.next()
	for _, m := range s.moves(from) {
		c := Choice{Number: len(choices) + 1, program: m}
		to, err := s.made(from, &m, s.noValues())
		var need *asked
		switch {
		case err == nil:
			c.Step = withStates(to.by, s.stateOf(to))[0]
			for _, other := range to.by[1:] {
				c.Gained = append(c.Gained, other.Gained...)
			}
			c.Ahead = next != nil && sameMoves(next.by, to.by)
		case errors.As(err, &need):
			c.Step, c.Asks = s.begun(from, &m), askText(need.Ask)
			c.Ahead = next != nil && s.mayBe(&c, next)
		default:
			c.Step, c.Asks = s.begun(from, &m), ""
			c.Gained = []string{err.Error()}
		}
		c.Text = m.text()
		choices = append(choices, c)
	}
	if one := len(choices) == 1; one && next != nil {
		choices[0].Ahead = true
	}
	return choices
}

// text says how abstractions of routines go on.
func (m *programMove) text() string {
	var all []string
	for _, move := range m.moves {
		if move.Text != "" {
			all = append(all, move.Text)
		}
	}
	return strings.Join(all, "; ")
}

// begun is what is known of a line before it is done.
func (s *Program) begun(from *programVisit, m *programMove) report.Step {
	i := m.parts[0]
	line := &steps.Line{Action: m.action(), To: from.points[i]}
	if here := from.points[i].Here(); len(here) > 0 {
		last := here[len(here)-1]
		line.Span, line.Func, line.Depth = last.At, last.Func, len(here)-1
	}
	step := s.told(i, from.points[i], line)
	step.State = report.State{Props: []string{}}
	for k, other := range m.parts {
		if k > 0 {
			step.With = append(step.With, s.c.Parts[other].Name)
		}
	}
	return step
}

// mayBe reports whether what lies ahead is a choice that asks for values.
func (s *Program) mayBe(c *Choice, next *programStep) bool {
	return slices.Equal(next.by[0].Movers, c.Movers) && next.by[0].Action == c.Action
}

// Around is the source where the component is that moved last: its name, its lines, and the
// number of the one that is done next, 0 at the end.
func (s *Program) Around() (name string, lines []string, at int) {
	v := s.now()
	part := 0
	if len(v.by) > 0 {
		part = max(0, s.partOf(&v.by[0]))
	}
	p := v.points[part]
	entry := s.c.Parts[part].Procedure.Entry.Span
	span := entry
	if here := p.Here(); p.End() == nil && len(here) > 0 && here[len(here)-1].At.Valid() {
		span = here[len(here)-1].At
		at = span.Pos().Line
	} else if out := p.End(); out != nil && out.Span.Valid() {
		span = out.Span
		at = span.Pos().Line
	}
	s.lineAt(span)
	return span.File.Name(), s.texts[span.File], at
}
