package buchi

import (
	"slices"

	"github.com/seltl/seltl/internal/bdd"
)

// Simulation reductions by signatures, after Babiak, Badie, Duret-Lutz,
// Křetínský, Strejček, "Compositional approach to suspension and other
// improvements to LTL translation" (SPIN 2013), section 4.
//
// The signature of a state is a function over the atoms, one variable for each
// acceptance set and one for each class of states: the disjunction over its edges
// of label & (variables of the sets that the edge is not in) & (variables of the
// classes that simulate the target). More marks and a stronger target make this
// conjunction weaker, so one state simulates another iff its signature is implied
// by the other's. Classes are refined from one class until nothing changes.
//
// For reverse simulation the edges are turned round, and only the initial state
// simulates the initial state.

// maxPairs bounds the number of classes for which each is compared with each;
// with more, only states with equal signatures are joined (bisimulation).
const maxPairs = 600

// preorder is the result: a class for each state and which class simulates which.
type preorder struct {
	class     []int32
	count     int
	simulates [][]int32 // of each class: the classes that simulate it, itself included, sorted
	member    []int32   // of each class: one state, the representative
}

// above reports whether class d simulates class c.
func (p *preorder) above(c, d int32) bool {
	_, found := slices.BinarySearch(p.simulates[c], d)
	return found
}

// simulator computes the preorder of one automaton.
type simulator struct {
	a       *Automaton
	reverse bool
	pred    [][]Edge // edges turned round, for reverse
	extra   []bdd.Node
	pairs   bool
}

// directSimulation returns the greatest direct simulation of a.
func directSimulation(a *Automaton) *preorder {
	s := &simulator{a: a, pred: a.out}
	return s.run()
}

// reverseSimulation returns the greatest reverse simulation of a; for a
// state-based automaton, states with different marks are not compared.
func reverseSimulation(a *Automaton) *preorder {
	s := &simulator{a: a, reverse: true, pred: make([][]Edge, len(a.out))}
	for p, es := range a.out {
		for _, e := range es {
			s.pred[e.To] = append(s.pred[e.To], Edge{e.Label, int32(p), e.Marks})
		}
	}
	return s.run()
}

func (s *simulator) run() *preorder {
	n := len(s.a.out)
	p := &preorder{class: make([]int32, n), count: 1, simulates: [][]int32{{0}}, member: []int32{0}}
	for {
		q := s.refine(p)
		if q.count == p.count && samePairs(p, q) {
			return q
		}
		p = q
	}
}

func samePairs(p, q *preorder) bool {
	n, m := 0, 0
	for i := range p.simulates {
		n += len(p.simulates[i])
	}
	for i := range q.simulates {
		m += len(q.simulates[i])
	}
	return n == m
}

// refine computes the classes of equal signatures and their order. The relation
// only shrinks, so equal sizes mean equal relations.
func (s *simulator) refine(p *preorder) *preorder {
	m := s.a.man
	base := len(s.a.atoms) + s.a.sets
	// The conjunction of the variables of the classes that simulate each class.
	target := make([]bdd.Node, p.count)
	for c, above := range p.simulates {
		cube := make(bdd.Cube, len(above))
		for i, d := range above {
			cube[i] = bdd.Lit(base+int(d), false)
		}
		target[c] = m.CubeNode(cube)
	}
	q := &preorder{class: make([]int32, len(p.class))}
	var signatures []bdd.Node
	number := map[bdd.Node]int32{}
	for state := range s.a.out {
		sig := s.signature(int32(state), p, target, base+p.count)
		c, ok := number[sig]
		if !ok {
			c = int32(len(signatures))
			number[sig] = c
			signatures = append(signatures, sig)
			q.member = append(q.member, int32(state))
		}
		q.class[state] = c
	}
	q.count = len(signatures)
	q.simulates = make([][]int32, q.count)
	for c, sc := range signatures {
		if q.count > maxPairs {
			q.simulates[c] = []int32{int32(c)}
			continue
		}
		for d, sd := range signatures {
			if m.Implies(sc, sd) {
				q.simulates[c] = append(q.simulates[c], int32(d))
			}
		}
	}
	return q
}

func (s *simulator) signature(state int32, p *preorder, target []bdd.Node, free int) bdd.Node {
	m := s.a.man
	sig := bdd.False
	all := s.a.AllMarks()
	for _, e := range s.pred[state] {
		term := m.And(s.marksCube(all&^e.Marks), target[p.class[e.To]])
		sig = m.Or(sig, m.And(e.Label, term))
	}
	if !s.reverse {
		return sig
	}
	if state == s.a.initial {
		sig = m.Or(sig, m.Var(free))
	}
	if s.a.stateBased {
		// One more variable for each combination of marks keeps them apart.
		marks := s.a.StateMarks(state)
		cube := make(bdd.Cube, s.a.sets)
		for i := range cube {
			cube[i] = bdd.Lit(free+1+i, marks>>i&1 == 0)
		}
		sig = m.And(m.Or(sig, m.Var(free+1+s.a.sets)), m.CubeNode(cube))
	}
	return sig
}

func (s *simulator) marksCube(marks uint64) bdd.Node {
	list := marksList(marks)
	cube := make(bdd.Cube, len(list))
	for i, k := range list {
		cube[i] = bdd.Lit(len(s.a.atoms)+k, false)
	}
	return s.a.man.CubeNode(cube)
}

// reduceDirect is the quotient of a by direct simulation: one state for each
// class, without edges that another edge of the state makes superfluous.
func reduceDirect(a *Automaton) *Automaton {
	p := directSimulation(a)
	b := a.like(p.count)
	b.initial = p.class[a.initial]
	for c, s := range p.member {
		es := make([]Edge, len(a.out[s]))
		for i, e := range a.out[s] {
			es[i] = Edge{e.Label, p.class[e.To], e.Marks}
		}
		b.out[c] = b.pruneDominated(b.mergeEdges(es), p)
	}
	return trim(b)
}

// pruneDominated takes away from each edge the letters for which another edge
// of the slice has at least its marks and a simulating target. Each letter keeps
// its maximal edges, so the simulation still holds afterwards.
func (a *Automaton) pruneDominated(es []Edge, p *preorder) []Edge {
	original := slices.Clone(es)
	for i := range es {
		for j, f := range original {
			e := original[i]
			if i != j && e.Marks&^f.Marks == 0 && p.above(e.To, f.To) {
				es[i].Label = a.man.Diff(es[i].Label, f.Label)
			}
		}
	}
	return slices.DeleteFunc(es, func(e Edge) bool { return e.Label == NoLetter })
}

// reduceReverse is the quotient of a by reverse simulation.
func reduceReverse(a *Automaton) *Automaton {
	p := reverseSimulation(a)
	in := make([][]Edge, p.count) // edges into each class, To is the source
	for src, es := range a.out {
		for _, e := range es {
			if c := p.class[e.To]; p.member[c] == e.To {
				in[c] = append(in[c], Edge{e.Label, p.class[src], e.Marks})
			}
		}
	}
	b := a.like(p.count)
	b.initial = p.class[a.initial]
	for c, es := range in {
		for _, e := range b.pruneDominated(b.mergeEdges(es), p) {
			b.out[e.To] = append(b.out[e.To], Edge{e.Label, int32(c), e.Marks})
		}
	}
	for s := range b.out {
		b.out[s] = b.mergeEdges(b.out[s])
	}
	return trim(b)
}

// reduceSimulation applies both reductions until neither helps.
func reduceSimulation(a *Automaton) *Automaton {
	a = reduceDirect(a)
	for {
		states, edges := len(a.out), a.numEdges()
		a = reduceReverse(mergeTransient(a))
		if len(a.out) == states && a.numEdges() == edges {
			return a
		}
		states, edges = len(a.out), a.numEdges()
		a = reduceDirect(a)
		if len(a.out) == states && a.numEdges() == edges {
			return a
		}
	}
}

// mergeTransient redirects edges into states that are on no cycle to a state with
// the same edges up to marks: the marks of a transient state mean nothing, so both
// accept the same language, and no cycle can arise (a cycle through the new target
// would be one through the old).
func mergeTransient(a *Automaton) *Automaton {
	m := a.man
	for {
		c := findComponents(a)
		redirect := make([]int32, len(a.out))
		first := map[bdd.Node]int32{}
		changed := false
		signatures := make([]bdd.Node, len(a.out))
		for s, es := range a.out {
			sig := bdd.False
			for _, e := range es {
				sig = m.Or(sig, m.And(e.Label, m.Var(len(a.atoms)+int(e.To))))
			}
			signatures[s] = sig
			if old, ok := first[sig]; !ok || !c.cyclic[c.of[old]] && c.cyclic[c.of[s]] {
				first[sig] = int32(s)
			}
		}
		for s := range a.out {
			redirect[s] = int32(s)
			if t := first[signatures[s]]; int(t) != s && !c.cyclic[c.of[s]] {
				redirect[s] = t
				changed = true
			}
		}
		if !changed {
			return a
		}
		b := a.like(len(a.out))
		b.initial = redirect[a.initial]
		for s, es := range a.out {
			b.out[s] = slices.Clone(es)
			for i := range b.out[s] {
				b.out[s][i].To = redirect[b.out[s][i].To]
			}
			b.out[s] = b.mergeEdges(b.out[s])
		}
		a = trim(b)
	}
}
