package ltl_test

import (
	"math/rand/v2"
	"testing"

	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/naive"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/ltl"
)

// matches reports whether the letters are a word of r, by derivatives.
func matches(r *ltl.Regexp, word []ltl.Letter) bool {
	for _, l := range word {
		r = r.Derivative(l)
	}
	return r.Nullable()
}

// Derivatives match what the definition of the operators says, before and after the
// constructors have simplified an expression.
func TestRegexpNaive(t *testing.T) {
	atoms := gen.Atoms("a", "b")
	found := 0
	for seed := range soak.Cases(uint64(6000)) {
		r := rand.New(rand.NewPCG(seed, 1))
		raw := gen.NewRegexp(r, gen.RegexpOptions{Size: 1 + r.IntN(8), Atoms: atoms})
		f, err := ltl.ParseString("{[*0];" + raw.String() + "}[]-> X zz")
		if err != nil {
			t.Fatalf("seed %d: %s: %v", seed, raw, err)
		}
		word := gen.Word(r, atoms, 6, 1).Stem
		spans := naive.RegexpSpans(raw, word)
		if f.Regexp() == nil { // {[*0]}[]-> is true, {1}[]-> X zz is X zz
			continue
		}
		again := naive.RegexpSpans(naive.RawRegexp(f.Regexp()), word)
		for i := range spans {
			for j := i; j <= len(word); j++ {
				want := spans[i][j]
				if got := matches(f.Regexp(), word[i:j]); got != want || again[i][j] != want {
					t.Fatalf("seed %d: %s, read as %s, matches %v by derivatives, %v as read, and %v as written", seed, raw, f.Regexp(), got, again[i][j], want)
				}
				if want && j > i {
					found++
				}
			}
		}
	}
	if found < int(soak.Cases(6000)) {
		t.Errorf("%d matches only", found)
	}
}

// Linear forms derive what derivatives do: a sequence of steps leads to the empty word iff the letters match.
func TestLinearForms(t *testing.T) {
	atoms := gen.Atoms("a", "b")
	for seed := range soak.Cases(uint64(3000)) {
		r := rand.New(rand.NewPCG(seed, 2))
		raw := gen.NewRegexp(r, gen.RegexpOptions{Size: 1 + r.IntN(8), Atoms: atoms})
		f := ltl.MustParse("{" + raw.String() + ";1}[]-> zz")
		if f.Regexp() == nil {
			continue
		}
		word := gen.Word(r, atoms, 6, 1).Stem
		for _, deterministic := range []bool{false, true} {
			if got, want := ltl.MatchesBySteps(f.Regexp(), word, atoms, deterministic), matches(f.Regexp(), word); got != want {
				t.Fatalf("seed %d: %s matches %v by linear forms (deterministic: %v), %v by derivatives", seed, f.Regexp(), got, deterministic, want)
			}
		}
	}
}

// The weak closure is what its definition says, by trying all continuations.
func TestClosureNaive(t *testing.T) {
	atoms := gen.Atoms("a")
	letters := []ltl.Letter{ltl.LetterOf(), ltl.LetterOf(atoms[0])}
	count := map[bool]int{}
	for seed := range soak.Long(uint64(450)) {
		r := rand.New(rand.NewPCG(seed, 3))
		raw := gen.NewRegexp(r, gen.RegexpOptions{Size: 1 + r.IntN(5), Atoms: atoms})
		f := ltl.MustParse("{" + raw.String() + "}")
		w := gen.Word(r, atoms, 2, 2)
		// What counts high is decided far behind: that takes long, and is asked of what differs.
		got, want := ltl.Eval(f, w), naive.Closure(raw, w, letters, 12, 5)
		if got != want || soak.On() {
			want = naive.Closure(raw, w, letters, 40, 5)
		}
		if got != want {
			t.Fatalf("seed %d: {%s} on %s: %v, want %v", seed, raw, w.Text(atoms), got, want)
		}
		if ltl.Eval(ltl.MakeNot(f), w) == want || ltl.Eval(ltl.Negate(f), w) == want {
			t.Fatalf("seed %d: !{%s} on %s", seed, raw, w.Text(atoms))
		}
		count[want]++
	}
	if count[true] < soak.Least(15) || count[false] < soak.Least(15) {
		t.Errorf("%v", count)
	}
}

// {r}[]-> f and {r}<>-> f are what their definitions say, by looking at every match on a part of
// the word that is long enough for such small expressions.
func TestSuffixNaive(t *testing.T) {
	atoms := gen.Atoms("a", "b")
	count := map[bool]int{}
	for seed := range soak.Long(uint64(300)) {
		r := rand.New(rand.NewPCG(seed, 4))
		raw := gen.NewRegexp(r, gen.RegexpOptions{Size: 1 + r.IntN(6), Atoms: atoms})
		g := gen.Formula(r, gen.FormulaOptions{Size: 1 + r.IntN(5), Atoms: atoms})
		w := gen.Word(r, atoms, 3, 3)
		holds := ltl.EvalAll(g, w)
		var word []ltl.Letter
		var at []bool // g at each letter
		for i := 0; len(word) < 48; i = w.Next(i) {
			word, at = append(word, w.At(i)), append(at, holds[i])
		}
		some, all := false, true
		for j, yes := range naive.RegexpSpans(raw, word)[0] {
			if yes && j > 0 {
				some, all = some || at[j-1], all && at[j-1]
			}
		}
		for _, c := range []struct {
			text string
			want bool
		}{{"<>->", some}, {"[]->", all}} {
			text := "{" + raw.String() + "}" + c.text + "(" + g.String() + ")"
			f := ltl.MustParse(text)
			for _, h := range []*ltl.Formula{f, ltl.NNF(f)} {
				if got := ltl.Eval(h, w); got != c.want {
					t.Fatalf("seed %d: %s, as %s, on %s: %v, want %v", seed, text, h, w.Text(atoms), got, c.want)
				}
			}
			if ltl.Eval(ltl.Negate(f), w) == c.want {
				t.Fatalf("seed %d: !(%s) on %s", seed, text, w.Text(atoms))
			}
			count[c.want]++
		}
	}
	if count[true] < soak.Least(30) || count[false] < soak.Least(30) {
		t.Errorf("%v", count)
	}
}

// Formulas with regular expressions are written so that they are read back.
func TestRegexpParses(t *testing.T) {
	atoms := gen.Atoms("a", "b")
	for seed := range soak.Cases(uint64(3000)) {
		r := rand.New(rand.NewPCG(seed, 5))
		text := gen.Suffix(r, 1+r.IntN(9), gen.RegexpOptions{Atoms: atoms})
		f, err := ltl.ParseString(text)
		if err != nil {
			t.Fatalf("seed %d: %s: %v", seed, text, err)
		}
		for _, g := range []*ltl.Formula{f, ltl.NNF(f), ltl.Negate(f), ltl.Simplify(f, ltl.SimplifyOptions{})} {
			for _, s := range []ltl.Syntax{ltl.Seltl, ltl.Spot} {
				printed, err := ltl.Format(g, s)
				if err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
				if h, err := ltl.ParseString(printed); err != nil || h != g {
					t.Fatalf("seed %d: %s is written %s in %s, and read as %v %v", seed, text, printed, s, h, err)
				}
			}
			echo, err := ltl.Echo(g)
			if err != nil {
				t.Fatal(err)
			}
			if h, err := ltl.ParseString(echo); err != nil || h != g {
				t.Fatalf("seed %d: %s is echoed %s, and read as %v %v", seed, text, echo, h, err)
			}
		}
	}
}

// A residual holds of the rest of a word iff the formula holds of the word.
func TestRegexpResidual(t *testing.T) {
	atoms := gen.Atoms("a", "b")
	for seed := range soak.Cases(uint64(2000)) {
		r := rand.New(rand.NewPCG(seed, 6))
		f := ltl.MustParse(gen.Suffix(r, 1+r.IntN(9), gen.RegexpOptions{Atoms: atoms}))
		w := gen.Word(r, atoms, 3, 3)
		rest := ltl.Word{Stem: append(append([]ltl.Letter{}, w.Stem...), w.Loop...)[1:], Loop: w.Loop}
		if got, want := ltl.Eval(ltl.Residual(f, w.At(0)), rest), ltl.Eval(f, w); got != want {
			t.Fatalf("seed %d: %s on %s: %v, its residual %v", seed, f, w.Text(atoms), want, got)
		}
	}
}
