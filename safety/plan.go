package safety

import (
	"slices"

	"github.com/seltl/seltl/armc"
	"github.com/seltl/seltl/internal/predabs"
	"github.com/seltl/seltl/internal/program/passes"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/outcome"
	"github.com/seltl/seltl/program"
)

// lane is a way to decide an encoding of a program, where the caller leaves the method open.
type lane struct {
	name   string
	engine func(o armc.Options) armc.Options // of the caller's options
	arrays bool                              // of programs with arrays of the logic alone
	words  bool                              // over machine words alone: numbers and differences are exact there
	plain  bool                              // without passes, which join what separate variables tell apart
	from   int                               // the turn in which it begins, from 0
	until  int                               // the turn in which it begins no more; 0 is never
	share  int64                             // how many times as much work it may do as others; 0 is 1
}

// lanes have their turns in this order: explicit values first, which end soon where they do not do well, then facts and
// large blocks, then unwinding, which finds what is near, and other proofs. Where lanes are of both encodings, those over
// unbounded integers come first, which machine words confirm. A slice is a third of a second of most lanes; unwinding and
// symbolic execution, of which Z3 counts several times as many units in a second, have a second.
var lanes = []lane{
	{name: "enumerate, no passes", engine: enumerated, words: true, plain: true}, // runs programs without input; ends soon where not all values are concrete
	{name: "enumerate", engine: enumerated, words: true},
	{name: "values", engine: byValues, words: true},
	{name: "values, no passes", engine: byValuesSoon, words: true, plain: true},
	{name: "large blocks", engine: byLargeBlocks},
	{name: "unwinding", engine: unwound, words: true, share: 20},
	{name: "symbolic execution", engine: executed, words: true, share: 10, until: 4},
	{name: "elements of arrays", engine: ofElements, arrays: true, share: 10}, // Spacer counts as many times as many units
	{name: "what is said of elements", engine: mentioned, arrays: true, share: 10},
	{name: "everywhere", engine: everywhere},
	{name: "others", engine: others, from: lateTurn}, // many ways of their own
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
	farRounds    = 256 // of a loop, by symbolic execution
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

// executed goes through all runs at once, which ends soon or never: where runs go on, other lanes have the work.
func executed(o armc.Options) armc.Options {
	o.Method, o.NoFacts, o.Rounds = armc.Symbolic, true, farRounds
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

// ofElements finds what holds of all elements of arrays.
func ofElements(o armc.Options) armc.Options {
	o.Method, o.Blocks = armc.Cells, armc.Large
	return o
}

// mentioned finds what holds of all elements among what the program mentions: lists are told by what their nodes are.
func mentioned(o armc.Options) armc.Options {
	o.Method, o.Blocks = armc.Houdini, armc.Large
	return o
}

// others are all methods but those that have had their turns.
func others(o armc.Options) armc.Options {
	o.Without = append(slices.Clone(o.Without), armc.Values, armc.Enumerate, armc.Cells, armc.Houdini)
	return o
}

// lateTurn is when lanes begin that have many ways of their own.
const lateTurn = 2

// attempt is a lane over one of the encodings.
type attempt struct {
	name   string
	sys    *program.System
	engine armc.Options
	passes []passes.Pass
	from   int // the turn in which it begins
	until  int // the turn in which it begins no more; 0 is never
	share  int64
	graphs bool // of memory, and not of the encoding
}

func (s *search) decide(how Integers) (outcome.Verdict, error) {
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
			attempts = append(attempts, attempt{name: s.engine.Method.String(), sys: sys, engine: s.engine, passes: s.passes, share: 1})
		}
		return s.race(attempts, how)
	}
	exact := systems[len(systems)-1]
	for i, sys := range systems {
		for _, l := range lanes {
			switch {
			case s.without(l), l.plain && len(s.passes) == 0, l.arrays && !(sys == s.enc.Numbers && arrayed(sys)):
			case !l.words:
				attempts = append(attempts, s.attempt(l, sys))
			case i == 0:
				attempts = append(attempts, s.attempt(l, exact))
			}
		}
	}
	if s.heaps { // soon: it ends soon, one way or the other
		attempts = slices.Insert(attempts, min(1, len(attempts)), attempt{name: "graphs of memory", sys: exact, engine: s.engine, share: 2, graphs: true})
	}
	return s.race(attempts, how)
}

// arrayed reports that variables of a system are arrays of the logic.
func arrayed(sys *program.System) bool {
	return slices.ContainsFunc(sys.Vars, func(v *logic.Term) bool { return v.Sort().Kind() == logic.ArrayKind })
}

// without reports that the caller leaves out the method of a lane that is of one.
func (s *search) without(l lane) bool {
	m := l.engine(armc.Options{}).Method
	return m != armc.Auto && slices.Contains(s.engine.Without, m)
}

func (s *search) attempt(l lane, sys *program.System) attempt {
	a := attempt{l.name, sys, l.engine(s.engine), s.passes, l.from, l.until, max(1, l.share), false}
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
