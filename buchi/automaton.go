package buchi

import (
	"math/big"
	"math/bits"
	"slices"

	"github.com/seltl/seltl/internal/bdd"
	"github.com/seltl/seltl/internal/hoa"
	"github.com/seltl/seltl/ltl"
)

// Label is a Boolean function over the atoms of an automaton: the letters that
// an edge reads. It means something only together with its automaton.
type Label = bdd.Node

// Labels that read no letter and every letter.
const (
	NoLetter  = bdd.False
	AnyLetter = bdd.True
)

// Edge is a transition to state To that reads the letters of Label and belongs
// to the acceptance sets in Marks (bit i: set i).
type Edge struct {
	Label Label
	To    int32
	Marks uint64
}

// MaxSets is the largest number of acceptance sets.
const MaxSets = 64

// Automaton is a Büchi automaton with generalised, transition-based acceptance:
// it accepts the infinite words that have a run which passes infinitely often
// through edges of every acceptance set. Without sets, every infinite run
// accepts. The invariants, which Check tests:
//
//   - States are 0..NumStates()-1, there is at least one, one is initial.
//   - Edges of a state are sorted by target, then marks; no two have the same
//     target and marks; no label is false.
//   - Marks are below 1<<NumSets().
//   - Labels depend on the atoms only, and read only letters that the
//     constraints allow (Care).
//   - If StateBased, all edges of a state have the same marks: those of the state.
//
// A state need not have an edge for every letter, nor any edge at all.
//
// Methods that only look (Edges, Sat, Matcher, ...) may be called concurrently.
// Cubes, LabelString, the writers, and everything that makes new automata may
// make new diagram nodes and must not run concurrently on one automaton or on
// automata that were made from one another.
type Automaton struct {
	name       string
	atoms      []ltl.Atom
	man        *bdd.Manager
	care       Label
	out        [][]Edge
	initial    int32
	sets       int
	stateBased bool
}

// Name returns the text that says what the automaton is of: a formula, or the
// name in the HOA file. It may be empty.
func (a *Automaton) Name() string { return a.name }

// SetName changes the name.
func (a *Automaton) SetName(name string) { a.name = name }

// NumStates returns the number of states.
func (a *Automaton) NumStates() int { return len(a.out) }

// Initial returns the initial state.
func (a *Automaton) Initial() int32 { return a.initial }

// Edges returns the edges that leave a state; the slice must not be changed.
func (a *Automaton) Edges(state int32) []Edge { return a.out[state] }

// NumSets returns the number of acceptance sets.
func (a *Automaton) NumSets() int { return a.sets }

// AllMarks returns the marks of all acceptance sets.
func (a *Automaton) AllMarks() uint64 { return allMarks(a.sets) }

func allMarks(sets int) uint64 {
	if sets >= 64 {
		return ^uint64(0)
	}
	return 1<<sets - 1
}

// Atoms returns the atoms that labels are about, in the order in which their
// positions are numbered; the slice must not be changed.
func (a *Automaton) Atoms() []ltl.Atom { return a.atoms }

// StateBased reports whether all edges of each state have the same marks.
func (a *Automaton) StateBased() bool { return a.stateBased }

// StateMarks returns the marks of a state of a state-based automaton: those of
// its edges, none if it has no edge.
func (a *Automaton) StateMarks(state int32) uint64 {
	if es := a.out[state]; len(es) > 0 {
		return es[0].Marks
	}
	return 0
}

// Care returns the letters that the constraints of the translation allow;
// AnyLetter without constraints. What the automaton does with others is not
// specified (it has no edges for them).
func (a *Automaton) Care() Label { return a.care }

// Sat reports whether the label reads the letter in which exactly the atoms i
// with value(i) are true. It asks for each atom at most once, and only for atoms
// that the label depends on.
func (a *Automaton) Sat(l Label, value func(atom int) bool) bool { return a.man.Sat(l, value) }

// Cube is a conjunction of literals: the atoms (positions in Atoms) that must be
// true, and those that must be false, in increasing order.
type Cube struct {
	Pos, Neg []int
}

// Cubes returns an irredundant list of cubes whose disjunction agrees with the
// label on all letters of Care. Outside Care, the cubes are chosen to be few.
func (a *Automaton) Cubes(l Label) []Cube {
	var cubes []Cube
	for _, c := range a.isop(l) {
		var out Cube
		for _, lit := range c {
			if lit.Negated() {
				out.Neg = append(out.Neg, lit.Var())
			} else {
				out.Pos = append(out.Pos, lit.Var())
			}
		}
		cubes = append(cubes, out)
	}
	return cubes
}

func (a *Automaton) isop(l Label) []bdd.Cube {
	return a.man.ISOP(l, a.man.Or(l, a.man.Not(a.care)))
}

// Stats are the sizes of an automaton.
type Stats struct {
	States        int
	Edges         int
	Transitions   *big.Int // pairs of an edge and a letter over the atoms
	Sets          int
	Deterministic bool // at most one run over each word
	Complete      bool // at least one run over each word of allowed letters
}

// Stats counts.
func (a *Automaton) Stats() Stats {
	s := Stats{States: len(a.out), Transitions: new(big.Int), Sets: a.sets, Deterministic: a.Deterministic(), Complete: a.complete()}
	for _, es := range a.out {
		s.Edges += len(es)
		for _, e := range es {
			s.Transitions.Add(s.Transitions, a.man.Count(e.Label, len(a.atoms)))
		}
	}
	return s
}

// Deterministic reports whether no state has two edges for one letter.
func (a *Automaton) Deterministic() bool {
	for _, es := range a.out {
		read := NoLetter
		for _, e := range es {
			if !a.man.Disjoint(read, e.Label) {
				return false
			}
			read = a.man.Or(read, e.Label)
		}
	}
	return true
}

// complete reports whether every state has an edge for each letter of Care.
func (a *Automaton) complete() bool {
	for _, es := range a.out {
		if a.union(es) != a.care {
			return false
		}
	}
	return true
}

// union returns the letters that some edge reads.
func (a *Automaton) union(es []Edge) Label { return hoa.Letters(a.man, es) }

// mergeEdges sorts edges and joins those with the same target and marks. It
// works in place and returns the shortened slice.
func (a *Automaton) mergeEdges(es []Edge) []Edge { return hoa.Merge(a.man, es) }

// like returns an automaton over the same atoms, constraints and diagrams, with
// n states and no edges.
func (a *Automaton) like(n int) *Automaton {
	return &Automaton{name: a.name, atoms: a.atoms, man: a.man, care: a.care, out: make([][]Edge, n), sets: a.sets, stateBased: a.stateBased}
}

// WithSet returns the automaton itself, or, where it has no acceptance set because every
// infinite run accepts, one that says so by a set of all edges: its condition is a Büchi
// condition then.
func (a *Automaton) WithSet() *Automaton {
	if a.sets > 0 {
		return a
	}
	b := a.clone()
	b.sets, b.stateBased = 1, true
	for _, es := range b.out {
		for i := range es {
			es[i].Marks = 1
		}
	}
	return b
}

// same reports whether two automata over the same diagrams are alike, state by state.
func (a *Automaton) same(b *Automaton) bool {
	return a.initial == b.initial && a.sets == b.sets && a.stateBased == b.stateBased &&
		slices.EqualFunc(a.out, b.out, slices.Equal[[]Edge])
}

// clone returns a copy that shares only diagrams.
func (a *Automaton) clone() *Automaton {
	b := a.like(len(a.out))
	b.initial = a.initial
	for s, es := range a.out {
		b.out[s] = slices.Clone(es)
	}
	return b
}

func (a *Automaton) numEdges() int {
	n := 0
	for _, es := range a.out {
		n += len(es)
	}
	return n
}

// compact moves the automaton to a manager of its own that holds nothing else,
// so that what the translation left behind can be collected.
func (a *Automaton) compact() {
	man := bdd.New()
	memo := map[bdd.Node]bdd.Node{}
	a.care = a.man.Copy(man, a.care, nil, memo)
	for _, es := range a.out {
		for i := range es {
			es[i].Label = a.man.Copy(man, es[i].Label, nil, memo)
		}
	}
	a.man = man
}

// Matcher finds the edges that read a letter. It is compiled once from an
// automaton, does not change, and may be used concurrently.
type Matcher struct {
	first []int32 // of each state: its first edge in roots; one more at the end
	roots []int32 // of each edge: node number
	nodes []matchNode
}

type matchNode struct {
	atom      int32
	low, high int32
}

// Matcher compiles the labels.
func (a *Automaton) Matcher() *Matcher {
	m := &Matcher{nodes: make([]matchNode, 2)}
	number := map[Label]int32{NoLetter: 0, AnyLetter: 1}
	var add func(l Label) int32
	add = func(l Label) int32 {
		if n, ok := number[l]; ok {
			return n
		}
		node := matchNode{atom: int32(a.man.Level(l)), low: add(a.man.Low(l)), high: add(a.man.High(l))}
		n := int32(len(m.nodes))
		m.nodes = append(m.nodes, node)
		number[l] = n
		return n
	}
	for _, es := range a.out {
		m.first = append(m.first, int32(len(m.roots)))
		for _, e := range es {
			m.roots = append(m.roots, add(e.Label))
		}
	}
	m.first = append(m.first, int32(len(m.roots)))
	return m
}

// Match appends to out the positions (in Edges(state)) of the edges that read
// the letter, in order. Bit i%64 of letter[i/64] is the value of atom i.
func (m *Matcher) Match(state int32, letter []uint64, out []int32) []int32 {
	from := m.first[state]
	for i, n := range m.roots[from:m.first[state+1]] {
		for n > 1 {
			node := m.nodes[n]
			if letter[node.atom/64]>>(uint(node.atom)%64)&1 != 0 {
				n = node.high
			} else {
				n = node.low
			}
		}
		if n == 1 {
			out = append(out, int32(i))
		}
	}
	return out
}

func marksList(marks uint64) []int {
	list := make([]int, 0, bits.OnesCount64(marks))
	for ; marks != 0; marks &= marks - 1 {
		list = append(list, bits.TrailingZeros64(marks))
	}
	return list
}
