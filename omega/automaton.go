package omega

import (
	"fmt"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/bdd"
	"github.com/seltl/seltl/internal/hoa"
	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/ltl"
)

// Label is a Boolean function over the atoms of an automaton: the letters that an edge
// reads. It means something only together with its automaton.
type Label = bdd.Node

// Labels that read no letter and every letter.
const (
	NoLetter  = bdd.False
	AnyLetter = bdd.True
)

// MaxSets is the largest number of acceptance sets.
const MaxSets = 64

// Edge leads to state To on the letters of Label; bit i of Marks says that it is in
// acceptance set i.
type Edge struct {
	Label Label
	To    int32
	Marks uint64
}

// Automaton accepts the infinite words that have a run whose marks satisfy the
// condition. The invariants:
//
//   - States are 0..NumStates()-1, there is at least one, one is initial.
//   - Edges of a state are sorted by target, then marks; no two have both the same; no
//     label is false, and labels depend on the atoms only.
//   - Marks, and the sets of the condition, are below NumSets(), which is at most MaxSets.
//
// A state need not have an edge for every letter, nor any edge at all.
type Automaton struct {
	name      string
	atoms     []ltl.Atom
	man       *bdd.Manager
	out       [][]Edge
	initial   int32
	sets      int
	condition *Condition
	meter     *budget.Meter // see Bound; may be nil
}

// Name returns what the automaton is called; it may be empty.
func (a *Automaton) Name() string { return a.name }

// SetName changes the name.
func (a *Automaton) SetName(name string) { a.name = name }

// NumStates returns the number of states.
func (a *Automaton) NumStates() int { return len(a.out) }

// NumEdges returns the number of edges.
func (a *Automaton) NumEdges() int {
	n := 0
	for _, es := range a.out {
		n += len(es)
	}
	return n
}

// Initial returns the initial state.
func (a *Automaton) Initial() int32 { return a.initial }

// Edges returns the edges that leave a state; the slice must not be changed.
func (a *Automaton) Edges(state int32) []Edge { return a.out[state] }

// NumSets returns the number of acceptance sets.
func (a *Automaton) NumSets() int { return a.sets }

// Condition returns the acceptance condition.
func (a *Automaton) Condition() *Condition { return a.condition }

// Atoms returns the atoms that labels are about; the slice must not be changed.
func (a *Automaton) Atoms() []ltl.Atom { return a.atoms }

// Sat reports whether the label reads the letter in which exactly the atoms i with
// value(i) are true.
func (a *Automaton) Sat(l Label, value func(atom int) bool) bool { return a.man.Sat(l, value) }

// StateBased reports whether all edges of each state have the same marks.
func (a *Automaton) StateBased() bool {
	for _, es := range a.out {
		for _, e := range es {
			if e.Marks != es[0].Marks {
				return false
			}
		}
	}
	return true
}

// Deterministic reports whether no state has two edges for one letter.
func (a *Automaton) Deterministic() bool { return a.choices() == 0 }

// choices counts the states that have two edges for one letter.
func (a *Automaton) choices() int {
	n := 0
	for _, es := range a.out {
		read := NoLetter
		for _, e := range es {
			if !a.man.Disjoint(read, e.Label) {
				n++
				break
			}
			read = a.man.Or(read, e.Label)
		}
	}
	return n
}

// Complete reports whether every state has an edge for every letter.
func (a *Automaton) Complete() bool {
	for _, es := range a.out {
		if a.union(es) != AnyLetter {
			return false
		}
	}
	return true
}

// union returns the letters that some edge reads.
func (a *Automaton) union(es []Edge) Label { return hoa.Letters(a.man, es) }

// merge sorts edges and joins those with the same target and marks, in place.
func (a *Automaton) merge(es []Edge) []Edge { return hoa.Merge(a.man, es) }

// like returns an automaton over the same atoms and diagrams with n states, no edges and
// another condition.
func (a *Automaton) like(n, sets int, c *Condition) *Automaton {
	return &Automaton{name: a.name, atoms: a.atoms, man: a.man, out: make([][]Edge, n), sets: sets, condition: c, meter: a.meter}
}

// mapEdges returns a with other marks and another condition.
func (a *Automaton) mapEdges(sets int, c *Condition, marks func(s int32, e Edge) uint64) *Automaton {
	b := a.like(len(a.out), sets, c)
	b.initial = a.initial
	for s, es := range a.out {
		own := lists.Map(es, func(e Edge) Edge { return Edge{e.Label, e.To, marks(int32(s), e)} })
		b.out[s] = b.merge(own)
	}
	return b
}

// Check returns an error that names the first broken invariant, or nil.
func (a *Automaton) Check() error {
	if len(a.out) == 0 || a.initial < 0 || int(a.initial) >= len(a.out) {
		return fmt.Errorf("omega: initial state %d of %d", a.initial, len(a.out))
	}
	all := allMarks(a.sets)
	if a.sets < 0 || a.sets > MaxSets || a.condition.Sets()&^all != 0 {
		return fmt.Errorf("omega: condition %v of %d sets", a.condition, a.sets)
	}
	for s, es := range a.out {
		for i, e := range es {
			switch {
			case e.To < 0 || int(e.To) >= len(a.out):
				return fmt.Errorf("omega: edge %d -> %d leaves the automaton", s, e.To)
			case e.Label == NoLetter:
				return fmt.Errorf("omega: edge %d -> %d reads no letter", s, e.To)
			case e.Marks&^all != 0:
				return fmt.Errorf("omega: edge %d -> %d has marks %b of %d sets", s, e.To, e.Marks, a.sets)
			case i > 0 && (e.To < es[i-1].To || e.To == es[i-1].To && e.Marks <= es[i-1].Marks):
				return fmt.Errorf("omega: edges %d and %d of state %d are not in order", i-1, i, s)
			}
			for _, v := range a.man.Support(e.Label) {
				if v >= len(a.atoms) {
					return fmt.Errorf("omega: edge %d -> %d reads variable %d of %d", s, e.To, v, len(a.atoms))
				}
			}
		}
	}
	return nil
}

func allMarks(sets int) uint64 {
	if sets >= 64 {
		return ^uint64(0)
	}
	return 1<<sets - 1
}

// errTooManySets is a limit like others, so that callers answer "unknown".
var errTooManySets = &budget.Exhausted{What: "acceptance sets", Limit: fmt.Sprint(MaxSets)}

// tick asks a meter, which may be nil.
func tick(m *budget.Meter, phase string, states int) error {
	if m == nil {
		return nil
	}
	return m.Tick(budget.Progress{Phase: phase, States: int64(states)})
}
