package frontier_test

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/frontier"
)

// TestRandomGraphs compares numbers and ways with distances that are computed by
// relaxation, on random graphs with states of one and of two words.
func TestRandomGraphs(t *testing.T) {
	far := 0
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 0xf407))
		nodes, words := 1+r.IntN(60), 1+int(seed%2)
		edges := make([][]int32, nodes) // the i-th by rule i
		for n := range edges {
			for range r.IntN(4) {
				edges[n] = append(edges[n], int32(r.IntN(nodes)))
			}
		}
		pack := func(nodes ...int32) []uint64 {
			var states []uint64
			for _, n := range nodes {
				states = append(states, uint64(n)+7)
				for len(states)%words != 0 {
					states = append(states, uint64(n)*uint64(n))
				}
			}
			return states
		}
		start := int32(r.IntN(nodes))
		f := frontier.New(words)
		f.Reach(-1, pack(start), []int32{-1})
		for s := range f.InOrder {
			n := f.State(s)[0] - 7
			rules := make([]int32, len(edges[n]))
			for i := range rules {
				rules[i] = int32(i)
			}
			f.Reach(s, pack(edges[n]...), rules)
		}
		dist := distances(edges, start)
		met, last := 0, 0
		for _, d := range dist {
			if d >= 0 {
				met++
			}
			far = max(far, d)
		}
		if f.Len() != met {
			t.Fatalf("seed %d: %d states, want %d", seed, f.Len(), met)
		}
		for s := range int32(f.Len()) {
			way, by := f.Way(s)
			at := start
			for i, rule := range by {
				if at = edges[at][rule]; int64(f.State(way[i+1])[0]-7) != int64(at) {
					t.Fatalf("seed %d: the way %v to %d by %v is none", seed, way, s, by)
				}
			}
			if n := f.State(s)[0] - 7; len(by) != dist[n] || len(way) != len(by)+1 || len(by) < last {
				t.Fatalf("seed %d: a way of %d steps to %d, at a distance of %d", seed, len(by), n, dist[n])
			}
			last = len(by)
		}
	}
	if far < 8 {
		t.Errorf("no graph is deeper than %d", far)
	}
}

func distances(edges [][]int32, start int32) []int {
	dist := make([]int, len(edges))
	for n := range dist {
		dist[n] = -1
	}
	dist[start] = 0
	for changed := true; changed; {
		changed = false
		for n, d := range dist {
			for _, m := range edges[n] {
				if d >= 0 && (dist[m] < 0 || dist[m] > d+1) {
					dist[m], changed = d+1, true
				}
			}
		}
	}
	return dist
}

// TestTick: the meter hears of the states, and its error comes back; none is no limit.
func TestTick(t *testing.T) {
	f := frontier.New(1)
	f.Number([]uint64{3, 4, 3})
	stop := errors.New("stop")
	meter := budget.Watch(func(p budget.Progress) error {
		if p.States != 2 || p.Phase != "testing" {
			t.Errorf("%+v", p)
		}
		return stop
	})
	if err := f.Tick(meter, budget.Progress{Phase: "testing"}); err != stop {
		t.Error(err)
	}
	if err := f.Tick(nil, budget.Progress{}); err != nil {
		t.Error(err)
	}
	if f.Ways() {
		t.Error("Number remembers ways")
	}
	if !f.Due(nil, 0, 0) || f.Due(nil, 1, 1) || !f.Due(nil, 0, 1<<20) || f.Due(budget.New(nil, budget.Limits{States: int64(f.Len())}, nil), 2, 2) {
		t.Error("wrong pace")
	}
}
