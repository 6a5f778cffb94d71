package programs

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/c/encode"
	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/c/machine"
	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/internal/c/bind"
	"github.com/seltl/seltl/internal/cegar"
	"github.com/seltl/seltl/internal/cegar/certificate"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/outcome"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/report"
	"github.com/seltl/seltl/smt"
)

// everyRunEnds is the question of EndsC as a sentence, and endlessRun what is found otherwise.
const (
	everyRunEnds = "every run ends"
	endlessRun   = "a run does not end"
)

// EndsC decides whether every run of a C program ends: it returns from its first routine, calls exit or abort,
// or fails. That is F deadlock, of the program as the one component. A proof is checked by code
// that shares nothing with the search (package certificate), as one of the component that was searched: what passes do to
// that is proved before (package passes). The error is as VerifyC has it.
func EndsC(ctx context.Context, task bind.Task, pool *smt.Pool, opts check.Options, engine cegar.Options) (*report.Report, error) {
	run, done := newSpecifiedRun(ctx, "reach", nil, pool, opts, engine)
	defer done()
	text := "F deadlock"
	f := FormulaC{At: source.NewFile("<termination>", text).Span(0, len(text))}
	result := report.Result{Kind: "reach", Name: task.Sources[0].Name(), Formula: everyRunEnds}
	task.Ends = true
	c, bound, err := run.asked(task, f, &check.Verification{Options: opts}, &result)
	if bound {
		err = c.ends(&result, f)
	}
	if err != nil {
		return nil, err
	}
	run.add(&c.posed, result)
	return run.report, nil
}

// ends decides it.
func (c *VerifiedC) ends(result *report.Result, f FormulaC) error {
	formula, _, err := formulaOf(f.At, nil, c.Question, c.components)
	if err != nil {
		return err
	}
	c.narrate(result.Formula, "the abstract models satisfy it")
	p := &cegar.Property{Formula: formula, Propositions: propositionsIn(c.Question)}
	answer, err := c.satisfied(p)
	enc := c.Question.Components[0].Encoding
	if err == nil && answer.Verdict == outcome.Violated && len(enc.Recursions) > 0 && c.replay(c.Result.Lasso.Parts) != nil {
		var found bool // of what the calls leave that the counterexample passes over
		if found, err = contractsOf(c.run.ctx, enc, c.run.pool); found {
			answer, err = c.satisfied(p)
		}
	}
	if err == nil && answer.Verdict == outcome.Holds {
		if err = c.proved(p); err != nil && c.run.ctx.Err() == nil && !check.Limited(err) {
			answer.Verdict, answer.Reason, err = outcome.Unknown, fmt.Errorf("the proof that was found is not one: %w", err), nil
		}
	}
	return c.answered(result, answer, err, func() error { return c.endless(result, p) })
}

// endless shows the run that does not end, if there is one.
func (c *VerifiedC) endless(result *report.Result, p *cegar.Property) error {
	if c.Result.Verdict != outcome.Violated {
		return nil
	}
	if err := c.follow(); err != nil {
		return err
	}
	x := c.lasso(p.Formula)
	if result.Counterexample = x; len(x.Loop) > 0 {
		result.Name, result.Formula = x.Loop[0].Event, endlessRun
	}
	return nil
}

// follow replays the run that was found, and asks whether its loop can be followed for ever.
func (c *VerifiedC) follow() error {
	if err := c.replay(c.Result.Lasso.Parts); err != nil {
		return err
	}
	for i := range c.Result.Lasso.Parts {
		if err := c.exhausts(i); err != nil {
			return err
		}
	}
	return nil
}

// closers give back what machine.Openers open.
var closers = []string{"close", "fclose", "closedir", "dup2", "dup3", "freopen", "pclose"}

// exhausts reports a loop that opens files for ever, of a program that closes none: in some round there are no more; one
// that closes more than it opens; and one that reads memory from elsewhere which it writes, or another part of it in each
// round, since what it reads in one round need not fit what it did in the one before.
func (c *VerifiedC) exhausts(component int) error {
	k, lasso := c.Question.Components[component], c.Result.Lasso
	part := &lasso.Parts[component]
	steps, stem := part.Steps, 0
	for n := range steps {
		if int(steps[n].Moves) <= len(lasso.Run.Stem) {
			stem = n
		}
	}
	all := traceTo(part, len(steps)-1)
	if lasso.Repeats {
		if err := onceMore(k.Encoding, all, len(traceTo(part, stem).Edges)); err != nil {
			return fmt.Errorf("its loop cannot be gone round once more: %w", err)
		}
	}
	if reads, writes, moves := k.Encoding.OwnAccesses(all, len(traceTo(part, stem).Edges)); reads && (writes || moves) {
		return errors.New("the run depends for ever on memory from elsewhere, of which one round of its loop was followed")
	}
	gives := slices.ContainsFunc(c.Question.Program.Reached(k.Encoding.Entry), func(f *ir.Func) bool { return slices.Contains(closers, f.Name) })
	opened, closed := [2]int{}, [2]int{}
	for i, n := range []int{stem, len(steps) - 1} {
		if n == 0 {
			continue
		}
		run, err := k.Encoding.ReplayComponent(k.Encoding.Words, traceTo(part, n))
		if err != nil {
			return err
		}
		for _, g := range run.Given() {
			failed := g.Value == "-1" || g.Type.Kind == ir.Pointer && g.Value == "0"
			switch name := strings.TrimSuffix(g.What, "()"); {
			case slices.Contains(machine.Openers, name) && !failed:
				opened[i]++
			case slices.Contains(closers, name) && !failed:
				closed[i]++
			}
		}
	}
	switch more := opened[1] - opened[0] - closed[1] + closed[0]; {
	case more > 0 && !gives:
		return errors.New("the run opens files for ever, and how many there can be is not known")
	case more < 0:
		return errors.New("the run closes more files than it opens, for ever")
	}
	return nil
}

// onceMore does the loop of a run once more, of which the steps behind so many are one round: where the memory of the model
// is as it was before them, that of the program is to be.
func onceMore(enc *encode.Encoding, all *program.Trace, behind int) error {
	if behind == len(all.Edges) {
		return nil
	}
	t := &program.Trace{Start: all.Start, Edges: slices.Concat(all.Edges, all.Edges[behind:])}
	t.States, t.Inputs = slices.Concat(all.States, all.States[behind+1:]), slices.Concat(all.Inputs, all.Inputs[behind:])
	_, err := enc.ReplayComponent(enc.Words, t)
	return err
}

// proved checks a proof.
func (c *VerifiedC) proved(p *cegar.Property) error {
	solver, err := c.run.pool.Acquire(c.run.ctx)
	if err != nil {
		return err
	}
	defer c.run.pool.Release(solver)
	cert, components := c.Result.Searched(certificate.Satisfaction)
	task := &certificate.Task{Components: components, Question: certificate.Satisfaction, Formula: p.Formula, Finite: certificate.Stutter, Fairness: certificate.AllRuns}
	return certificate.Check(c.run.ctx, task, cert, solver, budget.New(c.run.ctx, c.engine.Limits, c.run.opts.Progress))
}
