package programs_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seltl/seltl/c/cfront"
	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/check/programs"
	"github.com/seltl/seltl/internal/c/bind"
	"github.com/seltl/seltl/internal/c/specification"
	"github.com/seltl/seltl/internal/cegar"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/report"
	"github.com/seltl/seltl/smt"
)

// conformC asks all abstractions of a specification about a program.
func conformC(t *testing.T, pool *smt.Pool, program, spec, process string, engine cegar.Options) *report.Report {
	t.Helper()
	src, err := check.ReadSource(program, nil)
	if err != nil {
		t.Fatal(err)
	}
	file, err := programs.LoadSpec(spec, nil)
	if err != nil {
		t.Fatal(err)
	}
	q := &programs.SpecifiedC{Task: bind.Task{Sources: []*source.File{src}, Spec: file, Program: process, C: cfront.Options{Model: programs.ModelOf(program)}}}
	r, _, err := programs.ConformC(context.Background(), q, pool, check.Options{}, engine)
	if err != nil {
		t.Fatalf("%s: %v", spec, err)
	}
	for i := range r.Results {
		specifiedAgain(t, spec+" "+process, pool, q.Task, nil, &r.Results[i])
	}
	return r
}

// TestConformCSpecs asks what the authors of specs/c expect.
func TestConformCSpecs(t *testing.T) {
	specs, _ := filepath.Glob("../../specs/c/*.spec")
	kernel, _ := filepath.Glob("../../specs/c/kernel/*.spec")
	specs = append(specs, kernel...)
	if len(specs) == 0 {
		t.Fatal("no specifications")
	}
	pool := smt.Z3Pool(2, smt.Options{})
	defer pool.Close()
	for k, spec := range specs {
		if testing.Short() && (k%6 > 0 || slices.Contains([]string{"producer.spec", "readers.spec", "spinlock.spec"}, filepath.Base(spec))) {
			continue // these take longer than the rest
		}
		program := strings.TrimSuffix(spec, ".spec") + ".c"
		if strings.HasSuffix(spec, "my_conc.spec") {
			program = "../../specs/c/my_proc.c"
		}
		file, err := programs.LoadSpec(spec, nil)
		if err != nil {
			t.Fatal(err)
		}
		verdicts := map[report.Verdict]bool{}
		for e, engine := range []cegar.Options{{}, {Predicates: cegar.Branches}, {Predicates: cegar.Interpolants, Levels: cegar.TwoLevels}} {
			if e > 0 && !soak.On() && (testing.Short() || e-1 != k%2) {
				continue // one other engine for each specification
			}
			var results []report.Result
			for _, d := range file.Defs {
				if p, is := d.(*specification.ProgDef); is && slices.ContainsFunc(p.Statements, isClaim) {
					results = append(results, conformC(t, pool, program, spec, p.Name.Text, engine).Results...)
				}
			}
			for _, result := range results {
				verdicts[result.Verdict] = true
				if result.Expected == "" {
					t.Errorf("%s %s: nothing is expected", spec, result.Name)
				}
				t.Log(spec, result.Name, result.Verdict, result.Reason, result.Note)
				if result.Verdict != result.Expected {
					t.Errorf("%s %s: %s (%s), expected %s", spec, result.Name, result.Verdict, result.Reason, result.Expected)
				}
				if result.Verdict == report.Violated && len(result.Counterexample.Stem) == 0 {
					t.Errorf("%s %s: no counterexample", spec, result.Name)
				}
			}
		}
		if len(verdicts) > 0 && (!verdicts[report.Holds] || !verdicts[report.Violated]) {
			t.Errorf("%s: nothing holds, or nothing fails", spec)
		}
	}
}

// isClaim reports a claim of conformance.
func isClaim(s specification.Statement) bool {
	_, is := s.(*specification.Abstract)
	return is
}

// TestConformCOutOfTime asks when no time is left: each question is unknown, none is an error.
func TestConformCOutOfTime(t *testing.T) {
	pool := programs.Common
	src, err := check.ReadSource("../../specs/c/my_proc.c", nil)
	if err != nil {
		t.Fatal(err)
	}
	file, err := programs.LoadSpec("../../specs/c/my_proc.spec", nil)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithDeadline(context.Background(), time.Unix(0, 0))
	defer cancel()
	q := &programs.SpecifiedC{Task: bind.Task{Sources: []*source.File{src}, Spec: file}}
	r, _, err := programs.ConformC(ctx, q, pool, check.Options{}, cegar.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Results) != 4 || r.Exit != report.ExitUnknown {
		t.Errorf("%d results, status %d", len(r.Results), r.Exit)
	}
	for _, result := range r.Results {
		if result.Verdict != report.Unknown {
			t.Errorf("%s: %s", result.Name, result.Verdict)
		}
	}
}

// TestConformCNoArguments: a component whose guard is never true is a mistake, shown at the
// guard of that component.
func TestConformCNoArguments(t *testing.T) {
	pool := programs.Common
	dir := t.TempDir()
	program, spec := filepath.Join(dir, "p.c"), filepath.Join(dir, "p.spec")
	for name, text := range map[string]string{
		program: "int p(int *x, int *y) { return 0; }\nint q(int x) { return 0; }\n",
		spec:    "S = (return {} -> STOP).\ncprog pq = q, p {\n    abstract a, {1, $1 == $2}, S;\n}\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	src, err := check.ReadSource(program, nil)
	if err != nil {
		t.Fatal(err)
	}
	file, err := programs.LoadSpec(spec, nil)
	if err != nil {
		t.Fatal(err)
	}
	q := &programs.SpecifiedC{Task: bind.Task{Sources: []*source.File{src}, Spec: file}}
	_, _, err = programs.ConformC(context.Background(), q, pool, check.Options{}, cegar.Options{})
	var list source.List
	if !errors.As(err, &list) || len(list) != 1 {
		t.Fatalf("%v", err)
	}
	if got := list.Error(); !strings.Contains(got, "p.spec:3:21: error: p cannot begin: no arguments satisfy its guard") || !strings.Contains(list[0].Help, "pointers") {
		t.Errorf("%s; %s", got, list[0].Help)
	}
}
