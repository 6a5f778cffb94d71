package product_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/seltl/seltl/buchi"
	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/omega"
	"github.com/seltl/seltl/product"
	"github.com/seltl/seltl/product/internal/meet"
)

// languageOf translates a formula for a language, in a form that depends on the seed.
func languageOf(t *testing.T, seed uint64, f *ltl.Formula, negative bool) product.Language {
	t.Helper()
	if negative {
		f = ltl.MakeNot(f)
	}
	b, err := buchi.Translate(f, buchi.Options{})
	if err != nil {
		t.Fatalf("seed %d: %v", seed, err)
	}
	a := omega.FromBuchi(b)
	if seed%3 == 2 && a.NumStates() < 6 {
		form := []omega.Form{omega.ParityForm, omega.RabinForm, omega.StreettForm}[seed/3%3]
		if a, err = a.Convert(form, nil); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
	return product.Language{Automaton: a, Negative: negative}
}

// TestAutomatonAgreesWithFormula: a model satisfies a formula if and only if it satisfies the
// language of its automaton, and avoids that of its negation's.
func TestAutomatonAgreesWithFormula(t *testing.T) {
	verdicts, accepted, ended := map[product.Verdict]int{}, 0, 0
	n := uint64(soak.Cases(300))
	for seed := *firstSeed; seed < *firstSeed+n; seed++ {
		p, _ := problem(seed)
		if p == nil {
			continue
		}
		net := networkOf(t, p.Components)
		var opts product.Options
		opts.Emptiness = searches()[seed%uint64(len(searches()))]
		if seed%5 == 0 {
			opts.Finite = product.IgnoreRuns
		}
		if seed%7 == 0 {
			opts.Fairness, opts.Emptiness = product.ProcessFairness, product.AutoSearch
		}
		want, err := product.Verify(context.Background(), net, p.Formula, opts)
		if err != nil {
			t.Fatalf("seed %d: %v: %v", seed, p.Formula, err)
		}
		verdicts[want.Verdict]++
		for _, negative := range []bool{false, true} {
			l := languageOf(t, seed, p.Formula, negative)
			got, err := product.VerifyAutomaton(context.Background(), net, l, opts)
			if err != nil {
				t.Fatalf("seed %d, negative %v: %v: %v", seed, negative, p.Formula, err)
			}
			if walked, err := product.VerifyAutomatonWalking(context.Background(), net, l, opts); err != nil || walked.Verdict != got.Verdict {
				t.Fatalf("seed %d, negative %v: complemented along the runs: %v, %v, whole: %v", seed, negative, walked, err, got.Verdict)
			}
			if got.Verdict != want.Verdict {
				t.Fatalf("seed %d, negative %v: %v: automaton %v, formula %v", seed, negative, p.Formula, got.Verdict, want.Verdict)
			}
			if got.Verdict != product.Violated {
				continue
			}
			checkPassed(t, seed, net, l, p.Formula, got)
			if negative {
				accepted++
			}
			if got.Lasso.Stutters() {
				ended++
			}
		}
	}
	if n >= 300 && (verdicts[product.Holds] < 20 || accepted < 20 || ended < 5) {
		t.Errorf("too few cases mean something: %v, %d accepted, %d end", verdicts, accepted, ended)
	}
}

// checkPassed checks a counterexample, and the states it passes, by the edges of the automaton.
func checkPassed(t *testing.T, seed uint64, net *lks.Network, l product.Language, f *ltl.Formula, r *product.Result) {
	t.Helper()
	if err := r.Lasso.Replay(net); err != nil {
		t.Fatalf("seed %d: %v", seed, err)
	}
	if ltl.Eval(f, meet.Word(r.Lasso)) {
		t.Fatalf("seed %d: %v holds on %v", seed, f, r.Lasso)
	}
	passed := l.Passes(r.Lasso)
	if passed == nil || passed.Accepted != l.Negative || len(passed.Loop) == 0 {
		t.Fatalf("seed %d: negative %v: passed %v", seed, l.Negative, passed)
	}
	all := slices.Concat(passed.Stem, passed.Loop)
	if !slices.Equal(all[0], []int32{l.Automaton.Initial()}) {
		t.Fatalf("seed %d: begins in %v", seed, all[0])
	}
	word := meet.Word(r.Lasso)
	letters := func(i int) ltl.Letter {
		if i < len(word.Stem) {
			return word.Stem[i]
		}
		return word.Loop[(i-len(word.Stem))%len(word.Loop)]
	}
	for i, set := range all {
		next := passed.Loop[0]
		if i+1 < len(all) {
			next = all[i+1]
		}
		reached := map[int32]bool{}
		for _, s := range set {
			for _, e := range l.Automaton.Edges(s) {
				if l.Automaton.Sat(e.Label, func(v int) bool { return letters(i)(l.Automaton.Atoms()[v]) }) {
					reached[e.To] = true
				}
			}
		}
		for _, s := range next {
			if !reached[s] {
				t.Fatalf("seed %d: step %d: no edge leads to %d of %v", seed, i, s, all)
			}
		}
		if !passed.Accepted && len(reached) != len(next) {
			t.Fatalf("seed %d: step %d: %v is not all of %v", seed, i, next, reached)
		}
	}
}

// TestAutomatonKeepsOptions: what is left out for an automaton is said, and limits end as unknown.
func TestAutomatonKeepsOptions(t *testing.T) {
	p := gen.NewProblem(gen.Rand(1), 3, 4, lively)
	net := networkOf(t, p.Components)
	l := languageOf(t, 0, p.Formula, false)
	opts := product.Options{}
	opts.POR, opts.Reduce, opts.Symmetry = product.EagerPOR, product.ReduceTree, true
	r, err := product.VerifyAutomaton(context.Background(), net, l, opts)
	if err != nil {
		t.Fatal(err)
	}
	if r.POR || r.Reduction != nil || len(r.Symmetric) > 0 || r.NoPORBecause == "" || r.NoReductionBecause == "" || r.NoSymmetryBecause == "" {
		t.Errorf("reductions: %+v", r)
	}
	if _, err := product.VerifyAutomaton(context.Background(), net, product.Language{}, opts); err == nil {
		t.Error("no automaton is no error")
	}
	l.Automaton = l.Automaton.Named()
	if len(l.Automaton.Atoms()) > 0 {
		if _, err := product.VerifyAutomaton(context.Background(), net, l, opts); err == nil {
			t.Error("atoms that were read without a model are no error")
		}
	}
}

// wordsOf returns an automaton of the words of a network's runs over these atoms, with states
// without successors stuttering: it is read back from the definition, with nothing of the product.
func wordsOf(t *testing.T, net *lks.Network, atoms []ltl.Atom) *omega.Automaton {
	t.Helper()
	m, err := net.Build(nil)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "HOA: v1\nStates: %d\n", m.NumStates())
	for _, s := range m.Initial() {
		fmt.Fprintf(&b, "Start: %d\n", s)
	}
	fmt.Fprintf(&b, "AP: %d", len(atoms))
	for i := range atoms {
		fmt.Fprintf(&b, " \"x%d\"", i)
	}
	b.WriteString("\nAcceptance: 0 t\n--BODY--\n")
	for s := range int32(m.NumStates()) {
		letter := func(event string, to int32) {
			var literals []string
			for i, at := range atoms {
				sign := "!"
				if at.Kind == ltl.Event && at.Name == event || at.Kind == ltl.Prop && m.HasProp(s, m.Prop(at.Name)) {
					sign = ""
				}
				literals = append(literals, fmt.Sprintf("%s%d", sign, i))
			}
			fmt.Fprintf(&b, "[%s] %d\n", strings.Join(literals, "&"), to)
		}
		fmt.Fprintf(&b, "State: %d\n", s)
		for _, e := range m.Edges(s) {
			letter(m.Alphabet()[e.Action], e.Target)
		}
		if len(m.Edges(s)) == 0 {
			letter("", s)
		}
	}
	return readAutomaton(t, b.String()+"--END--\n", atoms)
}

func readAutomaton(t *testing.T, text string, atoms []ltl.Atom) *omega.Automaton {
	t.Helper()
	a, err := omega.NewReader("test", strings.NewReader(text)).Next()
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	var formulas []*ltl.Formula
	for _, at := range atoms {
		formulas = append(formulas, ltl.AtomOf(at))
	}
	return a.Substitute(formulas)
}

// TestRandomAutomata: random automata of every acceptance condition, most of which no formula
// has, against inclusion and product of languages.
func TestRandomAutomata(t *testing.T) {
	verdicts := map[product.Verdict]int{}
	n := uint64(soak.Long(150))
	for seed := *firstSeed; seed < *firstSeed+n; seed++ {
		r := gen.Rand(seed)
		net := networkOf(t, gen.NewProblem(r, 2, 4, shapeOf(seed)).Components)
		var atoms []ltl.Atom
		for _, p := range net.Props() {
			atoms = append(atoms, ltl.Atom{Kind: ltl.Prop, Name: p})
		}
		for _, e := range net.Alphabet()[1:] {
			atoms = append(atoms, ltl.Atom{Kind: ltl.Event, Name: e})
		}
		r.Shuffle(len(atoms), func(i, j int) { atoms[i], atoms[j] = atoms[j], atoms[i] })
		atoms = atoms[:min(len(atoms), 2)]
		if len(atoms) < 2 {
			continue
		}
		a := readAutomaton(t, gen.HOA(r, gen.AutomatonOptions{States: 3, Atoms: []string{"x0", "x1"}, Sets: 2, Density: 1 + r.Float64()}), atoms)
		words := wordsOf(t, net, atoms)
		var opts product.Options
		opts.Emptiness = searches()[seed%uint64(len(searches()))]
		for _, negative := range []bool{false, true} {
			l := product.Language{Automaton: a, Negative: negative}
			got, err := product.VerifyAutomaton(context.Background(), net, l, opts)
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			var holds bool
			if negative {
				both, err := omega.Product(words, a)
				if err != nil {
					t.Fatal(err)
				}
				holds = both.Empty()
			} else if holds, _, err = omega.Included(words, a, nil); err != nil {
				t.Fatal(err)
			}
			if holds != (got.Verdict == product.Holds) || got.Verdict == product.Unknown {
				t.Fatalf("seed %d, negative %v: %v, by languages: %v", seed, negative, got.Verdict, holds)
			}
			if !negative {
				walked, err := product.VerifyAutomatonWalking(context.Background(), net, l, opts)
				if err != nil || walked.Verdict != got.Verdict {
					t.Fatalf("seed %d: complemented along the runs: %v, %v, whole: %v", seed, walked, err, got.Verdict)
				}
			}
			verdicts[got.Verdict]++
			if got.Verdict == product.Violated {
				if passed := l.Passes(got.Lasso); passed == nil || passed.Accepted != negative {
					t.Fatalf("seed %d, negative %v: passed %v", seed, negative, passed)
				}
			}
		}
	}
	if n >= 300 && (verdicts[product.Holds] < 50 || verdicts[product.Violated] < 50) {
		t.Errorf("too few cases mean something: %v", verdicts)
	}
}
