package check

import (
	"time"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/outcome"
	"github.com/seltl/seltl/product"
)

// Options are those of all questions. The zero value is good.
type Options struct {
	// Limits bound each question; that the time of all of them is shared takes a
	// context with a deadline.
	Limits budget.Limits
	// Progress is called about once a second; it may be nil.
	Progress func(budget.Progress)
	// Narrate is told the rounds of abstraction refinement as they come, in lines for
	// people; nil: nobody listens.
	Narrate func(text string)
	// Assume are the names of what verdicts about C may rest on, of programs.Assumables; nil: all of it. A verdict
	// that rests on something else is unknown.
	Assume []string
	// Advise says what to try about a verdict that is unknown, in the words of who asks:
	// flags, or fields of a form. nil: nothing.
	Advise func(reason error) string
	// Profile asks for Result.Profile.
	Profile bool
	// Illustrate asks for Report.Pictures.
	Illustrate bool
	// share is the part of the time that a question has, 0 if it has all.
	share time.Duration
	// ShortestWord asks that the words of AskFormula have as few letters as any.
	ShortestWord bool
}

// Verification says how formulas and progress properties are decided.
type Verification struct {
	Options
	// Fair says which runs count, for all properties.
	Fair   Fairness
	Finite product.FiniteRuns
	product.Search
	product.Reductions
	// Shortest asks for counterexamples with few steps, see product.Options.
	Shortest bool
	// Explain asks why formulas fail: for Counterexample.Truth.
	Explain bool
	// Vacuity asks of each part of a formula that holds whether it has an effect on that, within the
	// limits of the question.
	Vacuity bool
}

// NarrateTurn tells what a method has done in its turn.
func (o *Options) NarrateTurn(t outcome.Turn) { o.Narrate(t.String() + "\n") }

func (o *Options) advise(reason error) string {
	if o.Advise == nil {
		return ""
	}
	return o.Advise(reason)
}
