package omega

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/ltl"
)

// The corpus: testdata/hoa holds files in the Hanoi format, some written by hand from the format's
// definition, the others (generated-*.hoa) by corpusText from fixed seeds. hoa.csv says what
// Spot's autfilt says of each automaton in them.

const corpus = "testdata/hoa"

// corpusFiles is the number of those that are generated.
const corpusFiles = 146

// corpusText is a generated file: a random automaton, of one kind after the other, written in
// some of the ways that the format has.
func corpusText(seed uint64) string {
	r := rand.New(rand.NewPCG(seed, 200))
	kind := gen.AutomatonKinds[seed%uint64(len(gen.AutomatonKinds))]
	round := seed / uint64(len(gen.AutomatonKinds))
	o := gen.AutomatonOptions{Kind: kind, States: 5, Sets: 3, Atoms: []string{"a", "b", "c"}[:1+r.IntN(2)],
		StateBased: round%2 == 1, Deterministic: round%4 >= 2, Density: 1.6}
	if kind == "all" { // Spot removes universal branching of weak automata only
		o.Universal = round >= 6
	}
	text := gen.HOA(r, o)
	for _, style := range []func(r *rand.Rand, text string) string{implicitly, aliased, moreStarts, shuffled, decorated} {
		if r.IntN(3) == 0 {
			text = style(r, text)
		}
	}
	return text
}

// states splits a generated text into its header, the description of each state, and the end.
func states(text string) (header string, states []string, end string) {
	header, body, _ := strings.Cut(text, "--BODY--\n")
	body = strings.TrimSuffix(body, "--END--\n")
	for _, s := range strings.SplitAfter(body, "\n") {
		if strings.HasPrefix(s, "State:") {
			states = append(states, s)
		} else if s != "" {
			states[len(states)-1] += s
		}
	}
	return header + "--BODY--\n", states, "--END--\n"
}

// implicitly leaves labels out of states that have one edge for each letter.
func implicitly(_ *rand.Rand, text string) string {
	header, list, end := states(text)
	letters := 4
	if strings.Contains(header, "AP: 1") {
		letters = 2
	}
	label := regexp.MustCompile(`(?m)^\[([^]]*)\] `)
	for i, s := range list {
		found := label.FindAllString(s, -1)
		if len(found) == letters && len(slices.Compact(found)) == letters {
			list[i] = label.ReplaceAllString(s, "")
		}
	}
	return header + strings.Join(list, "") + end
}

// aliased gives names to atoms and a label.
func aliased(_ *rand.Rand, text string) string {
	header, list, end := states(text)
	header = strings.Replace(header, "Acceptance:", "Alias: @first 0\nAlias: @not-first !@first\nAcceptance:", 1)
	body := strings.Join(list, "")
	body = strings.ReplaceAll(body, "[!0", "[@not-first")
	return header + strings.ReplaceAll(body, "[0", "[@first") + end
}

// moreStarts adds an initial state.
func moreStarts(r *rand.Rand, text string) string {
	header, list, end := states(text)
	return strings.Replace(header, "AP:", fmt.Sprintf("Start: %d\nAP:", r.IntN(len(list))), 1) + strings.Join(list, "") + end
}

// shuffled has states in any order, and does not say how many there are.
func shuffled(r *rand.Rand, text string) string {
	header, list, end := states(text)
	header = regexp.MustCompile(`States: \d+\n`).ReplaceAllString(header, "")
	r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	return header + strings.Join(list, "") + end
}

// decorated has what means nothing: comments, names, properties, unknown items.
func decorated(r *rand.Rand, text string) string {
	header, list, end := states(text)
	header = strings.Replace(header, "AP:", "tool: \"generator\" \"of the tests\"\nproperties: explicit-labels x-own\nnote: 1 x \"HOA: v1\"\nAP:", 1)
	for i := range list {
		list[i] = regexp.MustCompile(`State: (\d+)`).ReplaceAllString(list[i], `State: $1 "state $1"`)
		if r.IntN(2) == 0 {
			list[i] += "/* behind /* --END-- */ it */\n"
		}
	}
	return header + strings.Join(list, "") + end
}

func corpusName(seed uint64) string {
	return filepath.Join(corpus, fmt.Sprintf("generated-%03d.hoa", seed))
}

// TestCorpus reads all files and compares with the table.
func TestCorpus(t *testing.T) {
	if autfilt := os.Getenv("SELTL_AUTFILT"); autfilt != "" {
		askAutfilt(t, autfilt)
	}
	for seed := range uint64(corpusFiles) {
		if text, err := os.ReadFile(corpusName(seed)); err != nil || string(text) != corpusText(seed) {
			t.Errorf("%s is not what the generator makes (%v): SELTL_AUTFILT=autfilt go test ./omega -run Corpus writes it", corpusName(seed), err)
		}
	}
	files, err := filepath.Glob(corpus + "/*.hoa")
	if err != nil || len(files) < 200 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	table, err := os.ReadFile(corpus + "/hoa.csv")
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(bytes.NewReader(table)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	said := map[string][]string{}
	for _, row := range rows[1:] {
		said[row[0]+" "+row[1]] = row
	}
	count, formulas, kinds := 0, 0, map[string]bool{}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		r := NewReader(name, bytes.NewReader(text))
		for number := 0; ; number++ {
			a, err := r.Next()
			if err == io.EOF {
				break
			}
			row := said[fmt.Sprint(filepath.Base(name), " ", number)]
			if row == nil {
				t.Fatalf("%s: automaton %d is not in the table", name, number)
			}
			count++
			if err != nil {
				if row[2] != "error" || !errors.As(err, new(Diagnostics)) {
					t.Errorf("%v, the table says %v", err, row)
				}
				continue
			}
			kinds[a.Condition().AccName(a.NumSets())] = true
			wellFormed(t, a)
			if formula := corpusFormulas[strings.TrimSuffix(filepath.Base(name), ".hoa")]; formula != "" {
				formulas++
				sameFormula(t, name, a, formula)
			}
			if row[2] != "-" {
				compareRow(t, name, a, r, row)
			}
		}
	}
	if formulas != len(corpusFormulas) {
		t.Errorf("%d formulas of %d", formulas, len(corpusFormulas))
	}
	if count != len(rows)-1 || len(kinds) < 30 {
		t.Errorf("%d automata, %d in the table; %d named conditions: %v", count, len(rows)-1, len(kinds), kinds)
	}
}

// corpusFormulas have the language of files that hold one automaton.
var corpusFormulas = map[string]string{
	"rabin-edges": "p U q", "rabin-states-implicit": "p U q", "tgba-implicit": "GFp & GFq", "tgba-explicit": "GFp & GFq",
	"tgba-aliases": "GFp & GF(q & r)", "tabs": "GFp & GF(q & r)", "carriage-returns": "p U q",
	"state-labels-several-starts": "GFp", "marks-mixed": "GFp | G(q <-> Xp)", "universal-co-buchi": "(Fp & G(q & Xr)) | r",
	"universal-buchi": "GFp & GFq", "universal-weak": "G(p -> XFq)", "universal-start": "Gp & Fq", "universal-same-state": "GFp",
	"universal-implicit": "G(p -> XFp)", "complemented-inf": "GFp & GFq", "sets-used-twice": "(GFp -> GFq) & (GFq -> GFr)",
	"exclusive-or": "GFp xor GFq", "name-contradicts-condition": "FG!p", "comments": `GF "/* p */"`, "unknown-headers": "GFp",
	"no-start": "false", "abort-in-body": "GFp", "abort-in-header": "FG!p", "no-edges": "false",
}

// sameFormula compares with the semantics of formulas.
func sameFormula(t *testing.T, name string, a *Automaton, formula string) {
	t.Helper()
	f := ltl.MustParse(formula)
	r := random(1)
	for range 100 {
		w := gen.Word(r, gen.Atoms("p", "q", "r", "/* p */"), 3, 4)
		got := a.Accepts(WordOf(a.Atoms(), w))
		if a.NumSets() <= 8 && accepts(a, w) != got || got != ltl.Eval(f, w) {
			t.Errorf("%s is not %v:\n%s", name, f, hoaText(t, a))
			return
		}
	}
}

// tableColumns are those of hoa.csv.
var tableColumns = []string{"file", "number", "states", "components", "sets", "condition", "complete", "accepted", "refused"}

// componentText counts components as the table does.
func componentText(f Figures) string {
	text := fmt.Sprint(len(f.Components))
	for _, is := range []func(c ComponentFigures) bool{
		func(c ComponentFigures) bool { return c.Accepting }, func(c ComponentFigures) bool { return c.Weak },
		func(c ComponentFigures) bool { return c.InherentlyWeak }, func(c ComponentFigures) bool { return c.Terminal },
		func(c ComponentFigures) bool { return c.Complete }, func(c ComponentFigures) bool { return c.Trivial },
	} {
		text += fmt.Sprint(" ", f.CountComponents(is))
	}
	return text
}

// compareRow compares an automaton with what autfilt says. Where universal branching was removed,
// sizes are those of another algorithm.
func compareRow(t *testing.T, name string, a *Automaton, r *Reader, row []string) {
	t.Helper()
	f := a.Figures()
	if _, branches := r.Branches(); branches == 0 {
		got := []string{fmt.Sprint(f.States), componentText(f), fmt.Sprint(a.NumSets()), row[5], digit(f.Complete)}
		if !sameCondition(t, a, row[5]) {
			got[3] = a.Condition().String()
		}
		if !slices.Equal(got, row[2:7]) {
			t.Errorf("%s: %v, the table says %v", name, got, row[2:7])
		}
	}
	if a.Empty() != (row[7] == "") {
		t.Errorf("%s: empty: %v, the table has the word %q", name, a.Empty(), row[7])
	}
	for i, want := range []bool{true, false} {
		if row[7+i] == "" {
			continue
		}
		w, err := ParseWord(name, row[7+i])
		if err != nil {
			t.Fatal(err)
		}
		if a.Accepts(w) != want || accepts(a, w.LTL()) != want {
			t.Errorf("%s: accepts %v: %v, the table says %v", name, w, !want, want)
		}
	}
	again := readOne(t, hoaText(t, a))
	if same, w, _, err := Equivalent(a, again, limited()); !budget.Stopped(err) && (err != nil || !same) {
		t.Errorf("%s: written and read again: %v %v", name, w, err)
	}
	if universal, w, err := a.Universal(limited()); !budget.Stopped(err) && (err != nil || universal != (row[8] == "")) {
		t.Errorf("%s: universal: %v (%v, %v), the table has the word %q", name, universal, w, err, row[8])
	}
}

func digit(yes bool) string {
	if yes {
		return "1"
	}
	return "0"
}

// sameCondition compares the condition with a text on all marks that some sets of the first 12 make.
func sameCondition(t *testing.T, a *Automaton, text string) bool {
	t.Helper()
	b := readOne(t, fmt.Sprintf("HOA: v1 States: 1 Start: 0 AP: 0 Acceptance: %d %s --BODY-- State: 0 --END--", a.NumSets(), text))
	for marks := range uint64(1) << min(a.NumSets(), 12) {
		high := allMarks(a.NumSets()) &^ allMarks(12)
		for _, m := range []uint64{marks, marks | high} {
			if a.Condition().Holds(m) != b.Condition().Holds(m) {
				return false
			}
		}
	}
	return true
}

// askAutfilt writes the generated files and the table, and has autfilt compare what it reads with
// what is written here.
func askAutfilt(t *testing.T, autfilt string) {
	for seed := range uint64(corpusFiles) {
		if err := os.WriteFile(corpusName(seed), []byte(corpusText(seed)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	files, err := filepath.Glob(corpus + "/*.hoa")
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	table := csv.NewWriter(&b)
	table.Write(tableColumns)
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		r := NewReader(name, bytes.NewReader(text))
		for number := 0; ; number++ {
			a, err := r.Next()
			if err == io.EOF {
				break
			}
			row := []string{filepath.Base(name), fmt.Sprint(number)}
			if err != nil {
				table.Write(append(row, "error", "", "", "", "", "", ""))
				continue
			}
			source, _ := r.Last()
			plain := source.Text()
			if _, branches := r.Branches(); branches > 0 {
				if removed, ok := runAutfilt(t, autfilt, plain, "--tgba"); ok {
					plain = removed
				}
			}
			row = append(row, autfiltRow(t, autfilt, plain)...)
			table.Write(row)
			if same, ok := runAutfilt(t, autfilt, plain, "--equivalent-to="+written(t, a), "--stats=%s"); ok && same == "" {
				t.Errorf("%s %d: autfilt does not find it equivalent to\n%s", name, number, hoaText(t, a))
			} else if !ok {
				t.Logf("%s %d: autfilt does not say whether it is equivalent", name, number)
			}
		}
	}
	table.Flush()
	if err := os.WriteFile(corpus+"/hoa.csv", b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

// autfiltRow asks for sizes, a word, and a word that is refused.
func autfiltRow(t *testing.T, autfilt, text string) []string {
	var row []string
	for _, args := range [][]string{{"--remove-unreachable-states", "--stats=%s\t%c %[a]c %[w]c %[iw]c %[t]c %[c]c %[v]c\t%a\t%g\t%p"}, {"--stats=%w"}, {"--complement", "--stats=%w"}} {
		said, ok := runAutfilt(t, autfilt, text, args...)
		if !ok {
			return slices.Repeat([]string{"-"}, 7) // beyond it
		}
		row = append(row, strings.Split(said, "\t")...)
	}
	return row
}

func written(t *testing.T, a *Automaton) string {
	name := filepath.Join(t.TempDir(), "a.hoa")
	if err := os.WriteFile(name, []byte(hoaText(t, a)), 0o644); err != nil {
		t.Fatal(err)
	}
	return name
}

// runAutfilt returns what autfilt writes, false if it takes too long or gives up.
func runAutfilt(t *testing.T, autfilt, text string, args ...string) (string, bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	c := exec.CommandContext(ctx, autfilt, args...)
	c.Stdin = strings.NewReader(text)
	c.Stderr = os.Stderr
	out, err := c.Output()
	exit := new(exec.ExitError)
	switch {
	case ctx.Err() != nil:
		return "", false
	case err != nil && !(errors.As(err, &exit) && exit.ExitCode() == 1):
		t.Logf("%v: %v\n%s", c.Args, err, text)
		return "", false
	}
	return strings.TrimSpace(string(out)), true
}
