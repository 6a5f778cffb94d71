package check

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/cegar"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/predabs"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/program/magic"
	"github.com/seltl/seltl/program/magic/bind"
	"github.com/seltl/seltl/program/passes"
	"github.com/seltl/seltl/report"
	"github.com/seltl/seltl/smt"
)

// IsSpec reports whether a file is, by its name, a specification of C programs.
func IsSpec(name string) bool { return strings.HasSuffix(name, ".spec") }

// LoadSpec reads a specification of C programs, from the file system if open is nil. The error
// is diagnostics or an *InputError.
func LoadSpec(name string, open Open) (*magic.File, error) {
	src, err := ReadSource(name, open)
	if err != nil {
		return nil, err
	}
	return magic.Parse(src)
}

// SpecifiedC is a question about a C program with a specification: bind.Task without its
// abstraction, of which there may be several.
type SpecifiedC struct {
	Task bind.Task
	// Abstractions are the names of those that are asked, in their order; none: all of the
	// cprog block.
	Abstractions []string
	// Assumed asks afterwards whether the routines that have bodies do what is assumed of
	// them, one at a time (assume-guarantee, thesis 6.4.2).
	Assumed bool
}

// ConformC decides whether C programs conform to specifications, one abstraction after the
// other: MAGIC's question. The error is a source.List or of the solver; what is undecided is in
// the report. results are by abstraction, nil where there is none.
func ConformC(ctx context.Context, q *SpecifiedC, pool *smt.Pool, opts Options, engine cegar.Options) (r *report.Report, results []*ConformedC, err error) {
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
	r = &report.Report{Command: "conform", Messages: Messages(q.Task.Spec.Diagnostics), Table: len(names) > 1}
	engine.Progress = opts.Progress
	if t := opts.Limits.Time; t > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, t)
		defer cancel()
	}
	engine.Limits = opts.Limits
	engine.Limits.Time = 0 // of all questions together: ctx has it
	ask := func(task bind.Task) error {
		c := &ConformedC{pool: pool, opts: &opts}
		result, messages, err := c.decide(ctx, &task, engine)
		if err != nil {
			return err
		}
		for _, m := range messages {
			if !slices.Contains(r.Messages, m) {
				r.Messages = append(r.Messages, m)
			}
		}
		if c.interrupted {
			r.Exit = report.ExitInterrupted
		}
		r.Exit = report.Worst(r.Exit, settle(&result))
		r.Results = append(r.Results, result)
		results = append(results, c)
		return nil
	}
	for _, name := range names {
		if r.Exit == report.ExitInterrupted {
			break
		}
		task := q.Task
		task.Abstraction = name
		if err := ask(task); err != nil {
			return nil, nil, err
		}
	}
	if q.Assumed && r.Exit != report.ExitInterrupted {
		for _, task := range assumptionTasks(&q.Task, results) {
			if err := ask(task); err != nil {
				return nil, nil, err
			}
		}
		r.Table = len(r.Results) > 1
	}
	return r, results, nil
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

// assumptionTask is the question whether one routine does what its abstraction says.
func assumptionTask(t *bind.Task, a bind.Assumption) (bind.Task, bool) {
	for _, d := range t.Spec.Defs {
		p, ok := d.(*magic.ProcDef)
		if !ok || p.Name.Text != a.Routine {
			continue
		}
		for _, s := range p.Statements {
			if stated, ok := s.(*magic.Abstract); ok && stated.Name.Text == a.Name {
				prog := &magic.ProgDef{DefHead: magic.DefHead{Name: magic.Name{Text: "assumption " + a.Name, Span: stated.Name.Span}, Span: stated.Span},
					Components: []*magic.ComponentRef{{Procedure: p.Name, Span: p.Name.Span}}, Statements: []magic.Statement{stated}}
				spec := *t.Spec
				spec.Defs = append(slices.Clone(spec.Defs), prog)
				task := *t
				task.Spec, task.Program, task.Abstraction = &spec, prog.Name.Text, a.Name
				return task, true
			}
		}
	}
	return bind.Task{}, false
}

// everywhere tracks predicates at all locations of a component.
func everywhere(c *program.Component, predicates []*logic.Term) predabs.Mapping {
	m := make(predabs.Mapping, len(c.System.Locations))
	for l := range m {
		for _, p := range predicates {
			m.Add(l, p)
		}
	}
	return m
}

// settle compares a result with what is expected of it and returns the exit status.
func settle(r *report.Result) int {
	if r.Expected != "" && r.Verdict != report.Unknown {
		as := r.Expected == r.Verdict
		r.AsExpected = &as
		if as {
			return report.ExitHolds
		}
		return report.ExitViolated
	}
	switch r.Verdict {
	case report.Holds:
		return report.ExitHolds
	case report.Violated:
		return report.ExitViolated
	}
	return report.ExitUnknown
}

// ConformedC is how one abstraction was decided.
type ConformedC struct {
	Question *bind.Question
	Result   *cegar.Result

	pool        *smt.Pool
	opts        *Options
	interrupted bool
}

// unknown is the answer where something stopped the search.
func (c *ConformedC) unknown(result *report.Result, reason error) {
	c.interrupted = c.opts.unknown(result, reason) == report.ExitInterrupted
}

func (c *ConformedC) decide(ctx context.Context, task *bind.Task, engine cegar.Options) (result report.Result, messages []report.Message, err error) {
	result = report.Result{Kind: "conform", Name: task.Abstraction}
	begin := time.Now()
	solver, err := c.pool.Acquire(ctx)
	if err == nil {
		c.Question, err = bind.Bind(ctx, task, solver)
		c.pool.Release(solver)
	}
	if err != nil {
		if stopped := ctx.Err(); stopped != nil {
			c.unknown(&result, stopping(stopped))
			return result, nil, nil
		}
		return result, nil, err
	}
	q := c.Question
	messages = append(cMessages(q.Program), Messages(q.Warnings)...)
	var names []string
	var components []*program.Component
	for _, k := range q.Components {
		component := k.Encoding.Component(k.Encoding.Words)
		component.Name = k.Name
		names, components = append(names, k.Name), append(components, component)
		engine.User = append(engine.User, everywhere(component, k.Predicates))
	}
	result.Formula = fmt.Sprintf("%s conforms to %s", names[0], q.Abstraction.LKS.Text)
	if last := len(names) - 1; last > 0 {
		result.Formula = fmt.Sprintf("%s and %s together conform to %s", strings.Join(names[:last], ", "), names[last], q.Abstraction.LKS.Text)
	}
	at := task.Spec.Place(q.Abstraction.Extent())
	result.File, result.Line, result.Column = at.File.Name(), at.Pos().Line, at.Pos().Column
	switch task.Spec.Expected(q.Abstraction) {
	case "holds":
		result.Expected = report.Holds
	case "fails":
		result.Expected = report.Violated
	}
	if c.opts.Narrate != nil {
		c.opts.Narrate(alphabets(result.Name, components))
		engine.Narrate = func(r cegar.Round) { c.opts.Narrate(roundText(names, &r)) }
	}
	err = c.search(ctx, components, engine)
	switch {
	case err != nil && !Limited(err) && ctx.Err() != nil:
		c.unknown(&result, stopping(ctx.Err()))
	case err != nil && Limited(err):
		c.unknown(&result, err)
	case err != nil:
		return result, messages, c.placed(err, task.Spec)
	default:
		c.describe(&result)
	}
	if c.Result != nil && len(c.Result.Rounds) > 0 {
		last := c.Result.Rounds[len(c.Result.Rounds)-1]
		states := int64(0)
		for _, n := range last.States {
			states += int64(n)
		}
		result.Statistics = &report.Statistics{States: report.NewCount(states), SearchSeconds: time.Since(begin).Seconds(), Method: "predicates: " + engine.Predicates.String()}
	}
	return result, messages, nil
}

// search asks the engine, and once more without passes where a counterexample is one of the
// encoding only: memory of which nothing is known may be read twice with two values there, and
// passes may take just that way of several.
func (c *ConformedC) search(ctx context.Context, components []*program.Component, engine cegar.Options) (err error) {
	c.Result, err = cegar.Simulates(ctx, components, c.Question.Spec, c.pool, engine)
	if err != nil || c.Result.Verdict != cegar.Fails || len(engine.Without) == len(passes.Default()) {
		return err
	}
	why := c.replay()
	if why == nil {
		return nil
	}
	if c.opts.Narrate != nil {
		c.opts.Narrate(fmt.Sprintf("  the counterexample cannot be run: %v; once more without passes\n", why))
	}
	engine.Without = passes.Default()
	c.Result, err = cegar.Simulates(ctx, components, c.Question.Spec, c.pool, engine)
	return err
}

// placed puts the error of a component that cannot begin at its guard.
func (c *ConformedC) placed(err error, spec *magic.File) error {
	var e *cegar.NoInitialState
	if !errors.As(err, &e) {
		return err
	}
	at := c.Question.Abstraction.Extent()
	if guards := c.Question.Abstraction.Guards; len(guards) == len(c.Question.Components) { // no copies
		at = guards[e.Component].Span
	}
	var list source.List
	d := list.Errorf(spec.Place(at), "guard", "%s cannot begin: no arguments satisfy its guard", e.Name)
	d.Help = "parameters that are pointers point to objects of their own: they are not null, and differ"
	return list
}

// alphabets tells what components take part in: which actions they share decides what they
// do together.
func alphabets(name string, components []*program.Component) string {
	text := name + "\n"
	for _, c := range components {
		text += fmt.Sprintf("  %s takes part in {%s}\n", c.Name, strings.Join(c.Alphabet, ", "))
	}
	return text
}

// roundText is the account of a round.
func roundText(names []string, r *cegar.Round) string {
	var models []string
	for i, n := range r.States {
		models = append(models, fmt.Sprintf("%s %d states with %d predicates at most, of %d branches", names[i], n, r.Predicates[i], r.Branches[i]))
	}
	text := "  round: " + strings.Join(models, "; ") + fmt.Sprintf("; %d positions\n", r.Positions)
	switch {
	case len(r.Refined) > 0:
		var who []string
		for _, i := range r.Refined {
			who = append(who, names[i])
		}
		text += fmt.Sprintf("    %s looked at, of %d steps at most: %s cannot follow; %s\n", report.Counted(int64(r.Trees), "counterexample"), r.Nodes, strings.Join(who, ", "), report.Counted(int64(r.New), "new predicate"))
	case r.Trees > 0:
		text += "    a counterexample that all components can follow\n"
	default:
		text += "    the specification can follow\n"
	}
	return text
}

// stopping is the error of a limit for a context that ended.
func stopping(err error) error {
	if errors.Is(err, context.Canceled) {
		return budget.ErrInterrupted
	}
	return &Inconclusive{Reason: "the time limit was reached", Limit: "time"}
}

func (c *ConformedC) describe(result *report.Result) {
	rounds := report.Counted(int64(len(c.Result.Rounds)), "round")
	switch c.Result.Verdict {
	case cegar.Holds:
		result.Verdict = report.Holds
		result.Note = rounds
		result.Assumptions = c.assumptions()
	case cegar.Fails:
		if err := c.replay(); err != nil {
			c.unknown(result, &Inconclusive{Reason: "a counterexample cannot be run: " + err.Error()})
			return
		}
		result.Verdict = report.Violated
		result.Counterexample = c.counterexample()
		result.Note = rounds
		if len(c.Result.Abstract.Trees) > 0 {
			result.Games = []*report.Move{game(c.Result.Abstract, c.Result.Abstract.Trees[c.Result.Counterexample.Tree])}
		}
		result.Assumptions = c.assumptions()
	default:
		c.unknown(result, &Inconclusive{Reason: c.Result.Reason})
	}
}

// assumptions are what an answer rests on.
func (c *ConformedC) assumptions() []string {
	var all []string
	for i, assumed := 0, c.Question.Assumed; i < len(assumed); {
		names := []string{assumed[i].Name}
		routine, says := assumed[i].Routine, "says"
		for i++; i < len(assumed) && assumed[i].Routine == routine; i++ {
			names, says = append(names, assumed[i].Name), "say"
		}
		all = append(all, fmt.Sprintf("%s() does what %s %s", routine, strings.Join(names, " and "), says))
	}
	for _, k := range c.Question.Components {
		s := &cSearch{enc: k.Encoding}
		for _, text := range s.assumptions(MachineIntegers) {
			if !slices.Contains(all, text) {
				all = append(all, text)
			}
		}
	}
	for _, g := range c.Question.Private {
		all = append(all, "each component has a "+g+" of its own (--globals=private)")
	}
	return all
}

// replay runs all that the components do in the counterexample on cfront's machine.
func (c *ConformedC) replay() error {
	for i, p := range c.Result.Counterexample.Parts {
		enc := c.Question.Components[i].Encoding
		inner := make([]bool, len(p.Steps))
		for _, s := range p.Steps {
			if s.Parent >= 0 {
				inner[s.Parent] = true
			}
		}
		for n := range p.Steps {
			if inner[n] || n == 0 {
				continue
			}
			if _, err := enc.ReplayComponent(enc.Words, traceTo(&p, n)); err != nil {
				return fmt.Errorf("%s: %w", c.Question.Components[i].Name, err)
			}
		}
	}
	return nil
}

// traceTo joins the traces of the steps that lead to one.
func traceTo(p *cegar.Part, n int) *program.Trace {
	var way []int
	for ; n > 0; n = p.Steps[n].Parent {
		way = append(way, n)
	}
	t := &program.Trace{Start: p.Steps[0].Location}
	t.States = append(t.States, p.Steps[0].State)
	slices.Reverse(way)
	for _, k := range way {
		step := p.Steps[k].Trace
		t.Edges, t.Inputs, t.States = append(t.Edges, step.Edges...), append(t.Inputs, step.Inputs...), append(t.States, step.States[1:]...)
	}
	return t
}
