package programs_test

import (
	"bytes"
	"context"
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
	"github.com/seltl/seltl/internal/cegar/certificate"
	"github.com/seltl/seltl/internal/program/passes"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/outcome"
	"github.com/seltl/seltl/report"
	"github.com/seltl/seltl/smt"
)

// TestCertificateC: what holds of specs/c has a certificate that is accepted, wherever its
// predicates come from.
func TestCertificateC(t *testing.T) {
	specs, _ := filepath.Glob("../../specs/c/*.spec")
	pool := smt.Z3Pool(2, smt.Options{})
	defer pool.Close()
	ctx := context.Background()
	accepted := 0
	for k, spec := range specs {
		program := strings.TrimSuffix(spec, ".spec") + ".c"
		if strings.HasSuffix(spec, "my_conc.spec") {
			program = "../../specs/c/my_proc.c"
		}
		file, err := programs.LoadSpec(spec, nil)
		if err != nil {
			t.Fatal(err)
		}
		src, err := check.ReadSource(program, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i, engine := range []cegar.Options{{}, {Predicates: cegar.Branches}, {Predicates: cegar.Interpolants}, {Traces: true}} {
			engine.Without = passes.Default()
			if testing.Short() && (i > 0 || k%6 > 0) {
				continue
			}
			for _, d := range file.Defs {
				p, is := d.(*specification.ProgDef)
				if !is || !slices.ContainsFunc(p.Statements, func(s specification.Statement) bool { _, is := s.(*specification.Abstract); return is }) {
					continue // its programs are asked for formulas
				}
				task := bind.Task{Sources: []*source.File{src}, Spec: file, Program: p.Name.Text, C: cfront.Options{Model: programs.ModelOf(program)}}
				_, asked, err := programs.ConformC(ctx, &programs.SpecifiedC{Task: task}, pool, check.Options{}, engine)
				if err != nil {
					t.Fatal(err)
				}
				for _, q := range asked {
					if q.Result.Verdict != outcome.Holds {
						continue
					}
					var text bytes.Buffer
					if err := programs.WriteCertificate(&text, &q.Result.Answer, certificate.Conformance, nil); err != nil {
						t.Fatal(err)
					}
					task.Abstraction = q.Question.Abstraction.Name.Text
					begin := time.Now()
					r := certificateC(t, pool, &programs.CertifiedC{Task: task, Traces: engine.Traces}, text.String())
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
	if accepted == 0 || accepted < 10 && !testing.Short() {
		t.Errorf("only %d certificates", accepted)
	}
}

// TestCertificateLiveC: what is proved of specs/c about formulas and deadlock has certificates
// that are accepted, too. Some are proved by ranking functions.
func TestCertificateLiveC(t *testing.T) {
	pool := smt.Z3Pool(2, smt.Options{})
	defer pool.Close()
	ctx := context.Background()
	accepted, ranked := map[certificate.Question]int{}, 0
	for _, name := range []string{"philosophers", "producer", "readers", "surge", "ucos", "live/servers"} {
		program, spec := "../../specs/c/"+name+".c", "../../specs/c/"+name+".spec"
		if testing.Short() && name != "surge" {
			continue
		}
		file, err := programs.LoadSpec(spec, nil)
		if err != nil {
			t.Fatal(err)
		}
		src, err := check.ReadSource(program, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Defs {
			p, is := d.(*specification.ProgDef)
			if !is {
				continue
			}
			task := bind.Task{Sources: []*source.File{src}, Spec: file, Program: p.Name.Text, C: cfront.Options{Model: programs.ModelOf(program)}}
			confirm := func(q *programs.CertifiedC, answer *cegar.Answer) {
				var text bytes.Buffer
				if err := programs.WriteCertificate(&text, answer, q.Question, nil); err != nil {
					t.Fatal(err)
				}
				if r := certificateC(t, pool, q, text.String()); r.Exit != report.ExitHolds {
					t.Errorf("%s %s: %s %s", spec, p.Name.Text, r.Results[0].Note, r.Results[0].Reason)
					return
				}
				accepted[q.Question]++
				if answer.Ranked() {
					ranked++
				}
			}
			_, free, err := programs.DeadlockC(ctx, &programs.SpecifiedC{Task: task}, pool, check.Options{}, cegar.Options{Without: passes.Default()})
			if err != nil {
				t.Fatal(err)
			}
			if free.Verdict == outcome.Holds {
				confirm(&programs.CertifiedC{Task: task, Question: certificate.Deadlock}, &free.Answer)
			}
			formulas, err := programs.PropertiesC(file, p.Name.Text)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range formulas {
				if file.Expected(f.Node) != "holds" || f.Name == "EVENTS" { // EVENTS takes long
					continue
				}
				_, results, err := programs.VerifyC(ctx, &programs.SpecifiedC{Task: task}, []programs.FormulaC{f}, pool, check.Verification{}, cegar.Options{Without: passes.Default()})
				if err != nil {
					t.Fatal(err)
				}
				if results[0].Result.Verdict == outcome.Holds {
					confirm(&programs.CertifiedC{Task: task, Question: certificate.Satisfaction, Formula: f.At}, &results[0].Result.Answer)
				}
			}
		}
	}
	t.Log(accepted, ranked, "with ranking functions")
	if ranked == 0 && !testing.Short() {
		t.Error("no proof rests on a ranking function")
	}
	if accepted[certificate.Deadlock] == 0 || accepted[certificate.Satisfaction] < 4 {
		t.Errorf("%v accepted", accepted)
	}
}

func certificateC(t *testing.T, pool *smt.Pool, q *programs.CertifiedC, text string) *report.Report {
	t.Helper()
	r, err := programs.CertificateC(context.Background(), q, strings.NewReader(text), pool, check.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}
