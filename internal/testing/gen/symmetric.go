package gen

import (
	"fmt"
	"math/rand/v2"

	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/ltl"
)

// Symmetric returns a random network of several copies of one component, beside one
// that treats them alike, mostly: sometimes it has a transition for one of them only.
// Copies have actions and propositions of their own, p0.x, p1.x, ..., and may have a
// shared action, a.
func Symmetric(r *rand.Rand, special bool) *lks.Network {
	shape := Shape{States: 3, Actions: []string{"x", "y", "a"}, Degree: 1.9, Tau: 0.15, Props: 0.8, ManyInitial: 0.15}
	if special {
		shape.Special = 0.5
	}
	copied := LKS(r, "p", shape)
	n := 2 + r.IntN(2)
	var parts []*lks.Network
	for i := range n {
		one := lks.Single(copied).Prefix(fmt.Sprint("p", i))
		shared := fmt.Sprint("p", i, ".a")
		parts = append(parts, one.Relabel(func(old string) []string {
			if old == shared {
				return []string{"a"}
			}
			return []string{old}
		}))
	}
	if r.IntN(5) > 0 {
		parts = append(parts, lks.Single(impartial(r, n)))
	}
	net, err := lks.Compose("symmetric", parts...)
	if err != nil {
		panic(err)
	}
	return net
}

// impartial returns a component that has the same transitions with n partners, save
// rarely.
func impartial(r *rand.Rand, n int) *lks.LKS {
	b := lks.NewBuilder("m")
	states := 1 + r.IntN(3)
	for range states {
		if r.IntN(2) == 0 {
			b.State("m.q")
		} else {
			b.State()
		}
	}
	b.Initial(int32(r.IntN(states)))
	actions := []string{"x", "y", "b"}
	for range 1 + r.IntN(5) {
		from, to := int32(r.IntN(states)), int32(r.IntN(states))
		action := actions[r.IntN(3)]
		if action == "b" {
			b.Transition(from, action, to)
			continue
		}
		for i := range n {
			b.Transition(from, fmt.Sprint("p", i, ".", action), to)
		}
	}
	if r.IntN(6) == 0 {
		b.Transition(int32(r.IntN(states)), "p0.x", int32(r.IntN(states)))
	}
	m, err := b.Build()
	if err != nil {
		panic(err)
	}
	return m
}

// SymmetricFormula returns a random formula in which, mostly, names that differ by
// the number of a copy occur alike: an atom p0.x becomes the conjunction or the
// disjunction of p0.x, p1.x, ....
func SymmetricFormula(r *rand.Rand, net *lks.Network, o FormulaOptions) *ltl.Formula {
	f := Formula(r, o)
	if r.IntN(4) == 0 {
		return f
	}
	every := r.IntN(2) == 0
	var alike func(f *ltl.Formula) *ltl.Formula
	alike = func(f *ltl.Formula) *ltl.Formula {
		if f.Op() != ltl.Atomic {
			if len(f.Args()) == 0 {
				return f
			}
			var args []*ltl.Formula
			for _, g := range f.Args() {
				args = append(args, alike(g))
			}
			return f.With(args...)
		}
		a := f.Atom()
		if a.Kind != ltl.Prop || len(a.Name) < 3 || a.Name[0] != 'p' || a.Name[2] != '.' {
			return f
		}
		all := f
		for i := range 9 {
			name := fmt.Sprint("p", i, a.Name[2:])
			if _, _, ok := net.Prop(name); ok && name != a.Name {
				other := ltl.AtomOf(ltl.Atom{Kind: ltl.Prop, Name: name})
				if every {
					all = ltl.MakeAnd(all, other)
				} else {
					all = ltl.MakeOr(all, other)
				}
			}
		}
		return all
	}
	return alike(f)
}
