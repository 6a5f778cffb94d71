package programs

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/internal/c/bind"
	"github.com/seltl/seltl/internal/c/specification"
	"github.com/seltl/seltl/internal/cegar"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/outcome"
	"github.com/seltl/seltl/product"
	"github.com/seltl/seltl/report"
	"github.com/seltl/seltl/smt"
)

// FormulaC is a formula about a C program.
type FormulaC struct {
	Name string             // "" for one that no specification declares
	At   source.Span        // where its text stands
	Node specification.Node // the declaration, nil without one
}

// PropertiesC are the formulas that a cprog block declares; program "" is the only one. names
// chooses some, all without any. The error is a source.List.
func PropertiesC(spec *specification.File, program string, names ...string) (all []FormulaC, err error) {
	properties, err := bind.Properties(spec, program, names...)
	if err != nil {
		return nil, err
	}
	for _, p := range properties {
		all = append(all, FormulaC{Name: p.Name.Text, At: spec.Place(p.Formula.Span), Node: p})
	}
	return all, nil
}

// VerifyC decides whether C programs satisfy formulas of SE-LTL, one after the other. The
// error is a source.List, a *check.InputError, or of the solver; what is undecided is in the
// report. results are by formula.
func VerifyC(ctx context.Context, q *SpecifiedC, formulas []FormulaC, pool *smt.Pool, opts check.Verification, engine cegar.Options) (r *report.Report, results []*VerifiedC, err error) {
	run, done := newSpecifiedRun(ctx, "verify", q.Task.Spec.Diagnostics, pool, opts.Options, engine)
	defer done()
	run.report.Table = len(formulas) > 1
	for _, f := range formulas {
		if run.interrupted() {
			break
		}
		c, err := run.satisfies(q.Task, f, &opts)
		if err != nil {
			return nil, nil, err
		}
		results = append(results, c)
	}
	if !slices.ContainsFunc(formulas, func(f FormulaC) bool { return f.Node == nil }) {
		run.notAsked(q.Task.Spec.Diagnostics)
	}
	return run.report, results, nil
}

// VerifiedC is how one formula was decided.
type VerifiedC struct {
	specified
	Result *cegar.SatisfiesResult // nil if there was no time

	asked     *check.Verification
	constants specification.Values
}

func (r *specifiedRun) satisfies(task bind.Task, f FormulaC, opts *check.Verification) (*VerifiedC, error) {
	result := report.Result{Kind: "ltl", Name: f.Name, Formula: check.OneLine(f.At.Text())}
	c, bound, err := r.asked(task, f, opts, &result)
	if bound {
		err = c.decide(&result, f)
	}
	if err != nil {
		return nil, err
	}
	r.add(&c.posed, result)
	return c, nil
}

// asked makes components of a task, to be asked about a formula. bound and the error are as of bind.
func (r *specifiedRun) asked(task bind.Task, f FormulaC, opts *check.Verification, result *report.Result) (c *VerifiedC, bound bool, err error) {
	c = &VerifiedC{asked: opts}
	if c.constants, err = task.Spec.Constants(task.Constants); err != nil {
		return nil, false, err
	}
	if task.Propositions, err = propositionsOf(f.At, c.constants); err != nil {
		return nil, false, err
	}
	task.Unclaimed, task.Formulas = true, []source.Span{f.At}
	q, bound, err := r.bind(&task, result)
	c.specified = *q
	return c, bound, err
}

func (c *VerifiedC) decide(result *report.Result, f FormulaC) error {
	formula, text, err := formulaOf(f.At, c.constants, c.Question, c.components)
	if err != nil {
		return err
	}
	result.ReadAs = check.EchoText(formula)
	if f.Node != nil {
		c.place(result, f.Node)
	}
	c.narrate(result.Formula, "the abstract models satisfy it")
	p := &cegar.Property{Formula: formula, Propositions: propositionsIn(c.Question), Finite: c.asked.Finite, Fairness: check.EngineFairness[c.asked.Fair]}
	answer, err := c.satisfied(p)
	if c.Result != nil && c.Result.Ends {
		return refuseEnd(c.Result.Lasso)
	}
	err = c.answered(result, answer, err, func() error { return c.describe(result, p) })
	if err == nil && result.Verdict == report.Holds {
		err = c.findVacuity(result, text, c.asked, p, c.Result)
	}
	count(result.Statistics, c.Result)
	return err
}

// satisfied asks the engine.
func (c *VerifiedC) satisfied(p *cegar.Property) (*cegar.Answer, error) {
	return c.search(func() (answer *cegar.Answer, parts []cegar.Part, err error) {
		c.Result, err = cegar.Satisfies(c.run.ctx, c.components, p, c.run.pool, c.engine)
		if c.Result != nil {
			answer = &c.Result.Answer
			if x := c.Result.Lasso; x != nil {
				parts = x.Parts
			}
		}
		return answer, parts, err
	})
}

// count fills in what automata of a formula took, and how large they were.
func count(st *report.Statistics, r *cegar.SatisfiesResult) {
	if r == nil || r.Abstract == nil || st == nil {
		return
	}
	st.TranslateSeconds = r.Took.Automata.Seconds()
	st.SearchSeconds = max(0, st.SearchSeconds-st.TranslateSeconds) // all else
	st.AutomatonStates, st.AutomatonEdges = r.Abstract.Stats.AutomatonStates, r.Abstract.Stats.AutomatonEdges
}

// findVacuity says what never happens in the abstract models, and so not in the program, and leaves a
// part of the formula without effect. What may happen in them need not happen in the program. With
// Verification.Vacuity each part is asked about, of the program. proved is the answer, to a property
// that was read from text.
func (q *posed) findVacuity(result *report.Result, text check.Words, asked *check.Verification, p *cegar.Property, proved *cegar.SatisfiesResult) error {
	if proved.Proof == nil || proved.NoRun {
		return nil
	}
	var verdict func(*ltl.Formula) (*product.Result, error)
	if asked.Vacuity {
		verdict = func(f *ltl.Formula) (*product.Result, error) { return q.holdsInstead(f, p) }
	}
	found, err := check.AbstractVacuity(q.run.ctx, proved.Proof, proved.Formula, text, asked, verdict)
	if found != nil {
		result.Vacuity = found
	}
	return err
}

// holdsInstead asks another formula of the program.
func (q *posed) holdsInstead(f *ltl.Formula, p *cegar.Property) (*product.Result, error) {
	part := *p
	part.Formula = f
	res, err := cegar.Satisfies(q.run.ctx, q.components, &part, q.run.pool, q.engine)
	switch {
	case err != nil && (check.Limited(err) || q.run.ctx.Err() != nil):
		return &product.Result{Reason: err}, nil
	case err != nil:
		return nil, err
	case res.Verdict == outcome.Holds:
		return &product.Result{Verdict: product.Holds}, nil
	case res.Verdict == outcome.Violated && !res.Ends:
		return &product.Result{Verdict: product.Violated}, nil
	}
	return &product.Result{Reason: cmp.Or(res.Reason, error(&outcome.Outside{What: "a run ends"}))}, nil
}

// refuseEnd is the refusal of a program with a run that ends.
func refuseEnd(run *cegar.Lasso) error {
	var actions []string
	for _, step := range run.Run.Stem {
		if step.Event != lks.TauName && step.Event != "" {
			actions = append(actions, step.Event)
		}
	}
	way := "without any action"
	if len(actions) > 0 {
		way = "after " + strings.Join(actions, " ")
	}
	return &check.InputError{Code: "finite-run", Text: fmt.Sprintf("a run of the program ends, %s, and --finite=error refuses such programs", way)}
}

// subjects are what fairness is assumed of: the components, or what they perform.
func (c *posed) subjects(kind product.Fairness) (all []string) {
	if kind == product.ProcessFairness {
		return c.names
	}
	for _, k := range c.components {
		all = append(all, k.Alphabet...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// describe says what a verdict rests on, and shows the lasso, if there is one.
func (c *VerifiedC) describe(result *report.Result, p *cegar.Property) error {
	c.assumes(result, p, c.Result.Abstract)
	if c.Result.Verdict != outcome.Violated {
		return nil
	}
	if err := c.follow(); err != nil {
		return err
	}
	result.Counterexample = c.lasso(p.Formula)
	return nil
}

// assumes says which runs count, where that made a difference.
func (q *posed) assumes(result *report.Result, p *cegar.Property, last *product.Result) {
	if last.FiniteMet {
		result.Assumptions = append(result.Assumptions, finiteProgramText[p.Finite])
	}
	if p.Fairness != product.NoFairness && !last.AllRuns {
		result.Assumptions = append(result.Assumptions, check.FairText(p.Fairness, q.subjects(p.Fairness)))
	}
}

var finiteProgramText = map[product.FiniteRuns]string{
	product.StutterRuns: "that a run that ends repeats its last state with no event (--finite=stutter)",
	product.IgnoreRuns:  "that only infinite runs count (--finite=ignore)",
	product.RefuseRuns:  "that no run ends",
}

// lasso is the run that violates a formula, line by line: what the components do until the
// loop begins, and what they do in it.
func (c *VerifiedC) lasso(f *ltl.Formula) *report.Counterexample {
	x := c.Result.Lasso
	way := make([]int32, x.Run.Len())
	for i := range way {
		way[i] = int32(i + 1)
	}
	var truth *ltl.Positions
	if c.asked.Explain {
		truth = check.OnWord(f, x.Word)
	}
	out, before := c.told(x.Parts, way, len(x.Run.Stem), check.Reasons(truth))
	if x.Run.Stutters() { // the run ends in one state more
		before = append(before, len(x.Run.Stem))
	}
	if truth != nil {
		out.Truth = check.TruthIn(before, f, truth)
	}
	switch {
	case x.Run.Stutters():
		out.Loop, out.End = nil, "deadlock"
		if x.Run.Loop[0].State.Kind == lks.End {
			out.End = "end"
		}
	case !x.Repeats:
		out.Note = "the loop can be followed for ever, though not with the same values: "
		var because []string
		for i, set := range x.Sets {
			if set != nil && !set.IsTrue() {
				because = append(because, fmt.Sprintf("%s is always where %s", c.names[i], set))
			}
		}
		if out.Note += strings.Join(because, ", "); len(because) == 0 {
			out.Note = "the loop can be followed for ever, whatever the values are"
		}
	}
	return out
}
