package semantics

import (
	"slices"
	"strings"
)

// Kind says which of the special states a state is.
type Kind int

const (
	Normal Kind = iota // STOP and deadlocks, too
	End
	Error
)

// tau is the silent event.
const tau = "tau"

// Graph is a labeled Kripke structure: "States, some of them initial; propositions
// that hold in states; events on the transitions between states; and an alphabet:
// the events the structure knows, whether or not it ever does them." The initial
// state is number 0.
type Graph struct {
	States   []State
	Alphabet map[string]bool
	Props    map[string]bool // all that can hold somewhere, reachable or not
	// HasEnd is set if the structure counts as a process with an END.
	HasEnd bool
	// Leaves is how many processes it was composed of, those of parts included.
	Leaves int
}

// State is a state with its transitions.
type State struct {
	Kind  Kind
	Props []string // sorted
	Edges []Edge   // no two alike
}

// Edge is a transition.
type Edge struct {
	Action string
	To     int
	By     uint64 // the leaves that move, as bits
}

func (s *State) add(e Edge) {
	if !slices.Contains(s.Edges, e) {
		s.Edges = append(s.Edges, e)
	}
}

// matches reports whether an action is one of the names: "Both match whole names
// and prefixes."
func matches(action string, names []string) bool {
	for _, n := range names {
		if action == n || strings.HasPrefix(action, n+".") {
			return true
		}
	}
	return false
}

// relabelled is what becomes of an action: "An old name may be a prefix of names";
// "Several new names for one old duplicate its transitions"; the longest old name
// that fits counts.
func relabelled(action string, by []Pair) []string {
	longest := -1
	var news []string
	for _, p := range by {
		if !matches(action, []string{p.Old}) || len(p.Old) < longest {
			continue
		}
		if len(p.Old) > longest {
			longest, news = len(p.Old), nil
		}
		if n := p.New + action[len(p.Old):]; !slices.Contains(news, n) {
			news = append(news, n)
		}
	}
	if longest < 0 {
		return []string{action}
	}
	return news
}

// mapped is the graph with every visible action replaced by others, none of which
// may be the silent one unless it stands alone.
func (g *Graph) mapped(to func(action string) []string) *Graph {
	h := &Graph{Alphabet: map[string]bool{}, Props: g.Props, HasEnd: g.HasEnd, Leaves: g.Leaves}
	for a := range g.Alphabet {
		for _, b := range to(a) {
			if b != tau {
				h.Alphabet[b] = true
			}
		}
	}
	for _, s := range g.States {
		t := State{Kind: s.Kind, Props: s.Props}
		for _, e := range s.Edges {
			if e.Action == tau {
				t.add(e)
				continue
			}
			for _, b := range to(e.Action) {
				t.add(Edge{b, e.To, e.By})
			}
		}
		h.States = append(h.States, t)
	}
	return h
}

func (g *Graph) relabel(by []Pair) *Graph {
	return g.mapped(func(a string) []string { return relabelled(a, by) })
}

// hide makes actions silent; exposing "hides all others".
func (g *Graph) hide(h *Hiding) *Graph {
	if h == nil {
		return g
	}
	return g.mapped(func(a string) []string {
		if matches(a, h.Actions) != h.Expose {
			return []string{tau}
		}
		return []string{a}
	})
}

// prefix is a:P, "a copy of P with a. before all its actions and propositions".
func (g *Graph) prefix(label string) *Graph {
	h := g.mapped(func(a string) []string { return []string{label + "." + a} })
	h.Props = map[string]bool{}
	for p := range g.Props {
		h.Props[label+"."+p] = true
	}
	for i := range h.States {
		var ps []string
		for _, p := range h.States[i].Props {
			ps = append(ps, label+"."+p)
		}
		h.States[i].Props = ps
	}
	return h
}

// share is {a, b}::P, "one process in which every action can be done for a or for
// b"; it leaves propositions alone.
func (g *Graph) share(labels []string) *Graph {
	return g.mapped(func(a string) []string {
		var all []string
		for _, l := range labels {
			all = append(all, l+"."+a)
		}
		return all
	})
}

// Sizes counts states as the manual does (ERROR is none) and transitions, whoever moves.
func (g *Graph) Sizes() (states, transitions int) {
	for _, s := range g.States {
		if s.Kind != Error {
			states++
		}
		known := map[Edge]bool{}
		for _, e := range s.Edges {
			known[Edge{Action: e.Action, To: e.To}] = true
		}
		transitions += len(known)
	}
	return states, transitions
}

// reachable is the graph without the states that cannot be reached.
func (g *Graph) reachable() *Graph {
	number := map[int]int{0: 0}
	order := []int{0}
	for i := 0; i < len(order); i++ {
		for _, e := range g.States[order[i]].Edges {
			if _, seen := number[e.To]; !seen {
				number[e.To] = len(order)
				order = append(order, e.To)
			}
		}
	}
	h := &Graph{Alphabet: g.Alphabet, Props: g.Props, HasEnd: g.HasEnd, Leaves: g.Leaves}
	for _, old := range order {
		s := g.States[old]
		t := State{Kind: s.Kind, Props: s.Props}
		for _, e := range s.Edges {
			t.add(Edge{e.Action, number[e.To], e.By})
		}
		h.States = append(h.States, t)
	}
	return h
}
