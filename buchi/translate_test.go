package buchi

import (
	"math/rand/v2"
	"testing"

	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/ltl"
)

// variants are the option sets that every correctness test runs.
var variants = []Options{
	{},
	{Acceptance: StateBuchi},
	{Acceptance: Buchi},
	{Level: Low},
	{Acceptance: StateBuchi, Level: Low},
	{Prefer: Deterministic, Complete: true},
	{Acceptance: StateBuchi, Prefer: Deterministic, Complete: true},
}

func mustTranslate(t testing.TB, f *ltl.Formula, o Options) *Automaton {
	t.Helper()
	a, err := Translate(f, o)
	if err != nil {
		t.Fatal(err)
	}
	if err := a.check(); err != nil {
		t.Fatalf("%+v: %v", o, err)
	}
	if o.Acceptance != Generalised && a.NumSets() > 1 {
		t.Fatalf("%+v: %d sets", o, a.NumSets())
	}
	if o.Acceptance == StateBuchi && !a.StateBased() && a.NumSets() > 0 {
		t.Fatalf("%+v: not state-based", o)
	}
	if o.Complete && !a.complete() {
		t.Fatalf("%+v: not complete", o)
	}
	return a
}

// TestRandomFormulasOnRandomWords compares membership with the lasso semantics.
func TestRandomFormulasOnRandomWords(t *testing.T) {
	atoms := gen.Atoms("a", "b", "c")
	for seed := range soak.Long(uint64(375)) {
		r := rand.New(rand.NewPCG(seed, 11))
		f := gen.Formula(r, gen.FormulaOptions{Size: 2 + r.IntN(11), Atoms: atoms})
		words := make([]ltl.Word, 12)
		for i := range words {
			words[i] = gen.Word(r, atoms, 3, 3)
		}
		for _, o := range variants {
			a := mustTranslate(t, f, o)
			for _, w := range words {
				if got, want := a.Accepts(w), ltl.Eval(f, w); got != want {
					t.Fatalf("seed %d, %v, %+v: accepts %v, formula %v", seed, f, o, got, want)
				}
			}
		}
	}
}

// TestNegationsPartition: no word is accepted for a formula and its negation.
func TestNegationsPartition(t *testing.T) {
	atoms := gen.Atoms("a", "b", "c")
	for seed := range soak.Long(uint64(800)) {
		r := rand.New(rand.NewPCG(seed, 12))
		f := gen.Formula(r, gen.FormulaOptions{Size: 2 + r.IntN(14), Atoms: atoms})
		o := variants[seed%uint64(len(variants))]
		checkDisjoint(t, f, o)
	}
}

func checkDisjoint(t *testing.T, f *ltl.Formula, o Options) {
	t.Helper()
	p, err := Intersect(mustTranslate(t, f, o), mustTranslate(t, ltl.MakeNot(f), o))
	if err != nil {
		t.Fatal(err)
	}
	if w, found := p.AcceptedWord(); found {
		t.Fatalf("%v, %+v: a word of %d+%d letters is accepted for it and its negation", f, o, len(w.Stem), len(w.Loop))
	}
}
