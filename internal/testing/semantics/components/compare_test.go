package components_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/seltl/seltl/budget"
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
	"github.com/seltl/seltl/internal/testing/semantics/components"
	"github.com/seltl/seltl/internal/testing/soak"
	verdicts "github.com/seltl/seltl/outcome"
	"github.com/seltl/seltl/product"
	"github.com/seltl/seltl/report"
	"github.com/seltl/seltl/smt"
)

func number(variable string, otherwise int) int {
	if n, err := strconv.Atoi(os.Getenv(variable)); err == nil {
		return n
	}
	return otherwise
}

// limit bounds the states of a case: larger ones are left out.
const limit = 3_000

// comparison asks the engine what the meaning answers.
type comparison struct {
	pool   *smt.Pool
	counts map[string]int
}

// asked is a question with the two answers; wrong says what does not agree, "" if all does.
type asked struct {
	name  string
	means components.Answer
	says  *report.Result
	wrong string
}

// engineOptions draws options of the engine, by the seed of the case.
func engineOptions(seed uint64) cegar.Options {
	r := rand.New(rand.NewPCG(seed, 7))
	o := cegar.Options{Limits: budget.Limits{Time: 10 * time.Second}}
	if r.IntN(3) == 0 {
		o.Without = passes.Default()
	} else if r.IntN(3) == 0 {
		all := passes.Default()
		o.Without = []passes.Pass{all[r.IntN(len(all))]}
	}
	o.Apart = r.IntN(4) == 0
	return o
}

// ask asks a case all that was drawn with it. formulas are those of the case.
func (c *comparison) ask(k components.Case, formulas []components.NamedFormula, claims []string, seed uint64) (all []asked) {
	s, err := components.Load(k, limit)
	if err != nil {
		c.counts["not enumerated: "+short(err)]++
		return nil
	}
	spec, err := specification.Parse(source.NewFile("a.spec", k.Spec))
	if err != nil {
		c.counts["no specification: "+short(err)]++
		return nil
	}
	task := bind.Task{Sources: []*source.File{source.NewFile("a.c", k.C)}, Spec: spec, Program: k.Process, PrivateGlobals: true, C: cfront.Options{Model: ir.LP64}}
	engine := engineOptions(seed)
	opts := check.Options{Limits: engine.Limits}
	add := func(name string, a components.Answer, err error, r *report.Report, refused error, proof *cegar.Answer, q *programs.CertifiedC) {
		switch {
		case err != nil:
			c.counts["not enumerated: "+short(err)]++
		case refused != nil:
			c.counts["refused: "+short(refused)]++
		case len(r.Results) != 1:
			c.counts["no result"]++
		default:
			wrong := disagreement(a, &r.Results[0])
			if wrong == "" && proof != nil && proof.Verdict == verdicts.Holds {
				wrong = c.certify(a, proof, q)
			}
			all = append(all, asked{name, a, &r.Results[0], wrong})
		}
	}
	a, err := s.Deadlock()
	if err == nil {
		var proof *cegar.Answer
		r, free, refused := programs.DeadlockC(context.Background(), &programs.SpecifiedC{Task: task}, c.pool, opts, engine)
		if free != nil {
			proof = &free.Answer
		}
		add("deadlock", a, err, r, refused, proof, &programs.CertifiedC{Task: task, Question: certificate.Deadlock})
	} else {
		c.counts["not enumerated: "+short(err)]++
		return nil
	}
	r := rand.New(rand.NewPCG(seed, 8))
	for _, f := range formulas {
		finite, reading := "stutter", product.StutterRuns
		if r.IntN(5) == 0 {
			finite, reading = "ignore", product.IgnoreRuns
		}
		a, err := s.Satisfies(f.Text, finite)
		if err != nil {
			add(f.Name, a, err, nil, nil, nil, nil)
			continue
		}
		list, refused := programs.PropertiesC(spec, k.Process, f.Name)
		if refused == nil {
			rep, verified, refused := programs.VerifyC(context.Background(), &programs.SpecifiedC{Task: task}, list, c.pool, check.Verification{Options: opts, Finite: reading}, engine)
			var proof *cegar.Answer
			if len(verified) == 1 && verified[0].Result != nil {
				proof = &verified[0].Result.Answer
			}
			add("formula "+finite+" "+f.Name, a, err, rep, refused, proof, &programs.CertifiedC{Task: task, Question: certificate.Satisfaction, Formula: list[0].At, Finite: reading})
		}
	}
	for _, name := range claims {
		e := engine
		e.Traces = r.IntN(3) == 0
		a, err := s.Conforms(name, e.Traces)
		if err != nil {
			add(name, a, err, nil, nil, nil, nil)
			continue
		}
		rep, conformed, refused := programs.ConformC(context.Background(), &programs.SpecifiedC{Task: task, Abstractions: []string{name}}, c.pool, opts, e)
		var proof *cegar.Answer
		if len(conformed) == 1 && conformed[0].Result != nil {
			proof = &conformed[0].Result.Answer
		}
		of := task
		of.Abstraction = name
		add(fmt.Sprint("claim ", name, " traces ", e.Traces), a, err, rep, refused, proof, &programs.CertifiedC{Task: of, Question: certificate.Conformance, Traces: e.Traces})
	}
	return all
}

// certify has the certificate of a proof checked, if there is one, and says what is wrong with that.
func (c *comparison) certify(means components.Answer, proof *cegar.Answer, q *programs.CertifiedC) string {
	var text bytes.Buffer
	err := programs.WriteCertificate(&text, proof, q.Question, nil)
	if errors.Is(err, programs.ErrNoCertificate) {
		return ""
	}
	if err != nil {
		return err.Error()
	}
	r, err := programs.CertificateC(context.Background(), q, &text, c.pool, check.Options{Limits: budget.Limits{Time: 10 * time.Second}})
	if err != nil {
		return "a certificate ends with " + err.Error()
	}
	of := &r.Results[0]
	c.counts[fmt.Sprintf("certificate of %s: %s", q.Question, of.Verdict)]++
	switch {
	case of.Verdict == report.Violated:
		return "the certificate of a proof is refused: " + of.Note
	case of.Verdict == report.Unknown:
		c.counts["certificate: "+short(errors.New(of.Reason))]++
		return ""
	}
	return disagreement(means, of)
}

// short is the kind of an error.
func short(err error) string {
	var list source.List
	text := err.Error()
	if errors.As(err, &list) && len(list) > 0 {
		text = list[0].Message
	}
	return string([]rune(text)[:min(70, len([]rune(text)))])
}

// disagreement says how an answer of the engine contradicts the meaning.
func disagreement(means components.Answer, says *report.Result) string {
	switch {
	case means.Open:
	case says.Verdict == report.Holds && means.Verdict == components.Fails:
		return "the engine proves what fails"
	case says.Verdict == report.Holds && means.Verdict == components.Undefined && !means.Sampled:
		return "the engine proves something of a program that can make a mistake"
	case says.Verdict == report.Violated && means.Verdict != components.Fails && !means.Sampled:
		return "the engine refutes what holds"
	case says.NoRun && means.Verdict == components.Holds && !means.NoRun:
		return "the engine finds no run, and there is one"
	}
	return ""
}

// TestEngine compares the answers of the engine about random components with their meaning.
// SELTL_SYSTEMS is the number of cases, SELTL_SEED the first seed.
func TestEngine(t *testing.T) {
	n, seed := number("SELTL_SYSTEMS", soak.Long(60)), uint64(number("SELTL_SEED", 1))
	c := &comparison{pool: smt.Z3Pool(1, smt.Options{}), counts: map[string]int{}}
	defer c.pool.Close()
	wrong := 0
	for i := range uint64(n) {
		d := components.Random(rand.New(rand.NewPCG(seed+i, 3)))
		var formulas []components.NamedFormula
		for k := range d.Formulas {
			formulas = append(formulas, components.NamedFormula{Name: d.Formulas[k].Name, Text: d.Formula(k)})
		}
		for _, q := range c.ask(d.Case, formulas, d.Claims, seed+i) {
			kind, _, _ := strings.Cut(q.name, " ")
			c.counts[fmt.Sprintf("%s: means %s, says %s", kind, q.means.Verdict, q.says.Verdict)]++
			if q.means.NoRun {
				c.counts[kind+", no run: "+map[bool]string{true: "said", false: "not said"}[q.says.NoRun]]++
			}
			if q.says.Verdict == report.Unknown {
				c.counts["unknown: "+string([]rune(q.says.Reason)[:min(60, len([]rune(q.says.Reason)))])]++
			}
			if q.wrong == "" {
				continue
			}
			if wrong++; wrong <= number("SELTL_SHOW", 3) {
				t.Errorf("seed %d, %s: %s: %s, and it means %+v\n%s\n%s", seed+i, q.name, q.wrong, q.says.Verdict, q.means, d.C, d.Spec)
			}
		}
	}
	for _, k := range slices.Sorted(maps.Keys(c.counts)) {
		t.Logf("%8d %s", c.counts[k], k)
	}
	if wrong > 0 {
		t.Errorf("%d answers are wrong", wrong)
	}
	t.Logf("seeds %d to %d", seed, seed+uint64(n)-1)
}
