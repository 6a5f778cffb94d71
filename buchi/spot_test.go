package buchi_test

import (
	"bufio"
	"bytes"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/seltl/seltl/buchi"
	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/omega"
)

// testdata/regexps.txt has formulas with regular expressions, and what Spot 2.12 says of them:
// the states of its automata (ltl2tgba, and with -B), and which of some words these accept
// (autfilt --accept-word). Words are numbers of letters, bit i for atom i, of the stem and the loop.
// Formulas of which Spot says what the definition of its operators denies were left out: it takes
// a[*2..][*] for a[*], and first_match(a[+]; ...) bounds a by 255 letters.
var (
	regexpTable  = filepath.Join("testdata", "regexps.txt")
	recordRegexp = flag.Bool("record-regexps", false, "ask Spot for testdata/regexps.txt again")
	regexpAtoms  = gen.Atoms("a", "b", "c")
)

// patterns are formulas as people write them.
var patterns = []string{
	"G({a; !b[*]; c}[]-> X b)", "G({a; b}[]=> {c[*]; a}!)", "{[*]; a; b}[]=> {c; b[*]; a}", "G({a; b[*2..4]; c}<>-> b)",
	"{[*]; {a; b} && {c[*2]}}[]-> b", "G({a[->3]}[]-> b)", "G({a[=2]; c}[]-> b)", "!{a; b[*]; c}", "{{a; b}[*]; c}<>-> F b",
	"G({{a; !b[*]; b}[*3]}[]-> X c)", "{(a; !a)[*]; b}! -> F c", "G(a -> {b[*]; c}!)", "G(a -> {{b; !b}[*]; c}!)",
	"G({a : b[+] : c}[]-> {b[*1..3]; a}!)", "F {a; b; c}", "G(a -> {a; {b; (c | a)}[*]; c})", "G !{a; !(b | c)[*]; !a}!",
	"{a[:*2..3]; {b; c}[:+]}!", "G({{a; [*]; b} & {c[=1]}}<>-> a)", "{a; {b | c}[*2..3]; first_match(a[*1..2]; c)}[]=> GF b",
}

// wordOf reads "1,0|2" as the word with a first, nothing then, and b for ever.
func wordOf(t *testing.T, text string, atoms []ltl.Atom) ltl.Word {
	letters := func(text string) (out []ltl.Letter) {
		if text == "" {
			return nil
		}
		for _, number := range strings.Split(text, ",") {
			n, err := strconv.Atoi(number)
			if err != nil {
				t.Fatal(err)
			}
			var held []ltl.Atom
			for i, a := range atoms {
				if n>>i&1 != 0 {
					held = append(held, a)
				}
			}
			out = append(out, ltl.LetterOf(held...))
		}
		return out
	}
	stem, loop, _ := strings.Cut(text, "|")
	return ltl.Word{Stem: letters(stem), Loop: letters(loop)}
}

func TestRegexpTable(t *testing.T) {
	if *recordRegexp {
		recordRegexps(t)
	}
	file, err := os.Open(regexpTable)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var ours, spots [2]int // states, with and without -B
	lines, words := 0, 0
	for in := bufio.NewScanner(file); in.Scan(); {
		fields := strings.Split(in.Text(), "\t")
		if lines++; soak.Skip(lines) {
			continue
		}
		f, err := ltl.ParseString(fields[0])
		if err != nil {
			t.Fatal(err)
		}
		for i, acceptance := range []buchi.Acceptance{buchi.Generalised, buchi.StateBuchi} {
			a, err := buchi.Translate(f, buchi.Options{Acceptance: acceptance})
			if err != nil {
				t.Fatalf("%s: %v", f, err)
			}
			states, err := strconv.Atoi(fields[1+i])
			if err != nil {
				t.Fatal(err)
			}
			ours[i] += a.NumStates()
			spots[i] += states
			for _, field := range fields[3:] {
				text, verdict, _ := strings.Cut(field, "=")
				w := wordOf(t, text, regexpAtoms)
				if want := verdict == "1"; ltl.Eval(f, w) != want || a.Accepts(w) != want {
					t.Errorf("%s on %s: evaluated %v, automaton %v, Spot says %v", f, w.Text(regexpAtoms), ltl.Eval(f, w), a.Accepts(w), want)
				}
				words++
			}
		}
	}
	t.Logf("%d formulas, %d words: states %v, of Spot %v", lines, words, ours, spots)
	if lines < 200 || !testing.Short() && (ours[0] > spots[0] || ours[1] > spots[1]) {
		t.Errorf("%d formulas, states %v, of Spot %v", lines, ours, spots)
	}
}

// recordRegexps asks Spot.
func recordRegexps(t *testing.T) {
	var b strings.Builder
	formulas := append([]string{}, patterns...)
	for seed := uint64(0); len(formulas) < 240; seed++ {
		g := ltl.Random{Atoms: regexpAtoms, MinSize: 6, MaxSize: 16, Weights: ltl.DefaultWeights()}
		for _, op := range []ltl.Op{ltl.Yesterday, ltl.WeakYesterday, ltl.Once, ltl.Historically, ltl.Since, ltl.Triggered} {
			delete(g.Weights, op)
		}
		ltl.AddRegexps(g.Weights)
		if f := g.Formula(rand.New(rand.NewPCG(seed, 60))); f.HasRegexp() {
			formulas = append(formulas, f.String())
		}
	}
	ask := func(in, name string, args ...string) string {
		command := exec.Command(name, args...)
		command.Stdin = strings.NewReader(in)
		out, err := command.Output()
		if _, failed := err.(*exec.ExitError); err != nil && !failed {
			t.Skipf("%v: Spot is not installed", err)
		}
		return strings.TrimSpace(string(out))
	}
	for n, text := range formulas {
		f := ltl.MustParse(text)
		spots, err := ltl.Format(f, ltl.Spot)
		if err != nil {
			t.Fatal(err)
		}
		automaton := ask("", "ltl2tgba", "-f", spots)
		line := fmt.Sprintf("%s\t%s\t%s", f, ask(automaton, "autfilt", "--stats=%s"), ask("", "ltl2tgba", "-B", "-f", spots, "--stats=%s"))
		r := rand.New(rand.NewPCG(uint64(n), 61))
		right := true
		for range 6 {
			var parts [2]string
			for i, count := range []int{r.IntN(5), 1 + r.IntN(4)} {
				var letters []string
				for range count {
					letters = append(letters, strconv.Itoa(r.IntN(8)))
				}
				parts[i] = strings.Join(letters, ",")
			}
			word := parts[0] + "|" + parts[1]
			w := wordOf(t, word, regexpAtoms)
			verdict := ask(automaton, "autfilt", "-c", "--accept-word="+w.Text(regexpAtoms))
			line += "\t" + word + "=" + verdict
			right = right && ltl.Eval(f, w) == (verdict == "1")
		}
		if !right {
			t.Logf("left out, to be looked at: %s", line)
			continue
		}
		b.WriteString(line + "\n")
	}
	if err := os.WriteFile(regexpTable, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

// Where Spot is installed, its automata have the language of ours.
func TestRegexpSpot(t *testing.T) {
	if _, err := exec.LookPath("ltl2tgba"); err != nil {
		t.Skip("Spot is not installed")
	}
	for seed := range soak.Long(uint64(200)) {
		r := rand.New(rand.NewPCG(seed, 62))
		f := ltl.MustParse(gen.Suffix(r, 1+r.IntN(9), gen.RegexpOptions{Atoms: regexpAtoms, Plain: true}))
		for _, g := range []*ltl.Formula{f, ltl.MakeNot(f)} {
			text, err := ltl.Format(g, ltl.Spot)
			if err != nil {
				t.Fatal(err)
			}
			out, err := exec.Command("ltl2tgba", "-f", text).Output()
			if err != nil {
				t.Fatalf("seed %d: %s: %v", seed, text, err)
			}
			read, err := omega.NewReader("ltl2tgba", bytes.NewReader(out)).Next()
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			spot, err := read.Buchi()
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			a, err := buchi.Translate(ltl.MakeNot(g), buchi.Options{})
			if err != nil {
				t.Fatal(err)
			}
			both, err := buchi.Intersect(a, spot)
			if err != nil {
				t.Fatal(err)
			}
			if word, found := both.AcceptedWord(); found {
				t.Fatalf("seed %d: Spot's automaton of %s and ours of its negation have %s in common, of which the formula is %v",
					seed, g, word.Text(regexpAtoms), ltl.Eval(g, word))
			}
		}
	}
}
