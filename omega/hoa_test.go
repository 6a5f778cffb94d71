package omega

import (
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seltl/seltl/buchi"
	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/ltl"
)

// TestHOARoundTrip: what is written is read back and written the same, with the same name of
// the condition, in all kinds of acceptance.
func TestHOARoundTrip(t *testing.T) {
	for seed := range soak.Cases(uint64(600)) {
		r := random(seed)
		kind := gen.AutomatonKinds[seed%uint64(len(gen.AutomatonKinds))]
		o := gen.AutomatonOptions{Kind: kind, Sets: 4, States: 6, Atoms: []string{"a", "b b", `c"\`}[:r.IntN(4)], StateBased: r.IntN(2) == 0}
		text := gen.HOA(r, o)
		a := readOne(t, text)
		first := hoaText(t, a)
		b := readOne(t, first)
		if again := hoaText(t, b); again != first {
			t.Fatalf("seed %d: written differently:\n%s\n%s", seed, first, again)
		}
		for _, line := range strings.Split(text, "\n") {
			name, ok := strings.CutPrefix(line, "acc-name: ")
			if strings.HasPrefix(name, "generalized-Rabin") {
				name = "" // with all pairs of one size, it has a shorter one
			}
			if ok && a.sets > 2 && (!strings.Contains(first, "acc-name: "+name) || name != "" && !strings.Contains(first, name+"\n")) {
				t.Fatalf("seed %d: %q is not recognised:\n%s", seed, name, first)
			}
		}
		sameWords(t, seed, r, 5, a, b)
	}
}

// hoaSamples are automata by hand, each with a formula of the same language.
var hoaSamples = []struct{ name, formula, text string }{
	{"Fin", "F G a", `HOA: v1 States: 1 Start: 0 AP: 1 "a" acc-name: co-Buchi Acceptance: 1 Fin(0) --BODY-- State: 0 [0] 0 [!0] 0 {0} --END--`},
	{"Fin of a complement", "F G a", `HOA: v1 States: 1 Start: 0 AP: 1 "a" Acceptance: 1 Fin(!0) --BODY-- State: 0 [0] 0 {0} [!0] 0 --END--`},
	{"a set and its complement", "F G a | F G !a", `HOA: v1 States: 1 Start: 0 AP: 1 "a" Acceptance: 1 Fin(!0) | Fin(0) --BODY-- State: 0 [0] 0 {0} [!0] 0 --END--`},
	{"Rabin", "F G !a & G F b", `HOA: v1 States: 1 Start: 0 AP: 2 "a" "b" acc-name: Rabin 1 Acceptance: 2 Fin(0) & Inf(1) --BODY--
State: 0 [0&1] 0 {0 1} [0&!1] 0 {0} [!0&1] 0 {1} [!0&!1] 0 --END--`},
	{"parity", "G F a | F G !b", `HOA: v1 States: 1 Start: 0 AP: 2 "a" "b" acc-name: parity min even 3 Acceptance: 3 Inf(0) | (Fin(1) & Inf(2)) --BODY--
State: 0 [0] 0 {0} [!0&1] 0 {1} [!0&!1] 0 {2} --END--`},
	{"implicit labels, state-based", "G F a", `HOA: v1 States: 2 Start: 0 AP: 1 "a" Acceptance: 1 Inf(0) --BODY-- State: 0 0 1 State: 1 {0} 0 1 --END--`},
	{"several starts", "F G a | G b", `HOA: v1 Start: 0 Start: 1 AP: 2 "a" "b" Alias: @x 0 Acceptance: 1 Fin(0)
--BODY-- State: 0 [@x] 0 [!@x] 0 {0} State: 1 [1] 1 --END--`},
	{"state labels", "G a", `HOA: v1 Start: 0 AP: 1 "a" Acceptance: 0 t --BODY-- State: [0] 0 0 --END--`},
	{"state-based", "F a", `HOA: v1 /* a /* nested */ comment */
States: 2 Start: 0 AP: 1 "a" acc-name: Buchi Acceptance: 1 Inf(0)
tool: "x" "1" some-item: 1 {2} [t]
--BODY--
State: 0 "waiting" [0] 1 [!0] 0
State: 1 {0} [t] 1
--END--`},
	{"implicit labels", "G F a", `HOA: v1 States: 1 Start: 0 AP: 1 "a" Acceptance: 1 Inf(0) --BODY--
State: 0 0 0 {0} --END--`},
	{"aliases, several starts", "G F a | G b", `HOA: v1 Start: 0 Start: 1 AP: 2 "a" "b" Alias: @x 0 Alias: @y (!@x | f)
Acceptance: 2 Inf(1) & Inf(1)
--BODY-- State: 0 [@x] 0 {1} [@y] 0 State: 1 [1&t] 1 {0 1} --END--`},
	{"Inf of a complement", "G F !a", `HOA: v1 States: 1 Start: 0 AP: 1 "a" Acceptance: 1 Inf(!0) --BODY--
State: 0 [0] 0 {0} [!0] 0 --END--`},
	{"no acceptance", "false", `HOA: v1 States: 1 Start: 0 AP: 0 Acceptance: 0 f --BODY-- State: 0 [t] 0 --END--`},
	{"no start", "false", `HOA: v1 AP: 0 Acceptance: 0 t --BODY-- State: 0 [t] 0 --END--`},
	{"never claim", "F a", "never { /* F a */\nT0_init:\n  if\n  :: ((a)) -> goto accept_all\n  :: (true) -> goto T0_init\n  fi;\naccept_all:\n  skip\n}"},
	{"never claim, atomic", "F a", "never { // F a\nT0_init:\n\tdo\n\t:: atomic { (a) -> assert(!(a)) }\n\t:: (1) -> goto T0_init\n\tod;\naccept_all:\n\tskip\n}"},
	{"never claim, constants", "G (a & b)", "never {\naccept_init:\n do :: (a && (b || false) && !(0)) -> goto accept_init od }"},
}

func TestReadHOASamples(t *testing.T) {
	r := random(1)
	for _, s := range hoaSamples {
		t.Run(s.name, func(t *testing.T) {
			a := readOne(t, s.text)
			f := ltl.MustParse(s.formula)
			words(r, 200, func(w ltl.Word) {
				if accepts(a, w) != ltl.Eval(f, w) {
					t.Fatalf("language is not that of %v:\n%s", f, hoaText(t, a))
				}
			})
		})
	}
}

// TestReadTranslated reads the automata that package buchi writes, and writes them the same.
func TestReadTranslated(t *testing.T) {
	atoms := gen.Atoms("a", "b b", `c"\`)
	for seed := range soak.Cases(uint64(300)) {
		r := random(seed)
		f := gen.Formula(r, gen.FormulaOptions{Size: 2 + r.IntN(11), Atoms: atoms})
		b, err := buchi.Translate(f, buchi.Options{Acceptance: buchi.Acceptance(seed % 3), Complete: r.IntN(2) == 0})
		if err != nil {
			t.Fatal(err)
		}
		var text strings.Builder
		if err := b.WriteHOA(&text); err != nil {
			t.Fatal(err)
		}
		a := readOne(t, text.String())
		words(r, 10, func(w ltl.Word) {
			if accepts(a, w) != ltl.Eval(f, w) {
				t.Fatalf("seed %d: %v is read wrongly:\n%s", seed, f, text.String())
			}
		})
	}
}

// TestNeverRoundTrip reads the claims that package buchi writes.
func TestNeverRoundTrip(t *testing.T) {
	for seed := range soak.Cases(uint64(60)) {
		r := random(seed)
		f := gen.Formula(r, gen.FormulaOptions{Size: 2 + r.IntN(8), Atoms: gen.Atoms("a", "b")})
		b, err := buchi.Translate(f, buchi.Options{Acceptance: buchi.StateBuchi})
		if err != nil {
			t.Fatal(err)
		}
		var text strings.Builder
		if err := b.WriteNever(&text); err != nil {
			t.Fatal(err)
		}
		a := readOne(t, text.String())
		words(r, 10, func(w ltl.Word) {
			if accepts(a, w) != ltl.Eval(f, w) {
				t.Fatalf("seed %d: %v is read wrongly:\n%s%s", seed, f, text.String(), hoaText(t, a))
			}
		})
	}
}

// TestNeverAtoms: what is compared in a guard is an atom.
func TestNeverAtoms(t *testing.T) {
	a := readOne(t, "never { T0: do :: (x == 1 && !(y[2].z > 3)) -> goto T0 :: p@label || q -> goto accept od; accept: skip }")
	var names []string
	for _, at := range a.Atoms() {
		names = append(names, at.Name)
	}
	if got := strings.Join(names, " "); got != "x==1 y[2].z>3 p@label q" {
		t.Errorf("atoms %s", got)
	}
}

// TestReadStream: broken automata are reported with their places and passed over, aborted
// ones passed over; nothing is read beyond what is asked for.
func TestReadStream(t *testing.T) {
	good := hoaSamples[0].text
	text := good + "\nHOA: v1 AP: 0 Acceptance: 0 t --BODY-- --ABORT--\n  HOA: v1\nnonsense --BODY-- --END-- " + good +
		"\n\nnever { T0: skip }\nHOA: v1 Start: 0&1\n" + good + "\n/* HOA: in a comment */ HOA: v1 name: \"--END-- HOA: \" Acceptance: 0 t --BODY-- --END--"
	r := NewReader("s", strings.NewReader(text))
	var got []string
	for {
		a, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			got = append(got, err.Error())
		} else {
			got = append(got, fmt.Sprint(a.NumStates(), a.Name()))
		}
	}
	want := []string{"1", "s:4:1: error: expected a header item or --BODY--, found \"nonsense\"", "1", "1",
		"s:8:1: error: expected a header item or --BODY--, found the end of the text", "1", "1--END-- HOA: "}
	if strings.Join(got, "|") != strings.Join(want, "|") {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	in := strings.NewReader(good + "\n" + strings.Repeat(" ", 100_000))
	if _, err := NewReader("s", in).Next(); err != nil || in.Len() < 90_000 {
		t.Errorf("%v, %d left", err, in.Len())
	}
}

func TestReadErrors(t *testing.T) {
	const head = `HOA: v1 States: 2 Start: 0 AP: 1 "a" `
	for _, c := range []struct{ text, want string }{
		{"x", `1:1: error: expected "HOA:"`},
		{"HOA: v2 ", "only version v1"},
		{"/* ", "comment is not closed"},
		{`HOA: v1 name: "abc`, "string is not closed"},
		{head + "--BODY-- --END--", "no Acceptance"},
		{head + "Acceptance: 0 t --BODY-- State: 0 [1] 0 --END--", "there is no atom 1"},
		{head + "Acceptance: 0 t --BODY-- State: 0 [@x] 0 --END--", "alias @x is not defined"},
		{head + "Acceptance: 0 t --BODY-- State: 2 --END--", "state 2 is not below"},
		{head + "Acceptance: 0 t --BODY-- State: 0 State: 0 --END--", "described twice"},
		{head + "Acceptance: 0 t --BODY-- State: 0 0 --END--", "1 edges without labels, 1 atoms need 2"},
		{head + "Acceptance: 0 t --BODY-- State: 0 [t] 1", "expected State: or --END--"},
		{head + "States: 3", `second "States:" item`},
		{head + "Strange: 3 Acceptance: 0 t", "may change the meaning"},
		{`HOA: v1 AP: 2 "a" "a"`, "listed twice"},
		{`HOA: v1 AP: 2 "a" States: 1`, "expected the names of 2 atoms"},
		{`HOA: v1 Start: 5 States: 1 Acceptance: 0 t --BODY-- --END--`, "there is no state 5"},
		{`HOA: v1 States: 99999999999999999999`, "limit"},
		{`HOA: v1 AP: 0 Alias: @x ` + strings.Repeat("(", 5000), "nested parentheses"},
		{head + "Acceptance: 1 Inf(1) --BODY-- --END--", "no acceptance set 1"},
		{head + "Acceptance: 65 t --BODY-- --END--", "limit is 64"},
		{head + "Acceptance: 1 Inf(0) & --BODY-- --END--", "expected an acceptance condition"},
		{head + "Acceptance: 1 Inf(0) Inf(0) --BODY-- --END--", "expected a header item"},
		{head + "Acceptance: 0 t --BODY-- State: 0 [t] 0&2 --END--", "state 2 is not below the number of states"},
		{head + "Start: 1&2 Acceptance: 0 t --BODY-- State: 0 [t] 0 --END--", "there is no state 2"},
		{"never { T0: do :: a -> goto T1 od }", `there is no label "T1"`},
		{"never { T0: }", "nothing stands behind"},
		{"never { T0: do :: a -> goto T0 od", `expected a label`},
		{"never { T0: skip T0: skip }", "is there twice"},
		{"never { T0: do :: (a -> goto T0 od }", `expected ")"`},
		{"never { T0: do :: (a) + 1 -> goto T0 od }", "computation"},
	} {
		as, err := NewReader("t", strings.NewReader(c.text)).ReadAll()
		if err == nil || !strings.Contains(err.Error(), c.want) || len(as) != 0 {
			t.Errorf("%.60s: %v; want %s", c.text, err, c.want)
		}
	}
}

// TestBuchi: automata of package buchi come in and go out.
func TestBuchi(t *testing.T) {
	for seed := range soak.Cases(uint64(200)) {
		r := random(seed)
		f := gen.Formula(r, gen.FormulaOptions{Size: 2 + r.IntN(8), Atoms: gen.Atoms("a", "b")})
		b, err := buchi.Translate(f, buchi.Options{})
		if err != nil {
			t.Fatal(err)
		}
		a := FromBuchi(b)
		wellFormed(t, a)
		back, err := a.Buchi()
		if err != nil {
			t.Fatal(err)
		}
		small, err := buchi.Reduce(back, buchi.StateBuchi, nil)
		if err != nil {
			t.Fatal(err)
		}
		c := FromBuchi(small)
		words(r, 10, func(w ltl.Word) {
			if want := ltl.Eval(f, w); accepts(a, w) != want || back.Accepts(w) != want || accepts(c, w) != want {
				t.Fatalf("seed %d: %v: %v, %v, %v", seed, f, accepts(a, w), back.Accepts(w), accepts(c, w))
			}
		})
	}
}

func FuzzRead(f *testing.F) {
	for _, s := range hoaSamples {
		f.Add(s.text)
	}
	f.Add("HOA: v1 nonsense --BODY-- --END-- HOA: v1")
	f.Fuzz(func(t *testing.T, text string) {
		reader := NewReader("fuzz", strings.NewReader(text))
		reader.Meter = func() *budget.Meter { return budget.New(nil, budget.Limits{States: 200, Time: time.Second}, nil) }
		as, err := reader.ReadAll()
		if err == nil && strings.HasPrefix(text, "HOA:") && len(as) == 0 && !strings.Contains(text, "--ABORT--") {
			t.Fatal("neither automaton nor error")
		}
		for _, a := range as {
			wellFormed(t, a)
			if a.NumStates() > 1000 || len(a.Atoms()) > 12 {
				continue
			}
			first := hoaText(t, a)
			if again := hoaText(t, readOne(t, first)); again != first {
				t.Fatalf("not a fixpoint:\n%s\n%s", first, again)
			}
		}
	})
}

// TestPictures: pictures are well-formed and have all states.
func TestPictures(t *testing.T) {
	for seed := range soak.Cases(uint64(60)) {
		a := randomAutomaton(t, random(seed), gen.AutomatonOptions{})
		a.SetName("<a & b>")
		var svg, dot strings.Builder
		if err := a.WriteSVG(&svg); err != nil {
			t.Fatal(err)
		}
		if err := a.WriteDOT(&dot); err != nil {
			t.Fatal(err)
		}
		boxes, d := 0, xml.NewDecoder(strings.NewReader(svg.String()))
		for {
			token, err := d.Token()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatalf("seed %d: %v\n%s", seed, err, svg.String())
			}
			if e, ok := token.(xml.StartElement); ok && slices.ContainsFunc(e.Attr, func(at xml.Attr) bool { return at.Name.Local == "data-state" }) {
				boxes++
			}
		}
		if boxes != a.NumStates() || strings.Count(dot.String(), "label=") < a.NumStates() {
			t.Fatalf("seed %d: %d boxes for %d states\n%s", seed, boxes, a.NumStates(), dot.String())
		}
	}
}
