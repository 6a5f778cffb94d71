package clp

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/internal/testing/soak"
)

// TestSpecs: the texts in specs are in the standard layout, and are read as they are printed.
func TestSpecs(t *testing.T) {
	files, err := filepath.Glob("../specs/clp/*.clp")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		formatted, err := Format(source.NewFile(name, string(text)))
		if err != nil {
			t.Fatal(err)
		}
		if formatted != string(text) {
			t.Errorf("%s: formatted it is\n%s", name, formatted)
		}
		p, err := ParseText(name, string(text))
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Validate(); err != nil {
			t.Error(name, err)
		}
		if again, err := ParseText(name, p.String()); err != nil || again.String() != p.String() {
			t.Errorf("%s is printed as\n%s\nand then as\n%s (%v)", name, p, again, err)
		}
	}
}

// TestBadText: one message for each mistake, at its place, with what to do.
func TestBadText(t *testing.T) {
	const head = "var x, y: int; var b: bool; query q;\nP(x, y) :- x == y;\nq() :- P(1, 2);\n"
	for text, want := range map[string]string{
		"":                                       "1:1: error: there is no query | write for example: query Emain;",
		"query q;":                               `1:7: error: unknown relation "q" | `,
		"query q; query q;":                      "1:16: error: the query is given twice | ",
		"var x: int; query P; P(x) :- x == 1;":   "1:19: error: P has parameters, and a query asks for a relation without | write a rule for it: goal() :- P(...); query goal;",
		head + "R(x) :- Q(x, y);":                `4:9: error: unknown relation "Q" | did you mean "q"?`,
		head + "R(x) :- PP(x, y);":               `4:9: error: unknown relation "PP" | did you mean "P"?`,
		head + "R(x) :- P(x);":                   "4:9: error: P has 2 parameters, not 1 | ",
		head + "R(x) :- P(x, b);":                "4:14: error: parameter 2 of P has sort Int, not Bool | ",
		head + "R(x) :- x + 1;":                  "4:9: error: expected a formula, found a term of sort Int | ",
		head + "R(x) :- z == 1;":                 `4:9: error: unknown variable "z" | did you mean "b"?`,
		head + "R(x), S(x) :- x == 1;":           "4:5: error: a rule defines one relation, and this one has two heads | write a rule for each relation",
		head + "R(x + 1) :- x == 1;":             "4:3: error: the parameters of a rule are variables | write R(x) :- x == TERM && ...",
		head + "R(1) :- x == 1;":                 "4:3: error: the parameters of a rule are variables | write R(x) :- x == TERM && ...",
		head + "R(x, x) :- x == 1;":              "4:6: error: \"x\" is a parameter twice | write a variable of its own, and that it is equal in the body",
		head + "P(y) :- y == 1;":                 "4:1: error: P has 1 parameter here, and 2 in its first rule | ",
		head + "P(x, b) :- b;":                   "4:1: error: parameter b of P is of sort Bool here, and of sort Int in its first rule | ",
		head + "R(x) :- !P(x, y);":               "4:9: error: a call cannot be negated | relations stand in positive positions only",
		head + "R(x) :- x == 1 and y == 2;":      "4:16: error: expected \";\", found \"and\" | and is written &&",
		head + "R(x) :- x == 1, y == 2;":         "4:15: error: expected \";\", found \",\" | parts of a body are joined by && and ||",
		head + "R(x) :- P(x, y).":                "4:16: error: expected \";\", found \".\" | a rule ends in ;",
		head + "R(x) :- x == 1\nS(x) :- x == 2;": "4:15: error: expected \";\" before \"S\" | every declaration and every rule ends in ;",
		head + "R(x);":                           "4:5: error: expected \":-\", found \";\" | a relation that holds of all values has the rule ... :- true;",
		head + "var c: integer;":                 "4:8: error: unknown sort \"integer\" | sorts are int, real, bool, and array[int] of bool",
		head + "var x: int;":                     `4:5: error: "x" is declared twice | `,
		head + "var store: int;":                 `4:5: error: "store" has a meaning of its own and cannot be declared | `,
		head + "R(x) :- (P(x, y) || x == 1;":     "4:27: error: expected \")\", found \";\" | ",
		head + "const A = 1000000000 * 1000000000 * 1000000000 * 1000000000;" + squares("A", 12): "4:363: error: the product is too large | ",
		head + "R(x) :- P(x, (y);":                "4:17: error: expected",
		head + "R(x) :- forall y. P(x, y);":       "4:9: error: quantifiers are not supported | a variable that is no parameter stands for some value",
		head + "const N = x;":                     "4:7: error: the value of a constant cannot depend on variables | ",
		head + "R(x) :- x == 1; /* no end":        "4:17: error: comment is never closed | close it with */",
		head + "vra z: int;":                      "4:5: error: expected \"(\", found \"z\" | did you mean \"var\"?",
		head + strings.Repeat("(", 10) + " :- 1;": "4:1: error: expected a rule, var, const or query, found \"(\" | ",
		head + "R(x) :- P(x,\u0000 y) #;":         "4:",
	} {
		_, err := ParseText("a", text)
		list, ok := err.(source.List)
		if !ok {
			t.Errorf("%q: %v", text, err)
			continue
		}
		got := strings.TrimPrefix(list[0].Error(), "a:") + " | " + list[0].Help
		if !strings.HasPrefix(got, want) || strings.Contains(want, " | ") && got != want {
			t.Errorf("%q:\n got %s\nwant %s", text, got, want)
		}
	}
}

// squares declares constants, each of which is the square of the one before.
func squares(first string, n int) (text string) {
	for i := range n {
		text += fmt.Sprintf(" const %s%d = %s * %[1]s;", first, i, first)
		first = fmt.Sprintf("%s%d", first, i)
	}
	return text
}

func FuzzParse(f *testing.F) {
	files, _ := filepath.Glob("../specs/clp/*.clp")
	for _, name := range files {
		if text, err := os.ReadFile(name); err == nil {
			f.Add(string(text))
		}
	}
	f.Add("const N = 3; var x: int; var b: bool; var r: real; var a: array[int] of bool; query q; q() :- (P(x, b) || !b && r < 1/2) && (a[x] -> b) // c\n && x != -N; P(x, b) :- false || q() /* d */;")
	f.Fuzz(func(t *testing.T, text string) {
		file := source.NewFile("a", text)
		p, err := Parse(file)
		if err != nil {
			if l, ok := err.(source.List); !ok || len(l) == 0 {
				t.Errorf("not a list of diagnostics: %v", err)
			}
			return
		}
		if err := p.Validate(); err != nil {
			t.Fatalf("accepted, but %v", err)
		}
		again, err := ParseText("b", p.String())
		if err != nil {
			t.Fatalf("%s\nis printed as\n%s\nwhich is refused: %v", text, p, err)
		}
		if again.String() != p.String() {
			t.Errorf("%s\nis printed as\n%s\nand then as\n%s", text, p, again)
		}
		formatted, err := Format(file)
		if err != nil {
			t.Fatal(err)
		}
		twice, err := Format(source.NewFile("b", formatted))
		if err != nil || twice != formatted {
			t.Fatalf("%s\nis formatted as\n%s\nand then as\n%s (%v)", text, formatted, twice, err)
		}
		if q, _ := ParseText("c", formatted); q.String() != p.String() {
			t.Errorf("%s\nmeans\n%s\nformatted\n%s", text, p, q)
		}
	})
}

// TestMutatedTexts: texts with parts cut out, doubled or exchanged are read, or refused
// with a place, and what is read is formatted once and for all.
func TestMutatedTexts(t *testing.T) {
	text, err := os.ReadFile("../specs/clp/rational.clp")
	if err != nil {
		t.Fatal(err)
	}
	accepted := 0
	for seed := range soak.Cases(uint64(600)) {
		r := rand.New(rand.NewPCG(seed, 19))
		mutated := string(text)
		for range 1 + r.IntN(3) {
			i := r.IntN(len(mutated))
			j := min(len(mutated), i+r.IntN(6))
			switch r.IntN(3) {
			case 0:
				mutated = mutated[:i] + mutated[j:]
			case 1:
				mutated = mutated[:j] + mutated[i:]
			default:
				mutated = mutated[:i] + string("();,:-&|!x0[]/*."[r.IntN(16)]) + mutated[i:]
			}
		}
		file := source.NewFile("a", mutated)
		p, err := Parse(file)
		if err != nil {
			if l, ok := err.(source.List); !ok || len(l) == 0 {
				t.Errorf("seed %d: not a list of diagnostics: %v", seed, err)
			}
			continue
		}
		accepted++
		formatted, err := Format(file)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		again, err := ParseText("b", formatted)
		if err != nil || again.String() != p.String() {
			t.Fatalf("seed %d: %s\nis formatted as\n%s (%v)", seed, mutated, formatted, err)
		}
		if twice, err := Format(source.NewFile("b", formatted)); err != nil || twice != formatted {
			t.Fatalf("seed %d: %s\nis formatted as\n%s\nand then as\n%s", seed, mutated, formatted, twice)
		}
	}
	if accepted < 20 {
		t.Errorf("only %d texts were accepted", accepted)
	}
}

// TestSeveralRules: rules of one relation are joined; parameters may have other names in
// each, and other variables the names of parameters.
func TestSeveralRules(t *testing.T) {
	for _, c := range []struct{ text, one string }{
		{"P(x) :- x == 1; P(x) :- P(x - 1);", "P(x) :- x == 1 || P(x - 1);"},
		{"P(x) :- x == 1; q() :- P(1); P(y) :- x < y && P(x); q() :- P(2);", "P(x) :- x == 1 || x' < x && P(x'); q() :- P(1) || P(2);"},
		{"P(x, y) :- x == y; P(y, x) :- y == 2 * x; P(z, y) :- y == x && (P(z, 1) || P(y, x));", "P(x, y) :- x == y || x == 2 * y || y == x' && (P(x, 1) || P(y, x'));"},
	} {
		const head = "var x, x', y, z: int; query q; q() :- false; "
		fresh := strings.NewReplacer("x'", "x''").Replace(c.one) // x' is declared
		got, err := ParseText("a", head+c.text)
		if err != nil {
			t.Fatal(err)
		}
		want, err := ParseText("a", strings.Replace(head, "x'", "x''", 1)+fresh)
		if err != nil {
			t.Fatal(err)
		}
		a, err := got.Clauses()
		if err != nil {
			t.Fatal(err)
		}
		b, err := want.Clauses()
		if err != nil {
			t.Fatal(err)
		}
		if a.Problem.String() != b.Problem.String() {
			t.Errorf("%s\nis\n%s\nand not\n%s", c.text, a.Problem, b.Problem)
		}
	}
}
