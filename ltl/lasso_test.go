package ltl_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/naive"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/ltl"
)

// word reads a word such as "a ab - (b -)": letters are sets of one-letter
// atoms, "-" is the empty letter, the loop stands in parentheses.
func word(text string) ltl.Word {
	var w ltl.Word
	stem, loop, _ := strings.Cut(strings.TrimSuffix(text, ")"), "(")
	read := func(s string) (out []ltl.Letter) {
		for _, field := range strings.Fields(s) {
			var atoms []ltl.Atom
			for _, c := range strings.Trim(field, "-") {
				atoms = append(atoms, ltl.Atom{Name: string(c)})
			}
			out = append(out, ltl.LetterOf(atoms...))
		}
		return out
	}
	w.Stem, w.Loop = read(stem), read(loop)
	return w
}

func TestEval(t *testing.T) {
	for _, c := range []struct {
		formula, word string
		want          bool
	}{
		{"a", "a (-)", true},
		{"a", "- (a)", false},
		{"X a", "- (a)", true},
		{"X X a", "a a (-)", false},
		{"X X a", "(a -)", true},
		{"F a", "- - (- a)", true},
		{"F a", "- - (b)", false},
		{"G a", "a a (a ab)", true},
		{"G a", "a a (a b)", false},
		{"G F a", "b b (b a)", true},
		{"G F a", "a a (b)", false},
		{"F G a", "b (a)", true},
		{"F G a", "a (a b)", false},
		{"a U b", "a a b (-)", true},
		{"a U b", "b (-)", true},
		{"a U b", "a - b (b)", false},
		{"a U b", "(a)", false},
		{"a W b", "(a)", true},
		{"a W b", "a - b (b)", false},
		{"a R b", "(b)", true},
		{"a R b", "b ab (-)", true},
		{"a R b", "b a (-)", false},
		{"a M b", "(b)", false},
		{"a M b", "b ab (-)", true},
		{"a xor b", "ab (-)", false},
		{"a <-> b", "- (a)", true},
		{"a -> b", "a (-)", false},
		{"X[3] a", "- - - a (-)", true},
		{"F[2..4] a", "- a - - - a (-)", false},
		{"F[2..4] a", "- - - - a (-)", true},
		{"F[2..] a", "a a - - - (a)", true},
		{"G[1..2] a", "- a a (-)", true},
		{"G[1..2] a", "- a - (a)", false},
		{"forall [i:0..1] F x[i]", "(a)", false},
		{"exists [c:{a,b}] G c.0 | 1", "(-)", true},
	} {
		if got := ltl.Eval(ltl.MustParse(c.formula), word(c.word)); got != c.want {
			t.Errorf("%s on %s: %v, want %v", c.formula, c.word, got, c.want)
		}
	}
}

func TestEvalAll(t *testing.T) {
	got := ltl.EvalAll(ltl.MustParse("a U b"), word("a - a (a b)"))
	want := []bool{false, false, true, true, true}
	for i := range want {
		if got[i] != want[i] {
			t.Fatalf("got %v, want %v", got, want)
		}
	}
}

func TestEvalAgainstNaive(t *testing.T) {
	atoms := gen.Atoms("a", "b", "c")
	for seed := range soak.Cases(uint64(6000)) {
		r := rand.New(rand.NewPCG(seed, 1))
		f := gen.Formula(r, gen.FormulaOptions{Size: 1 + r.IntN(12), Atoms: atoms})
		w := gen.Word(r, atoms, 3, 3)
		if got, want := ltl.Eval(f, w), naive.LTLHolds(f, w); got != want {
			t.Fatalf("seed %d: %v: Eval %v, naive %v", seed, f, got, want)
		}
	}
}

func TestNNF(t *testing.T) {
	atoms := gen.Atoms("a", "b", "c")
	for seed := range soak.Long(uint64(2000)) {
		r := rand.New(rand.NewPCG(seed, 2))
		f := gen.Formula(r, gen.FormulaOptions{Size: 1 + r.IntN(20), Atoms: atoms})
		n, neg := ltl.NNF(f), ltl.Negate(f)
		for _, g := range ltl.Subformulas(n, neg) {
			switch g.Op() {
			case ltl.Not:
				if g.Left().Op() != ltl.Atomic {
					t.Fatalf("seed %d: %v: NNF has %v", seed, f, g)
				}
			case ltl.Implies, ltl.Iff, ltl.Xor:
				t.Fatalf("seed %d: %v: NNF has %v", seed, f, g)
			}
		}
		if !n.Is(ltl.NegationNormal) || ltl.NNF(n) != n || ltl.Negate(ltl.Negate(n)) != n {
			t.Fatalf("seed %d: %v: NNF %v, negation %v", seed, f, n, neg)
		}
		for range 5 {
			w := gen.Word(r, atoms, 3, 3)
			if v := ltl.Eval(f, w); v != ltl.Eval(n, w) || v == ltl.Eval(neg, w) {
				t.Fatalf("seed %d: %v: NNF %v or negation %v has another meaning", seed, f, n, neg)
			}
		}
	}
}

// A tower of <-> doubles at each level as a tree, but not as a graph.
func TestNNFShares(t *testing.T) {
	f := ltl.MustParse("a")
	for range 200 {
		f = ltl.MakeIff(f, ltl.MakeNext(f))
	}
	if n := len(ltl.Subformulas(ltl.NNF(f))); n > 4*3*200 {
		t.Errorf("%d subformulas", n)
	}
}

func TestSubstitute(t *testing.T) {
	f := ltl.Substitute(ltl.MustParse("G(a -> F b) & !b"), map[ltl.Atom]*ltl.Formula{{Name: "b"}: ltl.MustParse("c & d")})
	if want := ltl.MustParse("G(a -> F(c & d)) & !(c & d)"); f != want {
		t.Errorf("got %v", f)
	}
}
