package lks_test

import (
	"slices"
	"testing"

	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/explore"
)

// TestTerminationData: the data say of all reachable states what Settled and Kind say.
func TestTerminationData(t *testing.T) {
	settled, ended, silent := 0, 0, 0
	for seed := range uint64(4000) {
		n := gen.Composed(seed)
		if n == nil {
			continue
		}
		r, err := explore.Reach(n, explore.Options{Resources: explore.Resources{Store: explore.Numbered}})
		if err != nil {
			t.Fatal(err)
		}
		ends := n.Termination()
		e := n.Explorer()
		var succ lks.Successors
		for s := range int32(r.Len()) {
			state := r.State(s)
			all := ends.Deciders != nil
			for i, c := range ends.Deciders {
				all = all && slices.Contains(ends.Ends[i], n.Local(state, c))
			}
			if all != n.Settled(state) {
				t.Fatalf("seed %d: %s settled: %v, by the data %v", seed, n.StateName(state), !all, all)
			}
			e.Successors(state, &succ)
			kind := n.Kind(state)
			if kind != lks.Error && (kind == lks.End) != (all && succ.Len() == 0) {
				t.Fatalf("seed %d: %s is of kind %v, with %d successors", seed, n.StateName(state), kind, succ.Len())
			}
			if !all || kind == lks.Error {
				continue
			}
			settled++
			if kind == lks.End {
				ended++
			}
			for _, rule := range succ.Rules {
				silent++
				if !slices.Contains(ends.Silent, rule) {
					t.Fatalf("seed %d: rule %d leaves %s, where all are at their End", seed, rule, n.StateName(state))
				}
			}
		}
	}
	if ended < 100 || settled == ended || silent < 20 {
		t.Errorf("only %d settled states, %d ends, %d silent steps", settled, ended, silent)
	}
}
