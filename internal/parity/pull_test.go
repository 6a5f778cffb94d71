package parity

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seltl/seltl/internal/bdd"
	"github.com/seltl/seltl/internal/numset"
	"github.com/seltl/seltl/internal/testing/soak"
)

// TestPull: on every cycle that a random walk closes, the least priority stays even or odd, and
// what is left out of rounds would have changed nothing.
func TestPull(t *testing.T) {
	changed := 0
	for seed := range soak.Cases(uint64(3000)) {
		rng := rand.New(rand.NewPCG(seed, 21))
		g := make(Graph, 1+rng.IntN(7))
		for s := range g {
			for range 1 + rng.IntN(3) {
				g[s] = append(g[s], Edge{bdd.True, rng.Int32N(int32(len(g))), rng.IntN(5)})
			}
		}
		before := fmt.Sprint(g)
		plain := g.copied()
		if plain.pullPlainly(); fmt.Sprint(plain) != fmt.Sprint(pulled(g.copied())) {
			t.Fatalf("seed %d: %s becomes %v, in full rounds %v", seed, before, pulled(g.copied()), plain)
		}
		cycles, parities := randomCycles(rng, g)
		for _, change := range []func(){g.Pull, g.Forget, g.Pull} {
			change()
			for i, c := range cycles {
				if g.least(c)%2 != parities[i] {
					t.Fatalf("seed %d: cycle %v of %s: least priority %d after, in %v", seed, c, before, g.least(c), g)
				}
			}
		}
		if fmt.Sprint(g) != before {
			changed++
		}
	}
	if changed < soak.Cases(1000) {
		t.Errorf("%d graphs changed", changed)
	}
}

func pulled(g Graph) Graph {
	g.Pull()
	return g
}

// pullPlainly is Pull that asks all states in all rounds.
func (g Graph) pullPlainly() {
	w := g.within()
	w.due = numset.NewBits(len(g))
	changed := true
	for round := 0; changed && round < len(g); round++ {
		changed = false
		for s := range g {
			changed = w.pull(int32(s)) || changed
		}
	}
}

func (g Graph) copied() Graph {
	c := make(Graph, len(g))
	for s := range g {
		c[s] = slices.Clone(g[s])
	}
	return c
}

// randomCycles are of edges, each given by a state and a place; they may pass states again.
func randomCycles(rng *rand.Rand, g Graph) (cycles [][][2]int, parities []int) {
	for range 40 {
		start := rng.IntN(len(g))
		var path [][2]int
		for at := start; len(path) < 3*len(g); {
			i := rng.IntN(len(g[at]))
			path = append(path, [2]int{at, i})
			if at = int(g[at][i].To); at == start && rng.IntN(2) == 0 {
				cycles = append(cycles, path)
				parities = append(parities, g.least(path)%2)
				break
			}
		}
	}
	return cycles, parities
}

func (g Graph) least(cycle [][2]int) int {
	least := Silent
	for _, at := range cycle {
		least = min(least, g[at[0]][at[1]].Priority)
	}
	return least
}
