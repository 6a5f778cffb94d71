package programs

import (
	"fmt"
	"testing"

	"github.com/seltl/seltl/c/cfront"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/report"
)

// environmentCase is a program that its surroundings can change, and the verdicts of it: as a rule,
// and where volatile variables are plain ones, or where memory may be used up.
type environmentCase struct {
	name, before, body string
	rule, other        report.Verdict
}

const memory = "void *malloc(unsigned long); void *calloc(unsigned long, unsigned long); void free(void *); char *strdup(const char *);"

var volatileCases = []environmentCase{
	{"two reads", "volatile int v;", "int a = v, b = v; if (a != b) reach_error();", report.Violated, report.Holds},
	{"a loop that waits", "", "volatile int v = 1; while (v) ; reach_error();", report.Violated, report.Holds},
	{"a parameter", "int twice(volatile int v) { return v != v; }", "if (twice(1)) reach_error();", report.Violated, report.Holds},
	{"a member", "struct { volatile int a; int b; } s;", "if (s.a != s.a) reach_error();", report.Violated, report.Holds},
	{"a member beside it", "struct { volatile int a; int b; } s;", "if (s.b != s.b) reach_error();", report.Holds, report.Holds},
	{"a member of a volatile struct", "struct t { int a; }; volatile struct t s;", "if (s.a) reach_error();", report.Violated, report.Holds},
	{"by a pointer to a volatile struct", "struct t { int a; } s;", "volatile struct t *p = &s; if (p->a) reach_error();", report.Violated, report.Holds},
	{"a pointer to volatile", "int x;", "volatile int *p = &x; if (*p) reach_error();", report.Violated, report.Holds},
	{"a volatile pointer", "int x, y; int *volatile p = &x;", "if (p != p) reach_error();", report.Violated, report.Holds},
	{"an array", "volatile int v[3];", "if (v[1]) reach_error();", report.Violated, report.Holds},
	{"a bit-field", "struct { volatile unsigned a : 2; } s;", "if (s.a) reach_error();", report.Violated, report.Holds},
	{"a bit-field and its range", "struct { volatile unsigned a : 2; } s;", "if (s.a > 3) reach_error();", report.Holds, report.Holds},
	{"by a routine that is declared first", "int z; volatile int *get(void), *other(int); volatile int *get(void) { return &z; }", "if (*get() != 0) reach_error();", report.Violated, report.Holds},
	{"by such a routine, with the word behind", "int z; int __volatile__ * get(void); volatile int *get(void) { return &z; }", "volatile int *p = get(); *p = 1; if (*p != 1) reach_error();", report.Violated, report.Holds},
	{"the result of a routine that is declared first", "int z; int *volatile get(void); int *volatile get(void) { return &z; }", "if (*get() != 0) reach_error();", report.Holds, report.Holds},
	{"a pointer that was set", "int *volatile p; int x;", "p = &x; *p = 5; if (x != 0) reach_error();", report.Violated, report.Violated},
	{"a pointer that its initialiser sets", "int x; int *volatile p = &x;", "*p = 5; if (x != 0) reach_error();", report.Violated, report.Violated},
	{"a pointer to a struct that was set", "struct n { int v; struct n *next; } a; struct n *volatile head;", "head = &a; head->v = 5; if (a.v != 0) reach_error();", report.Violated, report.Violated},
	{"a pointer that is volatile by a cast", "int x, *p = &x;", "*(*(int *volatile *)&p) = 5; if (x != 0) reach_error();", report.Violated, report.Violated},
	{"a member that points", "struct { int *m; int k; } volatile s; int x;", "s.m = &x; *s.m = 5; if (x != 0) reach_error();", report.Violated, report.Violated},
	{"a struct with a pointer", "struct s { int *m; int k; }; volatile struct s s; int x;", "s.m = &x; struct s u = s; *u.m = 5; if (x != 0) reach_error();", report.Unknown, report.Violated},
	{"a union with a pointer", "volatile union { int *m; long l; } u; int x;", "u.m = &x; *u.m = 5; if (x != 0) reach_error();", report.Violated, report.Violated},
	{"an element that points", "int *volatile a[2]; int x;", "a[1] = &x; *a[1] = 5; if (x != 0) reach_error();", report.Violated, report.Violated},
	{"a pointer to a pointer", "int x, *p = &x; int *volatile *volatile q;", "q = (int *volatile *)&p; **q = 5; if (x != 0) reach_error();", report.Violated, report.Violated},
	{"a pointer to a routine", "int x; void f(void) { x = 1; } void (*volatile p)(void);", "p = f; p(); if (x != 0) reach_error();", report.Unknown, report.Violated},
	{"by a cast", "int x;", "if (*(volatile int *)&x) reach_error();", report.Violated, report.Holds},
	{"counted", "volatile int v;", "v++; if (v != 1) reach_error();", report.Violated, report.Holds},
	{"compound", "volatile int v;", "int a; v = 1; a = v += 1; if (a != 2) reach_error();", report.Violated, report.Holds},
	{"what an assignment gives", "volatile int v;", "int a = v = 3; if (a != 3) reach_error();", report.Holds, report.Holds},
	{"not read", "volatile int v;", "v = 3; int x = 4; if (x != 4) reach_error();", report.Holds, report.Holds},
	{"its size", "volatile int v;", "if (sizeof v != 4) reach_error();", report.Holds, report.Holds},
	{"its type", "volatile unsigned char v;", "if (v > 255) reach_error();", report.Holds, report.Holds},
}

var mallocCases = []environmentCase{
	{"used unchecked", memory, "int *p = malloc(4); if (!p) reach_error();", report.Holds, report.Violated},
	{"asserted", memory, "if (malloc(3) == 0) reach_error();", report.Holds, report.Violated},
	{"calloc", memory, "int *p = calloc(1, 4); if (!p) reach_error();", report.Holds, report.Violated},
	{"strdup", memory, `char *p = strdup("a"); if (!p) reach_error();`, report.Holds, report.Violated},
	{"in a loop", memory, "for (int i = 0; i < 2; i++) if (!malloc(1)) reach_error();", report.Holds, report.Violated},
	{"the second only", memory, "char *p = malloc(1); if (!p) return 0; if (!malloc(1)) reach_error();", report.Holds, report.Violated},
	{"by a wrapper", memory + " void *get(void) { void *p = malloc(8); if (!p) reach_error(); return p; }", "get();", report.Holds, report.Violated},
	{"looked at", memory, "int *p = malloc(4); if (p) { *p = 3; if (*p != 3) reach_error(); }", report.Holds, report.Holds},
	{"with a way out", memory, "int *p = malloc(4); if (!p) return 1; *p = 1; if (*p != 1) reach_error();", report.Holds, report.Holds},
	{"not asked for", memory, "malloc(4); int x = 1; if (!x) reach_error();", report.Holds, report.Holds},
	{"an own malloc", "static char heap[8]; void *malloc(unsigned long n) { return heap; }", "if (!malloc(1)) reach_error();", report.Holds, report.Holds},
}

// errno may be set by each routine of the library, in any case.
var errnoCases = []environmentCase{
	{"fopen", "extern int errno; void *fopen(const char *, const char *);", `errno = 0; void *f = fopen("a", "r"); if (!f && errno) reach_error();`, report.Violated, report.Violated},
	{"it is not reset", "extern int errno; void *fopen(const char *, const char *);", `errno = 3; fopen("a", "r"); if (errno == 0) reach_error();`, report.Holds, report.Holds},
	{"another call", "extern int errno; int close(int);", "errno = 0; close(3); if (errno == 9) reach_error();", report.Violated, report.Violated},
	{"by glibc's macro", "int *__errno_location(void); int close(int);", "*__errno_location() = 0; close(3); if (*__errno_location() == 9) reach_error();", report.Violated, report.Violated},
	{"no call of the library", "extern int errno; int f(void) { return 3; }", "errno = 0; f(); if (errno) reach_error();", report.Holds, report.Holds},
	{"an own errno", "int f(void);", "int errno = 0; f(); if (errno) reach_error();", report.Holds, report.Holds},
}

// TestEnvironment: what surrounds a program can do what it can.
func TestEnvironment(t *testing.T) {
	pool := Common
	for _, group := range []struct {
		cases []environmentCase
		other cfront.Options
	}{{volatileCases, cfront.Options{PlainVolatile: true}}, {mallocCases, cfront.Options{MallocFails: true}}, {errnoCases, cfront.Options{}}} {
		for i, c := range group.cases {
			if soak.Thin(i) {
				continue
			}
			text := fmt.Sprintf("void reach_error(void);\n%s\nint main(void) { %s return 0; }\n", c.before, c.body)
			for _, opts := range []cfront.Options{{}, group.other} {
				want := c.rule
				if opts.PlainVolatile || opts.MallocFails {
					want = c.other
				}
				if got, reason := reachTextWith(t, pool, text, opts); got != want {
					t.Errorf("%s, %+v: %s (%s), not %s\n%s", c.name, opts, got, reason, want, text)
				}
			}
		}
	}
}
