package gcl_test

import (
	"strings"
	"testing"

	"github.com/seltl/seltl/internal/source"

	. "github.com/seltl/seltl/program/gcl"
)

// TestHelp: what is written as in other languages is told how it is written here.
func TestHelp(t *testing.T) {
	const head = "var x, y: int; var b: bool; input n: int; const C = 3; locations a, e; init a; error e;\n"
	for _, c := range []struct{ text, message, help string }{
		{"a -> e when x > 1 and y > 2;", `2:19: error: expected ";", found "and"`, "and is written &&"},
		{"a -> e when b or x > 2;", `expected ";", found "or"`, "or is written ||"},
		{"a -> e when not b;", `unknown variable "not"`, "not is written !"},
		{"a -> e when b & b;", `expected ";", found "&"`, "& is written &&"},
		{"a -> e when b == True;", `unknown variable "True"`, "True is written true"},
		{"a -> e do x = 1;", `expected ":=", found "="`, "assignments are written x := 1; == compares"},
		{"a -> e do x += 1;", `expected ":=", found "+"`, "assignments are written x := x + 1"},
		{"a -> e do x++;", `expected ":=", found "+"`, "assignments are written x := x + 1"},
		{"a -> e do x := 1; y := 2;", `unknown location "y"`, "assignments of one command are separated by commas: a -> b do x := 1, y := 2;"},
		{"a -> e when 0 <= x <= 5;", "<= takes values of one sort", "comparisons are not chained: write 0 <= x && x <= 5"},
		{"a -> e when x == y == 5;", "== takes values of one sort", "comparisons are not chained: write x == y && y == 5"},
		{"a -> e when x == y <= 5;", "== takes values of one sort", "comparisons are not chained: write x == y && y <= 5"},
		{"a -> e when x < y == 5;", "== takes values of one sort", "comparisons are not chained: write x < y && y == 5"},
		{"a -> e when x' == x + 1;", `unknown variable "x'"`, "primes are not needed: in a command, x on the left of := is the new value, on the right and in the guard the old one"},
		{"a -> e do x' := x + 1;", `expected ":=", found "'"`, "primes are not needed: in a command, x on the left of := is the new value, on the right and in the guard the old one"},
		{"init a when n > 0;", `unknown variable "n"`, "n is an input, which commands choose; a variable (var n: int;) begins with any value"},
		{"a -> e do n := 1;", `unknown variable "n"`, "n is an input, which is chosen anew by every command; only variables are assigned"},
		{"a -> e do C := 1;", `unknown variable "C"`, "C is a constant"},
		{"a -> e when x > 1 // no end\ne -> a;", `2:18: error: expected ";" before "e"`, "every declaration and every command ends in ;"},
		{"var z: int\na -> e;", `2:11: error: expected ";" before "a"`, "every declaration and every command ends in ;"},
		{"a -> e x := 1;", `expected ";", found "x"`, "guards follow when, assignments follow do: a -> b when x > 0 do x := 1"},
		{"a -> e do x := 1 when b;", `expected ";", found "when"`, "the guard comes first: a -> b when x > 0 do x := 1"},
		{"var z = 3;", `expected ":", found "="`, "variables begin with any value; write for example: init a when x == 0;"},
		{"var z: int = 3;", `expected ";", found "="`, "variables begin with any value; write for example: init a when x == 0;"},
		{"int z, y2; a -> e when z > y2;", `declarations begin with var`, "variables are declared by: var x: int;"},
		{"a -> e if x > 0;", `expected ";", found "if"`, "if is written when"},
		{"a -> e when x > 0 then x := 1;", `expected ";", found "then"`, "then is written do"},
		{"assert e: x => 0;", `found ">"`, `=> is written >= for "at least", and -> for "implies"`},
	} {
		_, err := ParseText("a.gcl", head+c.text)
		l, ok := err.(source.List)
		if !ok || len(l) == 0 {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		if len(l) > 1 {
			t.Errorf("%s: one mistake, and %v", c.text, l[1:])
		}
		if !strings.Contains(l[0].Error(), c.message) || l[0].Help != c.help {
			t.Errorf("%s:\n got %s, help %s\nwant %s, help %s", c.text, l[0].Error(), l[0].Help, c.message, c.help)
		}
	}
}

// TestWarnings: what is read and hardly meant.
func TestWarnings(t *testing.T) {
	for _, c := range []struct{ text, code, at string }{
		{"var x: int; var r: real; locations a, e; init a when x == 1/2; a -> e; error e;", "rounded", "1/2"},
		{"var x: int; var r: real; locations a, e; init a when r == 1/2 && r > x; a -> e; error e;", "", ""},
		{"var x: int; var r: real; locations a, e; init a when r == (x > 0 ? 1/2 : 1.5); a -> e when x < 7 / 2 && r != 3/2 do r := 1/3; error e;", "rounded", "7 / 2"},
		{"var x: int; locations a, e; init a when x == 4/2; a -> e do x := 1/3 + 4/2; error e;", "rounded", "1/3"},
		{"var x: int; locations a, e; init a; a -> a do x := x/2; e -> e; error e when x == 1;", "not-entered", "error e when x == 1"},
		{"var x: int; locations int, real; init int; int: int -> real do x := x/2; real -> int; error real;", "", ""},
		{"var x: int; locations a, e; init a; a -> a do x := x/2; error a; assert a: x > 0;", "", ""},
		{"var x: int; locations a, e; init a; a -> a; assert e: x > 0;", "not-entered", "assert e: x > 0"},
	} {
		sys := mustParse(t, c.text)
		if c.code == "" {
			if len(sys.Warnings) > 0 {
				t.Errorf("%s: %v", c.text, sys.Warnings)
			}
			continue
		}
		if len(sys.Warnings) != 1 || sys.Warnings[0].Code != c.code || sys.Warnings[0].Span.Text() != c.at {
			t.Errorf("%s: %v", c.text, sys.Warnings)
		}
	}
}
