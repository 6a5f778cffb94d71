package equivalence

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/naive"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/lks"
)

// silentShapes make silent cycles, deadlocks, END and ERROR likely, side by side.
var silentShapes = []gen.Shape{
	{States: 4, Actions: []string{"a"}, Degree: 1.2, Tau: 0.6},
	{States: 5, Actions: []string{"a"}, Degree: 1.3, Tau: 0.6, Props: 0.5, Special: 0.6, ManyInitial: 0.2},
	{States: 5, Actions: []string{"a", "b"}, Degree: 1, Tau: 0.5, Special: 0.5},
}

// TestEquivalencesAgainstNaive compares every bisimulation with its slow twin and
// demands a formula whenever processes differ.
func TestEquivalencesAgainstNaive(t *testing.T) {
	outcomes := map[string]int{}
	shapes := append(slices.Clone(gen.PairShapes), silentShapes...)
	for seed := range soak.Long(uint64(2000)) {
		r := gen.Rand(seed)
		a, b := gen.Similar(r, shapes[seed%uint64(len(shapes))], r.IntN(4))
		equal := map[Relation]bool{}
		for relation, kind := range map[Relation]naive.Equivalence{
			Strong: naive.Strong, Weak: naive.Weak,
			Branching: naive.Branching, Divergence: naive.DivergenceBranching,
		} {
			want := naive.Equivalent(kind, naive.FromLKS(a), naive.FromLKS(b))
			got, err := answer(t.Context(), lks.Single(a), lks.Single(b), Options{Relation: relation})
			if err != nil {
				t.Fatalf("seed %d, %s: %v\n%s\n%s", seed, relation, err, gen.Dump(a), gen.Dump(b))
			}
			if got.Equivalent() != want {
				t.Fatalf("seed %d: %s: %v, naive says %v\n%s\n%s", seed, relation, got.Equivalent(), want, gen.Dump(a), gen.Dump(b))
			}
			if !want && got.Formula == nil {
				t.Errorf("seed %d: %s: no formula", seed, relation)
			}
			outcomes[fmt.Sprint(relation, " ", want)]++
			equal[relation] = want
		}
		if equal[Branching] && !equal[Divergence] {
			outcomes["but for divergence"]++
		}
		p, q := naive.FromLKS(a), naive.FromLKS(b)
		for relation, want := range map[Relation]bool{
			Simulation: naive.Simulated(p, q, false) && naive.Simulated(q, p, false),
			Trace:      naive.Refines(p, q, false) && naive.Refines(q, p, false),
			Failures:   naive.Refines(p, q, true) && naive.Refines(q, p, true),
		} {
			got, err := answer(t.Context(), lks.Single(a), lks.Single(b), Options{Relation: relation})
			if err != nil || got.Equivalent() != want {
				t.Fatalf("seed %d: %s: %v (%v), naive says %v", seed, relation, got.Equivalent(), err, want)
			}
			outcomes[fmt.Sprint(relation, " ", want)]++
		}
	}
	t.Log(outcomes)
	if outcomes["but for divergence"] < soak.Long(40) {
		t.Error("too few pairs that only divergence tells apart")
	}
	for _, q := range relations.List() {
		for _, v := range []bool{true, false} {
			if outcomes[fmt.Sprint(q, " ", v)] < soak.Long(150) {
				t.Errorf("too few pairs for %s %v", q, v)
			}
		}
	}
}

// TestTextbookPairs has pairs whose relations are in the textbooks (Milner,
// Communication and Concurrency; van Glabbeek and Weijland), or follow from END and
// ERROR being observed as termination is. Nothing here is computed.
func TestTextbookPairs(t *testing.T) {
	const s, w, b, d = Strong, Weak, Branching, Divergence
	for _, c := range []struct {
		name, one, other string
		equal            []Relation // of the four bisimulations
	}{
		{"a deadlock and a livelock", "", "0 tau 0", []Relation{w, b}},
		{"after an action", "0 a 1", "0 a 1; 1 tau 2; 2 tau 1", []Relation{w, b}},
		{"a livelock or a deadlock", "0 tau 0; 0 tau 1", "", []Relation{w, b}},
		{"figure 2.4 of Chaki's thesis", "0 tau 0; 0 a 1; 1 a 1", "0 a 0", []Relation{w, b}},
		{"divergence beside an action", "0 a 1", "0 tau 0; 0 a 1", []Relation{w, b}},
		{"two silent circles", "0 tau 0", "0 tau 1; 1 tau 2; 2 tau 0", []Relation{s, w, b, d}},
		{"silent steps to a deadlock", "", "0 tau 1; 1 tau 2", []Relation{w, b, d}},
		{"a and tau.a", "0 a 1", "0 tau 1; 1 a 2", []Relation{w, b, d}},
		{"a+b and tau.a+b", "0 a 1; 0 b 1", "0 tau 1; 1 a 2; 0 b 2", nil},
		{"Milner's third law", "0 a 1; 1 tau 2; 2 b 3; 1 c 3; 0 a 2", "0 a 1; 1 tau 2; 2 b 3; 1 c 3", []Relation{w}},
		{"Milner's second law", "0 tau 1; 1 a 2; 0 a 2; 0 b 2", "0 tau 1; 1 a 2; 0 b 2", []Relation{w}},
		{"the branching law", "0 a 1; 1 tau 2; 1 b 3; 2 b 3; 2 c 3", "0 a 1; 1 b 2; 1 c 2", []Relation{w, b, d}},
		{"END and a deadlock", "0 END", "", nil},
		{"END and a livelock", "0 END", "0 tau 0", nil},
		{"END and ERROR", "0 END", "0 ERROR", nil},
		{"ERROR and a deadlock", "0 a 1; 1 ERROR", "0 a 1", nil},
		{"END after a silent step", "0 END", "0 tau 1; 1 END", []Relation{w, b, d}},
		{"END after a livelock", "0 END", "0 tau 0; 0 tau 1; 1 END", []Relation{w, b}},
		{"END or a deadlock", "0 END", "0 tau 1; 0 tau 2; 1 END", nil},
		{"END or a livelock", "0 tau 1; 0 tau 2; 1 END", "0 tau 1; 0 tau 2; 1 END; 2 tau 2", []Relation{w, b}},
		{"END or an error", "0 tau 1; 0 tau 2; 1 END; 2 ERROR", "0 tau 1; 1 tau 2; 1 tau 3; 2 END; 3 ERROR", []Relation{w, b, d}},
		{"propositions of a livelock", "0 {p}; 0 tau 0", "", nil},
		{"propositions that change for ever", "0 tau 1; 1 {p}; 1 tau 0", "0 tau 1; 1 {p}; 1 tau 0; 0 tau 0", []Relation{w, b}},
		{"propositions that are passed by", "0 tau 1; 1 {p}; 1 tau 2; 2 a 3", "0 tau 1; 1 {p}; 1 tau 2; 2 a 3; 0 tau 2", []Relation{w}},
	} {
		one, other := processOf(t, c.one), processOf(t, c.other)
		for _, q := range []Relation{s, w, b, d} {
			for _, pair := range [][2]*lks.LKS{{one, other}, {other, one}} {
				r, err := answer(t.Context(), lks.Single(pair[0]), lks.Single(pair[1]), Options{Relation: q})
				if err != nil {
					t.Fatal(err)
				}
				if want := slices.Contains(c.equal, q); r.Equivalent() != want {
					t.Errorf("%s: %s: %v", c.name, q, r.Equivalent())
				} else if !want && r.Formula == nil {
					t.Errorf("%s: %s: no formula", c.name, q)
				}
			}
			if want := slices.Contains(c.equal, q); naive.Equivalent(naive.Equivalence(q), naive.FromLKS(one), naive.FromLKS(other)) != want {
				t.Errorf("%s: the twin of %s says %v", c.name, q, !want)
			}
		}
	}
}

// processOf reads transitions "0 a 1" and what holds in states, "1 {p}", "1 END",
// separated by semicolons. The alphabet is a, b, c, the proposition p.
func processOf(t *testing.T, text string) *lks.LKS {
	t.Helper()
	b := lks.NewBuilder("P")
	for _, a := range []string{"a", "b", "c"} {
		b.Action(a)
	}
	p := b.Prop("p")
	kinds, labels, most := map[int32]lks.Kind{}, map[int32][]int32{}, int32(0)
	type edge struct {
		from, to int32
		action   string
	}
	var edges []edge
	number := func(digit string) int32 {
		n := int32(digit[0] - '0')
		most = max(most, n)
		return n
	}
	for _, item := range strings.FieldsFunc(text, func(r rune) bool { return r == ';' }) {
		switch f := strings.Fields(item); f[1] {
		case "END":
			kinds[number(f[0])] = lks.End
		case "ERROR":
			kinds[number(f[0])] = lks.Error
		case "{p}":
			labels[number(f[0])] = []int32{p}
		default:
			edges = append(edges, edge{number(f[0]), number(f[2]), f[1]})
		}
	}
	for s := range most + 1 {
		b.StateID(kinds[s], labels[s])
	}
	for _, e := range edges {
		b.Transition(e.from, e.action, e.to)
	}
	m, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return m
}
