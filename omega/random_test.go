package omega

import (
	"testing"

	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/soak"
)

// TestRandom: random automata are as asked for.
func TestRandom(t *testing.T) {
	edges := 0
	for seed := range soak.Cases(uint64(600)) {
		r := random(seed)
		o := RandomOptions{States: 1 + r.IntN(12), Atoms: gen.Atoms([]string{"a", "b", "c"}[:r.IntN(4)]...), Sets: r.IntN(4), Condition: True(),
			Density: []float64{0, 0.2, 1}[seed%3], Marks: r.Float64(), Coloured: r.IntN(3) == 0, OnStates: r.IntN(2) == 0, Deterministic: r.IntN(2) == 0}
		a := Random(r, o)
		wellFormed(t, a)
		if f := a.Figures(); f.States != o.States || f.AllStates != o.States {
			t.Fatalf("seed %d: %d states of %d are reached", seed, f.States, o.States)
		}
		if o.Deterministic && (!a.Deterministic() || !a.Complete()) || o.OnStates && !a.StateBased() {
			t.Fatalf("seed %d: %+v:\n%s", seed, o, hoaText(t, a))
		}
		for s := range int32(o.States) {
			if len(a.Edges(s)) == 0 {
				t.Fatalf("seed %d: state %d has no edge", seed, s)
			}
			for _, e := range a.Edges(s) {
				if o.Coloured && o.Sets > 0 && (e.Marks == 0 || e.Marks&(e.Marks-1) != 0) {
					t.Fatalf("seed %d: not one set:\n%s", seed, hoaText(t, a))
				}
			}
		}
		if seed%3 == 0 && !o.Deterministic {
			edges += a.NumEdges() - o.States // none but what the tree needs
		}
		if b := Random(random(seed), o); b.NumStates() != a.NumStates() {
			t.Fatalf("seed %d: drawn differently", seed)
		}
	}
	if edges > soak.Cases(600) {
		t.Errorf("%d edges more than states where the density is 0", edges)
	}
}
