package safety

import (
	"slices"

	"github.com/seltl/seltl/armc"
	"github.com/seltl/seltl/internal/predabs"
	"github.com/seltl/seltl/internal/program/passes"
	"github.com/seltl/seltl/program"
)

// lane is a way to decide an encoding of a program, where the caller leaves the method open.
type lane struct {
	engine func(o armc.Options) armc.Options // of the caller's options
	words  bool                              // over machine words alone: numbers and differences are exact there
	plain  bool                              // without passes, which join what separate variables tell apart
	late   bool                              // it has many ways of its own, and takes the place of those that are not, see rounds
	share  int64                             // how many times as much work it may do as others; 0 is 1
}

// lanes have their turns in this order: explicit values first, which end soon where they do not do well, then
// unwinding, which finds what is near, then proofs over unbounded integers, which machine words confirm, then proofs over words.
var lanes = []lane{
	{engine: enumerated, words: true, plain: true}, // runs programs without input; ends soon where not all values are concrete
	{engine: enumerated, words: true},
	{engine: byValues, words: true},
	{engine: byValuesSoon, words: true, plain: true},
	{engine: unwound, words: true, share: 6}, // Z3's SAT solver counts more units in a second
	{engine: byLargeBlocks},
	{engine: everywhere},
	{engine: others, late: true},
}

// Bounds of lanes that go by explicit values: questions to the solver, abstract states in one round, and
// rounds. Those without passes are quick where they do well.
const (
	firstQueries = 1_000
	firstStates  = 2_000_000
	valueQueries = 4_000
	valueStates  = 5_000_000
	plainQueries = 500
	plainStates  = 10_000
	plainRounds  = 20
	nearBlocks   = 128 // of unwinding; the late lane goes on
)

func enumerated(o armc.Options) armc.Options {
	return concrete(o, armc.Enumerate, firstStates, firstQueries)
}

func byValues(o armc.Options) armc.Options {
	return concrete(o, armc.Values, valueStates, valueQueries)
}

func byValuesSoon(o armc.Options) armc.Options {
	if o.Rounds = plainRounds; o.MaxQueries > plainQueries {
		o.MaxQueries = plainQueries
	}
	return concrete(o, armc.Values, plainStates, plainQueries)
}

// unwound finds failures that are near, and is a proof where all runs are short.
func unwound(o armc.Options) armc.Options {
	o.Method, o.NoFacts, o.Rounds = armc.Bounded, true, nearBlocks
	return o
}

// concrete are the options of a method that goes by explicit values, with bounds of its own.
func concrete(o armc.Options, m armc.Method, states int64, queries int) armc.Options {
	o.Method, o.NoFacts = m, true
	if most := o.Limits.States; most == 0 || most > states {
		o.Limits.States = states
	}
	if o.MaxQueries == 0 {
		o.MaxQueries = queries
	}
	return o
}

// byLargeBlocks copes with many branches, by facts and large blocks, and decides most of what passes leave
// with few questions.
func byLargeBlocks(o armc.Options) armc.Options {
	o.Method, o.Refine, o.Blocks = armc.Forward, predabs.UnsatCore, armc.Large
	return o
}

// everywhere copes with many locations: predicates are tracked everywhere.
func everywhere(o armc.Options) armc.Options {
	o.Method, o.Global, o.NoFacts, o.Blocks = armc.Forward, true, true, armc.Spliced
	return o
}

// others are all methods but those that have had their turns.
func others(o armc.Options) armc.Options {
	o.Without = append(slices.Clone(o.Without), armc.Values, armc.Enumerate)
	return o
}

// attempt is a lane over one of the encodings.
type attempt struct {
	sys         *program.System
	engine      armc.Options
	passes      []passes.Pass
	early, late bool // it takes part in the first rounds, and in those behind them
	share       int64
}

func (s *search) decide(how Integers) (armc.Verdict, error) {
	systems := []*program.System{s.enc.Numbers, s.enc.Words}
	switch how {
	case MathIntegers:
		systems = systems[:1]
	case MachineIntegers:
		systems = systems[1:]
	}
	var attempts []attempt
	if !s.open() {
		for _, sys := range systems {
			attempts = append(attempts, attempt{sys, s.engine, s.passes, true, true, 1})
		}
		return s.rounds(attempts, how)
	}
	exact := systems[len(systems)-1]
	for _, l := range lanes {
		if l.words && (!l.plain || len(s.passes) > 0) && !s.without(l) {
			attempts = append(attempts, s.attempt(l, exact))
		}
	}
	for _, sys := range systems {
		for _, l := range lanes {
			if !l.words && !s.without(l) {
				attempts = append(attempts, s.attempt(l, sys))
			}
		}
	}
	return s.rounds(attempts, how)
}

// without reports that the caller leaves out the method of a lane that is of one.
func (s *search) without(l lane) bool {
	m := l.engine(armc.Options{}).Method
	return m != armc.Auto && slices.Contains(s.engine.Without, m)
}

func (s *search) attempt(l lane, sys *program.System) attempt {
	a := attempt{sys, l.engine(s.engine), s.passes, !l.late, l.late, max(1, l.share)}
	if l.plain {
		a.passes = nil
	}
	return a
}

// open reports that the caller leaves the method open.
func (s *search) open() bool {
	e := s.engine
	return e.Method == armc.Auto && !e.Global && !e.NoFacts && e.Blocks == armc.AutoBlocks
}

// Slices of work of one attempt, in armc's units: up to three seconds in the first round, four and sixteen times
// as much in those that follow, before late ones begin. Bit-vectors take more work in a second than numbers.
const (
	firstSlice = 1_000_000
	moreWork   = 4
	lastSlice  = firstSlice * moreWork * moreWork
	wholeWork  = 1 << 40 // beyond it an attempt may do what it likes: days
)

// rounds gives each attempt a slice of work, and those that have not come to their ends a larger one,
// from the beginning, so that none waits for long for another; one that is alone may do what it likes.
func (s *search) rounds(attempts []attempt, how Integers) (armc.Verdict, error) {
	alone := len(attempts) == 1
	for work := int64(firstSlice); len(attempts) > 0; work *= moreWork {
		late := work > lastSlice
		var open []attempt
		for _, a := range attempts {
			switch {
			case alone:
			case late && !a.late:
				continue
			case !late && !a.early:
				open = append(open, a)
				continue
			case work < wholeWork:
				a.engine.MaxWork = work * a.share
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
