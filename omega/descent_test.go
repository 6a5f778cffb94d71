package omega

import (
	"testing"

	"github.com/seltl/seltl/buchi"
	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/soak"
)

// TestDescended: deterministic automata lose states and no words; two states are said to accept
// the same words iff the automata from them do.
func TestDescended(t *testing.T) {
	smaller, equals := 0, 0
	for seed := range soak.Cases(uint64(750)) {
		r := random(seed)
		a := randomAutomaton(t, r, gen.AutomatonOptions{States: 5, Atoms: []string{"a", "b"}})
		b, err := a.toBuchi(buchi.Buchi, limited())
		if budget.Stopped(err) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		d, err := b.safra(seed%2 == 0, 60, limited())
		if budget.Stopped(err) || d == nil {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		less := d.descended()
		wellFormed(t, less)
		if !less.Deterministic() || len(less.out) > len(d.out) {
			t.Fatalf("seed %d: %d states, %d before:\n%s", seed, len(less.out), len(d.out), hoaText(t, less))
		}
		if len(less.out) < len(d.out) {
			smaller++
		}
		sameWords(t, seed, r, 20, b, less)
		full := d.Completed()
		equal := full.languages()
		if equal == nil {
			continue
		}
		s, u := r.IntN(len(full.out)), r.IntN(len(full.out))
		x, y := *full, *full
		x.initial, y.initial = int32(s), int32(u)
		same, word, _, err := Equivalent(&x, &y, limited())
		if err == nil && same != equal(s, u) {
			t.Fatalf("seed %d: states %d and %d, equal %v (%v):\n%s", seed, s, u, same, word, hoaText(t, full))
		}
		if same && s != u {
			equals++
		}
	}
	if smaller < soak.Cases(5) || equals < soak.Cases(25) {
		t.Errorf("%d smaller, %d pairs of equal states", smaller, equals)
	}
}
