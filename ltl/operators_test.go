package ltl_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seltl/seltl/buchi"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/ltl"
)

// same wants two formulas to be equivalent, by two ways: evaluation on random words, and
// automata (of every few formulas, since these take longer).
func same(t *testing.T, seed uint64, r *rand.Rand, what string, f, g *ltl.Formula) {
	t.Helper()
	atoms := ltl.Atoms(f, g)
	for range 20 {
		w := gen.Word(r, atoms, 4, 4)
		if ltl.Eval(f, w) != ltl.Eval(g, w) {
			t.Fatalf("seed %d: %s makes %s of %s: %s tells them apart", seed, what, g, f, w.Text(atoms))
		}
	}
	if seed%5 == 0 && g.Size() < 60 {
		if w, yes, err := buchi.Equivalent(f, g, buchi.Options{}); err != nil || !yes {
			t.Fatalf("seed %d: %s makes %s of %s: %v, %v", seed, what, g, f, w, err)
		}
	}
}

func randomFormula(seed uint64) (*rand.Rand, *ltl.Formula) {
	r := rand.New(rand.NewPCG(seed, 20))
	return r, gen.Formula(r, gen.FormulaOptions{Size: 1 + r.IntN(9), Atoms: gen.Atoms("a", "b", "c")})
}

// Every set of operators that can be removed is, and the others are errors.
func TestWithout(t *testing.T) {
	removable := []ltl.Op{ltl.And, ltl.Or, ltl.Xor, ltl.Implies, ltl.Iff, ltl.Next, ltl.Eventually, ltl.Always, ltl.Until, ltl.Release, ltl.WeakUntil, ltl.StrongRelease}
	refused, done := 0, 0
	for seed := range soak.Cases(uint64(2000)) {
		r, f := randomFormula(seed)
		var remove ltl.OpSet
		for _, op := range removable {
			if r.IntN(3) == 0 {
				remove |= ltl.Ops(op)
			}
		}
		g, err := ltl.Without(f, remove)
		if lost, ok := errors.AsType[*ltl.Irreplaceable](err); ok {
			if refused++; !remove.Has(lost.Op) {
				t.Fatalf("seed %d: %v was not to be removed", seed, lost.Op)
			}
			continue
		} else if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		done++
		for _, h := range ltl.Subformulas(g) {
			if remove.Has(h.Op()) {
				t.Fatalf("seed %d: without %s, %s is %s", seed, remove, f, g)
			}
		}
		same(t, seed, r, "removing "+remove.String(), f, g)
	}
	if refused == 0 || done < refused {
		t.Errorf("%d refused, %d not", refused, done)
	}
}

// Any temporal operator but X can be said by each of U, R, W and M with ! and & alone.
func TestWithoutAll(t *testing.T) {
	all := ltl.Ops(ltl.Or, ltl.Xor, ltl.Implies, ltl.Iff, ltl.Eventually, ltl.Always, ltl.Until, ltl.Release, ltl.WeakUntil, ltl.StrongRelease)
	for _, stays := range []ltl.Op{ltl.Until, ltl.Release, ltl.WeakUntil, ltl.StrongRelease} {
		for _, text := range []string{"a U b", "a R b", "a W b", "a M b", "F a", "G a", "GF a -> b xor F G b"} {
			f := ltl.MustParse(text)
			g, err := ltl.Without(f, all&^ltl.Ops(stays))
			if err != nil {
				t.Errorf("%s by %s: %v", text, stays, err)
				continue
			}
			same(t, 0, rand.New(rand.NewPCG(1, 1)), "saying it by "+stays.String(), f, g)
		}
	}
}

// A formula without X says the same as the stutter-invariant one that it was made of, and the
// same of words without repetitions in any case.
func TestWithoutNext(t *testing.T) {
	invariant := 0
	for seed := range soak.Long(uint64(300)) {
		r := rand.New(rand.NewPCG(seed, 21))
		f := gen.Formula(r, gen.FormulaOptions{Size: 2 + r.IntN(5), Atoms: gen.Atoms("a", "b"),
			Ops: []ltl.Op{ltl.And, ltl.Or, ltl.Not, ltl.Next, ltl.Eventually, ltl.Always, ltl.Until}})
		if seed%2 == 0 { // F(a & X !a) and the like
			f = ltl.MakeEventually(ltl.MakeAnd(f, ltl.MakeNext(ltl.MakeNot(f))))
		}
		g := ltl.WithoutNext(f)
		if !g.Is(ltl.StutterInvariant) {
			t.Fatalf("seed %d: there is an X in %s", seed, g)
		}
		yes, err := buchi.Belongs(f, ltl.StutterInvariant, buchi.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if yes && !f.Is(ltl.StutterInvariant) {
			invariant++
			same(t, seed, r, "removing X", f, g)
		}
		for range 10 {
			w := withoutRepetition(gen.Word(r, gen.Atoms("a", "b"), 4, 4), ltl.Atoms(f))
			if ltl.Eval(f, w) != ltl.Eval(g, w) {
				t.Fatalf("seed %d: %s and %s differ on %s", seed, f, g, w.Text(gen.Atoms("a", "b")))
			}
		}
	}
	if invariant == 0 {
		t.Error("no formula with X was stutter-invariant")
	}
}

// withoutRepetition drops letters that repeat the values of some atoms, unless it is for ever.
func withoutRepetition(w ltl.Word, atoms []ltl.Atom) ltl.Word {
	equal := func(x, y ltl.Letter) bool {
		return !slices.ContainsFunc(atoms, func(a ltl.Atom) bool { return x(a) != y(a) })
	}
	once := func(ls []ltl.Letter) (out []ltl.Letter) {
		for _, l := range ls {
			if len(out) == 0 || !equal(l, out[len(out)-1]) {
				out = append(out, l)
			}
		}
		return out
	}
	// One round of the loop goes to the stem, so that its start is compared with its end.
	loop := once(w.Loop)
	for len(loop) > 1 && equal(loop[0], loop[len(loop)-1]) {
		loop = loop[:len(loop)-1]
	}
	stem := once(append(append([]ltl.Letter(nil), w.Stem...), w.Loop...))
	for len(stem) > 0 && equal(stem[len(stem)-1], loop[0]) {
		stem = stem[:len(stem)-1]
	}
	return ltl.Word{Stem: stem, Loop: loop}
}

func TestForms(t *testing.T) {
	for seed := range soak.Cases(uint64(1000)) {
		r, f := randomFormula(seed)
		d, err := ltl.Disjunctive(f)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		c, err := ltl.Conjunctive(f)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		same(t, seed, r, "the disjunctive form", f, d)
		same(t, seed, r, "the conjunctive form", f, c)
		for _, part := range [][2]*ltl.Formula{{d, c}} {
			for _, g := range part[0].Args() {
				for _, h := range g.Args() {
					if part[0].Op() == ltl.Or && g.Op() == ltl.And && h.Op() == ltl.Or {
						t.Fatalf("seed %d: %s has an or in an and", seed, d)
					}
				}
			}
		}
	}
}

func TestRelabel(t *testing.T) {
	smaller := 0
	for seed := range soak.Cases(uint64(2000)) {
		_, f := randomFormula(seed)
		for _, relabel := range []func(*ltl.Formula, ltl.Naming) (*ltl.Formula, map[ltl.Atom]*ltl.Formula){ltl.Relabel, ltl.RelabelBoolean} {
			g, by := relabel(f, ltl.Numbered("p"))
			if back := ltl.Substitute(g, by); back != f {
				t.Fatalf("seed %d: %s became %s, which is %s", seed, f, g, back)
			}
			if g.Size() > f.Size() {
				t.Fatalf("seed %d: %s became %s, which is larger", seed, f, g)
			} else if g.Size() < f.Size() {
				smaller++
			}
			used := map[ltl.Atom]bool{}
			for _, part := range by {
				for _, a := range ltl.Atoms(part) {
					if used[a] {
						t.Fatalf("seed %d: %s became %s: two atoms stand for %v", seed, f, g, a)
					}
					used[a] = true
				}
			}
		}
	}
	if smaller == 0 {
		t.Error("no Boolean subformula became an atom")
	}
}

func TestLettered(t *testing.T) {
	seen := map[string]bool{}
	for i := range 1000 {
		name := ltl.Lettered(i)
		if f, err := ltl.ParseString(name); err != nil || f.Op() != ltl.Atomic || seen[name] {
			t.Errorf("%d: %s: %v", i, name, err)
		}
		seen[name] = true
	}
}

// What is written in a dialect is read back as the formula, or where the dialect lacks an
// operator as one that is equivalent.
func TestDialects(t *testing.T) {
	for seed := range soak.Cases(uint64(750)) {
		r, f := randomFormula(seed)
		for _, s := range []ltl.Syntax{ltl.LBT, ltl.Wring, ltl.LTSmin, ltl.SPIN, ltl.LTSA, ltl.Spot} {
			text, err := ltl.Format(f, s)
			if err != nil {
				t.Fatalf("seed %d: %s in %s: %v", seed, f, s, err)
			}
			g, err := ltl.ParseIn(source.NewFile("text", text), s)
			if err != nil {
				t.Fatalf("seed %d: %s in %s is %s: %v", seed, f, s, text, err)
			}
			if s == ltl.LBT && g != f {
				t.Fatalf("seed %d: %s in %s is %s, read as %s", seed, f, s, text, g)
			}
			if seed%10 == 0 || s == ltl.Wring || s == ltl.LTSmin {
				same(t, seed|1, r, s.String(), f, g)
			}
		}
	}
}

func TestDialectErrors(t *testing.T) {
	for _, c := range []struct {
		syntax ltl.Syntax
		text   string
	}{
		{ltl.LBT, ""}, {ltl.LBT, "& a"}, {ltl.LBT, "a b"}, {ltl.LBT, "G )"}, {ltl.LBT, `"a`}, {ltl.Wring, "a"}, {ltl.Wring, "(a=1"}, {ltl.Wring, "a=2"},
		{ltl.Wring, "a=1 b=1"}, {ltl.Wring, "G"}, {ltl.Wring, "a=1 *"}, {ltl.LaTeX, `\top`},
	} {
		if f, err := ltl.ParseIn(source.NewFile("text", c.text), c.syntax); err == nil {
			t.Errorf("%s: %q is read as %s", c.syntax, c.text, f)
		}
	}
	deep := ""
	for range ltl.MaxDepth + 2 {
		deep += "! "
	}
	if _, err := ltl.ParseIn(source.NewFile("text", deep+"a"), ltl.LBT); err == nil {
		t.Error("no limit of depth")
	}
}

func FuzzParseIn(f *testing.F) {
	f.Add("G i p0 F p1", true)
	f.Add("G((a=0) + F(b=1))", false)
	f.Fuzz(func(t *testing.T, text string, lbt bool) {
		s := ltl.Wring
		if lbt {
			s = ltl.LBT
		}
		g, err := ltl.ParseIn(source.NewFile("text", text), s)
		if err != nil || !lbt {
			return
		}
		again, err := ltl.Format(g, s)
		if err != nil {
			t.Fatal(err)
		}
		if h, err := ltl.ParseIn(source.NewFile("text", again), s); err != nil || h != g {
			t.Errorf("%q is %s, written %q, and read as %v, %v", text, g, again, h, err)
		}
	})
}

// Random formulas depend on the seed only, keep to their sizes and weights, and draw all
// operators that have one.
func TestRandom(t *testing.T) {
	weights, err := ltl.ParseWeights("xor=0,X=0, U=5")
	if err != nil {
		t.Fatal(err)
	}
	g := ltl.Random{Atoms: gen.Atoms("a", "b"), MinSize: 1, MaxSize: 12, Weights: weights}
	seen := map[ltl.Op]int{}
	for seed := range soak.Cases(uint64(3000)) {
		f := g.Formula(rand.New(rand.NewPCG(seed, 0)))
		if again := g.Formula(rand.New(rand.NewPCG(seed, 0))); again != f || f.Length() > 12 {
			t.Fatalf("seed %d: %s, %s", seed, f, again)
		}
		for _, h := range ltl.Subformulas(f) {
			seen[h.Op()]++
		}
	}
	for op := ltl.False; op <= ltl.StrongRelease; op++ {
		if never := op == ltl.Xor || op == ltl.Next; never != (seen[op] == 0) {
			t.Errorf("%s occurs %d times", op, seen[op])
		}
	}
	if _, err := ltl.ParseWeights("Q=1"); err == nil {
		t.Error("Q is an operator")
	}
}

func TestMeasures(t *testing.T) {
	for _, c := range []struct {
		text            string
		length, boolean int
	}{
		{"a", 1, 1}, {"a & b & c", 5, 1}, {"G(a -> F b)", 5, 5}, {"a & b & F c", 6, 4}, {"G(a & b) | F G c", 8, 6},
	} {
		f := ltl.MustParse(c.text)
		if l, b := f.Length(), f.BooleanLength(); l != c.length || b != c.boolean {
			t.Errorf("%s: %d %d, want %d %d", c.text, l, b, c.length, c.boolean)
		}
	}
}

func TestRuleNames(t *testing.T) {
	if all, err := ltl.ParseRules(ltl.AllRules.String()); err != nil || all != ltl.AllRules {
		t.Errorf("%s: %v; a group without a name?", ltl.AllRules, err)
	}
	for text, want := range map[string]ltl.Rules{
		"all": ltl.AllRules, "none": 0, "basic,next": ltl.RulesBasic | ltl.RulesNext, "-next": ltl.AllRules &^ ltl.RulesNext,
	} {
		if got, err := ltl.ParseRules(text); err != nil || got != want {
			t.Errorf("%s: %s, %v", text, got, err)
		}
	}
	if _, err := ltl.ParseRules("nxt"); err == nil {
		t.Error("nxt is a group")
	}
}

func ExampleWithout() {
	f, err := ltl.Without(ltl.MustParse("G(a -> b W c)"), ltl.Ops(ltl.Implies, ltl.WeakUntil))
	fmt.Println(f, err)
	_, err = ltl.Without(ltl.MustParse("X a"), ltl.Ops(ltl.Next))
	fmt.Println(err)
	// Output:
	// G(!a | c R (b | c)) <nil>
	// X says what no other operator can, but in stutter-invariant formulas
}

func ExampleRelabelBoolean() {
	f, by := ltl.RelabelBoolean(ltl.MustParse("G(request & !busy -> F(done | failed))"), ltl.Numbered("p"))
	fmt.Println(f, by[ltl.Atom{Name: "p0"}], by[ltl.Atom{Name: "p1"}])
	// Output: G(p0 -> F p1) !busy & request done | failed
}

func ExampleParseIn() {
	f, err := ltl.ParseIn(source.NewFile("<formula>", "G i p0 F p1"), ltl.LBT)
	fmt.Println(f, err)
	// Output: G(p0 -> F p1) <nil>
}

func ExampleRandom() {
	weights, err := ltl.ParseWeights("X=0,xor=0,<->=0,U=3")
	if err != nil {
		fmt.Println(err)
		return
	}
	g := ltl.Random{Atoms: []ltl.Atom{{Name: "a"}, {Name: "b"}}, MinSize: 5, MaxSize: 9, Weights: weights}
	f := g.Formula(rand.New(rand.NewPCG(1, 0)))
	fmt.Println(f.Length() <= 9)
	// Output: true
}
