package buchi_test

import (
	"math/rand/v2"
	"testing"

	"github.com/seltl/seltl/buchi"
	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/ltl"
)

// Automata of formulas with regular expressions accept the words that satisfy them, and those of
// the negations the others.
func TestTranslateRegexp(t *testing.T) {
	atoms := gen.Atoms("a", "b")
	accepted, words := 0, 0
	for seed := range soak.Long(uint64(750)) {
		r := rand.New(rand.NewPCG(seed, 40))
		f := ltl.MustParse(gen.Suffix(r, 1+r.IntN(9), gen.RegexpOptions{Atoms: atoms, Plain: seed%3 != 0}))
		opts := buchi.Options{
			Acceptance: buchi.Acceptance(r.IntN(3)), Prefer: buchi.Preference(r.IntN(2)), Level: buchi.Level(r.IntN(2)),
		}
		var groups [][]ltl.Atom
		if r.IntN(3) == 0 {
			groups = append(groups, atoms)
			opts.Constraints = []buchi.Constraint{{Kind: buchi.AtMostOne, Atoms: atoms}}
		}
		a, err := buchi.Translate(f, opts)
		if err != nil {
			t.Fatalf("seed %d: %s: %v", seed, f, err)
		}
		n, err := buchi.Translate(ltl.MakeNot(f), opts)
		if err != nil {
			t.Fatalf("seed %d: !(%s): %v", seed, f, err)
		}
		for range 30 {
			w := gen.Word(r, atoms, 4, 5, groups...)
			want := ltl.Eval(f, w)
			if a.Accepts(w) != want || n.Accepts(w) == want {
				t.Fatalf("seed %d: %s, %+v, on %s: %v, its automaton %v, that of the negation %v",
					seed, f, opts, w.Text(atoms), want, a.Accepts(w), n.Accepts(w))
			}
			if words++; want {
				accepted++
			}
		}
		// Beyond words that are tried: a word of both or none of the automata.
		if both, err := buchi.Intersect(a, n); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		} else if !both.Empty() {
			t.Fatalf("seed %d: %s and its negation have a word in common", seed, f)
		}
	}
	if accepted < words/10 || accepted > words*9/10 {
		t.Errorf("%d of %d words accepted", accepted, words)
	}
}

// Under G, matches that wait for each other need breakpoints.
func TestBreakpoints(t *testing.T) {
	atoms := gen.Atoms("a", "b", "c")
	for seed := range soak.Cases(uint64(120)) {
		r := rand.New(rand.NewPCG(seed, 41))
		text := []string{
			"G({(a;b)[*];c}<>->b)", "G(a -> {(b;!b)[+];c}!)", "G!{(a;b)[*];c}", "G(a -> X{{b;c}[*2..];a}!)",
			"GF{(a;1)[*];b;c}!", "({(a;b)[*];c}!) W c", "a R ({(1;b)[*];c}<>-> Xa)", "{[*];a}[]-> {(b;1)[*];c}!",
			"G(({(a;b)[*];c}!) & {(b;a)[*];c}!)", "G({(a;1;b | b;1)[*];c}<>-> F a)",
		}[seed%10]
		f := ltl.MustParse(text)
		for _, level := range []buchi.Level{buchi.Low, buchi.High} {
			a, err := buchi.Translate(f, buchi.Options{Level: level})
			if err != nil {
				t.Fatal(err)
			}
			for range 20 {
				w := gen.Word(r, atoms, 4, 5)
				if got, want := a.Accepts(w), ltl.Eval(f, w); got != want {
					t.Fatalf("seed %d: %s (%s) on %s: %v, its automaton %v", seed, f, level, w.Text(atoms), want, got)
				}
			}
		}
	}
}
