package cegar

import (
	"time"

	"github.com/seltl/seltl/internal/refine"
)

// Phases are what the parts of the loop took, of all rounds.
type Phases struct {
	Abstraction time.Duration // the abstract models
	Automata    time.Duration // of the formula, where there is one
	Search      time.Duration // of the models' composition, and of its quotients
	Refinement  time.Duration // counterexamples validated, and what was learnt from them
}

// timed is a question whose phases are written down.
type timed[C any] struct {
	refine.Problem[C, Round]
	took *Phases
}

func (t timed[C]) Check(n int, round *Round) (C, bool, error) {
	begin, before := time.Now(), *t.took
	c, found, err := t.Problem.Check(n, round)
	inside := t.took.Abstraction - before.Abstraction + t.took.Automata - before.Automata
	t.took.Search += max(0, time.Since(begin)-inside)
	return c, found, err
}

func (t timed[C]) Validate(c C, round *Round) (bool, error) {
	defer t.refines(time.Now())
	return t.Problem.Validate(c, round)
}

func (t timed[C]) Refine(c C, round *Round) (bool, error) {
	defer t.refines(time.Now())
	return t.Problem.Refine(c, round)
}

func (t timed[C]) refines(since time.Time) { t.took.Refinement += time.Since(since) }
