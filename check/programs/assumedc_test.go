package programs

import (
	"bytes"
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
	"github.com/seltl/seltl/internal/c/bind"
	"github.com/seltl/seltl/internal/c/specification"
	"github.com/seltl/seltl/internal/cegar"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/report"
	"github.com/seltl/seltl/safety"
	"github.com/seltl/seltl/smt"
)

// assumedCase is a verdict that rests on something: a program for which that matters, and what makes
// the verdict another one that does not rest on it.
type assumedCase struct {
	name, text string
	opts       cfront.Options
	checks     []ir.Check
	how        safety.Integers
	// otherwise is how the same program is asked without it; nil: that is not possible.
	otherwise func(*assumedCase)
	want      report.Verdict // then
}

var assumedCases = []assumedCase{
	{name: "unbounded", text: "int any(void); int main(void) { int x = any(); if (x > 0 && x + 1 < x) reach_error(); }", how: safety.MathIntegers,
		otherwise: func(c *assumedCase) { c.how = safety.MachineIntegers }, want: report.Violated},
	{name: "wrap", text: "int any(void); int main(void) { int x = any(); x + 1; }",
		otherwise: func(c *assumedCase) { c.checks = []ir.Check{ir.CheckOverflow} }, want: report.Violated},
	{name: "wrap", text: "int any(void); int main(void) { int x = any(); x << 1; }", checks: []ir.Check{ir.CheckOverflow},
		otherwise: func(c *assumedCase) { c.checks = append(c.checks, ir.CheckShift) }, want: report.Violated},
	{name: "written", text: "int main(void) { int x = 1; if (!x) reach_error(); }", checks: []ir.Check{ir.CheckUninit},
		otherwise: func(c *assumedCase) { c.checks = nil }, want: report.Holds},
	{name: "strangers", text: "int main(int argc, char **argv) { if (argc) **argv = 1; }"},
	{name: "strangers", text: "int x; void take(int *); int *get(void); int main(void) { take(&x); int *p = get(); if (p) p[1] = 1; }", checks: []ir.Check{ir.CheckBounds}},
	{name: "numbers", text: "int x; int main(void) { *(volatile int *)0x40021000 = 1; if (x) reach_error(); }"},
	{name: "null", text: "int main(void) { int *p = (int *)8; *p = 1; reach_error(); }", checks: []ir.Check{ir.CheckNull}},
	{name: "null", text: "int any(void); int main(void) { int *p = 0; if (any()) *p = 1; }",
		otherwise: func(c *assumedCase) { c.checks = []ir.Check{ir.CheckNull} }, want: report.Violated},
	{name: "malloc", text: "void *malloc(unsigned long); int main(void) { if (!malloc(1)) reach_error(); }",
		otherwise: func(c *assumedCase) { c.opts.MallocFails = true }, want: report.Violated},
	{name: "room", text: "int any(void); int main(void) { int n = any(); if (n > 0 && n < 9) { char v[n]; v[0] = 1; if (v[0] != 1) reach_error(); } }"},
	{name: "scope", text: "int *kept; void keep(void) { int x; kept = &x; } int main(void) { keep(); if (!kept) reach_error(); }"},
	{name: "arguments", text: "#include <stdio.h>\n#include <string.h>\nint main(void) { char d[12] = \"ab\"; snprintf(d, 12, \"%s\", d); if (d[0] != 'a') reach_error(); }"},
	{name: "arguments", text: "#include <string.h>\nint g(char *s, int n) { char d[4]; memcpy(d, s, n); if (!s) return 1; return 2; } int main(void) { if (g(0, 0) != 1) reach_error(); }"},
	{name: "arguments", text: "#include <string.h>\nint main(void) { char b[12] = \"abcd\"; memcpy(b + 1, b, 3); if (b[2] != 'b') reach_error(); }"},
	{name: "arguments", text: "#include <string.h>\nint main(void) { char b[12] = \"abcd\"; strncpy(b + 1, b, 3); if (b[0] != 'a') reach_error(); }"},
	{name: "arguments", text: "char *__builtin___strcpy_chk(char *, const char *, unsigned long); int main(void) { char b[12] = \"abcd\"; __builtin___strcpy_chk(b, b + 1, 12); if (b[0] != 'b') reach_error(); }"},
	{name: "promises", text: "int g(int a[static 4]) { return a ? 1 : 2; } int main(void) { if (g(0) != 2) reach_error(); }"},
	{name: "promises", text: "static int f(int *p) __attribute__((nonnull)); static int f(int *p) { return !p; } int main(void) { if (!f(0)) reach_error(); }"},
	{name: "promises", text: "__attribute__((nonnull, noinline)) int f(int *p) { if (!p) return 1; return 2; } int main(void) { if (f(0) != 1) reach_error(); }"},
	{name: "promises", text: "int *f(void) __attribute__((__returns_nonnull__)); int *f(void) { return 0; } int main(void) { if (f()) reach_error(); }"},
	{name: "arguments", text: "int isalpha(int); int main(void) { if (isalpha(400000000)) reach_error(); }"},
	{name: "date", text: "int main(void) { if (__TIME__[2] != ':') reach_error(); }"},
	{name: "floats", text: "double any(void); int main(void) { double d = any(); d = d + 1; if (d < 0 && d > 0) reach_error(); }"},
	{name: "types", text: "long x; int main(void) { int *p = (int *)&x; if (!p) reach_error(); }"},
	{name: "types", text: "int f(int *p, short *q) { *p = 1; *q = 2; return *p; } int main(void) { char b[8] = {0}; if (f((int *)b, (short *)b) != 2) reach_error(); }"},
	{name: "constants", text: "int main(void) { char *p = \"abc\"; p[1] = 'x'; if (p[1] != 'x') reach_error(); }"},
	{name: "free", text: "void *malloc(unsigned long); void free(void *); int main(void) { free(malloc(1)); }"},
	{name: "free", text: "char *ext(void); void free(void *); int main(void) { free(ext()); }", opts: cfront.Options{Checks: []ir.Check{ir.CheckMemory}}, checks: []ir.Check{ir.CheckMemory}},
	{name: "free", text: "extern char *ext; void free(void *); int main(void) { free(ext); }", opts: cfront.Options{Checks: []ir.Check{ir.CheckMemory}}, checks: []ir.Check{ir.CheckMemory}},
	{name: "free", text: "int *get(void); int main(void) { int *p = get(); if (p) *p = 1; }", opts: cfront.Options{Checks: []ir.Check{ir.CheckMemory}}, checks: []ir.Check{ir.CheckMemory}},
	{name: "opaque", text: "typedef union { struct { int lock; } data; long align; } pthread_mutex_t; int pthread_mutex_lock(pthread_mutex_t *); pthread_mutex_t m; int main(void) { pthread_mutex_lock(&m); if (m.data.lock) reach_error(); }"},
	{name: "order", text: "int g; int f(void) { return g++; } int main(void) { g = 0; if (f() - f() != -1) reach_error(); }"},
	{name: "volatile", text: "volatile int v; int main(void) { if (v) reach_error(); }", opts: cfront.Options{PlainVolatile: true},
		otherwise: func(c *assumedCase) { c.opts.PlainVolatile = false }, want: report.Violated},
	{name: "results", text: "int strcmp(const char *, const char *); int main(void) { if (strcmp(\"b\", \"a\") != 1) reach_error(); }"},
	{name: "results", text: "int isalpha(int); int main(void) { int a = isalpha('x'), *p = &a; if (*p != 1) reach_error(); }"},
	{name: "results", text: "int isalpha(int); void *memcpy(void *, const void *, unsigned long); int main(void) { int a = isalpha('x'), b; memcpy(&b, &a, 4); if (b != 1) reach_error(); }"},
	{name: "types", text: "int g(int *p, float *q) { *p = 1; *q = 2; return *p; } int main(void) { int l; unsigned long u = (unsigned long)&l; if (g(&l, (float *)u) == 1) reach_error(); }"},
	{name: "rules", text: "#include <pthread.h>\npthread_mutex_t m; int main(void) { pthread_mutex_lock(&m); if (pthread_mutex_unlock(&m)) reach_error(); }", opts: cfront.Options{Rules: []ir.Rule{ir.RuleLocks}}},
	{name: "rules", text: "#include <stdio.h>\nint main(void) { FILE *f = fopen(\"x\", \"r\"); if (f) fclose(f); }", opts: cfront.Options{Rules: []ir.Rule{ir.RuleStdio}}},
	{name: "routines", text: "int any(void); int main(void) { if (any() & 0) reach_error(); }"},
}

func (c *assumedCase) ask(t *testing.T, pool *smt.Pool, opts check.Options) *report.Result {
	t.Helper()
	p, err := cfront.Parse([]*source.File{source.NewFile("t.c", "void reach_error(void);\n"+c.text)}, c.opts)
	if err != nil {
		t.Fatal(c.name, err)
	}
	checks.Add(p, c.checks)
	e, err := encode.Encode(p, "")
	if err != nil {
		t.Fatal(c.name, err)
	}
	r, _, err := ReachC(context.Background(), e, pool, opts, safety.Options{Engine: armc.Options{MaxQueries: 300}, Integers: c.how})
	if err != nil {
		t.Fatal(c.name, err)
	}
	if want := map[report.Verdict]int{report.Holds: report.ExitHolds, report.Violated: report.ExitViolated, report.Unknown: report.ExitUnknown}[r.Results[0].Verdict]; r.Exit != want {
		t.Errorf("%s: status %d of %s", c.name, r.Exit, r.Results[0].Verdict)
	}
	said(t, c.name, r)
	return &r.Results[0]
}

// said checks that every form of a report says what it rests on.
func said(t *testing.T, name string, r *report.Report) {
	t.Helper()
	res := &r.Results[0]
	var text, json bytes.Buffer
	r.Text(&text, report.TextOptions{})
	if err := r.JSON(&json); err != nil {
		t.Fatal(err)
	}
	for _, a := range res.Assumed {
		if !strings.Contains(text.String(), "assuming "+a.Text) || a.Name != "" && !strings.Contains(json.String(), `"name": "`+a.Name+`"`) || !slices.Contains(res.Assumptions, a.Text) {
			t.Errorf("%s: %q is not said:\n%s", name, a.Text, text.String())
		}
	}
}

func assumedNames(r *report.Result) (all []string) {
	for _, a := range r.Assumed {
		if a.Name != "" && !slices.Contains(all, a.Name) {
			all = append(all, a.Name)
		}
	}
	return all
}

// TestAssumed: what a verdict rests on is said where it matters, and not where it makes no
// difference; not granted, it makes the verdict unknown; asked otherwise, it is not said.
func TestAssumed(t *testing.T) {
	pool := Common
	known := map[string]bool{}
	for i, c := range assumedCases {
		if known[c.name] = true; soak.Thin(i) {
			continue
		}
		r := c.ask(t, pool, check.Options{})
		names := assumedNames(r)
		if r.Verdict == report.Unknown || !slices.Contains(names, c.name) {
			t.Errorf("%s: %s (%s) rests on %v", c.name, r.Verdict, r.Reason, names)
			continue
		}
		if all := c.ask(t, pool, check.Options{Assume: names}); all.Verdict != r.Verdict {
			t.Errorf("%s: %s with all that it rests on granted", c.name, all.Verdict)
		}
		rest := slices.DeleteFunc(slices.Clone(Assumables()), func(n string) bool { return n == c.name })
		if open := c.ask(t, pool, check.Options{Assume: rest}); open.Verdict != report.Unknown || open.Counterexample != nil || !strings.Contains(open.Advice, c.name) {
			t.Errorf("%s: %s (%s), not granted", c.name, open.Verdict, open.Advice)
		}
		if c.otherwise != nil {
			d := c
			if d.otherwise(&d); true {
				if r := d.ask(t, pool, check.Options{}); r.Verdict != d.want || slices.Contains(assumedNames(r), c.name) {
					t.Errorf("%s: asked otherwise: %s (%s), rests on %v", c.name, r.Verdict, r.Reason, assumedNames(r))
				}
			}
		}
		for _, a := range r.Assumed {
			if a.Name == c.name && (a.Otherwise != "") != (c.otherwise != nil && c.name != "written") {
				t.Errorf("%s: otherwise %q", c.name, a.Otherwise)
			}
		}
	}
	plain := assumedCase{name: "nothing", text: "int main(void) { unsigned x = 1; if (!x) reach_error(); }", checks: []ir.Check{ir.CheckOverflow}}
	if r := plain.ask(t, pool, check.Options{Assume: []string{}}); r.Verdict != report.Holds || len(assumedNames(r)) > 0 {
		t.Errorf("nothing is assumed: %s, %v", r.Verdict, assumedNames(r))
	}
	for _, a := range assumables {
		if !known[a.name] {
			t.Errorf("no case for %s", a.name)
		}
	}
}

// TestAssumedOfComponents: so it is with questions about components.
func TestAssumedOfComponents(t *testing.T) {
	pool := Common
	spec, err := specification.Parse(source.NewFile("t.spec", "A = (a -> return {} -> STOP).\ncproc a { abstract {does_a, 1, A}; }\ncprog s = p, q { rename q {a/q.a}; ltl F = F a; }\n"))
	if err != nil {
		t.Fatal(err)
	}
	text := "void a(void); int g; void p(int *x) { *x = 1; g = 1; a(); } void q(void) { if (g) a(); }"
	q := &SpecifiedC{Task: bind.Task{Sources: []*source.File{source.NewFile("t.c", text)}, Spec: spec, Program: "s", PrivateGlobals: true}}
	formulas, err := PropertiesC(spec, "s")
	if err != nil {
		t.Fatal(err)
	}
	ask := func(opts check.Options) *report.Result {
		r, _, err := VerifyC(context.Background(), q, formulas, pool, check.Verification{Options: opts}, cegar.Options{})
		if err != nil {
			t.Fatal(err)
		}
		said(t, "components", r)
		return &r.Results[0]
	}
	r := ask(check.Options{})
	for _, name := range []string{assumedAbstractions, assumedObjects, assumedGlobals} {
		if r.Verdict != report.Holds || !slices.Contains(assumedNames(r), name) {
			t.Errorf("%s (%s) rests on %v, not on %s", r.Verdict, r.Reason, assumedNames(r), name)
		}
		rest := slices.DeleteFunc(slices.Clone(Assumables()), func(n string) bool { return n == name })
		if open := ask(check.Options{Assume: rest}); open.Verdict != report.Unknown {
			t.Errorf("%s: %s, not granted", name, open.Verdict)
		}
	}
}
