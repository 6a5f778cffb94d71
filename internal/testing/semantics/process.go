package semantics

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// graph is the meaning of a primitive process. "These stand behind the definition
// of a process, in this order": extension, relabelling, hiding; then property,
// then what cannot be reached is dropped.
func (p *Process) graph() (*Graph, error) {
	if err := p.aliases(); err != nil {
		return nil, err
	}
	b := &builder{process: p, locals: map[string]int{}, ends: map[string]int{},
		g: &Graph{Alphabet: map[string]bool{}, Props: map[string]bool{}}}
	for _, l := range p.Locals {
		b.alphabet(l.Body) // "made of all actions in the definition", reachable or not
		for _, q := range l.Props {
			b.g.Props[q] = true
		}
	}
	for _, a := range p.Extend {
		b.g.Alphabet[a] = true
	}
	start := b.local(p.Locals[0].Name)
	g := b.g
	// The initial state is to be number 0; `P = ERROR` is a silent step to ERROR
	// (docs/language.md).
	if g.States[start].Kind == Error {
		g.States = append(g.States, State{Edges: []Edge{{Action: tau, To: start}}})
		start = len(g.States) - 1
	}
	g = g.startingIn(start)
	if len(p.Relabel) > 0 {
		g = g.relabel(p.Relabel)
	}
	g = g.hide(p.Hide)
	if p.Property {
		var err error
		if g, err = g.property(); err != nil {
			return nil, err
		}
	}
	g = g.reachable()
	g.HasEnd = slices.ContainsFunc(g.States, func(s State) bool { return s.Kind == End })
	return g, nil
}

// aliases refuses names that stand for themselves, and "If two names stand for one
// state (P = Q), both may have labels only if they are the same."
func (p *Process) aliases() error {
	stands := map[string]string{}
	for _, l := range p.Locals {
		stands[l.Name] = l.Body.Ref
	}
	for _, l := range p.Locals {
		name := l.Name
		for range p.Locals {
			name = stands[name]
		}
		if stands[name] != "" {
			return fmt.Errorf("%s stands for itself", l.Name)
		}
		if l.Body.Ref == "ERROR" && len(l.Props) > 0 {
			return fmt.Errorf("propositions of ERROR in %s", p.Name)
		}
		for _, k := range p.Locals {
			if l.Body.Ref == k.Name && len(l.Props) > 0 && !slices.Equal(slices.Sorted(slices.Values(l.Props)), slices.Sorted(slices.Values(k.Props))) {
				return fmt.Errorf("two labels of one state: %s", l.Name)
			}
		}
	}
	return nil
}

// builder makes states of local processes.
type builder struct {
	process *Process
	g       *Graph
	locals  map[string]int // local processes that have a state
	ends    map[string]int // STOP, END, ERROR with their propositions
}

func (b *builder) alphabet(body *Body) {
	for _, a := range body.Choice {
		for _, l := range a.Actions {
			b.g.Alphabet[l] = true
		}
		b.alphabet(a.Then)
	}
}

func (b *builder) state(s State) int {
	b.g.States = append(b.g.States, s)
	return len(b.g.States) - 1
}

// end is STOP, END or ERROR. "A state named for STOP or END may carry some
// [propositions]; ERROR may not."
func (b *builder) end(name string, props []string) int {
	key := name + " " + strings.Join(props, " ")
	if s, ok := b.ends[key]; ok {
		return s
	}
	kind := map[string]Kind{"STOP": Normal, "END": End, "ERROR": Error}[name]
	s := b.state(State{Kind: kind, Props: props})
	b.ends[key] = s
	return s
}

// local is the state that a name stands for.
func (b *builder) local(name string) int {
	if s, ok := b.locals[name]; ok {
		return s
	}
	if name == "STOP" || name == "END" || name == "ERROR" {
		return b.end(name, nil)
	}
	i := slices.IndexFunc(b.process.Locals, func(l *Local) bool { return l.Name == name })
	if i < 0 { // "A reference to a local process that does not exist [...] means ERROR."
		return b.end("ERROR", nil)
	}
	l := b.process.Locals[i]
	props := slices.Sorted(slices.Values(l.Props))
	if ref := l.Body.Ref; ref != "" {
		var s int
		if ref == "STOP" || ref == "END" || ref == "ERROR" {
			s = b.end(ref, props)
		} else {
			s = b.local(ref)
		}
		b.locals[name] = s
		return s
	}
	s := b.state(State{Props: props})
	b.locals[name] = s
	b.choice(s, l.Body)
	return s
}

// choice gives a state the transitions of a choice. "A set of actions stands for a
// choice between them. Each has its own copy of what follows."
func (b *builder) choice(s int, body *Body) {
	for _, alt := range body.Choice {
		for _, a := range alt.Actions {
			var to int
			if alt.Then.Ref != "" {
				to = b.local(alt.Then.Ref)
			} else { // "The states between actions have no labels"
				to = b.state(State{})
				b.choice(to, alt.Then)
			}
			b.g.States[s].add(Edge{Action: a, To: to})
		}
	}
}

// startingIn is the graph with another initial state: numbers change places.
func (g *Graph) startingIn(start int) *Graph {
	swap := func(s int) int {
		switch s {
		case 0:
			return start
		case start:
			return 0
		}
		return s
	}
	h := &Graph{Alphabet: g.Alphabet, Props: g.Props, States: make([]State, len(g.States))}
	for i, s := range g.States {
		t := State{Kind: s.Kind, Props: s.Props}
		for _, e := range s.Edges {
			t.add(Edge{Action: e.Action, To: swap(e.To)})
		}
		h.States[swap(i)] = t
	}
	return h
}

// property is the observer of a property process: "It never hinders: composed with
// a system, it goes to ERROR as soon as the system does one of its actions out of
// order. It must be deterministic." An END of it would hinder, so it has none.
func (g *Graph) property() (*Graph, error) {
	h := g.mapped(func(a string) []string { return []string{a} }).reachable()
	failed := slices.IndexFunc(h.States, func(s State) bool { return s.Kind == Error })
	if failed < 0 {
		failed = len(h.States)
		h.States = append(h.States, State{Kind: Error})
	}
	for i := range h.States {
		s := &h.States[i]
		if s.Kind == Error {
			continue
		}
		s.Kind = Normal
		done := map[string]bool{}
		for _, e := range s.Edges {
			if e.Action == tau || done[e.Action] {
				return nil, fmt.Errorf("a property that is not deterministic")
			}
			done[e.Action] = true
		}
		for _, a := range slices.Sorted(maps.Keys(h.Alphabet)) {
			if !done[a] {
				s.add(Edge{Action: a, To: failed})
			}
		}
	}
	return h, nil
}

// leaf makes the process the one that moves in all its steps.
func (g *Graph) leaf() {
	g.Leaves = 1
	for _, s := range g.States {
		for i := range s.Edges {
			s.Edges[i].By = 1
		}
	}
}
