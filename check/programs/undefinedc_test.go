package programs

import (
	"strings"
	"testing"

	"github.com/seltl/seltl/c/cfront"
	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/report"
)

// undefinedCase is a program with what C leaves undefined, or to compilers and libraries, and what the reason for
// "unknown" has; of those beside it that C defines, it is "".
type undefinedCase struct {
	name, text string
	memory     bool // with --check=memory
	want       report.Verdict
	reason     string
}

// Programs that fail when gcc or clang have built them, or may, are not proved; what compilers make of each was tried by who
// did not know the encoding.
var undefinedCases = []undefinedCase{
	{name: "a wider parameter", text: "long f(); int main(void) { if (f(-1) != -1) reach_error(); return 0; } long f(long x) { return x; }", want: report.Unknown, reason: "by a declaration without parameters"},
	{name: "a number for a double", text: "int f(); int main(void) { if (!f(2)) reach_error(); return 0; } int f(double x) { return x == 2; }", want: report.Unknown, reason: "by a declaration without parameters"},
	{name: "a double for a float", text: "int f(); int main(void) { if (!f(2.0f)) reach_error(); return 0; } int f(float x) { return x == 2; }", want: report.Unknown, reason: "double for float"},
	{name: "a number for a pointer", text: "int f(); int main(void) { if (!f(0)) reach_error(); return 0; } int f(int *p) { return p == 0; }", want: report.Unknown, reason: "by a declaration without parameters"},
	{name: "not declared", text: "int main(void) { if (f(-1) != -1) reach_error(); return 0; } int f(long x) { return x; }", want: report.Unknown, reason: "by a declaration without parameters"},
	{name: "names of parameters", text: "long f(x) long x; { return x; } int main(void) { if (f(-1) != -1) reach_error(); return 0; }", want: report.Unknown, reason: "by a declaration without parameters"},
	{name: "names of parameters that are promoted", text: "int f(c, x) char c; float x; { return c + (int)x; } int main(void) { if (f(300, 1.0f) != 45) reach_error(); return 0; }", want: report.Holds},
	{name: "declared in between", text: "long f(); long f(long); int main(void) { if (f(-1) != -1) reach_error(); return 0; } long f(x) long x; { return x; }", want: report.Holds},
	{name: "declared in the block", text: "int main(void) { long f(long); if (f(-1) != -1) reach_error(); return 0; } long f(long x) { return x; }", want: report.Holds},
	{name: "of one type", text: "int f(); int main(void) { if (f(-1) != -1) reach_error(); return 0; } int f(int x) { return x; }", want: report.Holds},
	{name: "of one size", text: "int f(); int main(void) { if (f(1u) != 1) reach_error(); return 0; } int f(int x) { return x; }", want: report.Holds},

	{name: "a narrower argument of the library", text: "long labs(int); int main(void) { if (labs(-5) != 5) reach_error(); return 0; }", want: report.Unknown, reason: "another width"},
	{name: "a wider result of the library", text: "long strcmp(const char *, const char *); int main(void) { if (strcmp(\"a\", \"b\") >= 0) reach_error(); return 0; }", want: report.Unknown, reason: "another width"},
	{name: "another float of the library", text: "float fabs(float); int main(void) { if (fabs(-4.5f) != 4.5f) reach_error(); return 0; }", want: report.Unknown, reason: "another width"},
	{name: "a narrower result of the library", text: "short strlen(const char *); int main(void) { if (strlen(\"abc\") != 3) reach_error(); return 0; }", want: report.Holds},

	{name: "it returns", text: "int in(void); void exit(int); _Noreturn void f(int x) { if (x > 5) exit(1); } int main(void) { f(in()); }", want: report.Unknown, reason: "f() returns, which is declared not to"},
	{name: "it does not return", text: "int in(void); void exit(int); _Noreturn void f(int x) { if (x > 5) exit(1); for (;;) ; } int main(void) { f(in()); reach_error(); }", want: report.Holds},
	{name: "a compiler assumes", text: "int in(void); int main(void) { int x = in(); __builtin_assume(x >= 5); if (x < 5) reach_error(); return 0; }", want: report.Unknown, reason: "__builtin_assume()"},
	{name: "a compiler assumes what holds", text: "int in(void); int main(void) { int x = in() & 7; __builtin_assume(x < 8); if (x > 7) reach_error(); return 0; }", want: report.Unknown, reason: "__builtin_assume()"},
	{name: "a compiler assumes what is not evaluated", text: "int main(void) { int *p = 0; __builtin_assume(*p == 0); reach_error(); }", want: report.Unknown, reason: "__builtin_assume()"},
	{name: "a declaration in a block", text: "int main(void) { extern _Noreturn void f(int); f(1); reach_error(); } void f(int x) {}", want: report.Unknown, reason: "declared not to"},
	{name: "names of parameters, by a pointer", text: "float f(c) float c; { return c; } float (*p)(float) = (float (*)(float))f; int main(void) { if (p(1.5f) != 1.5f) reach_error(); return 0; }", want: report.Unknown},
	{name: "names of truth values", text: "int f(b) _Bool b; { return b; } int main(void) { if (f(2) != 1) reach_error(); return 0; }", want: report.Unknown},

	{name: "a distance that is no multiple", text: "struct t { char a[3]; }; char buf[12]; int main(void) { struct t *p = (struct t *)(buf + 4), *q = (struct t *)buf; if (p - q != 1) reach_error(); return 0; }", want: report.Unknown, reason: "no multiple of the size"},
	{name: "a negative one", text: "char buf[12]; int main(void) { int *p = (int *)(buf + 5), *q = (int *)buf; if (q - p != -1) reach_error(); return 0; }", want: report.Unknown, reason: "no multiple of the size"},
	{name: "a distance", text: "struct t { char a[3]; }; char buf[12]; int main(void) { struct t *p = (struct t *)(buf + 9), *q = (struct t *)buf; if (p - q != 3) reach_error(); return 0; }", want: report.Holds},

	{name: "a zero less an integer", text: "\n#include <math.h>\nint in(void); int main(void) { int i = in(); if (i < 0 || i > 3) return 0; double x = i; double d = 0.0 - (double)i; if (i == 0 && signbit(d)) reach_error(); return 0; }", want: report.Unknown, reason: "which of 0 and -0"},
	{name: "a zero and the negative of an integer", text: "\n#include <math.h>\nint in(void); int main(void) { int i = in(); if (i < 0 || i > 3) return 0; double x = i; double d = (double)i * -1.0 + 0.0; if (i == 0 && signbit(d)) reach_error(); return 0; }", want: report.Unknown, reason: "which of 0 and -0"},
	{name: "a zero less an integer, as it is", text: "\n#include <math.h>\nint in(void); int main(void) { int i = in(); if (i < 0 || i > 3) return 0; double x = i; double d = 0 - (x > 5 ? x : (double)i); if (i == 0 && signbit(d)) reach_error(); return 0; }", want: report.Unknown, reason: "which of 0 and -0"},
	{name: "a zero less what is positive", text: "\n#include <math.h>\nint in(void); int main(void) { int i = in(); if (i < 0 || i > 3) return 0; double x = i; double d = 0.0 - fabs(x); if (i == 0 && signbit(d)) reach_error(); return 0; }", want: report.Unknown, reason: "which of 0 and -0"},
	{name: "a zero and a zero less an integer", text: "\n#include <math.h>\nint in(void); int main(void) { int i = in(); if (i < 0 || i > 3) return 0; double x = i; double d = 0.0 - (0.0 + i); if (i == 0 && signbit(d)) reach_error(); return 0; }", want: report.Unknown, reason: "which of 0 and -0"},
	{name: "an integer less -0", text: "\n#include <math.h>\nint in(void); int main(void) { int i = in(); if (i < 0 || i > 3) return 0; double x = i; double d = -(double)i - -0.0; if (i == 0 && signbit(d)) reach_error(); return 0; }", want: report.Unknown, reason: "which of 0 and -0"},
	{name: "a zero less a variable", text: "\n#include <math.h>\nint in(void); int main(void) { int i = in(); if (i < 0 || i > 3) return 0; double x = i; double d = 0.0 - x; if (i == 0 && signbit(d)) reach_error(); return 0; }", want: report.Holds},
	{name: "a zero less a product", text: "\n#include <math.h>\nint in(void); int main(void) { int i = in(); if (i < 0 || i > 3) return 0; double x = i; double d = 0.0 - (double)i * 2.0; if (i == 0 && signbit(d)) reach_error(); return 0; }", want: report.Holds},
	{name: "a zero and an integer", text: "\n#include <math.h>\nint in(void); int main(void) { int i = in(); if (i < 0 || i > 3) return 0; double x = i; double d = 0.0 + i; if (i == 0 && signbit(d)) reach_error(); return 0; }", want: report.Holds},
	{name: "an integer less a zero", text: "\n#include <math.h>\nint in(void); int main(void) { int i = in(); if (i < 0 || i > 3) return 0; double x = i; double d = (double)i - 0.0; if (i == 0 && signbit(d)) reach_error(); return 0; }", want: report.Holds},

	{name: "the address of what has ended", text: "static int *f(void) { int x = 1; return &x; } int main(void) { if (f() == 0) reach_error(); return 0; }", memory: true, want: report.Unknown},
	{name: "its truth", text: "static int *f(void) { int x = 1; return &x; } int main(void) { if (!f()) reach_error(); return 0; }", memory: true, want: report.Unknown, reason: "is null"},
	{name: "that it is not null", text: "static int *f(void) { int x = 1; return &x; } int main(void) { int *p = f(); if (p != 0) reach_error(); return 0; }", memory: true, want: report.Unknown, reason: "is null"},
	{name: "that it is not null, whatever is used", text: "static int *f(void) { int x = 1; return &x; } int main(void) { int *p = f(); if (p != 0) reach_error(); return 0; }", want: report.Unknown, reason: "is null"},
	{name: "as a truth value", text: "static int *f(void) { int x = 1; return &x; } int main(void) { _Bool b = f(); if (!b) reach_error(); return 0; }", memory: true, want: report.Unknown},
	{name: "of a block", text: "int main(void) { int *p; { int x = 1; p = &x; } if (p == 0) reach_error(); return 0; }", memory: true, want: report.Holds}, // compilers keep it
	{name: "behind an array that lives", text: "int v[4]; int main(void) { int *p = v + 4; if (p == 0) reach_error(); return 0; }", memory: true, want: report.Holds},
	{name: "memory that is freed", text: "void *malloc(unsigned long); void free(void *); int main(void) { int *p = malloc(4); if (!p) return 0; free(p); if (p) reach_error(); return 0; }", memory: true, want: report.Violated},
	{name: "the address of what has not", text: "static int *f(int *p) { return p; } int main(void) { int x; if (f(&x) == 0) reach_error(); return 0; }", memory: true, want: report.Holds},
	{name: "a signalling NaN", text: "double in(void); double fmin(double, double); int main(void) { double x = in(); if (x == x) return 0; if (fmin(x, 1.0) != 1.0) reach_error(); return 0; }", want: report.Unknown, reason: "signalling"},
	{name: "a signalling NaN of the compiler", text: "double fmax(double, double); double s; int main(void) { s = __builtin_nans(\"\"); double z = fmax(s, 3.0); if (z != z) reach_error(); return 0; }", want: report.Unknown, reason: "signalling"},
	{name: "the library without types", text: "int labs(); int main(void) { if (labs(-3) != 3) reach_error(); return 0; }", want: report.Unknown, reason: "int for another type"},
	{name: "the library with a wide number", text: "long labs(); int main(void) { if (labs(-3L) != 3) reach_error(); return 0; }", want: report.Holds},
	{name: "memory without types", text: "void *malloc(); int in(void); int main(void) { char *p = malloc(in()); if (p && in()) reach_error(); return 0; }", want: report.Unknown, reason: "int for another type"},
	{name: "memory of a constant size", text: "void *malloc(); int main(void) { char *p = malloc(3); if (!p) return 0; p[2] = 1; if (p[2] != 1) reach_error(); return 0; }", want: report.Holds},
	{name: "a truth value of the library", text: "_Bool abs(int); int main(void) { if (abs(-2) == 1) reach_error(); return 0; }", want: report.Unknown, reason: "another width"},
	{name: "a quiet NaN", text: "double fmin(double, double); int main(void) { double z = 0, x = z / z; if (fmin(x, 1.0) != 1.0) reach_error(); return 0; }", want: report.Holds},
	{name: "alloca behind an array", text: "int in(void); int main(void) { int n = (in() & 3) + 1, *p[2]; for (int i = 0; i < 2; i++) { int a[n]; a[0] = 1; p[i] = __builtin_alloca(4); *p[i] = i; } if (*p[0] != 0) reach_error(); return 0; }", want: report.Unknown, reason: "array of variable length"},
}

// TestUndefined: what C leaves undefined is no proof.
func TestUndefined(t *testing.T) {
	for i, c := range undefinedCases {
		if soak.Thin(i) {
			continue
		}
		o := cfront.Options{}
		if c.memory {
			o.Checks = []ir.Check{ir.CheckMemory}
		}
		text := "void reach_error(void); " + c.text
		got, reason := reachTextWith(t, Common, text, o)
		if got != c.want || !strings.Contains(reason, c.reason) {
			t.Errorf("%s: %s (%s), not %s (%s)\n%s", c.name, got, reason, c.want, c.reason, text)
		}
	}
}
