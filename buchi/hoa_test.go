package buchi

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/ltl"
)

func hoaText(t testing.TB, a *Automaton) string {
	t.Helper()
	var b bytes.Buffer
	if err := a.WriteHOA(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func readOne(t testing.TB, text string) *Automaton {
	t.Helper()
	as, err := ReadHOAText("test.hoa", text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if len(as) != 1 {
		t.Fatalf("%d automata read", len(as))
	}
	if err := as[0].check(); err != nil {
		t.Fatal(err)
	}
	return as[0]
}

// TestHOARoundTrip: what is written is read back and written the same.
func TestHOARoundTrip(t *testing.T) {
	atoms := gen.Atoms("a", "b b", `c"\`)
	for seed := range soak.Cases(uint64(300)) {
		r := rand.New(rand.NewPCG(seed, 21))
		f := gen.Formula(r, gen.FormulaOptions{Size: 2 + r.IntN(11), Atoms: atoms})
		o := variants[seed%uint64(len(variants))]
		text := hoaText(t, mustTranslate(t, f, o))
		b := readOne(t, text)
		if again := hoaText(t, b); again != text {
			t.Fatalf("seed %d: written differently:\n%s\n%s", seed, text, again)
		}
		for range 10 {
			w := gen.Word(r, atoms, 3, 3)
			if b.Accepts(w) != ltl.Eval(f, w) {
				t.Fatalf("seed %d: %v: other language after reading", seed, f)
			}
		}
	}
}

// hoaSamples are automata by hand, each with a formula of the same language.
var hoaSamples = []struct{ name, formula, text string }{
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
}

func TestReadHOASamples(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, s := range hoaSamples {
		t.Run(s.name, func(t *testing.T) {
			a := readOne(t, s.text)
			f := ltl.MustParse(s.formula)
			for range 200 {
				w := gen.Word(r, gen.Atoms("a", "b"), 3, 3)
				if a.Accepts(w) != ltl.Eval(f, w) {
					t.Fatalf("language is not that of %v", f)
				}
			}
		})
	}
}

func TestReadHOAStream(t *testing.T) {
	text := hoaSamples[0].text + "\nHOA: v1 AP: 0 Acceptance: 0 t --BODY-- --ABORT--\n" +
		"HOA: v1 nonsense --BODY-- --END-- " + hoaSamples[4].text
	as, err := ReadHOAText("stream.hoa", text)
	if len(as) != 2 || err == nil {
		t.Fatalf("%d automata, error %v", len(as), err)
	}
}

func TestReadHOAErrors(t *testing.T) {
	const head = `HOA: v1 States: 2 Start: 0 AP: 1 "a" `
	for _, c := range []struct{ text, want string }{
		{"x", `1:1: error: expected "HOA:"`},
		{"HOA: v2 ", "only version v1"},
		{"/* ", "comment is not closed"},
		{`HOA: v1 name: "abc`, "string is not closed"},
		{head + "--BODY-- --END--", "no Acceptance"},
		{head + "Acceptance: 1 Fin(0) --BODY-- --END--", "only generalised Büchi"},
		{head + "Acceptance: 2 Inf(0) | Inf(1) --BODY-- --END--", "only generalised Büchi"},
		{head + "Acceptance: 1 Inf(1) --BODY-- --END--", "no acceptance set 1"},
		{head + "Acceptance: 99 t --BODY-- --END--", "limit is 64"},
		{head + "Start: 0&1 Acceptance: 0 t --BODY-- State: 0 [t] 0 State: 1 [t] 1&0 --END--", "universal branching"},
		{head + "Acceptance: 0 t --BODY-- State: 0 [t] 0&1 --END--", "universal branching"},
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
	} {
		as, err := ReadHOAText("t", c.text)
		if err == nil || !strings.Contains(err.Error(), c.want) || len(as) != 0 {
			t.Errorf("%.60s: %v; want %s", c.text, err, c.want)
		}
	}
}

func FuzzHOA(f *testing.F) {
	for _, s := range hoaSamples {
		f.Add(s.text)
	}
	f.Add("HOA: v1 nonsense --BODY-- --END-- HOA: v1")
	f.Fuzz(func(t *testing.T, text string) {
		as, err := ReadHOAText("fuzz", text)
		if err == nil && strings.Contains(text, "HOA:") && len(as) == 0 && !strings.Contains(text, "--ABORT--") && !strings.Contains(text, "/*") {
			t.Fatal("neither automaton nor error")
		}
		for _, a := range as {
			if err := a.check(); err != nil {
				t.Fatal(err)
			}
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
