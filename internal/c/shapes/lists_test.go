package shapes_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/seltl/seltl/c/cfront"
	"github.com/seltl/seltl/c/checks"
	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/internal/c/shapes"
	"github.com/seltl/seltl/internal/source"
)

// TestLists: the programs of specs/c/lists are proved, with their checks, and with BAD they are not.
func TestLists(t *testing.T) {
	files, err := filepath.Glob("../../../specs/c/lists/*.c")
	if err != nil || len(files) < 6 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, bad := range []bool{false, true} {
			kinds := []ir.Check{ir.CheckNull, ir.CheckMemory, ir.CheckLeaks}
			o := cfront.Options{Checks: kinds}
			if bad {
				o.Defines = []string{"BAD"}
			}
			p, err := cfront.Parse([]*source.File{source.NewFile(file, string(text))}, o)
			if err != nil {
				t.Fatal(err)
			}
			checks.Add(p, kinds)
			did, err := shapes.Prove(t.Context(), p, shapes.Options{})
			if bad == (err == nil) {
				t.Errorf("%s, bad %v: %v, %+v", file, bad, err, did)
			}
			if !bad && did.Lost {
				t.Errorf("%s: memory may be lost", file)
			}
		}
	}
}

// TestLost: what is lost is told, also where only a segment that may be empty leads to it.
func TestLost(t *testing.T) {
	const head = "typedef unsigned long size_t; void *malloc(size_t); void free(void *); int nd(void); struct n { struct n *n, *b; int *d; }; struct n *h; int *d;\n" +
		"static struct n *new(void) { struct n *x = malloc(sizeof *x); x->n = 0; x->b = 0; x->d = 0; return x; }\n"
	for _, c := range []struct {
		body string
		lost bool
	}{
		{"h = new();", false},
		{"new();", true},
		{"struct n *p = new();", true},
		{"h = new(); h = 0;", true},
		{"h = new(); free(h);", false},
		{"while (nd()) { struct n *p = new(); p->n = h; h = p; }", false},
		{"while (nd()) { struct n *p = new(); p->n = h; h = p; } if (h) h = h->n;", true},
		{"struct n *p = 0; while (nd()) { h = new(); h->n = p; if (p) p->b = h; p = h; } if (h) h = h->n; p = 0;", true},
		{"struct n *p = 0; while (nd()) { h = new(); h->n = p; if (p) p->b = h; p = h; } if (h && h->n) h = h->n; p = 0;", false},
		{"int *x = malloc(4); while (nd()) { struct n *p = new(); p->d = x; p->n = h; h = p; } x = 0;", true},
		{"int *x = malloc(4); do { struct n *p = new(); p->d = x; p->n = h; h = p; } while (nd()); x = 0;", false},
		{"int *x = malloc(4); struct n *p = new(); p->n = new(); if (nd()) p->n->d = x; h = p;", true},
	} {
		p := parsed(t, head+"int main(void) { "+c.body+" return 0; }")
		if did, err := shapes.Prove(t.Context(), p, shapes.Options{Work: 1_000_000}); err != nil || did.Lost != c.lost {
			t.Errorf("%s: %v, lost: %v", c.body, err, did.Lost)
		}
	}
}

// TestGraphs: what is proved of small programs, and what is not, since it is not so.
func TestGraphs(t *testing.T) {
	const head = "typedef unsigned long size_t; void *malloc(size_t); void free(void *); void exit(int); int nd(void); void reach_error(void);\n" +
		"struct n { int d; struct n *n, *b; }; struct n *h, *p, *q;\n" +
		"static struct n *new(int d) { struct n *x = malloc(sizeof *x); x->d = d; x->n = 0; x->b = 0; return x; }\n" +
		"static void some(int d) { while (nd()) { p = new(d); p->n = h; h = p; } }\n"
	for _, c := range []struct {
		body   string
		proved bool
	}{
		{"some(1); for (p = h; p; p = p->n) if (p->d != 1) reach_error();", true},
		{"some(1); some(2); for (p = h; p; p = p->n) if (p->d == 3) reach_error();", true},
		{"some(1); some(2); for (p = h; p; p = p->n) if (p->d == 2) reach_error();", false},
		{"some(1); some(2); for (p = h; p; p = p->n) if (p->d == 1) reach_error();", false},
		{"some(2); some(1); for (p = h; p; p = p->n) if (p->d == 1) reach_error();", false},
		{"while (nd()) { p = new(nd() & 7); p->n = h; h = p; } while (nd()) { p = new(nd() & 1); p->n = h; h = p; } for (p = h; p; p = p->n) if (p->d > 1) reach_error();", false},
		{"while (nd()) { p = new(nd() & 1); p->n = h; h = p; } while (nd()) { p = new(nd() & 7); p->n = h; h = p; } for (p = h; p; p = p->n) if (p->d > 1) reach_error();", false},
		{"while (nd()) { p = new(nd() & 1); p->n = h; h = p; } while (nd()) { p = new(nd() & 7); p->n = h; h = p; } for (p = h; p; p = p->n) if (p->d > 7) reach_error();", true},
		{"p = new(1); q = new(1); while (nd()) if (q != p) { free(q); q = p; } p->d = 2; if (q->d == 2) reach_error();", false},
		{"p = new(1); q = new(1); while (nd()) if (q != p) { free(q); q = p; } p->d = 2; if (q->d > 2) reach_error();", true},
		{"int x = nd(), y = x; while (nd()) y = nd(); if (x != y) reach_error();", false},
		{"int x = nd(), y = x; while (nd()) p = new(y); if (x != y) reach_error();", true},
		{"int x = 0; while (nd()) if (x < 100) x++; if (x > 99) reach_error();", false},
		{"int x = 0; while (nd()) if (x < 100) x++; if (x > 100 || x < 0) reach_error();", true},
		{"int x = 0; while (nd()) x--; if (x < -50) reach_error();", false},
		{"some(1); if (h) { p = h->n; if (p == h) reach_error(); }", true},
		{"some(1); p = h; q = h; while (p && nd()) p = p->n; while (q && nd()) q = q->n; if (p && p == q) reach_error();", false},
		{"some(1); p = h; if (p) { q = p->n; if (q) { p->n = q->n; free(q); } } for (p = h; p; p = p->n) p->d = 2; for (p = h; p; p = p->n) if (p->d == 1) reach_error();", true},
		{"some(1); if (h) { q = h; while (q->n) q = q->n; q->n = h; p = h; do p = p->n; while (p != h); if (q->n != h) reach_error(); }", true},
		{"some(1); if (h && h->n) { free(h->n); p = h->n->n; }", false},
		{"some(1); if (h) { free(h); free(h); }", false},
		{"some(1); if (h) { free(h); p = malloc(sizeof *p); if (p == h) reach_error(); }", false},
		{"h = new(1); free(h); p = new(2); q = new(3); if (p == q) reach_error();", true},
		{"int x = nd(); p = new(x); if (p->d != x) reach_error();", true},
		{"int x = nd(); some(x); for (p = h; p; p = p->n) if (p->d != x) reach_error();", false}, // the nodes have one symbol each
		{"int i = 0; while (i < 10) { p = new(i); p->n = h; h = p; i++; } for (p = h; p; p = p->n) if (p->d < 0 || p->d > 9) reach_error();", true},
		{"int i = 0; while (i < 10) { p = new(i); p->n = h; h = p; i++; } for (p = h; p; p = p->n) if (p->d > 8) reach_error();", false},
		{"some(1); p = h; while (p) { if (p->d) { q = p->n; p = q; } else reach_error(); }", true},
		{"while (nd()) { p = new(0); p->n = h; if (h) h->b = p; h = p; } for (p = h; p; p = p->n) if (p->n && p->n->b != p) reach_error();", true},
		{"while (nd()) { p = new(0); p->n = h; if (h) h->b = h; h = p; } for (p = h; p; p = p->n) if (p->n && p->n->b != p) reach_error();", false},
		{"struct n x = {4}; p = &x; p->n = new(1); struct n y = x; if (y.d != 4 || y.n->d != 1) reach_error();", true},
		{"int a[3] = {1, 2, 3}; int i = nd(); if (i >= 0 && i < 3) a[i] = 0; if (a[1] > 3) reach_error();", false},
		{"int a[3] = {1, 2, 3}; int i = nd(); if (i >= 0 && i <= 3) a[i] = 0;", false},
		{"int a[3] = {1, 2, 3}; int i = nd(); if (i >= 0 && i < 3) a[i] = 0;", true},
		{"unsigned char c = nd(); int s = c + 1; if (s > 256 || s < 1) reach_error();", true},
		{"unsigned x = nd(); if (x - 1 > x) reach_error();", false},
		{"int x = nd(), y = nd(); if (y < 5 && x < y) { if (x > 3) reach_error(); }", true},
		{"int x = nd(), y = nd(); if (x < y && y < 6) { if (x > 3) reach_error(); }", false},
		{"int x = nd(); if (x) { if (!x) reach_error(); }", true},
		{"int x = nd(); x = 4 / x;", false},
		{"int x = nd(); if (x > 0) x = 4 / x;", true},
		{"struct n *s; if (nd()) s = h; if (s) p = s->n;", false}, // it may have no value
		{"union { int i; unsigned char c[4]; } u; u.i = 258; if (u.c[0] == 9) reach_error();", false},
		{"(void)*p;", true}, // the run ends
	} {
		p := parsed(t, head+"int main(void) { "+c.body+" return 0; }")
		if _, err := shapes.Prove(t.Context(), p, shapes.Options{Work: 1_000_000}); (err == nil) != c.proved {
			t.Errorf("%s: %v", c.body, err)
		}
	}
}
