package certificate

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/names"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/ltl"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/smt"
)

// Certificate is a proof: an abstraction of each component.
type Certificate struct {
	Question Question
	// Options are those that the question was asked with, by name, in the words of who writes
	// the certificate; they prove nothing.
	Options    map[string][]string
	Components []Component
}

// Question says what is proved.
type Question uint8

const (
	// Conformance: the components together are weakly simulated by a specification, or have
	// only its traces.
	Conformance Question = iota
	// Deadlock: they never wait for one another for ever.
	Deadlock
	// Satisfaction: all runs satisfy a formula.
	Satisfaction
)

var questions = names.Of[Question]("question", "conformance", "deadlock", "satisfaction")

func (q Question) String() string                   { return questions.String(q) }
func (q Question) MarshalText() ([]byte, error)     { return questions.Marshal(q) }
func (q *Question) UnmarshalText(text []byte) error { return questions.Unmarshal(text, q) }

// Names lists the texts of all values.
func (Question) Names() []string { return questions.List() }

// Component is an abstraction of a component. A run of the component is at a state whenever it
// is at one of the locations in Cuts, at one that is the end of an edge with an action, or
// where the component has ended or leaves what is modelled; what it does between these is one
// step of the abstraction.
type Component struct {
	Name    string
	Cuts    []Cut // each location once
	States  []State
	Initial []int // of States
	// Measures are functions of the component's states that exclude runs.
	Measures []Measure
	file     *place // what it was read from, or nil
}

// Cut is a location where the abstraction has states, and the predicates that are tracked
// there, over the component's variables.
type Cut struct {
	Location   int
	Predicates []*logic.Term
}

// State stands for the concrete states at a location in which predicates hold, or do not.
type State struct {
	Location int
	Holds    []bool   // by predicate
	Props    []string // propositions that hold, sorted
	Steps    []Step
}

// Step is a transition of the abstraction; its Action is "" if it is silent.
type Step struct {
	Action string
	To     int // of States
	// Effects says what the step does to each measure of the component: a character for each.
	Effects string
}

// Task is a question about components. One of Spec and Formula is set for Conformance and
// Satisfaction.
type Task struct {
	Components []*program.Component // valid, with different names
	Question   Question
	Spec       *lks.LKS
	Traces     bool // traces, not simulation
	Formula    *ltl.Formula
	Finite     Finite
	Fairness   Fairness
	Props      [][]Prop // by component; may be shorter
	// Never are propositions that hold in no state that is reached: that others have no value
	// there.
	Never []string
}

// Prop is a proposition: a formula over the component's variables, or, with a nil formula,
// being at one of some locations.
type Prop struct {
	Name    string
	Formula *logic.Term
	At      []int
	// Local has, in place of both, where it holds by location, nil where it does not.
	Local []*logic.Term
}

// where returns where a proposition holds at a location.
func (p *Prop) where(l int) *logic.Term {
	switch {
	case p.Local != nil && p.Local[l] != nil:
		return p.Local[l]
	case p.Local == nil && p.Formula != nil:
		return p.Formula
	}
	return logic.BoolConst(p.Local == nil && slices.Contains(p.At, l))
}

// Observe adds a proposition of a component. Where undefined holds, if it is not nil, it has no
// value: that is to be proved to be nowhere.
func (t *Task) Observe(component int, p Prop, undefined *logic.Term) {
	for len(t.Props) <= component {
		t.Props = append(t.Props, nil)
	}
	t.Props[component] = append(t.Props[component], p)
	if undefined != nil && !undefined.IsFalse() {
		name := "no value of " + p.Name
		t.Props[component] = append(t.Props[component], Prop{Name: name, Formula: undefined})
		t.Never = append(t.Never, name)
	}
}

// Finite says how runs that end are read.
type Finite uint8

const (
	// Stutter: the last state repeats, without events.
	Stutter Finite = iota
	// Ignore: only infinite runs count.
	Ignore
	// Refuse: no run may end.
	Refuse
)

// Fairness restricts the runs that count.
type Fairness uint8

const (
	// AllRuns count.
	AllRuns Fairness = iota
	// Processes: a component that can move at all times from some point on moves again and
	// again.
	Processes
	// Actions: what Processes asks for, and an action that is possible at all times from some
	// point on occurs again and again.
	Actions
	// StrongActions: what Processes asks for, and an action that is possible again and again
	// occurs again and again.
	StrongActions
)

// Refused is the error of a certificate that does not prove what it should.
type Refused struct {
	Component string // "" of all together
	Claim     string // that is not proved
	Where     string // a state, or an edge
	Status    smt.Status
	Example   logic.Model // values that refute the claim, where the solver gave some
}

func (e *Refused) Error() string {
	s := "it is not proved that " + e.Claim
	if e.Status == smt.Unknown {
		s = "the solver cannot say whether " + e.Claim
	}
	if e.Component != "" {
		s = e.Component + ": " + s
	}
	if e.Where != "" {
		s += ": " + e.Where
	}
	if values := e.Example.String(); values != "" {
		s += ", with " + values
	}
	return s
}

// TooLarge is the error of a certificate that is too large to be checked.
type TooLarge struct{ What string }

func (e *TooLarge) Error() string { return "the certificate is too large to be checked: " + e.What }

// Limits of what is explored. Variables, so that tests can lower them.
var (
	maxPaths = 1 << 18 // of a component, edges of all paths together 16 times as many
	maxPairs = 1 << 25 // of states of all components and of what they are compared with
)

// Check proves what a certificate claims, with a solver that has no assertions. nil means that
// the answer to the task is "holds". A *Refused says what is wrong, a *TooLarge that it was not
// looked at; other errors are the meter's, the solver's, or say that the task is none.
//
// The solver is asked about each state; the work beyond that is linear in the states of all
// components together times those of the specification or of the tableau of the formula.
func Check(ctx context.Context, t *Task, c *Certificate, s smt.Checker, meter *budget.Meter) error {
	if err := t.validate(); err != nil {
		return err
	}
	if c.Question != t.Question {
		return &Refused{Claim: fmt.Sprintf("the question is answered, which is about %s: the certificate is about %s", t.Question, c.Question), Status: smt.Sat}
	}
	if len(c.Components) != len(t.Components) {
		return &Refused{Claim: fmt.Sprintf("there are %d components, not %d", len(c.Components), len(t.Components)), Status: smt.Sat}
	}
	for i := range t.Components {
		l, err := newLocal(ctx, t, i, &c.Components[i], s)
		if err != nil {
			return err
		}
		if err := l.check(meter); err != nil {
			return err
		}
	}
	g, err := compose(t, c, meter)
	if err != nil {
		return err
	}
	switch t.Question {
	case Conformance:
		if t.Traces {
			return g.traces(t.Spec, meter)
		}
		return g.simulated(t.Spec, meter)
	case Deadlock:
		return g.neverStuck()
	default:
		return g.satisfies(t, meter)
	}
}

// Empty reports of a certificate that Check has accepted, about Satisfaction or Deadlock, that there
// is no run at all: an assumption fails on every one. The error is a *TooLarge, or the meter's.
func Empty(t *Task, c *Certificate, meter *budget.Meter) (bool, error) {
	if t.Question == Conformance {
		return false, nil
	}
	g, err := compose(t, c, meter)
	if err != nil {
		return false, err
	}
	of := *t
	of.Formula, of.Finite = ltl.Ff(), Stutter
	var refused *Refused
	switch err := g.satisfies(&of, meter); {
	case errors.As(err, &refused):
		return false, nil
	case err != nil:
		return false, err
	}
	return true, nil
}

func (t *Task) validate() error {
	if len(t.Components) == 0 {
		return errors.New("there is no component")
	}
	known := map[string]bool{}
	for _, c := range t.Components {
		if err := c.Validate(); err != nil {
			return fmt.Errorf("component %s: %w", c.Name, err)
		}
		if known[c.Name] {
			return fmt.Errorf("two components have the name %s", c.Name)
		}
		known[c.Name] = true
	}
	switch {
	case t.Question > Satisfaction:
		return errors.New("there is no such question")
	case t.Question == Conformance && t.Spec == nil, t.Question == Satisfaction && t.Formula == nil:
		return errors.New("nothing is asked")
	case t.Question == Conformance && len(t.Spec.Props()) > 0:
		return errors.New("a specification of components has no propositions")
	}
	return nil
}

// props are the propositions of a component.
func (t *Task) props(component int) []Prop {
	if component < len(t.Props) {
		return t.Props[component]
	}
	return nil
}

// offers reports whether the answer depends on what is not possible.
func (t *Task) offers() bool {
	if t.Question == Satisfaction && t.Finite == Ignore && t.Fairness == AllRuns {
		return slices.ContainsFunc(ltl.Atoms(t.Formula), func(a ltl.Atom) bool { return a.Kind == ltl.Deadlock || a.Kind == ltl.Enabled })
	}
	return t.Question != Conformance
}

// ended reports whether a component has ended at a location.
func ended(c *program.Component, location int) bool { return slices.Contains(c.Ends, location) }
