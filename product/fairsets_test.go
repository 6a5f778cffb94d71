package product_test

import (
	"context"
	"errors"
	"testing"

	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/naive"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/product"
)

// TestFairSetsAgainstNaive compares verdicts under requirements on random sets of
// actions with the naive twin, and with the fairness that asks it of every action.
func TestFairSetsAgainstNaive(t *testing.T) {
	count, changed := 0, map[bool]int{}
	for seed := *firstSeed + 30_000_000; count < problems()/2; seed++ {
		p, s := problem(seed)
		if p == nil {
			continue
		}
		count++
		net := networkOf(t, p.Components)
		r := gen.Rand(seed ^ 0xfa17)
		var sets []product.FairSet
		var slow []naive.FairSet
		for range 1 + r.IntN(3) {
			var actions []string
			for _, a := range net.Alphabet() {
				if r.IntN(3) == 0 {
					actions = append(actions, a)
				}
			}
			strong := r.IntN(2) == 0
			sets = append(sets, product.FairSet{Actions: actions, Strong: strong})
			slow = append(slow, naive.FairSet{Actions: actions, Strong: strong})
		}
		finite := product.FiniteRuns(seed % 2)
		want := !s.SatisfiableFair(ltl.MakeNot(p.Formula), finite == product.StutterRuns, naive.NoFairness, slow)
		got := verify(t, net, p.Formula, product.Options{Reductions: product.Reductions{Reduce: product.ReduceComponents}, Finite: finite, FairSets: sets}, seed)
		if (got.Verdict == product.Holds) != want {
			t.Fatalf("seed %d, finite runs %v, %v: %v, naive: holds %t\n%s", seed, finite, sets, got.Verdict, want, describe(p))
		}
		if (got.POR || got.Reduction != nil) && !got.AllRuns {
			t.Fatalf("seed %d: reduced in spite of fairness", seed)
		}
		plain := verify(t, net, p.Formula, product.Options{Finite: finite}, seed)
		if got.AllRuns != (plain.Verdict == product.Holds) {
			t.Fatalf("seed %d: all runs %t, but %v without fairness", seed, got.AllRuns, plain.Verdict)
		}
		if plain.Verdict != got.Verdict {
			changed[sets[0].Strong]++
		}
		for _, strong := range []bool{false, true} {
			var each []product.FairSet
			for _, a := range net.Alphabet() {
				each = append(each, product.FairSet{Actions: []string{a}, Strong: strong})
			}
			kind := map[bool]product.Fairness{false: product.ActionFairness, true: product.StrongActionFairness}[strong]
			bySets := verify(t, net, p.Formula, product.Options{Finite: finite, FairSets: each}, seed)
			byKind := verify(t, net, p.Formula, product.Options{Finite: finite, Fairness: kind}, seed)
			if bySets.Verdict != byKind.Verdict {
				t.Fatalf("seed %d: %v by sets, %v by %v\n%s", seed, bySets.Verdict, byKind.Verdict, kind, describe(p))
			}
			together := verify(t, net, p.Formula, product.Options{Finite: finite, FairSets: append(each, sets...)}, seed)
			both := verify(t, net, p.Formula, product.Options{Finite: finite, Fairness: kind, FairSets: sets}, seed)
			if both.Verdict != together.Verdict {
				t.Fatalf("seed %d: %v by %v and sets, %v by sets alone\n%s", seed, both.Verdict, kind, together.Verdict, describe(p))
			}
		}
	}
	t.Log("verdicts changed:", changed)
	if changed[false]+changed[true] < share(500) {
		t.Errorf("verdicts changed: %v: the problems are too easy", changed)
	}
}

// TestFairSets tells strong from weak, and a set from its members.
func TestFairSets(t *testing.T) {
	// b and c are possible at every second step.
	net := networkOf(t, []*lks.LKS{build(t, "M", []string{"0", "1"}, "0 a 1", "1 a 0", "1 b 0", "1 c 0")})
	for _, c := range []struct {
		formula string
		sets    []product.FairSet
		want    product.Verdict
	}{
		{"GF (b | c)", []product.FairSet{{Actions: []string{"b", "c"}}}, product.Violated},
		{"GF (b | c)", []product.FairSet{{Actions: []string{"b", "c"}, Strong: true}}, product.Holds},
		{"GF b", []product.FairSet{{Actions: []string{"b", "c"}, Strong: true}}, product.Violated},
		{"GF b", []product.FairSet{{Actions: []string{"b"}, Strong: true}, {Actions: []string{"c"}}}, product.Holds},
		{"GF a", []product.FairSet{{}, {Strong: true}}, product.Holds},
	} {
		if r := verify(t, net, parse(t, net, c.formula), product.Options{FairSets: c.sets}, 0); r.Verdict != c.want || r.Emptiness != product.Components && !r.AllRuns {
			t.Errorf("%s under %v: %v by %v", c.formula, c.sets, r.Verdict, r.Emptiness)
		}
	}
	_, err := product.Verify(context.Background(), net, ltl.T(), product.Options{FairSets: []product.FairSet{{Actions: []string{"nothing"}}}})
	var atom *ltl.AtomError
	if !errors.As(err, &atom) || atom.Atom.Name != "nothing" {
		t.Error(err)
	}
	if text := (product.FairSet{Actions: []string{"a", "b"}, Strong: true}).String(); text != "strong {a, b}" {
		t.Error(text)
	}
}

// TestFairSetsBeside has requirements of both sorts that must not be confused.
func TestFairSetsBeside(t *testing.T) {
	net := networkOf(t, []*lks.LKS{build(t, "M", []string{"0", "1"}, "0 a 1", "1 a 0", "1 b 0", "1 c 0")})
	for formula, want := range map[string]product.Verdict{"GF c": product.Holds, "GF b": product.Violated} {
		r := verify(t, net, parse(t, net, formula), product.Options{Fairness: product.ActionFairness, FairSets: []product.FairSet{{Actions: []string{"c"}, Strong: true}}}, 0)
		if r.Verdict != want {
			t.Errorf("%s: %v", formula, r.Verdict)
		}
	}
}
