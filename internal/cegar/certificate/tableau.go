package certificate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seltl/seltl/ltl"
)

// tableau is an automaton of a formula, of the plainest kind: its states are sets of formulas
// that hold from now on, and an edge is a way to make them true: what holds now, what has to
// hold from the next position on, and which promises (U, M and F) are put off once more. A run
// is accepting if no promise is put off for ever.
type tableau struct {
	promises []*ltl.Formula
	states   [][]*ltl.Formula
	number   map[string]int32
	names    map[*ltl.Formula]int
	edges    map[int32][]tableauEdge // by state, when asked for
	tooLarge bool
}

type tableauEdge struct {
	now  []*ltl.Formula // atoms and negated ones
	next int32
	off  []int32 // promises that are put off
}

// maxTableau bounds the states of a tableau, and the edges that leave one.
var maxTableau = 1 << 14

// newTableau makes the tableau of a formula; state 0 is its beginning.
func newTableau(f *ltl.Formula) *tableau {
	f, _ = ltl.Foretold(f, true) // what was is guessed, in atoms that no letter knows
	t := &tableau{number: map[string]int32{}, names: map[*ltl.Formula]int{}, edges: map[int32][]tableauEdge{}}
	for _, g := range ltl.Subformulas(f) {
		if op := g.Op(); op == ltl.Until || op == ltl.Eventually || op == ltl.StrongRelease {
			t.promises = append(t.promises, g)
		}
	}
	t.enter([]*ltl.Formula{f})
	return t
}

// enter numbers a set of formulas.
func (t *tableau) enter(set []*ltl.Formula) int32 {
	for _, f := range set {
		if _, known := t.names[f]; !known {
			t.names[f] = len(t.names)
		}
	}
	set = slices.Clone(set)
	slices.SortFunc(set, func(f, g *ltl.Formula) int { return t.names[f] - t.names[g] })
	set = slices.Compact(set)
	var key strings.Builder
	for _, f := range set {
		fmt.Fprint(&key, t.names[f], " ")
	}
	n, known := t.number[key.String()]
	if !known {
		n = int32(len(t.states))
		t.number[key.String()] = n
		t.states = append(t.states, set)
	}
	return n
}

// out returns the edges that leave a state.
func (t *tableau) out(state int32) []tableauEdge {
	edges, known := t.edges[state]
	if !known && !t.tooLarge {
		t.expand(t.states[state], nil, nil, nil, &edges)
		t.tooLarge = t.tooLarge || len(t.states) > maxTableau
		t.edges[state] = edges
	}
	return edges
}

// expand adds the ways to make formulas true, beside what is to be true already.
func (t *tableau) expand(todo, now, next []*ltl.Formula, off []int32, edges *[]tableauEdge) {
	if len(*edges) > maxTableau {
		t.tooLarge = true
		return
	}
	if len(todo) == 0 {
		*edges = append(*edges, tableauEdge{slices.Clone(now), t.enter(next), slices.Compact(slices.Sorted(slices.Values(off)))})
		return
	}
	f, todo := todo[0], todo[1:]
	also := func(more ...*ltl.Formula) []*ltl.Formula { return slices.Concat(more, todo) }
	later := func(more ...*ltl.Formula) []*ltl.Formula { return slices.Concat(next, more) }
	switch f.Op() {
	case ltl.True:
		t.expand(todo, now, next, off, edges)
	case ltl.False:
	case ltl.Atomic, ltl.Not:
		if !slices.Contains(now, ltl.MakeNot(f)) {
			t.expand(todo, slices.Concat(now, []*ltl.Formula{f}), next, off, edges)
		}
	case ltl.And:
		t.expand(also(f.Args()...), now, next, off, edges)
	case ltl.Or:
		for _, g := range f.Args() {
			t.expand(also(g), now, next, off, edges)
		}
	case ltl.Next:
		t.expand(todo, now, later(f.Left()), off, edges)
	case ltl.Eventually:
		t.expand(also(f.Left()), now, next, off, edges)
		t.expand(todo, now, later(f), t.put(off, f), edges)
	case ltl.Always:
		t.expand(also(f.Left()), now, later(f), off, edges)
	case ltl.Until:
		t.expand(also(f.Right()), now, next, off, edges)
		t.expand(also(f.Left()), now, later(f), t.put(off, f), edges)
	case ltl.WeakUntil:
		t.expand(also(f.Right()), now, next, off, edges)
		t.expand(also(f.Left()), now, later(f), off, edges)
	case ltl.Release:
		t.expand(also(f.Left(), f.Right()), now, next, off, edges)
		t.expand(also(f.Right()), now, later(f), off, edges)
	case ltl.StrongRelease:
		t.expand(also(f.Left(), f.Right()), now, next, off, edges)
		t.expand(also(f.Right()), now, later(f), t.put(off, f), edges)
	default:
		t.tooLarge = true // a regular expression, or no negation normal form
	}
}

// put returns promises with one more.
func (t *tableau) put(off []int32, f *ltl.Formula) []int32 {
	return slices.Concat(off, []int32{int32(slices.Index(t.promises, f))})
}

// letter is what a position of a run is: what holds in the state, and the action that leaves
// it, "" for silent steps.
type letter struct {
	holds  func(ltl.Atom) bool // of states
	action string
	moves  bool // false where a run has ended: no event is true
}

// reads reports whether what an edge asks for is true.
func (e *tableauEdge) reads(l *letter) bool {
	for _, f := range e.now {
		wanted := f.Op() != ltl.Not
		if !wanted {
			f = f.Left()
		}
		a := f.Atom()
		if a.Kind == ltl.Hidden {
			continue
		}
		got := false
		if a.Kind == ltl.Event {
			got = l.moves && a.Name == l.action
		} else {
			got = l.holds(a)
		}
		if got != wanted {
			return false
		}
	}
	return true
}
