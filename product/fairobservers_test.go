package product_test

import (
	"fmt"
	"testing"

	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/product"
)

// fluentOf returns an observer with a proposition that holds from when on occurs
// until off does.
func fluentOf(t *testing.T, name, on, off string) *lks.LKS {
	b := lks.NewBuilder(name)
	no, yes := b.State(), b.State(name)
	b.Initial(no)
	b.Transition(no, on, yes)
	b.Transition(yes, off, no)
	m, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestFairnessIgnoresObservers: who watches does not change which runs are fair. A
// formula that does not name a fluent has the verdict that it has without it, and one
// that does has that of a formula which says the same by events alone.
func TestFairnessIgnoresObservers(t *testing.T) {
	counts := map[string]int{}
	kinds := []product.Fairness{product.ProcessFairness, product.ActionFairness, product.StrongActionFairness, product.ChoiceFairness}
	for seed := *firstSeed + 120_000_000; counts["problems"] < problems()/10; seed++ {
		r := gen.Rand(seed)
		shape := gen.Shape{States: 3, Actions: []string{"a", "b", "c"}, Degree: 2.2, Tau: 0.1, Props: 0.3}
		p := gen.NewProblem(r, 2, 6, shape)
		net := networkOf(t, p.Components)
		if net.Action("a") < 0 || net.Action("b") < 0 || net.Action("c") < 0 {
			continue
		}
		watched, err := net.With(fluentOf(t, "fl", "a", "b"), fluentOf(t, "other", "c", "a"))
		if err != nil {
			t.Fatal(err)
		}
		counts["problems"]++
		pairs := [][2]*ltl.Formula{{p.Formula, p.Formula}}
		for _, e := range []string{"a", "b", "c"} {
			pairs = append(pairs, [2]*ltl.Formula{
				parse(t, watched, fmt.Sprintf("G F (fl & E.%s)", e)),
				parse(t, net, fmt.Sprintf("G F (E.a & X (!E.b U E.%s)) | F (E.a & X G !E.b) & G F E.%s", e, e)),
			})
		}
		for _, fairness := range kinds {
			opts := product.Options{Fairness: fairness}
			for _, pair := range pairs {
				with, without := verify(t, watched, pair[0], opts, seed), verify(t, net, pair[1], opts, seed)
				if with.Verdict != without.Verdict {
					t.Fatalf("seed %d, %v: %v: %v, %v: %v", seed, fairness, pair[0], with.Verdict, pair[1], without.Verdict)
				}
				if !with.AllRuns {
					counts[fmt.Sprint(fairness, " ", with.Verdict)]++
				}
			}
		}
	}
	t.Log(counts)
	for _, fairness := range kinds {
		for _, verdict := range []product.Verdict{product.Holds, product.Violated} {
			if key := fmt.Sprint(fairness, " ", verdict); counts[key] < share(200) {
				t.Errorf("%s: only %d: the problems are too easy", key, counts[key])
			}
		}
	}
}

// TestFairTourOfManyTransitions needs a loop that takes every one of ten thousand
// transitions.
func TestFairTourOfManyTransitions(t *testing.T) {
	var components []*lks.LKS
	for i := range 5 {
		b := lks.NewBuilder(fmt.Sprint("C", i))
		for range 4 {
			b.State()
		}
		b.Initial(0)
		for s := range int32(4) {
			b.Transition(s, fmt.Sprint("up", i), (s+1)%4)
			b.Transition(s, fmt.Sprint("down", i), (s+3)%4)
		}
		m, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		components = append(components, m)
	}
	net := networkOf(t, components)
	r := verify(t, net, parse(t, net, "F G !E.up0"), product.Options{Fairness: product.ChoiceFairness}, 0)
	if r.Verdict != product.Violated || r.Fair[0].Transitions != 10<<10 || len(r.Lasso.Loop) < 10<<10 {
		t.Errorf("%v, fair because of %+v", r.Verdict, r.Fair)
	}
}
