package lks_test

import (
	"slices"
	"testing"

	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/explore"
)

// TestEnginesAgree: the successors of every state are the same, in the same
// order, with tables of all forms and without.
func TestEnginesAgree(t *testing.T) {
	states, many, compared := 0, 0, 0
	for seed := range soak.Long(uint64(1500)) {
		net := gen.Composed(seed)
		if net == nil {
			continue
		}
		if seed%3 > 0 {
			// Rules far apart: most components have parts in few words.
			net = lks.Padded(net, int(seed%97), int(seed%190))
		}
		if len(net.Rules()) > 256 {
			many++
		}
		sparse := lks.Variant(net, 64, true)
		if lks.Dense(sparse) { // no rule can ever fire
			continue
		}
		compared++
		r, err := explore.Reach(sparse, explore.Options{Resources: explore.Resources{Store: explore.Numbered}})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		for _, width := range []int{8, 5, 0} {
			grouped := lks.Grouped(net, width)
			if !lks.Dense(grouped) {
				t.Fatalf("seed %d: no tables", seed)
			}
			sameSuccessors(t, seed, sparse, grouped, r)
		}
		states += r.Len()
	}
	t.Logf("%d networks with %d states, %d with more than 256 rules", compared, states, many)
	if compared < soak.Long(1200) || many < soak.Least(200) {
		t.Error("too few networks, or too few with many rules")
	}
}

// sameSuccessors compares the successors of the states that were reached.
func sameSuccessors(t *testing.T, seed uint64, want, got *lks.Network, r *explore.Reached) {
	t.Helper()
	we, ge := want.Explorer(), got.Explorer()
	var ws, gs lks.Successors
	for s := range int32(r.Len()) {
		we.Successors(r.State(s), &ws)
		ge.Successors(r.State(s), &gs)
		if !slices.Equal(ws.Rules, gs.Rules) || !slices.Equal(ws.States, gs.States) {
			t.Fatalf("seed %d: state %s: with tables by rules %v to %v, without by %v to %v",
				seed, want.StateName(r.State(s)), gs.Rules, gs.States, ws.Rules, ws.States)
		}
	}
}

// TestManyRules: philosophers of several words and more rules than one word of a
// bitset per component.
func TestManyRules(t *testing.T) {
	for _, net := range []*lks.Network{gen.Philosophers(60, false), gen.Ring(50), gen.ReadersWriters(90)} {
		if !lks.Dense(net) {
			t.Errorf("%s: no tables for %d rules", net.Name(), len(net.Rules()))
		}
		sparse := lks.Variant(net, 64, true)
		se, de := sparse.Explorer(), net.Explorer()
		var want, got lks.Successors
		states := walkThrough(net, 3000)
		for w := net.Words(); len(states) > 0; states = states[w:] {
			se.Successors(states[:w], &want)
			de.Successors(states[:w], &got)
			if !slices.Equal(want.Rules, got.Rules) || !slices.Equal(want.States, got.States) {
				t.Fatalf("%s: different successors of %s", net.Name(), net.StateName(states[:w]))
			}
		}
	}
}

// BenchmarkSuccessors computes successors along walks, nothing else, with tables
// and without.
func BenchmarkSuccessors(b *testing.B) {
	for _, net := range []*lks.Network{
		gen.Philosophers(12, false), gen.Philosophers(100, false), gen.Philosophers(1000, false), gen.Ring(200), gen.Ring(1000), gen.ReadersWriters(100),
	} {
		for name, n := range map[string]*lks.Network{"tables": net, "sparse": lks.Variant(net, 64, true)} {
			b.Run(net.Name()+"/"+name, func(b *testing.B) {
				states := walkThrough(n, 200)
				e := n.Explorer()
				var succ lks.Successors
				transitions := 0
				for b.Loop() {
					for at := 0; at < len(states); at += n.Words() {
						e.Successors(states[at:at+n.Words()], &succ)
						transitions += succ.Len()
					}
				}
				ns := float64(b.Elapsed().Nanoseconds())
				b.ReportMetric(ns/float64(b.N)/200, "ns/state")
				b.ReportMetric(ns/float64(transitions), "ns/transition")
			})
		}
	}
}

// walkThrough returns so many states of a walk, one after the other; it begins
// again where it cannot go on.
func walkThrough(n *lks.Network, steps int) []uint64 {
	e := n.Explorer()
	w := n.Words()
	var succ lks.Successors
	e.Initial(&succ)
	initial := slices.Clone(succ.States[:w])
	states := slices.Clone(initial)
	for step := 1; step < steps; step++ {
		e.Successors(states[len(states)-w:], &succ)
		if succ.Len() == 0 {
			states = append(states, initial...)
			continue
		}
		i := int(uint(step*2654435761>>7) % uint(succ.Len()))
		states = append(states, succ.States[i*w:(i+1)*w]...)
	}
	return states
}
