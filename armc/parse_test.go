package armc_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seltl/seltl/internal/source"

	. "github.com/seltl/seltl/armc"
)

const goodRule = "r(p(init,X,Y), p(a,X1,Y), {X1=X+1}, 1).\n"

// TestBadInput: one message for each mistake, at its place.
func TestBadInput(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"a.pl", "r(p(init,X), p(a,X1), {X1=X+1}, 1", `a.pl:1:34: error: expected ")", found end of text`},
		{"a.pl", "r(p(init,X), p(a,X1), {X1=X+1}).", `a.pl:1:31: error: expected ",", found ")"`},
		{"a.pl", "r(p(init,X), q(a,X1), {X1=X+1}, 1).", `a.pl:1:14: error: expected a state p(Location, ...), found "q"`},
		{"a.pl", "r(p(Init,X), p(a,X1), {}, 1).", `a.pl:1:5: error: expected a location, found "Init"`},
		{"a.pl", "t(p(init,X), {}, 1).", `a.pl:1:1: error: unknown term "t"`},
		{"a.pl", goodRule + "r(p(a,X), p(a,X), {}, 2).", "a.pl:2:3: error: this state has 1 variables, the first one 2"},
		{"a.pl", "r(p(init,X), p(a,X1), {X1=X*X}, 1).", "a.pl:1:24: error: the constraint is not linear"},
		{"a.pl", "r(p(init,X), p(a,X1), {X1=X+}, 1).", `a.pl:1:29: error: expected a variable, a number or a formula, found "}"`},
		{"a.pl", "r(p(init,X), p(a,X1), {X1+X}, 1).", "a.pl:1:24: error: expected a constraint, found a number"},
		{"a.pl", "r(p(init,X), p(a,X1), {X1=x}, 1).", `a.pl:1:27: error: unknown variable "x"`},
		{"a.pl", "r(p(init,x), p(a,X1), {}, 1).", `a.pl:1:10: error: expected a variable or a number, found "x"`},
		{"a.pl", goodRule + "s(0, p(a,X,Y), {Z*Z>=1}, 1, (0,0)).", "a.pl:2:17: error: the constraint is not linear"},
		{"a.pl", goodRule + "s(0, p(a,X,Y), {Z=\\=X}, 1, (0,0)).", "a.pl:2:1: error: the constraint speaks of variables that are not in the state"},
		{"a.pl", goodRule + "b(p(init,X,Y), {}, 1).\nb(p(a,X,Y), {}, 1).", "a.pl:1:1: error: there are no initial states"},
		{"a.pl", "% nothing", "a.pl:1:1: error: the text has no r(...) and no s(...) terms"},
		{"a.pl", "/* r(", "a.pl:1:1: error: comment is never closed"},

		{"a.gcl", "var x: int; locations a; init a; a -> b;", `a.gcl:1:39: error: unknown location "b"`},
		{"a.gcl", "var x: int; locations a; init a; a -> a when y > 1;", `a.gcl:1:46: error: unknown variable "y"`},
		{"a.gcl", "var x: int; locations a; init a; a -> a do y := 1;", `a.gcl:1:44: error: unknown variable "y"`},
		{"a.gcl", "var x: int; locations a; init a; a -> a do x := 1, x := 2;", `a.gcl:1:52: error: "x" is assigned twice in one command`},
		{"a.gcl", "var x: int; locations a; init a; a -> a do x := 1.5;", "a.gcl:1:49: error: x of sort Int is assigned a term of sort Real"},
		{"a.gcl", "var x: int; locations a; init a; a -> a when x + 1;", "a.gcl:1:46: error: expected a formula, found a term of sort Int"},
		{"a.gcl", "var x: float; locations a; init a;", `a.gcl:1:8: error: unknown sort "float"`},
		{"a.gcl", "var x, x: int; locations a; init a;", `a.gcl:1:8: error: "x" is declared twice`},
		{"a.gcl", "var x: int; locations a, a; init a;", `a.gcl:1:26: error: location "a" is declared twice`},
		{"a.gcl", "var x: int; locations a;", "a.gcl:1:1: error: there are no initial states"},
		{"a.gcl", "var when: int; locations a; init a;", `a.gcl:1:5: error: "when" has a meaning of its own and cannot be declared`},
		{"a.gcl", "var x: int; const c = x + 1; locations a; init a;", "a.gcl:1:23: error: the value of a constant cannot depend on variables"},
		{"a.gcl", "var x: int; locations a; init a; assert a x > 1;", `a.gcl:1:43: error: expected ":", found "x"`},
		{"a.gcl", "var x: int; input n: int; locations a; init a when n > 1;", `a.gcl:1:52: error: unknown variable "n"`},
		{"a.gcl", "var x: bv65; locations a; init a;", `a.gcl:1:8: error: unknown sort "bv65"`},
		{"a.gcl", "var x: bv08; locations a; init a;", `a.gcl:1:8: error: unknown sort "bv08"`},
		{"a.gcl", "var x: bv8; locations a; init a; a -> a do x := x + 1;", `a.gcl:1:51: error: + takes numbers, not the operands "x" ((_ BitVec 8)) and "1" (Int)`},
		{"a.gcl", "var x: bv8; locations a; init a; a -> a do x := 1;", "a.gcl:1:49: error: x of sort (_ BitVec 8) is assigned a term of sort Int"},
		{"a.gcl", "var x: bv8; locations a; init a; a -> a do x := bvadd(x, 1bv16);", "a.gcl:1:49: error: bvadd does not take operands of sort (_ BitVec 8), (_ BitVec 16)"},
		{"a.gcl", "var x: int; locations a; init a; a -> a", `a.gcl:1:40: error: expected ";", found end of text`},
	} {
		sys, err := Parse(source.NewFile(c.name, c.text))
		if err == nil {
			t.Errorf("%s: accepted: %+v", c.text, sys)
			continue
		}
		if got := strings.Split(err.Error(), " (and ")[0]; got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.text, got, c.want)
		}
	}
}

func TestSeveralErrors(t *testing.T) {
	_, err := Parse(source.NewFile("a.gcl", "var x: int; locations here, there; init her; here -> thre; here -> there when y > 1;"))
	l, ok := err.(source.List)
	if !ok || len(l) != 3 || l[0].Help != `did you mean "here"?` || l[1].Help != `did you mean "there"?` {
		t.Errorf("%v", err)
	}
}

// TestFractions: quotients beside reals are exact; a constant that is rounded is noticed.
func TestFractions(t *testing.T) {
	const head = "var r: real; var x: int; locations a, e; error e when r == 1/2; "
	half := parseText(t, head+"init a when r == 0.5; a -> e do r := 0.5;")
	sys := parseText(t, head+"init a when r == 1/2; a -> e do r := 1/2;")
	r := sys.Vars[0]
	if sys.Init[0].Where != half.Init[0].Where || sys.Rules[0].Command.Update[r] != half.Rules[0].Command.Update[r] || len(sys.Warnings) > 0 {
		t.Errorf("init %s, r := %s, %v", sys.Init[0].Where, sys.Rules[0].Command.Update[r], sys.Warnings)
	}
	for text, want := range map[string]int{"1/2": 1, "4/2": 0, "1.0/2": 0, "-(7/2) + 1": 1, "div(1, 2)": 0, "7 % 2": 0} {
		sys := parseText(t, "const C = "+text+"; "+head+"init a when r == C;")
		if len(sys.Warnings) != want {
			t.Errorf("%s: %v", text, sys.Warnings)
		}
		if want > 0 && (sys.Warnings[0].Code != "rounded" || sys.Warnings[0].Span.Text() != text) {
			t.Errorf("%s: %v", text, sys.Warnings)
		}
	}
}

func TestLooksLikeProlog(t *testing.T) {
	for text, prolog := range map[string]bool{"% c\n:- multifile s/5.\n" + goodRule: true, goodRule: true, "var x: int;\nlocations a;\ninit a;": false} {
		sys, err := Parse(source.NewFile("<stdin>", text))
		if err != nil || prolog != (len(sys.Vars) == 2) {
			t.Errorf("%q: %+v, %v", text, sys, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	files, _ := filepath.Glob("../specs/armc/*")
	for _, name := range files {
		if text, err := os.ReadFile(name); err == nil {
			f.Add(string(text), strings.HasSuffix(name, ".pl"))
		}
	}
	f.Add("var x: real; input n: int; locations a; init a; c: a -> a when n < x do x := *;", false)
	f.Fuzz(func(t *testing.T, text string, prolog bool) {
		name := "a.gcl"
		if prolog {
			name = "a.pl"
		}
		sys, err := Parse(source.NewFile(name, text))
		if err == nil {
			err = sys.Validate()
			if err != nil {
				t.Errorf("accepted, but %v", err)
			}
		} else if l, ok := err.(source.List); !ok || len(l) == 0 {
			t.Errorf("not a list of diagnostics: %v", err)
		}
	})
}

// TestMayDivideByZero: only a divisor that is a number, not 0, rules it out.
func TestMayDivideByZero(t *testing.T) {
	for rule, want := range map[string]bool{
		"a -> a do x := x / 2": false, "a -> a do x := mod(x, -3)": false, "a -> a do w := bvudiv(w, w)": false,
		"a -> a do x := x / y": true, "a -> a do x := x % 0": true, "a -> a when div(x, y - 1) == 0": true,
		"a -> a do q := q / 2": false, "a -> a do q := q / (q + 1)": true, "error a when mod(2, x) == 1": true,
	} {
		sys := parseText(t, "var x, y: int; var q: real; var w: bv8; locations a; init a; "+rule+";")
		if got := sys.MayDivideByZero(); got != want {
			t.Errorf("%s: %t", rule, got)
		}
	}
}
