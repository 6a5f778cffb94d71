package cegar

import (
	"context"
	"slices"
	"testing"

	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/run"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/product"
)

// wordOf is the word of a lasso.
func wordOf(r *run.Run) (w ltl.Word) {
	letter := func(s run.Step) ltl.Letter {
		return func(a ltl.Atom) bool {
			switch a.Kind {
			case ltl.Prop:
				return slices.Contains(s.State.Props, a.Name)
			case ltl.Event:
				return s.Event == a.Name
			case ltl.Deadlock:
				return len(s.State.Enabled) == 0
			}
			return slices.Contains(s.State.Enabled, a.Name)
		}
	}
	for _, s := range r.Stem {
		w.Stem = append(w.Stem, letter(s))
	}
	for _, s := range r.Loop {
		w.Loop = append(w.Loop, letter(s))
	}
	return w
}

// TestQuotients compares refinement of quotients with the network itself: theorems 18 to 21 of
// [Chaki05] for the upper level (what simulates a network and satisfies a formula, proves it; a
// lasso of a quotient that the network can follow refutes it), with ends of runs, enabled(a) and
// fairness, which the thesis does without.
func TestQuotients(t *testing.T) {
	ctx := context.Background()
	counts, refined, smaller := map[product.Verdict]int{}, 0, 0
	for seed := range uint64(soak.Long(1500)) {
		r := gen.Rand(seed)
		shape := gen.Shape{States: 6, Actions: []string{"a", "b", "c"}, Degree: 1.9, Tau: 0.1, Props: 0.6, Special: 0.15, ManyInitial: 0.15}
		p := gen.NewProblem(r, 3, 6, shape)
		var parts []*lks.Network
		for _, m := range p.Components {
			parts = append(parts, lks.Single(m))
		}
		net, err := lks.Compose("net", parts...)
		if err != nil {
			t.Fatal(err)
		}
		opts := product.Options{Finite: []product.FiniteRuns{product.StutterRuns, product.IgnoreRuns}[r.IntN(2)]}
		opts.Fairness = []product.Fairness{product.NoFairness, product.ProcessFairness, product.ActionFairness, product.StrongActionFairness}[r.IntN(4)]
		opts.Workers = 1
		want, err := product.Verify(ctx, net, p.Formula, opts)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		q, round := newQuotients(net), &Round{}
		got, err := q.verify(round, func(n *lks.Network) (*product.Result, error) { return product.Verify(ctx, n, p.Formula, opts) })
		if err != nil || got == nil {
			t.Fatalf("seed %d: %v, %v with %+v", seed, err, p.Formula, opts)
		}
		counts[got.Verdict]++
		if round.Above > 1 {
			refined++
		}
		for i, n := range round.Classes {
			if n < p.Components[i].NumStates() {
				smaller++
			}
		}
		if got.Verdict != want.Verdict {
			t.Fatalf("seed %d: %v, of the network %v: %v with %+v", seed, got.Verdict, want.Verdict, p.Formula, opts)
		}
		if got.Verdict == product.Violated && ltl.Eval(p.Formula, wordOf(got.Lasso)) {
			t.Errorf("seed %d: the lasso satisfies %v", seed, p.Formula)
		}
	}
	t.Logf("%v, %d refined, %d components stayed smaller", counts, refined, smaller)
	if counts[product.Holds] == 0 || counts[product.Violated] == 0 || refined == 0 || smaller == 0 {
		t.Error("a kind of answer is missing")
	}
}
