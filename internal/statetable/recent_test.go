package statetable

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seltl/seltl/internal/testing/soak"
)

// TestRecentIsExact shows a Recent states with many repetitions: what it drops it
// must have let through before, and soon enough it must drop something.
func TestRecentIsExact(t *testing.T) {
	for _, words := range []int{1, 2, 3, 7} {
		for seed := range uint64(8) {
			t.Run(fmt.Sprint(words, "/", seed), func(t *testing.T) {
				r := rand.New(rand.NewPCG(seed, uint64(words)))
				recent := NewRecent(words)
				universe := uint64(1) << (3 * seed)
				shown := map[string]bool{}
				dropped := 0
				for range soak.Size(500) {
					var states []uint64
					for range r.IntN(60) {
						x := r.Uint64N(universe)
						for w := range words {
							states = append(states, x<<(uint(w)*17%50)&(x*0x10001))
						}
					}
					kept := recent.Filter(slices.Clone(states), nil)
					if inPlace := slices.Clone(states); seed%2 == 0 {
						kept = append(kept, recent.Filter(inPlace, inPlace[:0])...)
					}
					dropped += len(states)/words - checkKept(t, states, kept, words, shown)
				}
				if !testing.Short() && dropped == 0 && universe <= 1<<12 {
					t.Error("nothing was dropped")
				}
			})
		}
	}
}

// checkKept checks that all states were shown once at least, the kept ones now,
// and returns how many were kept.
func checkKept(t *testing.T, states, kept []uint64, words int, shown map[string]bool) int {
	t.Helper()
	for at := 0; at < len(kept); at += words {
		shown[keyOf(kept[at:at+words])] = true
	}
	for at := 0; at < len(states); at += words {
		if !shown[keyOf(states[at:at+words])] {
			t.Fatalf("%x was dropped the first time", states[at:at+words])
		}
	}
	return len(kept) / words
}

// TestRecentOfTwoWords compares what is made for states of two words with what is made for all.
func TestRecentOfTwoWords(t *testing.T) {
	for seed := range soak.Cases(uint64(30)) {
		r := rand.New(rand.NewPCG(seed, 51))
		fast, slow := NewRecent(2), NewRecent(2)
		for range 40 {
			var states []uint64
			for range r.IntN(200) {
				states = append(states, r.Uint64N(8), r.Uint64N(1<<(seed%8)))
			}
			if got, want := fast.filter2(states, nil), slow.filter(states, nil); !slices.Equal(got, want) {
				t.Fatalf("seed %d: of %x it lets %x through, want %x", seed, states, got, want)
			}
		}
	}
}
