package buchi

import (
	"math/rand/v2"
	"testing"

	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/ltl"
)

// TestSuspension: conjunctions with G F and F G of something, which random
// formulas rarely are.
func TestSuspension(t *testing.T) {
	atoms := gen.Atoms("a", "b", "c")
	used := 0
	for seed := range soak.Long(uint64(750)) {
		r := rand.New(rand.NewPCG(seed, 61))
		guarantee := []ltl.Op{ltl.And, ltl.Or, ltl.Next, ltl.Eventually, ltl.Until, ltl.StrongRelease}
		part := func(ops []ltl.Op) *ltl.Formula {
			return gen.Formula(r, gen.FormulaOptions{Size: 1 + r.IntN(6), Atoms: atoms, Ops: ops})
		}
		f := ltl.MakeAlways(ltl.MakeEventually(part(guarantee)))
		if r.IntN(2) == 0 {
			f = ltl.MakeAnd(f, part(nil))
		}
		if r.IntN(3) == 0 {
			f = ltl.MakeAnd(f, ltl.MakeEventually(ltl.MakeAlways(part(nil))))
		}
		tr := newTranslation(f, Options{})
		a, err := tr.suspended(tr.formula)
		if err != nil {
			t.Fatal(err)
		}
		if a == nil {
			continue
		}
		used++
		if err := a.check(); err != nil {
			t.Fatalf("seed %d, %v: %v", seed, f, err)
		}
		for range 20 {
			w := gen.Word(r, atoms, 3, 4)
			if got, want := a.Accepts(w), ltl.Eval(f, w); got != want {
				t.Fatalf("seed %d, %v: accepts %v, formula %v", seed, f, got, want)
			}
		}
		if f.Size() < 12 {
			checkNaive(t, f, variants[seed%3])
		}
	}
	if used < soak.Long(250) {
		t.Errorf("suspension applied to %d formulas only", used)
	}
}
