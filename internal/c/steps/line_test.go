package steps_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/seltl/seltl/c/cfront"
	"github.com/seltl/seltl/internal/c/steps"
	"github.com/seltl/seltl/internal/source"
)

// linesOf are the numbers of the lines that a program comes to, one after the other, with one
// value for whatever it leaves open.
func linesOf(t *testing.T, text string, value uint64) string {
	t.Helper()
	p, err := cfront.Parse([]*source.File{source.NewFile("p.c", text)}, cfront.Options{})
	if err != nil {
		t.Fatal(err)
	}
	procedure, err := steps.OfProgram(p, "main")
	if err != nil {
		t.Fatal(err)
	}
	give := func(*steps.Ask) (uint64, error) { return value, nil }
	at, err := procedure.Begin(give)
	var all []string
	for err == nil && at.End() == nil {
		var line *steps.Line
		if line, err = at.Line(at.Moves()[0], give, nil, nil); err == nil {
			all, at = append(all, fmt.Sprint(line.Span.Pos().Line)), line.To
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(all, " ")
}

// The lines are those that a debugger shows of gcc's code without optimisation: jumps that the
// source has, and no others; the closing brace where a routine ends without return.
func TestLines(t *testing.T) {
	for _, c := range []struct {
		name, text string
		value      uint64
		lines      string
	}{
		{"then", "int in(void);\nint main(void) { int a = in(), z = 1;\nif ((z += 1) > a)\nz = 4;\nelse\nz = 5;\nreturn z; }", 1, "2 3 4 7"},
		{"else", "int in(void);\nint main(void) { int a = in(), z = 1;\nif ((z += 1) > a)\nz = 4;\nelse\nz = 5;\nreturn z; }", 2, "2 3 6 7"},
		{"switch", "int in(void);\nint main(void) { int z = in();\nswitch (z) {\ncase 1:\nz = 4;\nbreak;\ncase 2:\nz = 5;\nbreak;\ndefault:\nz = 6; }\nreturn z; }", 2, "2 3 8 9 12"},
		{"default", "int in(void);\nint main(void) { int z = in();\nswitch (z) {\ncase 1:\nz = 4;\nbreak;\ncase 2:\nz = 5;\nbreak;\ndefault:\nz = 6; }\nreturn z; }", 9, "2 3 11 12"},
		{"jumps", "int main(void) { int z = 0;\nwhile (1) {\nz++;\nif (z == 1)\ncontinue;\nif (z == 2)\nbreak; }\nif (z)\ngoto out;\nz = 7;\nout:\nreturn z; }", 0, "1 3 4 5 3 4 6 7 8 9 12"},
		{"for", "int main(void) { int z = 0;\nfor (int i = 0;\ni < 2;\ni++)\nz++;\nreturn z; }", 0, "1 2 3 5 4 3 5 4 3 6"},
		{"brace", "int g;\nvoid f(int a) {\ng += a;\n}\nint main(void) {\nf(1);\nf(2);\n}", 0, "6 3 4 7 3 4 8"},
		{"falling off", "int in(void);\nvoid f(int a) {\nif (a)\nreturn;\na = 3;\n}\nint main(void) {\nf(in());\nreturn 0; }", 1, "8 3 4 9"},
	} {
		if got := linesOf(t, c.text, c.value); got != c.lines {
			t.Errorf("%s: lines %s, want %s", c.name, got, c.lines)
		}
	}
}

// Bit-fields without a name only keep others apart, and are no values.
func TestUnnamedBitfields(t *testing.T) {
	p, err := cfront.Parse([]*source.File{source.NewFile("p.c", "struct { unsigned a : 3; unsigned : 4; unsigned b : 2; unsigned : 0; int c; } x = {1, 2, 3};\nint main(void) { return x.b; }")}, cfront.Options{})
	if err != nil {
		t.Fatal(err)
	}
	procedure, err := steps.OfProgram(p, "main")
	if err != nil {
		t.Fatal(err)
	}
	at, err := procedure.Begin(func(*steps.Ask) (uint64, error) { return 0, nil })
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, h := range at.Values() {
		all = append(all, h.Name+" = "+h.Value)
	}
	if got := strings.Join(all, ", "); got != "x.a = 1, x.b = 2, x.c = 3" {
		t.Error(got)
	}
}
