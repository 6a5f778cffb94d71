package ltl_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/naive"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/ltl"
)

// ruleGroups are all groups by name; "all" and "none" are the extremes.
var ruleGroups = []struct {
	name string
	only ltl.Rules
}{
	{"none", 0}, {"basic", ltl.RulesBasic}, {"boolean", ltl.RulesBoolean}, {"eventual", ltl.RulesEventual},
	{"implication", ltl.RulesImplication}, {"next", ltl.RulesNext | ltl.RulesEventual}, {"next alone", ltl.RulesNext},
	{"infinite", ltl.RulesInfinite | ltl.RulesEventual}, {"infinite alone", ltl.RulesInfinite},
	{"factor", ltl.RulesFactor | ltl.RulesEventual}, {"factor alone", ltl.RulesFactor}, {"all", ltl.AllRules},
}

// sameMeaning compares two formulas on words, most of them short.
func sameMeaning(r *rand.Rand, f, g *ltl.Formula, atoms []ltl.Atom, n int, exclusive ...[]ltl.Atom) error {
	if f == g {
		return nil
	}
	for range n {
		w := gen.Word(r, atoms, 3, 3, exclusive...)
		if v := ltl.Eval(f, w); v != ltl.Eval(g, w) {
			return fmt.Errorf("on a word with stem %d, loop %d:\n  %v\nis %v, but\n  %v\nis not", len(w.Stem), len(w.Loop), f, v, g)
		}
	}
	return nil
}

// Every group of rules keeps the meaning, reaches a fixpoint, and gives the same
// result in a fresh Simplifier.
func TestSimplifyRules(t *testing.T) {
	atoms := gen.Atoms("a", "b", "c")
	for _, group := range ruleGroups {
		t.Run(group.name, func(t *testing.T) {
			cases := uint64(600)
			if group.only == ltl.AllRules {
				cases = 3000
			}
			s := ltl.NewSimplifier(ltl.SimplifyOptions{Skip: ltl.AllRules &^ group.only})
			for seed := range soak.Long(cases) {
				r := rand.New(rand.NewPCG(seed, 5))
				f := gen.Formula(r, gen.FormulaOptions{Size: 2 + r.IntN(16), Atoms: atoms[:1+r.IntN(3)]})
				g := s.Simplify(f)
				if s.StepsLeft() < ltl.MaxSteps/2 {
					t.Fatalf("seed %d: simplification of %v does not end", seed, f)
				}
				if err := sameMeaning(r, f, g, atoms, 12); err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
				if !g.Is(ltl.NegationNormal) {
					t.Fatalf("seed %d: %v is not in negation normal form", seed, g)
				}
				if again := ltl.Simplify(g, ltl.SimplifyOptions{Skip: ltl.AllRules &^ group.only}); again != g {
					t.Fatalf("seed %d: %v\nsimplifies to %v\nand again to %v", seed, f, g, again)
				}
			}
		})
	}
}

func TestSimplifyExclusive(t *testing.T) {
	var events []ltl.Atom
	for _, n := range []string{"a", "b", "c"} {
		events = append(events, ltl.Atom{Kind: ltl.Event, Name: n})
	}
	atoms := append(slices.Clone(events), gen.Atoms("p", "q")...)
	exclusive := [][]ltl.Atom{events}
	s := ltl.NewSimplifier(ltl.SimplifyOptions{Exclusive: exclusive})
	for seed := range soak.Long(uint64(3000)) {
		r := rand.New(rand.NewPCG(seed, 6))
		f := gen.Formula(r, gen.FormulaOptions{Size: 2 + r.IntN(14), Atoms: atoms})
		g := s.Simplify(f)
		if err := sameMeaning(r, f, g, atoms, 12, exclusive...); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if again := ltl.Simplify(g, ltl.SimplifyOptions{Exclusive: exclusive}); again != g {
			t.Fatalf("seed %d: %v\nsimplifies to %v\nand again to %v", seed, f, g, again)
		}
	}
}

// Implications that Implies finds are true on random words.
func TestImplies(t *testing.T) {
	atoms := gen.Atoms("a", "b")
	s := ltl.NewSimplifier(ltl.SimplifyOptions{})
	found := 0
	for seed := range soak.Long(uint64(30000)) {
		r := rand.New(rand.NewPCG(seed, 7))
		f := gen.Formula(r, gen.FormulaOptions{Size: 1 + r.IntN(7), Atoms: atoms})
		g := gen.Formula(r, gen.FormulaOptions{Size: 1 + r.IntN(7), Atoms: atoms})
		if !s.Implies(f, g) {
			continue
		}
		found++
		for range 12 {
			if w := gen.Word(r, atoms, 3, 3); ltl.Eval(f, w) && !ltl.Eval(g, w) {
				t.Fatalf("seed %d: %v does not imply %v", seed, f, g)
			}
		}
	}
	if found < soak.Long(3000) {
		t.Errorf("only %d implications were found", found)
	}
}

// smallFormulas are all formulas of at most the given size over a and b, with
// negations at atoms only.
func smallFormulas(size int) []*ltl.Formula {
	a, b := ltl.MustParse("a"), ltl.MustParse("b")
	bySize := [][]*ltl.Formula{nil, {a, b, ltl.MakeNot(a), ltl.MakeNot(b)}}
	for n := 2; n <= size; n++ {
		var level []*ltl.Formula
		for _, f := range bySize[n-1] {
			level = append(level, ltl.MakeNext(f), ltl.MakeEventually(f), ltl.MakeAlways(f))
		}
		for i := 1; i < n-1; i++ {
			for _, f := range bySize[i] {
				for _, g := range bySize[n-1-i] {
					level = append(level, ltl.MakeAnd(f, g), ltl.MakeOr(f, g), ltl.MakeUntil(f, g),
						ltl.MakeRelease(f, g), ltl.MakeWeakUntil(f, g), ltl.MakeStrongRelease(f, g))
				}
			}
		}
		bySize = append(bySize, level)
	}
	return slices.Concat(bySize...)
}

// shortWords are all words over a and b with a stem of at most 1 and a loop of
// at most 2 letters.
func shortWords() []ltl.Word {
	letters := []ltl.Letter{
		ltl.LetterOf(), ltl.LetterOf(ltl.Atom{Name: "a"}), ltl.LetterOf(ltl.Atom{Name: "b"}),
		ltl.LetterOf(ltl.Atom{Name: "a"}, ltl.Atom{Name: "b"}),
	}
	stems, loops := [][]ltl.Letter{nil}, [][]ltl.Letter{}
	for _, l := range letters {
		stems = append(stems, []ltl.Letter{l})
		loops = append(loops, []ltl.Letter{l})
		for _, m := range letters {
			loops = append(loops, []ltl.Letter{l, m})
		}
	}
	var words []ltl.Word
	for _, s := range stems {
		for _, l := range loops {
			words = append(words, ltl.Word{Stem: s, Loop: l})
		}
	}
	return words
}

// All small formulas on all short words: Eval agrees with the naive evaluator,
// and simplification and negation keep the meaning.
func TestExhaustive(t *testing.T) {
	words := shortWords()
	s := ltl.NewSimplifier(ltl.SimplifyOptions{})
	formulas := smallFormulas(4)
	for _, f := range formulas {
		g, neg := s.Simplify(f), ltl.Negate(f)
		for i, w := range words {
			v := ltl.Eval(f, w)
			if v != naive.LTLHolds(f, w) {
				t.Fatalf("%v on word %d: Eval says %v", f, i, v)
			}
			if g != f && v != ltl.Eval(g, w) {
				t.Fatalf("%v simplifies to %v", f, g)
			}
			if v == ltl.Eval(neg, w) {
				t.Fatalf("%v has the negation %v", f, neg)
			}
		}
	}
	t.Logf("%d formulas on %d words", len(formulas), len(words))
}

func TestSimplify(t *testing.T) {
	for _, c := range []struct{ formula, want string }{
		// basic
		{"F(a U b)", "F b"},
		{"F(a W b)", "F(b | G a)"},
		{"G(a M b)", "G b & GF a"},
		{"a U (a & b)", "b M a"},
		{"a W (a & b)", "b R a"},
		{"a U (b | G a)", "a W b"},
		{"b | (a & X(a U b))", "a U b"},
		{"b & (a | X(a R b))", "a R b"},
		{"a | X F a", "F a"},
		{"a & X G a", "G a"},
		// Boolean
		{"G((a & b) | (!a & b))", "G b"},
		{"a <-> b <-> a", "b"},
		// eventualities
		{"F G F a", "GF a"},
		{"a U F b", "F b"},
		{"G a W b", "G a | b"},
		{"X G F a", "GF a"},
		{"F(a & F G b)", "F a & FG b"},
		{"G(a & F b)", "G a & GF b"},
		// implication
		{"a & (a | b)", "a"},
		{"F a & F(a & b)", "F(a & b)"},
		{"a U (b U a) & (a U b)", "b U a & a U b"},
		{"G a & F !a", "false"},
		{"a & (!a | X b)", "a & X b"},
		{"(a & b) U b", "b"},
		{"!b U b", "F b"},
		{"a W !a", "true"},
		{"(a | b) U b", "a U b"},
		{"G a & (a U b)", "G a & F b"},
		// X
		{"F X a", "X F a"},
		{"X a U X b", "X(a U b)"},
		{"X a & X b", "X(a & b)"},
		{"X a | G F b", "X(a | GF b)"},
		// infinitely often
		{"G F(a & F b)", "GF a & GF b"},
		{"G F(a & G b)", "FG b & GF a"},
		{"G F(a | X b)", "GF(a | b)"},
		{"G F a | G F b", "GF(a | b)"},
		{"F G(G a | F !b | G F(a & X b))", "GF(a | !b)"},
		{"G F(a U b)", "GF b"},
		{"G F(a R b)", "GF(a & b | G b)"},
		// factors
		{"G a & G b", "G(a & b)"},
		{"(a U b) & (c U b)", "(a & c) U b"},
		{"(a U b) | (a W c)", "a W (b | c)"},
		{"F a | (a R b)", "F a | G b"},
		{"(a U b) | G a", "a W b"},
		{"(a W b) & F b", "a U b"},
	} {
		got := ltl.Simplify(ltl.MustParse(c.formula), ltl.SimplifyOptions{})
		if want := ltl.NNF(ltl.MustParse(c.want)); got != want {
			t.Errorf("%s simplifies to %v, want %v", c.formula, got, want)
		}
	}
}

// rulesOfRawFormulas are equations: of their sides the left one is what people write.
var rulesOfRawFormulas = []struct{ left, right string }{
	{"X c U a", "a | X(a M c)"}, {"X c R a", "a & X(a W c)"}, {"X c W a", "a | X(a R c)"}, {"X c M a", "a & X(a U c)"},
	{"G F b U X a", "X(G F b U a)"}, {"G F b R X a", "X(G F b R a)"},
	{"G a | F(!a & F b)", "a W (!a & F b)"}, {"F a & G(!a | G b)", "a M (!a | G b)"},
	{"G(a | G F b)", "G a | G F b"}, {"F(a & G F b)", "F a & G F b"},
	{"F(a | G !a)", "true"}, {"G(a & F !a)", "false"},
	{"F(a | b | G !a)", "true"}, {"F((a & b) | G c | F b)", "F(b | G c)"},
	{"(F a) U (a & b)", "F(a & b)"}, {"(G a) R (a | b)", "G(a | b)"},
	{"!b U (b & F c)", "F(b & F c)"},
	{"(a U (b | c)) U b", "(a | b | c) U b"}, {"(a U (b & c)) U b", "(a U (b & c)) | b"}, {"((a & b) U c) U b", "c U b"},
	{"a U (b | (a U b))", "a U b"}, {"a W ((c U b) | b)", "a W (c U b)"},
	{"G F(a | (b & X !a))", "G F(a | b)"}, {"F G(a & (b | X !a))", "F G(a & b)"}, {"F G(a & (b | F !a | c))", "F G(a & (b | c))"},
	{"G F(a | b | (c & G !a))", "G F(a | b | c)"},
	{"G F(a | G F b)", "G F(a | b)"}, {"G F(a | F b)", "G F(a | b)"}, {"F G(a & F G b)", "F G(a & b)"},
}

// TestRulesOfRawFormulas: each rule holds on all short words and many longer ones, and the
// left side becomes what the right one does.
func TestRulesOfRawFormulas(t *testing.T) {
	atoms := gen.Atoms("a", "b", "c")
	words := shortWords()
	for i, c := range rulesOfRawFormulas {
		left, right := ltl.MustParse(c.left), ltl.MustParse(c.right)
		for _, w := range words {
			if ltl.Eval(left, w) != ltl.Eval(right, w) || naive.LTLHolds(left, w) != naive.LTLHolds(right, w) {
				t.Fatalf("%s is not %s", c.left, c.right)
			}
		}
		if err := sameMeaning(rand.New(rand.NewPCG(uint64(i), 73)), left, right, atoms, 500); err != nil {
			t.Fatal(err)
		}
		l, r := ltl.Simplify(left, ltl.SimplifyOptions{}), ltl.Simplify(right, ltl.SimplifyOptions{})
		if l != r {
			t.Errorf("%s simplifies to %v, but %s to %v", c.left, l, c.right, r)
		}
	}
}

func TestSimplifyWithEvents(t *testing.T) {
	events := []ltl.Atom{{Kind: ltl.Event, Name: "a"}, {Kind: ltl.Event, Name: "b"}}
	for _, c := range []struct{ formula, want string }{
		{"F(E.a & E.b)", "false"},
		{"E.a & !E.b", "E.a"},
		{"G(E.a -> !E.b)", "true"},
		{"E.a & p & (X q | E.b)", "E.a & p & X q"},
	} {
		got := ltl.Simplify(ltl.MustParse(c.formula), ltl.SimplifyOptions{Exclusive: [][]ltl.Atom{events}})
		if want := ltl.MustParse(c.want); got != want {
			t.Errorf("%s simplifies to %v, want %v", c.formula, got, want)
		}
	}
}

// The hook sees only formulas for which syntactic implication was not enough.
func TestSimplifyHook(t *testing.T) {
	f, g := ltl.MustParse("F(a & X b)"), ltl.MustParse("X F b")
	hook := func(x, y *ltl.Formula) bool { return x == f && y == g }
	got := ltl.Simplify(ltl.MakeAnd(f, g), ltl.SimplifyOptions{Implies: hook})
	if got != f {
		t.Errorf("got %v", got)
	}
}

// Formulas with many operands or much sharing are simplified in good time.
func TestSimplifyLarge(t *testing.T) {
	var or []*ltl.Formula
	for i := range 3000 {
		or = append(or, ltl.MustParse(fmt.Sprintf("a%d U b%d", i, i)))
	}
	ltl.Simplify(ltl.MakeOr(or...), ltl.SimplifyOptions{})

	f := ltl.MustParse("a0")
	for i := range 60 {
		f = ltl.MakeIff(f, ltl.MustParse(fmt.Sprintf("a%d", i)))
		f = ltl.MakeUntil(f, ltl.MustParse(fmt.Sprintf("b%d", i)))
	}
	ltl.Simplify(f, ltl.SimplifyOptions{})
}
