package scc

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seltl/seltl/internal/testing/soak"
)

// TestWeakOrder: every edge between locations that are reached leads forwards, or to the
// head of a component that its source is in, or is within a flat one; and exactly what
// can be reached is ordered.
func TestWeakOrder(t *testing.T) {
	components := 0
	for seed := range soak.Cases(uint64(3000)) {
		r := rand.New(rand.NewPCG(seed, 70))
		out := make([][]int, 1+r.IntN(12))
		for l := range out {
			for range r.IntN(4) {
				out[l] = append(out[l], r.IntN(len(out)))
			}
		}
		root := r.IntN(len(out))
		position, within := map[int]int{}, map[int][]int{} // within: heads
		var visit func(es []Element, heads []int)
		visit = func(es []Element, heads []int) {
			for _, e := range es {
				inner := heads
				if e.Component {
					components++
					inner = append(slices.Clone(heads), e.Node)
				}
				if _, twice := position[e.Node]; twice {
					t.Fatalf("seed %d: %d twice", seed, e.Node)
				}
				position[e.Node], within[e.Node] = len(position), inner
				visit(e.Body, inner)
			}
		}
		visit(WeakOrder(out, []int{root}), nil)
		reached, todo := map[int]bool{root: true}, []int{root}
		for len(todo) > 0 {
			l := todo[0]
			todo = todo[1:]
			for _, to := range out[l] {
				if !reached[to] {
					reached[to] = true
					todo = append(todo, to)
				}
			}
		}
		for l := range out {
			if _, ordered := position[l]; ordered != reached[l] {
				t.Fatalf("seed %d: %v from %d: location %d is ordered: %v", seed, out, root, l, ordered)
			}
			for _, to := range out[l] {
				if reached[l] && position[to] <= position[l] && !slices.Contains(within[l], to) {
					t.Fatalf("seed %d: %v from %d: edge %d to %d", seed, out, root, l, to)
				}
			}
		}
	}
	if components < soak.Cases(1000) {
		t.Errorf("only %d components", components)
	}
}
