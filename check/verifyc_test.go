package check_test

import (
	"context"
	"testing"

	"github.com/seltl/seltl/cegar"
	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/internal/soak"
	"github.com/seltl/seltl/product"
	"github.com/seltl/seltl/program/cfront"
	"github.com/seltl/seltl/program/magic"
	"github.com/seltl/seltl/report"
	"github.com/seltl/seltl/smt"
)

// TestVerifyC decides the properties of the specifications in specs/c, each of which says what
// is expected.
func TestVerifyC(t *testing.T) {
	pool := smt.Z3Pool(1, smt.Options{})
	defer pool.Close()
	counts, tried := map[report.Verdict]int{}, 0
	for _, file := range []string{"surge", "readers", "philosophers", "ucos", "ipc", "live/servers", "live/words", "live/arguments"} {
		spec, err := check.LoadSpec(specsC+file+".spec", nil)
		if err != nil {
			t.Fatal(err)
		}
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
				if tried++; soak.Skip(tried) {
					continue
				}
				src, err := check.ReadSource(specsC+file+".c", nil)
				if err != nil {
					t.Fatal(err)
				}
				q := &check.SpecifiedC{}
				q.Task.Spec, q.Task.Program = spec, program
				q.Task.Sources = append(q.Task.Sources, src)
				q.Task.C.Model = cfront.LP64
				r, _, err := check.VerifyC(context.Background(), q, []check.FormulaC{f}, pool, check.Verification{Finite: product.StutterRuns}, cegar.Options{})
				if err != nil {
					t.Fatal(program, err)
				}
				result := r.Results[0]
				counts[result.Verdict]++
				if result.AsExpected == nil || !*result.AsExpected {
					t.Errorf("%s: %s %s: %s (%s), expected %s", file, program, f.Name, result.Verdict, result.Reason, result.Expected)
				}
			}
		}
	}
	t.Log(counts)
}
