package ltl_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/naive"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/ltl"
)

var pastAtoms = gen.Atoms("a", "b")

// pastCase is a random formula with past operators, and a word.
func pastCase(seed, stream uint64, size int) (*rand.Rand, *ltl.Formula, ltl.Word) {
	r := rand.New(rand.NewPCG(seed, stream))
	f := gen.Formula(r, gen.FormulaOptions{Size: 2 + r.IntN(size), Atoms: pastAtoms, Ops: gen.PastOps})
	return r, f, gen.Word(r, pastAtoms, 3, 3)
}

// suffix is the word from position i on.
func suffix(w ltl.Word, i int) ltl.Word {
	for len(w.Stem) < i {
		w.Stem = slices.Concat(w.Stem, w.Loop)
	}
	return ltl.Word{Stem: w.Stem[i:], Loop: w.Loop}
}

// at says whether f holds at position i, by the evaluator that walks along the word.
func at(f *ltl.Formula, w ltl.Word, i int) bool {
	for range i {
		f = ltl.MakeNext(f)
	}
	return naive.LTLHolds(f, w)
}

func TestPastEval(t *testing.T) {
	for seed := range soak.Cases(uint64(6000)) {
		_, f, w := pastCase(seed, 101, 8)
		for i, got := range ltl.EvalAll(f, w) {
			if want := at(f, w, i); got != want {
				t.Fatalf("seed %d: %v at %d of %s: %v, by definition %v", seed, f, i, w.Text(pastAtoms), got, want)
			}
		}
	}
}

// The loop has to be passed more than once: the third letter of a two-letter loop can be the first
// of which something is true.
func TestPastNeedsPasses(t *testing.T) {
	for _, c := range []struct{ formula, word string }{
		{"F(a & Y Y Y Y Y Y Y true)", "cycle{a}"},
		{"F(a & Y(!a & O(b & Y O(b & Y O(b & Y O b)))))", "cycle{a & !b; !a & b}"},
		{"G(O O b -> (a S b) | !a | Y O b) & F H H true", "cycle{a; b}"},
	} {
		f, w := ltl.MustParse(c.formula), ltl.Word{}
		for i, text := range strings.Split(strings.TrimSuffix(strings.TrimPrefix(c.word, "cycle{"), "}"), ";") {
			_ = i
			letter := ltl.MustParse(text)
			w.Loop = append(w.Loop, func(a ltl.Atom) bool {
				return ltl.Simplify(ltl.MakeAnd(letter, ltl.MakeNot(ltl.AtomOf(a))), ltl.SimplifyOptions{}) == ltl.Ff()
			})
		}
		if got, want := ltl.Eval(f, w), naive.LTLHolds(f, w); !got || !want {
			t.Errorf("%v: %v, by definition %v", f, got, want)
		}
	}
}

// What preserves meaning at every position: negation normal form, negation, printing.
func TestPastForms(t *testing.T) {
	for seed := range soak.Cases(uint64(6000)) {
		_, f, w := pastCase(seed, 102, 10)
		if g, err := ltl.ParseString(f.String()); err != nil || g != f {
			t.Fatalf("seed %d: %v is read as %v (%v)", seed, f, g, err)
		}
		text, err := ltl.Echo(f)
		if g, err2 := ltl.ParseString(text); err != nil || err2 != nil || g != f {
			t.Fatalf("seed %d: %s is read as %v (%v, %v)", seed, text, g, err, err2)
		}
		values := ltl.EvalAll(f, w)
		for i, v := range ltl.EvalAll(ltl.NNF(f), w) {
			if v != values[i] {
				t.Fatalf("seed %d: %v and %v differ at %d of %s", seed, f, ltl.NNF(f), i, w.Text(pastAtoms))
			}
		}
		for i, v := range ltl.EvalAll(ltl.Negate(f), w) {
			if v == values[i] {
				t.Fatalf("seed %d: %v and %v agree at %d of %s", seed, f, ltl.Negate(f), i, w.Text(pastAtoms))
			}
		}
		if !ltl.NNF(f).Is(ltl.NegationNormal) {
			t.Fatalf("seed %d: %v is not in normal form", seed, ltl.NNF(f))
		}
		if g := ltl.Initially(f); ltl.Eval(g, w) != values[0] {
			t.Fatalf("seed %d: %v and %v differ on %s", seed, f, g, w.Text(pastAtoms))
		}
	}
}

func TestPastSimplify(t *testing.T) {
	for seed := range soak.Cases(uint64(6000)) {
		r, f, w := pastCase(seed, 103, 12)
		opts := ltl.SimplifyOptions{}
		if r.IntN(3) == 0 {
			opts.Skip = ltl.Rules(r.IntN(int(ltl.AllRules) + 1))
		}
		g := ltl.Simplify(f, opts)
		values := ltl.EvalAll(f, w)
		for i, v := range ltl.EvalAll(g, w) {
			if v != values[i] {
				t.Fatalf("seed %d: %v and its simplification %v (without %b) differ at %d of %s", seed, f, g, opts.Skip, i, w.Text(pastAtoms))
			}
		}
		if again := ltl.Simplify(g, opts); again != g {
			t.Fatalf("seed %d: %v becomes %v, and that %v", seed, f, g, again)
		}
	}
}

// Syntactic implication is implication at every position.
func TestPastImplies(t *testing.T) {
	for seed := range soak.Cases(uint64(6000)) {
		r, f, w := pastCase(seed, 104, 6)
		g := gen.Formula(r, gen.FormulaOptions{Size: 2 + r.IntN(6), Atoms: pastAtoms, Ops: gen.PastOps})
		if !ltl.NewSimplifier(ltl.SimplifyOptions{}).Implies(f, g) {
			continue
		}
		values := ltl.EvalAll(g, w)
		for i, v := range ltl.EvalAll(f, w) {
			if v && !values[i] {
				t.Fatalf("seed %d: %v does not imply %v, at %d of %s", seed, f, g, i, w.Text(pastAtoms))
			}
		}
	}
}

func TestPastResidual(t *testing.T) {
	for seed := range soak.Cases(uint64(4000)) {
		_, f, w := pastCase(seed, 105, 8)
		rest, v := f, w
		for i := range 4 {
			letter := v.At(0)
			rest, v = ltl.Residual(rest, letter), suffix(v, 1)
			if got, want := ltl.Eval(rest, v), ltl.Eval(f, w); got != want {
				t.Fatalf("seed %d: %d letters of %s leave %v of %v: %v, want %v", seed, i+1, w.Text(pastAtoms), rest, f, got, want)
			}
		}
	}
}

// Eventual formulas hold at the positions before, universal ones at those behind, and formulas
// of a class without X, Y and Z do not see that letters are repeated.
func TestPastClasses(t *testing.T) {
	for seed := range soak.Cases(uint64(6000)) {
		r, f, w := pastCase(seed, 106, 8)
		w = ltl.Word{Stem: slices.Concat(w.Stem, w.Loop, w.Loop), Loop: w.Loop}
		values := ltl.EvalAll(f, w)
		for i := 1; i < len(values); i++ {
			if f.Is(ltl.Eventual) && values[i] && !values[i-1] {
				t.Fatalf("seed %d: %v is not eventual", seed, f)
			}
			if f.Is(ltl.Universal) && values[i-1] && !values[i] {
				t.Fatalf("seed %d: %v is not universal", seed, f)
			}
		}
		repeated := ltl.Word{Loop: w.Loop}
		for _, l := range w.Stem {
			for range 1 + r.IntN(3) {
				repeated.Stem = append(repeated.Stem, l)
			}
		}
		if f.Is(ltl.StutterInvariant) && ltl.Eval(f, repeated) != values[0] {
			t.Fatalf("seed %d: %v is not stutter-invariant", seed, f)
		}
	}
}

// The normal forms of [MannaPnueli90]: p and q are past formulas.
func TestPastHierarchy(t *testing.T) {
	for _, c := range []struct {
		formula  string
		has, not ltl.Class
	}{
		{"G(a S b)", ltl.Safety, ltl.Guarantee},
		{"F(a S Y b)", ltl.Guarantee, ltl.Safety},
		{"G(a S b) | F(H a)", ltl.Obligation, ltl.Safety},
		{"G F(a S b)", ltl.Recurrence, ltl.Persistence},
		{"F G(Y a T b)", ltl.Persistence, ltl.Recurrence},
		{"G F(Y a) | F G O b", 0, ltl.Recurrence | ltl.Persistence | ltl.Obligation},
		{"G(grant -> O req)", ltl.Safety | ltl.StutterInvariant, ltl.Guarantee},
		{"G(a -> O(b & F c))", ltl.Recurrence, ltl.Safety},
		{"Y a", ltl.Safety | ltl.Guarantee, ltl.Boolean | ltl.StutterInvariant | ltl.Eventual},
		{"O a", ltl.Universal | ltl.StutterInvariant, ltl.Eventual | ltl.Boolean},
		{"H a", ltl.Eventual, ltl.Universal},
		{"G F Y a", ltl.Eventual | ltl.Universal, 0},
	} {
		got := ltl.Classify(ltl.MustParse(c.formula))
		if !got.Has(c.has) || got&c.not != 0 {
			t.Errorf("%s: %v", c.formula, got)
		}
	}
}

func TestPastSyntax(t *testing.T) {
	for text, same := range map[string]string{
		"GOa":                             "G O a",
		"GHp & S.x":                       "G(H p) & S.x",
		"YZa":                             "Y Z a",
		"yesterday a":                     "Y a",
		"once a since historically b":     "(O a) S (H b)",
		"a triggered b":                   "a T b",
		"Y[2] a":                          "Y Y a",
		"Z[2] a":                          "Z Z a",
		"O[1..2] a":                       "Y(a | Y a)",
		"once[0..2] a":                    "a | Y(a | Y a)",
		"H[1..2] a":                       "Z(a & Z a)",
		"O[2..] a":                        "Y Y O a",
		"a S b S c":                       "a S (b S c)",
		"!O a S b":                        "(!(O a)) S b",
		"Y[0] a":                          "a",
		"E.x S S.x":                       "(E.x) S (S.x)",
		"Y true":                          "Y true",
		"Z false | Y false | H H a | O O": "",
	} {
		f, err := ltl.ParseString(text)
		if same == "" {
			if err == nil {
				t.Errorf("%s is read as %v", text, f)
			}
			continue
		}
		if g := ltl.MustParse(same); err != nil || f != g {
			t.Errorf("%s is read as %v (%v), not %v", text, f, err, g)
		}
	}
}

func TestPastDialects(t *testing.T) {
	f := ltl.MustParse("G(a -> (b S Y c))")
	for _, s := range []ltl.Syntax{ltl.Spot, ltl.LTSA, ltl.SPIN, ltl.LBT, ltl.Wring, ltl.LTSmin} {
		var none *ltl.NoOperator
		if text, err := ltl.Format(f, s); !errors.As(err, &none) || !strings.Contains(err.Error(), "Y (yesterday)") {
			t.Errorf("%s: %s, %v", s, text, err)
		}
	}
	if text, err := ltl.Format(f, ltl.LaTeX); err != nil || text != `\mathsf{G}(\mathit{a} \rightarrow \mathit{b} \mathbin{\mathsf{S}} \mathsf{Y}\,\mathit{c})` {
		t.Error(text, err)
	}
}

// Operators removed: what is left says the same at every position.
func TestPastWithout(t *testing.T) {
	sets := []ltl.OpSet{
		ltl.Ops(ltl.Once, ltl.Historically), ltl.Ops(ltl.Triggered, ltl.WeakYesterday, ltl.Historically),
		ltl.Ops(ltl.Since, ltl.Once, ltl.Yesterday), ltl.Ops(ltl.Triggered),
	}
	for seed := range soak.Cases(uint64(2000)) {
		r, f, w := pastCase(seed, 107, 8)
		set := sets[r.IntN(len(sets))]
		g, err := ltl.Without(f, set)
		if err != nil {
			t.Fatalf("seed %d: %v without %v: %v", seed, f, set, err)
		}
		for _, h := range ltl.Subformulas(g) {
			if set.Has(h.Op()) {
				t.Fatalf("seed %d: %v without %v is %v", seed, f, set, g)
			}
		}
		if got, want := ltl.EvalAll(g, w), ltl.EvalAll(f, w); !slices.Equal(got, want) {
			t.Fatalf("seed %d: %v without %v is %v", seed, f, set, g)
		}
	}
	for _, set := range []ltl.OpSet{ltl.Ops(ltl.Yesterday, ltl.WeakYesterday), ltl.Ops(ltl.Since, ltl.Triggered)} {
		var lost *ltl.Irreplaceable
		if _, err := ltl.Without(ltl.MustParse("Y(a S b)"), set); !errors.As(err, &lost) {
			t.Errorf("%v: %v", set, err)
		}
	}
}
