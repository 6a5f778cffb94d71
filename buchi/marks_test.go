package buchi

import (
	"math/rand/v2"
	"testing"

	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/ltl"
)

// TestMarks: other marks leave the language as it is, by words and by the complement.
func TestMarks(t *testing.T) {
	atoms := gen.Atoms("a", "b", "c")
	changed := 0
	for seed := range soak.Long(uint64(400)) {
		r := rand.New(rand.NewPCG(seed, 71))
		f := gen.Formula(r, gen.FormulaOptions{Size: 4 + r.IntN(10), Atoms: atoms})
		o := variants[seed%3]
		a := mustTranslate(t, f, Options{Acceptance: o.Acceptance, Level: Low})
		n := mustTranslate(t, ltl.MakeNot(f), Options{})
		others := []*Automaton{mostMarks(a), (&translation{}).remarked(a, nil)}
		if a.stateBased && a.sets > 0 {
			others = append(others, fewestMarks(a, false), fewestMarks(a, true))
		}
		for i, b := range others {
			if err := b.check(); err != nil {
				t.Fatalf("seed %d, %v: %v", seed, f, err)
			}
			if !b.same(a) {
				changed++
			}
			if empty, err := disjoint(b, n); err != nil || !empty {
				t.Fatalf("seed %d, %v, %d: not disjoint from the negation (%v)", seed, f, i, err)
			}
			for range 10 {
				w := gen.Word(r, atoms, 3, 4)
				if b.Accepts(w) != ltl.Eval(f, w) {
					t.Fatalf("seed %d, %v, %d: wrong on a word", seed, f, i)
				}
			}
		}
	}
	if changed == 0 {
		t.Error("no automaton changed")
	}
}

// TestRestarts: every way to restart accepts the words that satisfy a guarantee again and
// again, by words and by the complement.
func TestRestarts(t *testing.T) {
	atoms := gen.Atoms("a", "b")
	ops := []ltl.Op{ltl.And, ltl.Or, ltl.Next, ltl.Eventually, ltl.Until, ltl.StrongRelease, ltl.Not}
	used := 0
	for seed := range soak.Long(uint64(400)) {
		r := rand.New(rand.NewPCG(seed, 72))
		g := ltl.Simplify(gen.Formula(r, gen.FormulaOptions{Size: 3 + r.IntN(8), Atoms: atoms, Ops: ops}), ltl.SimplifyOptions{})
		if !g.Is(ltl.Guarantee) || g.Is(ltl.Boolean) {
			continue
		}
		f := ltl.MakeAlways(ltl.MakeEventually(g))
		tr := newTranslation(f, variants[seed%3])
		list, err := tr.restarting(g)
		if err != nil {
			t.Fatal(err)
		}
		n := mustTranslate(t, ltl.MakeNot(f), Options{Level: Low})
		for i, a := range list {
			used++
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
	if used == 0 {
		t.Error("nothing was restarted")
	}
}

// TestRawSizes: what raw formulas showed to be larger than need be, each for a reason of
// its own; the sizes are those of Spot 2.12.
func TestRawSizes(t *testing.T) {
	for _, c := range []struct {
		formula     string
		o           Options
		states, det int
	}{
		{"G(p0 -> Fp1) & ((Xp0 U p1) | !X(p0 U (p0 & p1)))", Options{Acceptance: StateBuchi}, 2, 2},                       // X out of U
		{"Gp2 | Gp0 | (G(p0 | GFp1) & G(p2 | GF!p1))", Options{Acceptance: StateBuchi}, 6, 0},                             // G(f | q)
		{"G((p0 & XFp1) -> XF(p1 & Fp2))", Options{Acceptance: StateBuchi}, 4, 4},                                         // the first violation
		{"F((!(F(Fp1 -> p1) M p2) -> Fp3) W Fp0)", Options{Acceptance: StateBuchi}, 5, 0},                                 // true under F
		{"G((p0 & p1 & !p2 & Xp2) -> X(X!p1 | (p2 U (!p2 U (p2 U (!p1 | p3))))))", Options{Acceptance: StateBuchi}, 5, 5}, // fewer marks
		{"GF(a <-> XXXXXXXa)", Options{Acceptance: StateBuchi}, 16, 0},                                                    // restarts first
		{"GF(a <-> XXa)", Options{}, 4, 0},                                                                                // restarts that remember
		{"Fb1 & GF(a1 & X(a2 & Xa3))", Options{Acceptance: StateBuchi}, 6, 6},                                             // restarts, by acceptance
		{"GFa2 U G(GFa1 U G(GFa0 U XXXb))", Options{Acceptance: StateBuchi}, 21, 0},                                       // X out of q U
		{"GF(!(p1 <-> Xp1) | !(p0 <-> Xp0))", Options{Acceptance: StateBuchi}, 5, 5},
		{"(p0 -> (p2 xor (p2 W 0))) W (p2 xor !(Gp2 R Fp1))", Options{Acceptance: StateBuchi}, 8, 0},       // components with sets of their own
		{"(p0 U (F(Fp1 | Gp0) R (p0 xor Fp1))) -> ((p2 M !p2) M p2)", Options{}, 4, 0},                     // the same, generalised
		{"FG(Gp0 M p2) U ((Xp1 R !(p1 xor Fp0)) xor F(p3 R Gp3))", Options{}, 20, 0},                       // marks on the way into components
		{"FG(Gp0 M p2) U ((Xp1 R !(p1 xor Fp0)) xor F(p3 R Gp3))", Options{Acceptance: StateBuchi}, 23, 0}, // more marks before degeneralisation
		{"FG(Gp0 | F!p1 | GF(p0 & Xp1))", Options{}, 1, 0},                                                 // p1 for ever where !p1 does not recur
		{"FGp2 R !F((p1 | !p2) R Xp0)", Options{Acceptance: StateBuchi, Prefer: Deterministic}, 3, 0},      // fewer marks, from the last state on
	} {
		f := ltl.MustParse(c.formula)
		if a := mustTranslate(t, f, c.o); a.NumStates() > c.states {
			t.Errorf("%s: %d states, want %d", c.formula, a.NumStates(), c.states)
		}
		if c.det == 0 {
			continue
		}
		c.o.Prefer = Deterministic
		if a := mustTranslate(t, f, c.o); a.NumStates() > c.det || !a.Deterministic() {
			t.Errorf("%s: %d states, deterministic: %v; want %d", c.formula, a.NumStates(), a.Deterministic(), c.det)
		}
	}
}
