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

// CertifiedC is what a certificate about C programs with a specification is checked against:
// the sources and the specification, read again.
type CertifiedC struct {
	Task   bind.Task
	Traces bool // of the specification, not simulation
}

// CertificateC checks a certificate that ConformC gave, or anybody else wrote. The error is a
// source.List about the sources or the specification, about the certificate's text, or the
// solver's; whatever is not proved is in the report.
func CertificateC(ctx context.Context, q *CertifiedC, text io.Reader, solver smt.Checker, opts Options) (*report.Report, error) {
	if t := opts.Limits.Time; t > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, t)
		defer cancel()
	}
	bound, err := bind.Bind(ctx, &q.Task, solver)
	if err != nil {
		return nil, err
	}
	task := q.task(bound)
	cert, err := certificate.Read(text, task.Components)
	if err != nil {
		return nil, err
	}
	result := report.Result{Kind: "certificate", Name: q.Task.Abstraction, Formula: "the abstractions of the components are proofs that the question " + cert.Question.String() + " is answered", Verdict: report.Holds}
	r := &report.Report{Command: "check-certificate", Messages: append(cMessages(bound.Program), Messages(bound.Warnings)...)}
	err = certificate.Check(ctx, task, cert, solver, budget.New(ctx, opts.Limits, opts.Progress))
	var refused *certificate.Refused
	switch {
	case errors.As(err, &refused) && refused.Status == smt.Sat:
		result.Verdict, r.Exit, result.Note = report.Violated, report.ExitViolated, refused.Error()
	case err != nil && ctx.Err() != nil:
		r.Exit = opts.unknown(&result, stopping(ctx.Err()))
	case err != nil:
		r.Exit = opts.unknown(&result, err)
	default:
		result.Assumptions = (&specified{Question: bound}).assumptions()
	}
	r.Results = []report.Result{result}
	return r, nil
}

// task is the question that a certificate answers.
func (q *CertifiedC) task(bound *bind.Question) *certificate.Task {
	t := &certificate.Task{Question: certificate.Conformance, Spec: bound.Spec, Traces: q.Traces}
	for _, k := range bound.Components {
		c := k.Encoding.Component(k.Encoding.Words)
		c.Name = k.Name
		t.Components = append(t.Components, c)
	}
	return t
}

// Certificate is the proof of a question that holds, nil of others. Options of it are the
// caller's to say.
func (c *ConformedC) Certificate() (*certificate.Certificate, []*program.Component) {
	if c.Result == nil || c.Result.Verdict != cegar.Holds {
		return nil, nil
	}
	return c.Result.Certificate(certificate.Conformance), (&CertifiedC{}).task(c.Question).Components
}
