package product_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/product"
)

// porQuestion is a question for which LTSmin's figures are known, see oracle/mc in
// the shared folder.
type porQuestion struct {
	net     *lks.Network
	formula string
	most    int64 // states of the product
}

func porQuestions() []porQuestion {
	return []porQuestion{
		{gen.Ring(16), "G(try1 -> F crit1)", 134},
		{gen.Milner(16), "GF run0", 162},
		{gen.Philosophers(12, true), "G !(eating0 & eating1)", 27112},
	}
}

func TestPORSizes(t *testing.T) {
	for _, c := range porQuestions() {
		f := parse(t, c.net, c.formula)
		for _, e := range searches() {
			r := verify(t, c.net, f, product.Options{Search: product.Search{Emptiness: e}, Reductions: product.Reductions{Reduce: product.NoReduce}}, 0)
			t.Logf("%s, %s, by %v: %v, %d states, %d transitions", c.net.Name(), c.formula, e, r.Verdict, r.Stats.States, r.Stats.Transitions)
			if !r.POR || r.Verdict != product.Holds {
				t.Errorf("%v, reduced %t %s", r.Verdict, r.POR, r.NoPORBecause)
			}
			if r.Stats.States > c.most {
				t.Errorf("%s, %s, by %v: %d states, LTSmin has %d", c.net.Name(), c.formula, e, r.Stats.States, c.most)
			}
		}
	}
}

// loose returns components with some actions of their own and some shared, so
// that there is something to reduce.
func loose(r *rand.Rand) []*lks.LKS {
	shape := gen.Shape{States: 2 + r.IntN(3), Degree: 1 + r.Float64(), Tau: 0.25 * r.Float64(), Props: 0.6, ManyInitial: 0.05}
	if r.IntN(3) == 0 {
		shape.Special = 0.5
	}
	var components []*lks.LKS
	for i := range 2 + r.IntN(3) {
		name := []string{"x", "y", "z", "w"}[i]
		shape.Actions = []string{name + "1", name + "2", "a"}
		if r.IntN(2) == 0 {
			shape.Actions = append(shape.Actions, "b")
		}
		components = append(components, gen.LKS(r, name, shape))
	}
	return components
}

// looseFormula returns a formula that is often one that ignores silent steps.
func looseFormula(r *rand.Rand, all []ltl.Atom) *ltl.Formula {
	var atoms []ltl.Atom
	for _, a := range all {
		switch {
		case a.Kind == ltl.Prop, a.Kind == ltl.Event && (a.Name != lks.TauName || r.IntN(4) == 0):
			atoms = append(atoms, a)
		case a.Kind == ltl.Deadlock && r.IntN(3) == 0, a.Kind == ltl.Enabled && r.IntN(5) == 0:
			atoms = append(atoms, a, a)
		}
	}
	if len(atoms) == 0 {
		atoms = all
	}
	r.Shuffle(len(atoms), func(i, j int) { atoms[i], atoms[j] = atoms[j], atoms[i] })
	atoms = atoms[:min(len(atoms), 1+r.IntN(3))]
	ops := []ltl.Op{ltl.Not, ltl.And, ltl.Or, ltl.Implies, ltl.Eventually, ltl.Always, ltl.Until, ltl.WeakUntil, ltl.Release}
	if r.IntN(3) == 0 {
		ops = append(ops, ltl.Next)
	}
	f := gen.Formula(r, gen.FormulaOptions{Size: 2 + r.IntN(7), Atoms: atoms, Ops: ops})
	for range r.IntN(3) {
		switch r.IntN(3) {
		case 0:
			f = ltl.MakeEventually(f)
		case 1:
			f = ltl.MakeAlways(f)
		default:
			g := gen.Formula(r, gen.FormulaOptions{Size: 1 + r.IntN(3), Atoms: atoms, Ops: ops})
			f = ltl.MakeAlways(ltl.MakeImplies(g, ltl.MakeEventually(f)))
		}
	}
	return f
}

// TestPOR compares the reduced with the unreduced search, for both searches and
// all readings of finite runs.
func TestPOR(t *testing.T) {
	counts := map[string]int{}
	for seed := *firstSeed + 60_000_000; counts["reduced"] < problems(); seed++ {
		r := gen.Rand(seed)
		components := loose(r)
		net := networkOf(t, components)
		f := looseFormula(r, gen.ModelAtoms(components...))
		finite := product.FiniteRuns(seed % 3)
		if _, refused := refuses(net, f); refused && finite == product.RefuseRuns {
			finite = product.StutterRuns
		}
		counts["problems"]++
		opts := product.Options{Search: product.Search{Emptiness: product.NestedDFS}, Reductions: product.Reductions{POR: product.EagerPOR, Reduce: product.NoReduce}, Finite: finite}
		nested := verify(t, net, f, opts, seed)
		if !nested.POR || nested.Trivial {
			counts[nested.NoPORBecause]++
			continue
		}
		opts.Emptiness = product.Components
		byComponents := verify(t, net, f, opts, seed)
		opts.POR = product.NoPOR
		full := verify(t, net, f, opts, seed)
		if full.Verdict != nested.Verdict || full.Verdict != byComponents.Verdict {
			t.Fatalf("seed %d, finite runs %v: %v without reduction, with it %v by nested search, %v by components\n%s", seed, finite, full.Verdict, nested.Verdict, byComponents.Verdict,
				describe(&gen.Problem{Components: components, Formula: f}))
		}
		counts["reduced"]++
		counts[fmt.Sprint(full.Verdict)]++
		for _, k := range stoppingAtoms(f) {
			counts[fmt.Sprint(k, " ", full.Verdict)]++
		}
		if full.Verdict == product.Holds && byComponents.Stats.States < full.Stats.States {
			counts["smaller"]++
		}
		if full.Verdict == product.Holds && !nested.FiniteMet && finite != product.RefuseRuns {
			other := verify(t, net, f, product.Options{Reductions: product.Reductions{POR: product.NoPOR, Reduce: product.NoReduce}, Finite: 1 - finite}, seed)
			if other.Verdict != product.Holds {
				t.Fatalf("seed %d: no finite run met, but the reading matters", seed)
			}
		}
	}
	t.Log(counts)
	for _, c := range []string{"deadlock holds", "deadlock violated", "enabled holds", "enabled violated"} {
		if counts[c] < share(100) {
			t.Errorf("only %d %s: the problems are too easy", counts[c], c)
		}
	}
	for _, c := range []string{"holds", "violated", "smaller"} {
		if counts[c] < share(20) {
			t.Errorf("only %d %s: the problems are too easy", counts[c], c)
		}
	}
}

// stoppingAtoms says which of deadlock and enabled(...) a formula has.
func stoppingAtoms(f *ltl.Formula) []string {
	has := map[ltl.AtomKind]bool{}
	for _, a := range ltl.Atoms(f) {
		has[a.Kind] = true
	}
	var kinds []string
	if has[ltl.Deadlock] {
		kinds = append(kinds, "deadlock")
	}
	if has[ltl.Enabled] {
		kinds = append(kinds, "enabled")
	}
	return kinds
}

// refuses reports whether the network has finite runs.
func refuses(net *lks.Network, f *ltl.Formula) (*product.Result, bool) {
	r, err := product.Verify(context.Background(), net, f, product.Options{Reductions: product.Reductions{Reduce: product.NoReduce}, Finite: product.RefuseRuns})
	return r, err != nil
}

// TestPORNested compares reduced with unreduced searches of networks with
// relabelling, hiding, observers, and priorities (which must not be reduced).
func TestPORNested(t *testing.T) {
	counts := map[string]int{}
	for seed := *firstSeed + 70_000_000; counts["reduced"] < max(6, problems()/2); seed++ {
		r := gen.Rand(seed)
		shape := gen.Shape{States: 4, Actions: []string{"a", "b", "c", "d", "e", "f"}, Degree: 1.6, Tau: 0.2, Props: 0.6, Special: 0.1}
		net, err := gen.Network(r, 4, shape).Build()
		if err != nil {
			continue // a clash of propositions
		}
		f := looseFormula(r, atomsOf(net))
		finite := product.FiniteRuns(seed % 2)
		reduced := verify(t, net, f, product.Options{Reductions: product.Reductions{POR: product.EagerPOR, Reduce: product.NoReduce}, Finite: finite}, seed)
		if !reduced.POR {
			counts[reduced.NoPORBecause]++
			continue
		}
		counts["reduced"]++
		full := verify(t, net, f, product.Options{Reductions: product.Reductions{POR: product.NoPOR, Reduce: product.NoReduce}, Finite: finite}, seed)
		if full.Verdict != reduced.Verdict {
			t.Fatalf("seed %d, finite runs %v, %v: %v without reduction, %v with it", seed, finite, f, full.Verdict, reduced.Verdict)
		}
		counts[fmt.Sprint(full.Verdict)]++
		if reduced.Stats.States < full.Stats.States {
			counts["smaller"]++
		}
	}
	t.Log(counts)
	if counts["smaller"] < share(100) || counts["the model has priorities"] == 0 {
		t.Errorf("%v", counts)
	}
}

// TestPOROff names the reasons not to reduce.
func TestPOROff(t *testing.T) {
	m := build(t, "M", []string{"0", "1 p"}, "0 a 1", "1 b 0")
	n := build(t, "N", []string{"0", "1 q"}, "0 c 1", "1 d 0")
	net := networkOf(t, []*lks.LKS{m, n})
	for formula, why := range map[string]string{
		"G(p -> F !p)":         "",
		"G(p -> X !p)":         "the formula does not ignore silent steps",
		"F(p & !a)":            "the formula does not ignore silent steps",
		"G !deadlock":          "",
		"F(p & !deadlock)":     "the formula does not ignore silent steps",
		"GF enabled(a)":        "",
		"G(p -> X enabled(a))": "the formula does not ignore silent steps",
	} {
		r := verify(t, net, parse(t, net, formula), product.Options{Reductions: product.Reductions{POR: product.EagerPOR, Reduce: product.NoReduce}}, 0)
		if r.POR != (why == "") || r.NoPORBecause != why {
			t.Errorf("%s: reduced %t, %q", formula, r.POR, r.NoPORBecause)
		}
	}
	f := parse(t, net, "GF p")
	low := net.Yield(func(a string) bool { return a == "a" })
	if r := verify(t, low, f, product.Options{Reductions: product.Reductions{POR: product.EagerPOR, Reduce: product.NoReduce}}, 0); r.POR || r.Verdict != product.Violated {
		t.Errorf("with priorities: %v, reduced %t", r.Verdict, r.POR)
	}
	if r := verify(t, net, f, product.Options{Reductions: product.Reductions{POR: product.NoPOR, Reduce: product.NoReduce}}, 0); r.POR {
		t.Error("reduced, although switched off")
	}
	if r := verify(t, net, f, product.Options{Reductions: product.Reductions{POR: product.EagerPOR, Reduce: product.NoReduce}, Fairness: product.ActionFairness}, 0); r.POR || r.Verdict != product.Holds {
		t.Errorf("with fairness: %v, reduced %t", r.Verdict, r.POR)
	}
}

// atomsOf returns the propositions and events of a network.
func atomsOf(net *lks.Network) []ltl.Atom {
	var atoms []ltl.Atom
	for _, p := range net.Props() {
		atoms = append(atoms, ltl.Atom{Kind: ltl.Prop, Name: p})
	}
	for _, a := range net.Alphabet() {
		atoms = append(atoms, ltl.Atom{Kind: ltl.Event, Name: a})
	}
	return atoms
}

// TestPORSpecial has runs that only entering ERROR, or not entering it yet, makes
// possible, and the same with END, which stops no silent step.
func TestPORSpecial(t *testing.T) {
	ending := func(kind lks.Kind) *lks.LKS {
		b := lks.NewBuilder("N")
		from, to := b.State(), b.StateID(kind, nil)
		b.Transition(from, "x", to)
		m, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	for _, c := range []struct {
		kind    lks.Kind
		other   []*lks.LKS
		formula string
		want    product.Verdict
	}{
		// x must not come first and cut off a.
		{lks.Error, []*lks.LKS{build(t, "A", []string{"0"}, "0 a 0")}, "G !a", product.Violated},
		{lks.End, []*lks.LKS{build(t, "A", []string{"0", "1 p"}, "0 tau 1")}, "G !p", product.Violated},
		// a must not be put before x.
		{lks.Error, []*lks.LKS{build(t, "A", []string{"0"}, "0 a 0")}, "F a", product.Violated},
		{lks.End, []*lks.LKS{build(t, "A", []string{"0", "1 p"}, "0 tau 1")}, "F p", product.Holds},
		// a silent loop must not put off x for ever.
		{lks.Error, []*lks.LKS{build(t, "A", []string{"0"}, "0 tau 0")}, "G !deadlock", product.Violated},
		{lks.End, []*lks.LKS{build(t, "A", []string{"0"}, "0 tau 0")}, "G !deadlock", product.Holds},
		{lks.Error, []*lks.LKS{build(t, "A", []string{"0"}, "0 b 0"), build(t, "C", []string{"0"}, "0 c 0")}, "G enabled(c)", product.Violated},
		{lks.End, []*lks.LKS{build(t, "A", []string{"0"}, "0 tau 0")}, "G enabled(tau)", product.Holds},
		// x falsifies p.
		{lks.Error, []*lks.LKS{build(t, "A", []string{"0 p"}), build(t, "K", []string{"0"}, "0 k 0")}, "G p", product.Violated},
	} {
		net := networkOf(t, append(c.other, ending(c.kind)))
		for _, e := range searches() {
			r := verify(t, net, parse(t, net, c.formula), product.Options{Search: product.Search{Emptiness: e}, Reductions: product.Reductions{POR: product.EagerPOR, Reduce: product.NoReduce}}, 0)
			if !r.POR || r.Verdict != c.want {
				t.Errorf("%v, %s: %v, reduced %t", c.kind, c.formula, r.Verdict, r.POR)
			}
		}
	}
}
