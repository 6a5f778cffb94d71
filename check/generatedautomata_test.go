package check_test

import (
	"context"
	"strings"
	"testing"

	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/omega"
)

// TestRandomAcceptance: names, ranges and conditions are read; what is none is refused.
func TestRandomAcceptance(t *testing.T) {
	for text, want := range map[string]string{
		"Buchi": "Buchi", "co-Buchi": "co-Buchi", "all": "all", "none": "none", "2": "generalized-Buchi 2",
		"generalized-co-Buchi 3": "generalized-co-Buchi 3", "Rabin 2": "Rabin 2", "Streett 3": "Streett 3",
		"generalized-Rabin 2 3 2": "generalized-Rabin 2 3 2", "parity max odd 4": "parity max odd 4", "Inf(1) | Fin(0)": "parity max odd 2", "Rabin 0": "none",
	} {
		a, err := check.ParseRandomAcceptance(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		ra := check.RandomAutomata{Count: 2, States: check.Range{Min: 2, Max: 4}, Acceptance: a}
		err = ra.Each(func(_ int, a *omega.Automaton) error {
			if name := a.Condition().AccName(a.NumSets()); name != want && name != strings.Replace(want, "parity max odd 2", "Streett 1", 1) {
				t.Errorf("%s: %s (%v)", text, name, a.Condition())
			}
			return a.Check()
		})
		if err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
	for _, text := range []string{"", "x", "Rabin", "Rabin x", "Rabin 40", "parity up even 3", "parity max even", "generalized-Rabin 2 1", "random 3 2", "65", "Inf(64)", "Inf(0", "Fin(!0)", "Inf(0) --BODY--", "generalized-Rabin 3 30 30 30"} {
		if _, err := check.ParseRandomAcceptance(text); err == nil {
			t.Errorf("%q is an acceptance", text)
		}
	}
	sizes := map[int]bool{}
	a, err := check.ParseRandomAcceptance("random 2..5 0.3")
	if err != nil {
		t.Fatal(err)
	}
	ra := check.RandomAutomata{Count: 50, States: check.Range{Min: 1, Max: 3}, Acceptance: a}
	_ = ra.Each(func(_ int, a *omega.Automaton) error {
		sizes[a.NumSets()] = true
		return nil
	})
	if len(sizes) != 4 || sizes[1] || sizes[6] {
		t.Errorf("sizes %v", sizes)
	}
}

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
		draw := func() check.FormulaText {
			f := gen.Formula(r, gen.FormulaOptions{Size: 3 + r.IntN(9), Atoms: gen.Atoms("a")})
			return check.FormulaText{Formula: f, Text: f.String()}
		}
		f, g := draw(), draw()
		for ask, answers := range map[check.FormulaQuestion]func(w ltl.Word) bool{
			check.AskSatisfiable: func(w ltl.Word) bool { return ltl.Eval(f.Formula, w) },
			check.AskValid:       func(w ltl.Word) bool { return !ltl.Eval(f.Formula, w) },
			check.AskImplies:     func(w ltl.Word) bool { return ltl.Eval(f.Formula, w) && !ltl.Eval(g.Formula, w) },
			check.AskEquivalent:  func(w ltl.Word) bool { return ltl.Eval(f.Formula, w) != ltl.Eval(g.Formula, w) },
		} {
			result, _, err := check.AskFormula(context.Background(), ask, f, g, check.Options{ShortestWord: true})
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
	f := check.FormulaText{Formula: ltl.MustParse("a & X(!a & X(!a & X a))"), Text: "f"}
	result, _, err := check.AskFormula(context.Background(), check.AskSatisfiable, f, f, check.Options{ShortestWord: true})
	if err != nil || result.Word != "cycle{a; !a; !a}" {
		t.Errorf("%q, %v", result.Word, err)
	}
}
