package cegar

import (
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/ltl"
)

// joined is the property's formula with one of those propositions of a component that have the
// same value, or always the other one ("c == 1", "c != 1"): an automaton of it does not know
// what they say, and would have letters that no state has.
func (p *Property) joined() *ltl.Formula {
	instead := map[string]*ltl.Formula{}
	for _, own := range p.Propositions {
		first := map[*logic.Term]string{}
		for _, q := range own {
			if q.Formula == nil || q.Local != nil || q.Undefined != nil && !q.Undefined.IsFalse() {
				continue
			}
			name, same := first[q.Formula]
			opposite, negated := first[logic.Not(q.Formula)]
			switch {
			case same:
				instead[q.Name] = ltl.AtomOf(ltl.Atom{Kind: ltl.Prop, Name: name})
			case negated:
				instead[q.Name] = ltl.MakeNot(ltl.AtomOf(ltl.Atom{Kind: ltl.Prop, Name: opposite}))
			default:
				first[q.Formula] = q.Name
			}
		}
	}
	return ltl.Map(p.Formula, func(a ltl.Atom) *ltl.Formula {
		if f := instead[a.Name]; f != nil && a.Kind == ltl.Prop {
			return f
		}
		return ltl.AtomOf(a)
	})
}
