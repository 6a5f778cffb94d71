package gcl

import (
	"strings"
	"testing"
)

// TestProperties reads formulas that a system declares, and what is expected of them.
func TestProperties(t *testing.T) {
	const head = "var x: int;\nconst N = 3;\nlocations a, b;\ninit a;\na -> b when x > N;\n"
	sys, err := ParseText("t.gcl", head+`ltl ENDS = F deadlock;  // expect: holds
ltl TWO = G("x > N; x" -> // a comment; with a semicolon
   F "at(b)") ;   /* expect: fails, since so */
ltl THREE = {"x > 1"; [*]; "x > 2"}!;
ltl FOUR = G a; // nothing
`)
	if err != nil {
		t.Fatal(err)
	}
	want := []struct{ name, formula, expected string }{
		{"ENDS", "F deadlock", "holds"},
		{"TWO", "G(\"x > N; x\" -> // a comment; with a semicolon\n   F \"at(b)\")", "fails"},
		{"THREE", `{"x > 1"; [*]; "x > 2"}!`, ""},
		{"FOUR", "G a", ""},
	}
	if len(sys.Properties) != len(want) {
		t.Fatalf("%d properties, not %d", len(sys.Properties), len(want))
	}
	for i, w := range want {
		if p := sys.Properties[i]; p.Name != w.name || p.Formula.Text() != w.formula || p.Expected != w.expected {
			t.Errorf("%s = %q, expected %q, instead of %v", p.Name, p.Formula.Text(), p.Expected, w)
		}
	}
	if c := sys.Constants["N"]; c == nil || c.String() != "3" {
		t.Errorf("N is %v", c)
	}
	if len(sys.Warnings) > 0 { // not that there are no errors, either
		t.Errorf("warnings: %v", sys.Warnings)
	}
}

func TestPropertiesWrong(t *testing.T) {
	const head = "locations a, b;\ninit a;\na -> b;\n"
	for text, want := range map[string]string{
		"ltl P = ;":                            "expected a formula",
		"ltl P F a;":                           `expected "="`,
		"ltl = F a;":                           "the name of a property",
		"ltl P = F (a;":                        "expected",
		"ltl P = F a & ;":                      "formula",
		"ltl P = F a;\nltl P = G a;":           "declared twice",
		"ltl P = F a":                          `expected ";"`,
		"ltl P = F a; // expect: violated":     "cannot be expected here",
		"ltl P = F a; // expects HOLDS":        "looks like an expectation",
		"ltl P = F \"x;\nltl Q = G a;":         "",
		"locations ltl;\nltl -> a;\na -> ltl;": "NOTHING",
	} {
		sys, err := ParseText("t.gcl", head+text)
		messages := ""
		if err != nil {
			messages = err.Error()
		} else {
			for _, w := range sys.Warnings {
				messages += w.Message + "\n"
			}
		}
		if want == "NOTHING" {
			if err != nil {
				t.Errorf("%s: %v", text, err)
			}
			continue
		}
		if err == nil && messages == "" || !strings.Contains(messages, want) {
			t.Errorf("%s: %q, not %q", text, messages, want)
		}
	}
}
