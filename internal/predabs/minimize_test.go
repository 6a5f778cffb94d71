package predabs_test

import (
	"context"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/smt"

	. "github.com/seltl/seltl/internal/predabs"
)

// noAnswer is a solver whose optimisation never succeeds.
type noAnswer struct{}

func (noAnswer) Maximize(context.Context, []*logic.Term, []*logic.Term, []int) (smt.Status, logic.Model, bool, error) {
	return smt.Unknown, nil, false, nil
}

// TestMinimize compares with trying all sets of predicates.
func TestMinimize(t *testing.T) {
	p := newProver(t)
	for seed := range soak.Long(uint64(100)) {
		r := rand.New(rand.NewPCG(seed, 55))
		n := 3 + r.IntN(6)
		var paths [][][]int
		for range 1 + r.IntN(5) {
			var alternatives [][]int
			for range 1 + r.IntN(3) {
				var set []int
				for i := range n {
					if r.IntN(3) == 0 {
						set = append(set, i)
					}
				}
				alternatives = append(alternatives, set)
			}
			paths = append(paths, alternatives)
		}
		suffices := func(mask int) bool {
			for _, alternatives := range paths {
				ok := false
				for _, set := range alternatives {
					all := true
					for _, i := range set {
						all = all && mask>>i&1 == 1
					}
					ok = ok || all
				}
				if !ok {
					return false
				}
			}
			return true
		}
		least := n
		for mask := range 1 << n {
			if suffices(mask) {
				least = min(least, bits.OnesCount(uint(mask)))
			}
		}
		mask := func(chosen []int) (m int) {
			for _, i := range chosen {
				m |= 1 << i
			}
			return m
		}
		chosen, best, err := Minimize(ctx, p.z3, n, paths)
		if err != nil || !best || len(chosen) != least || !suffices(mask(chosen)) {
			t.Fatalf("seed %d: %v of %v (%v, %v), want %d", seed, chosen, paths, best, err, least)
		}
		chosen, best, err = Minimize(ctx, noAnswer{}, n, paths)
		if err != nil || best || !suffices(mask(chosen)) {
			t.Fatalf("seed %d: greedy: %v of %v (%v, %v)", seed, chosen, paths, best, err)
		}
	}
}
