package equivalence

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/lks"
)

// BenchmarkBisimulation compares a random LTS of n states and ten transitions a
// state with a copy whose states are numbered otherwise.
func BenchmarkBisimulation(b *testing.B) {
	for _, n := range []int{10_000, 100_000, 500_000} {
		b.Run(fmt.Sprint("n=", n), func(b *testing.B) {
			r := gen.Rand(1)
			x := permuted(rand.New(rand.NewPCG(1, 1)), n, r.Perm(n))
			y := permuted(rand.New(rand.NewPCG(1, 1)), n, r.Perm(n))
			b.ResetTimer()
			for range b.N {
				got, err := answer(b.Context(), lks.Single(x), lks.Single(y), Options{})
				if err != nil || !got.Equivalent() {
					b.Fatal(got.Equivalent(), err)
				}
			}
		})
	}
}

func permuted(r *rand.Rand, n int, number []int) *lks.LKS {
	b := lks.NewBuilder("P")
	for range n {
		b.State()
	}
	for range 10 * n {
		from, action, to := r.IntN(n), r.IntN(3), r.IntN(n)
		b.Transition(int32(number[from]), string(rune('a'+action)), int32(number[to]))
	}
	b.Initial(int32(number[0]))
	m, err := b.Build()
	if err != nil {
		panic(err)
	}
	return m
}
