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

// Compassion demands that steps by Conclusion occur again and again if steps by Premise do.
type Compassion struct{ Premise, Conclusion func(StructureEdge) bool }

// SatisfiableFair is Satisfiable by a run that besides is fair to every set.
func (s *Structure) SatisfiableFair(f *ltl.Formula, stutter bool, fairness Fairness, sets []FairSet) bool {
	return s.SatisfiableCompassionate(f, stutter, fairness, sets, nil)
}

// SatisfiableCompassionate is SatisfiableFair by a run that besides meets every pair: it
// tries every choice of the strong sets as those that are possible again and again, and of
// the pairs as those whose conclusion occurs again and again; the others' premises do not
// occur at all from some point on.
func (s *Structure) SatisfiableCompassionate(f *ltl.Formula, stutter bool, fairness Fairness, sets []FairSet, pairs []Compassion) bool {
	t := newTableau(s, f, stutter)
	promises := t.promises()
	possible := func(set FairSet, n tableauNode) bool {
		return slices.ContainsFunc(set.Actions, func(a string) bool { return t.atom(ltl.Atom{Kind: ltl.Enabled, Name: a}, n.step) })
	}
	occurs := func(set FairSet, n tableauNode) bool { return slices.Contains(set.Actions, t.step[n.step].Event) }
	for choice := range 1 << (len(sets) + len(pairs)) {
		within := t.nodesWhere(func(tableauNode) bool { return true })
		recurring := slices.Clone(promises)
		exclude := func(bad func(n tableauNode) bool) {
			for j, n := range t.nodes {
				within[j] = within[j] && !bad(n)
			}
		}
		for i, set := range sets {
			switch {
			case !set.Strong:
				recurring = append(recurring, t.nodesWhere(func(n tableauNode) bool { return !possible(set, n) || occurs(set, n) }))
			case choice>>i&1 == 1:
				recurring = append(recurring, t.nodesWhere(func(n tableauNode) bool { return occurs(set, n) }))
			default:
				exclude(func(n tableauNode) bool { return possible(set, n) })
			}
		}
		for i, pair := range pairs {
			if choice>>(len(sets)+i)&1 == 1 {
				recurring = append(recurring, t.nodesWhere(func(n tableauNode) bool { return pair.Conclusion(t.step[n.step]) }))
			} else {
				exclude(func(n tableauNode) bool { return pair.Premise(t.step[n.step]) })
			}
		}
		if slices.ContainsFunc(t.fairRegions(fairness, within, recurring), t.initialReaches) {
			return true
		}
	}
	return false
}
