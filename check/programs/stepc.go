package programs

import (
	"context"
	"slices"
	"strings"

	"github.com/seltl/seltl/c/cfront"
	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/clp"
	"github.com/seltl/seltl/internal/c/bind"
	"github.com/seltl/seltl/internal/c/steps"
	"github.com/seltl/seltl/internal/cegar"
	"github.com/seltl/seltl/internal/lists"
	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/report"
	"github.com/seltl/seltl/safety"
	"github.com/seltl/seltl/smt"
)

// SteppedC is a C program that is stepped through: on its own, or the components that a
// specification makes of it.
type SteppedC struct {
	File, Process string // for people
	Parts         []SteppedPart
	Formulas      []SteppedFormula
	// Net has no runs: it is what formulas speak of, propositions and actions.
	Net      *lks.Network
	Messages []report.Message
	// Assumptions are what the steps rest on.
	Assumptions []string
	// Parse reads the sources again with conditions beside them: see machine.Machine.Observe.
	Parse func([]cfront.Condition) (*ir.Program, error)
	// Fails decides whether the program can fail; nil of components.
	Fails func(context.Context, check.Options) (*report.Report, error)
}

// SteppedPart is what steps: the program, or a component.
type SteppedPart struct {
	Name      string
	Procedure *steps.Procedure
	// Alphabet are the actions that it takes part in, sorted: nobody performs one of these
	// without it.
	Alphabet     []string
	Propositions []SteppedProposition
}

// SteppedProposition is a proposition of a component: a condition on the variables of its
// procedure, or a label that it is at.
type SteppedProposition struct {
	Name      string
	Condition *ir.Func // nil of a label
	Label     string
}

// SteppedFormula is a formula that is followed.
type SteppedFormula struct {
	Name, Text string
	Formula    *ltl.Formula
}

// StepC prepares a program, which was read of files with options, for steps from a routine on.
func StepC(prog *ir.Program, files []string, o cfront.Options, open check.Open) (*SteppedC, error) {
	p, err := steps.OfProgram(prog, o.Entry)
	if err != nil {
		return nil, &check.InputError{Code: "entry", Text: err.Error(), Help: source.DidYouMean(o.Entry, withBodies(prog))}
	}
	s := &SteppedC{File: strings.Join(files, " "), Process: o.Entry, Parts: []SteppedPart{{Name: o.Entry, Procedure: p}}, Messages: MessagesOfC(prog)}
	s.Parse = func(conditions []cfront.Condition) (*ir.Program, error) {
		with := o
		with.Conditions = conditions
		return LoadC(files, with, open)
	}
	s.Fails = func(ctx context.Context, opts check.Options) (*report.Report, error) {
		return failsC(ctx, prog, o.Entry, opts)
	}
	s.Assumptions = []string{modelOf(prog)}
	return s, s.vocabulary()
}

// failsC decides whether a program can fail, with its calls inlined or by routines.
func failsC(ctx context.Context, prog *ir.Program, entry string, opts check.Options) (*report.Report, error) {
	pool := smt.Z3Pool(1, smt.Options{})
	defer pool.Close()
	enc, err := AutoCalls.Encode(ctx, prog, entry)
	if err != nil {
		return nil, err
	}
	if enc.Routines != nil {
		r, _, err := ReachRoutines(ctx, enc, pool, opts, clp.Options{}, safety.AutoIntegers)
		return r, err
	}
	r, _, err := ReachC(ctx, enc, pool, opts, safety.Options{})
	return r, err
}

func withBodies(p *ir.Program) (names []string) {
	for _, f := range p.Funcs {
		if !f.Extern() {
			names = append(names, f.Name)
		}
	}
	return names
}

// StepSpecifiedC prepares the components of a specification for steps, and the formulas that are
// followed. The error is a source.List or of the solver.
func StepSpecifiedC(ctx context.Context, task bind.Task, formulas []FormulaC, pool *smt.Pool) (*SteppedC, error) {
	constants, err := task.Spec.Constants(task.Constants)
	if err != nil {
		return nil, err
	}
	task.Unclaimed = task.Abstraction == ""
	for _, f := range formulas {
		props, err := propositionsOf(f.At, constants)
		if err != nil {
			return nil, err
		}
		for _, p := range props {
			if !slices.Contains(task.Propositions, p) {
				task.Propositions = append(task.Propositions, p)
			}
		}
		task.Formulas = append(task.Formulas, f.At)
	}
	run, done := newSpecifiedRun(ctx, "sim", task.Spec.Diagnostics, pool, check.Options{}, cegar.Options{})
	defer done()
	var result report.Result
	q, bound, err := run.bind(&task, &result)
	switch {
	case err != nil:
		return nil, err
	case !bound:
		return nil, stopping(ctx.Err())
	}
	s := &SteppedC{File: sourcesOf(&task), Process: task.Program, Messages: q.messages, Assumptions: textsOf(assumedOf(q.Question))}
	if p := block(task.Spec, task.Program); p != nil {
		s.Process = p.Name.Text
	}
	for i, k := range q.Question.Components {
		s.Parts = append(s.Parts, SteppedPart{Name: k.Name, Procedure: steps.OfComponent(k.Encoding), Alphabet: q.components[i].Alphabet, Propositions: steppedPropositions(k)})
	}
	for _, f := range formulas {
		formula, _, err := formulaOf(f.At, constants, q.Question, q.components)
		if err != nil {
			return nil, err
		}
		s.Formulas = append(s.Formulas, SteppedFormula{f.Name, check.OneLine(f.At.Text()), formula})
	}
	s.Parse = func(conditions []cfront.Condition) (*ir.Program, error) {
		o := task.C
		o.Conditions = conditions
		return cfront.Parse(task.Sources, o)
	}
	return s, s.vocabulary()
}

func sourcesOf(t *bind.Task) string {
	names := lists.Append(nil, t.Sources, (*source.File).Name)
	if !t.Plain {
		names = append(names, t.Spec.Source.Name())
	}
	return strings.Join(names, " ")
}

// steppedPropositions are those of a component, as its procedure has them.
func steppedPropositions(k *bind.Component) (all []SteppedProposition) {
	observed := k.Context.Observed
	for _, p := range k.Propositions {
		own := SteppedProposition{Name: p.Name}
		if p.Label {
			s, _ := bind.ParseProposition(p.Name)
			own.Label = s.Label
		} else {
			own.Condition, observed = observed[0], observed[1:]
		}
		all = append(all, own)
	}
	return all
}

// vocabulary makes the network of what formulas speak of: a component for the actions, and one
// for each proposition, so that any of them can hold together.
func (s *SteppedC) vocabulary() error {
	b := lks.NewBuilder("program")
	only := b.State()
	for _, p := range s.Parts {
		for _, a := range p.Alphabet {
			b.Transition(only, a, only)
		}
	}
	b.Transition(only, lks.TauName, only)
	actions, err := b.Build()
	if err != nil {
		return err
	}
	nets := []*lks.Network{lks.Single(actions)}
	for _, p := range s.Parts {
		for _, q := range p.Propositions {
			b := lks.NewBuilder(q.Name)
			b.Initial(b.State(), b.State(q.Name))
			b.Transition(0, lks.TauName, 1)
			b.Transition(1, lks.TauName, 0)
			m, err := b.Build()
			if err != nil {
				return err
			}
			nets = append(nets, lks.Single(m))
		}
	}
	s.Net, err = lks.Compose("program", nets...)
	return err
}
