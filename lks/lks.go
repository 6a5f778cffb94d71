// Package lks holds labeled Kripke structures (LKSs) and networks of them that
// synchronise on shared actions.
//
// An LKS ([Chaki05], Def. 1) has states, initial states, atomic
// propositions, a set of propositions for each state, an alphabet of actions,
// and labelled transitions. The alphabet belongs to the LKS and is not derived
// from its transitions: an action in the alphabet without a transition blocks
// every partner that wants to synchronise on it.
//
// A Network (see there) composes LKSs in parallel (Def. 5) on the fly; its Explorers
// compute successors, package lks/explore searches with them. Package lks knows nothing
// of formulas.
package lks

import (
	"fmt"
	"slices"
)

// TauName is the name of the silent action, TauID its number in every alphabet.
const (
	TauName       = "tau"
	TauID   int32 = 0
)

// Kind distinguishes the two special states that FSP has.
type Kind uint8

const (
	Normal Kind = iota
	// End is successful termination: it has no transitions and, in a network,
	// takes part in the termination of the whole (see Network).
	End
	// Error is the state that a violated safety property leads to: it has no
	// transitions, and a network with one component in it is in its own error
	// state.
	Error
)

func (k Kind) String() string {
	return [...]string{"normal", "end", "error"}[k]
}

// Edge is a transition to Target by Action (an index into the alphabet).
type Edge struct {
	Action, Target int32
}

// LKS is an immutable labeled Kripke structure, safe for concurrent use. Make
// one with a Builder.
type LKS struct {
	name     string
	alphabet []string // [0] is TauName, the rest sorted
	props    []string // sorted
	initial  []int32  // sorted, not empty
	first    []int32  // edges of state s: edges[first[s]:first[s+1]]
	edges    []Edge   // per state sorted by (Action, Target), without duplicates
	labelOf  []int32  // index into labels; nil if the LKS has no propositions
	labels   [][]int32
	kinds    []Kind // nil if all states are Normal
	describe func(s int32) string
	tip      func(s int32) string // what pictures say beside it, or nil
}

// Name returns the name of the component, for people; it may be "".
func (m *LKS) Name() string { return m.name }

// NumStates returns the number of states, which are 0 to NumStates()-1.
func (m *LKS) NumStates() int { return len(m.first) - 1 }

// NumTransitions returns the number of transitions.
func (m *LKS) NumTransitions() int { return len(m.edges) }

// Alphabet returns the names of the actions by number: TauName at TauID (whether
// or not there are silent transitions), then the alphabet, sorted. The slice
// must not be changed.
func (m *LKS) Alphabet() []string { return m.alphabet }

// Action returns the number of the named action, or -1.
func (m *LKS) Action(name string) int32 {
	if name == TauName {
		return TauID
	}
	if i, ok := slices.BinarySearch(m.alphabet[1:], name); ok {
		return int32(i) + 1
	}
	return -1
}

// Props returns the atomic propositions, sorted. The slice must not be changed.
func (m *LKS) Props() []string { return m.props }

// Prop returns the index of the named proposition in Props, or -1.
func (m *LKS) Prop(name string) int32 {
	if i, ok := slices.BinarySearch(m.props, name); ok {
		return int32(i)
	}
	return -1
}

// Initial returns the initial states, sorted, at least one. The slice must not
// be changed.
func (m *LKS) Initial() []int32 { return m.initial }

// Edges returns the transitions that leave s, sorted by action and target. The
// slice must not be changed.
func (m *LKS) Edges(s int32) []Edge { return m.edges[m.first[s]:m.first[s+1]] }

// Succ returns the transitions that leave s by action ([Chaki05], Def. 2), sorted by
// target. The slice must not be changed.
func (m *LKS) Succ(s, action int32) []Edge {
	edges := m.Edges(s)
	from, end := 0, len(edges)
	for from < end { // written out: exploration spends much of its time here
		mid := int(uint(from+end) >> 1)
		if edges[mid].Action < action {
			from = mid + 1
		} else {
			end = mid
		}
	}
	if from == len(edges) || edges[from].Action != action {
		return nil
	}
	to := from
	for to < len(edges) && edges[to].Action == action {
		to++
	}
	return edges[from:to]
}

// Label returns the propositions of s as sorted indices into Props. The slice
// must not be changed.
func (m *LKS) Label(s int32) []int32 {
	if m.labelOf == nil {
		return nil
	}
	return m.labels[m.labelOf[s]]
}

// LabelClass returns a number that is equal for states with equal labels and
// less than NumLabelClasses.
func (m *LKS) LabelClass(s int32) int32 {
	if m.labelOf == nil {
		return 0
	}
	return m.labelOf[s]
}

// NumLabelClasses returns the number of different labels.
func (m *LKS) NumLabelClasses() int { return max(1, len(m.labels)) }

// HasProp reports whether state s is labelled with the proposition of that index.
func (m *LKS) HasProp(s, prop int32) bool {
	_, ok := slices.BinarySearch(m.Label(s), prop)
	return ok
}

// Kind returns the kind of state s.
func (m *LKS) Kind(s int32) Kind {
	if m.kinds == nil {
		return Normal
	}
	return m.kinds[s]
}

// StateName describes state s for people: the name that the model gives it, or
// its number.
func (m *LKS) StateName(s int32) string {
	if m.describe != nil {
		if name := m.describe(s); name != "" {
			return name
		}
	}
	return fmt.Sprint(s)
}
