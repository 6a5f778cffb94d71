package lks_test

import (
	"slices"
	"testing"

	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/lks"
)

// TestSimplifyTree checks on random networks that what is composed and minimised
// piece by piece has the same minimal form as the whole, under the equivalence that
// was asked for and with unseen actions hidden, whatever is given up on the way.
func TestSimplifyTree(t *testing.T) {
	count := map[string]int{}
	for seed := range soak.Cases(uint64(2000)) {
		r := gen.Rand(seed + 5_000_000)
		shape := gen.Shape{States: 4, Actions: []string{"a", "b", "c", "d", "e"}, Degree: 1.9, Tau: 0.2, Props: 0.4, Special: 0.25, ManyInitial: 0.1}
		if seed%4 == 0 { // more of them terminate
			shape.Tau, shape.Special = 0, 0.7
		}
		net, err := gen.Network(r, 5, shape).Build()
		if err != nil {
			continue // a clash of propositions
		}
		seen := map[string]bool{lks.TauName: r.IntN(8) == 0}
		for _, a := range shape.Actions {
			seen[a] = r.IntN(3) == 0
		}
		bound := []int{1, 4, 10, 1000}[r.IntN(4)]
		view := lks.View{Prop: func(string) bool { return true }, Action: func(a string) bool { return seen[a] }}
		for _, q := range []lks.Equivalence{lks.Strong, lks.DivergenceBranching} {
			s, err := net.SimplifyTree(view, q, lks.TreeLimits{States: bound}, nil)
			if err != nil {
				t.Fatal(err)
			}
			before, after := minimal(t, net, seen, s.Equivalence), minimal(t, s.Network, seen, s.Equivalence)
			if before.NumStates() != after.NumStates() || before.NumTransitions() != after.NumTransitions() {
				t.Fatalf("seed %d, %v, bound %d: the minimal form has %d states and %d transitions, composed from parts %d and %d", seed, q, bound,
					before.NumStates(), before.NumTransitions(), after.NumStates(), after.NumTransitions())
			}
			checkLocals(t, seed, net, s)
			count[q.String()]++
			if s.GivenUp > 0 {
				count["given up"]++
			}
			if len(s.Parts) < len(net.Components()) {
				count["composed"]++
			}
			if len(s.Parts) == 1 && len(net.Components()) > 2 {
				count["one"]++
			}
			if net.Low() != nil && len(s.Parts) < len(net.Components()) {
				count["composed, with priorities"]++
			}
			if hasEnd(net) && len(s.Parts) < len(net.Components()) {
				count["composed, with an end"]++
			}
		}
	}
	t.Log(count)
	for _, c := range []string{lks.Strong.String(), lks.DivergenceBranching.String(), "given up", "composed", "one", "composed, with priorities", "composed, with an end"} {
		if !testing.Short() && count[c] < 20 {
			t.Errorf("%s: only %d", c, count[c])
		}
	}
}

// checkLocals checks that each reachable state of net that is not special has a
// reachable state with the same propositions in its place.
func checkLocals(t *testing.T, seed uint64, net *lks.Network, s *lks.Simplified) {
	t.Helper()
	reached := map[string]bool{}
	for _, local := range reachable(s.Network) {
		reached[string(bytesOf(local))] = true
	}
	class := make([]int32, len(s.Network.Components()))
	packed, small := make([]uint64, net.Words()), make([]uint64, s.Network.Words())
	for _, local := range reachable(net) {
		net.Pack(local, packed)
		if net.Kind(packed) != lks.Normal {
			continue
		}
		s.Locals(local, class)
		if slices.Contains(class, -1) {
			t.Fatalf("seed %d: %v has %v in its place", seed, local, class)
		}
		s.Network.Pack(class, small)
		stored := class
		if net.Settled(packed) { // silent steps lead to the END, which is there already
			s.Network.Canonicalise(small)
			stored = make([]int32, len(class))
			s.Network.Unpack(small, stored)
			s.Network.Pack(class, small)
		}
		if !reached[string(bytesOf(stored))] {
			t.Fatalf("seed %d: %v has %v in its place, which is not reachable", seed, local, class)
		}
		for _, name := range net.Props() {
			c, p, _ := net.Prop(name)
			d, q, _ := s.Network.Prop(name)
			if net.HasProp(packed, c, p) != s.Network.HasProp(small, d, q) {
				t.Fatalf("seed %d: %s in %v and in %v differ", seed, name, local, class)
			}
		}
	}
	parts := slices.Concat(s.Parts...)
	slices.Sort(parts)
	for c := range net.Components() {
		if len(parts) != len(net.Components()) || parts[c] != int32(c) {
			t.Fatalf("seed %d: parts %v", seed, s.Parts)
		}
	}
}

// hasEnd reports whether a network can reach its termination.
func hasEnd(net *lks.Network) bool {
	packed := make([]uint64, net.Words())
	return slices.ContainsFunc(reachable(net), func(local []int32) bool {
		net.Pack(local, packed)
		return net.Kind(packed) == lks.End
	})
}

func bytesOf(local []int32) []byte {
	var b []byte
	for _, s := range local {
		b = append(b, byte(s), byte(s>>8))
	}
	return b
}

// reachable returns the reachable states of a network, unpacked.
func reachable(net *lks.Network) [][]int32 {
	var all [][]int32
	seen := map[string]bool{}
	var succ lks.Successors
	add := func() {
		for i := range succ.Len() {
			local := make([]int32, len(net.Components()))
			net.Unpack(succ.States[i*net.Words():], local)
			if key := string(bytesOf(local)); !seen[key] {
				seen[key] = true
				all = append(all, local)
			}
		}
	}
	ex := net.Explorer()
	ex.Initial(&succ)
	add()
	packed := make([]uint64, net.Words())
	for i := 0; i < len(all); i++ {
		net.Pack(all[i], packed)
		ex.Successors(packed, &succ)
		add()
	}
	return all
}

// TestSimplifyTreeSizes has a ring of which one station is seen: all others become
// one component.
func TestSimplifyTreeSizes(t *testing.T) {
	net := gen.Ring(40)
	seen := map[string]bool{"try1": true, "crit1": true}
	view := lks.View{Prop: func(p string) bool { return seen[p] }, Action: func(string) bool { return false }}
	s, err := net.SimplifyTree(view, lks.DivergenceBranching, lks.TreeLimits{States: 1000}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Parts) != 1 || s.Network.Components()[0].NumStates() > 4 || s.GivenUp > 0 {
		t.Errorf("%d components, the first of %d states, %d given up, largest %d", len(s.Parts), s.Network.Components()[0].NumStates(), s.GivenUp, s.Largest)
	}
	if s, err = net.SimplifyTree(view, lks.Strong, lks.TreeLimits{States: 10}, nil); err != nil {
		t.Fatal(err)
	}
	if s.GivenUp == 0 || len(s.Parts) != 40 {
		t.Errorf("%d components, %d given up", len(s.Parts), s.GivenUp)
	}
}
