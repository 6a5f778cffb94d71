package gcl_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"

	. "github.com/seltl/seltl/program/gcl"
)

func mustParse(t testing.TB, text string) *program.System {
	t.Helper()
	sys, err := ParseText("test.gcl", text)
	if err != nil {
		t.Fatal(err)
	}
	return sys
}

// TestBadInput: one message for each mistake, at its place.
func TestBadInput(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"var x: int; locations a; init a; a -> b;", `a.gcl:1:39: error: unknown location "b"`},
		{"var x: int; locations a; init a; a -> a when y > 1;", `a.gcl:1:46: error: unknown variable "y"`},
		{"var x: int; locations a; init a; a -> a do y := 1;", `a.gcl:1:44: error: unknown variable "y"`},
		{"var x: int; locations a; init a; a -> a do x := 1, x := 2;", `a.gcl:1:52: error: "x" is assigned twice in one command`},
		{"var x: int; locations a; init a; a -> a do x := 1.5;", "a.gcl:1:49: error: x of sort Int is assigned a term of sort Real"},
		{"var x: int; locations a; init a; a -> a when x + 1;", "a.gcl:1:46: error: expected a formula, found a term of sort Int"},
		{"var x: float; locations a; init a;", `a.gcl:1:8: error: unknown sort "float"`},
		{"var x, x: int; locations a; init a;", `a.gcl:1:8: error: "x" is declared twice`},
		{"var x: int; locations a, a; init a;", `a.gcl:1:26: error: location "a" is declared twice`},
		{"var x: int; locations a;", "a.gcl:1:1: error: there are no initial states"},
		{"var when: int; locations a; init a;", `a.gcl:1:5: error: "when" has a meaning of its own and cannot be declared`},
		{"var x: int; const c = x + 1; locations a; init a;", "a.gcl:1:23: error: the value of a constant cannot depend on variables"},
		{"var x: int; locations a; init a; assert a x > 1;", `a.gcl:1:43: error: expected ":", found "x"`},
		{"var x: int; input n: int; locations a; init a when n > 1;", `a.gcl:1:52: error: unknown variable "n"`},
		{"var x: bv65; locations a; init a;", `a.gcl:1:8: error: unknown sort "bv65"`},
		{"var x: bv08; locations a; init a;", `a.gcl:1:8: error: unknown sort "bv08"`},
		{"var x: bv8; locations a; init a; a -> a do x := x + 1;", `a.gcl:1:51: error: + takes numbers, not the operands "x" ((_ BitVec 8)) and "1" (Int)`},
		{"var x: bv8; locations a; init a; a -> a do x := 1;", "a.gcl:1:49: error: x of sort (_ BitVec 8) is assigned a term of sort Int"},
		{"var x: bv8; locations a; init a; a -> a do x := bvadd(x, 1bv16);", "a.gcl:1:49: error: bvadd does not take operands of sort (_ BitVec 8), (_ BitVec 16)"},
		{"var x: array[int] of; locations a; init a;", `a.gcl:1:21: error: unknown sort ";"`},
		{"var x: array[array] of int; locations a; init a;", `a.gcl:1:14: error: unknown sort "array"`},
		{"var x: array[int] int; locations a; init a;", `a.gcl:1:19: error: expected "of", found "int"`},
		{"var x: " + strings.Repeat("array[int] of ", 9) + "int; locations a; init a;", "a.gcl:1:120: error: arrays of more than 8 dimensions"},
		{"var x: array[int] of bool; locations a; init a; a -> a do x[true] := true;", "a.gcl:1:61: error: x has indices of sort Int, not Bool"},
		{"var x: array[int] of bool; locations a; init a; a -> a do x[1] := 1;", "a.gcl:1:67: error: x of sort Bool is assigned a term of sort Int"},
		{"var x: array[int] of bool; locations a; init a; a -> a do x[1][2] := true;", "a.gcl:1:63: error: x has no element of that kind: its sort is Bool"},
		{"var x: array[int] of bool; locations a; init a; a -> a do x[1] := true, x := x;", `a.gcl:1:73: error: "x" is assigned twice in one command`},
		{"var x: array[int] of bool; locations a; init a; a -> a do x := *, x[1] := true;", `a.gcl:1:67: error: "x" is assigned twice in one command`},
		{"var x: int; locations a; init a; a -> a do x[1] := 1;", "a.gcl:1:45: error: x has no element of that kind: its sort is Int"},
		{"fun f(): int; locations a; init a;", `a.gcl:1:7: error: f has no arguments`},
		{"fun f(int); locations a; init a;", `a.gcl:1:11: error: expected ":", found ";"`},
		{"fun f(array): int; locations a; init a;", `a.gcl:1:7: error: unknown sort "array"`},
		{"fun f(int): int; locations a; init a; a -> a do f := 1;", "a.gcl:1:49: error: f is a function, which no command changes"},
		{"fun f(int): int; locations a; init a when f == 1;", "a.gcl:1:43: error: f is a function: write f(...)"},
		{"fun f(int): int; locations a; init a when f(1, 2) == 1;", "a.gcl:1:43: error: f takes 1 operands, not 2"},
		{"fun f(int): int; locations a; init a when f(true) == 1;", "a.gcl:1:43: error: operand 1 of f is to be of sort Int, not Bool"},
		{"fun f(int): int; const N = f(1); locations a; init a;", "a.gcl:1:28: error: the value of a constant cannot depend on variables"},
		{"fun f(int): int; var f: int; locations a; init a;", `a.gcl:1:22: error: "f" is declared twice`},
		{"var x: int; locations a; init a; a -> a", `a.gcl:1:40: error: expected ";", found end of text`},
	} {
		sys, err := ParseText("a.gcl", c.text)
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
	_, err := ParseText("a.gcl", "var x: int; locations here, there; init her; here -> thre; here -> there when y > 1;")
	l, ok := err.(source.List)
	if !ok || len(l) != 3 || l[0].Help != `did you mean "here"?` || l[1].Help != `did you mean "there"?` {
		t.Errorf("%v", err)
	}
}

// TestFractions: quotients beside reals are exact; a constant that is rounded is noticed.
func TestFractions(t *testing.T) {
	const head = "var r: real; var x: int; locations a, e; a -> e; error e when r == 1/2; "
	half := mustParse(t, head+"init a when r == 0.5; a -> e do r := 0.5;")
	sys := mustParse(t, head+"init a when r == 1/2; a -> e do r := 1/2;")
	r := sys.Vars[0]
	if sys.Init[0].Where != half.Init[0].Where || sys.Edges[1].Command.Update[r] != half.Edges[1].Command.Update[r] || len(sys.Warnings) > 0 {
		t.Errorf("init %s, r := %s, %v", sys.Init[0].Where, sys.Edges[1].Command.Update[r], sys.Warnings)
	}
	for text, want := range map[string]int{"1/2": 1, "4/2": 0, "1.0/2": 0, "-(7/2) + 1": 1, "div(1, 2)": 0, "7 % 2": 0} {
		sys := mustParse(t, "const C = "+text+"; "+head+"init a when r == C;")
		if len(sys.Warnings) != want {
			t.Errorf("%s: %v", text, sys.Warnings)
		}
		if want > 0 && (sys.Warnings[0].Code != "rounded" || sys.Warnings[0].Span.Text() != text) {
			t.Errorf("%s: %v", text, sys.Warnings)
		}
	}
}

// TestQuotientOfQuotient: x/7/2 is (x/7)/2, in which 7/2 does not stand.
func TestQuotientOfQuotient(t *testing.T) {
	sys := mustParse(t, "var x: int; locations a; init a when x / 7 / 2 == 0; error a when x % 7/2 == 1;")
	if len(sys.Warnings) > 0 {
		t.Errorf("%v", sys.Warnings)
	}
}

// TestTables: arrays and functions, and what a command makes of arrays.
func TestTables(t *testing.T) {
	sys := mustParse(t, `var a: array[int] of int; var m: array[bv2] of array[bool] of real; fun f(int, bool): int; var x: int; locations l; init l;
		l -> l when f(x, x > 0) > a[x] do a[x] := a[1], a[1] := a[x], m[2bv2][true] := 1/2, x := *;
		l -> l do a[x] := *, a[x + 1] := *, m := *;`)
	a, m, f, x := sys.Vars[0], sys.Vars[1], sys.Vars[2], sys.Vars[3]
	scope := logic.NewScope(append(sys.Edges[1].Command.Inputs, sys.Vars...)...)
	read := func(text string) *logic.Term {
		t.Helper()
		e, err := logic.Parse(source.NewFile("t", text), logic.C, scope)
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	if got := f.Sort().String() + m.Sort().String(); got != "(-> Int Bool Int)(Array (_ BitVec 2) (Array Bool Real))" {
		t.Errorf("sorts %s", got)
	}
	first, second := sys.Edges[0].Command, sys.Edges[1].Command
	for what, got := range map[string]*logic.Term{
		"f(x, x > 0) > a[x]":                        first.Guard,
		"store(store(a, x, a[1]), 1, a[x])":         first.Update[a],
		"store(m, 2bv2, store(m[2bv2], true, 0.5))": first.Update[m],
		"any.x": first.Update[x],
		"store(store(a, x, any.a), x + 1, any.a.2)": second.Update[a],
		"any.m": second.Update[m],
	} {
		if what == "any.x" {
			if got != first.Inputs[0] {
				t.Errorf("x := %s", got)
			}
		} else if got != read(what) {
			t.Errorf("%s is read as %s", what, got)
		}
	}
	if err := sys.Validate(); err != nil {
		t.Error(err)
	}
}

// TestSpans: what is read knows where it stands.
func TestSpans(t *testing.T) {
	sys := mustParse(t, "var x: int; locations a, b; init a when x == 0;\n step: a -> b do x := 1;\nassert b: x == 1;")
	for what, got := range map[string]string{
		"a": sys.Locations[0].Span.Text(), "b": sys.Locations[1].Span.Text(), "init a when x == 0": sys.Init[0].Span.Text(),
		"step: a -> b do x := 1": sys.Edges[0].Span.Text(), "assert b: x == 1": sys.Error[0].Span.Text(),
	} {
		if got != what {
			t.Errorf("%q is said to be at %q", what, got)
		}
	}
}

func FuzzParse(f *testing.F) {
	files, _ := filepath.Glob("../../specs/armc/*.gcl")
	for _, name := range files {
		if text, err := os.ReadFile(name); err == nil {
			f.Add(string(text))
		}
	}
	f.Add("var a: array[bv2] of array[int] of real; fun f(bool, int): int; var x: int; locations l; init l when f(true, x) == 1; l -> l do a[1bv2][x] := 1/2, a[2bv2] := *, x := f(x == 0, x);")
	f.Add("locations a; init a; ltl P = {a; b}[]-> (\"x; y\" U c) // d; e\n; // expect: holds")
	f.Add("var x: real; input n: int; locations a; init a; c: a -> a when n < x do x := *;")
	f.Fuzz(func(t *testing.T, text string) {
		sys, err := ParseText("a.gcl", text)
		if err == nil {
			if err = sys.Validate(); err != nil {
				t.Errorf("accepted, but %v", err)
			}
		} else if l, ok := err.(program.Diagnostics); !ok || len(l) == 0 {
			t.Errorf("not a list of diagnostics: %v", err)
		}
	})
}
