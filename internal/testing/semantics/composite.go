package semantics

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// errTooLarge says that a composition has more states than Meaning.MaxStates.
var errTooLarge = errors.New("too many states")

// Meaning computes what the processes of a model mean.
type Meaning struct {
	Model     *Model
	MaxStates int

	asked, seen map[string]*Graph
}

// NewMeaning is the meaning of a model whose compositions have a bounded number
// of states.
func NewMeaning(m *Model, maxStates int) *Meaning {
	return &Meaning{Model: m, MaxStates: maxStates, asked: map[string]*Graph{}, seen: map[string]*Graph{}}
}

func (m *Meaning) composite(name string) *Composite {
	for _, c := range m.Model.Composites {
		if c.Name == name {
			return c
		}
	}
	return nil
}

// Asked is a process as a question sees it: "asked of the composition as it is put
// together: with its priorities, but before its own hiding". silent says which of
// its actions are silent from outside, tau apart.
func (m *Meaning) Asked(name string) (g *Graph, silent map[string]bool, err error) {
	silent = map[string]bool{}
	if g = m.asked[name]; g == nil {
		if c := m.composite(name); c != nil {
			g, err = m.compose(c)
		} else {
			g, err = m.primitive(name)
		}
		if err != nil {
			return nil, nil, err
		}
		m.asked[name] = g
	}
	if c := m.composite(name); c != nil && c.Hide != nil {
		for a := range g.Alphabet {
			silent[a] = matches(a, c.Hide.Actions) != c.Hide.Expose
		}
	}
	return g, silent, nil
}

// Seen is a process as it is seen from outside: "Hiding and marks count where the
// composite is looked at from outside: as a part of another composite, and for
// compose, stats, conform and equivalent."
func (m *Meaning) Seen(name string) (*Graph, error) {
	if g := m.seen[name]; g != nil {
		return g, nil
	}
	g, _, err := m.Asked(name)
	if err != nil {
		return nil, err
	}
	if c := m.composite(name); c != nil {
		g = g.hide(c.Hide)
	}
	m.seen[name] = g
	return g, nil
}

func (m *Meaning) primitive(name string) (*Graph, error) {
	for _, p := range m.Model.Processes {
		if p.Name == name {
			g, err := p.graph()
			if err == nil {
				g.leaf()
			}
			return g, err
		}
	}
	return nil, fmt.Errorf("no process %s", name)
}

// parts lists what a part stands for: one unit for a process, primitive or
// composite; those inside for a group in parentheses.
func (m *Meaning) parts(p *Part) ([][]*Graph, error) {
	var units [][]*Graph
	if p.Ref != "" {
		unit, err := m.unit(p.Ref)
		if err != nil {
			return nil, err
		}
		units = [][]*Graph{unit}
	}
	for _, q := range p.Group {
		more, err := m.parts(q)
		if err != nil {
			return nil, err
		}
		units = append(units, more...)
	}
	if len(p.Prefixes) > 0 { // "A set or range makes one copy for each element."
		var copies [][]*Graph
		for _, l := range p.Prefixes {
			for _, u := range units {
				copies = append(copies, each(u, func(g *Graph) *Graph { return g.prefix(l) }))
			}
		}
		units = copies
	}
	for i, u := range units {
		if len(p.Share) > 0 {
			u = each(u, func(g *Graph) *Graph { return g.share(p.Share) })
		}
		if len(p.Relabel) > 0 { // "(P || Q)/{x/a, x/b} relabels P and Q"
			if len(u) > 1 && collides(u, p.Relabel) {
				g, err := m.parallel(u, nil, nil)
				if err != nil {
					return nil, err
				}
				u = []*Graph{g}
			}
			u = each(u, func(g *Graph) *Graph { return g.relabel(p.Relabel) })
		}
		units[i] = u
	}
	return units, nil
}

func each(u []*Graph, f func(*Graph) *Graph) []*Graph {
	var v []*Graph
	for _, g := range u {
		v = append(v, f(g))
	}
	return v
}

// unit is a process as a part: "A composite that is used as a part counts as one
// process if it hides, has priorities or a mark: as one with an END if it can reach
// its own END. Otherwise each of its processes counts for itself."
func (m *Meaning) unit(name string) ([]*Graph, error) {
	c := m.composite(name)
	if c == nil || c.Hide != nil || len(c.Low)+len(c.High) > 0 {
		g, err := m.Seen(name)
		return []*Graph{g}, err
	}
	units, err := m.parts(c.Part)
	return slices.Concat(units...), err
}

// collides reports whether two actions of processes get the same name: "in
// C/{x/a, x/b}, where C is a composite, a and b stay two alternatives that are both
// called x", so that it is composed before it is relabelled.
func collides(u []*Graph, by []Pair) bool {
	all, names := map[string]bool{}, map[string]bool{}
	for _, g := range u {
		for a := range g.Alphabet {
			all[a] = true
		}
	}
	for a := range all {
		for _, b := range relabelled(a, by) {
			if names[b] {
				return true
			}
			names[b] = true
		}
	}
	return false
}

// compose is the composition before its own hiding.
func (m *Meaning) compose(c *Composite) (*Graph, error) {
	units, err := m.parts(c.Part)
	if err != nil {
		return nil, err
	}
	return m.parallel(slices.Concat(units...), c.Low, c.High)
}

// parallel: "Components run in parallel."
func (m *Meaning) parallel(gs []*Graph, low, high []string) (*Graph, error) {
	x := &composition{parts: gs, low: low, high: high, first: make([]int, len(gs)), number: map[string]int{},
		g: &Graph{Alphabet: map[string]bool{}, Props: map[string]bool{}}}
	for i, g := range gs {
		x.first[i] = x.g.Leaves
		x.g.Leaves += g.Leaves
		for a := range g.Alphabet {
			x.g.Alphabet[a] = true
		}
		for p := range g.Props {
			if x.g.Props[p] {
				return nil, fmt.Errorf("two processes have the proposition %s", p)
			}
			x.g.Props[p] = true
		}
	}
	x.terminates = canTerminate(gs)
	start := make([]int, len(gs))
	x.find(start)
	for i := 0; i < len(x.tuples); i++ {
		if len(x.tuples) > m.MaxStates {
			return nil, errTooLarge
		}
		if x.tuples[i] != nil {
			for _, e := range x.steps(x.tuples[i]) {
				x.g.States[i].add(Edge{e.action, x.find(e.to), e.by})
			}
		}
	}
	g := x.g.reachable()
	g.HasEnd = slices.ContainsFunc(g.States, func(s State) bool { return s.Kind == End })
	return g, nil
}

// canTerminate: "at least one of its processes has an END, and every action of the
// processes without one is in the alphabet of some process that has one."
func canTerminate(parts []*Graph) bool {
	theirs := map[string]bool{}
	some := false
	for _, g := range parts {
		if g.HasEnd {
			some = true
			for a := range g.Alphabet {
				theirs[a] = true
			}
		}
	}
	for _, g := range parts {
		if g.HasEnd {
			continue
		}
		for a := range g.Alphabet {
			if !theirs[a] {
				return false
			}
		}
	}
	return some
}

// composition is the search for the states of a composition.
type composition struct {
	parts      []*Graph
	first      []int // leaf of each part
	low, high  []string
	terminates bool

	g      *Graph
	number map[string]int
	tuples [][]int // nil for states without transitions that have no local states
}

type step struct {
	action string
	to     []int
	by     uint64
}

// find is the number of the state for a tuple of local states.
func (x *composition) find(tuple []int) int {
	kind := Normal
	atEnd := true
	var props []string
	for i, s := range tuple {
		local := x.parts[i].States[s]
		if local.Kind == Error {
			// "A composition is in ERROR as soon as one of its processes is [...]
			// and there is one such state." "No proposition of a process is true there."
			return x.state("ERROR", State{Kind: Error}, nil)
		}
		if x.parts[i].HasEnd && local.Kind != End {
			atEnd = false
		}
		props = append(props, local.Props...)
	}
	slices.Sort(props)
	// "A composition is at its END in a state in which all three are true: it can
	// terminate; all processes that have an END are at it; nothing is possible any
	// more." "Every process is still in some local state, and its propositions are
	// true there or not as before. States that differ in this are different states."
	if x.terminates && atEnd && len(x.possible(tuple)) == 0 {
		kind = End
		return x.state("END "+strings.Join(props, " "), State{Kind: kind, Props: props}, nil)
	}
	return x.state(fmt.Sprint(tuple), State{Kind: kind, Props: props}, slices.Clone(tuple))
}

func (x *composition) state(key string, s State, tuple []int) int {
	n, ok := x.number[key]
	if !ok {
		n = len(x.tuples)
		x.number[key] = n
		x.tuples = append(x.tuples, tuple)
		x.g.States = append(x.g.States, s)
	}
	return n
}

// possible lists the steps that the processes can do together. "An event that is
// in the alphabets of several components happens in all of them at once, or not at
// all; any other event is done by one component alone. The silent event tau never
// synchronises."
func (x *composition) possible(tuple []int) []step {
	var steps []step
	for i, s := range tuple {
		for _, e := range x.parts[i].States[s].Edges {
			if e.Action == tau {
				to := slices.Clone(tuple)
				to[i] = e.To
				steps = append(steps, step{tau, to, e.By << x.first[i]})
			}
		}
	}
	for _, a := range slices.Sorted(maps.Keys(x.g.Alphabet)) {
		ways := []step{{a, slices.Clone(tuple), 0}}
		for i, s := range tuple {
			if !x.parts[i].Alphabet[a] {
				continue
			}
			var next []step
			for _, way := range ways {
				for _, e := range x.parts[i].States[s].Edges {
					if e.Action == a {
						to := slices.Clone(way.to)
						to[i] = e.To
						next = append(next, step{a, to, way.by | e.By<<x.first[i]})
					}
				}
			}
			ways = next
		}
		steps = append(steps, ways...)
	}
	return steps
}

// steps are the possible steps that priorities leave. "In P >> {a} the action a
// has low priority: it happens only if nothing else is possible. In P << {a} it
// has high priority: if it is possible, nothing else happens."
func (x *composition) steps(tuple []int) []step {
	all := x.possible(tuple)
	preferred := func(s step) bool {
		if len(x.low) > 0 {
			return s.action == tau || !matches(s.action, x.low)
		}
		return s.action != tau && matches(s.action, x.high)
	}
	if len(x.low)+len(x.high) == 0 || !slices.ContainsFunc(all, preferred) {
		return all
	}
	return slices.DeleteFunc(all, func(s step) bool { return !preferred(s) })
}
