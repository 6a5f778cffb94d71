package lks

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seltl/seltl/internal/testing/soak"
)

// TestSortEdges: however many edges there are, and sorted or not, they are those that a plain sort gives.
func TestSortEdges(t *testing.T) {
	r := rand.New(rand.NewPCG(0, 3))
	for seed := range soak.Cases(2000) {
		edges := make([]Edge, r.IntN(3*fewEdges))
		actions, targets := 1+r.Int32N(20), 1+r.Int32N(40)
		for i := range edges {
			edges[i] = Edge{r.Int32N(actions), r.Int32N(targets)}
		}
		want := slices.Clone(edges)
		slices.SortFunc(want, func(a, b Edge) int {
			if c := cmp.Compare(a.Action, b.Action); c != 0 {
				return c
			}
			return cmp.Compare(a.Target, b.Target)
		})
		if r.IntN(3) == 0 {
			copy(edges, want)
		}
		want = slices.Compact(want)
		if got := SortEdges(edges); !slices.Equal(got, want) {
			t.Fatalf("seed %d: %v, want %v", seed, got, want)
		}
	}
}
