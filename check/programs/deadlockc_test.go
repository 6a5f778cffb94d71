package programs_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seltl/seltl/c/cfront"
	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/check/programs"
	"github.com/seltl/seltl/internal/c/bind"
	"github.com/seltl/seltl/internal/c/specification"
	"github.com/seltl/seltl/internal/cegar"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/report"
	"github.com/seltl/seltl/smt"
)

// deadlockC asks whether the components of a cprog block get stuck.
func deadlockC(t *testing.T, pool *smt.Pool, program, spec, process string, constants specification.Values, engine cegar.Options) (*report.Result, *cegar.DeadlockResult) {
	t.Helper()
	src, err := check.ReadSource(program, nil)
	if err != nil {
		t.Fatal(err)
	}
	file, err := programs.LoadSpec(spec, nil)
	if err != nil {
		t.Fatal(err)
	}
	q := &programs.SpecifiedC{Task: bind.Task{Sources: []*source.File{src}, Spec: file, Program: process, Constants: constants, C: cfront.Options{Model: programs.ModelOf(program)}}}
	r, res, err := programs.DeadlockC(context.Background(), q, pool, check.Options{}, engine)
	if err != nil {
		t.Fatalf("%s: %v", spec, err)
	}
	specifiedAgain(t, spec+" "+process, pool, q.Task, nil, &r.Results[0])
	neverViolated(t, spec+" "+process, pool, q.Task, nil, &r.Results[0])
	return &r.Results[0], res
}

// TestDeadlockCSpecs asks what the authors of specs/c expect.
func TestDeadlockCSpecs(t *testing.T) {
	var specs []string
	for _, folder := range []string{specsC, kernelC} {
		found, err := filepath.Glob(folder + "*.spec")
		if err != nil || len(found) == 0 {
			t.Fatal(folder, err)
		}
		specs = append(specs, found...)
	}
	pool := programs.Common
	stuck, free, tried := 0, 0, 0
	for _, spec := range specs {
		file, err := programs.LoadSpec(spec, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Defs {
			p, is := d.(*specification.ProgDef)
			if !is || file.Expected(p) == "" {
				continue
			}
			for _, levels := range []cegar.Levels{cegar.AutoLevels, cegar.OneLevel, cegar.TwoLevels} {
				if tried++; testing.Short() && tried%8 > 0 {
					continue
				}
				r, res := deadlockC(t, pool, strings.TrimSuffix(spec, ".spec")+".c", spec, p.Name.Text, nil, cegar.Options{Levels: levels})
				if r.AsExpected == nil || !*r.AsExpected {
					t.Errorf("%s, %s, levels %v: %v %s, expected %v", spec, p.Name.Text, levels, r.Verdict, r.Reason, r.Expected)
				}
				if r.Verdict == report.Holds {
					free++
					continue
				}
				stuck++
				for _, w := range r.Counterexample.Waiting {
					if w.Place == "" && !w.Ended {
						t.Errorf("%s, %s: %s waits nowhere", spec, p.Name.Text, w.Component)
					}
				}
				if len(r.Counterexample.Waiting) != len(res.Models) {
					t.Errorf("%s: %d of %d components wait", spec, len(r.Counterexample.Waiting), len(res.Models))
				}
			}
		}
	}
	if stuck == 0 || free == 0 {
		t.Errorf("%d deadlocks, %d without", stuck, free)
	}
}
