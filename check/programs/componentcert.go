package programs

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/internal/c/bind"
	"github.com/seltl/seltl/internal/c/specification"
	"github.com/seltl/seltl/internal/cegar"
	"github.com/seltl/seltl/internal/cegar/certificate"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/product"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/report"
	"github.com/seltl/seltl/smt"
)

// CertifiedC is the question that a certificate about components of C programs answers. The
// sources and the specification of its Task are read again for the check.
type CertifiedC struct {
	Task     bind.Task
	Question certificate.Question
	Traces   bool // Conformance: traces, not simulation
	// Of Satisfaction: the text of the formula, and which runs count.
	Formula source.Span
	Finite  product.FiniteRuns
	Fair    check.Fairness
}

// ErrNoCertificate is of an answer that holds for components that are not those of the sources.
var ErrNoCertificate = errors.New("the proof is about components that passes made smaller")

// WriteCertificate writes the certificate of an answer that holds. options are those that the
// question was asked with, in the caller's words. The error is ErrNoCertificate, w's, or of a
// certificate that is too long.
func WriteCertificate(w io.Writer, answer *cegar.Answer, q certificate.Question, options map[string][]string) error {
	cert := answer.Certificate(q)
	if cert == nil {
		return ErrNoCertificate
	}
	cert.Options = options
	var components []*program.Component
	for _, m := range answer.Models {
		components = append(components, m.Abstracter.Component)
	}
	return cert.Write(w, components)
}

// CertificateC checks the text of a certificate. The error is a source.List about sources or
// specification, about the text, or the solver's; what is not proved is in the report.
func CertificateC(ctx context.Context, q *CertifiedC, text io.Reader, pool *smt.Pool, opts check.Options) (*report.Report, error) {
	run, done := newSpecifiedRun(ctx, "check-certificate", q.Task.Spec.Diagnostics, pool, opts, cegar.Options{})
	defer done()
	result := report.Result{Kind: "certificate", Name: q.Task.Abstraction}
	constants, err := q.prepare()
	if err != nil {
		return nil, err
	}
	asked, bound, err := run.bind(&q.Task, &result)
	if bound {
		err = q.check(asked, &result, constants, text)
	}
	if err != nil {
		return nil, err
	}
	run.add(&asked.posed, result)
	return run.report, nil
}

// prepare makes the task one about the question.
func (q *CertifiedC) prepare() (constants specification.Values, err error) {
	q.Task.Unclaimed = q.Question != certificate.Conformance
	if q.Question != certificate.Satisfaction {
		return nil, nil
	}
	if constants, err = q.Task.Spec.Constants(q.Task.Constants); err != nil {
		return nil, err
	}
	q.Task.Propositions, err = propositionsOf(q.Formula, constants)
	q.Task.Formulas = []source.Span{q.Formula}
	return constants, err
}

// task is the question as the checker has it.
func (q *CertifiedC) task(asked *specified, constants specification.Values) (t *certificate.Task, err error) {
	t = &certificate.Task{Components: asked.components, Question: q.Question, Spec: asked.Question.Spec, Traces: q.Traces}
	if q.Question != certificate.Satisfaction {
		return t, nil
	}
	if err := runsOf(t, q.Finite, q.Fair); err != nil {
		return nil, err
	}
	for i, k := range asked.Question.Components {
		for _, p := range k.Propositions {
			seen := certificate.Prop{Name: p.Name, Formula: p.Formula}
			if p.Label {
				seen.At = p.At
			}
			t.Observe(i, seen, p.Undefined)
		}
	}
	t.Formula, _, err = formulaOf(q.Formula, constants, asked.Question, asked.components)
	return t, err
}

var certifiedRuns = map[product.FiniteRuns]certificate.Finite{
	product.StutterRuns: certificate.Stutter, product.IgnoreRuns: certificate.Ignore, product.RefuseRuns: certificate.Refuse,
}

var certifiedFairness = map[check.Fairness]certificate.Fairness{
	check.AutoFair: certificate.AllRuns, check.EveryRun: certificate.AllRuns, check.FairDeclared: certificate.AllRuns, check.FairProcesses: certificate.Processes, check.FairActions: certificate.Actions, check.StrongFairActions: certificate.StrongActions,
}

// runsOf says in a task which runs count.
func runsOf(t *certificate.Task, finite product.FiniteRuns, fair check.Fairness) error {
	var known bool
	if t.Finite, known = certifiedRuns[finite]; !known {
		return fmt.Errorf("certificates do not know --finite=%v", finite)
	}
	if t.Fairness, known = certifiedFairness[fair]; !known {
		return fmt.Errorf("certificates do not know --fair=%v", fair)
	}
	return nil
}

func (q *CertifiedC) check(asked *specified, result *report.Result, constants specification.Values, text io.Reader) error {
	cert, err := certificate.Read(text, asked.components)
	if err != nil {
		return err
	}
	task, err := q.task(asked, constants)
	if err != nil {
		return err
	}
	result.Formula = "the certificate proves that " + q.claim(asked)
	return asked.certified(result, task, cert)
}

// certified checks a certificate.
func (asked *posed) certified(result *report.Result, task *certificate.Task, cert *certificate.Certificate) error {
	run := asked.run
	solver, err := run.pool.Acquire(run.ctx)
	if err == nil {
		meter := budget.New(run.ctx, asked.engine.Limits, run.opts.Progress)
		if err = certificate.Check(run.ctx, task, cert, solver, meter); err == nil {
			result.NoRun, err = certificate.Empty(task, cert, meter)
		}
		run.pool.Release(solver)
	}
	var refused *certificate.Refused
	var large *certificate.TooLarge
	switch {
	case errors.As(err, &refused) && refused.Status == smt.Sat:
		result.Verdict, result.Note = report.Violated, refused.Error()
	case err != nil && run.ctx.Err() != nil:
		asked.unknown(result, stopping(run.ctx.Err()))
	case errors.As(err, &refused), errors.As(err, &large), err != nil && check.Limited(err):
		asked.unknown(result, err)
	case err != nil:
		return err
	default:
		result.Verdict = report.Holds
		asked.rests(result)
	}
	return nil
}

// claim says what is proved.
func (q *CertifiedC) claim(asked *specified) string {
	switch q.Question {
	case certificate.Deadlock:
		return together(asked.names, "is free of deadlock", "are free of deadlock")
	case certificate.Satisfaction:
		return together(asked.names, "satisfies ", "satisfy ") + check.OneLine(q.Formula.Text())
	}
	return together(asked.names, "conforms", "together conform") + " to " + asked.Question.Abstraction.LKS.Text
}
