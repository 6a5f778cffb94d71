package buchi

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/ltl"
)

// recurrent is a random conjunction of some G F b and perhaps another formula.
func recurrent(r *rand.Rand, atoms []ltl.Atom) *ltl.Formula {
	var conjuncts []*ltl.Formula
	for range 2 + r.IntN(3) {
		b := ltl.AtomOf(atoms[r.IntN(len(atoms))])
		if r.IntN(2) == 0 {
			b = ltl.MakeNot(b)
		}
		if r.IntN(2) == 0 {
			b = ltl.MakeAnd(b, ltl.AtomOf(atoms[r.IntN(len(atoms))]))
		}
		conjuncts = append(conjuncts, ltl.MakeAlways(ltl.MakeEventually(b)))
	}
	if r.IntN(3) > 0 {
		conjuncts = append(conjuncts, gen.Formula(r, gen.FormulaOptions{Size: 2 + r.IntN(7), Atoms: atoms}))
	}
	return ltl.MakeAnd(conjuncts...)
}

// TestCounted: the automata of counted recurrences, however few, accept exactly
// the words of the formula.
func TestCounted(t *testing.T) {
	atoms := gen.Atoms("a", "b")
	words := allWords(atoms, 1, 3)
	counted := 0
	for seed := range soak.Long(uint64(300)) {
		r := rand.New(rand.NewPCG(seed, 44))
		f := recurrent(r, atoms)
		o := variants[seed%uint64(len(variants))]
		tr := newTranslation(f, o)
		tr.recurrences = 1
		a, err := tr.counted()
		if err != nil {
			t.Fatal(err)
		}
		if a == nil {
			continue // simplified to something else
		}
		counted++
		a = tr.finish(a)
		if err := a.check(); err != nil {
			t.Fatalf("seed %d, %v: %v", seed, f, err)
		}
		if empty, err := disjoint(a, mustTranslate(t, ltl.MakeNot(f), o)); err != nil || !empty {
			t.Fatalf("seed %d, %v, %+v: accepts words of the negation (%v)", seed, f, o, err)
		}
		for _, w := range words {
			if len(o.Constraints) == 0 && a.Accepts(w) != ltl.Eval(f, w) {
				t.Fatalf("seed %d, %v, %+v: wrong on a word, want %v", seed, f, o, ltl.Eval(f, w))
			}
		}
	}
	if counted < soak.Long(150) {
		t.Errorf("only %d formulas were counted", counted)
	}
}

// TestWideConjunctions: as many recurrences as a large model has are translated,
// alone and as the assumption of a response.
func TestWideConjunctions(t *testing.T) {
	const n = 60
	var text []string
	for i := range n {
		text = append(text, fmt.Sprintf("G F a%d", i))
	}
	fair := ltl.MustParse(strings.Join(text, " & "))
	broken := ltl.MustParse("F(x & G !y)")
	for _, test := range []struct {
		f      *ltl.Formula
		states int
	}{
		{fair, n + 1},
		{ltl.MakeAnd(fair, broken), n + 2},
	} {
		a := mustTranslate(t, test.f, Options{Acceptance: StateBuchi})
		if a.NumStates() != test.states {
			t.Errorf("%d states, want %d", a.NumStates(), test.states)
		}
	}
}
