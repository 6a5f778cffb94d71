// Package refine is the loop of counterexample-guided abstraction refinement
// ([Clarke03]): abstract, check, validate, refine. It
// knows no domain. What is abstracted, and how, is a Problem's; how often, within which
// limits, and who is told of it is the loop's.
//
// # Decisions
//
// One refinement loop (internal/refine): abstract, check, validate, refine. conform's two levels, both
// methods of armc and deadlock's IterDeadlock are refine.Problems; rounds, their limit, "learnt nothing is
// unknown" and narration are the loop's. A round is told when it is over, so what its account needs of the
// abstraction is written while it is there. Meters stay in the engines, which look at them far more often
// than once a round.
package refine

import (
	"errors"
	"strconv"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/outcome"
)

// Problem is a question with an abstraction. A C is what a check finds against it: an
// abstract counterexample, or several. An R is the account of a round; every step
// writes its part.
type Problem[C, R any] interface {
	// Check makes the abstraction of this round, counted from 0, and checks it. It
	// returns false if there is no abstract counterexample, which is a proof.
	Check(round int, account *R) (c C, found bool, err error)
	// Validate reports whether c ends the loop: it is a counterexample of the
	// question itself, or more rounds would not tell.
	Validate(c C, account *R) (ends bool, err error)
	// Refine makes the abstraction one that c is no counterexample of. It returns
	// false if it has learnt nothing, so that the next round would be as this one.
	Refine(c C, account *R) (progress bool, err error)
}

// Options of Run. The zero value has no limit and tells nobody.
type Options[R any] struct {
	// Refinements is how often an abstraction is refined at most; 0: no bound.
	Refinements int
	// Proceed is asked before every round, and its error ends the loop: a budget. It
	// may be nil.
	Proceed func() error
	// Explain is told of every round whose check came to an end, whatever came after
	// it, once nothing is added to the account any more. It may be nil.
	Explain func(account R)
}

// ErrStuck is the error of a loop in which refinement has learnt nothing: the answer is unknown.
var ErrStuck error = &outcome.Stuck{What: "refinement learns nothing new"}

// rounds is what Options.Refinements bounds.
const rounds = "refinements"

// OutOfRounds reports the error of a loop that has refined as often as it may, a *budget.Exhausted: the
// answer is unknown.
func OutOfRounds(err error) bool {
	var limit *budget.Exhausted
	return errors.As(err, &limit) && limit.What == rounds
}

// Run refines until a check finds nothing, a proof, or Validate ends the loop with the
// counterexample c, when found is true. Errors are ErrStuck, that of OutOfRounds, and those of
// the problem and of Options.Proceed.
func Run[C, R any](p Problem[C, R], opts Options[R]) (c C, found bool, err error) {
	for round := 0; ; round++ {
		if opts.Proceed != nil {
			if err := opts.Proceed(); err != nil {
				return c, false, err
			}
		}
		var account R
		c, found, err := p.Check(round, &account)
		if err != nil {
			return c, false, err
		}
		ends := !found
		if found {
			ends, err = validate(p, c, round, opts.Refinements, &account)
		}
		if opts.Explain != nil {
			opts.Explain(account)
		}
		if ends || err != nil {
			return c, found && err == nil, err
		}
	}
}

// validate is a round after its check has found c. Behind most there is no other one.
func validate[C, R any](p Problem[C, R], c C, round, most int, account *R) (ends bool, err error) {
	if ends, err = p.Validate(c, account); ends || err != nil {
		return ends, err
	}
	if most > 0 && round >= most {
		return false, &budget.Exhausted{What: rounds, Limit: strconv.Itoa(most)}
	}
	progress, err := p.Refine(c, account)
	if err == nil && !progress {
		err = ErrStuck
	}
	return false, err
}
