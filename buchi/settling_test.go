package buchi

import (
	"math/rand/v2"
	"testing"

	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/ltl"
)

// TestSettling: every way to settle accepts the words that have a suffix with a suffix-closed
// property, by words and by the complement.
func TestSettling(t *testing.T) {
	atoms := gen.Atoms("a", "b")
	used, safe := 0, 0
	for seed := range soak.Long(uint64(400)) {
		r := rand.New(rand.NewPCG(seed, 73))
		some := func(size int) *ltl.Formula { return gen.Formula(r, gen.FormulaOptions{Size: size, Atoms: atoms}) }
		g := ltl.MakeAlways(some(2 + r.IntN(7)))
		if r.IntN(3) == 0 {
			g = ltl.MakeOr(g, ltl.MakeAlways(some(2+r.IntN(5))))
		}
		f := ltl.Simplify(ltl.MakeEventually(g), ltl.SimplifyOptions{})
		u := universal(f)
		if u == nil {
			continue
		}
		if u.Is(ltl.Safety) {
			safe++
		}
		list, err := newTranslation(f, variants[seed%3]).settling(u)
		if err != nil {
			t.Fatal(err)
		}
		n := mustTranslate(t, ltl.MakeNot(f), Options{Level: Low})
		for i, a := range list {
			used++
			if err := a.check(); err != nil {
				t.Fatalf("seed %d, %v, %d: %v", seed, f, i, err)
			}
			if empty, err := disjoint(a, n); err != nil || !empty {
				t.Fatalf("seed %d, %v, %d: not disjoint from the negation (%v)", seed, f, i, err)
			}
			for range 12 {
				w := gen.Word(r, atoms, 3, 5)
				if got, want := a.Accepts(w), ltl.Eval(f, w); got != want {
					t.Fatalf("seed %d, %v, %d: accepts %v, formula %v", seed, f, i, got, want)
				}
			}
		}
	}
	if used == 0 || safe == 0 {
		t.Errorf("%d automata, %d of safety properties", used, safe)
	}
}

// TestSettledSizes: what is left for good by a safety automaton is not needed behind F.
func TestSettledSizes(t *testing.T) {
	for text, states := range map[string]int{
		"F G(a <-> X X a)":                  5,
		"F G(a <-> X X X X a)":              17,
		"c & F G(a <-> X X a)":              6,
		"G F(a <-> X X a) -> G F b":         7,
		"F G(a <-> X X a) & G F(b & X X c)": 18,
	} {
		if a := mustTranslate(t, ltl.MustParse(text), Options{Acceptance: StateBuchi}); a.NumStates() > states {
			t.Errorf("%s: %d states, want %d", text, a.NumStates(), states)
		}
	}
}
