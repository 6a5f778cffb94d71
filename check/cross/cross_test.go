package cross

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/omega"
	"github.com/seltl/seltl/report"
)

func mustParse(t *testing.T, text string) Translator {
	t.Helper()
	translator, err := ParseTranslator(text)
	if err != nil {
		t.Fatal(err)
	}
	return translator
}

// through is our translator, which is given another formula than it should be.
func through(t *testing.T, name string, change func(*ltl.Formula) *ltl.Formula) Translator {
	right := mustParse(t, "seltl")
	return Translator{Name: name, translate: func(ctx context.Context, f *ltl.Formula, l budget.Limits) (*omega.Automaton, error) {
		return right.translate(ctx, change(f), l)
	}}
}

// turned replaces an operator by another one.
func turned(from, to ltl.Op) func(*ltl.Formula) *ltl.Formula {
	var change func(*ltl.Formula) *ltl.Formula
	change = func(f *ltl.Formula) *ltl.Formula {
		if len(f.Args()) == 0 {
			return f
		}
		var args []*ltl.Formula
		for _, g := range f.Args() {
			args = append(args, change(g))
		}
		if f.Op() == from {
			return ltl.Make(to, args...)
		}
		return ltl.Make(f.Op(), args...)
	}
	return change
}

func randomFormulas(seed uint64, n int) (fs []*ltl.Formula) {
	r := rand.New(rand.NewPCG(seed, 0))
	for range n {
		fs = append(fs, gen.Formula(r, gen.FormulaOptions{Size: 1 + r.IntN(12), Atoms: gen.Atoms("a", "b", "c")}))
	}
	return fs
}

// All variants of our translator agree.
func TestOwnAgree(t *testing.T) {
	var ts []Translator
	for _, name := range []string{"seltl", "seltl:ba", "seltl:tba,det", "seltl:low,complete", "seltl:parity"} {
		ts = append(ts, mustParse(t, name))
	}
	n := soak.Cases(60)
	found, err := Run(context.Background(), ts, randomFormulas(0, n), Options{Words: 5})
	if err != nil || found.Exit() != report.ExitHolds || found.Common != n || found.Checks < 40*n {
		t.Errorf("seed 0: %v, %+v", err, found)
	}
}

// Each kind of mistake is found without random words, and made as small as it can be; the
// right translator is never blamed.
func TestWrong(t *testing.T) {
	nothing := Translator{Name: "wrong", translate: func(context.Context, *ltl.Formula, budget.Limits) (*omega.Automaton, error) {
		return omega.Nothing(), nil
	}}
	fails := Translator{Name: "wrong", translate: func(ctx context.Context, f *ltl.Formula, l budget.Limits) (*omega.Automaton, error) {
		if f.Is(ltl.StutterInvariant) {
			return mustParse(t, "seltl").translate(ctx, f, l)
		}
		return nil, errors.New("no X")
	}}
	for _, c := range []struct {
		wrong Translator
		size  int    // of the smallest formula with a failure
		check string // of it, "" for any
	}{
		{through(t, "wrong", turned(ltl.Until, ltl.WeakUntil)), 3, ""},
		{through(t, "wrong", turned(ltl.Release, ltl.StrongRelease)), 3, ""},
		{through(t, "wrong", turned(ltl.Next, ltl.Eventually)), 2, ""},
		{nothing, 1, "complement"},
		{fails, 2, translation},
	} {
		fs := append(randomFormulas(1, 30), ltl.MustParse("G(a | X(b U c)) & F(c R X a)"))
		found, err := Run(context.Background(), []Translator{mustParse(t, "seltl"), c.wrong}, fs, Options{MaxFailures: 3})
		if err != nil || len(found.Failures) == 0 {
			t.Fatalf("%v, no failure", err)
		}
		seen := map[string]bool{}
		for _, f := range found.Failures {
			if key := fmt.Sprint(f.Formula, f.Wrong); seen[key] {
				t.Errorf("%+v is listed twice", f)
			} else {
				seen[key] = true
			}
			g := ltl.MustParse(f.Formula)
			if len(ltl.Atoms(ltl.MustParse(f.Found))) > 1 && g.Size() > c.size || c.check != "" && f.Check != c.check {
				t.Errorf("%+v: larger than %d, or not found by %q", f, c.size, c.check)
			}
			for _, w := range f.Wrong {
				if w[:6] != "wrong:" {
					t.Errorf("%+v: blames %s", f, w)
				}
			}
			if f.Check == translation {
				continue
			}
			word, err := omega.ParseWord("<word>", f.Word)
			if err != nil || ltl.Eval(g, word.LTL()) != f.Holds {
				t.Errorf("%+v: the word is wrong (%v)", f, err)
			}
		}
	}
}

// A mistake that all share is found by words alone.
func TestWordsAlone(t *testing.T) {
	shared := through(t, "wrong", func(f *ltl.Formula) *ltl.Formula {
		return ltl.Substitute(f, map[ltl.Atom]*ltl.Formula{gen.Atoms("a")[0]: ltl.MustParse("X a")})
	})
	found, err := Run(context.Background(), []Translator{shared}, []*ltl.Formula{ltl.MustParse("G(b -> F c) & (a | b)")}, Options{Words: 20})
	if err != nil || len(found.Failures) != 1 || found.Failures[0].Check != "word" || found.Failures[0].Formula != "a" {
		t.Errorf("%v, %+v", err, found)
	}
}

// A cancelled run says so.
func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	calls := 0
	second := through(t, "seltl", func(f *ltl.Formula) *ltl.Formula {
		if calls++; calls == 3 {
			cancel()
		}
		return f
	})
	found, err := Run(ctx, []Translator{second}, randomFormulas(2, 5), Options{})
	if !errors.Is(err, budget.ErrInterrupted) || !found.Stopped || found.Formulas != 1 || found.Exit() != report.ExitUnknown {
		t.Errorf("%v, %+v", err, found)
	}
}

// Shrinking goes down and keeps what it is asked to keep.
func TestShrink(t *testing.T) {
	for _, f := range randomFormulas(3, soak.Cases(100)) {
		has := func(g *ltl.Formula) bool {
			for _, h := range ltl.Subformulas(g) {
				if h.Op() == ltl.Until || h.Op() == ltl.And {
					return true
				}
			}
			return false
		}
		if !has(f) {
			continue
		}
		least := 3
		if len(ltl.Atoms(f)) == 1 {
			least = 4 // !a U a
		}
		if g := shrink(f, has); !has(g) || g.Size() > least {
			t.Errorf("%v became %v", f, g)
		}
	}
}
