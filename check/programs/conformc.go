package programs

import (
	"context"
	"fmt"
	"slices"

	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/internal/c/bind"
	"github.com/seltl/seltl/internal/c/specification"
	"github.com/seltl/seltl/internal/cegar"
	"github.com/seltl/seltl/outcome"
	"github.com/seltl/seltl/report"
	"github.com/seltl/seltl/smt"
)

// ConformC decides whether C programs conform to specifications, one abstraction after the
// other: MAGIC's question. The error is a source.List, a *check.InputError, or of the solver; what is undecided is in
// the report. results are by abstraction, nil where there is none.
func ConformC(ctx context.Context, q *SpecifiedC, pool *smt.Pool, opts check.Options, engine cegar.Options) (r *report.Report, results []*ConformedC, err error) {
	names := q.Abstractions
	if len(names) == 0 {
		all, err := bind.Abstractions(q.Task.Spec, q.Task.Program)
		if err != nil {
			return nil, nil, err
		}
		for _, a := range all {
			names = append(names, a.Name.Text)
		}
	}
	if len(names) == 0 {
		file := q.Task.Spec.Source.Name()
		return nil, nil, &check.InputError{Code: "no-abstraction", File: file, Text: file + ": nothing to conform to: the program states no abstraction",
			Help: "write one in its block: cprog p = r { abstract NAME, {(1)}, SPECIFICATION; }"}
	}
	run, done := newSpecifiedRun(ctx, "conform", q.Task.Spec.Diagnostics, pool, opts, engine)
	defer done()
	run.report.Table = len(names) > 1
	ask := func(task bind.Task) error {
		c, err := run.conforms(&task)
		if err == nil {
			results = append(results, c)
		}
		return err
	}
	for _, name := range names {
		if run.interrupted() {
			break
		}
		task := q.Task
		task.Abstraction = name
		if err := ask(task); err != nil {
			return nil, nil, err
		}
	}
	if q.Assumed && !run.interrupted() {
		for _, task := range assumptionTasks(&q.Task, results) {
			if err := ask(task); err != nil {
				return nil, nil, err
			}
		}
		run.report.Table = len(run.report.Results) > 1
	}
	if len(q.Abstractions) == 0 {
		run.notAsked(q.Task.Spec.Diagnostics)
	}
	return run.report, results, nil
}

// assumptionTasks are the questions whether routines with bodies do what questions that were
// asked have assumed of them: each as a program of its own.
func assumptionTasks(t *bind.Task, asked []*ConformedC) (tasks []bind.Task) {
	known := map[string]bool{}
	for _, c := range asked {
		if c.Question == nil {
			continue
		}
		for _, a := range c.Question.Assumed {
			f := c.Question.Program.Func(a.Routine)
			if known[a.Name] || f == nil || f.Extern() {
				continue
			}
			known[a.Name] = true
			if task, ok := assumptionTask(t, a); ok {
				tasks = append(tasks, task)
			}
		}
	}
	return tasks
}

// exits is what a routine performs that ends the program, which nothing that abstracts it can say.
const exits = "exit()"

// assumptionTask is the question whether one routine does what its abstraction says.
func assumptionTask(t *bind.Task, a bind.Assumption) (bind.Task, bool) {
	for _, d := range t.Spec.Defs {
		p, ok := d.(*specification.ProcDef)
		if !ok || p.Name.Text != a.Routine {
			continue
		}
		for _, s := range p.Statements {
			if stated, ok := s.(*specification.Abstract); ok && stated.Name.Text == a.Name {
				prog := &specification.ProgDef{DefHead: specification.DefHead{Name: specification.Name{Text: "assumption " + a.Name, Span: stated.Name.Span}, Span: stated.Span},
					Components: []*specification.ComponentRef{{Procedure: p.Name, Span: p.Name.Span}}, Statements: []specification.Statement{stated}}
				spec := *t.Spec
				spec.Defs = append(slices.Clone(spec.Defs), prog)
				task := *t
				task.Spec, task.Program, task.Abstraction, task.Exit = &spec, prog.Name.Text, a.Name, exits
				return task, true
			}
		}
	}
	return bind.Task{}, false
}

// ConformedC is how one abstraction was decided.
type ConformedC struct {
	specified
	Result *cegar.Result
}

func (r *specifiedRun) conforms(task *bind.Task) (*ConformedC, error) {
	result := report.Result{Kind: "conform", Name: task.Abstraction}
	q, bound, err := r.bind(task, &result)
	c := &ConformedC{specified: *q}
	if bound {
		err = c.decide(&result)
	}
	if err != nil {
		return nil, err
	}
	r.add(&c.posed, result)
	return c, nil
}

func (c *ConformedC) decide(result *report.Result) (err error) {
	result.Formula = fmt.Sprintf("%s to %s", together(c.names, "conforms", "together conform"), c.Question.Abstraction.LKS.Text)
	c.place(result, c.Question.Abstraction)
	c.narrate(result.Name, "the specification can follow")
	answer, err := c.search(func() (answer *cegar.Answer, parts []cegar.Part, err error) {
		c.Result, err = cegar.Simulates(c.run.ctx, c.components, c.Question.Spec, c.run.pool, c.engine)
		if c.Result != nil {
			answer = &c.Result.Answer
			if x := c.Result.Counterexample; x != nil {
				parts = x.Parts
			}
		}
		return answer, parts, err
	})
	return c.answered(result, answer, err, func() error { return c.describe(result) })
}

// describe shows the counterexample, if there is one.
func (c *ConformedC) describe(result *report.Result) error {
	if c.Result.Verdict != outcome.Violated {
		return nil
	}
	if err := c.replay(c.Result.Counterexample.Parts); err != nil {
		return err
	}
	result.Counterexample = c.counterexample()
	if len(c.Result.Abstract.Trees) > 0 {
		result.Games = []*report.Move{check.Game(c.Result.Abstract, c.Result.Abstract.Trees[c.Result.Counterexample.Tree])}
	}
	return nil
}
