package naive

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/seltl/seltl/lks"
)

// Process is an LKS in its most explicit form, by names: the slow twin of what
// package lks does with LKSs and networks.
type Process struct {
	Alphabet map[string]bool // without tau
	Initial  map[string]bool
	Kind     map[string]lks.Kind        // by state
	Label    map[string]map[string]bool // by state: the propositions that hold
	Edges    map[string]map[Step]bool   // by state
	HasProps bool                       // some proposition is declared
	Observer bool                       // never blocks, has no say in termination
	whole    bool                       // made by Parallel: its special states are merged already
}

// Step is a transition's action and target.
type Step struct{ Action, To string }

func newProcess() *Process {
	return &Process{
		Alphabet: map[string]bool{}, Initial: map[string]bool{}, Kind: map[string]lks.Kind{},
		Label: map[string]map[string]bool{}, Edges: map[string]map[Step]bool{},
	}
}

// FromLKS copies m with all its states, which are named by their numbers.
func FromLKS(m *lks.LKS) *Process {
	p := newProcess()
	for _, a := range m.Alphabet()[1:] {
		p.Alphabet[a] = true
	}
	p.HasProps = len(m.Props()) > 0
	for _, s := range m.Initial() {
		p.Initial[fmt.Sprint(s)] = true
	}
	for s := range int32(m.NumStates()) {
		name := fmt.Sprint(s)
		p.Kind[name] = m.Kind(s)
		p.Label[name] = map[string]bool{}
		for _, q := range m.Label(s) {
			p.Label[name][m.Props()[q]] = true
		}
		p.Edges[name] = map[Step]bool{}
		for _, e := range m.Edges(s) {
			p.Edges[name][Step{m.Alphabet()[e.Action], fmt.Sprint(e.Target)}] = true
		}
	}
	return p
}

// Parallel is the composition of [Chaki05], Def. 5, for any number of processes at
// once, reachable states only, with FSP's special states: one component in error
// puts the whole in error; and if every label of the processes without END
// belongs to some process with END, the whole has terminated when all of the
// latter have and nothing is possible.
func Parallel(processes ...*Process) *Process {
	if len(processes) == 1 && processes[0].whole {
		return processes[0].reachable()
	}
	c := &composition{parts: processes, result: newProcess(), locals: map[string][]string{}}
	c.terminates = c.canTerminate()
	for _, p := range processes {
		if !p.Observer {
			maps.Copy(c.result.Alphabet, p.Alphabet)
		}
		c.result.HasProps = c.result.HasProps || p.HasProps
	}
	tuples := [][]string{nil}
	for _, p := range processes {
		var longer [][]string
		for _, t := range tuples {
			for _, s := range slices.Sorted(maps.Keys(p.Initial)) {
				longer = append(longer, append(slices.Clone(t), s))
			}
		}
		tuples = longer
	}
	for _, t := range tuples {
		c.result.Initial[c.state(t)] = true
	}
	for len(c.todo) > 0 {
		name := c.todo[0]
		c.todo = c.todo[1:]
		c.expand(name)
	}
	c.result.whole = true
	return c.result
}

// reachable removes the other states.
func (p *Process) reachable() *Process {
	c := *p
	c.Kind = map[string]lks.Kind{}
	c.Edges = map[string]map[Step]bool{}
	todo := slices.Collect(maps.Keys(p.Initial))
	for len(todo) > 0 {
		s := todo[0]
		todo = todo[1:]
		if c.Edges[s] != nil {
			continue
		}
		c.Kind[s] = p.Kind[s]
		c.Edges[s] = p.Edges[s]
		for step := range p.Edges[s] {
			todo = append(todo, step.To)
		}
	}
	return &c
}

type composition struct {
	parts      []*Process
	terminates bool
	result     *Process
	locals     map[string][]string // by state of the result; nil for special ones
	todo       []string
}

func (p *Process) hasEnd() bool {
	for _, k := range p.Kind {
		if k == lks.End {
			return true
		}
	}
	return false
}

func (c *composition) canTerminate() bool {
	covered := map[string]bool{}
	some := false
	for _, p := range c.parts {
		if !p.Observer && p.hasEnd() {
			some = true
			maps.Copy(covered, p.Alphabet)
		}
	}
	for _, p := range c.parts {
		if !p.Observer && !p.hasEnd() {
			for a := range p.Alphabet {
				if !covered[a] {
					return false
				}
			}
		}
	}
	return some
}

// state returns the name of a tuple, and plans its expansion if it is new.
func (c *composition) state(t []string) string {
	kind := c.kind(t)
	name := strings.Join(t, "|")
	switch kind {
	case lks.Error:
		name = "ERROR"
		for i, p := range c.parts {
			if p.Observer || p.Kind[t[i]] == lks.Error && len(p.Label[t[i]]) > 0 {
				name += fmt.Sprint("|", i, "=", c.remembered(p, t[i]))
			}
		}
	case lks.End:
		name = "END"
		for i, p := range c.parts {
			if p.Observer || p.HasProps {
				name += fmt.Sprint("|", i, "=", c.remembered(p, t[i]))
			}
		}
	}
	if _, known := c.result.Kind[name]; known {
		return name
	}
	c.result.Kind[name] = kind
	c.result.Label[name] = map[string]bool{}
	c.result.Edges[name] = map[Step]bool{}
	for i, p := range c.parts {
		if kind != lks.Error || p.Observer || p.Kind[t[i]] == lks.Error {
			maps.Copy(c.result.Label[name], p.Label[t[i]])
		}
	}
	if kind == lks.Normal {
		c.locals[name] = t
		c.todo = append(c.todo, name)
	}
	return name
}

// remembered names what is remembered of a component after termination: of
// observers their state, of others what holds in it.
func (c *composition) remembered(p *Process, state string) string {
	if p.Observer {
		return state
	}
	return fmt.Sprint(slices.Sorted(maps.Keys(p.Label[state])))
}

func (c *composition) kind(t []string) lks.Kind {
	ended := c.terminates
	for i, p := range c.parts {
		switch {
		case p.Kind[t[i]] == lks.Error:
			return lks.Error
		case !p.Observer && p.hasEnd() && p.Kind[t[i]] != lks.End:
			ended = false
		}
	}
	if ended && len(c.steps(t)) == 0 {
		return lks.End
	}
	return lks.Normal
}

func (c *composition) expand(name string) {
	for _, s := range c.steps(c.locals[name]) {
		c.result.Edges[name][Step{s.action, c.state(s.to)}] = true
	}
}

type tupleStep struct {
	action string
	to     []string
}

// steps returns what is possible in a tuple.
func (c *composition) steps(t []string) []tupleStep {
	var steps []tupleStep
	for i, p := range c.parts {
		for step := range p.Edges[t[i]] {
			if step.Action == lks.TauName {
				next := slices.Clone(t)
				next[i] = step.To
				steps = append(steps, tupleStep{lks.TauName, next})
			}
		}
	}
	for a := range c.result.Alphabet {
		tuples := [][]string{nil}
		for i, p := range c.parts {
			var longer [][]string
			for _, s := range p.targets(t[i], a) {
				for _, u := range tuples {
					longer = append(longer, append(slices.Clone(u), s))
				}
			}
			tuples = longer
		}
		for _, u := range tuples {
			steps = append(steps, tupleStep{a, u})
		}
	}
	return steps
}

// targets says where a component is after action, which it may not know.
func (p *Process) targets(state, action string) []string {
	if !p.Alphabet[action] {
		return []string{state}
	}
	var targets []string
	for step := range p.Edges[state] {
		if step.Action == action {
			targets = append(targets, step.To)
		}
	}
	if p.Observer && len(targets) == 0 {
		return []string{state}
	}
	return targets
}

// Relabel is FSP's relabelling, a relation; lks.TauName hides.
func (p *Process) Relabel(new func(old string) []string) *Process {
	c := *p
	c.Alphabet = map[string]bool{}
	for a := range p.Alphabet {
		for _, b := range new(a) {
			if b != lks.TauName {
				c.Alphabet[b] = true
			}
		}
	}
	c.Edges = map[string]map[Step]bool{}
	for s, steps := range p.Edges {
		c.Edges[s] = map[Step]bool{}
		for step := range steps {
			if step.Action == lks.TauName {
				c.Edges[s][step] = true
				continue
			}
			for _, b := range new(step.Action) {
				c.Edges[s][Step{b, step.To}] = true
			}
		}
	}
	return &c
}

// Yield removes the transitions by low actions where there are others, and what
// that makes unreachable.
func (p *Process) Yield(low func(action string) bool) *Process {
	c := *p
	c.Edges = map[string]map[Step]bool{}
	for s, steps := range p.Edges {
		high := false
		for step := range steps {
			high = high || !low(step.Action)
		}
		c.Edges[s] = map[Step]bool{}
		for step := range steps {
			if !high || !low(step.Action) {
				c.Edges[s][step] = true
			}
		}
	}
	return Parallel(&c)
}

// Count returns the numbers of states, of transitions, of states in error, of
// terminated states, and of other states without transitions.
func (p *Process) Count() (states, transitions, errors, ends, deadlocks int) {
	for s, kind := range p.Kind {
		states++
		transitions += len(p.Edges[s])
		switch {
		case kind == lks.Error:
			errors++
		case kind == lks.End:
			ends++
		case len(p.Edges[s]) == 0:
			deadlocks++
		}
	}
	return
}
