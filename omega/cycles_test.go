package omega

import (
	"testing"

	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/soak"
)

// TestCycleTrees: parity automata by decompositions of cycles, and by Zielonka trees, have the
// language; those by cycles are never larger.
func TestCycleTrees(t *testing.T) {
	smaller, all := 0, 0
	for seed := range soak.Long(uint64(400)) {
		r := random(seed)
		kind := []string{"Emerson-Lei", "Rabin", "Streett", "generalized-Rabin", "generalized-Buchi", "parity max odd"}[seed%6]
		a := randomAutomaton(t, r, gen.AutomatonOptions{Kind: kind, Sets: 3, Deterministic: seed%2 == 0})
		c := a.components()
		cycles, err := a.parityWith(c, nil, func(id int) (memory, error) { return a.newCycleTree(c, id, nil) })
		if err != nil {
			t.Fatal(err)
		}
		marks, err := a.parityWith(c, nil, a.markMemory(c, nil))
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range []*Automaton{cycles, marks} {
			wellFormed(t, p)
			if !isForm[ParityMinEven](p) || a.Deterministic() && !p.Deterministic() {
				t.Fatalf("seed %d: no deterministic parity automaton:\n%s", seed, hoaText(t, p))
			}
			sameWords(t, seed, r, 8, a, p)
		}
		if cycles.NumStates() > marks.NumStates() {
			t.Fatalf("seed %d: %d states by cycles, %d by marks\n%s", seed, cycles.NumStates(), marks.NumStates(), hoaText(t, a))
		}
		if all++; cycles.NumStates() < marks.NumStates() {
			smaller++
		}
	}
	if smaller < all/20 {
		t.Errorf("%d of %d automata are smaller by cycles", smaller, all)
	}
}
