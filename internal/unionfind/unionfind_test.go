package unionfind

import (
	"math/rand/v2"
	"testing"

	"github.com/seltl/seltl/internal/testing/soak"
)

// TestSetsRandom compares sets with labels that are written anew at each join.
func TestSetsRandom(t *testing.T) {
	for seed := range soak.Seeds(uint64(200)) {
		rng := rand.New(rand.NewPCG(seed, 7))
		var s Sets[int]
		n := 1 + rng.IntN(12)
		label := make([]int, n)
		for i := range label {
			label[i] = i
		}
		for range rng.IntN(2 * n) {
			a, b := rng.IntN(n), rng.IntN(n)
			s.Join(a, b)
			for i, from := 0, label[b]; i < n; i++ {
				if label[i] == from {
					label[i] = label[a]
				}
			}
			for i := range n {
				for j := range n {
					if got, want := s.Of(i) == s.Of(j), label[i] == label[j]; got != want {
						t.Fatalf("seed %d: %d and %d: %v, want %v", seed, i, j, got, want)
					}
				}
			}
		}
		if x := n + 5; s.Of(x) != x {
			t.Fatal("what was never joined is in a set")
		}
	}
}
