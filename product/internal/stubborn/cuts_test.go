package stubborn

import (
	"fmt"
	"slices"
	"testing"

	"github.com/seltl/seltl/internal/statetable"
	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/ltl"
)

// TestCuts checks on random components that no way without a cut's actions leads to
// where an action is offered, by closure one transition at a time, and that an
// empty cut is only found where there is no way at all.
func TestCuts(t *testing.T) {
	count := map[string]int{}
	for seed := range soak.Cases(uint64(400)) {
		r := gen.Rand(seed)
		m := gen.LKS(r, "m", gen.Shape{States: 9, Actions: []string{"a", "b", "c", "d", "e", "f"}, Degree: 1.2 + r.Float64(), Tau: 0.1})
		b := New(lks.Single(m), ltl.T(), nil)
		for s := range int32(m.NumStates()) {
			for a := range int32(len(m.Alphabet())) {
				if len(m.Succ(s, a)) > 0 {
					continue
				}
				for _, cut := range b.parts[0].actionCuts(s, a) {
					if canOffer(m, s, a, cut) {
						t.Fatalf("seed %d: %v does not keep %d from offering %s", seed, cut, s, m.Alphabet()[a])
					}
					count["cuts"]++
					if len(cut) == 0 {
						count["empty"]++
					} else if !canOffer(m, s, a, nil) {
						t.Fatalf("seed %d: there is no way, but the cut is %v", seed, cut)
					}
				}
			}
		}
	}
	t.Log(count)
	if count["cuts"] < soak.Cases(5000) || count["empty"] < soak.Cases(500) {
		t.Error(count)
	}
}

// canOffer reports whether m comes from s to a state with action a without taking
// actions of the cut.
func canOffer(m *lks.LKS, s, a int32, cut []int32) bool {
	reached := map[int32]bool{s: true}
	for grown := true; grown; {
		grown = false
		for from := range int32(m.NumStates()) {
			for _, e := range m.Edges(from) {
				if reached[from] && !slices.Contains(cut, e.Action) && !reached[e.Target] {
					reached[e.Target], grown = true, true
				}
			}
		}
	}
	for state := range reached {
		if len(m.Succ(state, a)) > 0 {
			return true
		}
	}
	return false
}

// TestSticky checks on random networks that no cycle of the composition is without
// visible and sticky rules.
func TestSticky(t *testing.T) {
	chosen := 0
	for seed := range soak.Cases(uint64(1500)) {
		r := gen.Rand(seed)
		net, err := gen.Network(r, 3, gen.Shape{States: 4, Actions: []string{"a", "b", "c", "d"}, Degree: 1.5, Tau: 0.1, Special: 0.1}).Build()
		if err != nil {
			continue
		}
		given := make([]bool, len(net.Rules()))
		for i := range given {
			given[i] = r.IntN(3) == 0
		}
		broken := sticky(net, given)
		if slices.Contains(broken, true) {
			chosen++
		}
		for i := range broken {
			broken[i] = broken[i] || given[i]
		}
		if hasCycle(net, broken) {
			t.Fatalf("seed %d: a cycle has neither visible nor sticky rules", seed)
		}
	}
	if chosen < 200 {
		t.Errorf("sticky rules chosen for %d networks only", chosen)
	}
}

// hasCycle reports whether the reachable states have a cycle without broken rules: whether
// removing states without such transitions to others, again and again, leaves any.
func hasCycle(net *lks.Network, broken []bool) bool {
	ex, table := net.Explorer(), statetable.New(net.Words())
	var succ lks.Successors
	numbers := func() []int32 {
		n := make([]int32, succ.Len())
		table.InsertAll(succ.States, n)
		return n
	}
	ex.Initial(&succ)
	numbers()
	var out [][]int32 // by state: where rules lead that are not broken
	for s := int32(0); int(s) < table.Len(); s++ {
		ex.Successors(table.State(s), &succ)
		targets := numbers()
		out = append(out, nil)
		for i, r := range succ.Rules {
			if !broken[r] {
				out[s] = append(out[s], targets[i])
			}
		}
	}
	gone := make([]bool, len(out))
	left := len(out)
	for shrunk := true; shrunk; {
		shrunk = false
		for s := range gone {
			if !gone[s] && !slices.ContainsFunc(out[s], func(to int32) bool { return !gone[to] }) {
				gone[s], shrunk = true, true
				left--
			}
		}
	}
	return left > 0
}

// TestStickyMany: each of very many components that go round by themselves has a rule
// chosen, or given. (It took half a minute when it was quadratic in them.)
func TestStickyMany(t *testing.T) {
	b := lks.NewBuilder("P")
	first, second := b.State(), b.State()
	b.Transition(first, "a", second)
	b.Transition(second, "b", first)
	b.Transition(second, "c", second)
	m, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	parts := make([]*lks.Network, soak.Size(100_000))
	for i := range parts {
		parts[i] = lks.Single(m).Prefix(fmt.Sprint("p", i))
	}
	net, err := lks.Compose("N", parts...)
	if err != nil {
		t.Fatal(err)
	}
	given := make([]bool, len(net.Rules()))
	for r, rule := range net.Rules() {
		given[r] = rule.Action == net.Action("p7.a")
	}
	broken := sticky(net, given)
	round, loops := make([]bool, len(parts)), make([]bool, len(parts))
	for r, rule := range net.Rules() {
		switch m.Alphabet()[rule.Parts[0].Action] {
		case "c":
			loops[rule.Parts[0].Component] = broken[r]
		case "a", "b":
			round[rule.Parts[0].Component] = round[rule.Parts[0].Component] || broken[r] || given[r]
		}
	}
	if slices.Contains(round, false) || slices.Contains(loops, false) {
		t.Error("a component can go round without a rule that is chosen or given")
	}
}
