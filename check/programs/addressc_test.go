package programs

import (
	"fmt"
	"testing"

	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/report"
)

// addressCase is a program that computes something of addresses, and what is true of it in all
// layouts of memory; Unknown is what is true in some of them only.
type addressCase struct {
	name, before, body string
	want               report.Verdict
}

const heap = "void *malloc(unsigned long); void free(void *);"

var addressCases = []addressCase{
	// Addresses of objects that have ended may be given out again.
	{"freed, then allocated", heap, "int *p = malloc(4); word a = (word)p; free(p); int *q = malloc(4); word b = (word)q; if (a == b) reach_error();", report.Unknown},
	{"freed, as pointers", heap, "int *p = malloc(4), *old = p; free(p); int *q = malloc(4); if (old == q) reach_error();", report.Unknown},
	{"freed, other sizes", heap, "char *p = malloc(1); word a = (word)p; free(p); int *q = malloc(400); if (a == (word)q) reach_error();", report.Unknown},
	{"freed in a loop", heap, "word a = 0; for (int i = 0; i < 3; i++) { char *p = malloc(1); if (a == (word)p) reach_error(); a = (word)p; free(p); }", report.Unknown},
	{"freed by a pointer to free", heap, "void (*f)(void *) = free; char *p = malloc(1); word a = (word)p; f(p); if (a == (word)malloc(1)) reach_error();", report.Unknown},
	{"kept in a global", heap + " word kept; void keep(void) { int x; kept = (word)&x; }", "keep(); int y; if (kept == (word)&y) reach_error();", report.Unknown},
	{"a local of two calls", "word of(void) { int x; return (word)&x; }", "if (of() != of()) reach_error();", report.Unknown},
	{"a local of two calls is not the same", "word of(void) { int x; return (word)&x; }", "if (of() == of()) reach_error();", report.Unknown},
	{"locals of two routines", "word f(void) { int x; return (word)&x; } word g(void) { char c[9]; return (word)c; }", "if (f() == g()) reach_error();", report.Unknown},
	{"blocks after one another", "", "word a; { int x; a = (word)&x; } { int y; if (a == (word)&y) reach_error(); }", report.Unknown},
	{"a block that is entered again", "", "word a = 0; for (int i = 0; i < 2; i++) { int x; if (i && a != (word)&x) reach_error(); a = (word)&x; }", report.Unknown},
	{"a block that is entered again has the address", "", "word a = 0; for (int i = 0; i < 2; i++) { int x; if (i && a == (word)&x) reach_error(); a = (word)&x; }", report.Unknown},
	{"arrays of variable length that have it", "int any(void);", "word a = 0; int n = any() & 7; for (int i = 0; i < 2; i++) { char v[n + 1]; if (i && a == (word)v) reach_error(); a = (word)v; }", report.Unknown},
	{"arrays of variable length", "int any(void);", "word a = 0; int n = any() & 7; for (int i = 0; i < 2; i++) { char v[n + 1]; if (i && a != (word)v) reach_error(); a = (word)v; }", report.Unknown},
	{"compared behind the end", heap, "char *p = malloc(1); word a = (word)p; char *q = malloc(1); word b = (word)q; free(p); free(q); if (a == b) reach_error();", report.Holds},
	{"two that live", heap, "char *p = malloc(1), *q = malloc(1); if (p == q) reach_error(); free(p); free(q);", report.Holds},
	{"one that lives in a loop", heap, "char *p = malloc(1); for (int i = 0; i < 3; i++) { char *q = malloc(1); if (p == q) reach_error(); free(q); }", report.Holds},
	{"itself", heap, "char *p = malloc(1), *q = p; free(p); if (p != q) reach_error();", report.Holds},
	{"a list that is freed at the end", heap + " struct n { struct n *next; };", "struct n *a = malloc(8), *b = malloc(8); a->next = b; b->next = 0; if (a->next == a || b->next) reach_error(); while (a) { struct n *m = a->next; free(a); a = m; }", report.Holds},
	{"fails whatever the addresses are", heap, "char *p = malloc(1); free(p); char *q = malloc(1); reach_error();", report.Violated},

	// Numbers that are made pointers are compared as numbers, where none can be an address of the program.
	{"numbers as pointers", "int n; void *number(void) { return (void *)(word)++n; }", "void *a = number(), *b = number(); if (a == b) reach_error();", report.Holds},
	{"numbers as pointers, from an input", "unsigned any(void);", "void *a = (void *)(word)any(), *b = (void *)(word)any(); if (a != b) return 0; if ((word)a != (word)b) reach_error();", report.Holds},
	{"numbers as pointers, in an array", "void *kept[2]; int of[2];", "for (int i = 0; i < 2; i++) { kept[i] = (void *)(word)(i + 1); of[i] = i; } for (int i = 0; i < 2; i++) if (kept[i] == (void *)(word)(of[1] + 1) && i != 1) reach_error();", report.Holds},
	{"a number as a pointer beside a variable", "unsigned any(void); int x;", "void *a = (void *)(word)any(); if (a == (void *)&x) reach_error();", report.Unknown},
	{"a number as a pointer beside what may be one", "word any(void); int x; void *of(int b) { return b ? (void *)any() : &x; }", "void *a = of(any() & 1), *b = of(any() & 1); if (a == b) return 0; if ((word)a - (word)b == 16) reach_error();", report.Unknown},
	{"a number as a pointer beside a routine", "word any(void); void f(void) { }", "void *a = (void *)any(); if (a == (void *)f) reach_error();", report.Unknown},
	{"pointers from elsewhere that are one number", "void *get(void);", "void *a = get(), *b = get(); if (a == b && a == (void *)0x8000) reach_error();", report.Violated},
	// What depends on where objects lie is no proof of failure.
	{"alignment of a char", "", "char c; if (((word)&c & 3) == 0) reach_error();", report.Unknown},
	{"alignment, the other way round", "", "char c; if (((word)&c & 3) != 0) reach_error();", report.Unknown},
	{"a remainder", "", "char c; if ((word)&c % 16 == 0) reach_error();", report.Unknown},
	{"a hash", "", "char c; if ((((word)&c >> 4) * 31 & 7) < 4) reach_error();", report.Unknown},
	{"order", "", "char c, d; if (&c < &d) reach_error();", report.Unknown},
	{"distance", "", "char c, d; if (&d - &c > 0) reach_error();", report.Unknown},
	{"distance of integers", "", "char c, d; if ((word)&d - (word)&c > 16) reach_error();", report.Unknown},
	{"an array and what may lie behind it", "", "int v[2], x; if (v + 2 == &x) reach_error();", report.Unknown},
	{"a number", "", "char c; if ((word)&c == 0x5000) reach_error();", report.Unknown},
	{"another number", "", "char c; if ((word)&c != 0x5000) reach_error();", report.Unknown},
	{"a narrow integer", "", "char c; if ((unsigned short)(word)&c == 0x1000) reach_error();", report.Unknown},
	{"through memory", "word kept;", "char c; kept = (word)&c & 15; if (kept == 0) reach_error();", report.Unknown},
	{"through a call", "int low(void *p) { return (word)p & 1; }", "char c; if (!low(&c)) reach_error();", report.Unknown},
	{"by bytes", "", "char c, *p = &c; if (*(unsigned char *)&p == 0) reach_error();", report.Unknown},
	{"an index", "", "char c; int v[2] = {0, 1}; if (v[(word)&c >> 3 & 1] == 0) reach_error();", report.Unknown},
	{"allocated memory", heap, "char *p = malloc(1); if (((word)p & 64) == 0) reach_error();", report.Unknown},
	{"routines", "void f(void) { } void g(void) { }", "if ((word)f < (word)g) reach_error();", report.Unknown},
	{"behind a routine", "void f(void) { } void g(void) { }", "if ((word)f + 16 == (word)g) reach_error();", report.Unknown},
	{"behind a routine, never", "void f(void) { } void g(void) { }", "if ((word)f + 16 != (word)g) reach_error();", report.Unknown},
	{"before a routine", "void f(void) { } int x;", "if ((word)f - 4 == (word)&x) reach_error();", report.Unknown},
	{"a routine moved to a number", "void f(void) { }", "if ((word)f - 0x401000 == 0) reach_error();", report.Unknown},
	{"a routine moved in a loop", "void f(void) { } void g(void) { }", "word a = (word)f; for (int i = 0; i < 4; i++) a += 8; if (a == (word)g) reach_error();", report.Unknown},
	{"a routine moved by an input", "void f(void) { } void g(void) { } int any(void);", "word a = (word)f + any(); if (a == (word)g) reach_error();", report.Unknown},
	{"a routine's address is itself", "void f(void) { } void g(void) { }", "word a = (word)f, b = a; if (b != (word)f || a == (word)g) reach_error();", report.Holds},
	{"a routine is moved and called", "void f(void) { } void g(void) { }", "void (*p)(void) = (void (*)(void))((word)f + 16); if (p == g) reach_error();", report.Unknown},

	// A number that becomes a pointer without a cast may be one.
	{"computed, and read as a pointer", "union { word a; int *p; } u; int x;", "u.a = ((word)&x ^ 5) ^ 5; *u.p = 5; if (x == 5) reach_error();", report.Unknown},
	{"put together, and read as a pointer", "union { word a; int *p; } u; int x;", "word lo = (word)&x & 0xffffffff, hi = (word)&x >> 32; u.a = hi << 32 | lo; *u.p = 5; if (x != 5) reach_error();", report.Unknown},
	{"computed, and copied to a pointer", "void *memcpy(void *, const void *, unsigned long); int x;", "word a = ((word)&x ^ 5) ^ 5; int *p; memcpy(&p, &a, 8); *p = 5; if (x == 5) reach_error();", report.Unknown},
	{"computed, in a struct that is copied", "struct { word pad; union { word a; int *p; } u; } s, t; int x;", "s.u.a = ((word)&x ^ 5) ^ 5; t = s; *t.u.p = 5; if (x == 5) reach_error();", report.Unknown},
	{"computed, in an array", "union { word a; int *p; } u[4]; int x; unsigned any(void);", "u[1].a = ((word)&x ^ 5) ^ 5; unsigned i = any() & 3; if (i == 1) { *u[i].p = 5; if (x == 5) reach_error(); }", report.Unknown},
	{"an address in a union", "union { word a; int *p; } u; int x;", "u.a = (word)&x; *u.p = 5; if (x != 5) reach_error();", report.Holds},
	{"a pointer in a union with a tag", "struct { int tag; union { int n; int *p; } u; } s; int x;", "s.tag = 1; s.u.p = &x; if (s.tag) *s.u.p = 5; if (x != 5) reach_error();", report.Holds},

	// A run that uses what has ended is none.
	{"behind its block", "", "int *p; { int x = 1; p = &x; } if (*p == 1) reach_error();", report.Unknown},
	{"behind the body of a loop", "", "int *p = 0; for (int i = 0; i < 2; i++) { int x = i; if (i) if (*p == 1) reach_error(); p = &x; }", report.Unknown},
	{"behind a loop", "", "int *p; for (int i = 0; i < 2; i++) p = &i; if (*p == 2) reach_error();", report.Unknown},
	{"behind a literal", "", "int *p = 0; { p = (int[]){1, 2}; } if (p[1] == 2) reach_error();", report.Unknown},
	{"behind a jump out", "", "int *p; { int x = 1; p = &x; goto out; } out: if (*p == 1) reach_error();", report.Unknown},
	{"behind break", "", "int *p; while (1) { int x = 1; p = &x; break; } if (*p == 1) reach_error();", report.Unknown},
	{"behind an array of variable length", "int any(void);", "int n = (any() & 3) + 1, *p; { int v[n]; v[0] = 1; p = v; } if (*p == 1) reach_error();", report.Unknown},
	{"written behind its block", "", "int *p, y = 0; { int x = 1; p = &x; } *p = 2; y = *p; if (y == 2) reach_error();", report.Unknown},
	{"a block that is entered again begins anew", "", "int *p = 0, n = 0; for (int i = 0; i < 3; i++) { int x = i; p = &x; n += *p; } if (n == 3) reach_error();", report.Violated},
	{"a label in the block", "", "int n = 0; { int x = 1; int *p = &x; again: n += *p; if (n < 3) goto again; } if (n == 3) reach_error();", report.Violated},
	{"literals", "", `if ("a" == "a") reach_error();`, report.Unknown},
	{"literals that differ", "", `if ("a" != "a") reach_error();`, report.Unknown},
	{"an end of a literal", "", `if ("ba" + 1 == "a") reach_error();`, report.Unknown},
	{"one literal", "", `char *p = "ab", *q = p + 1; if (q - p == 1 && p != q && *q == 'b') reach_error();`, report.Violated},
	{"not null", "", "char c; if (&c != 0 && (word)&c > 100) reach_error();", report.Violated},
	{"inside of an array", "", "int v[4]; if (&v[3] > &v[1] && &v[3] - &v[1] == 2 && (word)&v[3] - (word)&v[1] == 8) reach_error();", report.Violated},
	{"different variables", "", "int x, y; if (&x != &y) reach_error();", report.Violated},
	{"there and back", "", "int x = 3; if (*(int *)(word)&x == 3) reach_error();", report.Violated},
	{"a copied pointer", "void *memcpy(void *, const void *, unsigned long);", "int x = 3, *p = &x, *q; memcpy(&q, &p, sizeof p); if (*q == 3 && p == q) reach_error();", report.Violated},
	{"a value that nothing depends on", "int any(void);", "char c; int low = (word)&c & 3; if (any() == 5) reach_error();", report.Violated},
}

// TestAddresses: proofs hold for all layouts of memory, and failures are none that need one.
func TestAddresses(t *testing.T) {
	pool := Common
	for i, c := range addressCases {
		if soak.Thin(i) {
			continue
		}
		text := fmt.Sprintf("typedef unsigned long word;\nvoid reach_error(void);\n%s\nint main(void) { %s return 0; }\n", c.before, c.body)
		got, reason := reachText(t, pool, text)
		if got != c.want {
			t.Errorf("%s: %s (%s), not %s\n%s", c.name, got, reason, c.want, text)
		}
	}
}
