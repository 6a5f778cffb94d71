package programs

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/internal/c/bind"
	"github.com/seltl/seltl/internal/c/specification"
	"github.com/seltl/seltl/internal/cegar"
	"github.com/seltl/seltl/internal/expectation"
	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/internal/predabs"
	"github.com/seltl/seltl/internal/program/passes"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/outcome"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/report"
	"github.com/seltl/seltl/smt"
)

// LoadSpec reads a specification of C programs, from the file system if open is nil. The error
// is diagnostics or a *check.InputError.
func LoadSpec(name string, open check.Open) (*specification.File, error) {
	src, err := check.ReadSource(name, open)
	if err != nil {
		return nil, err
	}
	return specification.Parse(src)
}

// PlainSpec is the specification of a program that has none: a routine is the one component.
func PlainSpec(entry string) (*specification.File, error) {
	return specification.Parse(source.NewFile("<no specification>", fmt.Sprintf("cprog %[1]s = %[1]s {}", entry)))
}

// SpecifiedC is a question about a C program with a specification: a task without its
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

// specifiedRun asks questions about components, of C programs or systems, one after the other, and reports
// them. Their time is limited together, by the context.
type specifiedRun struct {
	ctx    context.Context
	pool   *smt.Pool
	opts   check.Options
	engine cegar.Options
	report *report.Report
}

// newSpecifiedRun prepares questions of a command about components, of which warnings were given
// when they were read. done must be called at the end.
func newSpecifiedRun(ctx context.Context, command string, warnings source.List, pool *smt.Pool, opts check.Options, engine cegar.Options) (r *specifiedRun, done func()) {
	ctx, done = opts.Limits.Within(ctx)
	engine.Progress, engine.Limits = opts.Progress, opts.Limits
	engine.Limits.Time = 0 // of all questions together: ctx has it
	return &specifiedRun{ctx: ctx, pool: pool, opts: opts, engine: engine, report: &report.Report{Command: command, Messages: check.Messages(warnings)}}, done
}

// add reports the result of a question.
func (r *specifiedRun) add(q *posed, result report.Result) {
	for _, m := range q.messages {
		if !slices.Contains(r.report.Messages, m) {
			r.report.Messages = append(r.report.Messages, m)
		}
	}
	if q.interrupted {
		r.report.Exit = report.ExitInterrupted
	}
	r.report.Exit = report.Worst(r.report.Exit, check.Judge(&result, result.Verdict.Exit()))
	r.report.Results = append(r.report.Results, result)
}

// notAsked adds a result for each expectation that cannot be read.
func (r *specifiedRun) notAsked(warnings source.List) {
	for _, w := range expectation.Unread(warnings) {
		r.report.Results = append(r.report.Results, check.UnreadExpectation(&w))
		r.report.Exit = report.Worst(r.report.Exit, report.ExitUnknown)
		r.report.Table = true
	}
}

func (r *specifiedRun) interrupted() bool { return r.report.Exit == report.ExitInterrupted }

// specified is a question about a specified C program.
type specified struct {
	posed
	Question *bind.Question // nil if there was no time to bind it

	task *bind.Task
}

// posed is a question about components, whatever language they are in.
type posed struct {
	run         *specifiedRun
	engine      cegar.Options
	components  []*program.Component
	names       []string // of the components
	messages    []report.Message
	begin       time.Time
	interrupted bool
	answer      *cegar.Answer

	placed func(error) error    // puts an error of the engine to its place in the text
	rests  func(*report.Result) // says what a verdict rests on
}

// bind makes components of a task. bound is false, and result says so, if there was no time. The
// error is a source.List or of the solver.
func (r *specifiedRun) bind(task *bind.Task, result *report.Result) (q *specified, bound bool, err error) {
	q = &specified{posed: posed{run: r, engine: r.engine, begin: time.Now()}, task: task}
	q.posed.placed, q.posed.rests = q.guarded, func(result *report.Result) { rests(&r.opts, result, assumedOf(q.Question)) }
	solver, err := r.pool.Acquire(r.ctx)
	if err == nil {
		q.Question, err = bind.Bind(r.ctx, task, solver)
		r.pool.Release(solver)
	}
	if err != nil {
		if stopped := r.ctx.Err(); stopped != nil {
			q.unknown(result, stopping(stopped))
			return q, false, nil
		}
		return q, false, err
	}
	q.messages = append(MessagesOfC(q.Question.Program), check.Messages(q.Question.Warnings)...)
	for _, k := range q.Question.Components {
		c := k.Encoding.Component(k.Encoding.Words)
		c.Name = k.Name
		q.names, q.components = append(q.names, k.Name), append(q.components, c)
		q.engine.User = append(q.engine.User, everywhere(c, k.Predicates))
	}
	return q, true, nil
}

// place says where in the specification a claim stands, and what is expected of it.
func (q *specified) place(result *report.Result, claim specification.Node) {
	at := q.task.Spec.Place(claim.Extent())
	result.File, result.Line, result.Column = at.File.Name(), at.Pos().Line, at.Pos().Column
	result.Expected = report.Expected(q.task.Spec.Expected(claim))
}

// narrate tells alphabets, and rounds as they come, to who listens; proof is what is said of
// the last round of a proof.
func (q *posed) narrate(name, proof string) {
	if tell := q.run.opts.Narrate; tell != nil {
		tell(alphabets(name, q.components))
		q.engine.Explain = func(r cegar.Round) { tell(roundText(q.names, &r, proof)) }
	}
}

// search asks the engine, and again with fewer passes where a counterexample is one of the
// encoding only: memory of which nothing is known may be read twice with two values there, and
// passes may take just that way of several. Constants and slices choose no way; with them
// branches are fewer, but interpolants were found later than without.
func (q *specified) search(ask func() (*cegar.Answer, []cegar.Part, error)) (answer *cegar.Answer, err error) {
	for _, fewer := range [][]passes.Pass{nil, {passes.Copies, passes.Dead, passes.Merge, passes.Split}, passes.Default()} {
		without := slices.Clone(q.engine.Without)
		for _, p := range fewer {
			if !slices.Contains(without, p) {
				without = append(without, p)
			}
		}
		some := fewer != nil && len(fewer) < len(passes.Default())
		if fewer != nil && len(without) == len(q.engine.Without) || some && q.engine.Predicates != cegar.Branches {
			continue // as before
		}
		q.engine.Without = without
		var parts []cegar.Part
		answer, parts, err = ask()
		if err != nil || answer.Verdict != outcome.Violated || len(without) == len(passes.Default()) {
			return answer, err
		}
		why := q.replay(parts)
		if why == nil {
			return answer, nil
		}
		if narrate := q.run.opts.Narrate; narrate != nil {
			narrate(fmt.Sprintf("  the counterexample cannot be run: %v; once more with fewer passes\n", why))
		}
	}
	return answer, nil
}

// Answer is what the engine came to; nil if there was no time.
func (q *posed) Answer() *cegar.Answer { return q.answer }

// answered turns what the engine has answered into a result: undecided is an error of limits or
// an answer that is unknown. describe is asked about the others, with Holds or Fails; an error
// of it is a counterexample that cannot be run.
func (q *posed) answered(result *report.Result, answer *cegar.Answer, err error, describe func() error) error {
	ended := q.run.ctx.Err()
	q.answer = answer
	switch {
	case err != nil && check.Limited(err):
		q.unknown(result, err)
	case err != nil && ended != nil:
		q.unknown(result, stopping(ended))
	case err != nil:
		return q.placed(err)
	case answer.Verdict == outcome.Unknown:
		q.unknown(result, &check.Inconclusive{Reason: answer.Reason})
	default:
		q.decided(result, answer, describe)
	}
	if answer != nil && len(answer.Rounds) > 0 {
		states := int64(0)
		for _, n := range answer.Rounds[len(answer.Rounds)-1].States {
			states += int64(n)
		}
		result.Statistics = &report.Statistics{States: report.NewCount(states), SearchSeconds: time.Since(q.begin).Seconds(), Method: "predicates: " + q.engine.Predicates.String()}
		if tell := q.run.opts.Narrate; tell != nil {
			tell(phasesText(answer, result.Statistics.SearchSeconds))
		}
	}
	return nil
}

func (q *posed) decided(result *report.Result, answer *cegar.Answer, describe func() error) {
	if err := describe(); err != nil {
		q.unknown(result, &check.Inconclusive{Reason: fmt.Errorf("a counterexample cannot be run: %w", err)})
		return
	}
	result.Verdict = report.Holds
	if answer.Verdict == outcome.Violated {
		result.Verdict = report.Violated
	}
	result.NoRun = answer.NoRun
	result.Note = report.Counted(int64(len(answer.Rounds)), "round")
	if answer.Incomplete {
		check.AddNote(result, "there may be smaller sets of branches: not all were tried (--max-subsets, --max-eliminating)")
	}
	q.rests(result)
}

// unknown is the answer where something stopped the search.
func (q *posed) unknown(result *report.Result, reason error) {
	q.interrupted = q.run.opts.Unknown(result, reason) == report.ExitInterrupted
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

// guarded puts the error of a component that cannot begin at its guard.
func (q *specified) guarded(err error) error {
	var e *cegar.NoInitialState
	if !errors.As(err, &e) {
		return err
	}
	var list source.List
	d := list.Errorf(q.task.Spec.Place(q.guard(e.Component)), "guard", "%s cannot begin: no arguments satisfy its guard", e.Name)
	d.Help = "parameters that are pointers point to objects of their own: they are not null, and differ"
	return list
}

// guard is the place of the guard of a component, or of all of them.
func (q *specified) guard(component int) specification.Span {
	var all []*specification.CExpr
	var at specification.Span
	if a := q.Question.Abstraction; a != nil {
		all, at = a.Guards, a.Extent()
	} else if p := block(q.task.Spec, q.task.Program); p != nil {
		at = p.Extent()
		for _, s := range p.Statements {
			if s, ok := s.(*specification.Assume); ok {
				all, at = s.Guards, s.Extent()
			}
		}
	}
	if len(all) == len(q.Question.Components) { // no copies
		return all[component].Span
	}
	return at
}

// block is a cprog block by its name; "" is the only one.
func block(spec *specification.File, name string) *specification.ProgDef {
	for _, d := range spec.Defs {
		if p, ok := d.(*specification.ProgDef); ok && (name == "" || p.Name.Text == name) {
			return p
		}
	}
	return nil
}

// together says what one component does, or several together do.
func together(names []string, does, do string) string {
	if last := len(names) - 1; last > 0 {
		return fmt.Sprintf("%s and %s %s", strings.Join(names[:last], ", "), names[last], do)
	}
	return names[0] + " " + does
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

// roundText is the account of a round; proof is what is said where there is no counterexample.
func roundText(names []string, r *cegar.Round, proof string) string {
	var models []string
	for i, n := range r.States {
		models = append(models, fmt.Sprintf("%s %d states with %d predicates at most, of %d branches", names[i], n, r.Predicates[i], r.Branches[i]))
	}
	text := "  round: " + strings.Join(models, "; ") + fmt.Sprintf("; %d positions\n", r.Positions)
	if r.Above > 0 {
		var classes []string
		for i, n := range r.Classes {
			classes = append(classes, fmt.Sprintf("%s %d", names[i], n))
		}
		text += fmt.Sprintf("    quotients of these were looked at %s, with as many classes in the end: %s\n", report.Counted(int64(r.Above), "time"), strings.Join(classes, ", "))
	}
	switch {
	case len(r.Refined) > 0:
		who := lists.Append(nil, r.Refined, func(i int) string { return names[i] })
		text += fmt.Sprintf("    %s looked at, of %d steps at most: %s cannot follow; %s\n", report.Counted(int64(r.Trees), "counterexample"), r.Nodes, strings.Join(who, ", "), report.Counted(int64(r.New), "new predicate"))
	case r.Trees > 0:
		text += "    a counterexample that all components can follow\n"
	default:
		text += "    " + proof + "\n"
	}
	return text
}

// phasesText says how much work an answer was, by rounds and levels, and how long its phases
// took: the rest was for reading, passes, and counterexamples that are told.
func phasesText(answer *cegar.Answer, seconds float64) string {
	trees, predicates, above := 0, 0, 0
	for _, r := range answer.Rounds {
		trees, predicates, above = trees+r.Trees, predicates+r.New, above+r.Above
	}
	work := []string{report.Counted(int64(len(answer.Rounds)), "round"), report.Counted(int64(trees), "counterexample"), report.Counted(int64(predicates), "new predicate")}
	if above > 0 {
		work = append(work, "quotients searched "+report.Counted(int64(above), "time"))
	}
	t := answer.Took
	text := fmt.Sprintf("  in all %s\n  took %.2f s: ", strings.Join(work, ", "), seconds)
	if t.Automata > 0 {
		text += fmt.Sprintf("automata of the formula %.2f s, ", t.Automata.Seconds())
	}
	return text + fmt.Sprintf("searches of the abstract models %.2f s, abstraction %.2f s, refinement %.2f s\n", t.Search.Seconds(), t.Abstraction.Seconds(), t.Refinement.Seconds())
}

// stopping is the error of a limit for a context that ended.
func stopping(err error) error {
	if errors.Is(err, context.Canceled) {
		return budget.ErrInterrupted
	}
	return &check.Inconclusive{Reason: &budget.Exhausted{What: "time"}}
}

// replay runs all that the components do in a counterexample on package machine.
func (q *specified) replay(parts []cegar.Part) error {
	for i, p := range parts {
		enc := q.Question.Components[i].Encoding
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
				return fmt.Errorf("%s: %w", q.Question.Components[i].Name, err)
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
