package checks_test

import (
	"slices"
	"testing"

	"github.com/seltl/seltl/c/cfront"
	"github.com/seltl/seltl/c/checks"
	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/internal/source"
)

// TestNotChecked: what may lose a part without a value, as a whole, to where it is not followed is named.
func TestNotChecked(t *testing.T) {
	for text, want := range map[string][]string{
		"struct S s; s.a = 1; struct S t = s; return f(t);":             {"main.t"},
		"struct S s; s.a = 1; struct S t = s, u; u = t; g = u;":         {"main.u"},
		"struct S s; s.a = 1; struct S t = s; return t.a;":              nil,
		"struct S s = {1, 2}; struct S t = s; return f(t);":             nil,
		"struct S s; s.a = 1; s.b = 2; struct S t = s; return t.b + 1;": nil,
		"int n = 3, v[n], w[n][2]; return v[1];":                        {"main.v", "main.w"},
	} {
		p, err := cfront.Parse([]*source.File{source.NewFile("t.c", "struct S { int a, b; } g; int f(struct S s) { return s.b; } int main(void) { "+text+" }")}, cfront.Options{})
		if err != nil {
			t.Fatal(err)
		}
		checks.Add(p, []ir.Check{ir.CheckUninit})
		if got := slices.DeleteFunc(p.NotChecked, func(n string) bool { return n == "f.s" }); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// TestAllChecks: "all" is each of the kinds but leaks.
func TestAllChecks(t *testing.T) {
	all, err := checks.Parse("all")
	if err != nil {
		t.Fatal(err)
	}
	for i := 1; i < len(ir.CheckNames); i++ {
		if slices.Contains(all, ir.Check(i)) != (ir.Check(i) != ir.CheckLeaks) {
			t.Errorf("%s: among all: %v", ir.Check(i), slices.Contains(all, ir.Check(i)))
		}
	}
}
