package naive

import (
	"maps"
	"slices"
	"strings"

	"github.com/seltl/seltl/lks"
)

// Simulation is the greatest simulation ([Chaki05], Def. 3), or weak simulation
// (Def. 4), of p by q as pairs of states: start from all pairs that agree and
// remove those that break the transfer condition until none does. Silent steps
// of q are taken to the letter of the definitions.
//
// A pair agrees if the labels are equal, both or none are in error, and q's state
// is terminated if p's is.
func Simulation(p, q *Process, weak bool) map[[2]string]bool {
	related := map[[2]string]bool{}
	for s := range p.Kind {
		for t := range q.Kind {
			if agree(p, q, s, t) {
				related[[2]string{s, t}] = true
			}
		}
	}
	for changed := true; changed; {
		changed = false
		for pair := range maps.Clone(related) {
			if !transfers(p, q, pair[0], pair[1], weak, related) {
				delete(related, pair)
				changed = true
			}
		}
	}
	return related
}

func agree(p, q *Process, s, t string) bool {
	return maps.Equal(p.Label[s], q.Label[t]) &&
		(p.Kind[s] == lks.Error) == (q.Kind[t] == lks.Error) &&
		(p.Kind[s] != lks.End || q.Kind[t] == lks.End)
}

func transfers(p, q *Process, s, t string, weak bool, related map[[2]string]bool) bool {
	for step := range p.Edges[s] {
		ok := weak && step.Action == lks.TauName && related[[2]string{step.To, t}]
		for other := range q.Edges[t] {
			ok = ok || other.Action == step.Action && related[[2]string{step.To, other.To}]
		}
		if !ok {
			return false
		}
	}
	return true
}

// Simulated reports whether every initial state of p is (weakly) simulated by an
// initial state of q.
func Simulated(p, q *Process, weak bool) bool {
	related := Simulation(p, q, weak)
	for s := range p.Initial {
		ok := false
		for t := range q.Initial {
			ok = ok || related[[2]string{s, t}]
		}
		if !ok {
			return false
		}
	}
	return true
}

// A set of states, by a canonical name.
func setName(set map[string]bool) string {
	return strings.Join(slices.Sorted(maps.Keys(set)), " ")
}

func (p *Process) silently(set map[string]bool) map[string]bool {
	closure := p.tauClosure()
	all := map[string]bool{}
	for s := range set {
		maps.Copy(all, closure[s])
	}
	return all
}

// observations returns what can be seen of a state without a move.
func (p *Process) observations(s string) []string {
	seen := []string{"label " + setName(p.Label[s])}
	switch p.Kind[s] {
	case lks.End:
		seen = append(seen, "END")
	case lks.Error:
		seen = append(seen, "ERROR")
	}
	return seen
}

// weakly makes the deterministic process over visible events and observations
// (which are events that do not move) that has the traces of p. Its states are
// sets of states of p.
type weakly struct {
	p    *Process
	sets map[string]map[string]bool
}

func (w *weakly) name(set map[string]bool) string {
	n := setName(set)
	w.sets[n] = set
	return n
}

func (w *weakly) initial() string { return w.name(w.p.silently(w.p.Initial)) }

// after returns the events of the set and where they lead.
func (w *weakly) after(set string) map[string]string {
	next := map[string]map[string]bool{}
	add := func(event, to string) {
		if next[event] == nil {
			next[event] = map[string]bool{}
		}
		next[event][to] = true
	}
	for s := range w.sets[set] {
		for _, o := range w.p.observations(s) {
			add(o, s)
		}
		for step := range w.p.Edges[s] {
			if step.Action != lks.TauName {
				add("event "+step.Action, step.To)
			}
		}
	}
	names := map[string]string{}
	for event, to := range next {
		names[event] = w.name(w.p.silently(to))
	}
	return names
}

// acceptances returns what the stable states of the set offer: visible events
// and observations.
func (w *weakly) acceptances(set string) []map[string]bool {
	var all []map[string]bool
	for s := range w.sets[set] {
		stable, offer := true, map[string]bool{}
		for step := range w.p.Edges[s] {
			stable = stable && step.Action != lks.TauName
			offer[step.Action] = true
		}
		for _, o := range w.p.observations(s) {
			offer[o] = true
		}
		if stable {
			all = append(all, offer)
		}
	}
	return all
}

// Refines reports whether the traces of p are traces of q, where a trace is a
// sequence of visible events and observations of labels, END and ERROR; and, if
// failures is set, whether what a stable state of p refuses after a trace, q can
// refuse after it too. Both are made deterministic and explored together.
func Refines(p, q *Process, failures bool) bool {
	wp, wq := &weakly{p, map[string]map[string]bool{}}, &weakly{q, map[string]map[string]bool{}}
	start := [2]string{wp.initial(), wq.initial()}
	seen := map[[2]string]bool{start: true}
	todo := [][2]string{start}
	for len(todo) > 0 {
		at := todo[0]
		todo = todo[1:]
		if failures && !refusesAsMuch(wp.acceptances(at[0]), wq.acceptances(at[1])) {
			return false
		}
		answers := wq.after(at[1])
		for event, to := range wp.after(at[0]) {
			answer, ok := answers[event]
			if !ok {
				return false
			}
			if pair := [2]string{to, answer}; !seen[pair] {
				seen[pair] = true
				todo = append(todo, pair)
			}
		}
	}
	return true
}

func refusesAsMuch(impl, spec []map[string]bool) bool {
	for _, offer := range impl {
		ok := false
		for _, less := range spec {
			within := true
			for a := range less {
				within = within && offer[a]
			}
			ok = ok || within
		}
		if !ok {
			return false
		}
	}
	return true
}
