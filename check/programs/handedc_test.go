package programs

import (
	"testing"

	"github.com/seltl/seltl/c/cfront"
	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/report"
)

// TestHanded: a routine without a body returns what it was given before, or what memory that it was given leads to
// then; a run that needs another address is none.
func TestHanded(t *testing.T) {
	for _, c := range []struct {
		before, body string
		want         report.Verdict
	}{
		{"int x;", "take(&x); *get() = 5; if (x) reach_error();", report.Violated},
		{"int x;", "int *p = get(); take(&x); *p = 5; if (x) reach_error();", report.Unknown},
		{"int x;", "*get() = 5; if (x) reach_error();", report.Holds},
		{"int x, y;", "take(&y); *get() = 5; if (x) reach_error();", report.Holds},
		{"int x[3];", "take(x); *get() = 5; if (x[2]) reach_error();", report.Violated},
		{"", "int x = 0; take(&x); *get() = 5; if (x) reach_error();", report.Violated},
		{"int f(int n) { int x = n; take(&x); *get() = 5; return x; }", "if (f(1) == 5 && f(2) == 5) reach_error();", report.Violated},
		{"void *malloc(unsigned long);", "int *m = malloc(4); *m = 0; take(m); *get() = 5; if (*m) reach_error();", report.Violated},
		{"void *malloc(unsigned long);", "int *m = malloc(4), *n = malloc(4); *m = *n = 0; take(n); *get() = 5; if (*m) reach_error();", report.Holds},
		{"struct s { int k; struct s *n; } a, b = { 1, &a }; void give(struct s *); struct s *node(void);", "give(&b); node()->k = 5; if (a.k) reach_error();", report.Violated},
		{"struct s { int k; struct s *n; } a, b; void give(struct s *); struct s *node(void);", "give(&b); struct s *p = node(); b.n = &a; p->k = 5; if (a.k) reach_error();", report.Unknown},
		{"struct s { int k; struct s *n; } a, b; void give(struct s); struct s *node(void);", "b.n = &a; give(b); node()->k = 5; if (a.k) reach_error();", report.Violated},
		{"int x, *p; void give(int **);", "give(&p); p = &x; *get() = 5; if (x) reach_error();", report.Violated},
		{"extern int *there; int x;", "there = &x; *get() = 5; if (x) reach_error();", report.Violated},
		{"int x; int *volatile v;", "v = &x; *v = 5; if (x) reach_error();", report.Violated},
		{"int x; int *volatile v;", "int *p = v; v = &x; *p = 5; if (x) reach_error();", report.Unknown},
		{"int x;", "take(&x); if (get() == &x) reach_error();", report.Violated},
		{"int x;", "if (get() == &x) reach_error();", report.Unknown},
		{"int x; char *bytes(void);", "take(&x); bytes()[2] = 1; if (x) reach_error();", report.Unknown},
		{"int x; void *any(void); void *memset(void *, int, unsigned long);", "take(&x); memset(any(), 1, 4); if (x) reach_error();", report.Unknown},
		{"int x;", "take(&x); *(short *)get() = 5; if (x) reach_error();", report.Unknown},
		{"int x;", "take(&x); int *p = get(); if (p == &x) { *(short *)p = 5; if (x) reach_error(); }", report.Unknown},
		{"int x[2];", "take(x); *(long long *)get() = 1ll << 32; if (x[1]) reach_error();", report.Unknown},
		{"long long x;", "take((int *)&x); *get() = 5; if (x) reach_error();", report.Unknown},
		{"int x;", "take(&x); *(float *)get() = 5; if (x) reach_error();", report.Unknown},
		{"int x;", "take(&x); *(unsigned *)get() = 5; if (x) reach_error();", report.Violated},
		{"int x; int *volatile v;", "v = &x; *(short *)v = 5; if (x) reach_error();", report.Unknown},
		{"int x;", "((short *)&x)[1] = 0; take(&x); *get() = 1; if (x) reach_error();", report.Unknown},
		{"int x; int *volatile v;", "((char *)&x)[2] = 0; v = &x; *v = 1; if (x) reach_error();", report.Unknown},
		{"union u { int i; short s[2]; } x; void give(union u *); union u *any(void);", "give(&x); any()->s[0] = 1; if (x.i) reach_error();", report.Unknown},
		{"union u { int i; float f; } x; void give(union u *); union u *any(void);", "x.i = 0; give(&x); any()->f = 1; if (x.i) reach_error();", report.Unknown},
		{"struct f { int a : 4, b : 4; } x; void give(struct f *); struct f *any(void);", "x.b = 0; give(&x); any()->b = 1; if (x.b) reach_error();", report.Unknown},
		{"struct f { unsigned char a : 4, b : 4; } x; unsigned char *volatile v;", "v = (unsigned char *)&x; *v = 5; if (x.a) reach_error();", report.Unknown},
		{"struct f { unsigned char a : 3; } x; void give(struct f *); char *any(void);", "give(&x); *any() = 5; if (x.a) reach_error();", report.Unknown},
		{"struct f { int a : 3; int c; } x;", "x.a = 1; take((int *)&x); *get() = 0; if (x.a != 1) reach_error();", report.Unknown},
		{"int x; union u { float f; short s; };", "take(&x); ((union u *)get())->s = 5; if (x) reach_error();", report.Unknown},
		{"int x; struct f { int a : 4, b : 4; };", "take(&x); ((struct f *)get())->a = 1; if (x) reach_error();", report.Unknown},
		{"int x; struct w { short s[2000]; };", "take(&x); ((struct w *)get())->s[0] = 1; if (x) reach_error();", report.Unknown},
		{"int g, *p = &g; void give(int **); int **any(void);", "give(&p); *(unsigned long *)any() = 0; if (p != &g) reach_error();", report.Unknown},
		{"int x;", "take(&x); *get() = 1; if (*(char *)&x) reach_error();", report.Unknown},
		{"int x;", "take(&x); *get() = 1; if (((short *)&x)[1]) reach_error();", report.Unknown},
		{"void *malloc(unsigned long);", "int *m = malloc(4); *m = 0; take(m); *get() = 1; if (*(short *)m) reach_error();", report.Unknown},
		{"int x; int scanf(const char *, ...);", "take(&x); scanf(\"%hd\", (short *)get()); if (x) reach_error();", report.Unknown},
		{"void *malloc(unsigned long);", "long long *m = malloc(8); *m = 0; *(int *)m = 0; take((int *)m); *get() = 1; if (*m) reach_error();", report.Unknown},
		{"int x; struct o { char name[8]; int n; } y; void *memset(void *, int, unsigned long);", "memset(&y, 0, sizeof y); take(&x); *get() = 5; if (y.n) reach_error();", report.Holds},
		{"char x; char *bytes(void); void keep(char *);", "keep(&x); *bytes() = 1; if (x) reach_error();", report.Violated},
		{"int x; char *bytes(void);", "*bytes() = 1; if (x) reach_error();", report.Holds},
	} {
		text := "void reach_error(void);\nvoid take(int *);\nint *get(void);\n" + c.before + "\nint main(void) { " + c.body + " }\n"
		if got, reason := reachTextWith(t, Common, text, cfront.Options{}); got != c.want {
			t.Errorf("%s (%s), not %s\n%s", got, reason, c.want, text)
		}
	}
}

// TestOverlapElsewhere: memcpy between parts of memory from elsewhere that overlap is a failure of --check=memory.
func TestOverlapElsewhere(t *testing.T) {
	for _, c := range []struct {
		body string
		want report.Verdict
	}{
		{"if (p) memcpy(p, p, 1);", report.Violated},
		{"memcpy(p, p + 1, 4);", report.Violated},
		{"memcpy(p, q, 4);", report.Violated},
		{"struct s { int a[4]; } *s = (struct s *)p; memcpy(&s->a[0], &s->a[1], 8);", report.Unknown},
		{"memcpy(p, p + 4, 4);", report.Holds},
		{"memcpy(p, p, 0);", report.Holds},
		{"char b[4] = {0}; memcpy(b, p, 4);", report.Holds},
		{"char b[4] = {0}; give(b); p = get(); if (p) memcpy(p, b, 4);", report.Violated},
		{"memmove(p, p + 1, 4);", report.Holds},
	} {
		text := "void *memcpy(void *, const void *, unsigned long), *memmove(void *, const void *, unsigned long);\nchar *get(void);\nvoid give(char *);\nvoid f(char *p, char *q) { " + c.body + " }\n"
		if r, _ := askedOf(t, text, "f", ir.CheckMemory); r.Results[0].Verdict != c.want {
			t.Errorf("%s (%s), not %s\n%s", r.Results[0].Verdict, r.Results[0].Reason, c.want, text)
		}
	}
}
