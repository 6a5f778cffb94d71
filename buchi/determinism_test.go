package buchi

import (
	"math/rand/v2"
	"testing"

	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/soak"
)

// TestDeterminism: the same call gives the same automaton, also after others.
func TestDeterminism(t *testing.T) {
	atoms := gen.Atoms("a", "b", "c")
	for seed := range soak.Long(uint64(150)) {
		r := rand.New(rand.NewPCG(seed, 71))
		f := gen.Formula(r, gen.FormulaOptions{Size: 4 + r.IntN(16), Atoms: atoms})
		o := variants[seed%uint64(len(variants))]
		first := hoaText(t, mustTranslate(t, f, o))
		for range 3 {
			if again := hoaText(t, mustTranslate(t, f, o)); again != first {
				t.Fatalf("seed %d, %v: two results:\n%s\n%s", seed, f, first, again)
			}
		}
	}
}
