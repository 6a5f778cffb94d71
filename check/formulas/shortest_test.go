package formulas

import (
	"context"
	"testing"

	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/omega"
)

// TestShortestWord: with ShortestWord no word of fewer letters answers a question.
func TestShortestWord(t *testing.T) {
	// All words over one atom with up to 4 letters.
	var words []ltl.Word
	letter := func(on bool) ltl.Letter {
		if on {
			return ltl.LetterOf(gen.Atoms("a")...)
		}
		return ltl.LetterOf()
	}
	for n := 1; n <= 4; n++ {
		for bits := range 1 << n {
			for stem := range n {
				var w ltl.Word
				for i := range n {
					if l := letter(bits>>i&1 != 0); i < stem {
						w.Stem = append(w.Stem, l)
					} else {
						w.Loop = append(w.Loop, l)
					}
				}
				words = append(words, w)
			}
		}
	}
	asked := 0
	for seed := range soak.Cases(uint64(200)) {
		r := gen.Rand(seed)
		draw := func() Written {
			f := gen.Formula(r, gen.FormulaOptions{Size: 3 + r.IntN(9), Atoms: gen.Atoms("a")})
			return Written{Formula: f, Text: f.String()}
		}
		f, g := draw(), draw()
		for ask, answers := range map[Question]func(w ltl.Word) bool{
			AskSatisfiable: func(w ltl.Word) bool { return ltl.Eval(f.Formula, w) },
			AskValid:       func(w ltl.Word) bool { return !ltl.Eval(f.Formula, w) },
			AskImplies:     func(w ltl.Word) bool { return ltl.Eval(f.Formula, w) && !ltl.Eval(g.Formula, w) },
			AskEquivalent:  func(w ltl.Word) bool { return ltl.Eval(f.Formula, w) != ltl.Eval(g.Formula, w) },
		} {
			result, _, err := Ask(context.Background(), ask, f, g, check.Options{ShortestWord: true})
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			if result.Word == "" {
				continue
			}
			asked++
			w, err := omega.ParseWord("word", result.Word)
			if err != nil {
				t.Fatal(err)
			}
			for _, v := range words {
				if v.Len() < w.Len() && answers(v) {
					t.Fatalf("seed %d: %v: %s is not shortest, %d letters are enough", seed, result.Formula, result.Word, v.Len())
				}
			}
		}
	}
	if asked < soak.Cases(200) {
		t.Errorf("%d words", asked)
	}
	f := Written{Formula: ltl.MustParse("a & X(!a & X(!a & X a))"), Text: "f"}
	result, _, err := Ask(context.Background(), AskSatisfiable, f, f, check.Options{ShortestWord: true})
	if err != nil || result.Word != "cycle{a; !a; !a}" {
		t.Errorf("%q, %v", result.Word, err)
	}
}
