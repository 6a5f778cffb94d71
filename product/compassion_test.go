package product_test

import (
	"context"
	"slices"
	"testing"

	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/naive"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/product"
)

// TestCompassionAgainstNaive compares verdicts under random pairs, beside other fairness and
// on networks that hide the actions of pairs, with the naive twin.
func TestCompassionAgainstNaive(t *testing.T) {
	count, changed, hidden := 0, 0, 0
	for seed := *firstSeed + 40_000_000; count < problems(); seed++ {
		p, s := problem(seed)
		if p == nil {
			continue
		}
		count++
		r := gen.Rand(seed ^ 0xc0)
		net := networkOf(t, p.Components)
		atoms := ltl.Atoms(p.Formula)
		seen := func(action string) bool {
			return slices.ContainsFunc(atoms, func(a ltl.Atom) bool { return a.Name == action || a.Name == lks.TauName })
		}
		if a := net.Alphabet()[r.IntN(len(net.Alphabet()))]; a != lks.TauName && !seen(a) {
			net = net.Hide(func(action string) bool { return action == a })
			hidden++
		}
		var pairs []product.Compassion
		var slow []naive.Compassion
		for range 1 + r.IntN(3) {
			some := func() (actions []product.LocalAction, taken func(naive.StructureEdge) bool) {
				for c, m := range p.Components {
					for _, a := range m.Alphabet() {
						if r.IntN(4) == 0 {
							actions = append(actions, product.LocalAction{Component: c, Action: a})
						}
					}
				}
				return actions, func(e naive.StructureEdge) bool {
					return slices.ContainsFunc(actions, func(a product.LocalAction) bool {
						return a.Action == e.Event && slices.Contains(e.Moved, a.Component)
					})
				}
			}
			var pair product.Compassion
			var twin naive.Compassion
			pair.Premise, twin.Premise = some()
			pair.Conclusion, twin.Conclusion = some()
			pairs, slow = append(pairs, pair), append(slow, twin)
		}
		opts := product.Options{Finite: product.FiniteRuns(seed % 2), Compassion: pairs}
		kind := naive.NoFairness
		var sets []naive.FairSet
		switch r.IntN(5) {
		case 0:
			opts.Fairness, kind = product.ProcessFairness, naive.ProcessFair
		case 1:
			opts.Fairness, kind = product.ChoiceFairness, naive.ChoiceFair
		case 2:
			a := net.Alphabet()[r.IntN(len(net.Alphabet()))]
			if a != lks.TauName { // hidden or not, tau is another set than what the twin sees
				sets = []naive.FairSet{{Actions: []string{a}, Strong: r.IntN(2) == 0}}
				opts.FairSets = []product.FairSet{{Actions: sets[0].Actions, Strong: sets[0].Strong}}
			}
		}
		want := !s.SatisfiableCompassionate(ltl.MakeNot(p.Formula), opts.Finite == product.StutterRuns, kind, sets, slow)
		got := verify(t, net, p.Formula, opts, seed)
		if (got.Verdict == product.Holds) != want {
			t.Fatalf("seed %d, %v, %v: %v, naive: holds %t\n%s", seed, opts.Fairness, pairs, got.Verdict, want, describe(p))
		}
		opts.Compassion = nil
		if plain := verify(t, net, p.Formula, opts, seed); plain.Verdict != got.Verdict {
			changed++
		}
	}
	t.Logf("%d of %d verdicts changed, %d networks hide an action of pairs", changed, count, hidden)
	if changed < share(12) || hidden < share(20) {
		t.Errorf("%d verdicts changed, %d hidden: the problems are too easy", changed, hidden)
	}
}

// counter steps down a loop, which a ranking function labels, may be set again, and may stop.
func counter(t *testing.T) *lks.Network {
	t.Helper()
	m := build(t, "C", []string{"0", "1"}, "0 dec 0", "0 same 1", "1 same 0", "0 other 0", "0 stop 0")
	return lks.Single(m).Hide(func(a string) bool { return a != "stop" })
}

// TestCompassion: what a ranking function decreases in ends, but for loops that it does not.
func TestCompassion(t *testing.T) {
	net := counter(t)
	local := func(actions ...string) (all []product.LocalAction) {
		for _, a := range actions {
			all = append(all, product.LocalAction{Action: a})
		}
		return all
	}
	dec, same, other := local("dec"), local("same"), local("other")
	for _, c := range []struct {
		pairs []product.Compassion
		want  product.Verdict
	}{
		{nil, product.Violated},
		{[]product.Compassion{{dec, other}}, product.Violated},                                           // by "same", and by "other"
		{[]product.Compassion{{dec, nil}, {other, nil}}, product.Violated},                               // by "same"
		{[]product.Compassion{{slices.Concat(dec, same), other}}, product.Violated},                      // by "other"
		{[]product.Compassion{{slices.Concat(dec, same), other}, {other, local("stop")}}, product.Holds}, // lexicographic
		{[]product.Compassion{{slices.Concat(dec, same), other}, {other, dec}}, product.Violated},        // by "dec" and "other"
		{[]product.Compassion{{slices.Concat(dec, same, other), nil}}, product.Holds},
	} {
		r := verify(t, net, parse(t, net, "F stop"), product.Options{Compassion: c.pairs}, 0)
		if r.Verdict != c.want {
			t.Errorf("%v: %v, not %v", c.pairs, r.Verdict, c.want)
		}
	}
	for _, bad := range []product.LocalAction{{0, "nothing"}, {1, "dec"}, {-1, "dec"}} {
		opts := product.Options{Compassion: []product.Compassion{{dec, []product.LocalAction{bad}}}}
		if _, err := product.Verify(context.Background(), net, ltl.T(), opts); err == nil {
			t.Errorf("%v is taken", bad)
		}
	}
}
