package programs

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/seltl/seltl/armc"
	"github.com/seltl/seltl/c/encode"
	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/internal/testing/gcc"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/report"
	"github.com/seltl/seltl/safety"
)

// memoryTrap is a program in a good and in a bad form, of which the standard says what it means.
type memoryTrap struct {
	says      string // where the standard (C11) says it
	before    string // declarations
	good, bad string // the body of main
	kind      ir.Check
	// unseen: gcc's sanitizer does not see the mistake: what alloca gives, and arrays of variable length, are
	// forgotten when a routine returns, and memory that is still pointed to is no leak to it.
	unseen bool
}

var memoryTraps = []memoryTrap{
	// 7.22.3.3: free.
	{says: "7.22.3.3 2, freed twice", good: "int *p = malloc(4); free(p);", bad: "int *p = malloc(4); free(p); free(p);"},
	{says: "7.22.3.3 2, null is nothing", good: "int *p = 0; free(p); free(p); free(0);", bad: "int *p = malloc(4), *q = p; free(p); p = 0; free(p); free(q);"},
	{says: "7.22.3.3 2, an inner pointer", good: "char *p = malloc(4); p++; free(p - 1);", bad: "char *p = malloc(4); p++; free(p);"},
	{says: "7.22.3.3 2, a variable", good: "int x = 0, *p = any() ? malloc(4) : &x; if (p != &x) free(p);", bad: "int x = 0, *p = any() ? malloc(4) : &x; free(p);"},
	{says: "7.22.3.3 2, a global", before: "int g[2];", good: "int *p = g; p = malloc(8); free(p);", bad: "int *p = g; free(p);"},
	{says: "7.22.3.3 2, a literal", good: "char *s = malloc(2); s[0] = 0; free(s);", bad: "char *s = \"a\"; free(s);"},
	{says: "7.22.3.3 2, a number", good: "free((void *)0L);", bad: "free((void *)70000L);"},
	{says: "7.22.3.3 2, a static", good: "static int s; int *p = malloc(4); *p = s; free(p);", bad: "static int s; int *p = &s; free(p);"},
	{says: "7.22.3.3 2, what alloca gives", good: "int *p = alloca(4); *p = 1;", bad: "int *p = alloca(4); *p = 1; free(p);"},
	{says: "7.22.3.3 2, a member", before: "struct s { int a, b; };", good: "struct s *p = malloc(sizeof *p); free(&p->a);", bad: "struct s *p = malloc(sizeof *p); free(&p->b);"},
	{says: "7.22.3.3 2, by a routine", before: "void done(int *p) { if (p) free(p); }", good: "int *p = malloc(4); done(p);", bad: "int *p = malloc(4); done(p); done(p);"},
	{says: "7.22.3.3 2, on one way of two", good: "int *p = malloc(4), k = any(); if (k) free(p); if (!k) free(p);", bad: "int *p = malloc(4), k = any(); if (!k) free(p); if (k < 9) free(p);"},
	{says: "7.22.3.3 2, in a loop", good: "int *p = 0; for (int i = 0; i < 3; i++) { free(p); p = malloc(4); } free(p);", bad: "int *p = malloc(4); for (int i = 0; i < 2; i++) free(p);"},
	{says: "7.22.3.3 2, all of an array", good: "int *v[3]; for (int i = 0; i < 3; i++) v[i] = malloc(4); for (int i = 0; i < 3; i++) free(v[i]);", bad: "int *v[3]; for (int i = 0; i < 3; i++) v[i] = malloc(4); v[2] = v[0]; for (int i = 0; i < 3; i++) free(v[i]);"},
	{says: "7.22.3.3 2, an allocator of the program", before: "void *get(int n) { return malloc(n); } void put(void *p) { free(p); }", good: "int *p = get(4), *q = get(8); put(q); *p = 1; put(p);", bad: "int *p = get(4), *q = get(8); put(q); *q = 1; put(p);"},
	// 6.2.4 2, 7.22.3 1: use when it has ended.
	{says: "7.22.3 1, a read behind free", good: "int *p = malloc(4), x; *p = 2; x = *p; free(p); return x - 2;", bad: "int *p = malloc(4), x; *p = 2; free(p); x = *p; return x - x;"},
	{says: "7.22.3 1, a write behind free", good: "int *p = malloc(4); *p = 2; free(p);", bad: "int *p = malloc(4); free(p); *p = 2;"},
	{says: "7.22.3 1, by another pointer", good: "int *p = malloc(8), *q = p + 1; *q = 3; free(p);", bad: "int *p = malloc(8), *q = p + 1; free(p); *q = 3;"},
	{says: "7.22.3 1, the address may be given out again", good: "int *p = malloc(4), *q; free(p); q = malloc(4); *q = 1; free(q);", bad: "int *p = malloc(4), *q; free(p); q = malloc(4); *p = 1; free(q);"},
	{says: "7.22.3 1, in the same place of a loop", good: "int *l = 0; for (int i = 0; i < 3; i++) { int *p = malloc(4); if (l) free(l); l = p; *l = i; } free(l);", bad: "int *l = 0; for (int i = 0; i < 3; i++) { int *p = malloc(4); if (l) *l = i; free(p); l = p; }"},
	{says: "7.22.3 1, a member", before: "struct s { int a; int *b; };", good: "struct s *p = malloc(sizeof *p); p->b = malloc(4); int *q = p->b; free(p); *q = 1; free(q);", bad: "struct s *p = malloc(sizeof *p); p->b = malloc(4); free(p->b); free(p); int **q = &p->b; *q = 0;"},
	{says: "7.22.3 1, the next of a list", before: "struct n { struct n *next; };", good: "struct n *h = 0; for (int i = 0; i < 3; i++) { struct n *t = malloc(sizeof *t); t->next = h; h = t; } while (h) { struct n *t = h->next; free(h); h = t; }", bad: "struct n *h = 0; for (int i = 0; i < 3; i++) { struct n *t = malloc(sizeof *t); t->next = h; h = t; } while (h) { free(h); h = h->next; }"},
	{says: "7.22.3 1, as a whole", before: "struct s { int a, b; };", good: "struct s *p = calloc(1, sizeof *p), t = *p; free(p); return t.a;", bad: "struct s *p = calloc(1, sizeof *p); free(p); struct s t = *p; return t.a - t.a;"},
	{says: "7.22.3 1, an argument", before: "int get(int *p) { return *p; }", good: "int *p = calloc(1, 4), x = get(p); free(p); return x;", bad: "int *p = calloc(1, 4); free(p); int x = get(p); return x - x;"},
	{says: "7.22.3 1, kept in a global", before: "int *g; void keep(int *p) { g = p; }", good: "keep(malloc(4)); *g = 1; free(g);", bad: "int *p = malloc(4); keep(p); free(p); *g = 1;"},
	{says: "7.22.3 1, for some input", good: "int *p = malloc(4), n = any(); if (n == 5) free(p); if (n != 5) { *p = 1; free(p); }", bad: "int *p = malloc(4), n = any() + 5; if (n == 5) free(p); *p = 1; if (n != 5) free(p);"},
	{says: "7.22.3 1, an index", good: "int *p = malloc(12); for (int i = 0; i < 3; i++) p[i] = i; free(p);", bad: "int *p = malloc(12); for (int i = 0; i < 3; i++) { p[i] = i; if (i == 1) free(p); }"},
	{says: "7.22.3 1, comparing it with null is no use", good: "int *p = malloc(4); free(p); int k = 1; if (k) p = 0; return p != 0;", bad: "int *p = malloc(4); free(p); if (p) *p = 0;"},
	{says: "7.24.2.6, set by memset", good: "char *p = malloc(8); memset(p, 0, 8); free(p);", bad: "char *p = malloc(8); free(p); memset(p, 0, 8);"},
	{says: "7.24.6.3, measured by strlen", good: "char *p = calloc(2, 1); int n = strlen(p); free(p); return n;", bad: "char *p = calloc(2, 1); free(p); return strlen(p) > 99;"},
	// 6.2.4 6: locals of blocks.
	{says: "6.2.4 6, a block", good: "int *p, x; { p = &x; } *p = 1;", bad: "int *p; { int x; p = &x; } *p = 1;"},
	{says: "6.2.4 6, the next time round", good: "int *p = 0, x = 0; for (int i = 0; i < 2; i++) { if (p) *p = i; p = &x; }", bad: "int *p = 0; for (int i = 0; i < 2; i++) { int x = 0; if (p) *p = i; p = &x; }", unseen: true},
	{says: "6.2.4 6, left by break", good: "int *p = 0; while (1) { int x = 1; p = &x; *p = 2; break; }", bad: "int *p = 0; while (1) { int x = 1; p = &x; break; } *p = 2;"},
	{says: "6.2.4 6, left by continue", good: "int *p = 0, s = 0; for (int i = 0; i < 3; i++) { int x = i; p = &x; if (x == 1) continue; s += *p; } return s - 2;", bad: "int *p = 0; for (int i = 0; i < 3; i++) { if (i == 2) *p = 1; int x = i; p = &x; if (x == 1) continue; p = &i; }"},
	{says: "6.2.4 6, left by goto", good: "int *p = 0; { int x = 1; p = &x; *p = 3; goto out; } out:;", bad: "int *p = 0; { int x = 1; p = &x; goto out; } out: *p = 3;"},
	{says: "6.2.4 6, a jump back inside of it", good: "int n = 0; { int x = 1, *p; again: p = &x; *p = n; if (n++ < 2) goto again; }", bad: "int n = 0, *p = 0; again: { if (p) *p = 1; int x = 1; p = &x; if (n++ < 2) goto again; }"},
	{says: "6.2.4 6, the block of a for", good: "int *p = 0; for (int i = 0; i < 2; i++) { p = &i; *p += 0; }", bad: "int *p = 0; for (int i = 0; i < 2; i++) p = &i; *p = 0;"},
	{says: "6.2.4 6, a switch", good: "int *p = 0, y = 0; switch (any()) { case 0: { int x = 1; p = &x; *p = 2; } default: p = &y; } *p = 1;", bad: "int *p = 0, y = 0; switch (any()) { default: { int x = 1; p = &x; *p = 2; } } *p = 1;"},
	{says: "6.2.4 6, one of two blocks", good: "int *p, y; { int x; p = &x; *p = 1; } { p = &y; *p = 2; }", bad: "int *p; { int x; p = &x; } { int z = 3; int *q = &z; *q = 1; *p = 2; }"},
	{says: "6.2.4 6, an element", good: "int *p, a[2]; { p = a; } p[1] = 1;", bad: "int *p; { int a[2]; p = a; } p[1] = 1;"},
	{says: "6.2.4 6, by a pointer to a pointer", good: "int x = 1, *p = &x; { int **q = &p; **q = 2; }", bad: "int **q; { int x = 1, *p = &x; q = &p; } **q = 2;"},
	{says: "6.2.4 6, by a member", before: "struct s { int *p; } g;", good: "int x = 1; { g.p = &x; } *g.p = 2;", bad: "{ int x = 1; g.p = &x; } *g.p = 2;"},
	// Locals of routines.
	{says: "6.2.4 6, returned", before: "int *f(int k) { static int s; int x = k, *p = k ? &x : &s; return p; }", good: "int *p = f(0); *p = 1;", bad: "int *p = f(1); *p = 1;"},
	{says: "6.2.4 6, a parameter", before: "int *g; void f(int k) { g = &k; *g = 1; }", good: "f(1);", bad: "f(1); *g = 2;"},
	{says: "6.2.4 6, another activation", before: "int *g; void f(int k) { int x = k; if (k == 2) *g = 1; g = &x; *g = 2; }", good: "f(1); f(3);", bad: "f(1); f(2);"},
	{says: "6.2.4 6, called inside", before: "int *g; void h(void) { *g = 3; } void f(int k) { int x = k; g = &x; if (k) h(); g = 0; }", good: "f(1); f(1);", bad: "{ int y = 0; g = &y; } h();"},
	{says: "6.2.4 6, handed back by an argument", before: "void f(int **p, int *q, int k) { int x = 1; *p = k ? &x : q; }", good: "int *p, y; f(&p, &y, 0); *p = 1;", bad: "int *p, y; f(&p, &y, 1); *p = 1;"},
	{says: "6.2.4 6, a stack of frames", before: "struct f { struct f *up; int v; } *top; void leave(void) { top = top->up; } int g(int k) { struct f x = {top, k}; top = &x; int r = top->v; if (k < 3) leave(); return r; }", good: "g(1); g(2); return top != 0;", bad: "g(1); g(3); return top->v > 99;"},
	// 6.5.2.5 5: compound literals.
	{says: "6.5.2.5 5, a literal of the block", good: "int *p; p = (int[]){1, 2}; p[1] = 3;", bad: "int *p; { p = (int[]){1, 2}; } p[1] = 3;", unseen: true},
	{says: "6.5.2.5 5, of a struct", before: "struct s { int a; };", good: "struct s *p; { struct s t = (struct s){1}; p = &t; p->a = 2; }", bad: "struct s *p; if (any() < 9) { p = &(struct s){1}; } p->a = 2;", unseen: true},
	{says: "6.5.2.5 5, returned", before: "int *f(int *q, int k) { int *p = k ? (int[]){4} : q; return p; }", good: "int x = 0, *p = f(&x, 0); *p = 1;", bad: "int x = 0, *p = f(&x, 1); *p = 1;"},
	// 6.2.4 7: arrays of variable length; alloca.
	{says: "6.2.4 7, a jump back in front of the declaration", good: "int i = 0, *p = 0, n = any() ? 1 : 2; top: if (p) *p = 5; { int y[n]; y[0] = i; p = &i; if (i++ < 2) goto top; }",
		bad: "int i = 0, *p = 0, n = any() ? 1 : 2; top: ; int y[n]; y[0] = i; if (p) { *p = 5; return 0; } p = y; i++; goto top;", kind: ir.CheckMemory, unseen: true},
	{says: "6.2.4 7, behind the jump", good: "int i = 0, *p = 0, n = any() ? 1 : 2; top: if (i == 1) return 0; int y[n]; y[0] = i; p = y; *p = 1; i++; goto top;",
		bad: "int i = 0, *p = 0, n = any() ? 1 : 2; top: if (p) return *p; int y[n]; y[0] = i; p = y; i++; goto top;", kind: ir.CheckMemory, unseen: true},
	{says: "6.2.4 7, a length", good: "int n = 2, *p; { int a[n]; p = a; p[0] = 1; }", bad: "int n = 2, *p; { int a[n]; p = a; } p[0] = 1;", unseen: true},
	{says: "6.2.4 7, made again", good: "int *p = 0; for (int i = 1; i < 3; i++) { int a[i]; p = a; p[0] = 1; }", bad: "int *p = 0; for (int i = 1; i < 3; i++) { int a[i]; if (p) *p = 1; p = a; p[0] = 1; }", unseen: true},
	{says: "6.2.4 7, returned", before: "int *f(int n, int *q) { int a[n]; int *p = q ? q : a; return p; }", good: "int x = 1, *p = f(2, &x); *p = 1;", bad: "int *p = f(2, 0); *p = 1;", unseen: true},
	{says: "alloca, its routine", before: "int *f(int k) { int *p = alloca(4); *p = k; return k ? p : 0; }", good: "int *p = f(0); if (p) *p = 1;", bad: "int *p = f(1); if (p) *p = 1;", unseen: true},
	{says: "alloca, its block", good: "int *p; { p = alloca(4); } *p = 1;", bad: "int *p; { p = alloca(4); free(p); } *p = 1;"},
	{says: "alloca, several times", before: "int *g; void f(void) { for (int i = 0; i < 2; i++) { int *p = alloca(4); *p = i; g = p; } *g = 1; }", good: "f(); f();", bad: "f(); *g = 2;", unseen: true},
	// 7.22.3.5: realloc.
	{says: "7.22.3.5 2, the old one has ended", good: "int *p = malloc(4), *q; *p = 7; q = realloc(p, 8); q[1] = 1; int x = q[0]; free(q); return x - 7;", bad: "int *p = malloc(4), *q; q = realloc(p, 8); *p = 1; free(q);"},
	{says: "7.22.3.5 3, of null", good: "int *p = realloc(0, 4); *p = 1; free(p);", bad: "int *p = realloc(0, 4); free(p); *p = 1;"},
	{says: "7.22.3.5 3, of what was freed", good: "int *p = malloc(4); p = realloc(p, 8); free(p);", bad: "int *p = malloc(4); free(p); p = realloc(p, 8);"},
	{says: "7.22.3.5 3, of a variable", good: "int x = 0, *p = 0; p = realloc(p, 4); free(p); return x;", bad: "int x = 0, *p = &x; p = realloc(p, 4); return x;"},
	{says: "7.22.3.5 3, freed again", good: "int *p = malloc(4), *q = realloc(p, 8); free(q);", bad: "int *p = malloc(4), *q = realloc(p, 8); free(q); free(p);"},
	// 7.24.2.1: memcpy.
	{says: "7.24.2.1 2, parts that overlap", good: "char a[8] = {1}; memcpy(a + 4, a, 4);", bad: "char a[8] = {1}; memcpy(a + 3, a, 4);"},
	{says: "7.24.2.2 2, memmove may", good: "char a[8] = {1}; memmove(a + 3, a, 4);", bad: "char a[8] = {1}; memcpy(a, a + 3, 4);"},
	{says: "7.24.2.1 2, of a length that is computed", good: "char a[8] = {1}; int n = any(); if (n >= 0 && n <= 4) memcpy(a + 4, a, n);", bad: "char a[8] = {1}; int n = any() + 5; if (n >= 0 && n <= 5) memcpy(a + 3, a, n);"},
	{says: "7.24.2.1 2, of no length", good: "char a[8] = {1}; memcpy(a, a, 0);", bad: "char a[8] = {1}; memcpy(a, a + 1, 2);"},
	// Memory that is left.
	{says: "left at the end", good: "int *p = malloc(4); free(p);", bad: "int *p = malloc(4); *p = 1;", kind: ir.CheckLeaks, unseen: true},
	{says: "left by exit", good: "int *p = malloc(4); if (any()) { free(p); exit(0); } free(p);", bad: "int *p = malloc(4); if (!any()) exit(0); free(p);", kind: ir.CheckLeaks, unseen: true},
	{says: "left by a way out", good: "int *p = malloc(4), *q = malloc(4); if (any()) { free(q); free(p); return 0; } free(p); free(q);", bad: "int *p = malloc(4), *q = malloc(4); if (!any()) { free(p); return 0; } free(p); free(q);", kind: ir.CheckLeaks, unseen: true},
	{says: "the last pointer is overwritten", good: "int *p = malloc(4); free(p); p = malloc(4); free(p);", bad: "int *p = malloc(4); p = malloc(4); free(p);", kind: ir.CheckLeaks, unseen: true},
	{says: "a global that is pointed to", before: "int *g;", good: "g = malloc(4); free(g);", bad: "g = malloc(4);", kind: ir.CheckLeaks, unseen: true},
	{says: "the rest of a list", before: "struct n { struct n *next; };", good: "struct n *h = malloc(8); h->next = malloc(8); h->next->next = 0; while (h) { struct n *t = h->next; free(h); h = t; }", bad: "struct n *h = malloc(8); h->next = malloc(8); h->next->next = 0; free(h);", kind: ir.CheckLeaks, unseen: true},
	{says: "realloc moves", good: "int *p = malloc(4); p = realloc(p, 8); free(p);", bad: "int *p = malloc(4); p = realloc(p, 8);", kind: ir.CheckLeaks, unseen: true},
	{says: "realloc to nothing frees", good: "int *p = malloc(4); p = realloc(p, 0);", bad: "char *p = malloc(4); p = realloc(p, 1);", kind: ir.CheckLeaks, unseen: true},
	{says: "of no bytes", good: "void *p = malloc(0); free(p);", bad: "void *p = malloc(0);", kind: ir.CheckLeaks, unseen: true},
	{says: "in a loop", good: "for (int i = 0; i < 3; i++) { int *p = malloc(4); *p = i; free(p); }", bad: "for (int i = 0; i < 3; i++) { int *p = malloc(4); *p = i; if (i != 1) free(p); }", kind: ir.CheckLeaks, unseen: true},
}

const trapsPrelude = memoryPrelude + "void *memmove(void *, const void *, unsigned long), *memset(void *, int, unsigned long); unsigned long strlen(const char *);\n"

func (c *memoryTrap) text(body string) string {
	return trapsPrelude + c.before + "\nint main(void) { " + body + " return 0; }\n"
}

// TestMemoryTraps: what the standard says of memory, in a good and in a bad form.
func TestMemoryTraps(t *testing.T) {
	for i, c := range memoryTraps {
		if soak.Thin(i) {
			continue
		}
		kind := max(c.kind, ir.CheckMemory)
		for _, form := range []struct {
			body string
			want report.Verdict
		}{{c.good, report.Holds}, {c.bad, report.Violated}} {
			if got, reason := askMemory(t, parseMemory(t, c.text(form.body), kind), true); got != form.want {
				t.Errorf("%s: %s: %s (%s), expected %s", c.says, form.body, got, reason, form.want)
			}
		}
	}
}

// TestMemoryTrapsGCC: gcc's sanitizer says so, too, where it can.
func TestMemoryTrapsGCC(t *testing.T) {
	const options = `const char *__asan_default_options(void) { return "exitcode=66:detect_leaks=0:detect_stack_use_after_return=1:symbolize=0"; } int any(void) { return 0; } void *alloca(unsigned long n);` + "\n#define alloca __builtin_alloca\n"
	for i, c := range memoryTraps {
		if soak.Skip(i) || !soak.On() && i%3 == 0 { // a second each
			continue
		}
		for k, body := range []string{c.good, c.bad} {
			exe, err := gcc.Build(t.TempDir(), strings.Replace(c.text(body), trapsPrelude, trapsPrelude+options, 1), 64, "-O0", "-fno-builtin", "-fsanitize=address,undefined")
			if errors.Is(err, gcc.ErrMissing) {
				t.Skip("SKIPPED: ", err)
			}
			if err != nil {
				t.Fatal(err)
			}
			status, _, said, err := gcc.Run(context.Background(), exe)
			if err != nil {
				t.Fatal(err)
			}
			if seen := status == 66; seen && k == 0 || !seen && k == 1 && !c.unseen {
				t.Errorf("%s: %s: the sanitizer ends with status %d: %s", c.says, body, status, fmt.Sprintf("%.300s", said))
			}
		}
	}
}

// TestMemoryHarness: a run that makes a mistake of memory ends before it when gcc has compiled it, and makes it
// where the sanitizer looks.
func TestMemoryHarness(t *testing.T) {
	const options = `const char *__asan_default_options(void) { return "exitcode=66:detect_leaks=0:detect_stack_use_after_return=1:symbolize=0"; }`
	seen := 0
	for i, c := range memoryTraps {
		if soak.Skip(i) || !soak.On() && i%3 == 0 { // a second each
			continue
		}
		e, err := encode.Encode(parseMemory(t, c.text(c.bad), max(c.kind, ir.CheckMemory)), "")
		if err != nil {
			t.Fatal(err)
		}
		r, res, err := ReachC(context.Background(), e, Common, check.Options{}, safety.Options{Engine: armc.Options{MaxQueries: 400}})
		if err != nil {
			t.Fatal(err)
		}
		NotProved(t, e.Program, c.text(c.bad))
		reachesFailure(t, ir.LP64, r, res)
		var b strings.Builder
		if err := res.Run.WriteHarness(&b); err != nil {
			t.Fatal(err)
		}
		exe, err := gcc.Build(t.TempDir(), b.String()+options, 64, "-O0", "-fsanitize=address,undefined")
		if err != nil {
			t.Fatal(err)
		}
		status, _, said, err := gcc.Run(context.Background(), exe)
		switch {
		case err != nil || status != 66 && status != 4 || status == 4 && !c.unseen && !strings.Contains(c.bad, "alloca"):
			t.Errorf("%s: %s: the sanitizer ends with status %d, %v: %.300s", c.says, c.bad, status, err, said)
		case status == 66:
			seen++
			want := ir.Dereference
			if strings.Contains(said, "attempting free") || strings.Contains(said, "attempting double-free") {
				want = ir.Deallocation
			} else if strings.Contains(said, "overlap") {
				want = ir.NoMisuse
			}
			if got := res.Run.Outcome.Misuse; got != want && !strings.Contains(c.bad, "realloc") { // which harnesses read sizes for
				t.Errorf("%s: %s: it is misuse %d, but the sanitizer says: %.300s", c.says, c.bad, got, said)
			}
		}
	}
	if seen == 0 {
		t.Error("the sanitizer sees nothing")
	}
}
