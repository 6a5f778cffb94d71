package buchi

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/soak"
)

// TestMoore compares the tables with signatures, on deterministic automata that have marks and
// on subset automata of random classes.
func TestMoore(t *testing.T) {
	atoms := gen.Atoms("a", "b", "c")
	joined, compared := 0, 0
	for seed := range soak.Cases(uint64(900)) {
		r := rand.New(rand.NewPCG(seed, 56))
		f := gen.Formula(r, gen.FormulaOptions{Size: 4 + r.IntN(10), Atoms: atoms})
		a := oneSet(mustTranslate(t, f, Options{Level: Low}))
		if d := determinize(a, 150); d != nil {
			b := d.buchi()
			class := moore(b, b.splitter(), make([]int32, len(b.out)))
			by := (&simulator{a: b, edges: b.out, kind: make([]int32, len(b.out)), mutual: true}).run()
			if !slices.Equal(class, by.class) || !slices.Equal(equalities(class).member, by.member) {
				t.Fatalf("seed %d, %v: classes %v, by signatures %v", seed, f, class, by.class)
			}
			compared++
			if by.count < len(b.out) {
				joined++
			}
		}
		if d := powerset(a, 150, nil); d != nil {
			first := make([]int32, len(d.out))
			for s := range first {
				first[s] = r.Int32N(2)
			}
			class, by := moore(d.Automaton, d.splitter(), first), d.refine(first)
			if !slices.Equal(class, by) {
				t.Fatalf("seed %d, %v: classes %v, by signatures %v", seed, f, class, by)
			}
		}
	}
	if compared < soak.Cases(800) || joined < soak.Cases(200) {
		t.Errorf("%d automata, states of %d joined", compared, joined)
	}
}
