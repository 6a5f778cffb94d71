package check

import (
	"fmt"
	"strings"

	"github.com/seltl/seltl/conform"
	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/run"
	"github.com/seltl/seltl/report"
)

// maxMoves bounds the moves of a game that are shown.
const maxMoves = 200

// Game unfolds a counterexample tree, breadth-first, to at most 200 moves.
func Game(r *conform.Result, t *conform.Tree) *report.Move {
	type item struct {
		move *report.Move
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

func newMove(r *conform.Result, t *conform.Tree, n int32) *report.Move {
	node := &t.Nodes[n]
	m := &report.Move{Implementation: r.ImplName(node.Next), Props: append([]string{}, r.ImplProps(node.Next)...)}
	if node.Spec >= 0 {
		m.Specification = r.SpecName(node.Spec)
		m.Event = r.Alphabet[node.Action]
	}
	if len(node.Children) == 0 && node.Spec >= 0 {
		m.Offers = Offered(r, node.Spec)
	}
	return m
}

// conformTrace turns a trace that refutes a refinement into a Counterexample.
func conformTrace(r *conform.Result, t *conform.TraceCounterexample) *report.Counterexample {
	net := r.ImplNetwork()
	packed := make([]uint64, net.Words())
	at := func(s *run.State) report.State {
		net.Pack(s.Local, packed)
		return report.State{Locals: []string{net.StateName(packed)}, Props: append([]string{}, minus(s.Props, r.IgnoredProps)...)}
	}
	c := &report.Counterexample{Kind: "trace", Components: []string{net.Name()}, Initial: at(t.Run.At(0)), Stem: []report.Step{}}
	last := c.Initial
	for i, s := range t.Run.Stem {
		next := at(t.Run.At(i + 1))
		c.Stem = append(c.Stem, report.Step{Event: s.Event, Movers: c.Components, State: next,
			Gained: minus(next.Props, last.Props), Lost: minus(last.Props, next.Props)})
		last = next
	}
	states := lists.Map(t.SpecStates, r.SpecName)
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
		names := lists.Append(nil, refused, func(a int32) string { return r.Alphabet[a] })
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

// Offered are the actions that a state of the specification offers, after silent steps too;
// that it may stay goes without saying where silent steps are saturated.
func Offered(r *conform.Result, state int32) (all []string) {
	for _, a := range r.SpecOffers(state) {
		if r.Alphabet[a] != lks.TauName || r.Silent != conform.Saturate {
			all = append(all, r.Alphabet[a])
		}
	}
	return all
}
