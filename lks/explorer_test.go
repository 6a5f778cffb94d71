package lks_test

import (
	"slices"
	"testing"

	"github.com/seltl/seltl/internal/gen"
	"github.com/seltl/seltl/lks"
)

// TestEnginesAgree: the successors of every state are the same, in the same
// order, with tables of all forms and without.
func TestEnginesAgree(t *testing.T) {
	states, many, compared := 0, 0, 0
	for seed := range uint64(1500) {
		net := randomNetwork(seed)
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
		r, err := lks.Reach(sparse, lks.ReachOptions{})
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
	if compared < 1200 || many < 200 {
		t.Error("too few networks, or too few with many rules")
	}
}

// sameSuccessors compares the successors of the states that were reached.
func sameSuccessors(t *testing.T, seed uint64, want, got *lks.Network, r *lks.Reached) {
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
		var succ lks.Successors
		se, de := sparse.Explorer(), net.Explorer()
		de.Initial(&succ)
		state := slices.Clone(succ.States[:net.Words()])
		var other lks.Successors
		for step := range 20_000 { // a walk that is never the same
			de.Successors(state, &succ)
			se.Successors(state, &other)
			if !slices.Equal(succ.Rules, other.Rules) || !slices.Equal(succ.States, other.States) {
				t.Fatalf("%s: different successors at step %d", net.Name(), step)
			}
			if succ.Len() == 0 {
				break
			}
			i := int(uint(step*2654435761>>7) % uint(succ.Len()))
			copy(state, succ.States[i*net.Words():])
		}
	}
}
