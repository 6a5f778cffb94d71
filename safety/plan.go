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
		attempts = append(attempts, attempt{words, s.concrete(armc.Enumerate, firstStates, firstQueries), s.passes, false}, attempt{words, values, s.passes, false})
		if len(s.passes) > 0 { // which join what separate variables tell apart
			values.Rounds, values.MaxQueries, values.Limits.States = plainRounds, min(values.MaxQueries, plainQueries), min(values.Limits.States, plainStates)
			attempts = append(attempts, attempt{words, values, nil, false})
		}
	}
	for _, sys := range systems {
		for _, engine := range s.engines() {
			attempts = append(attempts, attempt{sys, engine, s.passes, s.open() && engine.Method == armc.Auto})
		}
	}
	return s.rounds(attempts, how)
}

// rounds gives each attempt a slice of work, and those that have not come to their ends a larger one,
// from the beginning, so that none waits for long for another; one that is alone may do what it likes.
// Those that have many ways of their own come last, and take the place of the others.
func (s *search) rounds(attempts []attempt, how Integers) (armc.Verdict, error) {
	alone := len(attempts) == 1
	for work := int64(firstSlice); len(attempts) > 0; work *= moreWork {
		var open []attempt
		for _, a := range attempts {
			switch late := work > lastSlice; {
			case a.last && !late && !alone:
				open = append(open, a)
				continue
			case !a.last && late && !alone:
				continue
			}
			a.engine.MaxWork = work
			if alone {
				a.engine.MaxWork = 0
			}
			v, ended, err := s.try(a, how)
			if v != armc.Unknown || err != nil || s.settled {
				return v, err
			}
			if !ended {
				open = append(open, a)
			}
		}
		attempts = open
	}
	return armc.Unknown, nil
}

// Slices of work of one attempt, in armc's units: up to three seconds, four and sixteen times as much. Bit-vectors
// take more work in a second than numbers.
const (
	firstSlice = 1_000_000
	moreWork   = 4
	lastSlice  = firstSlice * moreWork * moreWork
)

// attempt is a way to decide one of the encodings.
type attempt struct {
	sys    *program.System
	engine armc.Options
	passes []passes.Pass
	last   bool // it has many ways of its own
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
// predicates being tracked everywhere.
func (s *search) engines() []armc.Options {
	if !s.open() {
		return []armc.Options{s.engine}
	}
	everywhere := s.engine
	everywhere.Method, everywhere.Global, everywhere.NoFacts, everywhere.Blocks = armc.Forward, true, true, armc.Spliced
	large := s.engine
	large.Method, large.Refine, large.Blocks = armc.Forward, predabs.UnsatCore, armc.Large
	last := s.engine
	last.Without = append(slices.Clone(last.Without), armc.Values, armc.Enumerate) // which have had their turns
	return []armc.Options{large, everywhere, last}
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
