package conform

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/naive"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/lks"
)

// build makes an LKS from lines "state {p, q} -a-> state, -b-> state"; the first
// is initial, STATE! marks others that are.
func build(t *testing.T, name, text string) *lks.LKS {
	t.Helper()
	type line struct{ name, rest string }
	var lines []line
	ids := map[string]int32{}
	b := lks.NewBuilder(name)
	for _, l := range strings.Split(strings.TrimSpace(text), "\n") {
		state, rest, _ := strings.Cut(strings.TrimSpace(l), " ")
		var props []string
		if after, ok := strings.CutPrefix(rest, "{"); ok {
			label, edges, _ := strings.Cut(after, "}")
			props = strings.FieldsFunc(label, func(r rune) bool { return r == ',' || r == ' ' })
			rest = edges
		}
		initial := strings.HasSuffix(state, "!")
		state = strings.TrimSuffix(state, "!")
		ids[state] = b.State(props...)
		if initial || len(lines) == 0 {
			b.Initial(ids[state])
		}
		lines = append(lines, line{state, rest})
	}
	for _, l := range lines {
		for _, e := range strings.Split(l.rest, ",") {
			if e = strings.TrimSpace(e); e == "" {
				continue
			}
			action, to, _ := strings.Cut(strings.TrimPrefix(e, "-"), "-> ")
			b.Transition(ids[l.name], action, ids[to])
		}
	}
	names := make([]string, len(lines))
	for i, l := range lines {
		names[i] = l.name
	}
	b.Describe(func(s int32) string { return names[s] })
	m, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func holds(t *testing.T, p Preorder, impl, spec *lks.LKS) bool {
	t.Helper()
	return mustCheck(t, impl, spec, Options{Preorder: p}).Holds()
}

// Figure 2.2, reconstructed from example 3.
func TestFigure22(t *testing.T) {
	m1 := build(t, "M1", "1 -alpha-> 2, -alpha-> 3\n2 -beta-> 4\n3 -chi-> 5\n4\n5")
	m2 := build(t, "M2", "6 -alpha-> 7\n7 -beta-> 8, -chi-> 9\n8\n9")
	if !holds(t, Simulation, m1, m2) {
		t.Error("M2 must simulate M1")
	}
	r := mustCheck(t, m2, m1, Options{})
	if r.Holds() {
		t.Fatal("M1 must not simulate M2")
	}
	// State 7 can do both beta and chi, no state of M1 can.
	want := "start in 6\n  in 1: alpha to 7\n    in 2: chi to 9: no answer\n    in 3: beta to 8: no answer\n"
	if got := r.Format(r.Trees[0], 100); got != want {
		t.Errorf("counterexample:\n%s", got)
	}
	if !r.Smallest {
		t.Error("the game is small enough to know the smallest tree")
	}
	if !holds(t, Trace, m2, m1) || !holds(t, Trace, m1, m2) {
		t.Error("M1 and M2 have the same traces")
	}
	related := naive.Simulation(naive.FromLKS(m1), naive.FromLKS(m2), false)
	for _, pair := range [][2]string{{"0", "0"}, {"1", "1"}, {"2", "1"}, {"3", "2"}, {"4", "3"}} {
		if !related[pair] {
			t.Errorf("the relation of example 3 is missing from the greatest simulation: %v", pair)
		}
	}
}

// Figure 2.3, reconstructed from example 4.
func TestFigure23(t *testing.T) {
	m1 := build(t, "M1", "1 -tau-> 2, -tau-> 3\n2 -alpha-> 4\n3 -beta-> 5\n4\n5")
	m2 := build(t, "M2", "6 -alpha-> 7, -beta-> 8\n7\n8")
	if !holds(t, Weak, m1, m2) {
		t.Error("M2 must weakly simulate M1")
	}
	if holds(t, Simulation, m1, m2) {
		t.Error("M2 cannot do tau: it must not simulate M1")
	}
	r, err := answer(t.Context(), lks.Single(m2), lks.Single(m1), Options{Preorder: Weak, SilentSpec: Letter})
	if err != nil || r.Holds() {
		t.Errorf("M1 must not weakly simulate M2: %v, %v", r.Holds(), err)
	}
	// Milner's weak simulation lets 1 go to 2 for alpha and to 3 for beta.
	r, err = answer(t.Context(), lks.Single(m2), lks.Single(m1), Options{Preorder: Weak, SilentSpec: Saturate})
	if err != nil || !r.Holds() {
		t.Errorf("saturated, M1 weakly simulates M2: %v, %v", r.Holds(), err)
	}
	if _, err = answer(t.Context(), lks.Single(m2), lks.Single(m1), Options{Preorder: Weak}); err == nil || !strings.Contains(err.Error(), "silent steps (tau), the first in state 1") {
		t.Errorf("a specification with tau: %v", err)
	}
}

// Figure 2.4: weak simulation does not preserve liveness. M1 may be silent for
// ever, so "eventually alpha" holds of M2 only.
func TestFigure24(t *testing.T) {
	m1 := build(t, "M1", "1 -tau-> 1, -alpha-> 2\n2 -alpha-> 2")
	m2 := build(t, "M2", "3 -alpha-> 3")
	if !holds(t, Weak, m1, m2) {
		t.Error("M2 must weakly simulate M1")
	}
}

// figure51 is reconstructed from examples 12 and 13: from (S2,T2) the
// implementation has two challenges by b, to each of which the specification has
// two answers.
func figure51(t *testing.T) (im, sp *lks.LKS) {
	im = build(t, "Im", "S1 -a-> S2\nS2 -b-> S3, -b-> S4\nS3 -c-> S5, -d-> S6\nS4 -c-> S5\nS5\nS6")
	sp = build(t, "Sp", "T1 -a-> T2, -a-> T3\nT2 -b-> T4, -b-> T5\nT3 -b-> T4\nT4 -c-> T6\nT5 -d-> T7\nT6\nT7")
	return im, sp
}

// Example 12: the answers to the two challenges from (S2,T2).
func TestExample12(t *testing.T) {
	im, sp := figure51(t)
	l := newLabels(nil)
	spec, err := newSpecification(lks.Single(sp), l, Refuse, nil)
	if err != nil {
		t.Fatal(err)
	}
	g := newGame(newSpace(lks.Single(im), l), spec, false, nil)
	if won, err := g.solve(); won || err != nil {
		t.Fatal(won, err)
	}
	if _, err := g.widen(1000); err != nil {
		t.Fatal(err)
	}
	name := func(impl, spec int32) string {
		return g.impl.net.StateName(g.impl.states.State(impl)) + g.spec.m.StateName(spec)
	}
	answers := map[string][]string{}
	for p := range int32(g.table.Len()) {
		i, s := g.at(p)
		if name(i, s) != "S2T2" {
			continue
		}
		for e := g.impl.first[i]; e < g.impl.last[i]; e++ {
			to := g.impl.edges[e].target
			for _, a := range g.answers(p, e) {
				answers[name(to, a)[:2]] = append(answers[name(to, a)[:2]], name(to, a))
			}
		}
	}
	want := map[string][]string{"S3": {"S3T4", "S3T5"}, "S4": {"S4T4", "S4T5"}}
	if d := cmp.Diff(want, answers); d != "" {
		t.Error(d)
	}
}

// Figure 5.2 and example 13: a counterexample tree for Game(S1,T1), and its
// witness.
func TestExample13(t *testing.T) {
	im, sp := figure51(t)
	r := mustCheck(t, im, sp, Options{})
	want := `start in S1
  in T1: a to S2
    in T2: b to S3
      in T4: d to S6: no answer
      in T5: c to S5: no answer
    in T3: b to S3
      in T4: d to S6: no answer
`
	if got := r.Format(r.Trees[0], 100); got != want {
		t.Errorf("counterexample:\n%s", got)
	}
	w := r.Witnesses[0]
	if w.NumStates() != 5 || w.NumTransitions() != 4 {
		t.Errorf("witness: %s", gen.Dump(w))
	}
}

// Several initial states: each of the implementation needs a partner.
func TestManyInitialStates(t *testing.T) {
	im := build(t, "Im", "1 -a-> 1\n2! -b-> 2")
	sp := build(t, "Sp", "1 -a-> 1\n2 -b-> 2")
	r := mustCheck(t, im, sp, Options{})
	if want := "start in 2\n  in 1: b to 2: no answer\n"; r.Holds() || r.Format(r.Trees[0], 10) != want {
		t.Errorf("%v %s", r.Holds(), r.Format(r.Trees[0], 10))
	}
	if !holds(t, Simulation, sp, im) {
		t.Error("every initial state of Sp has a partner")
	}
	labelled := build(t, "Im", "1 {p} -a-> 1\n2 -b-> 2")
	unlabelled := build(t, "Sp", "1 -a-> 1\n2 {p} -b-> 2")
	r = mustCheck(t, labelled, unlabelled, Options{})
	if want := "start in 1: no answer\n"; r.Holds() || r.Format(r.Trees[0], 10) != want {
		t.Errorf("%v %s", r.Holds(), r.Format(r.Trees[0], 10))
	}
}

// Theorems 1 and 2: simulation is transitive, so a witness refutes.
func TestTheorem1And2(t *testing.T) {
	used := 0
	for seed := range soak.Long(uint64(4000)) {
		r := gen.Rand(seed)
		a := gen.LKS(r, "A", gen.Shape{States: 4, Actions: []string{"a", "b"}, Degree: 1.5})
		b, c := gen.Mutate(r, a, "B", 2), gen.Mutate(r, a, "C", 2)
		letter := Options{SilentSpec: Letter}
		ab, bc, ac := mustCheck(t, a, b, letter).Holds(), mustCheck(t, b, c, letter).Holds(), mustCheck(t, a, c, letter).Holds()
		if ab && bc {
			used++
		}
		if ab && bc && !ac {
			t.Fatalf("seed %d: not transitive", seed)
		}
	}
	if used < soak.Long(500) {
		t.Errorf("only %d cases", used)
	}
}

// Theorem 3: both simulations are congruences with respect to composition.
func TestTheorem3(t *testing.T) {
	used := 0
	for seed := range soak.Long(uint64(3000)) {
		r := gen.Rand(seed)
		p := []Preorder{Simulation, Weak}[seed%2]
		shape := gen.Shape{States: 4, Actions: []string{"a", "b", "c"}, Degree: 1.5, Tau: 0.2 * float64(seed%2)}
		m1, m2 := gen.LKS(r, "M", shape), gen.LKS(r, "N", shape)
		n1, n2 := gen.Mutate(r, m1, "M1", 1), gen.Mutate(r, m2, "N1", 1)
		opts := Options{Preorder: p, SilentSpec: Letter}
		if !mustCheck(t, m1, n1, opts).Holds() || !mustCheck(t, m2, n2, opts).Holds() {
			continue
		}
		used++
		left, err := lks.Compose("M", lks.Single(m1), lks.Single(m2))
		if err != nil {
			t.Fatal(err)
		}
		right, err := lks.Compose("N", lks.Single(n1), lks.Single(n2))
		if err != nil {
			t.Fatal(err)
		}
		got, err := answer(t.Context(), left, right, opts)
		if err != nil || !got.Holds() {
			t.Fatalf("seed %d, %s: %v %v", seed, p, got.Holds(), err)
		}
	}
	if used < soak.Long(500) {
		t.Errorf("only %d cases", used)
	}
}

// Theorems 8 to 11: the verdict is that of the greatest fixpoint (that is
// TestAgainstNaive too), the winning positions are its complement, every witness
// is simulated by the implementation and not by the specification, and trees
// differ and grow.
func TestTheorems8To11(t *testing.T) {
	trees := 0
	for seed := range soak.Long(uint64(2000)) {
		r := gen.Rand(seed)
		impl, spec := gen.Pair(r, gen.PairShapes[seed%uint64(len(gen.PairShapes))], true)
		weak := seed%2 == 0
		opts := Options{SilentSpec: Letter, Trees: 4}
		if weak {
			opts.Preorder = Weak
		}
		checkWinningPositions(t, seed, impl, spec, weak)
		got := mustCheck(t, impl, spec, opts)
		seen := map[string]bool{}
		for i, w := range got.Witnesses {
			trees++
			size := got.Trees[i].Size
			if i > 0 && size < got.Trees[i-1].Size {
				t.Fatalf("seed %d: tree %d is smaller than the one before", seed, i)
			}
			if text := fmt.Sprint(got.Trees[i].Nodes); seen[text] {
				t.Fatalf("seed %d: tree %d twice", seed, i)
			} else {
				seen[text] = true
			}
			p := naive.FromLKS(w)
			if !naive.Simulated(p, naive.FromLKS(impl), false) || naive.Simulated(p, naive.FromLKS(spec), weak) {
				t.Fatalf("seed %d: no witness: %s", seed, gen.Dump(w))
			}
		}
		if !got.Holds() && got.Smallest {
			// States at END are one state of a network: an answer by two of them counts once.
			built, err := lks.Single(spec).Build(nil)
			if err != nil {
				t.Fatal(err)
			}
			if want := smallestTree(impl, built, weak); got.Trees[0].Size != want {
				t.Fatalf("seed %d: a tree of %d nodes, the smallest has %d\n%s\n%s", seed, got.Trees[0].Size, want, gen.Dump(impl), gen.Dump(spec))
			}
		}
	}
	if trees < soak.Long(1000) {
		t.Errorf("only %d trees", trees)
	}
}

// checkWinningPositions plays the whole game and compares.
func checkWinningPositions(t *testing.T, seed uint64, impl, spec *lks.LKS, weak bool) {
	l := newLabels(spec.Props())
	s, err := newSpecification(lks.Single(spec), l, Letter, nil)
	if err != nil {
		t.Fatal(err)
	}
	g := newGame(newSpace(lks.Single(impl), l), s, weak, nil)
	if _, err := g.solve(); err != nil {
		t.Fatal(err)
	}
	if complete, err := g.widen(math.MaxInt); !complete || err != nil {
		t.Fatal(complete, err)
	}
	related := naive.Simulation(naive.FromLKS(impl), naive.FromLKS(s.m), weak)
	for p := range int32(g.table.Len()) {
		i, s := g.at(p)
		pair := [2]string{fmt.Sprint(g.impl.net.Local(g.impl.states.State(i), 0)), fmt.Sprint(s)}
		if (g.standing[p] == stands) != related[pair] {
			t.Fatalf("seed %d: position %v stands: %v\n%s%s", seed, pair, g.standing[p] == stands, gen.Dump(impl), gen.Dump(spec))
		}
	}
}

// smallestTree is the size of the smallest counterexample tree by value iteration.
func smallestTree(impl, spec *lks.LKS, weak bool) uint64 {
	type pos struct{ i, s int32 }
	const unknown = math.MaxUint64
	size := map[pos]uint64{}
	fits := func(i, s int32) bool {
		names := func(m *lks.LKS, s int32) string {
			if m.Kind(s) == lks.Error {
				return ""
			}
			text := ""
			for _, p := range m.Label(s) {
				text += m.Props()[p] + " "
			}
			return text
		}
		return names(impl, i) == names(spec, s) && (impl.Kind(i) == spec.Kind(s) || impl.Kind(i) == lks.Normal && spec.Kind(s) == lks.End)
	}
	total := func(i int32, answers []int32) uint64 {
		slices.Sort(answers)
		sum := uint64(1)
		for _, s := range slices.Compact(answers) {
			if !fits(i, s) {
				continue
			}
			x, ok := size[pos{i, s}]
			if !ok {
				return unknown
			}
			sum += x
		}
		return sum
	}
	for changed := true; changed; {
		changed = false
		for i := range int32(impl.NumStates()) {
			for s := range int32(spec.NumStates()) {
				best, ok := size[pos{i, s}]
				for _, e := range impl.Edges(i) {
					var answers []int32
					if weak && e.Action == lks.TauID {
						answers = append(answers, s)
					}
					for _, x := range spec.Succ(s, e.Action) {
						answers = append(answers, x.Target)
					}
					if n := total(e.Target, answers); n != unknown && (!ok || n < best) {
						best, ok, changed = n, true, true
						size[pos{i, s}] = n
					}
				}
			}
		}
	}
	best := uint64(unknown)
	for _, i := range impl.Initial() {
		best = min(best, total(i, slices.Clone(spec.Initial())))
	}
	return best
}

// Theorem 25: an LKS is simulated by its quotients, by the map of states to
// classes; every split is a refinement that stays compatible.
func TestTheorem25(t *testing.T) {
	splits := 0
	for seed := range soak.Cases(uint64(2000)) {
		r := gen.Rand(seed)
		m := gen.LKS(r, "M", gen.Shape{States: 8, Actions: []string{"a", "b"}, Degree: 2, Tau: 0.1, Props: 0.4, Special: 0.3, ManyInitial: 0.3})
		a, err := newAbstraction(m, nil)
		if err != nil {
			t.Fatal(err)
		}
		for range 4 {
			if !naive.Simulated(naive.FromLKS(m), naive.FromLKS(a.q), false) {
				t.Fatalf("seed %d: not simulated by its quotient", seed)
			}
			c := r.Int32N(int32(len(a.Members)))
			before := len(a.Members)
			action := r.Int32N(int32(len(m.Alphabet())))
			proper := a.Split(c, func(key []byte, s int32) []byte {
				// The abstract successors by an action (Def. 30).
				var classes []int32
				for _, e := range m.Succ(s, action) {
					classes = append(classes, a.Class[e.Target])
				}
				slices.Sort(classes)
				return fmt.Append(key, slices.Compact(classes))
			}) > 1
			if proper != (len(a.Members) > before) {
				t.Fatalf("seed %d: proper %v, %d classes became %d", seed, proper, before, len(a.Members))
			}
			if proper {
				splits++
			}
			if err := a.rebuild(); err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
		}
	}
	if splits < soak.Cases(500) {
		t.Errorf("only %d proper splits", splits)
	}
}
