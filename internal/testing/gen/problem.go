package gen

import (
	"math/rand/v2"

	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/ltl"
)

// Problem is a model checking question of a size that slow algorithms answer.
type Problem struct {
	Components []*lks.LKS
	Formula    *ltl.Formula
}

// NewProblem returns up to so many components with propositions, to be composed
// in parallel, and a formula of about that size over their propositions and
// actions, deadlock and enabled(...).
func NewProblem(r *rand.Rand, components, size int, shape Shape) *Problem {
	p := &Problem{}
	for i := range 1 + r.IntN(components) {
		p.Components = append(p.Components, LKS(r, []string{"x", "y", "z", "w"}[i], shape))
	}
	p.Formula = Formula(r, FormulaOptions{Size: 1 + r.IntN(size), Atoms: someAtoms(r, ModelAtoms(p.Components...))})
	return p
}

// ModelAtoms returns every atom that formulas about these components may have,
// without duplicates, the events twice: they are what matters most.
func ModelAtoms(components ...*lks.LKS) []ltl.Atom {
	atoms := []ltl.Atom{{Kind: ltl.Event, Name: lks.TauName}, {Kind: ltl.Deadlock}, {Kind: ltl.Enabled, Name: lks.TauName}}
	seen := map[string]bool{}
	for _, m := range components {
		for _, p := range m.Props() {
			atoms = append(atoms, ltl.Atom{Kind: ltl.Prop, Name: p})
		}
		for _, a := range m.Alphabet()[1:] {
			if !seen[a] {
				seen[a] = true
				event := ltl.Atom{Kind: ltl.Event, Name: a}
				atoms = append(atoms, event, ltl.Atom{Kind: ltl.Enabled, Name: a}, event)
			}
		}
	}
	return atoms
}

// someAtoms keeps few atoms, so that formulas repeat them.
func someAtoms(r *rand.Rand, atoms []ltl.Atom) []ltl.Atom {
	r.Shuffle(len(atoms), func(i, j int) { atoms[i], atoms[j] = atoms[j], atoms[i] })
	return atoms[:min(len(atoms), 2+r.IntN(3))]
}
