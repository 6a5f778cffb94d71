package report

import (
	"bufio"
	"fmt"
	"strings"

	"github.com/seltl/seltl/conform"
	"github.com/seltl/seltl/lks/run"
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

// maxMoves bounds the moves of a game that are shown.
const maxMoves = 200

// Game unfolds a counterexample tree, breadth-first, to at most 200 moves.
func Game(r *conform.Result, t *conform.Tree) *Move {
	type item struct {
		move *Move
		node int32
	}
	root := newMove(r, t, 0)
	queue := []item{{root, 0}}
	moves := 1
	for len(queue) > 0 {
		at := queue[0]
		queue = queue[1:]
		node := &t.Nodes[at.node]
		if moves+len(node.Children) > maxMoves {
			at.move.Cut = true
			continue
		}
		for _, child := range node.Children {
			m := newMove(r, t, child)
			at.move.Answers = append(at.move.Answers, m)
			queue = append(queue, item{m, child})
			moves++
		}
	}
	return root
}

func newMove(r *conform.Result, t *conform.Tree, n int32) *Move {
	node := &t.Nodes[n]
	m := &Move{Implementation: r.ImplName(node.Next), Props: append([]string{}, r.ImplProps(node.Next)...)}
	if node.Spec >= 0 {
		m.Specification = r.SpecName(node.Spec)
		m.Event = r.Alphabet[node.Action]
	}
	if len(node.Children) == 0 && node.Spec >= 0 {
		for _, a := range r.SpecOffers(node.Spec) {
			m.Offers = append(m.Offers, r.Alphabet[a])
		}
	}
	return m
}

// writeGame writes the game as an indented story.
func writeGame(b *bufio.Writer, root *Move) {
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
			fmt.Fprintf(b, "the implementation starts in %s {%s}", m.Implementation, strings.Join(m.Props, ", "))
		} else {
			fmt.Fprintf(b, "with the specification in %s, the implementation does %s and reaches %s {%s}", m.Specification, m.Event, m.Implementation, strings.Join(m.Props, ", "))
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
	return strings.Join(events, ", ")
}

// ConformTrace turns a trace that refutes a refinement into a Counterexample.
func ConformTrace(r *conform.Result, t *conform.TraceCounterexample) *Counterexample {
	net := r.ImplNetwork()
	packed := make([]uint64, net.Words())
	at := func(s *run.State) State {
		net.Pack(s.Local, packed)
		return State{Locals: []string{net.StateName(packed)}, Props: append([]string{}, minus(s.Props, r.IgnoredProps)...)}
	}
	c := &Counterexample{Kind: "trace", Components: []string{net.Name()}, Initial: at(t.Run.At(0)), Stem: []Step{}}
	last := c.Initial
	for i, s := range t.Run.Stem {
		next := at(t.Run.At(i + 1))
		c.Stem = append(c.Stem, Step{Event: s.Event, Movers: c.Components, State: next,
			Gained: minus(next.Props, last.Props), Lost: minus(last.Props, next.Props)})
		last = next
	}
	states := make([]string, len(t.SpecStates))
	for i, s := range t.SpecStates {
		states[i] = r.SpecName(s)
	}
	switch t.Reason {
	case conform.NoEvent:
		c.Note = "the specification cannot do the last event: it is in " + strings.Join(states, " or ")
	case conform.NoLabel:
		c.Note = "the specification can do the last event, but nowhere with these propositions"
	default:
		c.Note = "here the implementation refuses what the specification must offer" + refusals(r, t, states)
	}
	return c
}

// refusals lists what is refused of what each state of the specification offers.
func refusals(r *conform.Result, t *conform.TraceCounterexample, states []string) string {
	var b strings.Builder
	for i, refused := range t.Refused {
		var names []string
		for _, a := range refused {
			names = append(names, r.Alphabet[a])
		}
		switch {
		case refused == nil: // it moves on silently; what it comes to is listed
		case len(names) == 0:
			fmt.Fprintf(&b, "; in %s it has ended, the implementation has not", states[i])
		default:
			fmt.Fprintf(&b, "; of %s: %s", states[i], strings.Join(names, ", "))
		}
	}
	return b.String()
}
