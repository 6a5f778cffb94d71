package check_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seltl/seltl/cegar"
	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/internal/soak"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/product"
	"github.com/seltl/seltl/program/cfront"
	"github.com/seltl/seltl/program/magic"
	"github.com/seltl/seltl/program/magic/bind"
	"github.com/seltl/seltl/report"
	"github.com/seltl/seltl/smt"
)

// verifyCSpec decides the properties of a specification in specs/c, each of which says what is
// expected, but those of which skip says so.
func verifyCSpec(t *testing.T, pool *smt.Pool, file string, engine cegar.Options, skip func(property string) bool) map[report.Verdict]int {
	t.Helper()
	spec, err := check.LoadSpec(specsC+file+".spec", nil)
	if err != nil {
		t.Fatal(err)
	}
	src, err := check.ReadSource(specsC+file+".c", nil)
	if err != nil {
		t.Fatal(err)
	}
	counts := map[report.Verdict]int{}
	for _, d := range spec.Defs {
		p, is := d.(*magic.ProgDef)
		if !is {
			continue
		}
		program := p.Name.Text
		formulas, err := check.PropertiesC(spec, program)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range formulas {
			if skip(program + " " + f.Name) {
				continue
			}
			q := &check.SpecifiedC{Task: bind.Task{Sources: []*source.File{src}, Spec: spec, Program: program, C: cfront.Options{Model: cfront.LP64}}}
			r, _, err := check.VerifyC(context.Background(), q, []check.FormulaC{f}, pool, check.Verification{Finite: product.StutterRuns}, engine)
			if err != nil {
				t.Fatal(program, err)
			}
			result := r.Results[0]
			counts[result.Verdict]++
			if result.AsExpected == nil || !*result.AsExpected {
				t.Errorf("%s: %s %s, levels %v: %s (%s), expected %s", file, program, f.Name, engine.Levels, result.Verdict, result.Reason, result.Expected)
			}
		}
	}
	return counts
}

// TestVerifyC decides the properties of the specifications in specs/c.
func TestVerifyC(t *testing.T) {
	pool := smt.Z3Pool(1, smt.Options{})
	defer pool.Close()
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
	pool := smt.Z3Pool(1, smt.Options{})
	defer pool.Close()
	counts, tried := map[report.Verdict]int{}, 0
	for _, spec := range specs {
		file := strings.TrimSuffix(strings.TrimPrefix(filepath.ToSlash(spec), specsC), ".spec")
		for _, levels := range []cegar.Levels{cegar.OneLevel, cegar.TwoLevels} {
			for verdict, n := range verifyCSpec(t, pool, file, cegar.Options{Levels: levels}, func(string) bool {
				tried++
				return testing.Short() && tried%3 > 0
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
