package naive

import (
	"maps"
	"slices"
	"strings"

	"github.com/seltl/seltl/lks"
)

// Traces returns the traces of runs of p with at most so many symbols behind the
// first, each with the states in which such runs end. A trace says what is seen along
// a run: the propositions at the start, every visible action with the propositions
// after it, and every silent change of the propositions; END or ERROR behind it, with
// no states, if a run with it is in such a state.
//
// With untilError, a trace is an ERROR, without states and continuations, if some run
// with it, the propositions after its last action apart, leads to one, perhaps
// silently; END is behind it only if runs with it can do nothing more that is seen, one
// has ended, and none is in a deadlock.
func (p *Process) Traces(symbols int, untilError bool) map[string]map[string]bool {
	t := &tracing{p: p, silently: p.tauClosure(), untilError: untilError, traces: map[string]map[string]bool{}}
	level := t.follow("", "", p.Initial)
	for i := 0; len(level) > 0; i++ {
		var next []string
		for _, trace := range level {
			more := t.successors(t.traces[trace])
			t.ending(trace, len(more) == 0)
			if i == symbols {
				continue
			}
			for action, targets := range more {
				next = append(next, t.follow(trace, action, targets)...)
			}
		}
		level = next
	}
	return t.traces
}

type tracing struct {
	p          *Process
	silently   map[string]map[string]bool
	untilError bool
	traces     map[string]map[string]bool
}

func (t *tracing) label(s string) string {
	return "[" + strings.Join(slices.Sorted(maps.Keys(t.p.Label[s])), ",") + "]"
}

// follow notes the traces that one trace and an action that leads to these states
// make, and returns them.
func (t *tracing) follow(trace, action string, targets map[string]bool) (longer []string) {
	trace += " " + action
	if t.untilError {
		for s := range targets {
			for u := range t.silently[s] {
				if t.p.Kind[u] == lks.Error {
					t.traces[trace+" ERROR"] = nil
					return nil
				}
			}
		}
	}
	for s := range targets {
		seen := trace + t.label(s)
		if t.traces[seen] == nil {
			t.traces[seen] = map[string]bool{}
			longer = append(longer, seen)
		}
		t.unseen(s, t.traces[seen])
	}
	return longer
}

// unseen adds s and what it reaches by silent steps that change nothing to states.
func (t *tracing) unseen(s string, states map[string]bool) {
	if states[s] {
		return
	}
	states[s] = true
	for step := range t.p.Edges[s] {
		if step.Action == lks.TauName && t.label(step.To) == t.label(s) {
			t.unseen(step.To, states)
		}
	}
}

// successors returns, by action, where the steps of some states that are seen lead.
func (t *tracing) successors(states map[string]bool) map[string]map[string]bool {
	targets := map[string]map[string]bool{}
	for s := range states {
		for step := range t.p.Edges[s] {
			if step.Action == lks.TauName && t.label(step.To) == t.label(s) {
				continue
			}
			if targets[step.Action] == nil {
				targets[step.Action] = map[string]bool{}
			}
			targets[step.Action][step.To] = true
		}
	}
	return targets
}

// ending notes END and ERROR behind a trace; stuck says that nothing is seen to follow.
func (t *tracing) ending(trace string, stuck bool) {
	ended, failed, deadlock := false, false, false
	for s := range t.traces[trace] {
		ended = ended || t.p.Kind[s] == lks.End
		failed = failed || t.p.Kind[s] == lks.Error
		deadlock = deadlock || t.p.Kind[s] == lks.Normal && len(t.p.Edges[s]) == 0
	}
	if ended && (!t.untilError || stuck && !deadlock) {
		t.traces[trace+" END"] = nil
	}
	if failed {
		t.traces[trace+" ERROR"] = nil
	}
}
