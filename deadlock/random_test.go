package deadlock

import (
	"context"
	"errors"
	"testing"

	"github.com/seltl/seltl/internal/gen"
	"github.com/seltl/seltl/internal/naive"
	"github.com/seltl/seltl/lks"
)

// randomNet returns a random network that is small enough for the naive twin.
func randomNet(seed uint64) *lks.Network {
	r := gen.Rand(seed)
	shape := gen.Small
	shape.States = 2 + r.IntN(6)
	shape.Degree = 1 + 1.5*r.Float64()
	shape.Tau = []float64{0, 0.1, 0.3}[r.IntN(3)]
	shape.Special = []float64{0, 0.3}[r.IntN(2)]
	n, err := gen.Network(r, 2+r.IntN(3), shape).Build()
	if err != nil {
		return nil // a clash of propositions, or the like
	}
	return n
}

// variants are all the ways to decide; shortest says that traces must be.
var variants = []struct {
	name     string
	opts     Options
	shortest bool
}{
	{"auto", Options{}, false},
	{"plain", Options{Method: Plain}, true},
	{"plain unreduced", Options{Method: Plain, NoReduction: true}, true},
	{"plain depth-first", Options{Method: Plain, Order: DepthFirst}, false},
	{"iter", Options{Method: Iter}, false},
	{"iter as in the thesis", Options{Method: Iter, NoReduction: true, NoAbandon: true, Cheapest: true}, false},
	{"iter one bit", Options{Method: Iter, OneBit: true}, false},
	{"iter one bit, cheapest, never abandoned", Options{Method: Iter, OneBit: true, Cheapest: true, NoAbandon: true}, false},
}

// TestRandomNetworks is Theorem 31: all ways to decide agree with an exhaustive
// search that shares no code with them; no refinement that is not proper (which
// panics); every trace is replayed by Check.
func TestRandomNetworks(t *testing.T) {
	count := uint64(4000)
	if testing.Short() {
		count = 500
	}
	deadlocks, proved, tested := 0, 0, 0
	for seed := range count {
		net := randomNet(seed)
		if net == nil {
			continue
		}
		g := naive.Explore(net)
		want := g.Deadlock()
		tested++
		if want >= 0 {
			deadlocks++
		}
		for _, v := range variants {
			r, err := Check(context.Background(), net, v.opts)
			if err != nil {
				t.Fatalf("seed %d, %s: %v", seed, v.name, err)
			}
			if r.Free() != (want < 0) {
				t.Fatalf("seed %d, %s: free %v, naively %v", seed, v.name, r.Free(), want < 0)
			}
			if got := 0; want >= 0 {
				if got = r.Deadlock.Trace.Len(); got < want || v.shortest && got > want {
					t.Fatalf("seed %d, %s: trace of length %d, nearest deadlock at %d", seed, v.name, got, want)
				}
			}
		}
		r, err := Check(context.Background(), net, Options{Method: Conditions})
		switch {
		case err == nil && want >= 0:
			t.Fatalf("seed %d: %v proves freedom of a network that deadlocks", seed, r.Proof)
		case err == nil:
			proved++
		case !errors.Is(err, ErrNotProved):
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
	t.Logf("%d networks, %d with deadlocks; %d proved free by conditions", tested, deadlocks, proved)
	if deadlocks < tested/10 || deadlocks > tested*9/10 {
		t.Errorf("%d of %d networks deadlock: not a fair sample", deadlocks, tested)
	}
}
