package ltl_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/naive"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/ltl"
)

// explainable is a random formula, half of the time with past operators.
func explainable(r *rand.Rand, atoms []ltl.Atom) *ltl.Formula {
	if r.IntN(2) == 0 {
		return gen.Formula(r, gen.FormulaOptions{Size: 1 + r.IntN(7), Atoms: atoms, Ops: gen.PastOps})
	}
	return gen.Formula(r, gen.FormulaOptions{Size: 1 + r.IntN(12), Atoms: atoms})
}

// TestOnWord: each subformula has, at each position, the truth that it has there by definition,
// and all that an explanation says is so.
func TestOnWord(t *testing.T) {
	atoms := gen.Atoms("a", "b", "c")
	for seed := range soak.Cases(uint64(1500)) {
		r := rand.New(rand.NewPCG(seed, 21))
		f := explainable(r, atoms)
		w := gen.Word(r, atoms, 3, 3)
		p := ltl.OnWord(f, w)
		if p.Formulas[len(p.Formulas)-1] != f {
			t.Fatalf("seed %d: %v is not the last of its subformulas", seed, f)
		}
		for k, g := range p.Formulas {
			for i, got := range p.Truth[k] {
				if want := naive.LTLHoldsAt(g, w, i); (got == ltl.Holds) != want || got == ltl.Open {
					t.Fatalf("seed %d: %v at %d: %v, naive %v", seed, g, i, got, want)
				}
			}
		}
		explained(t, seed, p)
	}
}

// TestOnPrefix: what is known of a beginning is so however the word goes on.
func TestOnPrefix(t *testing.T) {
	atoms := gen.Atoms("a", "b", "c")
	known := 0
	for seed := range soak.Cases(uint64(1500)) {
		r := rand.New(rand.NewPCG(seed, 22))
		f := explainable(r, atoms)
		w := gen.Word(r, atoms, 5, 3)
		hidden := ltl.Atom{} // an atom of the last letter that is not known
		if r.IntN(2) == 0 {
			hidden = atoms[r.IntN(len(atoms))]
		}
		var letters []func(ltl.Atom) ltl.Truth
		for i, letter := range w.Stem {
			letters = append(letters, func(a ltl.Atom) ltl.Truth {
				switch {
				case i == len(w.Stem)-1 && a == hidden:
					return ltl.Open
				case letter(a):
					return ltl.Holds
				}
				return ltl.Fails
			})
		}
		p := ltl.OnPrefix(f, letters)
		for range 4 {
			rest := gen.Word(r, atoms, 2, 2)
			whole := ltl.Word{Stem: slices.Concat(w.Stem, rest.Stem), Loop: rest.Loop}
			if n := len(w.Stem); n > 0 && r.IntN(2) == 0 {
				whole.Stem[n-1] = func(a ltl.Atom) bool { return a == hidden || w.Stem[n-1](a) }
			}
			for k, g := range p.Formulas {
				for i, got := range p.Truth[k] {
					if got == ltl.Open {
						continue
					}
					known++
					if want := naive.LTLHoldsAt(g, whole, i); (got == ltl.Holds) != want {
						t.Fatalf("seed %d: %v at %d: known to be %v, but %v with another end", seed, g, i, got, want)
					}
				}
			}
		}
		explained(t, seed, p)
	}
	if known < 1000 {
		t.Errorf("only %d times anything was known", known)
	}
}

// explained checks that the reasons are true, begin with the formula, and are not too many.
func explained(t *testing.T, seed uint64, p *ltl.Positions) {
	t.Helper()
	reasons := p.Why()
	if len(p.Next) == 0 || p.Truth[len(p.Truth)-1][0] == ltl.Open {
		if len(reasons) > 0 {
			t.Fatalf("seed %d: reasons for what is open: %v", seed, reasons)
		}
		return
	}
	f := p.Formulas[len(p.Formulas)-1]
	if len(reasons) == 0 || len(reasons) > 26 || reasons[0].At != 0 || reasons[0].Formula != f && reasons[0].Formula != f.Args()[0] {
		t.Fatalf("seed %d: %v is explained by %v", seed, f, reasons)
	}
	for _, reason := range reasons {
		row := p.Truth[slices.Index(p.Formulas, reason.Formula)]
		seen := map[int]bool{}
		for i := reason.At; i >= 0 && !seen[i]; i = p.Next[i] {
			seen[i] = true
			if (row[i] == ltl.Holds) != reason.Holds || row[i] == ltl.Open {
				t.Fatalf("seed %d: %v: %v is not so at %d", seed, f, reason, i)
			}
			if !reason.Ever {
				break
			}
		}
	}
}

func TestWhy(t *testing.T) {
	for _, c := range []struct{ formula, word, want string }{
		{"G(b -> F r)", "r - b (-)", "G(b -> F r) no 0; b -> F r no 2; b yes 2; F r no 2; r no 2 ever"},
		{"G !(p & q)", "- p pq (-)", "G !(p & q) no 0; !(p & q) no 2; p yes 2; q yes 2"},
		{"a U b", "a a - (b)", "a U b no 0; a no 2; b no 2"},
		{"a U b", "(a)", "a U b no 0; b no 0 ever"},
		{"a W b", "(a)", "a W b yes 0; a yes 0 ever"},
		{"a R b", "b - (b)", "a R b no 0; b no 1"},
		{"a M b", "(b)", "a M b no 0; a no 0 ever"},
		{"X X (a | b)", "- - (c)", "XX(a | b) no 0; X(a | b) no 1; a | b no 2; a no 2; b no 2"},
		{"G F a", "a (-)", "GF a no 0; F a no 1; a no 1 ever"},
		{"!a", "(-)", "a no 0"},
		{"G(r -> O q)", "- - r (q)", "G(r -> O q) no 0; r -> O q no 2; r yes 2; O q no 2; q no 2"},
		{"G(r -> (!c S q))", "q c - r (-)", "G(r -> !c S q) no 0; r -> !c S q no 3; r yes 3; !c S q no 3; c yes 1; q no 1"},
		{"G(r -> Y q)", "q - r (-)", "G(r -> Y q) no 0; r -> Y q no 2; r yes 2; Y q no 2; q no 1"},
		{"F H p", "(-)", "FH p no 0; H p no 0 ever"},
	} {
		var got []string
		for _, r := range ltl.OnWord(ltl.MustParse(c.formula), word(c.word)).Why() {
			text := fmt.Sprintf("%v %s %d", r.Formula, map[bool]string{true: "yes", false: "no"}[r.Holds], r.At)
			if r.Ever {
				text += " ever"
			}
			got = append(got, text)
		}
		if text := strings.Join(got, "; "); text != c.want {
			t.Errorf("%s on %s:\ngot  %s\nwant %s", c.formula, c.word, text, c.want)
		}
	}
}
