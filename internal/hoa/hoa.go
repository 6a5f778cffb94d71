// Package hoa reads and writes automata over infinite words as text: the Hanoi
// Omega-Automata format, version 1 ([Babiak15]), in and out, and never claims
// of Promela in. It knows texts and no algorithm: packages buchi and omega make
// automata of what it reads, each of those that it can hold.
package hoa

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/seltl/seltl/internal/bdd"
	"github.com/seltl/seltl/internal/source"
)

// MaxSets is the largest number of acceptance sets.
const MaxSets = 64

// Edge leads to state To on the letters of Label; bit i of Marks says that it is
// in acceptance set i. In an automaton with universal branching, -i-1 stands for
// all states of joint i.
type Edge struct {
	Label bdd.Node
	To    int32
	Marks uint64
}

// Automaton is one automaton as it stands in a text, with three things settled:
// there is one initial state (a new one, where there were several, none, or several
// at once, which does what they do), marks are on edges, and no set is complemented.
type Automaton struct {
	Name       string
	Atoms      []string
	Man        *bdd.Manager
	Care       bdd.Node // letters that occur: labels are written short where they differ on others only
	Out        [][]Edge // of a state sorted by target and marks, no two with both the same
	Initial    int32
	Sets       int
	Acceptance *Acceptance
	At         source.Span // of the acceptance condition, where it was read
	Joints     [][]int32   // sets of states that edges lead to at once; none of an automaton without universal branching
	Branches   source.Span // where universal branching was met first
	OnStates   bool        // written with marks on states: all edges of each have the same
}

// Op is an operator of acceptance conditions.
type Op uint8

// The operators; Inf and Fin are about a set.
const (
	True Op = iota
	False
	Inf
	Fin
	And
	Or
)

// Acceptance is a condition on the sets that a run meets infinitely often.
type Acceptance struct {
	Op   Op
	Set  int           // of Inf and Fin
	Args []*Acceptance // of And and Or
}

// AnyEdge is an edge of this package or of one that makes automata of what it reads.
type AnyEdge interface {
	~struct {
		Label bdd.Node
		To    int32
		Marks uint64
	}
}

// CompareEdges orders edges by target and marks.
func CompareEdges[E AnyEdge](x, y E) int {
	a, b := Edge(x), Edge(y)
	return cmp.Or(cmp.Compare(a.To, b.To), cmp.Compare(a.Marks, b.Marks))
}

// Merge sorts edges and joins those with the same target and marks, in place; those without a letter are left out.
func Merge[E AnyEdge](man *bdd.Manager, es []E) []E {
	slices.SortStableFunc(es, CompareEdges)
	n := 0
	for _, e := range es {
		next := Edge(e)
		switch {
		case next.Label == bdd.False:
		case n > 0 && CompareEdges(es[n-1], e) == 0:
			next.Label = man.Or(Edge(es[n-1]).Label, next.Label)
			es[n-1] = E(next)
		default:
			es[n] = e
			n++
		}
	}
	return es[:n]
}

// Letters returns the letters that some edge reads.
func Letters[E AnyEdge](man *bdd.Manager, es []E) bdd.Node {
	all := bdd.False
	for _, e := range es {
		all = man.Or(all, Edge(e).Label)
	}
	return all
}

// String writes a condition as the format has it.
func (a *Acceptance) String() string {
	switch a.Op {
	case True:
		return "t"
	case False:
		return "f"
	case Inf:
		return fmt.Sprintf("Inf(%d)", a.Set)
	case Fin:
		return fmt.Sprintf("Fin(%d)", a.Set)
	}
	sign := map[Op]string{And: "&", Or: " | "}[a.Op]
	parts := make([]string, len(a.Args))
	for i, arg := range a.Args {
		if parts[i] = arg.String(); arg.Op == And || arg.Op == Or {
			parts[i] = "(" + parts[i] + ")"
		}
	}
	return strings.Join(parts, sign)
}
