package product_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/product"
)

// reduceProblem returns a network and a formula: of every kind, or one that is
// likely to ignore silent steps.
func reduceProblem(t *testing.T, seed uint64) (*lks.Network, *ltl.Formula) {
	r := gen.Rand(seed)
	if seed%3 == 0 {
		shape := gen.Shape{States: 5, Actions: []string{"a", "b", "c", "d", "e", "f"}, Degree: 1.7, Tau: 0.3, Props: 0.5, Special: 0.1}
		net, err := gen.Network(r, 3, shape).Build()
		if err != nil {
			return nil, nil // a clash of propositions
		}
		return net, looseFormula(r, atomsOf(net))
	}
	components := loose(r)
	net := networkOf(t, components)
	if seed%3 == 1 {
		atoms := gen.ModelAtoms(components...)
		r.Shuffle(len(atoms), func(i, j int) { atoms[i], atoms[j] = atoms[j], atoms[i] })
		return net, gen.Formula(r, gen.FormulaOptions{Size: 1 + r.IntN(7), Atoms: atoms[:min(len(atoms), 3)]})
	}
	return net, looseFormula(r, gen.ModelAtoms(components...))
}

// TestReduce compares searches of networks with minimised components with those of
// the originals, for both searches and all readings of finite runs, with and
// without partial-order reduction.
func TestReduce(t *testing.T) {
	counts := map[string]int{}
	for seed := *firstSeed + 80_000_000; counts["problems"] < problems(); seed++ {
		net, f := reduceProblem(t, seed)
		if net == nil {
			continue
		}
		opts := product.Options{Search: product.Search{Emptiness: product.Components}, Reductions: product.Reductions{POR: product.NoPOR, Reduce: product.NoReduce}, Finite: product.FiniteRuns(seed % 2)}
		if _, refused := refuses(net, f); !refused && seed%5 == 0 {
			opts.Finite = product.RefuseRuns
		}
		full := verify(t, net, f, opts, seed)
		if full.Trivial {
			continue
		}
		counts["problems"]++
		opts.Reduce = product.ReduceComponents
		for _, e := range searches() {
			for _, por := range []product.POR{product.NoPOR, product.EagerPOR} {
				opts.Emptiness, opts.POR = e, por
				r := verify(t, net, f, opts, seed)
				if r.Verdict != full.Verdict {
					t.Fatalf("seed %d, finite runs %v, %v, %v by %v: %v, with minimised components %v", seed, opts.Finite, f, r.Reduction.Equivalence, e, full.Verdict, r.Verdict)
				}
				if por == product.NoPOR && e == product.Components {
					counts[fmt.Sprint(r.Reduction.Equivalence, ", ", r.Verdict)]++
					if r.Verdict == product.Holds && r.Stats.States < full.Stats.States {
						counts[fmt.Sprint(r.Reduction.Equivalence, ", smaller")]++
					}
				}
			}
		}
	}
	t.Log(counts)
	for _, q := range []lks.Equivalence{lks.Strong, lks.DivergenceBranching} {
		for _, c := range []string{"holds", "violated", "smaller"} {
			if n := counts[fmt.Sprint(q, ", ", c)]; n < share(70) {
				t.Errorf("%v, %s: only %d: the problems are too easy", q, c, n)
			}
		}
	}
}

// TestReduceRefuses checks that finite runs are refused with a trace of the original
// network.
func TestReduceRefuses(t *testing.T) {
	net := lks.Single(build(t, "M", []string{"0", "1", "2"}, "0 a 1", "1 b 2"))
	_, err := product.Verify(context.Background(), net, parse(t, net, "F b"), product.Options{Reductions: product.Reductions{Reduce: product.ReduceComponents}, Finite: product.RefuseRuns})
	finite, ok := err.(*product.FiniteRunError)
	if !ok || finite.Trace.Len() != 3 {
		t.Fatal(err)
	}
}

// TestReduceSizes has a property of one station of a ring and what it takes.
func TestReduceSizes(t *testing.T) {
	net := gen.Ring(12)
	f := parse(t, net, "G(try1 -> F crit1)")
	full := verify(t, net, f, product.Options{Reductions: product.Reductions{POR: product.NoPOR, Reduce: product.NoReduce}}, 0)
	r := verify(t, net, f, product.Options{Reductions: product.Reductions{POR: product.NoPOR, Reduce: product.ReduceComponents}}, 0)
	t.Logf("%d states, with minimised components %d: %+v", full.Stats.States, r.Stats.States, r.Reduction)
	if r.Verdict != product.Holds || r.Stats.States*100 > full.Stats.States {
		t.Errorf("%v, %d states of %d", r.Verdict, r.Stats.States, full.Stats.States)
	}
	if r.Reduction.Equivalence != lks.DivergenceBranching || r.Reduction.After[5] >= r.Reduction.Before[5] {
		t.Errorf("%+v", r.Reduction)
	}
	// Fairness is not preserved; but what holds in all runs needs none.
	fair := product.Options{Reductions: product.Reductions{Reduce: product.ReduceComponents}, Fairness: product.ActionFairness}
	if r := verify(t, net, f, fair, 0); r.Reduction == nil || !r.AllRuns || r.Stats.States*100 > full.Stats.States {
		t.Errorf("in all runs: %+v", r)
	}
	small := gen.Ring(5)
	if r := verify(t, small, parse(t, small, "G F crit1"), fair, 0); r.Verdict != product.Holds || r.Reduction != nil || r.AllRuns {
		t.Errorf("reduced in spite of fairness: %+v", r)
	}
	long := verify(t, net, parse(t, net, "G !crit7"), product.Options{Reductions: product.Reductions{Reduce: product.ReduceComponents}}, 0)
	if long.Verdict != product.Violated || len(long.Lasso.Loop[0].State.Local) != 12 {
		t.Errorf("%v", long.Verdict)
	}
}

// TestReduceSpecial has components that go silently to ERROR, which stops the others
// only then, or to END, which does not stop their silent steps, and one whose own
// action keeps the network from terminating.
func TestReduceSpecial(t *testing.T) {
	ending := func(kind lks.Kind, action string) *lks.LKS {
		b := lks.NewBuilder("N")
		from, to := b.State(), b.StateID(kind, nil)
		b.Transition(from, action, to)
		m, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	for _, c := range []struct {
		ends    *lks.LKS
		other   *lks.LKS
		formula string
		want    product.Verdict
	}{
		{ending(lks.Error, lks.TauName), build(t, "A", []string{"0"}, "0 a 0"), "G !a", product.Violated},
		{ending(lks.Error, "x"), build(t, "A", []string{"0"}, "0 a 0"), "G !a", product.Violated},
		{ending(lks.Error, "x"), build(t, "A", []string{"0"}, "0 a 0"), "F a", product.Violated},
		{ending(lks.End, lks.TauName), build(t, "A", []string{"0", "1 p"}, "0 tau 1"), "G !p", product.Violated},
		{ending(lks.End, "x"), build(t, "A", []string{"0", "1 p"}, "0 tau 1"), "G !p", product.Violated},
		{ending(lks.End, "x"), build(t, "A", []string{"0", "1 p"}, "0 tau 1"), "F p", product.Holds},
		{ending(lks.End, "x"), build(t, "A", []string{"0", "1 p"}, "0 k 1", "1 k 0"), "G F p", product.Holds},
	} {
		net := networkOf(t, []*lks.LKS{c.ends, c.other})
		for _, por := range []product.POR{product.NoPOR, product.EagerPOR} {
			r := verify(t, net, parse(t, net, c.formula), product.Options{Reductions: product.Reductions{POR: por, Reduce: product.ReduceComponents}}, 0)
			if r.Verdict != c.want || r.Reduction.Equivalence != lks.DivergenceBranching {
				t.Errorf("%s: %v, want %v, %v", c.formula, r.Verdict, c.want, r.Reduction.Equivalence)
			}
		}
	}
}

// TestReduceSilent has steps that a formula sees although they are silent, and an
// action that no rule takes, which must not become a silent step.
func TestReduceSilent(t *testing.T) {
	net := lks.Single(build(t, "M", []string{"0", "1"}, "0 tau 1"))
	r := verify(t, net, parse(t, net, "F tau"), product.Options{Reductions: product.Reductions{Reduce: product.ReduceComponents}}, 0)
	if r.Verdict != product.Holds || r.Reduction.Equivalence != lks.Strong {
		t.Errorf("%v, %+v", r.Verdict, r.Reduction)
	}
	net = lks.Single(build(t, "M", []string{"0", "1 p"}, "0 x 1", "0 tau 0")).Relabel(func(old string) []string { return nil })
	r = verify(t, net, parse(t, net, "G !p"), product.Options{Reductions: product.Reductions{Reduce: product.ReduceComponents}}, 0)
	if r.Verdict != product.Holds || r.Reduction.Equivalence != lks.DivergenceBranching {
		t.Errorf("%v, %+v", r.Verdict, r.Reduction)
	}
}

// TestReduceUnreachableEnd has a component whose END cannot be reached, so that the
// network never terminates: losing it would cut off its other steps.
func TestReduceUnreachableEnd(t *testing.T) {
	n, z := lks.NewBuilder("N"), lks.NewBuilder("Z")
	from := n.State()
	n.Transition(from, "x", n.StateID(lks.End, nil))
	zero, one := z.State(), z.State("p")
	z.StateID(lks.End, nil)
	z.Transition(zero, "x", zero)
	z.Transition(zero, lks.TauName, one)
	z.Transition(one, "x", one)
	z.Initial(zero)
	var components []*lks.LKS
	for _, b := range []*lks.Builder{n, z} {
		m, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		components = append(components, m)
	}
	net := networkOf(t, components)
	for _, reduce := range []product.Reduce{product.NoReduce, product.ReduceComponents} {
		if r := verify(t, net, parse(t, net, "F p"), product.Options{Reductions: product.Reductions{Reduce: reduce}}, 0); r.Verdict != product.Holds {
			t.Errorf("%v: %v", reduce, r.Verdict)
		}
	}
}

// TestReduceTreeSizes has questions about few components of many, which no search of
// single states could answer.
func TestReduceTreeSizes(t *testing.T) {
	for i, c := range []struct {
		net     *lks.Network
		formula string
		want    product.Verdict
	}{
		{gen.Ring(60), "G(try1 -> F crit1)", product.Holds},
		{gen.Ring(60), "G !(crit1 & crit2)", product.Holds},
		{gen.Milner(60), "GF run0", product.Holds},
		{gen.Philosophers(60, true), "G !(eating0 & eating1)", product.Holds},
		{gen.Philosophers(60, true), "G !deadlock", product.Holds},
		{gen.Philosophers(20, false), "G !deadlock", product.Violated},
		{gen.ReadersWriters(30), "G !deadlock", product.Holds},
		{gen.ReadersWriters(30), "G F writing0", product.Violated},
	} {
		if testing.Short() && i%2 == 0 {
			continue
		}
		r := verify(t, c.net, parse(t, c.net, c.formula), product.Options{Reductions: product.Reductions{Reduce: product.ReduceTree, POR: product.NoPOR}}, 0)
		if r.Verdict != c.want || r.Stats.States > 20 || len(r.Reduction.After) != 1 || r.Reduction.GivenUp > 0 || r.Reduction.Stopped {
			t.Errorf("%s, %s: %v, %d states, %+v", c.net.Name(), c.formula, r.Verdict, r.Stats.States, r.Reduction)
		}
	}
}
