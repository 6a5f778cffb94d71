package statetable

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seltl/seltl/internal/testing/soak"
)

// With another seed other states are taken for known ones, independently: of those that one
// search loses, another loses the share that it loses of all.
func TestSeeds(t *testing.T) {
	const states = 20_000
	for seed := range soak.Cases(uint64(6)) {
		r := rand.New(rand.NewPCG(seed, 22))
		words := 1 + r.IntN(3)
		all := make([]uint64, 0, states*words)
		seen := New(words)
		for i := range states {
			state := make([]uint64, words)
			for j := range state {
				state[j] = uint64(i) >> (3 * j) // neighbours, as states of models are
			}
			if r.IntN(4) == 0 {
				state[r.IntN(words)] ^= r.Uint64()
			}
			if _, added := seen.Insert(state); added {
				all = append(all, state...)
			}
		}
		n := seen.Len()
		lost := make([][]bool, 4)
		share := make([]float64, len(lost))
		for s := range lost {
			b := NewBitstate(words, 8<<10, uint64(s))
			lost[s] = make([]bool, n)
			for i := range n {
				if len(b.AddAll(all[i*words:(i+1)*words], nil)) == 0 {
					lost[s][i] = true
					share[s]++
				}
			}
			if missed := b.Missed(); math.Abs(missed-share[s]) > 0.2*share[s]+50 {
				t.Errorf("seed %d: of %d states %.0f are missed with seed %d, estimated: %.0f", seed, n, share[s], s, missed)
			}
		}
		for s := range lost {
			for o := range s {
				both, expected := 0.0, 0.0
				// Later states are lost more often, by all: in each tenth the shares are multiplied.
				for tenth := range 10 {
					from, to := tenth*n/10, (tenth+1)*n/10
					var a, c float64
					for i := from; i < to; i++ {
						if lost[s][i] {
							a++
						}
						if lost[o][i] {
							c++
						}
						if lost[s][i] && lost[o][i] {
							both++
						}
					}
					expected += a * c / float64(to-from)
				}
				if math.Abs(both-expected) > 0.15*expected+60 {
					t.Errorf("seed %d, %d words: seeds %d and %d both lose %.0f of %d states, expected: %.0f", seed, words, o, s, both, n, expected)
				}
			}
		}
	}
}
