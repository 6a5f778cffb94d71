package programs

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/seltl/seltl/armc"
	"github.com/seltl/seltl/c/cfront"
	"github.com/seltl/seltl/c/checks"
	"github.com/seltl/seltl/c/encode"
	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/c/machine"
	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/report"
	"github.com/seltl/seltl/safety"
)

// checked encodes a text with checks.
func checked(t *testing.T, text, kinds string) *encode.Encoding {
	t.Helper()
	text = "extern int any(void); extern long long wide(void); extern void reach_error(void); extern int *get(void); extern void use(void *); extern void *malloc(unsigned);\n" + text
	p, err := cfront.Parse([]*source.File{source.NewFile("t.c", text)}, cfront.Options{Model: ir.ILP32})
	if err != nil {
		t.Fatal(err)
	}
	all, err := checks.Parse(kinds)
	if err != nil {
		t.Fatal(err)
	}
	checks.Add(p, all)
	if err := p.Verify(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	e, err := encode.Encode(p, "")
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return e
}

// TestChecks: each kind of mistake fails where it is made, with its kind asked for, and is
// proved not to be made where that is so.
func TestChecks(t *testing.T) {
	pool := Common
	for i, c := range []struct {
		kind, bad, good string
		note            string // of bad
	}{
		{"div", "int a = any(); return 10 / a;", "int a = any(); return a ? 10 / a : 0;", "division by zero: a is 0"},
		{"div", "unsigned a = any(), b = any(); return a % (b & 7);", "unsigned a = any(), b = any(); return a % (b & 7 | 8);", "division by zero"},
		{"overflow", "int a = any(); return a + 1;", "int a = any(); return a < 100 ? a + 1 : 0;", "does not fit int"},
		{"overflow", "int a = any(), b = any(); return a + b;", "int a = any(), b = any(); if (a > -1000 && a < 1000 && b > -1000 && b < 1000) return a + b; return 0;", "a + b does not fit int"},
		{"overflow", "int a = any(), b = any(); return a - b;", "int a = any(), b = any(); if (a >= 0 && b >= 0) return a - b; return 0;", "a - b does not fit int"},
		{"overflow", "int a = any(); return -a;", "int a = any(); return a > 0 ? -a : 0;", "-a does not fit int"},
		{"overflow", "int a = any(); return a * 3;", "int a = any(); return a < 99 && a > -99 ? a * 3 : 0;", "a * 3 does not fit int"},
		{"overflow", "long long a = wide(); return a * 5;", "long long a = wide(); return a < 99 && a > -99 ? a * 5 : 0;", "does not fit long long"},
		{"overflow", "int a = any(); if (a != 0) return (-2147483647 - 1) / a;", "int a = any(); if (a > 0) return (-2147483647 - 1) / a;", "does not fit int"},
		{"overflow", "int i = 0; while (any()) i += 1000000000;", "unsigned i = 0; while (any()) i += 1000000000;", "does not fit int"},
		{"overflow", "signed char c = any(); short s = c * 3; int i = s - c; return i + 2147483500;", "signed char c = any(); short s = c * 3; int i = s - c; return i + 2147000000;", "does not fit int"},
		{"bounds", "int a[3], i = any(); a[i] = 1;", "int a[3], i = any(); if (i >= 0 && i < 3) a[i] = 1;", "outside of an array of 3 elements"},
		{"bounds", "int a[3], i = any(); if (i >= 0 && i <= 3) return a[i];", "int a[3]; for (int i = 0; i < 3; i++) a[i] = i;", "outside of an array of 3 elements"},
		{"bounds", "int a[3], *p = a; p += 3; *p = 1;", "int a[3], *p = a; p += 2; *p = 1;", "outside of an object"},
		{"div", "10 / any();", "0 && 10 / any();", "division by zero"},
		{"div", "int a = any(); (void)(a ? 1 : 10 / a), (char)(10 % a);", "int a = any(); if (a) (char)(10 / a);", "division by zero: a is 0"},
		{"div", "double d = 10 / any();", "double d = 10.0 / any();", "division by zero"},
		{"div", "extern void exit(int); exit(10 / any());", "extern void exit(int); exit(any());", "division by zero"},
		{"shift", "int a = any(); if (a > 0) return a << 30;", "int a = any(); if (a > 0 && a < 2) return a << 30; return (unsigned)a << 31;", "a << 30 does not fit int"},
		{"bounds", "int a = any(); char b[a]; b[0] = 1; return 0;", "int a = any(); if (a <= 0 || a > 9) return 0; char b[a]; b[0] = 1; return 0;", "the length of b is not positive"},
		{"bounds", "unsigned long a = any() & 3; int b[2 * a]; return b != 0;", "unsigned long a = any() & 3; int b[2 * a + 1]; return b != 0;", "the length of b is not positive"},
		{"shift", "return 1 << 31;", "return (int)(1u << 31) + (1 << 30) + 2147483647;", "1 << 31 does not fit int"},
		{"shift", "int a = any(), b = any(); if (b >= 0 && b < 32 && a < 0) return a << b;", "int b = any(); if (b >= 0 && b < 32) return -1 << b;", "a << b does not fit int"},
		{"shift", "short s = any(); int a = s << 17; return a;", "short s = any(); int a = s << 16; return a;", "does not fit int"},
		{"overflow", "int a = any(); (void)(a + 1);", "int a = any(); (void)a; (void)(a + 1u);", "does not fit int"},
		{"overflow", "return 2147483647 + 1;", "return -2147483647 - 1;", "2147483647 + 1 does not fit int"},
		{"overflow", "return -(-2147483647 - 1);", "return -2147483647;", "does not fit int"},
		{"overflow", "int a = any(); double d = a * 2;", "int a = any(); double d = a * 2.0;", "does not fit int"},
		{"bounds", "int m[2][3] = {0}, i = 3; return m[0][i--];", "int m[2][3] = {0}, i = 2; return m[0][i--];", "outside of an array of 3 elements"},
		{"bounds", "float a[3], f = a[any()];", "float a[4], f = a[any() & 3];", "outside of an array of 3 elements"},
		{"bounds", "double a[3], *p = a; p += 3; if (*p > 1) return 1;", "double a[3], *p = a; p += 2; if (*p > 1) return 1;", "outside of an object"},
		{"bounds", "struct { int a; } a[3]; a[any()];", "struct { int a; } a[4]; a[any() & 3];", "outside of an array of 3 elements"},
		{"bounds", "int a[3] = {0}; return a[wide() << 32];", "int a[3] = {0}; return a[(int)(wide() << 32)];", "is outside of every array"},
		{"bounds", "int a[3] = {0}; return a[4294967296];", "int a[3] = {0}; return a[2LL];", "is outside of every array"},
		{"null", "int *p = any() ? get() : 0; *p;", "int *p = 0; p;", "the null pointer p is dereferenced"},
		{"null", "double *p = 0; int y = !*p;", "double d = 1, *p = &d; int y = !*p;", "the null pointer"},
		{"null", "int x, *p = any() ? &x : 0; *p = 1;", "int x, *p = any() ? &x : 0; if (p) *p = 1;", "the null pointer p is dereferenced"},
		{"null", "int *p = get(); *p = 1;", "int *p = get(); if (p != 0) *p = 1;", "the null pointer p is dereferenced"},
		{"null", "struct { int a, b; } s, *p = any() ? &s : 0; p->b = 1;", "struct { int a, b; } s, *p = &s; p->b = 1;", "the null pointer p is dereferenced"},
		{"null", "void (*f)(void) = any() ? reach : 0; f();", "void (*f)(void) = any() ? reach : 0; if (f) f();", "the null pointer f is dereferenced"},
		{"uninit", "int x; if (any()) x = 1; return x;", "int x; if (any()) x = 1; else x = 2; return x;", "x has no value"},
		{"uninit", "int a[3], i = any() & 1; a[0] = a[2] = 1; return a[i];", "int a[3], i = any() & 1; a[0] = a[1] = 1; return a[i];", "has no value"},
		{"uninit", "struct { int a, b; } s, q; s.a = 1; q = s; return q.b;", "struct { int a, b; } s, q; s.a = 1; q = s; return q.a;", "q.b has no value"},
		{"uninit", "for (int i = 0; i < 2; i++) { int y; if (i == 0) y = 3; else i = y; }", "for (int i = 0; i < 2; i++) { int y; y = i; i = y; }", "y has no value"},
	} {
		for k, text := range []string{c.bad, c.good} {
			if testing.Short() && (i%2 > 0 || k != i/2%2) {
				continue // -short asks one of the two, in one way, of each second pair
			}
			t.Run(c.kind+" "+text, func(t *testing.T) {
				e := checked(t, "void reach(void) {}\nint main(void) {\n"+text+"\nreturn 0; }", c.kind)
				for k, how := range []safety.Integers{safety.AutoIntegers, safety.MachineIntegers} {
					if testing.Short() && k != i/4%2 {
						continue
					}
					r, res, err := ReachC(context.Background(), e, pool, check.Options{}, safety.Options{Engine: armc.Options{MaxQueries: 3000}, Integers: how})
					if err != nil {
						t.Fatal(err)
					}
					got := r.Results[0]
					switch {
					case text == c.good && got.Verdict != report.Holds, text == c.bad && got.Verdict != report.Violated:
						t.Errorf("--integers=%v: %s %s %s", how, got.Verdict, got.Note, got.Reason)
					case text == c.bad && (!strings.HasPrefix(got.Note, "t.c:4: ") || !strings.Contains(got.Note, c.note)):
						t.Errorf("--integers=%v: %q, want t.c:4: %s", how, got.Note, c.note)
					case text == c.bad && how == safety.AutoIntegers && got.Verdict == report.Violated && !testing.Short() && res.Run.Outcome.Ending == machine.Failed:
						reachesFailure(t, ir.ILP32, r, res)
					}
				}
			})
		}
	}
}

// TestChecksOff: without its kind, no mistake is a failure.
func TestChecksOff(t *testing.T) {
	pool := Common
	for kinds, text := range map[string]string{
		"null,overflow":               "10 / any();",
		"bounds,overflow,uninit":      "double d = 10 / any();",
		"null,bounds,overflow,uninit": "int a = any(); return 10 / a;",
		"null,div,overflow,uninit":    "int a[3], i = any(); a[i] = 1;",
		"null,bounds,div,uninit":      "int a = any(); return a + 1;",
		"null,bounds,div,overflow":    "int a; return a;",
		"bounds,div,overflow,uninit":  "int x, *p = any() ? &x : 0; *p = 1;",
	} {
		e := checked(t, "int main(void) {\n"+text+"\n}", kinds)
		if r, _, err := ReachC(context.Background(), e, pool, check.Options{}, safety.Options{Engine: armc.Options{MaxQueries: 3000}}); err != nil || r.Results[0].Verdict == report.Violated {
			t.Errorf("--check=%s: %s fails: %s, %v", kinds, text, r.Results[0].Note, err)
		}
	}
}

// TestChecksListed: what CheckUninit does not follow is listed.
func TestChecksListed(t *testing.T) {
	pool := Common
	e := checked(t, "int main(void) { int x, y = 1; use(&x); return x; }", "uninit")
	r, _, err := ReachC(context.Background(), e, pool, check.Options{}, safety.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if text := fmt.Sprint(r.Results[0].Assumptions); !strings.Contains(text, "and what is read of main.x") {
		t.Error(text)
	}
	e = checked(t, "struct s { int a, b; } g; int read(struct s p) { return p.b; } struct s make(void) { struct s m; m.a = 1; return m; }\n"+
		"int main(void) { struct s x, y, z = {1}; x.a = y.a = 1; g = x; return read(y) + read(z) + make().a; }", "uninit")
	r, _, err = ReachC(context.Background(), e, pool, check.Options{}, safety.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if text := fmt.Sprint(r.Results[0].Assumptions); !strings.Contains(text, "what is read of main.x, main.y, make.m") {
		t.Error(text)
	}
	e = checked(t, "int main(void) { long double d; struct { int a; long double f; } s; return d > 1; }", "uninit")
	r, _, err = ReachC(context.Background(), e, pool, check.Options{}, safety.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if text := fmt.Sprint(r.Results[0].Assumptions); !strings.Contains(text, "what is read of main.d, main.s") {
		t.Error(text)
	}
}
