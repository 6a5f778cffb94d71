package lks_test

import (
	"slices"
	"testing"

	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/lks"
)

// TestSimplify checks on random networks that the composition of simplified
// components has the same minimal form as that of the originals, under the
// equivalence that was asked for and with unseen actions hidden.
func TestSimplify(t *testing.T) {
	smaller := map[lks.Equivalence]int{}
	for seed := range soak.Long(uint64(1500)) {
		r := gen.Rand(seed + 4_000_000)
		shape := gen.Shape{States: 5, Actions: []string{"a", "b", "c", "d", "e"}, Degree: 1.7, Tau: 0.3, Props: 0.5, Special: 0.15}
		net, err := gen.Network(r, 3, shape).Build()
		if err != nil {
			continue
		}
		seen := map[string]bool{lks.TauName: r.IntN(8) == 0}
		for _, a := range shape.Actions {
			seen[a] = r.IntN(3) == 0
		}
		view := lks.View{Prop: func(string) bool { return true }, Action: func(a string) bool { return seen[a] }}
		for _, q := range []lks.Equivalence{lks.Strong, lks.DivergenceBranching} {
			s, err := net.Simplify(view, q, nil)
			if err != nil {
				t.Fatal(err)
			}
			if s.Equivalence != q && net.Low() == nil && !seen[lks.TauName] {
				t.Fatalf("seed %d: %v instead of %v", seed, s.Equivalence, q)
			}
			before, after := minimal(t, net, seen, s.Equivalence), minimal(t, s.Network, seen, s.Equivalence)
			if before.NumStates() != after.NumStates() || before.NumTransitions() != after.NumTransitions() {
				t.Fatalf("seed %d, %v: the minimal form has %d states and %d transitions, with simplified components %d and %d", seed, q,
					before.NumStates(), before.NumTransitions(), after.NumStates(), after.NumTransitions())
			}
			for c, m := range s.Network.Components() {
				if m.NumStates() < net.Components()[c].Reachable().NumStates() {
					smaller[q]++
				}
				checkClasses(t, net.Components()[c], m, s.Class[c])
			}
		}
	}
	t.Log(smaller)
	if smaller[lks.Strong] < soak.Least(200) || smaller[lks.DivergenceBranching] < soak.Least(200) {
		t.Error(smaller)
	}
}

// minimal builds the network with unseen actions hidden, and minimises it.
func minimal(t *testing.T, net *lks.Network, seen map[string]bool, q lks.Equivalence) *lks.LKS {
	t.Helper()
	m, err := net.Hide(func(a string) bool { return !seen[a] }).Build(nil)
	if err != nil {
		t.Fatal(err)
	}
	if m, err = lks.Minimise(m, q, nil); err != nil {
		t.Fatal(err)
	}
	return m
}

func checkClasses(t *testing.T, m, small *lks.LKS, class []int32) {
	t.Helper()
	for _, s := range m.Initial() {
		if !slices.Contains(small.Initial(), class[s]) {
			t.Fatalf("the class of initial state %d is not initial", s)
		}
	}
	for s := range int32(m.NumStates()) {
		if class[s] < 0 {
			continue
		}
		if m.Kind(s) != small.Kind(class[s]) || !slices.Equal(m.Label(s), small.Label(class[s])) {
			t.Fatalf("state %d and its class differ", s)
		}
		for _, e := range m.Edges(s) {
			if class[e.Target] < 0 {
				t.Fatalf("state %d is reachable", e.Target)
			}
		}
	}
}

// TestSimplifyUnseen has a component with propositions and actions that nobody sees.
func TestSimplifyUnseen(t *testing.T) {
	b := lks.NewBuilder("M")
	var states []int32
	for range 10 {
		states = append(states, b.State("p"), b.State("q"))
	}
	for i, s := range states {
		b.Transition(s, []string{"a", "b"}[i%2], states[(i+1)%len(states)])
	}
	m, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	none := func(string) bool { return false }
	s, err := lks.Single(m).Simplify(lks.View{Prop: none, Action: none}, lks.DivergenceBranching, nil)
	if err != nil {
		t.Fatal(err)
	}
	small := s.Network.Components()[0]
	if small.NumStates() != 1 || small.NumTransitions() != 1 || s.Silenced != 2 {
		t.Errorf("%d states, %d transitions, %d actions silenced", small.NumStates(), small.NumTransitions(), s.Silenced)
	}
	if s, err = lks.Single(m).Simplify(lks.View{Prop: func(p string) bool { return p == "p" }, Action: none}, lks.Strong, nil); err != nil {
		t.Fatal(err)
	}
	if n := s.Network.Components()[0].NumStates(); n != 2 {
		t.Errorf("%d states, want 2", n)
	}
}
