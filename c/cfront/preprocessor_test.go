package cfront

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seltl/seltl/c/machine"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/internal/testing/gcc"
	"github.com/seltl/seltl/internal/testing/soak"
)

// macroCase is a routine that returns a number which depends on macros alone.
func macroCase(r *rand.Rand, k int) string {
	blank := func() string { return []string{"", "", " ", "  ", "\t"}[r.IntN(5)] }
	list := func(n int) string {
		all := make([]string, n)
		for i := range all {
			all[i] = []string{"1", "2", "x", "3 + 4", "(5, 6)"}[r.IntN(5)]
		}
		return strings.Join(all, ","+blank())
	}
	name := fmt.Sprint("M", k)
	head, body := "", ""
	switch r.IntN(6) {
	case 0: // a comma before what may be missing
		head = fmt.Sprintf("#define %s(x,...)%s{%sx%s,%s##%s__VA_ARGS__%s}", name, blank(), blank(), blank(), blank(), blank(), blank())
		body = fmt.Sprintf("int v[] = %s(%s); return v[sizeof v / sizeof *v - 1] * 10 + sizeof v;", name, list(1+r.IntN(3)))
	case 1: // with strings that have blanks and such commas
		head = fmt.Sprintf("#define %s(f,...)%s(h(\" %s,##  \" f \"a  b\"%s,%s##__VA_ARGS__))", name, blank(), blank(), blank(), blank())
		body = fmt.Sprintf("return %s(\"  ,##\", 1);", name)
	case 2: // names and numbers that are joined
		head = fmt.Sprintf("#define %s(a,b)%sa%s##%sb", name, blank()+" ", blank(), blank())
		body = fmt.Sprintf("int xy = 3, x1 = 4; return %s(x,%s) + %s(1,2);", name, []string{"y", "1"}[r.IntN(2)], name)
	case 3: // operators as arguments of a macro that joins others
		head = fmt.Sprintf("#define %s(n, op)%sint n##_v = 7 op 2", name, " "+blank())
		body = fmt.Sprintf("%s(a, %s); return a_v;", name, []string{"+", "-", "<<", "&&", "||", ">=", "%"}[r.IntN(7)])
	case 4: // texts of arguments
		head = fmt.Sprintf("#define %s(...)%s#__VA_ARGS__", name, " "+blank())
		body = fmt.Sprintf("return h(%s(%s%s%s), 2);", name, list(1+r.IntN(2)), []string{"", " ", "\n ", " \n  + 1"}[r.IntN(4)], blank())
	default: // conditions
		a, b := r.IntN(4), r.IntN(4)
		head = fmt.Sprintf("#define %s_A %d\n#if (%s_A && %d)%s|| %d > %s_A && !(%d && %s_A)\n#define %s 5\n#else\n#define %s 6\n#endif", name, a, name, b, blank(), b, name, a, name, name, name)
		body = "return " + name + ";"
	}
	return fmt.Sprintf("%s\nstatic int f%d(void) { int x = 9; %s }\n", head, k, body)
}

// TestMacros: the preprocessor gives what gcc's does, where it is not refused.
func TestMacros(t *testing.T) {
	programs, each := soak.Long(6), 40
	if testing.Short() {
		each = 15
	}
	for seed := range uint64(programs) {
		r := rand.New(rand.NewPCG(seed, 11))
		b := "static int h(const char *s, int n) { int v = n; for (int i = 0; i < 24 && s[i]; i++) v = (v * 7 + s[i]) & 255; return v; }\n"
		calls, refused := "", 0
		for k := range each {
			one := macroCase(r, k)
			if _, err := Parse([]*source.File{source.NewFile("t.c", b+one+fmt.Sprintf("int main(void) { return f%d(); }\n", k))}, Options{}); err != nil {
				refused++
				continue
			}
			b += one
			calls += fmt.Sprintf(" v = (v * 3 + f%d()) & 65535;", k)
		}
		if refused > each/3 {
			t.Errorf("seed %d: %d of %d are refused", seed, refused, each)
		}
		text := b + "int main(void) { int v = 0;" + calls + " return (v ^ v >> 8) & 255; }\n"
		p, err := Parse([]*source.File{source.NewFile("t.c", text)}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		out, err := (&machine.Machine{Program: p}).Run(p.Func("main"), nil)
		if err != nil || out.Ending != machine.Returned {
			t.Fatalf("seed %d: %v, %+v", seed, err, out)
		}
		exe, err := gcc.Build(t.TempDir(), text, 64, "-w", "-O0")
		if errors.Is(err, gcc.ErrMissing) {
			t.Skip("SKIPPED: ", err)
		}
		if err != nil {
			t.Fatal(err)
		}
		if status, _, _, err := gcc.Run(context.Background(), exe); err != nil || uint64(status) != out.Value {
			t.Errorf("seed %d: gcc's program ends with %d, %v; the machine with %d\n%s", seed, status, err, out.Value, text)
		}
	}
}

// TestCodeOf: a text keeps its length and its lines; comments and what literals hold are gone.
func TestCodeOf(t *testing.T) {
	for _, c := range [][2]string{
		{`a "b\"c" 'd' /* e "f" */ g // h`, `a "____" '_'             g     `},
		{"\"open\nx /* never", "\"____\nx         "},
		{"'\n\"", "'\n\""},
		{`"" ''`, `"" ''`},
		{"a//\"\n\"b\"", "a   \n\"_\""},
		{`"a\`, `"_\`},
	} {
		if got := codeOf(c[0]); len(got) != len(c[0]) || got != c[1] {
			t.Errorf("%q: %q, wanted %q", c[0], got, c[1])
		}
	}
}

// TestLeftOut: what #if leaves out need not be C, and its conditions may have binary numbers.
func TestLeftOut(t *testing.T) {
	const text = `#if 0
don't say "hi
/* isn't */ it's /* not a comment
#elif defined(X)
#error don't
#endif
#define __STDC_FORMAT_MACROS
#if 0b101 == 5 && 0B11000u > 0
int y;
#endif
int main(void) { return y = 1; }
`
	if _, err := Parse([]*source.File{source.NewFile("p.c", text)}, Options{}); err != nil {
		t.Error(err)
	}
}

// TestIncludedOnce: a file with #pragma once is read once; one without end is refused.
func TestIncludedOnce(t *testing.T) {
	own := "int x;\n#include \"p.c\"\nint main(void) { return 0; }\n"
	if _, err := Parse([]*source.File{source.NewFile("p.c", own)}, Options{}); err == nil || !strings.Contains(err.Error(), "without end") {
		t.Error(err)
	}
	for _, c := range []struct{ header, want string }{
		{"#pragma once\n#include \"h.h\"\nstatic int f(void) { return 1; }\n", ""},
		{"#include \"h.h\"\n", "p.c:1:1: error: the files include each other without end"},
	} {
		open := func(string) (*source.File, error) { return source.NewFile("h.h", c.header), nil }
		_, err := Parse([]*source.File{source.NewFile("p.c", "#include \"h.h\"\n#include \"h.h\"\nint main(void) { return f(); }\n")}, Options{Open: open})
		if got := fmt.Sprint(err); c.want == "" && err != nil || !strings.Contains(got, c.want) {
			t.Errorf("%q: %v, wanted %s", c.header, err, c.want)
		}
	}
}
