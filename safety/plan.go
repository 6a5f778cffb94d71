package safety

import (
	"slices"

	"github.com/seltl/seltl/armc"
	"github.com/seltl/seltl/predabs"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/program/passes"
)

// The plan of the attempts at a program: explicit values first, which end soon where they do not do well, then
// proofs over unbounded integers, which machine words confirm, then proofs over words. All is bounded by work.

func (s *search) decide(how Integers) (armc.Verdict, error) {
	systems := []*program.System{s.enc.Numbers, s.enc.Words}
	switch how {
	case MathIntegers:
		systems = systems[:1]
	case MachineIntegers:
		systems = systems[1:]
	}
	var attempts []attempt
	if s.open() { // numbers and differences are exact over words
		words := systems[len(systems)-1]
		values := s.concrete(armc.Values, valueStates, quickQueries)
		// The first ends soon where not all values are concrete.
		attempts = append(attempts, attempt{words, s.concrete(armc.Enumerate, firstStates, firstQueries), s.passes}, attempt{words, values, s.passes})
		if len(s.passes) > 0 { // which join what separate variables tell apart
			values.Rounds, values.MaxQueries, values.Limits.States = plainRounds, min(values.MaxQueries, plainQueries), min(values.Limits.States, plainStates)
			attempts = append(attempts, attempt{words, values, nil})
		}
	}
	for _, sys := range systems {
		for _, engine := range s.engines() {
			attempts = append(attempts, attempt{sys, engine, s.passes})
		}
	}
	for _, a := range attempts {
		if v, err := s.try(a, how); v != armc.Unknown || err != nil || s.settled {
			return v, err
		}
	}
	return armc.Unknown, nil
}

// attempt is a way to decide one of the encodings.
type attempt struct {
	sys    *program.System
	engine armc.Options
	passes []passes.Pass
}

// open reports that the caller leaves the method open.
func (s *search) open() bool {
	e := s.engine
	return e.Method == armc.Auto && !e.Global && !e.NoFacts && e.Blocks == armc.AutoBlocks
}

// Bounds of attempts at an encoding: questions to the solver.
const (
	firstQueries = 1_000
	quickQueries = 4_000
	longQueries  = 50_000
)

// valueStates bounds the abstract states with explicit values in one round.
const valueStates = 5_000_000

// firstStates bounds the states that are enumerated.
const firstStates = 5_000

// Bounds of explicit values without passes, which are quick where they do well.
const (
	plainRounds  = 20
	plainQueries = 500
	plainStates  = 10_000 // in one round
)

// engines are the further attempts at one encoding: where the caller leaves the method open,
// first the one that copes with many branches, by facts and large blocks, which decides most
// of what passes leave with few questions, and then the one that copes with many locations,
// predicates being tracked everywhere; both again with more questions.
func (s *search) engines() []armc.Options {
	if !s.open() {
		return []armc.Options{s.engine}
	}
	quick := s.engine
	quick.Method, quick.Global, quick.NoFacts, quick.Blocks = armc.Forward, true, true, armc.Spliced
	long := quick
	if quick.MaxQueries == 0 {
		quick.MaxQueries, long.MaxQueries = quickQueries, longQueries
	}
	large := s.engine
	large.Method, large.Refine, large.Blocks, large.MaxQueries = armc.Forward, predabs.UnsatCore, armc.Large, quick.MaxQueries
	first := large
	if s.engine.MaxQueries == 0 {
		first.MaxQueries = firstQueries
	}
	last := s.engine
	last.Without = append(slices.Clone(last.Without), armc.Values, armc.Enumerate) // which have had their turns
	return []armc.Options{first, quick, large, long, last}
}

// concrete are the options of a method that goes by explicit values, with bounds of its own.
func (s *search) concrete(m armc.Method, states int64, queries int) armc.Options {
	o := s.engine
	o.Method, o.NoFacts = m, true
	if most := o.Limits.States; most == 0 || most > states {
		o.Limits.States = states
	}
	if o.MaxQueries == 0 {
		o.MaxQueries = queries
	}
	return o
}
