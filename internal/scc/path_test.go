package scc_test

import (
	"math/rand/v2"
	"testing"

	"github.com/seltl/seltl/internal/scc"
	"github.com/seltl/seltl/internal/testing/soak"
)

// TestPath compares lengths with those of Bellman and Ford's relaxation, and follows the
// paths.
func TestPath(t *testing.T) {
	type edge struct {
		from, to int32
		open     bool
		goal     bool
	}
	for seed := range uint64(soak.Cases(2000)) {
		r := rand.New(rand.NewPCG(seed, 14))
		n := int32(1 + r.IntN(12))
		out := make([][]edge, n)
		for range r.IntN(40) {
			v := r.Int32N(n)
			out[v] = append(out[v], edge{v, r.Int32N(n), r.IntN(4) > 0, r.IntN(8) == 0})
		}
		from := r.Int32N(n)
		path, ok := scc.Path(from, func(v int32) []edge { return out[v] }, func(e edge) int32 { return e.to },
			func(e edge) bool { return e.open }, func(e edge) bool { return e.goal })

		const far = 1 << 20
		distance := make([]int, n)
		for v := range distance {
			distance[v] = far
		}
		distance[from] = 0
		best := far
		for range n + 1 {
			for _, es := range out {
				for _, e := range es {
					if e.open {
						distance[e.to] = min(distance[e.to], distance[e.from]+1)
						if e.goal {
							best = min(best, distance[e.from]+1)
						}
					}
				}
			}
		}
		if ok != (best < far) || ok && len(path) != best {
			t.Fatalf("seed %d: path %v (%v), shortest %d", seed, path, ok, best)
		}
		at := from
		for i, e := range path {
			if e.from != at || !e.open || e.goal != (i == len(path)-1) {
				t.Fatalf("seed %d: edge %d of %v", seed, i, path)
			}
			at = e.to
		}
	}
}
