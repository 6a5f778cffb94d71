package programs

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/seltl/seltl/bug"
	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/internal/cegar"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/outcome"
	"github.com/seltl/seltl/product"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/report"
	"github.com/seltl/seltl/smt"
)

// SystemFormula is a formula about a system.
type SystemFormula struct {
	At       source.Span       // where its text stands
	Declared *program.Property // by the text of the system; nil: by nobody
}

// SystemFormulas are the formulas that the text of a system declares; names chooses some, all
// without any. The error is a *check.InputError.
func SystemFormulas(sys *program.System, names ...string) (all []SystemFormula, err error) {
	for i := range sys.Properties {
		p := &sys.Properties[i]
		if len(names) == 0 || slices.Contains(names, p.Name) {
			all = append(all, SystemFormula{At: p.Formula, Declared: p})
		}
	}
	for _, name := range names {
		if !slices.ContainsFunc(sys.Properties, func(p program.Property) bool { return p.Name == name }) {
			return nil, &check.InputError{Code: "unknown-property", File: sys.Name, Text: fmt.Sprintf("%s declares no property %s", sys.Name, name)}
		}
	}
	return all, nil
}

// VerifySystem decides whether all runs of a system satisfy formulas of SE-LTL, one after the
// other (docs/verify.md says what its runs are). The error is a source.List, a *check.InputError, or of
// the solver; what is undecided is in the report. results are by formula.
func VerifySystem(ctx context.Context, sys *program.System, formulas []SystemFormula, pool *smt.Pool, opts check.Verification, engine cegar.Options) (r *report.Report, results []*VerifiedSystem, err error) {
	if err := refuseSystem(sys); err != nil {
		return nil, nil, err
	}
	warnings := slices.DeleteFunc(slices.Clone(sys.Warnings), func(d source.Diagnostic) bool { return d.Code == "no-error" })
	run, done := newSpecifiedRun(ctx, "verify", warnings, pool, opts.Options, engine)
	defer done()
	run.report.Table = len(formulas) > 1
	for _, f := range formulas {
		if run.interrupted() {
			break
		}
		v := &VerifiedSystem{posed: posed{run: run, engine: run.engine, names: []string{sys.Name}, begin: time.Now()}, system: sys, asked: &opts}
		v.placed, v.rests = v.begins, func(result *report.Result) { systemRests(result, sys) }
		result := report.Result{Kind: "ltl", Formula: check.OneLine(f.At.Text())}
		if p := f.Declared; p != nil {
			check.Placed(&result, p.Span)
			result.Name, result.Expected = p.Name, report.Expected(p.Expected)
		}
		if err := v.decide(&result, f); err != nil {
			return nil, nil, err
		}
		results = append(results, v)
		run.add(&v.posed, result)
	}
	if !slices.ContainsFunc(formulas, func(f SystemFormula) bool { return f.Declared == nil }) {
		run.notAsked(sys.Warnings)
	}
	return run.report, results, nil
}

// systemRests says what a verdict about a system rests on.
func systemRests(result *report.Result, sys *program.System) {
	if slices.ContainsFunc(sys.Vars, func(v *logic.Term) bool { return v.Sort().Arithmetic() }) {
		result.Assumptions = append(result.Assumptions, mathematical)
	}
}

// VerifiedSystem is how one formula about a system was decided.
type VerifiedSystem struct {
	posed
	Result *cegar.SatisfiesResult // nil if there was no time
	// Visible says that all commands were actions, not only those that the formula names.
	Visible bool

	system *program.System
	asked  *check.Verification
}

// begins puts the error of a system that cannot begin.
func (v *VerifiedSystem) begins(err error) error {
	var e *cegar.NoInitialState
	if !errors.As(err, &e) {
		return err
	}
	return &check.InputError{Code: "no-initial-state", File: v.system.Name, Text: v.system.Name + " has no initial state: the conditions of init are never true"}
}

func (v *VerifiedSystem) decide(result *report.Result, f SystemFormula) error {
	read, err := systemFormulaOf(f.At, v.system)
	if err != nil {
		return err
	}
	result.ReadAs = check.EchoText(read.formula)
	p := &cegar.Property{Formula: read.formula, Propositions: [][]cegar.Proposition{read.props}, Finite: v.asked.Finite, Fairness: check.EngineFairness[v.asked.Fair]}
	v.narrate(result.Formula, "the abstract models satisfy it")
	v.Visible = everyCommand(p.Fairness)
	for ; ; v.Visible = true {
		var silent *cegar.NoticesSilentSteps
		if err = v.satisfies(p, read.named); err != nil || v.Visible || !errors.As(v.Result.Reason, &silent) {
			break
		}
	}
	var answer *cegar.Answer
	if v.Result != nil {
		answer = &v.Result.Answer
	}
	if v.Result != nil && v.Result.Ends {
		return refuseEnd(v.Result.Lasso)
	}
	err = v.answered(result, answer, err, func() error { return v.describe(result, p) })
	if err == nil && result.Verdict == report.Holds {
		err = v.findVacuity(result, read.text, v.asked, p, v.Result)
	}
	count(result.Statistics, v.Result)
	return err
}

// everyCommand reports that each command has to be an action, since its fairness matters.
func everyCommand(f product.Fairness) bool {
	return f == product.ActionFairness || f == product.StrongActionFairness
}

// satisfies asks the engine. If v.Visible all commands are actions, so that no step is silent and
// a formula may count steps; else only those that the formula names, which is less to search.
func (v *VerifiedSystem) satisfies(p *cegar.Property, named map[string]bool) error {
	c, err := componentFor(v.run.ctx, v.run.pool, v.system, named, v.Visible, p.Propositions[0])
	if err != nil {
		return err
	}
	v.components = []*program.Component{c}
	v.Result, err = cegar.Satisfies(v.run.ctx, v.components, p, v.run.pool, v.engine)
	return err
}

// componentFor is systemComponent for a formula, whose propositions are made some of that component.
func componentFor(ctx context.Context, pool *smt.Pool, sys *program.System, named map[string]bool, visible bool, props []cegar.Proposition) (*program.Component, error) {
	solver, err := pool.Acquire(ctx)
	if err != nil {
		return nil, err
	}
	defer pool.Release(solver)
	c, err := systemComponent(ctx, sys, func(name string) bool { return visible || named[name] }, solver)
	if err != nil {
		return nil, err
	}
	for i, p := range props { // by the locations of the component
		for p.Local != nil && len(p.Local) < len(c.System.Locations) {
			p.Local = append(slices.Clone(p.Local), nil)
		}
		props[i].Local = p.Local
	}
	return c, nil
}

// describe says what a verdict rests on, and shows the lasso, if there is one.
func (v *VerifiedSystem) describe(result *report.Result, p *cegar.Property) error {
	v.assumes(result, p, v.Result.Abstract)
	if v.Result.Verdict != outcome.Violated {
		return nil
	}
	x := v.Result.Lasso
	last := len(x.Parts[0].Steps) - 1
	l := &systemLasso{VerifiedSystem: v, property: p, sys: v.components[0].System, trace: traceTo(&x.Parts[0], last)}
	for _, s := range x.Parts[0].Steps[1:] {
		if int(s.Moves) <= len(x.Run.Stem) {
			l.stem += len(s.Trace.Edges)
		}
	}
	word, err := l.word()
	if err != nil {
		return err
	}
	if err := l.replay(); err != nil {
		return err
	}
	if ltl.Eval(p.Formula, word) {
		return bug.Errorf("check", "a run that is said to violate a formula satisfies it")
	}
	result.Counterexample = l.told(word)
	return nil
}

// systemLasso is a run of a system that violates a property, command by command.
type systemLasso struct {
	*VerifiedSystem
	property *cegar.Property
	sys      *program.System // of the component
	trace    *program.Trace
	stem     int // steps before the loop; all, if the run ends
}

// ends reports that the run ends, and nothing is repeated but its last state.
func (l *systemLasso) ends() bool { return l.stem == len(l.trace.Edges) }

// replay does the run again by evaluation. Of a loop that repeats itself, the states at both of its
// ends agree on what it depends on, which the engine has compared.
func (l *systemLasso) replay() error {
	whole := *l.sys
	at := l.trace.Location(l.sys, len(l.trace.Edges))
	whole.Error = []program.Region{{Location: at, Where: logic.True()}}
	if l.trace.Edges == nil { // it ends where it begins
		whole.Error[0].Location = l.trace.Start
	}
	if back := l.trace.Location(l.sys, l.stem); !l.ends() && back != at {
		return fmt.Errorf("the loop begins at %s and ends at %s", l.sys.Locations[back].Name, l.sys.Locations[at].Name)
	}
	return l.trace.Replay(&whole)
}

// word evaluates all atoms of the formula before each step, by their definition: nothing of the
// abstraction is used.
func (l *systemLasso) word() (w ltl.Word, err error) {
	var letters []ltl.Letter
	n := len(l.trace.Edges)
	if l.ends() {
		n++ // the last state, repeated
	}
	solver, err := l.run.pool.Acquire(l.run.ctx)
	if err != nil {
		return w, err
	}
	defer l.run.pool.Release(solver)
	for i := range n {
		letter, err := l.letter(i, solver)
		if err != nil {
			return w, err
		}
		letters = append(letters, letter)
	}
	return ltl.Word{Stem: letters[:l.stem:l.stem], Loop: letters[l.stem:]}, nil
}

func (l *systemLasso) letter(i int, solver smt.Checker) (ltl.Letter, error) {
	at, state := l.trace.Location(l.sys, i), l.trace.States[i]
	holds := map[ltl.Atom]bool{}
	for _, a := range ltl.Atoms(l.property.Formula) {
		var err error
		switch a.Kind {
		case ltl.Prop:
			props := l.property.Propositions[0]
			p := props[slices.IndexFunc(props, func(p cegar.Proposition) bool { return p.Name == a.Name })]
			holds[a], err = logic.Holds(p.Where(at), state)
		case ltl.Event:
			holds[a] = i < len(l.trace.Edges) && l.sys.Edges[l.trace.Edges[i]].Name == a.Name
		case ltl.Enabled:
			holds[a], err = l.possible(at, state, a.Name, solver)
		case ltl.Deadlock:
			if i == len(l.trace.Edges) {
				holds[a], err = l.possible(at, state, "", solver)
				holds[a] = !holds[a]
			}
		default:
			err = bug.Errorf("check", "a formula about a system has the atom %v", a)
		}
		if err != nil {
			return nil, err
		}
	}
	return func(a ltl.Atom) bool { return holds[a] }, nil
}

// possible asks whether a command of a name, or, with "", any, is possible in a state.
func (l *systemLasso) possible(at int, state logic.Model, name string, solver smt.Checker) (bool, error) {
	by := map[*logic.Term]*logic.Term{}
	for _, v := range l.sys.Vars {
		if value, known := state[v.Name()]; known {
			by[v] = value.Term()
		}
	}
	for _, e := range l.sys.Edges {
		if e.From != at || name != "" && e.Name != name {
			continue
		}
		status, err := smt.CheckAll(l.run.ctx, solver, logic.Substitute(e.Command.Guard, by))
		if err == nil && status == smt.Unknown {
			err = fmt.Errorf("it is not known whether %s is possible in a state", e.Name)
		}
		if status == smt.Sat || err != nil {
			return true, err
		}
	}
	return false, nil
}

// told is the run for people.
func (l *systemLasso) told(word ltl.Word) *report.Counterexample {
	out := programTrace(l.sys, l.trace)
	out.Kind, out.End = "lasso", ""
	x := l.Result.Lasso
	switch {
	case l.ends():
		if out.End = "deadlock"; x.Run.Stutters() && x.Run.Loop[0].State.Kind == lks.End {
			out.End = "end"
		}
	default:
		out.Stem, out.Loop = out.Stem[:l.stem:l.stem], out.Stem[l.stem:]
		if set := x.Sets[0]; !x.Repeats && set != nil {
			out.Note = fmt.Sprintf("the loop can be followed for ever, though not with the same values: always %s at its head", set)
		}
	}
	if l.asked.Explain {
		if truth := check.OnWord(l.property.Formula, word); truth != nil {
			states := make([]int, word.Len())
			for i := range states {
				states[i] = i
			}
			out.Truth = check.TruthIn(states, l.property.Formula, truth)
		}
	}
	return out
}
