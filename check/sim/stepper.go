package sim

import (
	"context"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/report"
)

// Stepper is a session, as people see it: of a model (Session), or of a C program (Program).
type Stepper interface {
	// Describe says what is stepped through.
	Describe() *report.Model
	// Components are named in the order of State.Locals; those that are Watching are fluents.
	Components() []string
	Watching(component int) bool
	Props() []string
	Menus() []string
	Starts() ([]report.State, error)
	Now() *Position
	// History lists the events of the run, those that lie ahead behind the others.
	History() []string
	Properties() []Property
	Verbs() []Verb
	Do(context.Context, Command) (*Answer, error)
	// TellStates completes an Answer while nothing else has been done: see Answer.Taken.
	TellStates(*Answer)
	Load(*report.Counterexample) error
	// Report is the run so far, in the form that Load takes, Len its number of steps.
	Report() *report.Report
	Len() int
	At() int
	OnProgress(func(budget.Progress))
}

var _, _ Stepper = &Session{}, &Program{}

// Describe says what is stepped through.
func (s *Session) Describe() *report.Model { return s.model.Describe() }

// Verbs are the commands of a model.
func (s *Session) Verbs() []Verb { return Verbs }

// TellStates does nothing: Do has said them.
func (s *Session) TellStates(*Answer) {}

// Len is the number of steps of Run.
func (s *Session) Len() int { return s.Run().Len() }
