package ltl_test

import (
	"testing"

	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/ltl"
)

// TestResidual: a word satisfies a formula iff its rest satisfies the residual.
func TestResidual(t *testing.T) {
	atoms := []ltl.Atom{{Name: "a"}, {Name: "b"}, {Name: "c"}}
	holds := 0
	cases := soak.Cases(3000)
	for seed := range uint64(cases) {
		r := gen.Rand(seed)
		f := gen.Formula(r, gen.FormulaOptions{Size: 1 + r.IntN(12), Atoms: atoms})
		letters := make([]ltl.Letter, 2+r.IntN(5))
		for i := range letters {
			var set []ltl.Atom
			for _, a := range atoms {
				if r.IntN(2) == 0 {
					set = append(set, a)
				}
			}
			letters[i] = ltl.LetterOf(set...)
		}
		loop := 1 + r.IntN(len(letters)-1)
		w := ltl.Word{Stem: letters[:loop], Loop: letters[loop:]}
		want := ltl.Eval(f, w)
		if want {
			holds++
		}
		for n := range w.Stem {
			f = ltl.Residual(f, w.Stem[n])
			if got := ltl.Eval(f, ltl.Word{Stem: w.Stem[n+1:], Loop: w.Loop}); got != want {
				t.Fatalf("seed %d: %t after %d letters, %t before: %v", seed, got, n+1, want, f)
			}
		}
	}
	if holds < cases/5 || holds > cases*4/5 {
		t.Errorf("%d of %d formulas hold: too easy", holds, cases)
	}
}
