package report

import (
	"bufio"
	"fmt"
	"slices"
	"strings"

	"github.com/seltl/seltl/internal/lists"
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

// reached is the state after the event, with its propositions. Of a program, which has none, it
// is where its components are: what is known there makes names of hundreds of letters.
func (m *Move) reached(program bool) string {
	switch {
	case program:
		return clipped(withoutKnown(m.Implementation), widestState)
	case len(m.Props) == 0:
		return m.State()
	}
	return m.State() + " {" + strings.Join(m.Props, ", ") + "}"
}

// withoutKnown leaves out what stands in brackets behind a blank.
func withoutKnown(name string) string {
	var b strings.Builder
	depth := 0
	for i := range len(name) {
		switch c := name[i]; {
		case depth == 0 && strings.HasPrefix(name[i:], " ["):
		case c == '[' && (depth > 0 || i > 0 && name[i-1] == ' '):
			depth++
		case c == ']' && depth > 0:
			depth--
		case depth == 0:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// round are moves of a game that the implementation makes whatever the specification has
// answered: they do the same.
type round []*Move

// next puts the moves after a round together.
func (r round) next() (all []round) {
	for _, m := range r {
		for _, a := range m.Answers {
			k := slices.IndexFunc(all, func(o round) bool { return o[0].Event == a.Event && o[0].Implementation == a.Implementation })
			if k < 0 {
				k, all = len(all), append(all, nil)
			}
			if same := slices.IndexFunc(all[k], func(o *Move) bool { return o.Specification == a.Specification }); same < 0 {
				all[k] = append(all[k], a)
			} else if all[k][same].Cut {
				all[k][same] = a
			}
		}
	}
	return all
}

// writeGame writes the game, of a program perhaps, as a story, indented where it depends on the
// specification's answer what the implementation does.
func writeGame(b *bufio.Writer, root *Move, program bool, screen int) {
	type item struct {
		round
		depth int
	}
	stack := []item{{round{root}, 1}}
	for len(stack) > 0 {
		at := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		indent := min(2*at.depth, screen/2)
		rowWriter{b, indent, screen}.row(strings.Repeat(" ", indent), []piece{{text: at.told(program)}})
		next := at.next()
		depth := at.depth
		if len(next) > 1 || depth == 1 {
			depth++
		}
		for _, r := range slices.Backward(next) {
			stack = append(stack, item{r, depth})
		}
	}
}

// told is a round in a sentence.
func (r round) told(program bool) string {
	var from, answers, cut, lost, offers []string
	add := func(list *[]string, names ...string) {
		for _, name := range names {
			if !slices.Contains(*list, name) {
				*list = append(*list, name)
			}
		}
	}
	for _, m := range r {
		add(&from, m.Specification)
		switch {
		case m.Cut:
			add(&cut, m.Specification)
		case len(m.Answers) == 0:
			add(&lost, m.Specification)
			add(&offers, m.Offers...)
		}
		for _, a := range m.Answers {
			add(&answers, a.Specification)
		}
	}
	m := r[0]
	text := "the implementation starts in " + m.reached(program)
	if m.Event != "" {
		text = fmt.Sprintf("with the specification in %s, the implementation does %s and reaches %s", strings.Join(from, " or "), silently(m.Event), m.reached(program))
	}
	switch {
	case len(answers) > 0:
		text += "; the specification can answer with " + strings.Join(answers, " or ")
		if len(lost) > 0 {
			text += fmt.Sprintf(", but not in %s (it has %s)", strings.Join(lost, " or "), orNothing(offers))
		}
		if len(cut) > 0 {
			text += fmt.Sprintf("; what follows in %s is left out (--json has more)", strings.Join(cut, " or "))
		}
	case len(cut) > 0:
		text += ": ..."
	case m.Event == "":
		text += ", and no initial state of the specification fits"
	default:
		text += fmt.Sprintf(", which the specification cannot answer (it has %s)", orNothing(offers))
	}
	return text
}

func orNothing(events []string) string {
	if len(events) == 0 {
		return "no event"
	}
	names := lists.Map(events, silently)
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
