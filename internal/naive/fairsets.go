package naive

import (
	"slices"

	"github.com/seltl/seltl/ltl"
)

// FairSet demands that actions of a set occur again and again if they are possible
// from some point on, or, if Strong, again and again.
type FairSet struct {
	Actions []string
	Strong  bool
}

// SatisfiableFair is Satisfiable by a run that is fair to every set: it tries every
// choice of the strong sets as those that are possible again and again.
func (s *Structure) SatisfiableFair(f *ltl.Formula, stutter bool, sets []FairSet) bool {
	t := newTableau(s, f, stutter)
	everything := t.nodesWhere(func(tableauNode) bool { return true })
	recurring := [][]bool{everything}
	for _, g := range t.temporal {
		recurring = append(recurring, t.nodesWhere(func(n tableauNode) bool { return settled(g, n) }))
	}
	possible := func(set FairSet, n tableauNode) bool {
		return slices.ContainsFunc(set.Actions, func(a string) bool { return t.atom(ltl.Atom{Kind: ltl.Enabled, Name: a}, n.step) })
	}
	occurs := func(set FairSet, n tableauNode) bool { return slices.Contains(set.Actions, t.step[n.step].Event) }
	for choice := range 1 << len(sets) {
		within, goals := slices.Clone(everything), slices.Clone(recurring)
		for i, set := range sets {
			switch {
			case !set.Strong:
				goals = append(goals, t.nodesWhere(func(n tableauNode) bool { return !possible(set, n) || occurs(set, n) }))
			case choice>>i&1 == 1:
				goals = append(goals, t.nodesWhere(func(n tableauNode) bool { return occurs(set, n) }))
			default:
				for j, n := range t.nodes {
					within[j] = within[j] && !possible(set, n)
				}
			}
		}
		if t.initialReaches(t.recur(within, goals)) {
			return true
		}
	}
	return false
}
