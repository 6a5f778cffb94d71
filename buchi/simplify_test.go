package buchi

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/ltl"
)

// equivalentTo fails the test unless f and g, translated without simplification,
// accept the same words that satisfy the constraints.
func equivalentTo(t *testing.T, seed uint64, f, g *ltl.Formula, constraints []Constraint) {
	t.Helper()
	low := Options{Level: Low, Constraints: constraints}
	for _, pair := range [][2]*ltl.Formula{{f, ltl.MakeNot(g)}, {ltl.MakeNot(f), g}} {
		empty, err := disjoint(mustTranslate(t, pair[0], low), mustTranslate(t, pair[1], low))
		if err != nil {
			t.Fatal(err)
		}
		if !empty {
			t.Fatalf("seed %d: %v simplifies to %v", seed, f, g)
		}
	}
}

// simplifiable are formulas that the simplifier of package ltl got wrong once.
var simplifiable = []string{
	"a | ((a & b) R F a)",
}

// TestSimplifyExactly checks the simplifier of package ltl by automata, which
// find a difference that needs a rare word.
func TestSimplifyExactly(t *testing.T) {
	for i, text := range simplifiable {
		f := ltl.MustParse(text)
		equivalentTo(t, uint64(i), f, ltl.Simplify(f, ltl.SimplifyOptions{}), nil)
	}
	atoms := gen.Atoms("a", "b", "c")
	temporal := []ltl.Op{ltl.And, ltl.Or, ltl.Not, ltl.Next, ltl.Eventually, ltl.Always, ltl.Until, ltl.Release, ltl.WeakUntil, ltl.StrongRelease}
	for seed := range soak.Long(uint64(1500)) {
		r := rand.New(rand.NewPCG(seed, 81))
		f := gen.Formula(r, gen.FormulaOptions{Size: 3 + r.IntN(9), Atoms: atoms[:1+r.IntN(3)], Ops: temporal})
		opts := ltl.SimplifyOptions{}
		var constraints []Constraint
		if seed%3 == 0 {
			group := slices.Clone(atoms[:2])
			opts.Exclusive = [][]ltl.Atom{group}
			constraints = []Constraint{{AtMostOne, group}}
		}
		equivalentTo(t, seed, f, ltl.Simplify(f, opts), constraints)
	}
}
