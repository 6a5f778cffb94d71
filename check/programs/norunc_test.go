package programs

import (
	"testing"
	"time"

	"github.com/seltl/seltl/c/cfront"
	"github.com/seltl/seltl/c/encode"
	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/clp"
	"github.com/seltl/seltl/internal/c/bind"
	"github.com/seltl/seltl/internal/c/specification"
	"github.com/seltl/seltl/internal/cegar"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/report"
	"github.com/seltl/seltl/safety"
)

// TestReachNoRun: a proof that rests on there being no run says so, and only such a one.
func TestReachNoRun(t *testing.T) {
	pool := Common
	for i, c := range []struct {
		body string
		none bool
	}{
		{"__VERIFIER_assume(0);", true},
		{"__VERIFIER_assume(0); reach_error();", true},
		{"int x = in(); __VERIFIER_assume(x > 3 && x < 3);", true},
		{"int x = in(); __VERIFIER_assume(x > 3); __VERIFIER_assume(x < 4); reach_error();", true},
		{"int i = 0; while (i < 5) i++; __VERIFIER_assume(i < 5);", true},
		{"int x = in(); if (x) __VERIFIER_assume(!x); else __VERIFIER_assume(x);", true},
		{"int *p = 0; *p = 1;", true},
		{"int *p = 0; if (in()) return *p; __VERIFIER_assume(0);", true},
		{"int s = 0; for (;;) { unsigned y = in(); __VERIFIER_assume(y * y == 3); s = !s; if (s == 7) reach_error(); }", true},
		{"for (;;) { unsigned y = in(); __VERIFIER_assume(y * y == 3); }", true},
		{"int s = 0; for (;;) { unsigned y = in(); __VERIFIER_assume(y * y == 9); s = !s; if (s == 7) reach_error(); }", false},
		{"refuse();", true},
		{"int n = in() & 7; char v[(1l << 41) + n]; v[0] = 1; reach_error();", true},
		{"int n = in() & 7; char v[(1l << 25) + n]; v[0] = 1;", false},
		{"for (;;) refuse();", true},
		{"int x = in(); unsigned char c = x; __VERIFIER_assume(c > 255);", true},
		{"int x = in(); __VERIFIER_assume(x * x == 2 && x < 10 && x > -10);", true},
		{"int x = in(); __VERIFIER_assume(x > 1000000 && x < 1000002);", false},
		{"for (;;) ;", false},
		{"exit(1); __VERIFIER_assume(0);", false},
		{"int x = in(); if (x == 123456789) for (;;) ; __VERIFIER_assume(0);", false},
		{"while (in()) ; __VERIFIER_assume(0);", false},
		{"int x = in(); if (x == -77777777) return 0; __VERIFIER_assume(0);", false},
		{"int x = in(); if (x == 987654321) exit(0); __VERIFIER_assume(0);", false},
		{"int x = in(); __VERIFIER_assume(x > 3); if (x < 3) reach_error();", false},
		{"int *p = in() == 876543 ? &g : 0; *p = 1;", false},
		{"", false},
	} {
		if soak.Thin(i) {
			continue
		}
		text := "void __VERIFIER_assume(int); void reach_error(void); int in(void); void exit(int); int g;\n" +
			"void refuse(void) { __VERIFIER_assume(g); }\nint main(void) { " + c.body + " return 0; }\n"
		prog, err := cfront.Parse([]*source.File{source.NewFile("t.c", text)}, cfront.Options{Model: ir.LP64})
		if err != nil {
			t.Fatal(err)
		}
		enc, err := encode.EncodeContext(t.Context(), prog, "main")
		if err != nil {
			t.Fatal(err)
		}
		r, _, err := ReachC(t.Context(), enc, pool, check.Options{}, safety.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Results[0]; got.Verdict != report.Holds || got.NoRun != c.none {
			t.Errorf("%s: %s %s, no run: %v", c.body, got.Verdict, got.Reason, got.NoRun)
		}
	}
}

// TestRoutinesNoRun: so does one about routines that are not inlined, where none is called.
func TestRoutinesNoRun(t *testing.T) {
	pool := Common
	for _, c := range []struct {
		body string
		none bool
	}{
		{"__VERIFIER_assume(0); int n = in(); if (f(n) < 0) reach_error();", true},
		{"int n = in(); __VERIFIER_assume(n > 3 && n < 2); f(n);", true},
		{"int n = in(); if (n) { __VERIFIER_assume(!n); f(n); } int *p = 0; *p = 1;", true},
		{"int n = in(); __VERIFIER_assume(n > 3 && n < 20); if (f(n) < 0) reach_error();", false},
		{"f(in()); __VERIFIER_assume(0);", false},
		{"int n = in(); if (n == 12345678) f(n); __VERIFIER_assume(0);", false},
		{"forever(in());", false},
		{"int n = in(); __VERIFIER_assume(n > 100000 && n < 100002); if (n > 5) return main();", false},
		{"f(3);", false},
		{"int n = in(); __VERIFIER_assume(n >= 300 && n <= 500); if (n == 77) { f(2); reach_error(); }", false},
		{"int n = in(); __VERIFIER_assume(n >= 300); __VERIFIER_assume(n <= 302); if (n < 3) reach_error();", false},
	} {
		text := "void __VERIFIER_assume(int); void reach_error(void); int in(void);\nint f(int n) { if (n <= 0) return 0; return f(n - 1) + 1; }\n" +
			"int forever(int n) { return forever(n); }\nint main(void) { " + c.body + " return 0; }\n"
		prog, err := cfront.Parse([]*source.File{source.NewFile("t.c", text)}, cfront.Options{Model: ir.LP64})
		if err != nil {
			t.Fatal(err)
		}
		enc, err := encode.EncodeApart(t.Context(), prog, "main", false)
		if err != nil {
			t.Fatal(err)
		}
		r, _, err := ReachRoutines(t.Context(), enc, pool, check.Options{}, clp.Options{}, safety.AutoIntegers)
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Results[0]; got.Verdict != report.Holds || got.NoRun != c.none {
			t.Errorf("%s: %s %s, no run: %v", c.body, got.Verdict, got.Reason, got.NoRun)
		}
	}
}

// TestConformNoRun: so does a proof that a program conforms to a claim.
func TestConformNoRun(t *testing.T) {
	pool := Common
	c := source.NewFile("n.c", "void __VERIFIER_assume(int); void a(void);\nvoid p(int n) { __VERIFIER_assume(0); a(); }\n"+
		"void q(int n) { __VERIFIER_assume(n > 3); a(); }\nvoid r(int n) { a(); __VERIFIER_assume(n < n); }\nvoid s(int n) { while (n) ; __VERIFIER_assume(0); }\n")
	text := "A = (a -> return {} -> STOP).\ncproc a { abstract {a1, 1, A}; }\nONE = (a -> STOP).\n"
	none := map[string]bool{"p": true, "q": false, "r": true, "s": false}
	for name := range none {
		text += "cprog " + name + " = " + name + " { abstract one, {(1)}, ONE; }\n"
	}
	spec, err := specification.ParseText("n.spec", text)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range none {
		task := bind.Task{Sources: []*source.File{c}, Spec: spec, Program: name, C: cfront.Options{Model: ir.LP64}}
		r, _, err := ConformC(t.Context(), &SpecifiedC{Task: task}, pool, check.Options{}, cegar.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Results[0]; got.Verdict != report.Holds || got.NoRun != want {
			t.Errorf("%s: %s %s, no run: %v", name, got.Verdict, got.Reason, got.NoRun)
		}
	}
}

// TestTimeOfC: the time of a report about C is that from the encoding to the verdict.
func TestTimeOfC(t *testing.T) {
	pool := Common
	prog, err := cfront.Parse([]*source.File{source.NewFile("t.c", "void reach_error(void); unsigned in(void); int main(void) { unsigned n = in(), s = 0; for (unsigned i = 0; i < 40; i++) if (n > i) s++; if (s > 40) reach_error(); }")}, cfront.Options{Model: ir.LP64})
	if err != nil {
		t.Fatal(err)
	}
	begin := time.Now()
	enc, err := encode.EncodeContext(t.Context(), prog, "main")
	if err != nil {
		t.Fatal(err)
	}
	r, res, err := ReachC(t.Context(), enc, pool, check.Options{}, safety.Options{})
	if err != nil {
		t.Fatal(err)
	}
	wall := time.Since(begin).Seconds()
	if s := r.Results[0].Statistics.SearchSeconds; s > wall || s < wall/2 || s != res.Stats.Time.Seconds() {
		t.Errorf("%.3f s of %.3f s, and in the engine's figures %.3f s", s, wall, res.Stats.Time.Seconds())
	}
}
