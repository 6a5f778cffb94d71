package programs

import (
	"context"
	"errors"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/internal/c/bind"
	"github.com/seltl/seltl/internal/cegar"
	"github.com/seltl/seltl/internal/cegar/certificate"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/outcome"
	"github.com/seltl/seltl/report"
)

// endsIn asks whether the runs of a program in a file end, which begin in a routine.
func endsIn(t *testing.T, file, entry string, limits budget.Limits) *report.Result {
	t.Helper()
	src, err := check.ReadSource(file, nil)
	if err != nil {
		t.Fatal(err)
	}
	spec, err := PlainSpec(entry)
	if err != nil {
		t.Fatal(err)
	}
	r, err := EndsC(context.Background(), bind.Task{Plain: true, Spec: spec, Sources: []*source.File{src}}, Common, check.Options{Limits: limits}, cegar.Options{Rounds: 30})
	if err != nil {
		t.Fatal(err)
	}
	return &r.Results[0]
}

// TestEndsSpecs: the programs of specs/c/termination are decided as their tasks say.
func TestEndsSpecs(t *testing.T) {
	tasks, err := filepath.Glob("../../specs/c/termination/*.yml")
	if err != nil || len(tasks) < 20 {
		t.Fatal(tasks, err)
	}
	for i, name := range tasks {
		if testing.Short() && i%10 != 1 {
			continue
		}
		task, err := LoadTask(name, nil)
		if err != nil || len(task.Asked) != 1 || !task.Asked[0].Known {
			t.Fatalf("%s: %+v, %v", name, task, err)
		}
		want := report.Violated
		if task.Asked[0].Expected {
			want = report.Holds
		}
		if got := endsIn(t, filepath.Join(filepath.Dir(name), task.Files[0]), "main", budget.Limits{}); got.Verdict != want {
			t.Errorf("%s: %s, want %s; %s", name, got.Verdict, want, got.Reason)
		}
	}
}

// TestEndsLive: of the routines of specs/c/live, which are specified to come to their label done, no verdict is another one. Their arguments
// are any here, where the specification bounds some of them, so that only those that end there for all
// arguments do so here.
func TestEndsLive(t *testing.T) {
	decided, asked := 0, 0
	for _, name := range []string{"words", "arguments"} {
		file := "../../specs/c/live/" + name
		spec, err := LoadSpec(file+".spec", nil)
		if err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(file + ".spec")
		if err != nil {
			t.Fatal(err)
		}
		for i, part := range strings.Split(string(text), "\ncprog ")[1:] {
			routine, _, _ := strings.Cut(part, " ")
			if soak.Thin(i) || soak.Thin(i+asked) {
				continue
			}
			formulas, err := PropertiesC(spec, routine)
			if err != nil || len(formulas) == 0 {
				t.Fatal(routine, formulas, err)
			}
			want := report.Expected(spec.Expected(formulas[0].Node))
			got := endsIn(t, file+".c", routine, budget.Limits{Time: 10 * time.Second})
			if asked++; got.Verdict != report.Unknown {
				decided++
			}
			if got.Verdict != report.Unknown && got.Verdict != want && (want == report.Violated || !bounded(part)) {
				t.Errorf("%s: %s, want %s", routine, got.Verdict, want)
			}
		}
	}
	t.Logf("%d of %d decided", decided, asked)
	if decided*4 < asked {
		t.Errorf("%d of %d decided", decided, asked)
	}
}

// bounded reports that a specification leaves arguments out.
func bounded(part string) bool {
	_, assume, ok := strings.Cut(part, "assume {")
	assume, _, _ = strings.Cut(assume, "}")
	for _, all := range []string{"LOW <= $1 && $1 <= HIGH", "LOW <= $2 && $2 <= HIGH", "LEAST <= $1 && $1 <= SPAN", "&&", " "} {
		assume = strings.ReplaceAll(assume, all, "")
	}
	return ok && assume != ""
}

// TestEndsMeaning: what ends, what does not, and what nobody knows.
func TestEndsMeaning(t *testing.T) {
	const prelude = "#include <assert.h>\n#include <stdlib.h>\nint in(void), g; void reach_error(void), stop(void) __attribute__((noreturn)); void __VERIFIER_assume(int);\n"
	for i, c := range []struct {
		name, text string
		want       report.Verdict
		reason     string
	}{
		{"nothing is done", "int main(void) { return 0; }", report.Holds, ""},
		{"nothing is written", "int main(void) {}", report.Holds, ""},
		{"a loop that is not reached", "int main(void) { return 0; for (;;); }", report.Holds, ""},
		{"a loop that no value reaches", "int main(void) { unsigned x = in(); if (x % 2 == 3) for (;;); }", report.Holds, ""},
		{"no run", "int main(void) { __VERIFIER_assume(0); for (;;); }", report.Holds, ""},
		{"each round is excluded in the end", "int main(void) { for (int i = 0;; i++) __VERIFIER_assume(i < 3); }", report.Holds, ""},
		{"a failure", "int main(void) { for (;;) reach_error(); }", report.Holds, ""},
		{"an assertion", "int main(void) { for (;;) assert(0); }", report.Holds, ""},
		{"exit", "int main(void) { for (;;) exit(0); }", report.Holds, ""},
		{"abort", "int main(void) { for (;;) abort(); }", report.Holds, ""},
		{"a routine that does not return", "int main(void) { for (;;) stop(); }", report.Holds, ""},
		{"a routine without a body returns", "void other(void); int main(void) { for (;;) other(); }", report.Violated, ""},
		{"null", "int main(void) { int *p = 0; while (*p) ; for (;;); }", report.Holds, ""},
		{"a mistake", "int main(void) { int x = in(); x = 1 / x; return 0; }", report.Unknown, "division by zero"},
		{"signed numbers wrap", "int main(void) { for (int i = in(); i > 0; i++) ; }", report.Holds, ""},
		{"unsigned numbers wrap", "int main(void) { for (unsigned i = in(); i >= 1; i--) if (i == 5) i = 0; for (unsigned i = in(); i >= 0; i--) ; }", report.Violated, ""},
		{"memory without end", "int main(void) { for (;;) { int *p = malloc(4); *p = 1; } }", report.Unknown, ""},
		{"memory of alloca without end", "int main(void) { for (;;) { int *p = __builtin_alloca(4); *p = 1; } }", report.Unknown, ""},
		{"threads", "#include <pthread.h>\nvoid *f(void *p) { for (;;); } int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); }", report.Unknown, "pthread_create"},
		{"deeper and deeper", "int f(int n) { return f(n + 1); } int main(void) { return f(0); }", report.Violated, ""},
		{"less deep than a number", "int f(int n) { return n > 0 ? f(n - 1) : 0; } int main(void) { return f(in()); }", report.Holds, ""},
		{"a result decides", "int f(int n) { if (n <= 0) return 1; while (f(n - 1)) ; return 1; } int main(void) { return f(in()); }", report.Unknown, "returns"},
		{"a global decides", "void f(int n) { if (n <= 0) { g = 1; return; } g = 0; f(n - 1); while (g) ; } int main(void) { f(in()); }", report.Unknown, "returns"},
		{"what a pointer points to decides", "void f(int n, int *p) { if (n <= 0) { *p = 1; return; } *p = 0; f(n - 1, p); while (*p) ; } int main(void) { int x; f(in(), &x); }", report.Unknown, "returns"},
		{"a local that an inner call knows", "void f(int n, int *p) { int x = 0; if (n <= 0) { *p = 1; return; } f(n - 1, &x); while (x) ; } int main(void) { int x; f(in(), &x); }", report.Unknown, ""},
		{"a pointer to a local of an outer call", "void f(int *p) { int x = in(); if (*p > 0) f(&x); } int main(void) { int x = in(); f(&x); }", report.Unknown, "pointers may point to"},
		{"a local of each call", "void f(int n) { int x = n; if (n <= 0) return; f(n - 1); while (x > 0) x--; } int main(void) { f(in()); }", report.Holds, ""},
		{"a static local of all calls", "void f(int n) { static int x; x = n; if (n <= 0) { x = 1; return; } f(n - 1); while (x == 1) ; } int main(void) { f(in()); }", report.Unknown, "returns"},
		{"what comes behind a call", "int f(int n) { return n > 0 ? f(n - 1) : 0; } int main(void) { f(in()); for (;;); }", report.Violated, ""},
		{"the first routine calls itself", "int main(void) { if (in()) main(); }", report.Unknown, "with which the program begins"},
		{"by a pointer", "int f(int n); int (*p)(int) = f; int f(int n) { return p(n); } int main(void) { return f(in()); }", report.Violated, ""},
		{"arrays of each call", "void f(int n) { int a[n > 0 ? n : 1]; a[0] = n; if (n > 0) f(n - 1); } int main(void) { f(in() & 7); }", report.Unknown, "pointers may point to"},
	} {
		if testing.Short() && i%12 != 1 {
			continue
		}
		rounds := 12
		if strings.HasPrefix(c.name, "memory") { // each takes longer than the one before
			rounds = 3
		}
		got := endsOf(t, prelude+c.text, cegar.Options{Rounds: rounds}, budget.Limits{})
		if got.Verdict != c.want || !strings.Contains(got.Reason, c.reason) {
			t.Errorf("%s: %s %q, want %s %q", c.name, got.Verdict, got.Reason, c.want, c.reason)
		}
		if vacuous := c.name == "no run" || c.name == "null"; got.NoRun != vacuous {
			t.Errorf("%s: NoRun is %v", c.name, got.NoRun)
		}
		if loop := got.Counterexample != nil && len(got.Counterexample.Loop) > 0; loop != (got.Verdict == report.Violated) {
			t.Errorf("%s: a loop is shown: %v", c.name, loop)
		}
	}
}

// TestEndsDeeper: each activation of a routine that calls itself is inside of the one before.
func TestEndsDeeper(t *testing.T) {
	got := endsOf(t, "int f(int n) {\n  return f(\n    n);\n}\nint main(void) {\n  return f(0);\n}", cegar.Options{}, budget.Limits{})
	if got.Counterexample == nil || len(got.Counterexample.Loop) == 0 {
		t.Fatalf("%+v", got)
	}
	before := 0
	for _, s := range got.Counterexample.Loop {
		if s.Depth < before {
			t.Errorf("%s is in depth %d, behind %d", s.Event, s.Depth, before)
		}
		before = s.Depth
	}
	if stem := got.Counterexample.Stem; before <= stem[len(stem)-1].Depth {
		t.Errorf("the loop ends in depth %d", before)
	}
}

// TestEndsChecked: mistakes that are failures end a run.
func TestEndsChecked(t *testing.T) {
	const text = "int main(void) { for (int i = 0x7ffffff0; i <= 0x7fffffff; i++) ; }"
	for _, c := range []struct {
		checks []ir.Check
		want   report.Verdict
	}{{nil, report.Violated}, {[]ir.Check{ir.CheckOverflow}, report.Holds}} {
		spec, err := PlainSpec("main")
		if err != nil {
			t.Fatal(err)
		}
		task := bind.Task{Plain: true, Spec: spec, Sources: []*source.File{source.NewFile("checked.c", text)}}
		task.C.Checks = c.checks
		r, err := EndsC(context.Background(), task, Common, check.Options{}, cegar.Options{})
		if err != nil || r.Results[0].Verdict != c.want {
			t.Errorf("%v: %+v, %v", c.checks, r, err)
		}
	}
}

// TestEndsProofsChecked: a proof with a wrong ranking function is none.
func TestEndsProofsChecked(t *testing.T) {
	const text = "int in(void); int main(void) { int n = in(); while (n > 0) n--; return n; }"
	spec, err := PlainSpec("main")
	if err != nil {
		t.Fatal(err)
	}
	run, done := newSpecifiedRun(context.Background(), "reach", nil, Common, check.Options{}, cegar.Options{})
	defer done()
	f := FormulaC{At: source.NewFile("<termination>", "F deadlock").Span(0, 10)}
	task := bind.Task{Plain: true, Ends: true, Spec: spec, Sources: []*source.File{source.NewFile("down.c", text)}}
	c, bound, err := run.asked(task, f, &check.Verification{}, &report.Result{})
	if err != nil || !bound {
		t.Fatal(bound, err)
	}
	formula, _, err := formulaOf(f.At, nil, c.Question, c.components)
	if err != nil {
		t.Fatal(err)
	}
	p := &cegar.Property{Formula: formula}
	if answer, err := c.satisfied(p); err != nil || answer.Verdict != outcome.Holds {
		t.Fatal(answer, err)
	}
	if err := c.proved(p); err != nil {
		t.Error(err)
	}
	planted := false
	for _, rankings := range c.Result.Rankings {
		for _, r := range rankings {
			if r.Function != nil {
				for i := range r.Function.Summands {
					s := &r.Function.Summands[i]
					s.Coefficient, planted = new(big.Int).Neg(s.Coefficient), true
				}
			}
		}
	}
	var refused *certificate.Refused
	if err := c.proved(p); !planted || !errors.As(err, &refused) {
		t.Errorf("planted %v: %v", planted, err)
	}
}
