package programs

import (
	"context"
	"io"
	"time"

	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/internal/cegar"
	"github.com/seltl/seltl/internal/cegar/certificate"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/product"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/report"
	"github.com/seltl/seltl/smt"
)

// CertifiedSystem is the question about a system that a certificate answers: the text of a formula,
// and which runs count.
type CertifiedSystem struct {
	System  *program.System
	Formula source.Span
	Finite  product.FiniteRuns
	Fair    check.Fairness
	Visible bool // as of VerifiedSystem
}

// CertificateSystem checks the text of a certificate. The error is a source.List about the formula,
// about the text, or the solver's; what is not proved is in the report.
func CertificateSystem(ctx context.Context, q *CertifiedSystem, text io.Reader, pool *smt.Pool, opts check.Options) (*report.Report, error) {
	if err := refuseSystem(q.System); err != nil {
		return nil, err
	}
	run, done := newSpecifiedRun(ctx, "check-certificate", nil, pool, opts, cegar.Options{})
	defer done()
	read, err := systemFormulaOf(q.Formula, q.System)
	if err != nil {
		return nil, err
	}
	task := &certificate.Task{Question: certificate.Satisfaction, Formula: read.formula}
	if err := runsOf(task, q.Finite, q.Fair); err != nil {
		return nil, err
	}
	c, err := componentFor(run.ctx, pool, q.System, read.named, q.Visible, read.props)
	if err != nil {
		return nil, err
	}
	task.Components = []*program.Component{c}
	for _, p := range read.props {
		task.Observe(0, certificate.Prop{Name: p.Name, Formula: p.Formula, At: p.At, Local: p.Local}, p.Undefined)
	}
	cert, err := certificate.Read(text, task.Components)
	if err != nil {
		return nil, err
	}
	asked := &posed{run: run, engine: run.engine, names: []string{q.System.Name}, begin: time.Now(), rests: func(r *report.Result) { systemRests(r, q.System) }}
	result := report.Result{Kind: "certificate", Formula: "the certificate proves that " + together(asked.names, "satisfies ", "") + check.OneLine(q.Formula.Text())}
	if err := asked.certified(&result, task, cert); err != nil {
		return nil, err
	}
	run.add(asked, result)
	return run.report, nil
}
