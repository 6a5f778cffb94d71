package ltl_test

import (
	"fmt"
	"math/rand/v2"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/seltl/seltl/buchi"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/ltl"
)

// finiteFormula is a formula of LTLf, on its own: its text, and its truth at a position of a word of
// letters (bits of a and b), by definition.
type finiteFormula struct {
	text  string
	holds func(w []int, i int) bool
}

// randomFinite makes a formula with so many operators at most; past says whether some look back.
func randomFinite(r *rand.Rand, size int, past bool) finiteFormula {
	if size == 0 {
		switch k := r.IntN(9); {
		case k == 0:
			return finiteFormula{"true", func([]int, int) bool { return true }}
		case k == 1:
			return finiteFormula{"false", func([]int, int) bool { return false }}
		default:
			bit := k % 2
			return finiteFormula{[]string{"a", "b"}[bit], func(w []int, i int) bool { return w[i]>>bit&1 == 1 }}
		}
	}
	f := randomFinite(r, size-1, past)
	unary := func(op string, holds func(w []int, i int) bool) finiteFormula {
		return finiteFormula{op + "(" + f.text + ")", holds}
	}
	some := func(w []int, from, to int) bool {
		for j := from; j < to; j++ {
			if f.holds(w, j) {
				return true
			}
		}
		return false
	}
	all := func(w []int, from, to int) bool {
		for j := from; j < to; j++ {
			if !f.holds(w, j) {
				return false
			}
		}
		return true
	}
	ops := []finiteFormula{
		unary("!", func(w []int, i int) bool { return !f.holds(w, i) }),
		unary("X ", func(w []int, i int) bool { return i+1 == len(w) || f.holds(w, i+1) }),
		unary("X[!] ", func(w []int, i int) bool { return i+1 < len(w) && f.holds(w, i+1) }),
		unary("F ", func(w []int, i int) bool { return some(w, i, len(w)) }),
		unary("G ", func(w []int, i int) bool { return all(w, i, len(w)) }),
		unary("X[2!] ", func(w []int, i int) bool { return i+2 < len(w) && f.holds(w, i+2) }),
		unary("F[1..2!] ", func(w []int, i int) bool { return some(w, i+1, min(i+3, len(w))) }),
		unary("F[1..2] ", func(w []int, i int) bool { return i+3 > len(w) || some(w, i+1, i+3) }),
		unary("G[1..2] ", func(w []int, i int) bool { return all(w, i+1, min(i+3, len(w))) }),
		unary("G[1..2!] ", func(w []int, i int) bool { return i+3 <= len(w) && all(w, i+1, i+3) }),
		unary("F[1..!] ", func(w []int, i int) bool { return some(w, i+1, len(w)) }),
		unary("G[1..] ", func(w []int, i int) bool { return all(w, i+1, len(w)) }),
	}
	if past {
		ops = append(ops,
			unary("Y ", func(w []int, i int) bool { return i > 0 && f.holds(w, i-1) }),
			unary("Z ", func(w []int, i int) bool { return i == 0 || f.holds(w, i-1) }),
			unary("O ", func(w []int, i int) bool { return some(w, 0, i+1) }),
			unary("H ", func(w []int, i int) bool { return all(w, 0, i+1) }))
	}
	if r.IntN(8) == 0 {
		return randomSuffix(r, f)
	}
	if k := r.IntN(2 * len(ops)); k < len(ops) {
		return ops[k]
	}
	left := r.IntN(size)
	f, g := randomFinite(r, left, past), randomFinite(r, size-1-left, past)
	binary := func(op string, holds func(w []int, i int) bool) finiteFormula {
		return finiteFormula{"((" + f.text + ") " + op + " (" + g.text + "))", holds}
	}
	until := func(f, g finiteFormula, w []int, i int) bool {
		for j := i; j < len(w); j++ {
			if g.holds(w, j) {
				return true
			}
			if !f.holds(w, j) {
				return false
			}
		}
		return false
	}
	not := func(f finiteFormula) finiteFormula {
		return finiteFormula{holds: func(w []int, i int) bool { return !f.holds(w, i) }}
	}
	both := finiteFormula{holds: func(w []int, i int) bool { return f.holds(w, i) && g.holds(w, i) }}
	neither := finiteFormula{holds: func(w []int, i int) bool { return !f.holds(w, i) && !g.holds(w, i) }}
	switch r.IntN(7) {
	case 0:
		return binary("U", func(w []int, i int) bool { return until(f, g, w, i) })
	case 1:
		return binary("R", func(w []int, i int) bool { return !until(not(f), not(g), w, i) })
	case 2:
		return binary("W", func(w []int, i int) bool { return !until(not(g), neither, w, i) })
	case 3:
		return binary("M", func(w []int, i int) bool { return until(g, both, w, i) })
	case 4:
		return binary("->", func(w []int, i int) bool { return !f.holds(w, i) || g.holds(w, i) })
	case 5:
		return binary("xor", func(w []int, i int) bool { return f.holds(w, i) != g.holds(w, i) })
	}
	return binary("&", both.holds)
}

// randomSuffix is a formula with a regular expression and an operand f.
func randomSuffix(r *rand.Rand, f finiteFormula) finiteFormula {
	a := func(w []int, i int) bool { return w[i]&1 == 1 }
	b := func(w []int, i int) bool { return w[i]>>1 == 1 }
	expressions := []struct {
		text string
		// ends are the last positions of matches from i on.
		ends func(w []int, i int) []int
	}{
		{"{a; b}", func(w []int, i int) []int {
			if i+1 < len(w) && a(w, i) && b(w, i+1) {
				return []int{i + 1}
			}
			return nil
		}},
		{"{a[*]; b}", func(w []int, i int) (ends []int) {
			for ; i < len(w); i++ {
				if b(w, i) {
					ends = append(ends, i)
				}
				if !a(w, i) {
					break
				}
			}
			return ends
		}},
		{"{true[*]; b; true; a}", func(w []int, i int) (ends []int) {
			for ; i < len(w); i++ {
				if b(w, i) && i+2 < len(w) && a(w, i+2) {
					ends = append(ends, i+2)
				}
			}
			return ends
		}},
	}
	e := expressions[r.IntN(len(expressions))]
	switch r.IntN(4) {
	case 0:
		return finiteFormula{"(" + e.text + "!)", func(w []int, i int) bool { return len(e.ends(w, i)) > 0 }}
	case 1:
		return finiteFormula{"(" + e.text + "<>-> (" + f.text + "))", func(w []int, i int) bool {
			return slices.ContainsFunc(e.ends(w, i), func(j int) bool { return f.holds(w, j) })
		}}
	case 2:
		return finiteFormula{"(" + e.text + "[]-> (" + f.text + "))", func(w []int, i int) bool {
			return !slices.ContainsFunc(e.ends(w, i), func(j int) bool { return !f.holds(w, j) })
		}}
	}
	return finiteFormula{"(" + e.text + "[]=> (" + f.text + "))", func(w []int, i int) bool {
		return !slices.ContainsFunc(e.ends(w, i), func(j int) bool { return j+1 < len(w) && !f.holds(w, j+1) })
	}}
}

var (
	alive = ltl.Atom{Kind: ltl.Name, Name: "alive"}
	last  = ltl.Atom{Kind: ltl.Name, Name: "last"}
)

// standsFor is an infinite word that stands for w, with anything behind it.
func standsFor(w []int, r *rand.Rand) ltl.Word {
	letter := func(bits int, more ...ltl.Atom) ltl.Letter {
		for k, a := range pastAtoms {
			if bits>>k&1 == 1 {
				more = append(more, a)
			}
		}
		return ltl.LetterOf(more...)
	}
	var out ltl.Word
	for i, bits := range w {
		more := []ltl.Atom{alive}
		if i == len(w)-1 {
			more = append(more, last)
		}
		out.Stem = append(out.Stem, letter(bits, more...))
	}
	for range 1 + r.IntN(2) {
		out.Loop = append(out.Loop, letter(r.IntN(4), []ltl.Atom{last}[:r.IntN(2)]...))
	}
	return out
}

// finiteWords are all words of one to so many letters over a and b.
func finiteWords(most int) (all [][]int) {
	for n := 1; n <= most; n++ {
		for code := range 1 << (2 * n) {
			w := make([]int, n)
			for i := range w {
				w[i] = code >> (2 * i) & 3
			}
			all = append(all, w)
		}
	}
	return all
}

// Both readings of finite words agree with the definition, on all words of up to five letters.
func TestFiniteWords(t *testing.T) {
	words := finiteWords(5)
	for seed := range soak.Long(uint64(50)) {
		r := rand.New(rand.NewPCG(seed, 301))
		f := randomFinite(r, 1+r.IntN(6), seed%2 == 1)
		for _, e := range []*ltl.Ending{ltl.EndingAlive(ltl.AtomOf(alive)), ltl.EndingWhere(ltl.AtomOf(last))} {
			g, err := ltl.ParseText(f.text, ltl.ParseOptions{Finite: e})
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			for _, w := range words {
				if r.IntN(12) != 0 && len(w) > 3 {
					continue
				}
				word := standsFor(w, r)
				if !ltl.Eval(e.Words(), word) {
					t.Fatalf("seed %d: %v does not stand for a word", seed, w)
				}
				if got, want := ltl.Eval(g, word), f.holds(w, 0); got != want {
					t.Fatalf("seed %d: %s on %v: %v, by definition %v; it was read as %v", seed, f.text, w, got, want, g)
				}
			}
		}
	}
}

// Words that stand for none are told apart.
func TestFiniteWordsStandFor(t *testing.T) {
	e := ltl.EndingAlive(ltl.AtomOf(alive))
	for _, w := range []ltl.Word{
		{Loop: []ltl.Letter{ltl.LetterOf()}},
		{Loop: []ltl.Letter{ltl.LetterOf(alive)}},
		{Stem: []ltl.Letter{ltl.LetterOf(alive), ltl.LetterOf(), ltl.LetterOf(alive)}, Loop: []ltl.Letter{ltl.LetterOf()}},
	} {
		if ltl.Eval(e.Words(), w) {
			t.Errorf("%s stands for a finite word", w.Text([]ltl.Atom{alive}))
		}
	}
}

// TestFiniteWordsSpot compares with Spot's ltlfilt --from-ltlf, where that is installed.
func TestFiniteWordsSpot(t *testing.T) {
	program, err := exec.LookPath("ltlfilt")
	if err != nil {
		t.Skip("Spot is not installed")
	}
	e := ltl.EndingAlive(ltl.AtomOf(alive))
	for seed := range soak.Long(uint64(60)) {
		r := rand.New(rand.NewPCG(seed, 302))
		f := randomFinite(r, 1+r.IntN(6), false)
		if strings.Contains(f.text, "{") {
			continue // Spot does not read these as LTLf
		}
		text := strings.NewReplacer("..!]", ":$!]", "..]", ":$]", "..", ":").Replace(f.text)
		out, err := exec.Command(program, "--from-ltlf", "-f", text).Output()
		if err != nil {
			t.Fatalf("seed %d: %s: %v", seed, text, err)
		}
		g, err := ltl.ParseText(f.text, ltl.ParseOptions{Finite: e})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		spot := ltl.MustParse(strings.TrimSpace(string(out)))
		if w, same, err := buchi.Equivalent(ltl.MakeAnd(e.Words(), g), spot, buchi.Options{}); err != nil || !same {
			t.Fatalf("seed %d: %s is read as %v, by Spot as %v: they differ on %s (%v)", seed, f.text, g, spot, w.Text(ltl.Atoms(g, spot)), err)
		}
	}
}

func ExampleParseOptions_finite() {
	finite := ltl.EndingAlive(ltl.MustParse("alive"))
	for _, text := range []string{"X a", "X[!] a", "G(a -> X[!] b)"} {
		f, err := ltl.ParseText(text, ltl.ParseOptions{Finite: finite})
		if err != nil {
			panic(err)
		}
		fmt.Println(f)
	}
	// Output:
	// X(a | !alive)
	// X(a & alive)
	// G(!alive | (a -> X(alive & b)))
}
