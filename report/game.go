package report

import (
	"bufio"
	"fmt"
	"slices"
	"strings"
)

// Move is a round of a simulation game: where the specification stands, what the
// implementation does, and how the specification can answer. At the root the
// implementation chooses an initial state.
type Move struct {
	Specification  string   `json:"specification,omitempty"` // state, "" at the root
	Event          string   `json:"event,omitempty"`         // "" at the root
	Implementation string   `json:"implementation"`          // state after the event
	Props          []string `json:"props"`                   // that hold there
	Answers        []*Move  `json:"answers,omitempty"`       // none: the implementation has won
	// Offers are the events that the specification has instead, if it has no answer.
	Offers []string `json:"offers,omitempty"`
	// Cut says that the answers are not shown, because the game is large.
	Cut bool `json:"cut,omitempty"`
}

// Story reports whether the games of a result are worth telling: beside a run of a program
// only where they branch.
func (res *Result) Story() bool {
	return res.Counterexample == nil || res.Counterexample.Kind != "program" || slices.ContainsFunc(res.Games, (*Move).branches)
}

// widestState is how many letters of a state are shown: names of abstract ones have all that is
// known there.
const widestState = 160

// State is the name of the state after the event, shortened if it is long.
func (m *Move) State() string {
	if r := []rune(m.Implementation); len(r) > widestState {
		return string(r[:widestState-1]) + "…"
	}
	return m.Implementation
}

// reached is the state after the event, with its propositions, which programs have none of.
func (m *Move) reached(program bool) string {
	if program {
		return m.State()
	}
	return m.State() + " {" + strings.Join(m.Props, ", ") + "}"
}

// writeGame writes the game, of a program perhaps, as an indented story.
func writeGame(b *bufio.Writer, root *Move, program bool) {
	type item struct {
		move  *Move
		depth int
	}
	stack := []item{{root, 1}}
	for len(stack) > 0 {
		at := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		m := at.move
		b.WriteString(strings.Repeat("  ", at.depth))
		if m.Event == "" {
			fmt.Fprintf(b, "the implementation starts in %s", m.reached(program))
		} else {
			fmt.Fprintf(b, "with the specification in %s, the implementation does %s and reaches %s", m.Specification, silently(m.Event), m.reached(program))
		}
		switch {
		case m.Cut:
			b.WriteString(": ...\n")
		case len(m.Answers) > 0:
			names := make([]string, len(m.Answers))
			for i, a := range m.Answers {
				names[i] = a.Specification
			}
			fmt.Fprintf(b, "; the specification can answer with %s\n", strings.Join(names, " or "))
		case m.Event == "":
			b.WriteString(", and no initial state of the specification fits\n")
		default:
			fmt.Fprintf(b, ", which the specification cannot answer (it has %s)\n", orNothing(m.Offers))
		}
		for i := len(m.Answers) - 1; i >= 0; i-- {
			stack = append(stack, item{m.Answers[i], at.depth + 1})
		}
	}
}

func orNothing(events []string) string {
	if len(events) == 0 {
		return "no event"
	}
	names := make([]string, len(events))
	for i, e := range events {
		names[i] = silently(e)
	}
	return strings.Join(names, ", ")
}

// silently is an event in a sentence.
func silently(event string) string {
	if event == "tau" {
		return "a silent step"
	}
	return event
}

// branches reports whether there are several answers somewhere: otherwise the game is a run.
func (m *Move) branches() bool {
	for ; len(m.Answers) == 1; m = m.Answers[0] {
	}
	return len(m.Answers) > 1
}
