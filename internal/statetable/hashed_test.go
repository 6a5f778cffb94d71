package statetable

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seltl/seltl/internal/testing/soak"
)

// States added one by one, many at once, or by the hashes of another set make the same set.
func TestHashed(t *testing.T) {
	for seed := range soak.Cases(uint64(50)) {
		r := rand.New(rand.NewPCG(seed, 3))
		words := 1 + r.IntN(3)
		states := make([]uint64, words*r.IntN(1000))
		for i := range states {
			states[i] = r.Uint64N(40)
		}
		many, one, copied := NewHashed(words, 0), NewHashed(words, 0), NewHashed(words, 0)
		fresh := many.AddAll(states, nil)
		seen := New(words)
		var want, single []uint64
		for state := range slices.Chunk(states, words) {
			if _, added := seen.Insert(state); added {
				want = append(want, state...)
			}
			single = one.AddAll(state, single)
		}
		if !slices.Equal(fresh, want) || !slices.Equal(single, want) {
			t.Fatalf("seed %d: %d and %d words new, not %d", seed, len(fresh), len(single), len(want))
		}
		copied.AddHashes(slices.Collect(many.All))
		if again := copied.AddAll(states, nil); len(again) > 0 {
			t.Fatalf("seed %d: %d words new in a copy", seed, len(again))
		}
		for _, h := range []*Hashed{many, one, copied} {
			n := float64(seen.Len())
			if expected := n * (n + 1) / 2 / (1 << hashBits); h.Len() != seen.Len() || h.Missed() < 0.999*expected || h.Missed() > 1.001*expected {
				t.Fatalf("seed %d: %d states, %g missed, not %d and %g", seed, h.Len(), h.Missed(), seen.Len(), expected)
			}
		}
	}
}
