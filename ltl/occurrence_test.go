package ltl_test

import (
	"testing"

	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/ltl"
)

// TestOccurrences: places of a formula, with their polarity.
func TestOccurrences(t *testing.T) {
	f := ltl.MustParse("(a -> F b) & G !(c U d) & (e <-> f)")
	got, mixed := map[string][2]bool{}, ""
	for _, o := range ltl.OccurrencesIn(f, 100) {
		got[o.Formula.String()] = [2]bool{o.Negative, o.AtStart}
		if o.Mixed {
			mixed += o.Formula.String()
		}
	}
	want := map[string][2]bool{
		f.String(): {false, true}, "a -> F b": {false, true}, "a": {true, true}, "F b": {false, true}, "b": {false, false},
		"G !(c U d)": {false, true}, "!(c U d)": {false, false}, "c U d": {true, false}, "c": {true, false}, "d": {true, false},
		"e <-> f": {false, true}, "e": {false, true}, "f": {false, true},
	}
	if len(got) != len(want) {
		t.Errorf("%d places, want %d: %v", len(got), len(want), got)
	}
	for text, w := range want {
		if g, ok := got[text]; !ok || g != w {
			t.Errorf("%s: %v (%v), want %v", text, g, ok, w)
		}
	}
	if mixed != "ef" {
		t.Errorf("without polarity: %s", mixed)
	}
	if letters := ltl.OccurrencesIn(ltl.MustParse("{a; b[*]; a} []-> c"), 100); len(letters) != 4 || !letters[1].Mixed || letters[3].Mixed {
		t.Errorf("letters: %v", letters)
	}
	if ltl.OccurrencesIn(f, 12) != nil {
		t.Error("13 places in 12")
	}
}

// TestStrongest: with the strongest constant at a place a formula implies what it was, and so it
// does with what Alone leaves of it, together with the rest.
func TestStrongest(t *testing.T) {
	replaced := 0
	for seed := range uint64(300) {
		r := gen.Rand(seed)
		atoms := []ltl.Atom{{Name: "a"}, {Name: "b"}, {Name: "c"}}
		f := gen.Formula(r, gen.FormulaOptions{Size: 3 + r.IntN(9), Atoms: atoms, Ops: gen.PastOps})
		all := ltl.OccurrencesIn(f, 1000)
		var words []ltl.Word
		for range 12 {
			words = append(words, gen.Word(r, atoms, 2, 3))
		}
		if all.Replaced(nil) != f {
			t.Fatalf("%v became %v", f, all.Replaced(nil))
		}
		for i := 1; i < len(all); i++ {
			if all[i].Mixed {
				continue
			}
			strong := all.Replaced(map[int]*ltl.Formula{i: all[i].Strongest()})
			alone := all.Alone(i)
			alone[i] = all[i].Strongest()
			part := all.Replaced(alone)
			for _, w := range words {
				replaced++
				is, was, of := ltl.Eval(strong, w), ltl.Eval(f, w), ltl.Eval(part, w)
				if is && !was {
					t.Fatalf("seed %d: %v does not imply %v", seed, strong, f)
				}
				if was && of != is {
					t.Fatalf("seed %d: %v and %v are not the same where %v holds", seed, strong, part, f)
				}
			}
		}
	}
	t.Logf("%d words", replaced)
}

// TestPlaces: where subformulas are written.
func TestPlaces(t *testing.T) {
	const text = "forall [i:0..1] G(x[i] -> F y) | (b & a)"
	f, places, err := ltl.ParsePlaces(text, ltl.ParseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if g, _ := ltl.ParseText(text, ltl.ParseOptions{}); f != g {
		t.Errorf("read as %v and %v", f, g)
	}
	for _, c := range []struct {
		formula, text string
		instance      bool
	}{{"a & b", "b & a", false}, {"F y", "F y", true}, {"x[1]", "x[i]", true}} {
		place, ok := places[ltl.MustParse(c.formula)]
		if !ok || place.Span.Text() != c.text || place.Instance != c.instance {
			t.Errorf("%s: %q, %v, %v", c.formula, place.Span.Text(), place.Instance, ok)
		}
	}
}
