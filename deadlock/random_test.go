package deadlock

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/naive"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/run"
)

// randomNet returns a random network that is small enough for the naive twin.
func randomNet(seed uint64) *lks.Network {
	r := gen.Rand(seed)
	shape := gen.Small
	shape.States = 3 + r.IntN(6)
	shape.Degree = 1.5 + 1.5*r.Float64()
	shape.Tau = []float64{0, 0.1, 0.3}[r.IntN(3)]
	shape.Special = []float64{0, 0.3}[r.IntN(2)]
	n, err := gen.Network(r, 3+r.IntN(3), shape).Build()
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
	find     finder
}{
	{"auto", Options{}, false, find},
	{"plain", Options{Method: Plain}, true, find},
	{"plain unreduced", Options{Method: Plain, NoReduction: true}, true, find},
	{"iter", Options{Method: Iter}, false, find},
	{"auto, minimised soon", Options{}, false, minimisedSoon},
	{"tree", Options{Method: Tree}, false, find},
	{"iter as in the thesis", Options{Method: Iter, NoReduction: true, NoAbandon: true}, false, find},
	{"iter never abandoned", Options{Method: Iter, NoAbandon: true}, false, find},
}

// minimisedSoon begins with what Auto tries when a search has become long.
func minimisedSoon(ctx context.Context, net *lks.Network, opts *Options, result *Result) (*run.Run, error) {
	if free, _ := tryTree(ctx, net, opts, headStart/8, result); free {
		return nil, nil
	}
	return find(ctx, net, opts, result)
}

// TestRandomNetworks is Theorem 31: all ways to decide agree with an exhaustive
// search that shares no code with them; no refinement that is not proper (which
// panics); every trace is replayed by Check.
func TestRandomNetworks(t *testing.T) {
	var c counts
	for seed := range c.wanted(2000) {
		if net := randomNet(seed); net != nil {
			c.test(t, seed, net)
		}
	}
	c.report(t)
}

// TestRandomMeetings is the same for networks that meet in twos, where deadlocks
// are deeper and the sufficient conditions have something to prove.
func TestRandomMeetings(t *testing.T) {
	var c counts
	for seed := range c.wanted(750) {
		r := gen.Rand(seed)
		c.test(t, seed, gen.Meeting(r, 3+r.IntN(4), 3+r.IntN(6)))
	}
	c.report(t)
	if c.rules["ordered waits"] == 0 || c.rules["acyclic communication graph"] == 0 {
		t.Error("a condition was never used")
	}
}

// counts says what a random test has covered.
type counts struct {
	tested, deadlocks, states, depth int
	trees                            int            // decided by Auto after minimisation
	rules                            map[string]int // proofs of freedom
}

func (c *counts) wanted(n uint64) uint64 {
	c.rules = map[string]int{}
	return soak.Long(n)
}

func (c *counts) test(t *testing.T, seed uint64, net *lks.Network) {
	t.Helper()
	g := naive.Explore(net)
	want := g.Deadlock()
	c.tested++
	c.states += len(g.States)
	if want >= 0 {
		c.deadlocks++
		c.depth = max(c.depth, want)
	}
	for _, v := range variants {
		r, err := answerBy(context.Background(), net, &v.opts, v.find)
		if err != nil {
			t.Fatalf("seed %d, %s: %v", seed, v.name, err)
		}
		if r.Free() != (want < 0) {
			t.Fatalf("seed %d, %s: free %v, naively %v", seed, v.name, r.Free(), want < 0)
		}
		if v.name == "auto, minimised soon" && r.Method == Tree {
			c.trees++
		}
		if want < 0 {
			continue
		}
		if got := r.Deadlock.Trace.Len(); got < want || v.shortest && got > want {
			t.Fatalf("seed %d, %s: trace of length %d, nearest deadlock at %d", seed, v.name, got, want)
		}
	}
	r, err := answer(context.Background(), net, Options{Method: Conditions})
	switch {
	case err == nil && want >= 0:
		t.Fatalf("seed %d: %v proves freedom of a network that deadlocks", seed, r.Proof)
	case err == nil:
		c.rules[r.Proof.Rule]++
	case !errors.Is(err, ErrNotProved):
		t.Fatalf("seed %d: %v", seed, err)
	}
}

func (c *counts) report(t *testing.T) {
	t.Helper()
	t.Logf("%d networks of %d states on average, %d with deadlocks, at most %d deep; proved free: %v", c.tested, c.states/c.tested, c.deadlocks, c.depth, c.rules)
	if c.deadlocks < c.tested/10 || c.deadlocks > c.tested*9/10 {
		t.Errorf("%d of %d networks deadlock: not a fair sample", c.deadlocks, c.tested)
	}
	if c.trees < c.tested/20 {
		t.Errorf("minimisation decided only %d networks", c.trees)
	}
}

// TestRandomLivelocks compares Livelock and Local with the naive twin.
func TestRandomLivelocks(t *testing.T) {
	count := soak.Long(uint64(3000))
	livelocks, locals, tested := 0, 0, 0
	for seed := range count {
		net := randomNet(seed)
		if net == nil {
			continue
		}
		g := naive.Explore(net)
		if len(g.States) > 150 {
			continue // the twin is cubic
		}
		tested++
		live, err := Livelock(context.Background(), net, Options{})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if want := g.Livelock(); live.Reason != nil || (live.Lasso != nil) != want {
			t.Fatalf("seed %d: livelock %v, naively %v", seed, live.Lasso != nil, want)
		}
		if live.Lasso != nil {
			livelocks++
		}
		local, err := Local(context.Background(), net, Options{})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		dead := g.Dead()
		nearest := slices.IndexFunc(dead, func(d []int) bool { return len(d) > 0 })
		if (local.Trace != nil) != (nearest >= 0) {
			t.Fatalf("seed %d: local deadlock %v, naively %v", seed, local.Trace != nil, nearest >= 0)
		}
		if nearest < 0 {
			continue
		}
		locals++
		if local.Trace.Len() != g.Depth[nearest] {
			t.Fatalf("seed %d: trace of length %d, nearest at %d", seed, local.Trace.Len(), g.Depth[nearest])
		}
		i := slices.IndexFunc(g.States, func(s []int32) bool { return slices.Equal(s, local.Trace.Last.Local) })
		if !slices.Equal(dead[i], local.Dead) {
			t.Fatalf("seed %d: dead %v, naively %v", seed, local.Dead, dead[i])
		}
	}
	t.Logf("%d networks, %d with livelocks, %d with local deadlocks", tested, livelocks, locals)
	if livelocks == 0 || locals == 0 || locals == tested {
		t.Error("not a fair sample")
	}
}
