package semantics

import (
	"fmt"
	"slices"
)

// Positions are the positions of all runs of a graph, as a graph of their own: a
// run is an infinite way through it from one of Init.
type Positions struct {
	Init []int
	At   []Position
	Next [][]int
}

// Position is what formulas can ask at a position of a run.
type Position struct {
	Props    []string
	Fluents  map[string]bool
	Dead     bool            // the state has no transitions
	Possible map[string]bool // actions that leave the state
	// Event is the step that leaves the position, or in an assert the last action;
	// "" is none. Silent says that the step is silent from outside.
	Event  string
	Silent bool
	By     uint64 // the leaves that move in it
	Able   uint64 // those that can move in some step from here
}

// Free are the positions beside a proposition that may hold, or not, at each of them.
func (ps *Positions) Free(name string) *Positions {
	free := &Positions{}
	both := func(all []int) (twice []int) {
		for _, n := range all {
			twice = append(twice, 2*n, 2*n+1)
		}
		return twice
	}
	for n, p := range ps.At {
		holds := p
		holds.Props = append(slices.Clone(p.Props), name)
		free.At = append(free.At, p, holds)
		next := both(ps.Next[n])
		free.Next = append(free.Next, next, next)
	}
	free.Init = both(ps.Init)
	return free
}

// Finite is how runs that end are read.
type Finite string

const (
	Stutter Finite = "stutter"
	Ignore  Finite = "ignore"
)

// Query is a graph to ask of, as Meaning.Asked returns it, and what formulas can use.
type Query struct {
	Graph   *Graph
	Silent  map[string]bool
	Fluents []*Fluent
}

// situation is a state with its history: "Fluents and the last action are history,
// which no end changes".
type situation struct {
	state   int
	fluents string // of each fluent, 0 or 1
	last    string
}

func (q *Query) start() situation {
	s := situation{}
	for _, f := range q.Fluents {
		s.fluents += bit(f.Initially)
	}
	return s
}

func bit(b bool) string {
	if b {
		return "1"
	}
	return "0"
}

// after is the situation after a transition: a fluent is switched on and off by
// its actions, whatever they lead to.
func (q *Query) after(s situation, e Edge) situation {
	t := situation{state: e.To, last: e.Action}
	for i, f := range q.Fluents {
		value := s.fluents[i : i+1]
		if slices.Contains(f.On, e.Action) {
			value = "1"
		} else if slices.Contains(f.Off, e.Action) {
			value = "0"
		}
		t.fluents += value
	}
	return t
}

func (q *Query) position(s situation) Position {
	state := &q.Graph.States[s.state]
	p := Position{Props: state.Props, Fluents: map[string]bool{}, Dead: len(state.Edges) == 0, Possible: map[string]bool{}}
	for i, f := range q.Fluents {
		p.Fluents[f.Name] = s.fluents[i] == '1'
	}
	for _, e := range state.Edges {
		p.Possible[e.Action] = true
		p.Able |= e.By
		if q.Silent[e.Action] {
			p.Possible[tau] = true
		}
	}
	return p
}

// Runs are the positions of SE-LTL: "A position of a run is a state together with
// the event that leaves it." By Stutter, "the last state repeats for ever with no
// event true"; by Ignore, "only infinite runs count".
func (q *Query) Runs(finite Finite) *Positions {
	ps := &Positions{}
	numbers := map[situation][]int{}
	var from []situation // of every position
	var edges []Edge
	enter := func(s situation) []int {
		s.last = ""
		if ns, ok := numbers[s]; ok {
			return ns
		}
		ns := []int{}
		base := q.position(s)
		add := func(event string, e Edge) {
			p := base
			p.Event, p.Silent, p.By = event, event == tau || q.Silent[event], e.By
			ns = append(ns, len(ps.At))
			ps.At = append(ps.At, p)
			from = append(from, s)
			edges = append(edges, e)
		}
		for _, e := range q.Graph.States[s.state].Edges {
			add(e.Action, e)
		}
		if base.Dead && finite == Stutter {
			add("", Edge{To: s.state})
		}
		numbers[s] = ns
		return ns
	}
	ps.Init = enter(q.start())
	for i := 0; i < len(ps.At); i++ {
		ps.Next = append(ps.Next, enter(q.after(from[i], edges[i])))
	}
	return ps
}

// AssertRuns are the positions of LTSA's logic. "An action in a formula is true if
// it is the one that happened last [...] The formula is evaluated for the first
// time after the first action. Where a run ends, its last action stays the last
// one for ever; in a run without any action, no action is true and fluents keep
// their initial values."
func (q *Query) AssertRuns() *Positions {
	ps := &Positions{}
	numbers := map[situation]int{}
	var all []situation
	enter := func(s situation) int {
		n, ok := numbers[s]
		if !ok {
			n = len(all)
			numbers[s] = n
			all = append(all, s)
			p := q.position(s)
			p.Event = s.last
			ps.At = append(ps.At, p)
		}
		return n
	}
	next := func(s situation) []int {
		var ns []int
		for _, e := range q.Graph.States[s.state].Edges {
			if n := enter(q.after(s, e)); !slices.Contains(ns, n) {
				ns = append(ns, n)
			}
		}
		if len(ns) == 0 {
			ns = []int{enter(s)}
		}
		return ns
	}
	ps.Init = next(q.start())
	for i := 0; i < len(all); i++ {
		ps.Next = append(ps.Next, next(all[i]))
	}
	return ps
}

// holds decides an atom at a position.
func (p *Position) holds(f *Formula) bool {
	switch f.Op {
	case "true":
		return true
	case "false":
		return false
	case "prop": // "true at a position if it labels the state there"
		return slices.Contains(p.Props, f.Names[0])
	case "fluent":
		return p.Fluents[f.Names[0]]
	case "deadlock": // "true in every state without transitions"
		return p.Dead
	case "enabled":
		return p.Possible[f.Names[0]]
	case "event": // "tau in a formula means any step that is silent from outside"
		return p.Event != "" && (slices.Contains(f.Names, p.Event) || p.Silent && slices.Contains(f.Names, tau))
	}
	panic(fmt.Sprintf("no atom: %s", f.Op))
}
