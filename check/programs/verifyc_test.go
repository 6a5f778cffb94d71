package programs_test

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seltl/seltl/c/cfront"
	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/check/programs"
	"github.com/seltl/seltl/internal/c/bind"
	"github.com/seltl/seltl/internal/c/specification"
	"github.com/seltl/seltl/internal/cegar"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/product"
	"github.com/seltl/seltl/report"
	"github.com/seltl/seltl/smt"
)

// verifyCSpec decides the properties of a specification in specs/c, each of which says what is
// expected, but those of which skip says so.
func verifyCSpec(t *testing.T, pool *smt.Pool, file string, engine cegar.Options, skip func(property string) bool) map[report.Verdict]int {
	t.Helper()
	spec, err := programs.LoadSpec(specsC+file+".spec", nil)
	if err != nil {
		t.Fatal(err)
	}
	src, err := check.ReadSource(specsC+file+".c", nil)
	if err != nil {
		t.Fatal(err)
	}
	counts := map[report.Verdict]int{}
	for _, d := range spec.Defs {
		p, is := d.(*specification.ProgDef)
		if !is {
			continue
		}
		program := p.Name.Text
		formulas, err := programs.PropertiesC(spec, program)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range formulas {
			if skip(program + " " + f.Name) {
				continue
			}
			q := &programs.SpecifiedC{Task: bind.Task{Sources: []*source.File{src}, Spec: spec, Program: program, C: cfront.Options{Model: ir.LP64}}}
			r, _, err := programs.VerifyC(context.Background(), q, []programs.FormulaC{f}, pool, check.Verification{Finite: product.StutterRuns, Explain: true}, engine)
			if err != nil {
				t.Fatal(program, err)
			}
			result := r.Results[0]
			counts[result.Verdict]++
			explainedLines(t, program+" "+f.Name, &result)
			specifiedAgain(t, file+" "+program+" "+f.Name, pool, q.Task, []programs.FormulaC{f}, &result)
			neverViolated(t, file+" "+program+" "+f.Name, pool, q.Task, []programs.FormulaC{f}, &result)
			if result.AsExpected == nil || !*result.AsExpected {
				t.Errorf("%s: %s %s, levels %v: %s (%s), expected %s", file, program, f.Name, engine.Levels, result.Verdict, result.Reason, result.Expected)
			}
		}
	}
	return counts
}

// explainedLines checks the table of truth of a violation: a column for each line, in which the
// formula fails in the first and an event holds where it is performed, and reasons that the table
// says, too.
func explainedLines(t *testing.T, name string, r *report.Result) {
	t.Helper()
	c := r.Counterexample
	if c == nil {
		return
	}
	if c.Truth == nil || len(c.Truth.Parts) == 0 || len(c.Truth.Why) == 0 {
		t.Errorf("%s is not explained", name)
		return
	}
	steps := slices.Concat(c.Stem, c.Loop)
	states := len(steps)
	if len(c.Loop) == 0 {
		states++
	}
	holds := map[string]string{}
	for _, p := range c.Truth.Parts {
		if holds[p.Formula] = p.Holds; len(p.Holds) != states {
			t.Fatalf("%s: %d columns for %s, of %d states", name, len(p.Holds), p.Formula, states)
		}
		if len(p.Operands) > 0 || strings.ContainsAny(p.Formula, "\" ") {
			continue
		}
		event := strings.NewReplacer("[", ".", "]", "").Replace(p.Formula)
		for i := range steps {
			if done := steps[i].Action == event; done != (p.Holds[i] == report.HoldsThere) {
				t.Errorf("%s: %s before line %d, which performs %q: %c", name, p.Formula, i, steps[i].Action, p.Holds[i])
			}
		}
	}
	if whole := c.Truth.Parts[len(c.Truth.Parts)-1]; whole.Holds[0] != report.FailsThere {
		t.Errorf("%s: the formula holds in the beginning: %s", name, whole.Holds)
	}
	for _, w := range c.Truth.Why {
		if row, shown := holds[w.Formula]; shown && !w.Ever && (row[w.State] == report.HoldsThere) != w.Holds {
			t.Errorf("%s: %s, and the table says %c", name, w, row[w.State])
		}
	}
}

// TestVerifyC decides the properties of the specifications in specs/c.
func TestVerifyC(t *testing.T) {
	pool := programs.Common
	tried := 0
	for _, file := range []string{"surge", "readers", "philosophers", "ucos", "ipc", "live/servers", "live/words", "live/arguments"} {
		t.Log(file, verifyCSpec(t, pool, file, cegar.Options{}, func(string) bool {
			tried++
			return soak.Skip(tried)
		}))
	}
}

// TestVerifyCKernel decides those of specs/c/kernel, with one level and two.
func TestVerifyCKernel(t *testing.T) {
	specs, err := filepath.Glob(kernelC + "*.spec")
	if err != nil {
		t.Fatal(err)
	}
	if len(specs) != 10 {
		t.Errorf("%d specifications", len(specs))
	}
	pool := programs.Common
	counts, tried := map[report.Verdict]int{}, 0
	for _, spec := range specs {
		file := strings.TrimSuffix(strings.TrimPrefix(filepath.ToSlash(spec), specsC), ".spec")
		for _, levels := range []cegar.Levels{cegar.OneLevel, cegar.TwoLevels} {
			for verdict, n := range verifyCSpec(t, pool, file, cegar.Options{Levels: levels}, func(string) bool {
				tried++
				return testing.Short() && tried%6 > 0
			}) {
				counts[verdict] += n
			}
		}
	}
	if counts[report.Holds] == 0 || counts[report.Violated] == 0 {
		t.Errorf("verdicts are %v", counts)
	}
	t.Log(counts)
}
