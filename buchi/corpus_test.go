package buchi

import (
	"encoding/csv"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/ltl"
)

// A formula of the reference corpus with Spot's sizes.
type reference struct {
	text                 string
	formula              *ltl.Formula
	states, edges, tgbas int
}

var patternSets = []string{"dac", "eh", "sb", "hkrss", "p"}
var allSets = append(append([]string{}, patternSets...), "families", "random")

// rawSets are the formulas as they were written, in a folder below; families, of which some
// take seconds, only in a soak.
func rawSets() []string {
	var sets []string
	for _, set := range append(slices.Clone(patternSets), "random") {
		sets = append(sets, "raw/"+set)
	}
	if soak.On() {
		sets = append(sets, "raw/families")
	}
	return sets
}

// corpus reads one set; the test is skipped where the references are absent.
func corpus(t testing.TB, set string) []reference {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "..", "shared", "oracle", "ltl", filepath.FromSlash(set)+".csv"))
	if err != nil {
		t.Skipf("no reference sizes: %v", err)
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.Comma = ';'
	r.LazyQuotes = true
	rows, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var refs []reference
	for _, row := range rows[1:] {
		number := func(i int) int {
			n, err := strconv.Atoi(row[i])
			if err != nil {
				t.Fatal(err)
			}
			return n
		}
		// Spot prints its strong next; on infinite words it is X.
		text := strings.ReplaceAll(row[0], "X[!]", "X")
		formula, err := ltl.ParseString(text)
		if err != nil {
			t.Fatalf("%s: %v", row[0], err)
		}
		refs = append(refs, reference{row[0], formula, number(1), number(2), number(3)})
	}
	return refs
}

// sums are the sizes of a whole set.
type sums struct{ states, edges, tgba, larger, worst int }

func sumsOf(t testing.TB, refs []reference) (our, spot sums) {
	t.Helper()
	for _, r := range refs {
		ba, err := Translate(r.formula, Options{Acceptance: StateBuchi})
		if err != nil {
			t.Fatal(err)
		}
		tgba, err := Translate(r.formula, Options{})
		if err != nil {
			t.Fatal(err)
		}
		s := ba.Stats()
		our.states += s.States
		our.edges += s.Edges
		our.tgba += tgba.NumStates()
		spot.states += r.states
		spot.edges += r.edges
		spot.tgba += r.tgbas
		if s.States > r.states {
			our.larger++
			our.worst = max(our.worst, s.States-r.states)
		}
	}
	return our, spot
}

var update = flag.Bool("update", false, "rewrite testdata/sizes.txt")

// TestCorpusSizes compares the sums of all sets with those that were reached
// before, in testdata/sizes.txt, and with the targets.
func TestCorpusSizes(t *testing.T) {
	if testing.Short() {
		t.Skip("translates the whole corpus")
	}
	var b strings.Builder
	b.WriteString("# Sums over the reference formulas: Büchi states, Büchi edges, TGBA states. -update rewrites this.\n")
	golden := filepath.Join("testdata", "sizes.txt")
	old, err := os.ReadFile(golden)
	if err != nil && !*update {
		t.Fatal(err)
	}
	known := map[string]sums{}
	for _, line := range strings.Split(string(old), "\n") {
		var set string
		var s sums
		if n, _ := fmt.Sscan(line, &set, &s.states, &s.edges, &s.tgba); n == 4 {
			known[set] = s
		}
	}
	for _, set := range append(slices.Clone(allSets), rawSets()...) {
		our, spot := sumsOf(t, corpus(t, set))
		fmt.Fprintf(&b, "%s %d %d %d\n", set, our.states, our.edges, our.tgba)
		t.Logf("%-9s states %d (Spot %d), edges %d (%d), tgba %d (%d), larger %d, by at most %d",
			set, our.states, spot.states, our.edges, spot.edges, our.tgba, spot.tgba, our.larger, our.worst)
		if k := known[set]; !*update && (our.states > k.states || our.edges > k.edges || our.tgba > k.tgba) {
			t.Errorf("%s: worse than before: %d %d %d, was %d %d %d", set, our.states, our.edges, our.tgba, k.states, k.edges, k.tgba)
		}
		if our.states > spot.states || our.tgba > spot.tgba {
			t.Errorf("%s: more states than Spot: %d > %d, or %d > %d", set, our.states, spot.states, our.tgba, spot.tgba)
		}
	}
	if *update {
		if !soak.On() {
			t.Log("without SELTL_SOAK the line of raw/families is lost")
		}
		if err := os.WriteFile(golden, []byte(b.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// TestCorpusEquivalence checks every automaton of every set: disjoint from that
// of the negation, the lasso semantics on random words, and the tableau in both
// directions, but for some 50 formulas whose tableau is too large.
func TestCorpusEquivalence(t *testing.T) {
	tableaux, largest := 0, 9
	if soak.On() {
		largest = 40
	}
	for _, set := range append(slices.Clone(allSets), rawSets()...) {
		for i, ref := range corpus(t, set) {
			if soak.Skip(i) || i%2 > 0 && !soak.On() {
				continue
			}
			f, not := ref.formula, ltl.MakeNot(ref.formula)
			o := variants[i%3]
			a := mustTranslate(t, f, o)
			if filepath.Base(set) == "families" {
				o.Level = Low // some negations are large
			}
			n := mustTranslate(t, not, o)
			empty, err := disjoint(a, n)
			if err != nil || !empty {
				t.Fatalf("%s: not disjoint from the negation (%v)", ref.text, err)
			}
			r := rand.New(rand.NewPCG(uint64(i), 51))
			for range 10 {
				w := gen.Word(r, ltl.Atoms(f), 4, 4)
				want := ltl.Eval(f, w)
				if a.Accepts(w) != want || n.Accepts(w) == want {
					t.Fatalf("%s: wrong on a random word", ref.text)
				}
			}
			if f.Size() <= largest && checkNaive(t, f, o) {
				tableaux++
			}
		}
	}
	t.Logf("%d compared with tableaux", tableaux)
}

func BenchmarkPatterns(b *testing.B) {
	var refs []reference
	for _, set := range patternSets {
		refs = append(refs, corpus(b, set)...)
	}
	states := 0
	for b.Loop() {
		states = 0
		for _, r := range refs {
			a, err := Translate(r.formula, Options{Acceptance: StateBuchi})
			if err != nil {
				b.Fatal(err)
			}
			states += a.NumStates()
		}
	}
	b.ReportMetric(float64(states), "states")
}
