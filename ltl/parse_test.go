package ltl_test

import (
	"encoding/csv"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/ltl"
)

// vocabulary is a model's vocabulary made of lists.
type vocabulary struct {
	props, events []string
}

func (v vocabulary) Prop(name string) bool  { return slices.Contains(v.props, name) }
func (v vocabulary) Event(name string) bool { return slices.Contains(v.events, name) }
func (v vocabulary) Names() []string        { return append(slices.Clone(v.props), v.events...) }
func (v vocabulary) Indexed(base string) (out []int) {
	for i := range 10 {
		if v.Prop(fmt.Sprintf("%s.%d", base, i)) {
			out = append(out, i)
		}
	}
	return out
}
func (v vocabulary) Range(name string) (int, int, bool) { return 0, 1, name == "ID" }
func (v vocabulary) Set(name string) ([]string, bool) {
	return []string{"get", "put"}, name == "ACTS"
}
func (v vocabulary) Const(name string) (int, bool) { return 2, name == "N" }

var buffer = vocabulary{
	props:  []string{"empty", "full", "both", "m.0", "m.1", "m.2", "FREE", "RED.0", "RED.1", "Xray", "next", "phil.0.eats"},
	events: []string{"get", "put", "both", "phil.0.eat", "phil.1.eat", "b.0", "b.1", "b.2", "red.0.enter", "red.1.enter"},
}

func parse(text string, opts ltl.ParseOptions) (*ltl.Formula, error) {
	return ltl.Parse(source.NewFile("formula", text), opts)
}

// Pairs that must be read as the same formula without a model.
func TestParseSpellings(t *testing.T) {
	for _, c := range [][2]string{
		{"not a", "!a"}, {"~a", "!a"},
		{"a && b /\\ c and d", "a & b & c & d"}, {"a || b \\/ c or d", "a | b | c | d"}, {"a ^ b", "a xor b"},
		{"a --> b", "a -> b"}, {"a => b", "a -> b"}, {"a implies b", "a -> b"},
		{"a <--> b", "a <-> b"}, {"a <=> b", "a <-> b"}, {"a iff b", "a <-> b"},
		{"() a", "X a"}, {"next a", "X a"}, {"[] a", "G a"}, {"always a", "G a"}, {"<> a", "F a"}, {"eventually a", "F a"},
		{"a until b", "a U b"}, {"a V b", "a R b"}, {"tt & 1", "true"}, {"ff | 0", "false"},
		{"GFa", "G F a"}, {"XXa", "X X a"}, {"F(a)", "F a"}, {"GFp1", "G(F(p1))"}, {"!Fa", "!(F a)"}, {"aUb", "aUb"}, {"a U!b", "a U (!b)"},
		// precedence
		{"a -> b -> c", "a -> (b -> c)"}, {"a <-> b -> c", "a <-> (b -> c)"},
		{"a | b xor c & d", "a | (b xor (c & d))"}, {"a & b U c", "a & (b U c)"}, {"a U b W c", "a U (b W c)"},
		{"F a U b", "(F a) U b"}, {"!a U b", "(!a) U b"}, {"X a & b", "(X a) & b"}, {"a | b -> c", "(a | b) -> c"},
		// bounded operators
		{"X[3] a", "X X X a"}, {"X[0] a", "a"}, {"X[!] a", "X a"}, {"F[1..2] a", "X(a | X a)"}, {"F[1:2] a", "X(a | X a)"},
		{"G[0..1] a", "a & X a"}, {"G[2..] a", "X X G a"}, {"next[2] a", "X X a"},
		// labels
		{"phil[0].eat", "phil.0.eat"}, {"a[1][2]", "a.1.2"}, {"a.[1].b", "a.1.b"}, {"a[1+2*3]", "a.7"}, {"a[0x10]", "a.16"}, {"a[010]", "a.8"},
		{"a[i]", "a.i"}, {"a['red]", "a.red"}, {"a[-1]", "\"a.-1\""}, {"next.1", "\"next.1\""}, {"\"a.b\"", "a.b"},
		{"a[0..2]", "a.0 | a.1 | a.2"}, {"a[i:0..2][i+1]", "a.0.1 | a.1.2 | a.2.3"},
		{"{a, b[0..2]}", "E.a | E.b[0] | E.b[1] | E.b[2]"}, {"{a,b}.{c,d}", "E.a.c | E.a.d | E.b.c | E.b.d"},
		{"{a,b,c}\\{b}", "E.a | E.c"}, {"{a, b} \\/ c", "E.a | E.b | c"}, {"a.{b,c}[0..1]", "a.b.0 | a.b.1 | a.c.0 | a.c.1"},
		{"S.a & E.a", "E.a & S.a"}, {"E.tau", "tau"}, {"enabled(a[1])", "enabled(a.1)"}, {"enabled({a,b})", "enabled(a) | enabled(b)"},
		{"m = 2", "m=2"}, {"m == 2", "m=2"}, {"m != 2", "!(m=2)"}, {"m[1] <= 1+1", "m[1]<=2"}, {"m = 2 -> x", "(m=2) -> x"},
		{"m=2/\\x", "m=2 & x"}, {"m<-1", "m < -1"}, {"m = 2 <-> x", "(m=2) <-> x"},
		// quantifiers
		{"forall [i:0..2] F x[i]", "F x[0] & F x[1] & F x[2]"}, {"exists [i:0..1][j:i..1] x[i][j]", "x[0][0] | x[0][1] | x[1][1]"},
		{"forall [c:{red,blue}] c2[c]", "c2.red & c2.blue"}, {"forall [i:0..1] x[i] & y", "x[0] & x[1] & y"},
		{"forall [i:0..1] (m = i -> X m = 1-i)", "(m=0 -> X m=1) & (m=1 -> X m=0)"},
		{"forall [i:1..2] X[i] a", "X a & X X a"}, {"rigid (2>1)", "true"}, {"rigid (1-1)", "false"},
		// comments
		{"a // b\n & c", "a & c"}, {"a # b", "a"}, {"/* x */ a /* y\n */ & b", "a & b"},
	} {
		f, err := ltl.ParseString(c[0])
		if err != nil {
			t.Errorf("%s: %v", c[0], err)
			continue
		}
		if g := ltl.MustParse(c[1]); f != g {
			t.Errorf("%s is read as %v, want %v", c[0], f, g)
		}
	}
}

func TestParseVocabulary(t *testing.T) {
	named := func(name string) *ltl.Formula {
		if name == "SAFE" {
			return ltl.MustParse("G S.full")
		}
		return nil
	}
	for _, c := range [][2]string{
		{"G(put -> F empty)", "G(E.put -> F S.empty)"},
		{"S.both | E.both", "S.both | E.both"},
		{"F FREE & XFREE", "F S.FREE & X S.FREE"},
		{"GFXray", "G F S.Xray"},
		{"RED[ID]", "S.RED[0] | S.RED[1]"},
		{"GRED[N-1]", "G S.RED[1]"},
		{"red[ID].enter", "E.red[0].enter | E.red[1].enter"},
		{"ACTS", "E.get | E.put"}, {"{ACTS, both}", "E.get | E.put | E.both"}, {"ACTS\\{get}", "E.put"},
		{"exists [a:ACTS] enabled(get)", "enabled(get)"},
		{"forall [i:ID] phil[i].eat", "E.phil[0].eat & E.phil[1].eat"},
		{"m <= 1", "S.m[0] | S.m[1]"}, {"m > 0", "S.m[1] | S.m[2]"}, {"m = N", "S.m[2]"}, {"m != 2", "!S.m[2]"}, {"m < 0", "false"}, {"m[2]", "S.m[2]"},
		{"i U tau", "tau U tau"}, {"deadlock & enabled(b[0..1])", "deadlock & (enabled(b[0]) | enabled(b[1]))"},
		{"\"next\" & S.next & next empty", "S.\"next\" & X S.empty"},
		{"{b[0..#ID]}", "E.b[0] | E.b[1] | E.b[2]"},
		{"SAFE & X SAFE", "G S.full & X G S.full"},
	} {
		f, err := parse(c[0], ltl.ParseOptions{Vocabulary: buffer, Named: named})
		if err != nil {
			t.Errorf("%s: %v", c[0], err)
			continue
		}
		if g := ltl.MustParse(c[1]); f != g {
			t.Errorf("%s is read as %v, want %v", c[0], f, g)
		}
	}
}

func TestParseEvents(t *testing.T) {
	f, err := parse("a[1] -> b", ltl.ParseOptions{Events: []string{"a.1"}})
	if want := ltl.MustParse("E.a[1] -> b"); err != nil || f != want {
		t.Errorf("%v %v", f, err)
	}
}

func TestParsePrefix(t *testing.T) {
	for _, c := range []struct{ text, formula, rest string }{
		{"G(a -> F b)\n||SYS = (P || Q).", "G(a -> F b)", "||SYS = (P || Q)."},
		{"a\nP = (x -> P).", "a", "P = (x -> P)."},
		{"a\nR(N=3) = STOP.", "a", "R(N=3) = STOP."},
		{"a\nR b", "a R b", ""},
		{"a\n|| b", "a | b", ""},
		{"a || F = 1", "", ""},
		{"a & b // c\nltl X = d", "a & b", "ltl X = d"},
	} {
		src := source.NewFile("f", "??"+c.text)
		f, end, err := ltl.ParsePrefix(src.Span(2, len(src.Text())), ltl.ParseOptions{})
		if c.formula == "" {
			if err == nil {
				t.Errorf("%s: read as %v", c.text, f)
			}
			continue
		}
		if err != nil || f != ltl.MustParse(c.formula) || src.Text()[end:] != c.rest {
			t.Errorf("%s: %v %v, rest %q", c.text, f, err, src.Text()[end:])
		}
	}
}

func TestParseAll(t *testing.T) {
	src := source.NewFile("f.ltl", "# formulas\n\n  G a  \n// none\nF b # all\n")
	all, err := ltl.ParseAll(src, ltl.ParseOptions{})
	if err != nil || len(all) != 2 || all[0].Span.Text() != "G a" || all[1].Span.Text() != "F b" || all[1].Formula != ltl.MustParse("F b") {
		t.Errorf("%v %v", all, err)
	}
	_, err = ltl.ParseAll(source.NewFile("f.ltl", "a b\nF\nG a"), ltl.ParseOptions{})
	var list source.List
	if !errors.As(err, &list) || len(list) != 2 || list[1].Span.Pos().Line != 2 {
		t.Errorf("%v", err)
	}
}

// enabled(tau) is known in every model; CheckSyntax needs none and knows the
// names it is given.
func TestEnabledTauAndCheckSyntax(t *testing.T) {
	f, err := parse("G enabled(tau)", ltl.ParseOptions{Vocabulary: buffer})
	if want := ltl.MakeAlways(ltl.AtomOf(ltl.Atom{Kind: ltl.Enabled, Name: "tau"})); err != nil || f != want {
		t.Errorf("got %v, %v, want %v", f, err, want)
	}
	for text, want := range map[string]string{
		"G(unknown -> F MUTEX)": "", "forall [i:R] CRITICAL[i] U m = N": "",
		"G(a":     `expected ")"`,
		"F MUTX":  "is neither an operator nor a known name",
		"G BUSSY": "is neither an operator nor a known name",
	} {
		err := ltl.CheckSyntax(source.NewFile("f", text).Span(0, len(text)), []string{"MUTEX", "CRITICAL", "BUSY"})
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: got %v, want %s", text, err, want)
		}
	}
	_, err = parse("F MUTX", ltl.ParseOptions{Vocabulary: buffer, Defined: []string{"MUTEX"}})
	if list := (source.List)(nil); !errors.As(err, &list) || list[0].Help != `did you mean "MUTEX"?` {
		t.Errorf("got %v", err)
	}
}

var update = flag.Bool("update", false, "rewrite the golden files")

// TestErrors compares the messages about the inputs in testdata/errors.txt, one
// a line and read against the vocabulary above, with those recorded there.
func TestErrors(t *testing.T) {
	path := filepath.Join("testdata", "errors.txt")
	recorded, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	for _, line := range strings.Split(string(recorded), "\n") {
		input, ok := strings.CutPrefix(line, "== ")
		if !ok {
			continue
		}
		fmt.Fprintf(&out, "== %s\n", input)
		text, err := ltl.Parse(source.NewFile("f", strings.ReplaceAll(input, `\n`, "\n")), ltl.ParseOptions{Vocabulary: buffer})
		var list source.List
		if !errors.As(err, &list) {
			t.Errorf("%s: no error, but %v", input, text)
			continue
		}
		for _, d := range list {
			fmt.Fprintf(&out, "[%s]\n", d.Code)
		}
		list.Render(&out)
	}
	if *update {
		if err := os.WriteFile(path, []byte(out.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if out.String() != string(recorded) {
		t.Errorf("messages differ from %s (run with -update and look at the difference):\n%s", path, out.String())
	}
}

// Large and hostile inputs end in one message or a formula, quickly.
func TestParseHostile(t *testing.T) {
	r := strings.Repeat
	if _, err := parse("forall [i:0..100000] zzz", ltl.ParseOptions{Vocabulary: buffer}); err == nil {
		t.Error("an unknown name in a large expansion was accepted")
	}
	slow := map[string]bool{"sets": true, "large product": true, "iff chain": true} // three quarters of the time of all
	for _, c := range []struct{ name, text, code string }{
		{"parentheses", r("(", 100000) + "a" + r(")", 100000), "too-deep"},
		{"open parentheses", r("(", 9999), "expected-operand"},
		{"negations", r("!", 100000) + "a", "too-deep"},
		{"until chain", r("a U ", 100000) + "a", "too-deep"},
		{"xor chain", r("a xor ", 100000) + "a", "too-deep"},
		{"quantifiers", r("forall [i:0..1] ", 100000) + "a", "too-deep"},
		{"index parentheses", "a[" + r("(", 100000), "too-deep"},
		{"index sum", "a[" + r("1+", 100000) + "1]", "too-deep"},
		{"sets", r("{", 100000), "too-deep"},
		{"garbage", r("ax(%$\x01", 200000), "unexpected-token"},
		{"binary", r("\x00\x01", 500000), "unexpected-character"},
		{"not UTF-8", "a & \xff" + r("a", 1000000), "invalid-utf8"},
		{"many nexts", "X[1000000] a", "too-large"},
		{"nested nexts", r("X[5000] ", 10) + "a", "too-deep"},
		{"large product", "forall [i:0..2000] forall [j:0..2000] a[i][j]", "too-large"},
		{"exponential product", r("forall [i:0..9] ", 20) + "a", "too-large"},
		{"large label", "a" + r("[0..9]", 30), "too-large"},
		{"huge range", "a[0..2147483647]", "too-large"},
		{"large names", "forall [i:0..100000] " + r("a", 10000) + "[i]", "too-large"},
		{"unknown index", "forall [i:0..100000] a[i+j]", "unknown-index"},
		{"conjunction", r("a & ", 200000) + "a", ""},
		{"nested conjunction", r("(a & ", 4500) + "a" + r(")", 4500), ""},
		{"iff chain", r("a <-> ", 9000) + "b", ""},
		{"deep", r("X(a | ", 3000) + "b" + r(")", 3000), ""},
	} {
		if testing.Short() && slow[c.name] {
			continue
		}
		f, err := ltl.ParseString(c.text)
		var list source.List
		switch {
		case c.code == "" && err != nil:
			t.Errorf("%s: %v", c.name, err)
		case c.code == "":
			// Deep formulas pass through everything that recurses.
			_ = f.String()
			ltl.Negate(f)
			ltl.Simplify(f, ltl.SimplifyOptions{})
		case !errors.As(err, &list) || len(list) != 1 || list[0].Code != c.code || !list[0].Span.Valid():
			t.Errorf("%s: %v, want one %s", c.name, err, c.code)
		}
	}
}

// oracleFormulas returns the formulas of the reference files, nil if these are
// not there.
func oracleFormulas(t testing.TB) []string {
	files, _ := filepath.Glob(filepath.Join("..", "..", "shared", "oracle", "ltl", "*.csv"))
	var out []string
	for _, name := range files {
		file, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		r := csv.NewReader(file)
		r.Comma = ';'
		rows, err := r.ReadAll()
		file.Close()
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range rows[1:] {
			out = append(out, row[0])
		}
	}
	return out
}

// Spot's formulas are read, and printed in Spot's syntax are read as the same.
func TestOracleFormulas(t *testing.T) {
	formulas := oracleFormulas(t)
	if formulas == nil {
		t.Skip("no reference formulas (shared/oracle/ltl)")
	}
	for _, text := range formulas {
		f, err := ltl.ParseString(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		for _, s := range []ltl.Syntax{ltl.Seltl, ltl.Spot} {
			printed, err := ltl.Format(f, s)
			if err != nil {
				t.Errorf("%s: %v", text, err)
			} else if g, err := ltl.ParseString(printed); err != nil || g != f {
				t.Errorf("%s is printed as %s and read as %v %v", text, printed, g, err)
			}
		}
	}
}

// FuzzParse checks that every input gives a positioned error or a formula that
// is printed and read back.
func FuzzParse(f *testing.F) {
	for _, text := range oracleFormulas(f) {
		if len(text) < 200 {
			f.Add(text)
		}
	}
	for _, text := range []string{
		`G(phil[0].eat -> F {a,b[0..2]}\{a}) & m=2 | "x \" y"`, "forall [i:0..2] exists [j:{a,b}] x[i+1][j]",
		"S.a U E.b W tau R deadlock M enabled(c[1])", "X[3] F[2..4] G[1..] a // b", "a = b", "fluent F = <a,b>", "GFMUTEX",
		"{req; !grant[*]; cancel}[]-> X ack", "!{a; b[=1..2] : c[->]}! & {[*0] | [*2..3]}<>=> d", "{a, b}|=> {first_match(a && b[*]; c) & d[:*2..]}",
		"{x[1][*]; {a, b}[+]; m=2}[]=> c", "{a;b", "{a[*3..2]}", "{a; X b}!", "{a[*5", "{\"}\"; b}",
		"rigid(#ID > 1) [] <> () a", "a[i:ID][i", "E.\"a\" & {ACTS}.x['r]",
		"G(a -> Y O[1..3] b) | H Z c S (a T once b)", "X[!] a & F[2..4!] b U X[3!] false & GOa",
	} {
		f.Add(text)
	}
	for _, text := range specFormulas(f) {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, opts := range []ltl.ParseOptions{{}, {Vocabulary: buffer}, {Events: []string{"a"}},
			{Finite: ltl.EndingAlive(ltl.MustParse("alive"))}, {Finite: ltl.EndingWhere(ltl.MustParse("last"))}} {
			g, err := parse(text, opts)
			if err != nil {
				var list source.List
				if !errors.As(err, &list) || len(list) == 0 || list[0].Code == "" || !list[0].Span.Valid() {
					t.Fatalf("%q: %v", text, err)
				}
				list.Render(&strings.Builder{})
				continue
			}
			echo, err := ltl.Echo(g)
			if err != nil {
				continue
			}
			if again, err := ltl.ParseString(echo); err != nil || again != g {
				t.Fatalf("%q is echoed as %q, which is read as %v %v", text, echo, again, err)
			}
		}
	})
}

// specFormulas returns the formulas that the models in specs declare.
func specFormulas(t testing.TB) []string {
	var formulas []string
	err := filepath.WalkDir("../specs", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".lks" {
			return err
		}
		text, err := os.ReadFile(path)
		for _, line := range strings.Split(string(text), "\n") {
			if declaration, ok := strings.CutPrefix(line, "ltl "); ok {
				_, formula, _ := strings.Cut(declaration, "=")
				formulas = append(formulas, formula)
			}
		}
		return err
	})
	if err != nil || len(formulas) < 30 {
		t.Fatalf("%d formulas in specs, %v", len(formulas), err)
	}
	return formulas
}
