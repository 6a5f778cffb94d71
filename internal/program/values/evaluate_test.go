package values

import (
	"math/rand/v2"
	"testing"

	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/logic"
)

// TestEval: what is known of a random term is its value in every state that the environment
// represents.
func TestEval(t *testing.T) {
	numbers, symbols := 0, 0
	ops := map[logic.Op]int{}
	n := soak.Long(uint64(800))
	for seed := range n {
		g := newTerms(rand.New(rand.NewPCG(seed, 60)), seed%4 == 0)
		w := g.newWorld()
		for range 10 {
			f := g.term(g.sorts[g.IntN(len(g.sorts))], 1+g.IntN(4))
			v := w.env.eval(w.compile(f))
			if v.sym == unknown {
				continue
			}
			if v.sym == 0 {
				numbers++
			} else {
				symbols++
			}
			ops[f.Op()]++
			for range 8 {
				want, err := logic.Eval(f, w.state)
				if err == nil && !w.agrees(v, f.Sort(), want) {
					t.Fatalf("seed %d: %s is %v, want %s in %s", seed, f, v, want, w.state)
				}
				w.sample()
			}
		}
	}
	t.Logf("%d numbers, %d with symbols, by operator %v", numbers, symbols, ops)
	if numbers < int(n) || symbols < int(n)/10 || len(ops) < 30 && !testing.Short() {
		t.Errorf("little is known: %d numbers, %d with symbols, by operator %v", numbers, symbols, ops)
	}
}
