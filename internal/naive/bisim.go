package naive

import (
	"fmt"
	"maps"
	"slices"

	"github.com/seltl/seltl/lks"
)

// Equivalence names an equivalence of processes.
type Equivalence int

const (
	Strong              Equivalence = iota
	Weak                            // observational equivalence, blind to divergence
	Branching                       // blind to divergence
	DivergenceBranching             // divergence-preserving branching bisimulation
)

// Partition returns the class of every state of p under the coarsest
// equivalence of that kind: the greatest fixpoint of its definition, from the
// relation of all pairs of states with the same label, by removing pairs that
// break the transfer condition until none does.
//
// That a state is terminated, in error, or a deadlock is a visible loop of its
// own, and so, for DivergenceBranching, is being on a silent cycle of one label:
// in a finite process a state diverges inside its class iff it goes silently,
// inside it, to such a cycle.
func (p *Process) Partition(kind Equivalence) map[string]int {
	p = p.withMarks(kind == DivergenceBranching)
	b := &bisimulation{p: p, related: map[[2]string]bool{}, states: slices.Sorted(maps.Keys(p.Kind))}
	b.closure = p.tauClosure()
	for _, s := range b.states {
		for _, t := range b.states {
			if maps.Equal(p.Label[s], p.Label[t]) {
				b.related[[2]string{s, t}] = true
			}
		}
	}
	for changed := true; changed; {
		changed = false
		for _, s := range b.states {
			for _, t := range b.states {
				if b.related[[2]string{s, t}] && !(b.matches(kind, s, t) && b.matches(kind, t, s)) {
					delete(b.related, [2]string{s, t})
					delete(b.related, [2]string{t, s})
					changed = true
				}
			}
		}
	}
	class := map[string]int{}
	for i, s := range b.states {
		class[s] = i
		for j, t := range b.states[:i] {
			if b.related[[2]string{s, t}] {
				class[s] = j
				break
			}
		}
	}
	return class
}

type bisimulation struct {
	p       *Process
	states  []string
	related map[[2]string]bool
	closure map[string]map[string]bool
}

// withMarks adds the loops that Partition speaks of.
func (p *Process) withMarks(divergence bool) *Process {
	c := *p
	c.Edges = map[string]map[Step]bool{}
	closure := p.sameLabel().tauClosure()
	for s, steps := range p.Edges {
		c.Edges[s] = maps.Clone(steps)
		if len(steps) == 0 {
			c.Edges[s][Step{fmt.Sprint("!final", p.Kind[s]), s}] = true
		}
		for step := range steps {
			if divergence && step.Action == lks.TauName && maps.Equal(p.Label[s], p.Label[step.To]) && closure[step.To][s] {
				c.Edges[s][Step{"!diverges", s}] = true
			}
		}
	}
	return &c
}

// sameLabel removes the transitions that change the label.
func (p *Process) sameLabel() *Process {
	c := *p
	c.Edges = map[string]map[Step]bool{}
	for s, steps := range p.Edges {
		c.Edges[s] = map[Step]bool{}
		for step := range steps {
			if maps.Equal(p.Label[s], p.Label[step.To]) {
				c.Edges[s][step] = true
			}
		}
	}
	return &c
}

func (p *Process) tauClosure() map[string]map[string]bool {
	closure := map[string]map[string]bool{}
	for s := range p.Kind {
		seen := map[string]bool{s: true}
		todo := []string{s}
		for len(todo) > 0 {
			u := todo[0]
			todo = todo[1:]
			for step := range p.Edges[u] {
				if step.Action == lks.TauName && !seen[step.To] {
					seen[step.To] = true
					todo = append(todo, step.To)
				}
			}
		}
		closure[s] = seen
	}
	return closure
}

// matches reports whether t can do what s can, into related states.
func (b *bisimulation) matches(kind Equivalence, s, t string) bool {
	for step := range b.p.Edges[s] {
		ok := false
		switch kind {
		case Strong:
			ok = b.strongly(step, t)
		case Weak:
			ok = b.weakly(step, t)
		default:
			ok = b.branching(step, s, t)
		}
		if !ok {
			return false
		}
	}
	return true
}

func (b *bisimulation) strongly(step Step, t string) bool {
	for other := range b.p.Edges[t] {
		if other.Action == step.Action && b.related[[2]string{step.To, other.To}] {
			return true
		}
	}
	return false
}

func (b *bisimulation) weakly(step Step, t string) bool {
	for u := range b.closure[t] {
		if step.Action == lks.TauName && b.related[[2]string{step.To, u}] {
			return true
		}
		for other := range b.p.Edges[u] {
			if other.Action != step.Action {
				continue
			}
			for v := range b.closure[other.To] {
				if b.related[[2]string{step.To, v}] {
					return true
				}
			}
		}
	}
	return false
}

// branching: t may stay if the step is silent into a state related to t; else t
// goes silently through states related to s and takes the step from there.
func (b *bisimulation) branching(step Step, s, t string) bool {
	if step.Action == lks.TauName && b.related[[2]string{step.To, t}] {
		return true
	}
	for u := range b.stutter(s, t) {
		for other := range b.p.Edges[u] {
			if other.Action == step.Action && b.related[[2]string{step.To, other.To}] {
				return true
			}
		}
	}
	return false
}

// stutter returns the states that t reaches by silent steps through states
// related to s, t included if it is related.
func (b *bisimulation) stutter(s, t string) map[string]bool {
	seen := map[string]bool{t: true}
	todo := []string{t}
	for len(todo) > 0 {
		u := todo[0]
		todo = todo[1:]
		for step := range b.p.Edges[u] {
			if step.Action == lks.TauName && !seen[step.To] && b.related[[2]string{s, step.To}] {
				seen[step.To] = true
				todo = append(todo, step.To)
			}
		}
	}
	return seen
}

// Union puts p and q side by side; initial states are those of both.
func Union(p, q *Process) *Process {
	u := newProcess()
	for i, r := range []*Process{p, q} {
		name := func(s string) string { return fmt.Sprint(i, ":", s) }
		maps.Copy(u.Alphabet, r.Alphabet)
		for s := range r.Kind {
			u.Kind[name(s)] = r.Kind[s]
			u.Label[name(s)] = r.Label[s]
			u.Edges[name(s)] = map[Step]bool{}
			for step := range r.Edges[s] {
				u.Edges[name(s)][Step{step.Action, name(step.To)}] = true
			}
		}
		for s := range r.Initial {
			u.Initial[name(s)] = true
		}
	}
	return u
}

// Equivalent reports whether p and q have the same alphabet and every initial
// state of one is related to one of the other.
func Equivalent(kind Equivalence, p, q *Process) bool {
	if !maps.Equal(p.Alphabet, q.Alphabet) {
		return false
	}
	class := Union(p, q).Partition(kind)
	classes := func(i int, r *Process) map[int]bool {
		set := map[int]bool{}
		for s := range r.Initial {
			set[class[fmt.Sprint(i, ":", s)]] = true
		}
		return set
	}
	return maps.Equal(classes(0, p), classes(1, q))
}
