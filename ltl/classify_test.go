package ltl_test

import (
	"math/rand/v2"
	"testing"

	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/ltl"
)

func TestClassify(t *testing.T) {
	for _, c := range []struct {
		formula  string
		has, not ltl.Class
	}{
		{"a & !b", ltl.Boolean | ltl.Safety | ltl.Guarantee | ltl.StutterInvariant, ltl.Eventual | ltl.Universal},
		{"G a", ltl.Safety | ltl.Obligation | ltl.Recurrence | ltl.Persistence | ltl.Universal, ltl.Guarantee | ltl.Eventual},
		{"F a", ltl.Guarantee | ltl.Obligation | ltl.Eventual, ltl.Safety | ltl.Universal},
		{"a U b", ltl.Guarantee | ltl.Recurrence | ltl.Persistence | ltl.StutterInvariant, ltl.Safety | ltl.Eventual},
		{"a W b", ltl.Safety, ltl.Guarantee},
		{"a R b", ltl.Safety, ltl.Guarantee},
		{"a M b", ltl.Guarantee, ltl.Safety},
		{"!(a U b)", ltl.Safety, ltl.Guarantee | ltl.NegationNormal},
		{"X a", ltl.Safety | ltl.Guarantee, ltl.StutterInvariant | ltl.Boolean},
		{"G a | F b", ltl.Obligation | ltl.Recurrence | ltl.Persistence, ltl.Safety | ltl.Guarantee},
		{"G a <-> F b", ltl.Obligation, ltl.Safety | ltl.Guarantee | ltl.NegationNormal},
		{"G(a -> F b)", ltl.Recurrence | ltl.Universal, ltl.Persistence | ltl.Obligation},
		{"G F a", ltl.Recurrence | ltl.Eventual | ltl.Universal, ltl.Persistence},
		{"F G a", ltl.Persistence | ltl.Eventual | ltl.Universal, ltl.Recurrence},
		{"G F a -> G F b", ltl.Eventual | ltl.Universal, ltl.Recurrence | ltl.Persistence},
		{"a U G b", ltl.Persistence, ltl.Recurrence},
		{"(G a | F b) U c", ltl.Obligation, ltl.Safety | ltl.Guarantee},
		{"a W (G b | F c)", ltl.Obligation, ltl.Safety | ltl.Guarantee},
	} {
		got := ltl.Classify(ltl.MustParse(c.formula))
		if !got.Has(c.has) || got&c.not != 0 {
			t.Errorf("%s: %v", c.formula, got)
		}
	}
}

// Eventual and universal formulas keep their truth when a word is made longer
// or shorter at its start, and formulas without X when letters are repeated.
func TestClassesOnWords(t *testing.T) {
	atoms := gen.Atoms("a", "b")
	for seed := range soak.Cases(uint64(8000)) {
		r := rand.New(rand.NewPCG(seed, 8))
		f := gen.Formula(r, gen.FormulaOptions{Size: 2 + r.IntN(9), Atoms: atoms})
		w := gen.Word(r, atoms, 3, 3)
		values := ltl.EvalAll(f, w)
		for i := range values {
			next := values[w.Next(i)]
			if f.Is(ltl.Eventual) && next && !values[i] {
				t.Fatalf("seed %d: %v is not eventual", seed, f)
			}
			if f.Is(ltl.Universal) && values[i] && !next {
				t.Fatalf("seed %d: %v is not universal", seed, f)
			}
		}
		if f.Is(ltl.StutterInvariant) && ltl.Eval(f, stutter(r, w)) != values[0] {
			t.Fatalf("seed %d: %v is not stutter-invariant", seed, f)
		}
	}
}

// stutter repeats some letters of a word.
func stutter(r *rand.Rand, w ltl.Word) ltl.Word {
	repeat := func(letters []ltl.Letter) (out []ltl.Letter) {
		for _, l := range letters {
			for range 1 + r.IntN(3) {
				out = append(out, l)
			}
		}
		return out
	}
	return ltl.Word{Stem: repeat(w.Stem), Loop: repeat(w.Loop)}
}

// Where a formula is called safety, a violating word has a prefix of which all
// random continuations violate it, once the prefix is long enough; dually for
// guarantee.
func TestSafetyOnWords(t *testing.T) {
	atoms := gen.Atoms("a", "b")
	checked := 0
	for seed := range soak.Cases(uint64(6000)) {
		r := rand.New(rand.NewPCG(seed, 9))
		f := gen.Formula(r, gen.FormulaOptions{Size: 2 + r.IntN(7), Atoms: atoms})
		if f.Is(ltl.Boolean) || !f.Is(ltl.Safety) && !f.Is(ltl.Guarantee) {
			continue
		}
		w := gen.Word(r, atoms, 3, 2)
		v := ltl.Eval(f, w)
		if v && !f.Is(ltl.Guarantee) || !v && !f.Is(ltl.Safety) {
			continue
		}
		checked++
		// The states that a formula of this size can be in repeat well before
		// the loop has been unrolled so often.
		prefix := w.Stem
		for range 40 {
			prefix = append(prefix[:len(prefix):len(prefix)], w.Loop...)
		}
		for range 8 {
			u := gen.Word(r, atoms, 3, 3)
			if got := ltl.Eval(f, ltl.Word{Stem: append(prefix[:len(prefix):len(prefix)], u.Stem...), Loop: u.Loop}); got != v {
				t.Fatalf("seed %d: %v (%v): a long prefix does not decide", seed, f, ltl.Classify(f))
			}
		}
	}
	if checked < soak.Cases(1000) {
		t.Errorf("only %d cases", checked)
	}
}
