package report

import (
	"bufio"
	"fmt"
	"slices"
	"strings"
)

// widestEvent is how wide the column of events is at most.
const widestEvent = 40

// writeRun prints what holds in each state, and who changed at the step before it, under the
// names of the columns. A set without an element is left out.
func writeRun(b *bufio.Writer, c *Counterexample, screen int) {
	event := len("event")
	for _, steps := range [][]Step{c.Stem, c.Loop} {
		for s := range shownSteps(steps) {
			event = max(event, cells(eventText(s)))
		}
	}
	event = min(event, widestEvent, max(screen/2-11, len("event")))
	w := rowWriter{b, event + 11, screen}
	w.row("  state  event", c.columnNames())
	write := func(steps []Step, from int) {
		for i, leftOut := range shown(steps) {
			if leftOut.steps > 0 {
				fmt.Fprintf(b, "  %5s  %s (--json has them all)\n", "...", leftOut)
			}
			number := from + i + 1
			if i == len(c.Loop)-1 && from == len(c.Stem) {
				number = from // the loop is back where it began
			}
			s := &steps[i]
			w.row(fmt.Sprintf("  %5d  %s", number, eventText(s)), c.pieces(number, s))
		}
	}
	w.row(fmt.Sprintf("  %5d", 0), c.pieces(0, &Step{State: c.Initial}))
	write(c.Stem, 0)
	if len(c.Loop) > 0 {
		fmt.Fprintf(b, "  loop, repeated for ever from state %d:\n", len(c.Stem))
		write(c.Loop, len(c.Stem))
	}
}

// columnNames say what stands behind the events, of what there is.
func (c *Counterexample) columnNames() (names []piece) {
	rows := c.Rows()
	if len(c.Initial.Props) > 0 || slices.ContainsFunc(rows, func(r Row) bool { return len(r.State.Props) > 0 }) {
		names = append(names, piece{text: "{what holds}", gap: 2})
	}
	switch {
	case len(c.Components) == 1:
		names = append(names, piece{text: "in which local state", gap: 2})
	case slices.ContainsFunc(rows, func(r Row) bool { return len(r.Movers) > 0 }):
		names = append(names, piece{text: "component: from -> to", gap: 2})
	}
	return names
}

// pieces tell of a state, and of the step to it: where there are several components, who takes
// part in it. This is told the more so if it changes none of them, as an action that was meant
// to be shared may be one of a single component.
func (c *Counterexample) pieces(number int, s *Step) []piece {
	all := listPieces("{", s.State.Props, "}")
	if len(c.Components) == 1 {
		all = append(all, piece{text: "in " + s.State.Locals[0], gap: 2})
	}
	if len(s.Inputs) > 0 {
		all = append(all, listPieces("with ", s.Inputs, "")...)
	}
	if in := c.passed(number); in != "" {
		all = append(all, piece{text: "automaton in " + in, gap: 2})
	}
	if c.Bad != nil && c.Bad.State == number {
		all = append(all, piece{text: "<- bad", gap: 2})
	}
	if len(c.Components) == 1 || len(s.Movers) == 0 {
		return all
	}
	var moves []piece
	for _, ch := range s.Changed {
		moves = append(moves, piece{text: fmt.Sprintf("%s: %s -> %s", ch.Component, ch.From, ch.To), gap: 1})
	}
	if others := s.Unchanged(); len(others) == 1 {
		moves = append(moves, piece{text: others[0] + " takes part unchanged", gap: 1})
	} else if len(others) > 1 {
		moves = append(moves, listPieces("", others, " take part unchanged")...)
	}
	for i := range len(s.Changed) {
		if i < len(moves)-1 {
			moves[i].text += ";"
		}
	}
	if by := s.By(); by != "" {
		moves = append(moves, piece{text: by, gap: 1})
	}
	moves[0].fresh = len(all) > 0
	return append(all, moves...)
}

func eventText(s *Step) string {
	if s.Event == "" {
		return "(nothing)"
	}
	return s.Event
}

// By says which processes moved, where that is not told by the components.
func (s *Step) By() string {
	if len(s.Processes) == 0 {
		return ""
	}
	return "by " + strings.Join(Listed(s.Processes), ", ")
}

// Unchanged returns the components that take part in a step without a change.
func (s *Step) Unchanged() (names []string) {
	for _, name := range s.Movers {
		if !slices.ContainsFunc(s.Changed, func(ch Change) bool { return ch.Component == name }) {
			names = append(names, name)
		}
	}
	return names
}
