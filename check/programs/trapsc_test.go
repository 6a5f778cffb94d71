package programs

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/seltl/seltl/armc"
	"github.com/seltl/seltl/c/cfront"
	"github.com/seltl/seltl/c/checks"
	"github.com/seltl/seltl/c/encode"
	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/report"
	"github.com/seltl/seltl/safety"
	"github.com/seltl/seltl/smt"
)

// trap is a program whose verdict was wrong once, or is easily so.
type trap struct {
	text   string
	want   report.Verdict // "" if it is to be refused, with this in the message
	refuse string
	checks []ir.Check
	rests  string // on this, too
	fails  bool   // malloc may
	model  ir.DataModel
}

// traps were found from outside, by people who knew the manual and gcc alone.
var traps = []trap{
	// Members behind bit-fields.
	{text: "struct b { char a; int b : 3; char c; }; int main(void) { struct b v; char *p = &v.a; p += 2; *p = 5; v.c = 1; if (*p == 1) reach_error(); }", want: report.Violated},
	{text: "struct b { char a; int b : 3; char c; }; int main(void) { struct b v; char *p = &v.a; p += 2; *p = 5; v.c = 1; if (*p != 1) reach_error(); }", want: report.Holds},
	{text: "struct b { char a; int b : 3; short c; }; union u { struct b s; unsigned short h[2]; }; int main(void) { union u u; u.h[1] = 7; if (u.s.c != 7) reach_error(); }", want: report.Holds},
	{text: "struct b { char a; int b : 3; short c; }; int main(void) { struct b v; if ((char *)&v.c - (char *)&v != 2) reach_error(); }", want: report.Holds},
	{text: "struct b { char a; int b : 3; short c; }; void *malloc(unsigned long); int main(void) { struct b *p = malloc(4); p->c = 1; }", checks: []ir.Check{ir.CheckBounds}, want: report.Holds},
	{text: "struct b { char a; int b : 3; short c; }; void *malloc(unsigned long); int main(void) { struct b *p = malloc(3); p->c = 1; }", checks: []ir.Check{ir.CheckBounds}, want: report.Violated},
	// An array of one element at the end of what a pointer points to goes on as its object does.
	{text: "struct v { int n; int a[1]; }; struct in { short k; char name[1]; }; struct o { int n; struct in last; }; struct z { int n; int a[2]; }; void *malloc(unsigned long); int main(void) { struct v *p = malloc(sizeof *p + 8); for (int i = 0; i < 3; i++) p->a[i] = i; if (p->a[2] != 2) reach_error(); }", want: report.Holds},
	{text: "struct v { int n; int a[1]; }; struct in { short k; char name[1]; }; struct o { int n; struct in last; }; struct z { int n; int a[2]; }; void *malloc(unsigned long); int main(void) { struct v *p = malloc(sizeof *p + 8); for (int i = 0; i < 3; i++) p->a[i] = i; if (p->a[2] == 2) reach_error(); }", want: report.Violated},
	{text: "struct v { int n; int a[1]; }; struct in { short k; char name[1]; }; struct o { int n; struct in last; }; struct z { int n; int a[2]; }; void *malloc(unsigned long); int main(void) { struct v *p = malloc(sizeof *p + 8); p->a[2] = 1; }", checks: []ir.Check{ir.CheckBounds}, want: report.Holds},
	{text: "struct v { int n; int a[1]; }; struct in { short k; char name[1]; }; struct o { int n; struct in last; }; struct z { int n; int a[2]; }; void *malloc(unsigned long); int main(void) { struct v *p = malloc(sizeof *p + 8); p->a[3] = 1; }", checks: []ir.Check{ir.CheckBounds}, want: report.Violated},
	{text: "struct v { int n; int a[1]; }; struct in { short k; char name[1]; }; struct o { int n; struct in last; }; struct z { int n; int a[2]; }; void *malloc(unsigned long); int main(void) { struct v *p = malloc(sizeof *p + 8); p->a[-1] = 4; if (p->n != 4) reach_error(); }", checks: []ir.Check{ir.CheckBounds}, want: report.Violated},
	{text: "struct v { int n; int a[1]; }; struct in { short k; char name[1]; }; struct o { int n; struct in last; }; struct z { int n; int a[2]; }; void *malloc(unsigned long); int main(void) { struct o *p = malloc(sizeof *p + 4); p->last.name[4] = 1; }", checks: []ir.Check{ir.CheckBounds}, want: report.Holds},
	{text: "struct v { int n; int a[1]; }; struct in { short k; char name[1]; }; struct o { int n; struct in last; }; struct z { int n; int a[2]; }; void *malloc(unsigned long); int main(void) { struct o *p = malloc(sizeof *p + 4); p->last.name[6] = 1; }", checks: []ir.Check{ir.CheckBounds}, want: report.Violated},
	{text: "struct v { int n; int a[1]; }; struct in { short k; char name[1]; }; struct o { int n; struct in last; }; struct z { int n; int a[2]; }; void *malloc(unsigned long); int main(void) { struct v x, *p = &x; p->a[1] = 1; }", checks: []ir.Check{ir.CheckBounds}, want: report.Violated},
	{text: "struct v { int n; int a[1]; }; struct in { short k; char name[1]; }; struct o { int n; struct in last; }; struct z { int n; int a[2]; }; void *malloc(unsigned long); int main(void) { struct v x; x.a[1] = 1; }", checks: []ir.Check{ir.CheckBounds}, want: report.Violated},
	{text: "struct v { int n; int a[1]; }; struct in { short k; char name[1]; }; struct o { int n; struct in last; }; struct z { int n; int a[2]; }; void *malloc(unsigned long); int main(void) { struct z *p = malloc(sizeof *p + 8); p->a[2] = 1; }", checks: []ir.Check{ir.CheckBounds}, want: report.Violated},
	{text: "struct v { int n; int a[1]; }; struct in { short k; char name[1]; }; struct o { int n; struct in last; }; struct z { int n; int a[2]; }; void *malloc(unsigned long); int main(void) { struct v *p = malloc(2 * sizeof *p); p[1].a[1] = 1; }", checks: []ir.Check{ir.CheckBounds}, want: report.Violated},
	// Going on from null.
	{text: "struct n { int v; struct n *next; }; int main(void) { struct n a = {1, 0}; struct n **e = &a.next->next; return *e != 0; }", checks: []ir.Check{ir.CheckNull}, want: report.Violated},
	{text: "int main(void) { int *p = 0; int *q = p + 1; return *q; }", checks: []ir.Check{ir.CheckNull}, want: report.Violated},
	{text: "int main(void) { int *p = 0; p++; return *p; }", checks: []ir.Check{ir.CheckNull}, want: report.Violated},
	{text: "struct s { int a, b; }; void set(int *p) { *p = 1; } int main(void) { struct s *p = 0; set(&p->b); }", checks: []ir.Check{ir.CheckNull}, want: report.Violated},
	{text: "struct s { int a, b; }; int main(int c, char **v) { struct s x = {1, 2}, *p = c > 1 ? &x : 0; if (!p) return 0; return *(&p->b); }", checks: []ir.Check{ir.CheckNull}, want: report.Holds},
	{text: "int main(void) { int *p = 0, v[4] = {1}, *e = v + 4, s = 0; p = p + 0; for (int *q = v; q != e; q++) s += *q; return s; }", checks: []ir.Check{ir.CheckNull}, want: report.Holds},
	// What ends.
	{text: "void *alloca(unsigned long); int *f(void) { int *p = alloca(4); *p = 3; return p; } int g(void) { int *p = alloca(4); *p = 9; return *p; } int main(void) { int *p = f(); g(); if (*p != 3) reach_error(); }", want: report.Holds, rests: "scope"},
	{text: "int *p; int main(void) { int n = 1; { int a[n]; a[0] = 4; p = a; } { int b[n]; b[0] = 5; if (*p != 4) reach_error(); } }", want: report.Holds, rests: "scope"},
	{text: "void *alloca(unsigned long); int f(int n) { int a[n]; int *q = alloca(4), *r = a; *q = 3; r[0] = 4; return *q + a[0]; } int main(void) { if (f(2) != 7) reach_error(); }", want: report.Holds, rests: "!scope"},
	// Arguments are evaluated from left to right, structs too.
	{text: "struct S { int a; } g; int f(struct S s, int x) { return s.a; } int set(void) { g.a = 5; return 0; } int main(void) { g.a = 1; if (f(g, set()) == 1) reach_error(); }", want: report.Violated},
	{text: "struct S { int a; } g; int f(struct S s, int x) { return s.a; } int set(void) { g.a = 5; return 0; } int main(void) { g.a = 1; if (f(g, set()) == 5) reach_error(); }", want: report.Holds, rests: "order"},
	// What attributes promise of routines that are only declared makes no difference.
	{text: "int other(int *) __attribute__((nonnull)); int main(void) { return 0; }", want: report.Holds, rests: "!promises"},
	// Halves are rounded away from zero, or to even numbers.
	{text: "double round(double); double real(void); int main(void) { double x = real(); if (x >= 2.5 && x < 3.0 && round(x) != 3.0) reach_error(); }", want: report.Holds},
	{text: "double rint(double); double real(void); int main(void) { double x = real(); if (x > 1.5 && x <= 2.5 && rint(x) != 2.0) reach_error(); }", want: report.Holds},
	// Numbers that double their length each time.
	{text: "int any(void); int main(void) { int x = 3; while (any()) { x = x * x; if (x == 81) x = x + 0; } if (x == 5) reach_error(); }", want: report.Holds},
	// What is copied without a value.
	{text: "struct S { int a, b; }; int f(struct S s) { return s.b == 77; } int main(void) { struct S s; s.a = 1; struct S t = s; return f(t); }", checks: []ir.Check{ir.CheckUninit}, want: report.Holds, rests: "written"},
	// A struct that a call returns ends with the expression.
	{text: temporaries + "void h(int x) { p = f(x).a; } int main(void) { h(1); h(2); if (p[1] != 2) reach_error(); }", want: report.Holds, rests: "scope"},
	{text: temporaries + "int main(void) { int *q = z(1).s.a; if (q[1] != 2) reach_error(); }", want: report.Holds, rests: "scope"},
	{text: temporaries + "void keep(int *q) { p = q; } int main(void) { keep(f(1).a); if (!p) reach_error(); }", want: report.Holds, rests: "scope"},
	{text: temporaries + "int main(void) { int *q = &z(1).s.a[1]; if (*q != 2) reach_error(); }", want: report.Holds, rests: "scope"},
	{text: temporaries + "int main(void) { for (int i = 0; i < 2; i++) { int *q = f(i).a; if (p && p == q) reach_error(); p = q; } }", want: report.Unknown},
	{text: temporaries + "int main(void) { struct s y = {{1, 2}}, x; if (f(3).a[1] != 3 || sum(f(4).a) != 8 || z(1).s.a[1] != 2 || (p ? x : y).a[1] != 2 || sum(z(5).s.a) != 11) reach_error(); }", want: report.Holds, rests: "!scope"},
	{text: temporaries + "int main(void) { struct s y, x = {{1, 2}}; p = (y = x).a; }", refuse: "value of an assignment"},
	{text: temporaries + "int main(void) { struct s x = {{1, 2}}; p = (0, x).a; }", refuse: "value of an assignment"},
	{text: "void die(void) __attribute__((noreturn)); int main(int c, char **v) { if (c > 2) die(); if (c > 2) reach_error(); }", want: report.Holds, rests: "routines"},
	{text: "void exit(int) __attribute__((noreturn)); int main(int c, char **v) { if (c > 2) exit(1); if (c > 2) reach_error(); }", want: report.Holds, rests: "!routines"},
	// Lengths of arrays.
	{text: "int main(void) { int n = 3; typedef int T[n]; n = 5; T a; if (sizeof a == 12) reach_error(); }", refuse: "variable length"},
	{text: "int main(void) { int n = 3; int a[n]; n = 5; __typeof__(a) b; if (sizeof b == 12) reach_error(); }", refuse: "variable length"},
	{text: "int f(int n, int a[n++]) { return n; } int main(void) { int b[5]; if (f(3, b) == 4) reach_error(); }", refuse: "changes something"},
	{text: "int main(void) { int i = 0; int (*p)[++i] = 0; if (i == 1) reach_error(); }", refuse: "changes something"},
	{text: "int main(void) { int i = 0; void *v = 0; int k = ((int (*)[++i])v == 0); if (i == 1) reach_error(); }", refuse: "changes something"},
	{text: "int main(void) { int n = 2; int a[n = 3]; if (n == 3) reach_error(); }", refuse: "changes something"},
	{text: "int g; int f(void) { g++; return 1; } int main(void) { int a[(f(), 3)]; if (g == 1) reach_error(); }", refuse: "changes something"},
	{text: "int main(void) { int n = 0; int s = sizeof(int[(n++, 3)]); if (n == 1) reach_error(); }", refuse: "changes something"},
	{text: "int g; int f(void) { return ++g + 2; } int main(void) { int a[f()]; if (sizeof a != 12 || g != 1) reach_error(); }", want: report.Holds},
	// Literals.
	{text: "int main(void) { if (u8\"x\"[0] != 'x') reach_error(); }", refuse: "u8"},
	{text: "int main(void) { if (sizeof(\"ab\" u8\"c\") != 4) reach_error(); }", refuse: "u8"},
	{text: "int main(void) { if (__func__ == \"main\") reach_error(); }", want: report.Holds},
	{text: "const char *f(void) { return __func__; } int main(void) { if (f() != f() || f()[0] != 'f') reach_error(); }", want: report.Holds},
	{text: "#define E (\"ab\" == \"ab\")\nint main(void) { if (!E) reach_error(); }", want: report.Unknown},
	{text: "#include <stdint.h>\nint main(void) { if (UINT8_C(255) != 255 || sizeof(INTMAX_C(1)) != 8 || INT_LEAST16_MAX != 32767) reach_error(); }", want: report.Holds},
	{text: "int main(void) { if (sizeof(main) == 1) reach_error(); }", refuse: "size of a routine"},
	// The preprocessor.
	{text: "#define LIST(x,...) {x,##__VA_ARGS__}\nint main(void) { int a[2] = LIST(1,4); if (a[1] != 0) reach_error(); }", want: report.Violated},
	{text: "#define M(x,...) g(x,## __VA_ARGS__)\n#define N(x,...)  g( x ,##__VA_ARGS__ ) ; \\\n  g( x  ,  ##__VA_ARGS__)\nint s; void g(int a, int b) { s += b; }\nint main(void) { M(1,4); N(1,5); if (s != 14) reach_error(); }", want: report.Holds},
	{text: "#define M(x,...) g(x,##__VA_ARGS__)\nint s; void g(int a) { s += a; }\nint main(void) { M(1); if (s != 1) reach_error(); }", want: report.Holds},
	{text: "#define L(x,y...) {x,##y}\nint main(void) { int a[2] = L(1,4); if (a[1] != 4) reach_error(); }", refuse: "have a name"},
	{text: "#define L(x,...){x,##__VA_ARGS__}\nint main(void) { int a[2] = L(1,4); if (a[1] != 4) reach_error(); }", refuse: "comma"},
	{text: "#define C(a, b) a##b\nint main(void) { int x = 1; C(-, -)x; if (x == 0) reach_error(); }", refuse: "punctuators"},
	{text: "#define C2(a,b) a##b\n#define C(a,b) C2(a,b)\nint main(void) { int x = 1; C(-, -)x; if (x == 0) reach_error(); }", refuse: "punctuators"},
	{text: "#define OP(name, op) int f_##name(int a, int b) { return a op b; }\nOP(add, +)\nOP(sub, -)\nint main(void) { if (f_add(1, 2) != 3 || f_sub(3, 1) != 2) reach_error(); }", want: report.Holds},
	{text: "#define LOG(p, f, ...) g(p \"  \" f,##__VA_ARGS__)\nint n; void g(const char *s, int x) { n = s[1] + s[2]; }\nint main(void) { LOG(\"a\", \"b\",1); if (n != 64) reach_error(); }", want: report.Holds},
	{text: "#define M(x,args...) a##_##args + x\nint a_r = 3;\nint main(void) { if ((M(1,r)) != 4) reach_error(); }", want: report.Holds},
	{text: "#define X(a) #a\nint main(void) { if (sizeof X(a\nb) != 4) reach_error(); }", refuse: "begins without a blank"},
	{text: "#define X(...) #__VA_ARGS__\n#define Y(a) X(a)\nint main(void) { if (Y(a\nb)[1] != 32) reach_error(); }", refuse: "begins without a blank"},
	{text: "#define X(a) #a\nint main(void) { if (sizeof X(a\n  b) != 4 || sizeof X(\n a\n) != 2) reach_error(); }", want: report.Holds},
	{text: "void say(const char *); int main(void) { say(\"an u8\"); /* u8\"x\" */ }", want: report.Holds},
	{text: "unsigned long f(int x) { return 1; } char a[sizeof(f(1))]; int main(void) { void *p = 0; if (sizeof a != 8 || sizeof(*p) != 1) reach_error(); }", want: report.Holds},
	{text: "#define C(a, b) a##b\nint main(void) { int C(x, 1) = 2; if (C(x,1) != 2) reach_error(); }", want: report.Holds},
	{text: "#if (2 && 1) == 1\nint x = 1;\n#else\nint x = 0;\n#endif\nint main(void) { if (x != 1) reach_error(); }", refuse: "&&"},
	{text: "#if 1 - (0x8000000000000000 && 1)\nint x = 1;\n#else\nint x = 0;\n#endif\nint main(void) { if (x) reach_error(); }", refuse: "&&"},
	{text: "#define T (2 && 1)\n#if T == 1\nint x = 1;\n#else\nint x = 0;\n#endif\nint main(void) { if (x != 1) reach_error(); }", refuse: "&&"},
	{text: "#define A 2\n#if (defined(A) && A > 1) || (A && !(defined B && B))\nint x = 1;\n#else\nint x = 0;\n#endif\nint main(void) { if (x != 1) reach_error(); }", want: report.Holds},
	// What compilers have beside C.
	{text: "struct p { char a; int b; } __attribute__((packed)); int any(void); int main(void) { struct p x; unsigned char *q = (unsigned char *)&x; x.b = any(); if (x.b == 0x1234 && q[1] != 0x34 || sizeof x != 5) reach_error(); }", want: report.Holds},
	{text: "struct p { char a; int b; } __attribute__((packed)); int any(void); int main(void) { struct p x; unsigned char *q = (unsigned char *)&x; x.b = any(); if (q[1] == 0x34 && q[4] == 7) reach_error(); }", want: report.Violated},
	{text: "struct p { char a; int b; } __attribute__((packed)); void *malloc(unsigned long); int main(void) { struct p *x = malloc(5); x->b = 1; }", checks: []ir.Check{ir.CheckBounds}, want: report.Holds},
	{text: "struct p { char a; int b; } __attribute__((packed)); void *malloc(unsigned long); int main(void) { struct p *x = malloc(4); x->b = 1; }", checks: []ir.Check{ir.CheckBounds}, want: report.Violated},
	{text: "#pragma pack(2)\nstruct p { char a; int b; };\n#pragma pack()\nstruct q { char a; int b; }; int main(void) { struct p x[2]; struct q y; if ((char *)&x[1].b - (char *)x != 8 || (char *)&y.b - (char *)&y != 4) reach_error(); }", want: report.Holds},
	{text: "struct p { unsigned a : 5, b : 11; unsigned char c; } __attribute__((packed)); int any(void); int main(void) { struct p x; x.b = any(); x.c = 9; x.a = 31; if (x.b > 2047 || x.c != 9) reach_error(); }", want: report.Holds},
	{text: "enum e { A = -1, B = 0x80000000 }; int main(void) { if (!(A < 0) || B < 0 || sizeof(enum e) != 8) reach_error(); }", want: report.Holds},
	{text: "int any(void); int main(void) { int x = any(), y; __asm__(\"\" : \"=r\"(y) : \"0\"(x)); __asm__ volatile(\"\" ::: \"memory\"); if (x != y) reach_error(); }", want: report.Holds},
	{text: "int any(void); int main(void) { int x = any(); if (x > 3) __asm__(\"cli\"); if (x == 2) reach_error(); }", want: report.Violated},
	{text: "int any(void); int main(void) { int x = any(); if (x > 3) __asm__(\"cli\"); if (x == 5) reach_error(); }", want: report.Unknown},
	{text: "int any(void); int main(void) { int x = any(); if (x > 3 && x < 3) __asm__(\"cli\" : \"=r\"(x)); if (x != any() && x * 0 == 1) reach_error(); }", want: report.Holds},
	{text: "int any(void); int f(int n, ...) { return n; } int main(void) { int x = any(); if (f(x, 2, \"c\") != x) reach_error(); }", want: report.Holds},
	{text: "int main(void) { goto in; { __int128 v = 3; in: if (v == 3) reach_error(); } }", want: report.Unknown},
	{text: "int v = 4; int main(void) { { static void *l[] = {&&out}; int v = (goto_(), 1); } out: if (v != 4) reach_error(); }", want: report.Unknown},
	{text: "__int128 w = 3; int *p = (int *)&w; int f(void) { return *p; } int main(void) { if (f() == 5) reach_error(); }", want: report.Unknown},
	{text: "int g(void); int f(void) { return g(); } __int128 h(__int128 x) { return x; } int g(void) { return h(3); } int main(void) { if (f() == 5) reach_error(); }", want: report.Unknown},
	{text: "extern int w; int f(void) { return w; } int w = _Generic((char *)0, char *: 5, default: 6); int main(void) { if (f() == 5) reach_error(); }", want: report.Unknown},
	{text: "extern int w; int f(void) { return w; } int w = _Generic(1, int: 5, default: 6); int main(void) { if (f() == 5) reach_error(); }", want: report.Violated},
	{text: "int v = 1; int main(void) { { _Complex double v = 0; if (v == 1) reach_error(); } if (v != 1) reach_error(); }", want: report.Unknown},
	{text: "int main(void) { int n = 0; do { n++; } while (n < 3 && _Generic(n ? n : n, int: 1)); if (n == 1) reach_error(); }", want: report.Unknown},
	{text: "int main(void) { int n = 0; do { n++; } while (n < 3 && _Generic(n, int: 1)); if (n == 1) reach_error(); }", want: report.Holds},
	{text: "int any(void); int main(void) { switch (any()) { case 1: __asm__(\"cli\"); case 2: return 0; default: reach_error(); } }", want: report.Violated},
	{text: "asm(\".globl zz; zz: ret\"); int zz(void); int main(void) { if (zz() == 2) reach_error(); }", want: report.Unknown},
	// The beginning.
	{text: "#include <errno.h>\nint main(void) { if (errno) reach_error(); }", want: report.Holds},
	{text: "int main(int argc, char **argv) { if (argc < 0 || !argv) reach_error(); }", want: report.Holds},
	{text: "int main(int argc, char **argv) { if (argc == 0) reach_error(); }", want: report.Violated},
}

// askTraps asks all of a list; with -short those that are refused, which costs nothing, and some of the others.
func askTraps(t *testing.T, pool *smt.Pool, all []trap) {
	t.Helper()
	for i, c := range all {
		if c.refuse != "" || !soak.Thin(i) {
			c.run(t, pool)
		}
	}
}

func (c *trap) run(t *testing.T, pool *smt.Pool) {
	p, err := cfront.Parse([]*source.File{source.NewFile("t.c", "void reach_error(void);\n"+c.text)}, cfront.Options{MallocFails: c.fails, Model: c.model})
	if c.refuse != "" && err == nil && strings.Contains(source.List(p.Unread).Error(), c.refuse) { // where a run comes to it
		c.refuse, c.want = "", report.Unknown
	}
	if c.refuse != "" {
		if err == nil || !strings.Contains(err.Error(), c.refuse) {
			t.Errorf("%s: %v, to be refused with %q", c.text, err, c.refuse)
		}
		return
	}
	if err != nil {
		t.Errorf("%s: %v", c.text, err)
		return
	}
	checks.Add(p, c.checks)
	e, err := encode.Encode(p, "")
	if err != nil {
		if c.want != report.Unknown {
			t.Errorf("%s: %v", c.text, err)
		}
		return
	}
	r, _, err := ReachC(context.Background(), e, pool, check.Options{}, safety.Options{Engine: armc.Options{MaxQueries: 300}})
	if err != nil {
		t.Errorf("%s: %v", c.text, err)
		return
	}
	res := &r.Results[0]
	name, not := strings.CutPrefix(c.rests, "!")
	if c.want != report.Holds {
		NotProved(t, p, c.text)
	}
	if res.Verdict != c.want || c.rests != "" && slices.Contains(assumedNames(res), name) == not {
		t.Errorf("%s: %s (%s), expected %s; rests on %v", c.text, res.Verdict, res.Reason, c.want, assumedNames(res))
	}
}

const temporaries = "struct s { int a[2]; }; struct t { struct s s; int k; }; struct s f(int x) { struct s r = {{x, x}}; return r; } struct t z(int x) { struct t r = {{{x, x + 1}}, 3}; return r; } int *p; int sum(int *v) { return v[0] + v[1]; } "

// TestTraps: programs whose verdicts were wrong.
func TestTraps(t *testing.T) {
	pool := Common
	askTraps(t, pool, traps)
}
