package fairchoice_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/seltl/seltl/buchi"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/omega"
	"github.com/seltl/seltl/product"
	"github.com/seltl/seltl/product/fairchoice"
	"github.com/seltl/seltl/product/internal/meet"
)

// TestPairsAgainstSplitting: a deterministic automaton that reads the runs decides formulas as the
// elimination of their operators does, which shares no step with it.
func TestPairsAgainstSplitting(t *testing.T) {
	count := map[product.Verdict]int{}
	for seed := range soak.Long(uint64(600)) {
		r := rand.New(rand.NewPCG(seed, 171))
		net, f := randomProblem(t, r)
		switch seed % 3 {
		case 0:
			net, f = randomEscapes(t, r)
		case 1:
			f = pastFormula(r)
		}
		opts := product.Options{Finite: product.FiniteRuns(r.IntN(2))}
		want, err := fairchoice.Verify(context.Background(), net, f, opts)
		if err != nil {
			t.Fatal(err)
		}
		got, err := fairchoice.ByAutomaton(net, f, opts)
		if err != nil {
			t.Fatalf("seed %d: %v: %v", seed, f, err)
		}
		if got.Verdict != want.Verdict || got.NoRuns != want.NoRuns {
			t.Fatalf("seed %d: %v: %v (no runs: %v) by an automaton, %v (%v) by splitting", seed, f, got.Verdict, got.NoRuns, want.Verdict, want.NoRuns)
		}
		checkEvidence(t, net, f, opts, got, r, seed)
		count[got.Verdict]++
		for name, l := range languages(t, f) {
			got, err := fairchoice.VerifyAutomaton(context.Background(), net, l, opts)
			if err != nil {
				t.Fatalf("seed %d: %v, %s: %v", seed, f, name, err)
			}
			if got.Verdict != want.Verdict {
				t.Fatalf("seed %d: %v: %v by the automaton %s, not %v", seed, f, got.Verdict, name, want.Verdict)
			}
		}
	}
	if n := int(soak.Long(uint64(600))); count[product.Holds] < n/5 || count[product.Violated] < n/5 {
		t.Errorf("%v", count)
	}
}

// languages are automata that say what a formula says.
func languages(t testing.TB, f *ltl.Formula) map[string]product.Language {
	all := map[string]product.Language{}
	for name, g := range map[string]*ltl.Formula{"positive": f, "negative": ltl.MakeNot(f)} {
		b, err := buchi.Translate(g, buchi.Options{})
		if err != nil {
			t.Fatal(err)
		}
		a := omega.FromBuchi(b)
		all[name] = product.Language{Automaton: a, Negative: name == "negative"}
		d, err := a.Determinise(nil)
		if err != nil {
			t.Fatal(err)
		}
		all[name+", deterministic"] = product.Language{Automaton: d, Negative: name == "negative"}
	}
	return all
}

// checkEvidence: after the stem of a counterexample walks violate the formula, however they go on.
func checkEvidence(t testing.TB, net *lks.Network, f *ltl.Formula, opts product.Options, got *product.Result, r *rand.Rand, seed uint64) {
	t.Helper()
	if got.Verdict != product.Violated {
		return
	}
	if !endsOnce(got.Lasso) || !got.Certain {
		t.Fatalf("seed %d: %v: %v, certain: %v", seed, f, got.Lasso, got.Certain)
	}
	if len(got.Lasso.Stem) == 0 {
		return
	}
	last := got.Lasso.At(len(got.Lasso.Stem))
	packed := make([]uint64, net.Words())
	net.Pack(last.Local, packed)
	for range 5 {
		word, ok := walkFrom(net, packed, r, 200, opts.Finite != product.IgnoreRuns)
		if !ok {
			continue
		}
		stem := meet.Word(got.Lasso)
		word.Stem = append(stem.Stem[:len(got.Lasso.Stem):len(got.Lasso.Stem)], word.Stem...)
		if ltl.Eval(f, word) {
			t.Fatalf("seed %d: %v: after %v a walk satisfies it", seed, f, got.Lasso)
		}
	}
}

// walksSay reports whether random walks of n steps say that a property is violated, or is not. A walk that
// is too short for all that it could do says more than there is: where it does, longer ones are asked.
func walksSay(net *lks.Network, r *rand.Rand, violated bool, n int, violates func(ltl.Word) bool) bool {
	for ; n <= 4000; n *= 8 {
		found := false
		for range 25 {
			found = found || violates(randomWalk(net, r, n))
		}
		if found == violated {
			return true
		}
	}
	return false
}

// TestRegexpsByChoice compares formulas with regular expressions with long random walks, as
// TestFairChoiceRandomWalks does others.
func TestRegexpsByChoice(t *testing.T) {
	count := map[product.Verdict]int{}
	n := soak.Long(uint64(200))
	for seed := uint64(0); uint64(count[product.Holds]+count[product.Violated]) < n; seed++ {
		r := rand.New(rand.NewPCG(seed, 172))
		net, _ := randomProblem(t, r)
		g := ltl.Random{Atoms: problemAtoms, MinSize: 3, MaxSize: 9, Weights: ltl.DefaultWeights()}
		ltl.AddRegexps(g.Weights)
		f := g.Formula(r)
		if !f.HasRegexp() {
			continue
		}
		for name, decide := range map[string]func(*lks.Network, *ltl.Formula, product.Options) (*product.Result, error){
			"as it is": func(net *lks.Network, f *ltl.Formula, opts product.Options) (*product.Result, error) {
				return fairchoice.Verify(context.Background(), net, f, opts)
			},
			"by an automaton": fairchoice.ByAutomaton,
		} {
			got, err := decide(net, f, product.Options{})
			if err != nil {
				t.Fatalf("seed %d: %v: %v", seed, f, err)
			}
			violated := got.Verdict == product.Violated
			if !walksSay(net, r, violated, 60, func(w ltl.Word) bool { return !ltl.Eval(f, w) }) {
				t.Fatalf("seed %d: %v is %v %s, random walks do not say so", seed, f, got.Verdict, name)
			}
			count[got.Verdict]++
		}
	}
	if count[product.Holds] < int(n)/5 || count[product.Violated] < int(n)/5 {
		t.Errorf("%v", count)
	}
}

// TestRandomAutomataByChoice compares automata with any acceptance with long random walks.
func TestRandomAutomataByChoice(t *testing.T) {
	count := map[product.Verdict]int{}
	n := soak.Long(uint64(300))
	for seed := range n {
		r := rand.New(rand.NewPCG(seed, 173))
		net, _ := randomProblem(t, r)
		conditions := []*omega.Condition{omega.GeneralisedBuchi(1), omega.GeneralisedBuchi(2), omega.Rabin(1), omega.Streett(1), omega.Parity(true, true, 3), omega.Fin(0),
			omega.Or(omega.And(omega.Fin(0), omega.Inf(1)), omega.Inf(2))}
		c := conditions[r.IntN(len(conditions))]
		a := omega.Random(r, omega.RandomOptions{States: 1 + r.IntN(5), Atoms: problemAtoms[:2+r.IntN(3)], Sets: 3, Condition: c, Density: 0.4, Marks: 0.3, Deterministic: r.IntN(2) == 0})
		l := product.Language{Automaton: a, Negative: r.IntN(2) == 0}
		got, err := fairchoice.VerifyAutomaton(context.Background(), net, l, product.Options{})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		violates := func(w ltl.Word) bool { return a.Accepts(omega.WordOf(a.Atoms(), w)) == l.Negative }
		if violated := got.Verdict == product.Violated; !walksSay(net, r, violated, 150, violates) {
			t.Fatalf("seed %d: %v, negative %v: %v, random walks do not say so", seed, c, l.Negative, got.Verdict)
		}
		count[got.Verdict]++
	}
	if count[product.Holds] < int(n)/6 || count[product.Violated] < int(n)/6 {
		t.Errorf("%v", count)
	}
}
