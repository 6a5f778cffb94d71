package houdini

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seltl/seltl/internal/testing/soak"
)

// TestHullRandom compares hulls with their definition: all states that no clause of one or two literals, or of three with an
// element, refutes which all given states have.
func TestHullRandom(t *testing.T) {
	for seed := range soak.Seeds(uint64(400)) {
		rng := rand.New(rand.NewPCG(seed, 3101))
		n := 1 + rng.IntN(5)
		element, given := make([]bool, n), [][]bool{}
		for i := range element {
			element[i] = rng.IntN(3) > 0
		}
		h := newHull(element)
		if !h.empty() {
			t.Fatal("a hull of nothing is not empty")
		}
		for range 1 + rng.IntN(9) {
			state := make([]bool, n)
			for i := range state {
				state[i] = rng.IntN(3) > 0
			}
			given = append(given, state)
			h.add(state)
		}
		refuted := func(state []bool, c []literal) bool {
			return !slices.ContainsFunc(c, func(l literal) bool { return state[l.predicate()] == l.positive() })
		}
		var all [][]literal // of which all given states are models
		for a := range literal(2 * n) {
			for b := range a + 1 {
				for c := range b + 1 {
					clause := []literal{a, b, c}
					three := a != b && b != c
					if three && !slices.ContainsFunc(clause, func(l literal) bool { return element[l.predicate()] }) {
						continue
					}
					if !slices.ContainsFunc(given, func(s []bool) bool { return refuted(s, clause) }) {
						all = append(all, clause)
					}
				}
			}
		}
		for bits := range 1 << n {
			state := make([]bool, n)
			for i := range state {
				state[i] = bits>>i&1 == 1
			}
			broken := func(c []literal) bool { return refuted(state, c) }
			if got, want := slices.ContainsFunc(h.clauses(), broken), slices.ContainsFunc(all, broken); got != want {
				t.Fatalf("seed %d: %v of %v, elements %v: refuted %v, want %v\n%v", seed, state, given, element, got, want, h.clauses())
			}
		}
	}
}
