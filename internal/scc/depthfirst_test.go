package scc

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/seltl/seltl/internal/testing/soak"
)

// TestDepthFirst: nodes are left, and edges lead back, as by recursion.
func TestDepthFirst(t *testing.T) {
	backs := 0
	for seed := range soak.Cases(500) {
		r := rand.New(rand.NewPCG(uint64(seed), 7))
		n := 1 + r.IntN(8)
		out, roots := make([][]int, n), []int{r.IntN(n), r.IntN(n)}
		for range r.IntN(3 * n) {
			v := r.IntN(n)
			out[v] = append(out[v], r.IntN(n))
		}
		got, want := "", ""
		DepthFirst(n, roots, Along(out, func(to int) int { return to }), func(v int) { got += fmt.Sprint(v, " ") }, func(v, i int) { got += fmt.Sprint("back ", v, i, " ") })
		met, left := map[int]bool{}, map[int]bool{}
		var visit func(v int)
		visit = func(v int) {
			met[v] = true
			for i, to := range out[v] {
				if !met[to] {
					visit(to)
				} else if !left[to] {
					want += fmt.Sprint("back ", v, i, " ")
					backs++
				}
			}
			left[v] = true
			want += fmt.Sprint(v, " ")
		}
		for _, root := range roots {
			if !met[root] {
				visit(root)
			}
		}
		if got != want {
			t.Fatalf("seed %d, %v from %v: %s, want %s", seed, out, roots, got, want)
		}
	}
	if backs == 0 {
		t.Error("no edge leads back")
	}
}
