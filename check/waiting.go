package check

import (
	"fmt"
	"strings"

	"github.com/seltl/seltl/deadlock"
	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/run"
	"github.com/seltl/seltl/report"
)

// DeadlockTrace completes the Counterexample of a deadlock, which has its trace: who waits
// for whom, also in a note.
func DeadlockTrace(c *report.Counterexample, net *lks.Network, d *deadlock.Deadlock) *report.Counterexample {
	c.End = "deadlock"
	for _, w := range d.Components {
		waiting := report.Waiting{Component: net.ComponentName(w.Component), Ended: w.Ended, Offers: []report.Offer{},
			State: net.Components()[w.Component].StateName(w.State)}
		for _, o := range w.Offers {
			waiting.Offers = append(waiting.Offers, report.Offer{Event: o.Action, Refused: namesOf(net, o.Refused)})
		}
		c.Waiting = append(c.Waiting, waiting)
		projection := report.Projection{Component: waiting.Component, Events: []string{}}
		for _, step := range d.Trace.Project(net, w.Component) {
			projection.Events = append(projection.Events, step.Action)
		}
		c.Projections = append(c.Projections, projection)
	}
	c.Cycle = namesOf(net, d.Cycle)
	c.Note = waitingNote(c)
	return c
}

// refinement describes the final abstraction of a deadlock check.
func refinement(net *lks.Network, a *deadlock.Abstraction) *report.Abstraction {
	r := &report.Abstraction{Rounds: a.Rounds, States: a.MaxStates, Components: []report.Abstracted{}}
	for i := range min(len(a.Components), len(a.Classes)) {
		r.Components = append(r.Components, report.Abstracted{Component: net.ComponentName(i), States: a.Components[i], Classes: a.Classes[i]})
	}
	return r
}

// namesOf returns the names of components.
func namesOf(net *lks.Network, components []int) []string {
	return lists.Append(nil, components, net.ComponentName)
}

// waitingNote has a line for each component that waits, with what it has done,
// and one for a cycle.
func waitingNote(c *report.Counterexample) string {
	var lines []string
	for i, w := range c.Waiting {
		done := "after nothing"
		if events := c.Projections[i].Events; len(events) > 0 {
			done = "after " + strings.Join(events[max(0, len(events)-4):], " ")
			if len(events) > 4 {
				done = "after ... " + strings.Join(events[len(events)-4:], " ")
			}
		}
		switch {
		case w.Ended:
			lines = append(lines, fmt.Sprintf("%s has terminated, %s", w.Component, done))
		case len(w.Offers) == 0:
			lines = append(lines, fmt.Sprintf("%s can do nothing, %s", w.Component, done))
		default:
			offers := make([]string, len(w.Offers))
			for k, o := range w.Offers {
				offers[k] = fmt.Sprintf("%s (refused by %s)", o.Event, strings.Join(o.Refused, ", "))
			}
			lines = append(lines, fmt.Sprintf("%s, %s, waits for %s", w.Component, done, strings.Join(offers, " or ")))
		}
	}
	if len(c.Cycle) > 0 {
		lines = append(lines, "cycle of waiting: "+strings.Join(append(c.Cycle[:len(c.Cycle):len(c.Cycle)], c.Cycle[0]), " -> "))
	}
	return strings.Join(lines, "\n  ")
}

// ExplainDeadlock describes a run into a deadlock as the report of one does.
func ExplainDeadlock(net *lks.Network, trace *run.Run) (*report.Counterexample, error) {
	d, err := deadlock.Explain(net, trace)
	if err != nil {
		return nil, err
	}
	return DeadlockTrace(Counterexample(net, d.Trace), net, d), nil
}
