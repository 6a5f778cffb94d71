package check

import (
	"context"
	"errors"
	"io"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/cegar"
	"github.com/seltl/seltl/cegar/certificate"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/program/magic/bind"
	"github.com/seltl/seltl/report"
	"github.com/seltl/seltl/smt"
)

// CertifiedC is the question that a certificate about components of C programs answers. The
// sources and the specification of its Task are read again for the check.
type CertifiedC struct {
	Task     bind.Task
	Question certificate.Question
	Traces   bool // Conformance: traces, not simulation
}

// WriteCertificate writes the certificate of an answer that holds. options are those that the
// question was asked with, in the caller's words. The error is w's, or of a certificate that
// is too long.
func WriteCertificate(w io.Writer, answer *cegar.Answer, q certificate.Question, options map[string][]string) error {
	cert := answer.Certificate(q)
	if cert == nil {
		return errors.New("there is no certificate of this answer: it is about components that passes made smaller, or rests on ranking functions")
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
func CertificateC(ctx context.Context, q *CertifiedC, text io.Reader, pool *smt.Pool, opts Options) (*report.Report, error) {
	run, done := newSpecifiedRun(ctx, "check-certificate", q.Task.Spec, pool, opts, cegar.Options{})
	defer done()
	result := report.Result{Kind: "certificate", Name: q.Task.Abstraction}
	q.Task.Unclaimed = q.Question != certificate.Conformance
	asked, bound, err := run.bind(&q.Task, &result)
	if bound {
		err = q.check(asked, &result, text)
	}
	if err != nil {
		return nil, err
	}
	run.add(asked, result)
	return run.report, nil
}

func (q *CertifiedC) check(asked *specified, result *report.Result, text io.Reader) error {
	run := asked.run
	cert, err := certificate.Read(text, asked.components)
	if err != nil {
		return err
	}
	task := &certificate.Task{Components: asked.components, Question: q.Question, Spec: asked.Question.Spec, Traces: q.Traces}
	result.Formula = "the certificate proves that " + q.claim(asked)
	solver, err := run.pool.Acquire(run.ctx)
	if err == nil {
		err = certificate.Check(run.ctx, task, cert, solver, budget.New(run.ctx, asked.engine.Limits, run.opts.Progress))
		run.pool.Release(solver)
	}
	var refused *certificate.Refused
	var large *certificate.TooLarge
	switch {
	case errors.As(err, &refused) && refused.Status == smt.Sat:
		result.Verdict, result.Note = report.Violated, refused.Error()
	case err != nil && run.ctx.Err() != nil:
		asked.unknown(result, stopping(run.ctx.Err()))
	case errors.As(err, &refused), errors.As(err, &large), err != nil && Limited(err):
		asked.unknown(result, err)
	case err != nil:
		return err
	default:
		result.Verdict = report.Holds
		result.Assumptions = assumptionsOf(asked.Question)
	}
	return nil
}

// claim says what is proved.
func (q *CertifiedC) claim(asked *specified) string {
	if q.Question == certificate.Deadlock {
		return together(asked.names, "does not get stuck", "do not get stuck")
	}
	return together(asked.names, "conforms", "together conform") + " to " + asked.Question.Abstraction.LKS.Text
}
