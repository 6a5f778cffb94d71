package product_test

import (
	"context"
	"math"
	"testing"

	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/product"
)

// TestNever: what never happens is what Verify says of G !f, and at the start of !f; with fewer states
// less is known, and nothing that is not so.
func TestNever(t *testing.T) {
	never, known := 0, 0
	for seed := *firstSeed; seed < *firstSeed+uint64(problems()); seed++ {
		r := gen.Rand(seed)
		p := gen.NewProblem(r, 3, 9, shapeOf(seed))
		net, atoms := networkOf(t, p.Components), gen.ModelAtoms(p.Components...)
		var occasions []product.Occasion
		for range 6 {
			f := gen.Formula(r, gen.FormulaOptions{Size: 1 + r.IntN(4), Atoms: atoms, Ops: []ltl.Op{ltl.Not, ltl.And, ltl.And, ltl.Or, ltl.Xor}})
			occasions = append(occasions, product.Occasion{Formula: f, AtStart: r.IntN(3) == 0})
		}
		got, err := product.Never(net, occasions, math.MaxInt64, nil)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		few, err := product.Never(net, occasions, 2, nil)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		for i, o := range occasions {
			f := ltl.MakeNot(o.Formula)
			if !o.AtStart {
				f = ltl.MakeAlways(f)
			}
			res, err := product.Verify(context.Background(), net, f, product.Options{})
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			if got[i] != res.Verdict || few[i] != product.Unknown && few[i] != got[i] {
				t.Fatalf("seed %d: %v (at the start: %v) never: %v, after few states %v, want %v", seed, o.Formula, o.AtStart, got[i], few[i], res.Verdict)
			}
			if got[i] == product.Holds {
				never++
			}
			if few[i] == product.Holds {
				known++
			}
		}
	}
	t.Logf("%d of %d never happen; known after two states: %d", never, 6*problems(), known)
	if never < problems()/4 || known == 0 {
		t.Error("too few")
	}
}
