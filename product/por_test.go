package product_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/seltl/seltl/internal/gen"
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
		{gen.Ring(16), "G(try1 -> F crit1)", 900},
		{gen.Milner(16), "GF run0", 300},
		{gen.Philosophers(12, true), "G !(eating0 & eating1)", 27112},
	}
}

func TestPORSizes(t *testing.T) {
	for _, c := range porQuestions() {
		f := parse(t, c.net, c.formula)
		for _, e := range []product.Emptiness{product.NestedDFS, product.Components} {
			r := verify(t, c.net, f, product.Options{Emptiness: e}, 0)
			t.Logf("%s, %s, by %v: %v, %d states, %d transitions", c.net.Name(), c.formula, e, r.Verdict, r.Stats.States, r.Stats.Transitions)
			if !r.POR || r.Verdict != product.Holds {
				t.Errorf("%v, reduced %t %s", r.Verdict, r.POR, r.NoPORBecause)
			}
			if r.Stats.States > c.most {
				t.Errorf("%s, %s, by %v: %d states, want at most %d", c.net.Name(), c.formula, e, r.Stats.States, c.most)
			}
		}
	}
}

// loose returns components with some actions of their own and some shared, so
// that there is something to reduce.
func loose(r *rand.Rand) []*lks.LKS {
	shape := gen.Shape{States: 2 + r.IntN(3), Degree: 1 + r.Float64(), Tau: 0.25 * r.Float64(), Props: 0.6, ManyInitial: 0.05}
	if r.IntN(3) == 0 {
		shape.Special = 0.3
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

// looseFormula returns a formula without deadlock and enabled(...), often one that
// ignores silent steps.
func looseFormula(r *rand.Rand, components []*lks.LKS) *ltl.Formula {
	var atoms []ltl.Atom
	for _, a := range gen.ModelAtoms(components...) {
		if a.Kind == ltl.Prop || a.Kind == ltl.Event && (a.Name != lks.TauName || r.IntN(4) == 0) {
			atoms = append(atoms, a)
		}
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
	for seed := *firstSeed + 60_000_000; counts["reduced"] < 2**problems; seed++ {
		r := gen.Rand(seed)
		components := loose(r)
		net := networkOf(t, components)
		f := looseFormula(r, components)
		finite := product.FiniteRuns(seed % 3)
		if _, refused := refuses(net, f); refused && finite == product.RefuseRuns {
			finite = product.StutterRuns
		}
		counts["problems"]++
		opts := product.Options{Finite: finite, POR: product.EagerPOR, Emptiness: product.NestedDFS}
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
		if full.Verdict == product.Holds && byComponents.Stats.States < full.Stats.States {
			counts["smaller"]++
		}
		if full.Verdict == product.Holds && !nested.FiniteMet && finite != product.RefuseRuns {
			other := verify(t, net, f, product.Options{Finite: 1 - finite, POR: product.NoPOR}, seed)
			if other.Verdict != product.Holds {
				t.Fatalf("seed %d: no finite run met, but the reading matters", seed)
			}
		}
	}
	t.Log(counts)
	for _, c := range []string{"holds", "violated", "smaller"} {
		if counts[c] < *problems/10 {
			t.Errorf("only %d %s: the problems are too easy", counts[c], c)
		}
	}
}

// refuses reports whether the network has finite runs.
func refuses(net *lks.Network, f *ltl.Formula) (*product.Result, bool) {
	r, err := product.Verify(context.Background(), net, f, product.Options{Finite: product.RefuseRuns})
	return r, err != nil
}
