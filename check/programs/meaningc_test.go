package programs_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/seltl/seltl/c/cfront"
	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/check/programs"
	"github.com/seltl/seltl/internal/c/bind"
	"github.com/seltl/seltl/internal/c/specification"
	"github.com/seltl/seltl/internal/cegar"
	"github.com/seltl/seltl/internal/cegar/certificate"
	"github.com/seltl/seltl/internal/program/passes"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/outcome"
	"github.com/seltl/seltl/report"
	"github.com/seltl/seltl/smt"
)

// meant is a C source with a specification all of whose comments say what to expect.
type meant struct{ name, c, spec string }

// pairs are the examples of a page such as docs/components.md: each C block with the
// specification behind it, and the first two blocks, which they share.
func pairs(t *testing.T, path string) (all []meant) {
	t.Helper()
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var shared meant
	c := ""
	for i, m := range regexp.MustCompile("(?s)```(c|spec)\n(.*?)```").FindAllSubmatch(page, -1) {
		text := string(m[2])
		switch {
		case i == 0:
			shared.spec = text
		case i == 1:
			shared.c = text
		case string(m[1]) == "c":
			c = text
		default:
			line := 1 + bytes.Count(page[:bytes.Index(page, m[2])], []byte("\n"))
			all = append(all, meant{fmt.Sprintf("%s:%d", filepath.Base(path), line), shared.c + c, shared.spec + text})
		}
	}
	return all
}

// asExpected asks all that the comments of a specification say something of, with passes and
// without, and has the proofs without checked. It returns how many verdicts were compared, and how
// many certificates accepted.
func (m meant) asExpected(t *testing.T, pool *smt.Pool, left func() bool) (compared, accepted int) {
	t.Helper()
	ctx := context.Background()
	spec, err := specification.Parse(source.NewFile(m.name+".spec", m.spec))
	if err != nil {
		t.Fatalf("%s: %v\n%s", m.name, render(err), m.spec)
	}
	for _, d := range spec.Defs {
		p, is := d.(*specification.ProgDef)
		if !is || left() {
			continue
		}
		task := bind.Task{Sources: []*source.File{source.NewFile(m.name+".c", m.c)}, Spec: spec, Program: p.Name.Text, C: cfront.Options{Model: ir.LP64}}
		for _, engine := range []cegar.Options{{}, {Without: passes.Default()}} {
			if testing.Short() && engine.Without == nil {
				continue
			}
			certify := func(q *programs.CertifiedC, answer *cegar.Answer) {
				if engine.Without == nil || answer.Verdict != outcome.Holds {
					return
				}
				var text bytes.Buffer
				if err := programs.WriteCertificate(&text, answer, q.Question, nil); err != nil {
					t.Fatal(err)
				}
				if r := certificateC(t, pool, q, text.String()); r.Exit != report.ExitHolds {
					t.Errorf("%s %s: the certificate is refused: %s %s", m.name, p.Name.Text, r.Results[0].Note, r.Results[0].Reason)
				}
				accepted++
			}
			compare := func(r *report.Report) {
				for _, result := range r.Results {
					if result.Expected == "" {
						continue
					}
					if compared++; result.Verdict != result.Expected {
						t.Errorf("%s %s %s %s, without %v: %s (%s), expected %s", m.name, p.Name.Text, result.Kind, result.Name, engine.Without, result.Verdict, result.Reason, result.Expected)
					}
				}
			}
			r, free, err := programs.DeadlockC(ctx, &programs.SpecifiedC{Task: task}, pool, check.Options{}, engine)
			if err != nil {
				t.Fatalf("%s %s: %s", m.name, p.Name.Text, render(err))
			}
			compare(r)
			certify(&programs.CertifiedC{Task: task, Question: certificate.Deadlock}, &free.Answer)
			formulas, err := programs.PropertiesC(spec, p.Name.Text)
			if err != nil {
				t.Fatal(err)
			}
			r, verified, err := programs.VerifyC(ctx, &programs.SpecifiedC{Task: task}, formulas, pool, check.Verification{}, engine)
			if err != nil {
				t.Fatalf("%s %s: %s", m.name, p.Name.Text, render(err))
			}
			compare(r)
			for i, v := range verified {
				specifiedAgain(t, m.name+" "+formulas[i].Name, pool, task, formulas[i:i+1], &r.Results[i])
				if v.Result != nil {
					certify(&programs.CertifiedC{Task: task, Question: certificate.Satisfaction, Formula: formulas[i].At}, &v.Result.Answer)
				}
			}
			r, conformed, err := programs.ConformC(ctx, &programs.SpecifiedC{Task: task}, pool, check.Options{}, engine)
			if err != nil {
				if names, _ := bind.Abstractions(spec, p.Name.Text); len(names) > 0 {
					t.Fatalf("%s %s: %s", m.name, p.Name.Text, render(err))
				}
				continue
			}
			compare(r)
			for _, q := range conformed {
				task.Abstraction = q.Question.Abstraction.Name.Text
				certify(&programs.CertifiedC{Task: task, Question: certificate.Conformance}, &q.Result.Answer)
				task.Abstraction = ""
			}
		}
	}
	return compared, accepted
}

// TestManualComponents: every example of docs/components.md, and the variants of what was once
// wrong, mean what the page says, whatever the passes; proofs have certificates that are accepted.
func TestManualComponents(t *testing.T) {
	pool := programs.Common
	pages, err := filepath.Glob("testdata/components/*.md")
	if err != nil {
		t.Fatal(err)
	}
	least := map[string][2]int{"code.md": {120, 70}, "components.md": {100, 30}, "waiting.md": {60, 10}, "unset.md": {60, 10}, "unsatisfiable.md": {60, 10}, "tautologies.md": {50, 15}}
	programs := 0
	left := func() bool { programs++; return soak.Skip(programs) }
	for _, page := range append(pages, "../../docs/components.md") {
		compared, accepted := 0, 0
		for _, m := range pairs(t, page) {
			expected := strings.Count(m.spec, "// expect: ")
			n, k := m.asExpected(t, pool, left)
			if n != 2*expected && !testing.Short() {
				t.Errorf("%s: %d verdicts were compared, of %d that are expected", m.name, n, 2*expected)
			}
			compared, accepted = compared+n, accepted+k
		}
		t.Log(page, compared, "verdicts,", accepted, "certificates")
		if want := least[filepath.Base(page)]; !testing.Short() && (compared < want[0] || accepted < want[1]) {
			t.Errorf("%s: only %d verdicts and %d certificates, of %d", page, compared, accepted, want)
		}
	}
}
