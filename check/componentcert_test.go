package check_test

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/seltl/seltl/cegar"
	"github.com/seltl/seltl/cegar/certificate"
	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/program/cfront"
	"github.com/seltl/seltl/program/magic"
	"github.com/seltl/seltl/program/magic/bind"
	"github.com/seltl/seltl/program/passes"
	"github.com/seltl/seltl/report"
	"github.com/seltl/seltl/smt"
)

// TestCertificateC: what holds of specs/c has a certificate that is accepted, wherever its
// predicates come from.
func TestCertificateC(t *testing.T) {
	specs, _ := filepath.Glob("../specs/c/*.spec")
	pool := smt.Z3Pool(2, smt.Options{})
	defer pool.Close()
	ctx := context.Background()
	accepted := 0
	for _, spec := range specs {
		program := strings.TrimSuffix(spec, ".spec") + ".c"
		if strings.HasSuffix(spec, "my_conc.spec") {
			program = "../specs/c/my_proc.c"
		}
		file, err := check.LoadSpec(spec, nil)
		if err != nil {
			t.Fatal(err)
		}
		src, err := check.ReadSource(program, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i, engine := range []cegar.Options{{}, {Predicates: cegar.Branches}, {Predicates: cegar.Interpolants}, {Traces: true}} {
			engine.Without = passes.Default()
			if testing.Short() && i > 0 {
				continue
			}
			for _, d := range file.Defs {
				p, is := d.(*magic.ProgDef)
				if !is {
					continue
				}
				task := bind.Task{Sources: []*source.File{src}, Spec: file, Program: p.Name.Text, C: cfront.Options{Model: check.ModelOf(program)}}
				_, asked, err := check.ConformC(ctx, &check.SpecifiedC{Task: task}, pool, check.Options{}, engine)
				if err != nil {
					t.Fatal(err)
				}
				for _, q := range asked {
					if q.Result.Verdict != cegar.Holds {
						continue
					}
					var text bytes.Buffer
					if err := check.WriteCertificate(&text, &q.Result.Answer, certificate.Conformance, nil); err != nil {
						t.Fatal(err)
					}
					task.Abstraction = q.Question.Abstraction.Name.Text
					begin := time.Now()
					r := certificateC(t, pool, &check.CertifiedC{Task: task, Traces: engine.Traces}, text.String())
					if r.Exit != report.ExitHolds {
						t.Errorf("%s %s: %s %s", spec, task.Abstraction, r.Results[0].Note, r.Results[0].Reason)
						continue
					}
					accepted++
					t.Log(spec, task.Abstraction, text.Len(), "bytes", time.Since(begin))
				}
			}
		}
	}
	if accepted < 10 {
		t.Errorf("only %d certificates", accepted)
	}
}

func certificateC(t *testing.T, pool *smt.Pool, q *check.CertifiedC, text string) *report.Report {
	t.Helper()
	r, err := check.CertificateC(context.Background(), q, strings.NewReader(text), pool, check.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}
