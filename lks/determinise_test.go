package lks_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/naive"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/lks"
)

// endingLKS makes LKSs with silent steps, propositions, END and ERROR, in many of which
// one trace can end in different ways.
func endingLKS(seed uint64) *lks.LKS {
	r := gen.Rand(seed)
	return gen.LKS(r, "m", gen.Shape{
		States: 2 + int(seed%6), Actions: []string{"a", "b"}, Degree: 1 + r.Float64(),
		Tau: float64(seed%5) / 6, Props: 0.5, Special: 0.7, ManyInitial: 0.2,
	})
}

// TestDeterminise compares with the definition of traces, and asks for determinism by
// definition: what is seen determines the state.
func TestDeterminise(t *testing.T) {
	met := map[string]int{}
	for seed := range soak.Long(uint64(2500)) {
		m := randomLKS(seed)
		if seed%4 > 0 {
			m = endingLKS(seed)
		}
		for _, traces := range []lks.Traces{lks.AllTraces, lks.UntilError} {
			d, err := lks.Determinise(m, traces, nil)
			if err != nil {
				t.Fatal(err)
			}
			const symbols = 4
			want := naive.FromLKS(m).Traces(symbols, traces == lks.UntilError)
			got := naive.FromLKS(d).Traces(symbols, traces == lks.UntilError)
			for trace := range want {
				if _, ok := got[trace]; !ok {
					t.Fatalf("seed %d: trace%s is lost\n%s%s", seed, trace, gen.Dump(m), gen.Dump(d))
				}
			}
			for trace := range got {
				if _, ok := want[trace]; !ok {
					t.Fatalf("seed %d: trace%s is new\n%s%s", seed, trace, gen.Dump(m), gen.Dump(d))
				}
			}
			checkDeterministic(t, d, traces, seed)
			checkDeterminiseTwice(t, m, d, traces, seed)
			meet(met, m, d, want)
		}
	}
	t.Log(met)
	for _, what := range []string{"END and more", "ERROR and more", "END", "ERROR", "propositions", "several initial states", "silent"} {
		if met[what] < int(soak.Long(uint64(2500)))/50 {
			t.Errorf("%s: only %d cases", what, met[what])
		}
	}
}

func meet(met map[string]int, m, d *lks.LKS, traces map[string]map[string]bool) {
	for what, is := range map[string]bool{
		"END": d.Stats().Ends > 0, "ERROR": d.Stats().Errors > 0, "propositions": d.NumLabelClasses() > 1,
		"several initial states": len(d.Initial()) > 1, "silent": d.Stats().Silent > 0,
	} {
		if is {
			met[what]++
		}
	}
	for _, kind := range []lks.Kind{lks.End, lks.Error} {
		name := map[lks.Kind]string{lks.End: "END", lks.Error: "ERROR"}[kind]
		for trace, states := range traces {
			if _, ends := traces[trace+" "+name]; ends && slices.ContainsFunc(slices.Collect(maps.Keys(states)), func(s string) bool {
				var n int32
				fmt.Sscan(s, &n)
				return len(m.Edges(n)) > 0
			}) {
				met[name+" and more"]++
				break
			}
		}
	}
}

// checkDeterministic checks what Determinise promises of its result.
func checkDeterministic(t *testing.T, d *lks.LKS, traces lks.Traces, seed uint64) {
	t.Helper()
	type seen struct{ action, label int32 }
	labels := map[int32]bool{}
	for _, s := range d.Initial() {
		if labels[d.LabelClass(s)] {
			t.Fatalf("seed %d: two initial states look alike\n%s", seed, gen.Dump(d))
		}
		labels[d.LabelClass(s)] = true
	}
	for s := range int32(d.NumStates()) {
		steps, endings := map[seen]bool{}, map[lks.Kind]bool{}
		for _, e := range d.Edges(s) {
			if x := d.LabelClass(e.Target); e.Action == lks.TauID && x == d.LabelClass(s) {
				kind := d.Kind(e.Target)
				if traces == lks.UntilError || kind == lks.Normal || endings[kind] {
					t.Fatalf("seed %d: state %d has a silent step that changes nothing\n%s", seed, s, gen.Dump(d))
				}
				endings[kind] = true
			} else if steps[seen{e.Action, x}] {
				t.Fatalf("seed %d: state %d has two successors by %s that look alike\n%s", seed, s, d.Alphabet()[e.Action], gen.Dump(d))
			} else {
				steps[seen{e.Action, x}] = true
			}
		}
	}
	if len(d.Props()) == 0 && len(d.Initial()) != 1 {
		t.Fatalf("seed %d: %d initial states without propositions", seed, len(d.Initial()))
	}
}

// checkDeterminiseTwice: again changes nothing, and neither does minimising before.
func checkDeterminiseTwice(t *testing.T, m, d *lks.LKS, traces lks.Traces, seed uint64) {
	t.Helper()
	blind := lks.Branching
	if traces == lks.UntilError {
		blind = lks.DivergenceBranching // it sees whether a run that does not end is in a deadlock
	}
	for _, from := range []*lks.LKS{d, reduced(t, m, lks.Strong), reduced(t, m, blind)} {
		again, err := lks.Determinise(from, traces, nil)
		if err != nil {
			t.Fatal(err)
		}
		if gen.Dump(again) != gen.Dump(d) {
			t.Fatalf("seed %d: determinised%s, from %s%s", seed, gen.Dump(d), gen.Dump(from), gen.Dump(again))
		}
	}
}

func reduced(t *testing.T, m *lks.LKS, q lks.Equivalence) *lks.LKS {
	t.Helper()
	small, err := lks.Minimise(m, q, nil)
	if err != nil {
		t.Fatal(err)
	}
	return small
}

func allEdges(m *lks.LKS) []lks.Edge {
	var edges []lks.Edge
	for s := range int32(m.NumStates()) {
		edges = append(edges, m.Edges(s)...)
	}
	return edges
}
