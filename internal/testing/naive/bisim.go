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
	Weak                            // Milner's observation equivalence [Milner89]
	Branching                       // [GlabbeekWeijland96]; with labels of states: [DeNicolaVaandrager95]
	DivergenceBranching             // with explicit divergence: [GlabbeekLuttikTrcka09]
	WeakDeadlock                    // Weak that also tells deadlocks from livelocks
)

// Partition returns the class of every state of p under the largest equivalence
// of that kind, from the textbook's definition: of all pairs of states with
// the same propositions those are removed that break a transfer condition, until
// none does.
//
// Termination and error are observed as a termination predicate is in process
// algebra: if one of two related states has the kind, the other gets to a state of
// that kind silently.
func (p *Process) Partition(kind Equivalence) map[string]int {
	b := newBisimulation(p)
	for s := range b.names {
		for t := range b.names {
			b.related[s][t] = maps.Equal(p.Label[b.names[s]], p.Label[b.names[t]]) && (kind != Strong || b.kind[s] == b.kind[t])
		}
	}
	b.shrink(kind)
	for kind == DivergenceBranching && b.separateDivergence() {
		b.shrink(kind)
	}
	class := map[string]int{}
	for s, name := range b.names {
		class[name] = slices.Index(b.related[s], true)
	}
	return class
}

// bisimulation has a process's states by number, and what its definitions speak
// of. Actions are numbered too, tau is 0.
type bisimulation struct {
	names   []string
	kind    []lks.Kind
	stuck   []bool    // no steps and no kind
	step    [][][]int // by action and state: targets
	silent  [][]int   // by state: what it reaches by silent steps, itself included
	weak    [][][]int // by action and state: targets of a step with silent ones around it; for tau, silent
	related [][]bool
}

func newBisimulation(p *Process) *bisimulation {
	b := &bisimulation{names: slices.Sorted(maps.Keys(p.Kind))}
	number := map[string]int{}
	for s, name := range b.names {
		number[name] = s
		b.kind = append(b.kind, p.Kind[name])
		b.stuck = append(b.stuck, p.Kind[name] == lks.Normal && len(p.Edges[name]) == 0)
		b.related = append(b.related, make([]bool, len(b.names)))
	}
	for _, a := range append([]string{lks.TauName}, slices.Sorted(maps.Keys(p.Alphabet))...) {
		targets := make([][]int, len(b.names))
		for s, name := range b.names {
			for e := range p.Edges[name] {
				if e.Action == a {
					targets[s] = append(targets[s], number[e.To])
				}
			}
		}
		b.step = append(b.step, targets)
	}
	for s := range b.names {
		b.silent = append(b.silent, after([]int{s}, b.step[0]))
	}
	b.weak = append(b.weak, b.silent)
	for _, step := range b.step[1:] {
		targets := make([][]int, len(b.names))
		for s := range b.names {
			var direct []int
			for _, u := range b.silent[s] {
				direct = append(direct, step[u]...)
			}
			targets[s] = after(direct, b.step[0])
		}
		b.weak = append(b.weak, targets)
	}
	return b
}

// after returns what is reached from some states by any number of steps.
func after(from []int, step [][]int) []int {
	all := []int{}
	for todo := from; len(todo) > 0; todo = todo[1:] {
		if s := todo[0]; !slices.Contains(all, s) {
			all = append(all, s)
			todo = append(slices.Clone(todo), step[s]...)
		}
	}
	return all
}

// shrink removes pairs that break the transfer conditions.
func (b *bisimulation) shrink(kind Equivalence) {
	for changed := true; changed; {
		changed = false
		for s := range b.names {
			for t := range b.names {
				if b.related[s][t] && !(b.transfers(kind, s, t) && b.transfers(kind, t, s)) {
					b.related[s][t], b.related[t][s] = false, false
					changed = true
				}
			}
		}
	}
}

// transfers reports whether t can answer whatever s does.
func (b *bisimulation) transfers(kind Equivalence, s, t int) bool {
	some := func(states []int, good func(u int) bool) bool { return slices.ContainsFunc(states, good) }
	for a := range b.step {
		switch kind {
		case Strong: // s -a-> s' is answered by t -a-> t', s' and t' related
			for _, s2 := range b.step[a][s] {
				if !some(b.step[a][t], func(t2 int) bool { return b.related[s2][t2] }) {
					return false
				}
			}
		case Weak, WeakDeadlock: // s =a=> s' is answered by t =a=> t', s' and t' related
			for _, s2 := range b.weak[a][s] {
				if !some(b.weak[a][t], func(t2 int) bool { return b.related[s2][t2] }) {
					return false
				}
			}
		default: // s -a-> s' is answered by t => u -a-> t', s and u and what is between t and u related, s' and t' too; or a = tau, and s' and t are
			for _, s2 := range b.step[a][s] {
				if a == 0 && b.related[s2][t] {
					continue
				}
				if !some(b.through(s, t), func(u int) bool {
					return some(b.step[a][u], func(t2 int) bool { return b.related[s2][t2] })
				}) {
					return false
				}
			}
		}
	}
	if kind == Strong {
		return true
	}
	ends := b.silent[t]
	if kind == Branching || kind == DivergenceBranching {
		ends = b.through(s, t)
	}
	if b.kind[s] != lks.Normal && !some(ends, func(u int) bool { return b.kind[u] == b.kind[s] }) {
		return false
	}
	return kind != WeakDeadlock || !b.stuck[s] || some(b.silent[t], func(u int) bool { return b.stuck[u] })
}

// through returns the states that t, related to s, reaches by silent steps through
// states related to s.
func (b *bisimulation) through(s, t int) []int {
	inside := make([][]int, len(b.names))
	for u := range b.names {
		for _, v := range b.step[0][u] {
			if b.related[s][v] {
				inside[u] = append(inside[u], v)
			}
		}
	}
	return after([]int{t}, inside)
}

// separateDivergence removes the pairs of which one state has an infinite silent
// run through states related to it, and the other has not. It reports whether there
// were any.
func (b *bisimulation) separateDivergence() (found bool) {
	diverges := make([]bool, len(b.names))
	for s := range b.names {
		for _, u := range b.through(s, s) {
			for _, v := range b.step[0][u] {
				// A run is infinite in a finite process where it comes back.
				diverges[s] = diverges[s] || b.related[s][v] && slices.Contains(b.through(s, v), u)
			}
		}
	}
	for s := range b.names {
		for t := range b.names {
			if b.related[s][t] && diverges[s] != diverges[t] {
				b.related[s][t] = false
				found = true
			}
		}
	}
	return found
}

// tauClosure returns, for every state, the states that it reaches silently, itself
// included.
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

// union puts p and q side by side; initial states are those of both.
func union(p, q *Process) *Process {
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
	class := union(p, q).Partition(kind)
	classes := func(i int, r *Process) map[int]bool {
		set := map[int]bool{}
		for s := range r.Initial {
			set[class[fmt.Sprint(i, ":", s)]] = true
		}
		return set
	}
	return maps.Equal(classes(0, p), classes(1, q))
}
