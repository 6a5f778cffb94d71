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

// SatisfiableFair is Satisfiable by a run that besides is fair to every set: it
// tries every choice of the strong sets as those that are possible again and again.
func (s *Structure) SatisfiableFair(f *ltl.Formula, stutter bool, fairness Fairness, sets []FairSet) bool {
	t := newTableau(s, f, stutter)
	promises := t.promises()
	possible := func(set FairSet, n tableauNode) bool {
		return slices.ContainsFunc(set.Actions, func(a string) bool { return t.atom(ltl.Atom{Kind: ltl.Enabled, Name: a}, n.step) })
	}
	occurs := func(set FairSet, n tableauNode) bool { return slices.Contains(set.Actions, t.step[n.step].Event) }
	for choice := range 1 << len(sets) {
		within := t.nodesWhere(func(tableauNode) bool { return true })
		recurring := slices.Clone(promises)
		for i, set := range sets {
			switch {
			case !set.Strong:
				recurring = append(recurring, t.nodesWhere(func(n tableauNode) bool { return !possible(set, n) || occurs(set, n) }))
			case choice>>i&1 == 1:
				recurring = append(recurring, t.nodesWhere(func(n tableauNode) bool { return occurs(set, n) }))
			default:
				for j, n := range t.nodes {
					within[j] = within[j] && !possible(set, n)
				}
			}
		}
		if slices.ContainsFunc(t.fairRegions(fairness, within, recurring), t.initialReaches) {
			return true
		}
	}
	return false
}
