package formulas

import (
	"context"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seltl/seltl/buchi"
	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/ltl"
)

func TestParseRange(t *testing.T) {
	for text, want := range map[string]Range{"3": {3, 3}, "1..5": {1, 5}, "..5": {0, 5}, "2..": {2, 9}} {
		if got, err := ParseRange(text, 0, 9); err != nil || got != want {
			t.Errorf("%s: %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "..", "5..3", "a", "-1", "10", "1..2..3"} {
		if got, err := ParseRange(text, 0, 9); err == nil {
			t.Errorf("%q is %v", text, got)
		}
	}
}

// Columns: quotes, doubled quotes, separators inside, headers, other separators.
func TestFormulaColumns(t *testing.T) {
	file := File{Name: "f.csv", Column: 2, Header: true}
	text := "a,b\nx,\"G(\"\"p,q\"\" -> F b)\",1\n\nonly\ny, a U b\n"
	var got []string
	var bad []error
	err := file.Each(func(string) (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(text)), nil },
		func(item Listed) error {
			got = append(got, item.Before+"|"+item.Text+"|"+item.After)
			return nil
		}, func(err error) { bad = append(bad, err) })
	want := []string{`x,|G("p,q" -> F b)|,1`, "y,|a U b|"}
	if err != nil || strings.Join(got, "\n") != strings.Join(want, "\n") || len(bad) != 1 || !strings.Contains(bad[0].Error(), "column 2") {
		t.Errorf("%q, %v, %v", got, bad, err)
	}
	if f := ParseFile("x.csv/-3", func(string) bool { return false }); f.Name != "x.csv" || f.Column != 3 || !f.Header {
		t.Error(f)
	}
	if f := ParseFile("x/3", func(string) bool { return true }); f.Name != "x/3" || f.Column != 0 {
		t.Error(f)
	}
}

// Every change keeps the language, but for negation, which complements it, and renaming.
func TestFormulaChanges(t *testing.T) {
	changes := []Change{
		{Simplify: true, Rules: ltl.AllRules}, {Simplify: true, Rules: ltl.RulesBasic}, {Simplify: true, Rules: ltl.AllRules, ByLanguage: true},
		{Form: NegationNormal}, {Form: DisjunctiveForm}, {Form: ConjunctiveForm}, {Remove: ltl.Ops(ltl.WeakUntil, ltl.Implies)}, {Negate: true},
	}
	for seed := range soak.Long(uint64(150)) {
		r := rand.New(rand.NewPCG(seed, 23))
		f := gen.Formula(r, gen.FormulaOptions{Size: 1 + r.IntN(8), Atoms: gen.Atoms("a", "b")})
		for i := range changes {
			c := &changes[i]
			g, err := c.Apply(context.Background(), f, check.Options{})
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			if c.Negate {
				g = ltl.MakeNot(g)
			}
			for range 10 {
				if w := gen.Word(r, gen.Atoms("a", "b"), 3, 3); ltl.Eval(f, w) != ltl.Eval(g, w) {
					t.Fatalf("seed %d: change %d makes %s of %s", seed, i, g, f)
				}
			}
			if _, yes, err := buchi.Equivalent(f, g, buchi.Options{}); err != nil || !yes {
				t.Fatalf("seed %d: change %d makes %s of %s, %v", seed, i, g, f, err)
			}
		}
	}
}

// Up to equivalence, what is new is equivalent to nothing before it, and what is not is.
func TestUniqueLanguages(t *testing.T) {
	u := UniqueFilter{By: UniqueLanguages}
	var kept []*ltl.Formula
	again := 0
	for seed := range soak.Long(uint64(200)) {
		r := rand.New(rand.NewPCG(seed, 24))
		f := gen.Formula(r, gen.FormulaOptions{Size: 1 + r.IntN(4), Atoms: gen.Atoms("a")})
		fresh, err := u.New(context.Background(), f, check.Options{})
		if err != nil {
			t.Fatal(err)
		}
		known := false
		for _, g := range kept {
			_, same, err := buchi.Equivalent(f, g, buchi.Options{})
			if err != nil {
				t.Fatal(err)
			}
			known = known || same
		}
		if known == fresh {
			t.Fatalf("seed %d: %s is new: %v", seed, f, fresh)
		}
		if fresh {
			kept = append(kept, f)
		} else {
			again++
		}
	}
	if again == 0 || len(kept) < 3 {
		t.Errorf("%d kept, %d again", len(kept), again)
	}
}
