package buchi

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/ltl"
)

func TestPastOnRandomWords(t *testing.T) {
	atoms := gen.Atoms("a", "b")
	for seed := range soak.Long(uint64(500)) {
		r := rand.New(rand.NewPCG(seed, 211))
		f := gen.Formula(r, gen.FormulaOptions{Size: 2 + r.IntN(10), Atoms: atoms, Ops: gen.PastOps})
		o := variants[seed%uint64(len(variants))]
		a := mustTranslate(t, f, o)
		for range 20 {
			w := gen.Word(r, atoms, 4, 3)
			if got, want := a.Accepts(w), ltl.Eval(f, w); got != want {
				t.Fatalf("seed %d, %v, %+v: accepts %v, formula %v, on %s", seed, f, o, got, want, w.Text(atoms))
			}
		}
	}
}

// TestPastDeep: operators that look back, nested deeply, are numbered once each. (With each taken
// apart twice this would not end.)
func TestPastDeep(t *testing.T) {
	since := "c"
	for range 30 {
		since = "(a S (b S " + since + "))"
	}
	for _, text := range []string{"G(a -> Y[60] b)", "G(a -> !Y[60] b)", "G(a -> O[0..60] b)", "G " + since, "F " + since} {
		meter := budget.New(t.Context(), budget.Limits{States: 200}, nil)
		var limit *budget.Exhausted
		if _, err := Translate(ltl.MustParse(text), Options{Meter: meter}); err != nil && !errors.As(err, &limit) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// With constraints, words that keep to them are what counts.
func TestPastWithConstraints(t *testing.T) {
	atoms := gen.Atoms("a", "b", "c")
	events := atoms[1:]
	for seed := range soak.Long(uint64(300)) {
		r := rand.New(rand.NewPCG(seed, 212))
		f := gen.Formula(r, gen.FormulaOptions{Size: 2 + r.IntN(10), Atoms: atoms, Ops: gen.PastOps})
		o := variants[seed%uint64(len(variants))]
		o.Constraints = []Constraint{{AtMostOne, events}}
		a := mustTranslate(t, f, o)
		for range 20 {
			w := gen.Word(r, atoms, 4, 3, events)
			if got, want := a.Accepts(w), ltl.Eval(f, w); got != want {
				t.Fatalf("seed %d, %v, %+v: accepts %v, formula %v, on %s", seed, f, o, got, want, w.Text(atoms))
			}
		}
	}
}

// withoutPast says f by a formula about more atoms and without past operators: one atom for
// what each past operator has to know of the position before. Every word has exactly one
// extension that satisfies laws.
func withoutPast(f *ltl.Formula) (g, laws *ltl.Formula) {
	image := map[*ltl.Formula]*ltl.Formula{}
	var all []*ltl.Formula
	not, and, or := ltl.MakeNot, ltl.MakeAnd, ltl.MakeOr
	for _, s := range ltl.Subformulas(f) {
		if len(s.Args()) == 0 {
			image[s] = s
			continue
		}
		var args []*ltl.Formula
		for _, a := range s.Args() {
			args = append(args, image[a])
		}
		if !s.IsPast() {
			image[s] = ltl.Make(s.Op(), args...)
			continue
		}
		before := ltl.AtomOf(ltl.Atom{Kind: ltl.Name, Name: fmt.Sprint("before", len(all))})
		atFirst, now, keep := not(before), before, args[0]
		switch s.Op() {
		case ltl.WeakYesterday:
			atFirst = before
		case ltl.Once:
			now = or(args[0], before)
		case ltl.Historically:
			atFirst, now = before, and(args[0], before)
		case ltl.Since:
			now = or(args[1], and(args[0], before))
		case ltl.Triggered:
			atFirst, now = before, and(args[1], or(args[0], before))
		}
		if s.Op() != ltl.Yesterday && s.Op() != ltl.WeakYesterday {
			keep = now
		}
		image[s] = now
		all = append(all, atFirst, ltl.MakeAlways(ltl.MakeIff(ltl.MakeNext(before), keep)))
	}
	return image[f], and(all...)
}

// The automaton of f and that of the formula without past operators accept the same words.
func TestPastAgainstLaws(t *testing.T) {
	atoms := gen.Atoms("a", "b")
	for seed := range soak.Long(uint64(500)) {
		r := rand.New(rand.NewPCG(seed, 213))
		f := gen.Formula(r, gen.FormulaOptions{Size: 2 + r.IntN(7), Atoms: atoms, Ops: gen.PastOps})
		o := variants[seed%uint64(len(variants))]
		g, laws := withoutPast(f)
		for _, pair := range [][2]*ltl.Formula{{f, ltl.MakeNot(g)}, {ltl.MakeNot(f), g}} {
			p, err := Intersect(mustTranslate(t, pair[0], o), mustTranslate(t, ltl.MakeAnd(laws, pair[1]), Options{}))
			if err != nil {
				t.Fatal(err)
			}
			if w, found := p.AcceptedWord(); found {
				t.Fatalf("seed %d, %v, %+v: wrong on %s", seed, f, o, w.Text(atoms))
			}
		}
	}
}

func TestPastNegationsPartition(t *testing.T) {
	atoms := gen.Atoms("a", "b", "c")
	for seed := range soak.Long(uint64(500)) {
		r := rand.New(rand.NewPCG(seed, 214))
		f := gen.Formula(r, gen.FormulaOptions{Size: 2 + r.IntN(11), Atoms: atoms, Ops: gen.PastOps})
		checkDisjoint(t, f, variants[seed%uint64(len(variants))])
	}
}

// Formulas of [Gabbay87] and of practice: with past operators, and without. The automaton is to
// have no more states.
var pastPairs = [][2]string{
	{"G(grant -> O req)", "!grant W req"},
	{"G(a -> Y b)", "!a & G(X a -> b)"},
	{"G(a -> Z b)", "G(X a -> b)"},
	{"G(a -> Y Y b)", "!a & X !a & G(X X a -> b)"},
	{"F(a & Y Y Y b)", "F(b & X X X a)"},
	{"F(a & Y(b S c))", "F(c & X(a | (b U (b & X a))))"},
	{"F(a & O b)", "F(b & F a)"},
	{"F(a & H b)", "b U (a & b)"},
	{"F(a & (b S c))", "F(c & (a | X(b U (b & a))))"},
	{"F(a & (b T c))", "c U (a & c) | F(b & c & (a | X(c U (c & a))))"},
	{"F(a & Y F b)", "F(F b & X a)"},
	{"F(a & O G b)", "F(a & G b) | F(G b & F a)"},
	{"F(a & O(b & F c))", "F(b & F a & F c)"},
	{"F(a & (b S (c & F d)))", "F(c & F d & (a | X(b U (b & a))))"},
	{"G(c -> (!b S a))", "(!c W a) & G(b & !a -> (!c W a))"},
	{"G(a -> O(b & O c))", "!a W (c & (b | !a & X(!a W b)))"},
	{"F G(a S b)", "F(b & G(a | b))"},
	{"G F(a & Y b)", "G F(b & X a)"},
	{"G F(a S b)", "G F b | (F b & F G(a | b) & F(b & G(a | b)))"},
	{"G(a S b)", "b & G(a | b)"},
	{"F G Z a", "F G a"},
	{"G F H a", "G a"},
	{"G O a", "a"},
	{"H a | F(b & H c)", "a | (c U (b & c))"},
	{"F(a & !Y O a & X F b)", "F(a & X F b)"},
	{"G(a -> !Y O a)", "G(a -> X G !a)"},
	{"G(a & Y !a -> b)", "G(!a & X a -> X b)"},
	{"a U (b & O c)", "(a U b) & (a U (b & c) | a U (c & a & a U b))"},
	{"a U (b & Y c)", "a U (c & a & X b)"},
	{"X(a S b)", "X b | (b & X a)"},
	{"Y a | Z b & O c", "c"},
	{"G(end -> O(begin & (!end W end)))", "!end W begin"},
	{"G(b -> Y(!b S a))", "(!b W (a & !b)) & G(b & !a -> X(!b W (a & !b)))"},
}

func TestPastPairs(t *testing.T) {
	for _, pair := range pastPairs {
		f, g := ltl.MustParse(pair[0]), ltl.MustParse(pair[1])
		w, same, err := Equivalent(f, g, Options{})
		if err != nil || !same {
			t.Errorf("%v and %v differ: %s (%v)", f, g, w.Text(ltl.Atoms(f, g)), err)
			continue
		}
		for _, o := range variants {
			if o.Level == Low {
				continue
			}
			if a, b := mustTranslate(t, f, o), mustTranslate(t, g, o); a.NumStates() > b.NumStates() {
				t.Errorf("%v, %+v: %d states, %v has %d", f, o, a.NumStates(), g, b.NumStates())
			}
		}
	}
}

// Classes of the language, decided by automata, agree with those of the syntax.
func TestPastLanguageClasses(t *testing.T) {
	atoms := gen.Atoms("a", "b")
	classes := []ltl.Class{ltl.Safety, ltl.Guarantee, ltl.Obligation, ltl.Recurrence, ltl.Persistence, ltl.StutterInvariant}
	for seed := range soak.Long(uint64(300)) {
		r := rand.New(rand.NewPCG(seed, 215))
		f := gen.Formula(r, gen.FormulaOptions{Size: 2 + r.IntN(7), Atoms: atoms, Ops: gen.PastOps})
		c := classes[seed%uint64(len(classes))]
		if !f.Is(c) {
			continue
		}
		if yes, err := belongs(f, c, Options{}); err == nil && !yes && c != ltl.StutterInvariant {
			t.Errorf("seed %d: %v is not in class %v", seed, f, c)
		}
	}
}

// TestPastSpot compares with what Spot makes of the laws, where it is installed: the atoms for the
// past are removed from its automaton.
func TestPastSpot(t *testing.T) {
	for _, program := range []string{"ltl2tgba", "autfilt"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip("Spot is not installed")
		}
	}
	atoms := gen.Atoms("a", "b")
	ours := filepath.Join(t.TempDir(), "ours.hoa")
	for seed := range soak.Long(uint64(60)) {
		r := rand.New(rand.NewPCG(seed, 216))
		f := gen.Formula(r, gen.FormulaOptions{Size: 2 + r.IntN(7), Atoms: atoms, Ops: gen.PastOps})
		g, laws := withoutPast(f)
		text, err := ltl.Format(ltl.MakeAnd(laws, g), ltl.Spot)
		if err != nil {
			t.Fatal(err)
		}
		automaton, err := exec.Command("ltl2tgba", "-f", text).Output()
		if err != nil {
			t.Fatalf("seed %d: ltl2tgba %s: %v", seed, text, err)
		}
		var hoa bytes.Buffer
		if err := mustTranslate(t, f, variants[seed%uint64(len(variants))]).WriteHOA(&hoa); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(ours, hoa.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		projection := []string{"-H"}
		for _, a := range ltl.Atoms(ltl.MakeAnd(laws, g)) {
			if strings.HasPrefix(a.Name, "before") {
				projection = append(projection, "--remove-ap="+a.Name)
			}
		}
		out := automaton
		for _, args := range [][]string{projection, {"--count", "--equivalent-to=" + ours}} {
			filter := exec.Command("autfilt", args...) // removes and compares in the other order
			filter.Stdin = bytes.NewReader(out)
			out, _ = filter.Output()
		}
		if strings.TrimSpace(string(out)) != "1" {
			t.Fatalf("seed %d: Spot's automaton of %s differs from that of %v", seed, text, f)
		}
	}
}
