package statetable_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seltl/seltl/internal/statetable"
	"github.com/seltl/seltl/internal/testing/soak"
)

// TestStack compares a Stack with a slice that is searched from its start.
func TestStack(t *testing.T) {
	for seed := range soak.Long(uint64(30)) {
		r := rand.New(rand.NewPCG(seed, 1))
		words, values := 1+r.IntN(3), uint64(2+r.IntN(3000))
		s := statetable.NewStack(words)
		var want [][]uint64
		up := 0.5
		for step := range 6000 {
			if step%500 == 0 {
				up = 0.2 + 0.6*r.Float64()
			}
			state := make([]uint64, words)
			for i := range state {
				state[i] = r.Uint64N(values)
			}
			at := slices.IndexFunc(want, func(other []uint64) bool { return slices.Equal(other, state) })
			if got := s.Find(state); got != at {
				t.Fatalf("seed %d, step %d: found at %d, is at %d", seed, step, got, at)
			}
			switch {
			case r.Float64() < up && at < 0:
				s.Push(state)
				want = append(want, state)
			case len(want) > 0:
				s.Pop()
				want = want[:len(want)-1]
			}
			if s.Len() != len(want) || !slices.Equal(s.States(0), slices.Concat(want...)) {
				t.Fatalf("seed %d, step %d: %d states, want %d", seed, step, s.Len(), len(want))
			}
		}
	}
}
