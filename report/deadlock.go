package report

import (
	"fmt"
	"strings"

	"github.com/seltl/seltl/deadlock"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/product"
)

// DeadlockTrace turns a deadlock into a Counterexample: the trace, and who waits
// for whom in a note.
func DeadlockTrace(net *lks.Network, d *deadlock.Deadlock) *Counterexample {
	c := Finite(net, &d.Trace)
	c.End = "deadlock"
	c.Note = waitingNote(net, d)
	return c
}

// Finite turns a finite trace into a Counterexample.
func Finite(net *lks.Network, t *deadlock.Trace) *Counterexample {
	c := &Counterexample{Kind: "trace", Components: componentNames(net), Stem: []Step{}}
	states := make([]product.State, len(t.States))
	for i, local := range t.States {
		states[i] = product.State{Local: local, Props: propsOf(net, local)}
	}
	c.Initial = state(net, states[0].Local, states[0].Props)
	for i, r := range t.Rules {
		rule := net.Rules()[r]
		from := product.Step{State: states[i], Rule: r, Event: net.Alphabet()[rule.Action]}
		for _, p := range rule.Parts {
			from.Moved = append(from.Moved, p.Component)
		}
		c.Stem = append(c.Stem, move(net, &from, &states[i+1]))
	}
	return c
}

// waitingNote has a line for each component that waits, and one for a cycle.
func waitingNote(net *lks.Network, d *deadlock.Deadlock) string {
	var lines []string
	for _, w := range d.Components {
		name := net.ComponentName(w.Component)
		switch {
		case w.Ended:
			lines = append(lines, name+" has terminated")
		case len(w.Offers) == 0:
			lines = append(lines, name+" can do nothing")
		default:
			var offers []string
			for _, o := range w.Offers {
				refusing := make([]string, len(o.Refused))
				for i, c := range o.Refused {
					refusing[i] = net.ComponentName(c)
				}
				offers = append(offers, fmt.Sprintf("%s (refused by %s)", o.Action, strings.Join(refusing, ", ")))
			}
			lines = append(lines, name+" waits for "+strings.Join(offers, " or "))
		}
	}
	if len(d.Cycle) > 0 {
		var names []string
		for _, c := range append(d.Cycle[:len(d.Cycle):len(d.Cycle)], d.Cycle[0]) {
			names = append(names, net.ComponentName(c))
		}
		lines = append(lines, "cycle of waiting: "+strings.Join(names, " -> "))
	}
	return strings.Join(lines, "\n  ")
}
