package buchi

import (
	"cmp"
	"encoding/binary"
	"math/bits"
	"slices"

	"github.com/seltl/seltl/internal/bdd"
	"github.com/seltl/seltl/internal/lists"
)

// Simulation reductions by signatures, after [Babiak13], section 4.
//
// The signature of a state says for each letter where the edges that read it
// lead, as a set of pairs of marks and a class of states; of these only the
// maximal ones count. A state simulates another iff for each letter each pair of
// the other has a pair with as many marks and a simulating class. Classes are
// refined from one class until nothing changes.
//
// The paper writes signatures as plain decision diagrams, with one variable for
// each set and class; sets of pairs are disjunctions there, which grow
// exponentially where an automaton is very non-deterministic (as all are, read
// backwards). Here the sets are the leaves of the diagrams.
//
// For reverse simulation the edges are turned round, and only the initial state
// simulates the initial state.

// Bounds of the effort. Where comparing each class with each would take longer,
// only states with equal signatures are joined (bisimulation); where even the
// signatures are too large, nothing is.
const (
	maxPairs          = 3_000_000  // number of classes times number of edges
	maxEdgePairs      = 40_000_000 // square of the number of edges, for refinePairs
	maxSignatureNodes = 20_000     // diagrams of the signatures of one round, and for each edge:
	nodesPerEdge      = 8
)

// preorder is the result: a class for each state and which class simulates which.
type preorder struct {
	class     []int32
	count     int
	simulates []uint64 // row c, bit d: class d simulates class c; nil if each only itself
	row       int      // words of a row
	pairs     int      // bits set
	member    []int32  // of each class: one state, the representative
}

// above reports whether class d simulates class c.
func (p *preorder) above(c, d int32) bool {
	if p.simulates == nil {
		return c == d
	}
	return p.simulates[int(c)*p.row+int(d/64)]>>(d%64)&1 != 0
}

// compare fills in the relation of an automaton with so many edges, which is part of an older
// one: above tells whether d simulates c, for c != d.
func (p *preorder) compare(edges int, old *preorder, above func(c, d int32) bool) {
	if p.count*edges > maxPairs {
		p.pairs = p.count
		return
	}
	p.row = (p.count + 63) / 64
	p.simulates = make([]uint64, p.count*p.row)
	parts := make([][]int32, old.count) // of each old class: what has become of it
	for c, s := range p.member {
		parts[old.class[s]] = append(parts[old.class[s]], int32(c))
	}
	for c, s := range p.member {
		for _, o := range old.allAbove(old.class[s]) {
			for _, d := range parts[o] {
				if int32(c) == d || above(int32(c), d) {
					p.simulates[c*p.row+int(d/64)] |= 1 << (d % 64)
					p.pairs++
				}
			}
		}
	}
}

// allAbove lists the classes that simulate a class.
func (p *preorder) allAbove(c int32) []int32 {
	if p.simulates == nil {
		return []int32{c}
	}
	var list []int32
	for i, word := range p.simulates[int(c)*p.row : int(c+1)*p.row] {
		for ; word != 0; word &= word - 1 {
			list = append(list, int32(64*i+bits.TrailingZeros64(word)))
		}
	}
	return list
}

// simulator computes the preorder of one automaton.
type simulator struct {
	a        *Automaton
	edges    [][]Edge // of each state; turned round for reverse simulation
	kind     []int32  // of each state; only states of one kind are compared
	numEdges int
	mutual   bool // only mutual simulation is asked for, and that is bisimulation

	// Of the round under way:
	p      *preorder
	leaves bdd.Leaves
	sets   [][]pair         // meaning of the leaves, by variable less leaves.First
	number map[string]int32 // of a set, by its bytes
	key    []byte
}

// pair is the end of an edge: a class of states and the marks on the way.
type pair struct {
	class int32
	marks uint64
}

// directSimulation returns the greatest direct simulation of a. Of a deterministic automaton it
// tells only which states simulate each other: as no letter leads to several states, no edge
// can be above another one.
func directSimulation(a *Automaton) *preorder {
	s := &simulator{a: a, edges: a.out, kind: make([]int32, len(a.out)), mutual: a.Deterministic()}
	if s.mutual {
		if class := moore(a, a.splitter(), s.kind); class != nil {
			return equalities(class)
		}
	}
	return s.run()
}

// equalities is the relation in which states of one class simulate each other, and no others.
func equalities(class []int32) *preorder {
	p := &preorder{class: class}
	for s, c := range class {
		if int(c) == p.count {
			p.count++
			p.member = append(p.member, int32(s))
		}
	}
	p.pairs = p.count
	return p
}

// DirectSimulation returns whether state t simulates s directly: whether, for each letter, it
// has for each edge of s one with as many marks, to a state that simulates its target. Where
// the automaton is very large or deterministic, only states that simulate each other count.
func (a *Automaton) DirectSimulation() (simulates func(s, t int32) bool) {
	p := directSimulation(a)
	return func(s, t int32) bool { return p.above(p.class[s], p.class[t]) }
}

// reverseSimulation returns the greatest reverse simulation of a; for a
// state-based automaton, states with different marks are not compared.
func reverseSimulation(a *Automaton) *preorder {
	s := &simulator{a: a, edges: make([][]Edge, len(a.out)), kind: make([]int32, len(a.out))}
	for p, es := range a.out {
		for _, e := range es {
			s.edges[e.To] = append(s.edges[e.To], Edge{e.Label, int32(p), e.Marks})
		}
	}
	numbers := map[uint64]int32{}
	for t := range a.out {
		if !a.stateBased {
			break
		}
		marks := a.StateMarks(int32(t))
		if _, ok := numbers[marks]; !ok {
			numbers[marks] = int32(len(numbers))
		}
		s.kind[t] = numbers[marks]
	}
	// A class that nothing leads to stands for what came before the first letter.
	s.edges = append(s.edges, nil)
	s.kind = append(s.kind, -1)
	s.edges[a.initial] = append(s.edges[a.initial], Edge{a.care, int32(len(a.out)), 0})
	return s.run()
}

func (s *simulator) run() *preorder {
	n := len(s.edges)
	s.numEdges = s.a.numEdges()
	s.leaves = bdd.Leaves{First: len(s.a.atoms), Join: s.join, Below: s.below}
	p := &preorder{class: make([]int32, n), count: 1, pairs: 1, member: []int32{0}}
	for {
		q := s.refine(p)
		if q.count == p.count && q.pairs == p.pairs || q.count == n && q.pairs == n {
			return q // nothing changed, or nothing can change any more
		}
		p = q
	}
}

// refine computes the classes of equal signatures and their order. The relation
// only shrinks, so equal sizes mean equal relations.
func (s *simulator) refine(p *preorder) (q *preorder) {
	s.a.man.Scope(func() { q = s.refineSignatures(p) })
	if q == nil && s.numEdges*s.numEdges > maxEdgePairs {
		return p.finest()
	}
	if q == nil {
		return s.refinePairs(p)
	}
	return q
}

// refineSignatures is refine; nil if the signatures are too large.
func (s *simulator) refineSignatures(p *preorder) *preorder {
	s.p, s.number, s.sets = p, map[string]int32{}, s.sets[:0]
	type signature struct {
		kind int32
		node bdd.Node
	}
	q := &preorder{class: make([]int32, len(p.class))}
	var signatures []signature
	number := map[signature]int32{}
	tooMany := s.a.man.Size() + maxSignatureNodes + nodesPerEdge*s.numEdges
	for state := range s.edges {
		sig := signature{s.kind[state], s.signature(int32(state), tooMany)}
		if s.a.man.Size() > tooMany {
			return nil
		}
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
	if s.mutual {
		q.pairs = q.count
		return q
	}
	q.compare(s.numEdges, p, func(c, d int32) bool {
		sc, sd := signatures[c], signatures[d]
		return sc.kind == sd.kind && s.a.man.Below(&s.leaves, sc.node, sd.node)
	})
	return q
}

// finest is the relation in which each state is a class of its own.
func (p *preorder) finest() *preorder {
	n := len(p.class)
	q := &preorder{class: make([]int32, n), count: n, pairs: n, member: make([]int32, n)}
	for s := range n {
		q.class[s], q.member[s] = int32(s), int32(s)
	}
	return q
}

// refinePairs is refine without signatures: it looks at each edge of one state
// and the edges of the other that are above it.
func (s *simulator) refinePairs(p *preorder) *preorder {
	n := len(s.edges)
	above := make([][]bool, n)
	for x := range n {
		above[x] = make([]bool, n)
		for y := range n {
			above[x][y] = s.kind[x] == s.kind[y] && p.above(p.class[x], p.class[y]) &&
				(x == y || s.simulatedBy(s.edges[x], s.edges[y]))
		}
	}
	q := &preorder{class: make([]int32, n)}
	for x := range n {
		q.class[x] = -1
		for c, y := range q.member {
			if above[x][y] && above[y][x] {
				q.class[x] = int32(c)
				break
			}
		}
		if q.class[x] < 0 {
			q.class[x] = int32(q.count)
			q.count++
			q.member = append(q.member, int32(x))
		}
	}
	q.compare(s.numEdges, p, func(c, d int32) bool { return above[q.member[c]][q.member[d]] })
	return q
}

// simulatedBy reports whether for each letter each of the first edges has one of
// the others above it.
func (s *simulator) simulatedBy(es, fs []Edge) bool {
	m := s.a.man
	for _, e := range es {
		covered := bdd.False
		for _, f := range fs {
			if e.Marks&^f.Marks == 0 && s.p.above(s.p.class[e.To], s.p.class[f.To]) {
				covered = m.Or(covered, f.Label)
			}
		}
		if !m.Implies(e.Label, covered) {
			return false
		}
	}
	return true
}

// signature returns the signature of a state, or anything once the manager has
// more than so many nodes.
func (s *simulator) signature(state int32, tooMany int) bdd.Node {
	m := s.a.man
	sig := bdd.False
	for _, e := range s.edges[state] {
		if m.Size() > tooMany {
			break
		}
		leaf := s.leaf([]pair{{s.p.class[e.To], e.Marks}})
		sig = m.Join(&s.leaves, sig, m.And(e.Label, leaf))
	}
	return sig
}

// leaf returns the diagram of a sorted set of pairs.
func (s *simulator) leaf(set []pair) bdd.Node {
	s.key = s.key[:0]
	for _, x := range set {
		s.key = binary.LittleEndian.AppendUint32(s.key, uint32(x.class))
		s.key = binary.LittleEndian.AppendUint64(s.key, x.marks)
	}
	n, ok := s.number[string(s.key)]
	if !ok {
		n = int32(len(s.sets))
		s.number[string(s.key)] = n
		s.sets = append(s.sets, set)
	}
	return s.a.man.Var(s.leaves.First + int(n))
}

func (s *simulator) set(leaf bdd.Node) []pair { return s.sets[s.a.man.Level(leaf)-s.leaves.First] }

// covered reports whether some pair of the set is above x.
func (s *simulator) covered(x pair, set []pair) bool {
	for _, y := range set {
		if x.marks&^y.marks == 0 && (x.class == y.class || s.p.above(x.class, y.class)) {
			return true
		}
	}
	return false
}

func (s *simulator) below(f, g bdd.Node) bool {
	set := s.set(g)
	for _, x := range s.set(f) {
		if !s.covered(x, set) {
			return false
		}
	}
	return true
}

// join is the union of two sets of which no pair is below another one, without
// the pairs that are below another one then.
func (s *simulator) join(f, g bdd.Node) bdd.Node {
	left, right := s.set(f), s.set(g)
	set := make([]pair, 0, len(left)+len(right))
	for _, x := range left {
		if !s.covered(x, right) {
			set = append(set, x)
		}
	}
	for _, y := range right {
		if !s.strictlyCovered(y, left) {
			set = append(set, y)
		}
	}
	slices.SortFunc(set, func(x, y pair) int {
		if c := cmp.Compare(x.class, y.class); c != 0 {
			return c
		}
		return cmp.Compare(x.marks, y.marks)
	})
	return s.leaf(set)
}

// strictlyCovered reports whether some other pair of the set is above y. Two
// different pairs are never above each other, since classes are.
func (s *simulator) strictlyCovered(y pair, set []pair) bool {
	for _, x := range set {
		if x != y && y.marks&^x.marks == 0 && (x.class == y.class || s.p.above(y.class, x.class)) {
			return true
		}
	}
	return false
}

// reduceDirect is the quotient of a by direct simulation: one state for each
// class, without edges that another edge of the state makes superfluous.
func reduceDirect(a *Automaton) *Automaton {
	p := directSimulation(a)
	b := a.like(p.count)
	b.initial = p.class[a.initial]
	for c, s := range p.member {
		es := lists.Map(a.out[s], func(e Edge) Edge { return Edge{e.Label, p.class[e.To], e.Marks} })
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
	count := p.count - 1        // the last class is what came before the first letter
	in := make([][]Edge, count) // edges into each class, To is the source
	for src, es := range a.out {
		for _, e := range es {
			if c := p.class[e.To]; p.member[c] == e.To {
				in[c] = append(in[c], Edge{e.Label, p.class[src], e.Marks})
			}
		}
	}
	b := a.like(count)
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

// reduceBackward joins states that are reached alike. In a deterministic automaton whose
// states can all be reached there are none, since every prefix leads to one state only.
func reduceBackward(a *Automaton) *Automaton {
	if a.Deterministic() {
		return a
	}
	return reduceReverse(mergeTransientBackward(a))
}

// reduceSimulation applies both reductions until the second changes nothing. Each leaves fewer
// states, or as many and fewer edges, or as many and fewer letters on them.
func reduceSimulation(a *Automaton) *Automaton { return reduceOn(reduceDirect(a)) }

// reduceOn is reduceSimulation for what reduceDirect has returned.
func reduceOn(a *Automaton) *Automaton {
	for {
		b := reduceBackward(mergeTransient(a))
		if b.same(a) {
			return a
		}
		a = reduceDirect(b)
	}
}
