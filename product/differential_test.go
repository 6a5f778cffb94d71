package product_test

import (
	"context"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/naive"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/run"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/product"
	"github.com/seltl/seltl/product/internal/meet"
)

// go test ./product -first-seed 1000000 looks elsewhere, SELTL_SOAK=100 looks longer.
var firstSeed = flag.Uint64("first-seed", 0, "seed of the first random problem")

// problems is the number of random problems of a differential test.
func problems() int {
	if testing.Short() {
		return soak.Cases(45)
	}
	return soak.Cases(80)
}

// share is what a test demands of its problems, one in so many; of a few it demands
// less, since chance takes away more, and of very few nothing.
func share(of int) int {
	n := float64(problems()) / float64(of)
	if n < 50 {
		n = max(0, n-2*math.Sqrt(n))
	}
	return int(n)
}

// tiny and lively keep the naive twin fast; lively has fewer deadlocks.
var tiny = gen.Shape{States: 3, Actions: []string{"a", "b", "c"}, Degree: 1.7, Tau: 0.1, Props: 0.7, Special: 0.15, ManyInitial: 0.15}

var lively = gen.Shape{States: 4, Actions: []string{"a", "b", "c"}, Degree: 2.3, Tau: 0.15, Props: 0.6, Special: 0.05, ManyInitial: 0.1}

func shapeOf(seed uint64) gen.Shape {
	if seed%3 == 0 {
		return tiny
	}
	return lively
}

func networkOf(t testing.TB, components []*lks.LKS) *lks.Network {
	t.Helper()
	var parts []*lks.Network
	for _, m := range components {
		parts = append(parts, lks.Single(m))
	}
	net, err := lks.Compose("test", parts...)
	if err != nil {
		t.Fatal(err)
	}
	return net
}

// problem returns the random problem of a seed, or nil if it is too large for
// the naive twin.
func problem(seed uint64) (*gen.Problem, *naive.Structure) {
	r := gen.Rand(seed)
	p := gen.NewProblem(r, 3, 9, shapeOf(seed))
	if seed%4 == 0 {
		p.Formula = recurrent(r, gen.ModelAtoms(p.Components...))
	}
	if atoms := ltl.Atoms(p.Formula); seed%4 == 1 && len(atoms) > 0 {
		p.Formula = gen.Formula(r, gen.FormulaOptions{Size: 2 + r.IntN(8), Atoms: atoms, Ops: gen.PastOps})
	}
	if naive.Temporal(p.Formula) > 6 {
		return nil, nil
	}
	s := naive.ComposeStructure(p.Components)
	if s.NumSteps()<<naive.Temporal(p.Formula) > 800 {
		return nil, nil
	}
	return p, s
}

// recurrent returns a Boolean combination of GF and FG of Boolean formulas: the
// automata of such formulas and their negations are not weak.
func recurrent(r *rand.Rand, atoms []ltl.Atom) *ltl.Formula {
	ops := []ltl.Op{ltl.And, ltl.Or, ltl.Implies}
	var all *ltl.Formula
	for range 1 + r.IntN(3) {
		f := gen.Formula(r, gen.FormulaOptions{Size: 1 + r.IntN(3), Atoms: atoms, Ops: append(ops, ltl.Not)})
		if r.IntN(2) == 0 {
			f = ltl.MakeAlways(ltl.MakeEventually(f))
		} else {
			f = ltl.MakeEventually(ltl.MakeAlways(f))
		}
		if all == nil {
			all = f
		} else {
			all = ltl.Make(ops[r.IntN(len(ops))], all, f)
		}
	}
	return all
}

// sparse makes large components with few cycles.
var sparse = gen.Shape{States: 14, Actions: []string{"a", "b", "c", "d"}, Degree: 1.6, Tau: 0.1, Props: 0.9, ManyInitial: 0.1}

// TestSearchesAgree compares the two searches with each other on graphs that are
// too large for the naive twin, with formulas that make nested searches
// necessary.
func TestSearchesAgree(t *testing.T) {
	violated := 0
	for seed := *firstSeed + 50_000_000; seed < *firstSeed+50_000_000+4*uint64(problems()); seed++ {
		r := gen.Rand(seed)
		var components []*lks.LKS
		for i := range 1 + r.IntN(2) {
			components = append(components, gen.LKS(r, []string{"x", "y"}[i], sparse))
		}
		net := networkOf(t, components)
		atoms := gen.ModelAtoms(components...)
		r.Shuffle(len(atoms), func(i, j int) { atoms[i], atoms[j] = atoms[j], atoms[i] })
		f := recurrent(r, atoms[:min(len(atoms), 4)])
		finite := product.FiniteRuns(seed % 2)
		nested := verify(t, net, f, product.Options{Search: product.Search{Emptiness: product.NestedDFS}, Finite: finite}, seed)
		byComponents := verify(t, net, f, product.Options{Search: product.Search{Emptiness: product.Components}, Finite: finite}, seed)
		if nested.Verdict != byComponents.Verdict {
			t.Fatalf("seed %d, %v: %v by nested search, %v by components", seed, f, nested.Verdict, byComponents.Verdict)
		}
		if nested.Verdict == product.Violated {
			violated++
		}
		// A run that is fair by one of these is fair by those before it.
		last := nested.Verdict
		for _, fair := range []product.Fairness{product.ActionFairness, product.StrongActionFairness, product.ChoiceFairness} {
			r := verify(t, net, f, product.Options{Finite: finite, Fairness: fair}, seed)
			if last == product.Holds && r.Verdict == product.Violated {
				t.Fatalf("seed %d, %v: more runs are fair under %v", seed, f, fair)
			}
			last = r.Verdict
		}
		verify(t, net, f, product.Options{Finite: finite, Fairness: product.ProcessFairness}, seed)
	}
	t.Logf("%d of %d violated", violated, 4*problems())
	if violated < problems() || violated > problems()*3 {
		t.Errorf("%d of %d violated: the problems are too easy", violated, 4*problems())
	}
}

func describe(p *gen.Problem) string {
	var b strings.Builder
	fmt.Fprintf(&b, "formula %v\n", p.Formula)
	for _, m := range p.Components {
		fmt.Fprintf(&b, "component %s, alphabet %v, initial %v\n", m.Name(), m.Alphabet(), m.Initial())
		for s := range int32(m.NumStates()) {
			fmt.Fprintf(&b, "  %d kind %d label", s, m.Kind(s))
			for _, q := range m.Label(s) {
				fmt.Fprintf(&b, " %s", m.Props()[q])
			}
			for _, e := range m.Edges(s) {
				fmt.Fprintf(&b, ", -%s-> %d", m.Alphabet()[e.Action], e.Target)
			}
			fmt.Fprintln(&b)
		}
	}
	return b.String()
}

// TestAgainstNaive compares the verdicts of both searches, with and without
// shortest counterexamples and for all readings of finite runs, with the naive
// twin, and the verdicts of formula and negation with each other.
func TestAgainstNaive(t *testing.T) {
	verdicts := map[string]int{}
	for seed := *firstSeed; verdicts["problems"] < problems(); seed++ {
		p, s := problem(seed)
		if p == nil {
			continue
		}
		verdicts["problems"]++
		net := networkOf(t, p.Components)
		for _, finite := range []product.FiniteRuns{product.StutterRuns, product.IgnoreRuns} {
			stutter := finite == product.StutterRuns
			want := !s.Satisfiable(ltl.MakeNot(p.Formula), stutter, naive.NoFairness)
			for _, opts := range []product.Options{
				{Search: product.Search{Emptiness: product.NestedDFS}},
				{Search: product.Search{Emptiness: product.Components}},
				{Search: product.Search{Emptiness: product.NestedDFS}, Shortest: true},
			} {
				opts.Finite = finite
				r := verify(t, net, p.Formula, opts, seed)
				if (r.Verdict == product.Holds) != want {
					t.Fatalf("seed %d, finite runs %v, %v: %v, naive: holds %t\n%s", seed, finite, r.Emptiness, r.Verdict, want, describe(p))
				}
				if r.Verdict == product.Violated && opts.Shortest && !r.Minimal {
					t.Fatalf("seed %d: the shortest lasso was not found", seed)
				}
				verdicts[fmt.Sprint(finite, " ", r.Verdict)]++
			}
			negated := verify(t, net, ltl.MakeNot(p.Formula), product.Options{Finite: finite}, seed)
			some := s.Satisfiable(ltl.T(), stutter, naive.NoFairness)
			if some && want && negated.Verdict == product.Holds {
				t.Fatalf("seed %d: a formula and its negation both hold\n%s", seed, describe(p))
			}
		}
		refuse(t, net, p, s, seed)
	}
	t.Log(verdicts)
	for _, v := range []string{"stutter holds", "stutter violated", "ignore holds", "ignore violated"} {
		if verdicts[v] < share(10) {
			t.Errorf("only %d times %s: the problems are too easy", verdicts[v], v)
		}
	}
}

// verify also tests what Verify tests itself: the counterexample.
func verify(t testing.TB, net *lks.Network, f *ltl.Formula, opts product.Options, seed uint64) *product.Result {
	t.Helper()
	r, err := product.Verify(context.Background(), net, f, opts)
	confirm(t, net, f, opts, seed, r, err)
	return r
}

// confirm checks an answer of Verify.
func confirm(t testing.TB, net *lks.Network, f *ltl.Formula, opts product.Options, seed uint64, r *product.Result, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("seed %d, %v: %v", seed, f, err)
	}
	switch {
	case r.Verdict == product.Unknown:
		t.Fatalf("seed %d, %v: unknown: %v", seed, f, r.Reason)
	case (r.Verdict == product.Violated) != (r.Lasso != nil):
		t.Fatalf("seed %d, %v: %v with lasso %v", seed, f, r.Verdict, r.Lasso)
	case r.AllRuns && (r.Verdict != product.Holds || opts.Fairness == product.NoFairness && opts.FairSets == nil && opts.Compassion == nil):
		t.Fatalf("seed %d, %v: %v in all runs", seed, f, r.Verdict)
	case r.Lasso != nil:
		if err := r.Lasso.Replay(net); err != nil {
			t.Fatalf("seed %d, %v: %v", seed, f, err)
		}
		if ltl.Eval(f, meet.Word(r.Lasso)) {
			t.Fatalf("seed %d: %v holds on %v", seed, f, r.Lasso)
		}
		if opts.Finite == product.IgnoreRuns && r.Lasso.Stutters() {
			t.Fatalf("seed %d: %v is not infinite", seed, r.Lasso)
		}
		if !endsOnce(r.Lasso) {
			t.Fatalf("seed %d: %v does not end where the run does", seed, r.Lasso)
		}
		if r.Lasso.Stutters() && !r.FiniteMet {
			t.Fatalf("seed %d: %v stutters, and no finite run was met", seed, r.Lasso)
		}
		if f.Is(ltl.Safety) && r.Prefix == nil {
			t.Fatalf("seed %d: %v has a bad prefix, and %v is shown", seed, f, r.Lasso)
		}
		checkFair(t, net, r, opts, seed)
	}
}

// endsOnce reports whether a run that ends repeats its last state once only, as
// its loop: what comes before is shown, and nothing happens in it.
func endsOnce(l *run.Run) bool {
	stutters := func(s run.Step) bool { return s.Rule == run.Stutter }
	return !slices.ContainsFunc(l.Stem, stutters) && (len(l.Loop) == 1 || !slices.ContainsFunc(l.Loop, stutters))
}

// refuse checks the reading that refuses finite runs.
func refuse(t *testing.T, net *lks.Network, p *gen.Problem, s *naive.Structure, seed uint64) {
	t.Helper()
	r, err := product.Verify(context.Background(), net, p.Formula, product.Options{Finite: product.RefuseRuns})
	if !s.HasDeadlock() {
		want := !s.Satisfiable(ltl.MakeNot(p.Formula), true, naive.NoFairness)
		if err != nil || (r.Verdict == product.Holds) != want {
			t.Fatalf("seed %d: %v, %v; naive: holds %t\n%s", seed, r, err, want, describe(p))
		}
		return
	}
	finite, ok := err.(*product.FiniteRunError)
	if !ok {
		t.Fatalf("seed %d: %v: a state without successors is reachable", seed, err)
	}
	if err := finite.Trace.Replay(net); err != nil || !finite.Trace.Stutters() {
		t.Fatalf("seed %d: %v: %v", seed, finite.Trace, err)
	}
}

var fairnesses = []struct {
	fast product.Fairness
	slow naive.Fairness
}{
	{product.ProcessFairness, naive.ProcessFair},
	{product.ActionFairness, naive.ActionFair},
	{product.StrongActionFairness, naive.StrongFair},
	{product.ChoiceFairness, naive.ChoiceFair},
}

// TestFairAgainstNaive compares verdicts under fairness with the naive twin.
func TestFairAgainstNaive(t *testing.T) {
	count, changed := 0, map[product.Fairness]int{}
	for seed := *firstSeed + 10_000_000; count < problems(); seed++ {
		p, s := problem(seed)
		if p == nil {
			continue
		}
		count++
		net := networkOf(t, p.Components)
		finite := product.FiniteRuns(seed % 2)
		plain := verify(t, net, p.Formula, product.Options{Finite: finite}, seed)
		for _, fair := range fairnesses {
			want := !s.Satisfiable(ltl.MakeNot(p.Formula), finite == product.StutterRuns, fair.slow)
			r := verify(t, net, p.Formula, product.Options{Finite: finite, Fairness: fair.fast}, seed)
			if (r.Verdict == product.Holds) != want {
				t.Fatalf("seed %d, finite runs %v, fairness %v: %v, naive: holds %t\n%s", seed, finite, fair.fast, r.Verdict, want, describe(p))
			}
			if r.Verdict != plain.Verdict {
				changed[fair.fast]++
			}
		}
	}
	t.Log("verdicts changed by fairness: ", changed)
	for _, fair := range fairnesses {
		if changed[fair.fast] < share(300) {
			t.Errorf("fairness %v changed only %d verdicts: the problems are too easy", fair.fast, changed[fair.fast])
		}
	}
}

// TestNested checks networks with hiding, relabelling, priorities and observers,
// explored on the fly, against the naive twin on the composition built.
func TestNested(t *testing.T) {
	violated := 0
	for seed, count := *firstSeed+20_000_000, 0; count < problems(); seed++ {
		r := gen.Rand(seed)
		net, err := gen.Network(r, 3, shapeOf(seed)).Build()
		if err != nil {
			continue // a clash of propositions
		}
		m, err := net.Build(nil)
		if err != nil {
			t.Fatal(err)
		}
		s := naive.ComposeStructure([]*lks.LKS{m})
		f := gen.Formula(r, gen.FormulaOptions{Size: 1 + r.IntN(9), Atoms: gen.ModelAtoms(m)})
		if s.NumSteps()<<naive.Temporal(f) > 400 {
			continue
		}
		count++
		for _, fair := range []product.Fairness{product.NoFairness, product.StrongActionFairness} {
			slow := map[product.Fairness]naive.Fairness{product.StrongActionFairness: naive.StrongFair}[fair]
			want := !s.Satisfiable(ltl.MakeNot(f), true, slow)
			for _, e := range searches() {
				got := verify(t, net, f, product.Options{Search: product.Search{Emptiness: e}, Fairness: fair}, seed)
				if (got.Verdict == product.Holds) != want {
					t.Fatalf("seed %d, %v, %v, fairness %v: %v, naive: holds %t", seed, f, e, fair, got.Verdict, want)
				}
				if !want {
					violated++
				}
			}
		}
	}
	if violated < problems()/2 {
		t.Errorf("only %d violations: the problems are too easy", violated)
	}
}
