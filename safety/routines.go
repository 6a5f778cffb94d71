package safety

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/seltl/seltl/armc"
	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/c/encode"
	"github.com/seltl/seltl/c/machine"
	"github.com/seltl/seltl/clp"
	"github.com/seltl/seltl/horn"
	"github.com/seltl/seltl/internal/c/relations"
	"github.com/seltl/seltl/outcome"
	"github.com/seltl/seltl/smt"
)

// Relations are the clauses of a program, a relation and an error relation for each routine.
type Relations = relations.Relations

// RoutinesAnswer says whether a failure is reachable of a program whose routines are not all inlined.
type RoutinesAnswer struct {
	Verdict outcome.Verdict
	Reason  error // of Unknown
	// Result is that of the last attempt; nil without.
	Result    *clp.Result
	Relations *Relations
	Summaries horn.Solution // over machine words, of a proof; checked clause by clause
	Shown     *horn.Problem // that Result.Solution is of
	// Run is a failure, done again by package machine, and Lines what it does, line by line.
	Run   *machine.Recording
	Lines []machine.Line
	// Over, Left and NoRun are as of Answer.
	Over        string
	Left, NoRun bool
}

// Routines decides whether a C program can fail that was encoded by encode.EncodeApart: by relations for its
// routines. The error is the solver's.
func Routines(ctx context.Context, enc *encode.Encoding, pool *smt.Pool, engine clp.Options, how Integers) (*RoutinesAnswer, error) {
	if enc == nil || pool == nil {
		return nil, errNil
	}
	s := &routinesSearch{ctx: ctx, enc: enc, pool: pool, engine: engine}
	verdict, err := s.decide(how)
	s.found.Over, s.found.Left = s.note, s.left
	switch s.found.Verdict = verdict; {
	case err != nil && outcome.Open(err):
		s.found.Verdict, s.found.Reason = outcome.Unknown, err
	case err != nil:
		return nil, err
	case verdict == outcome.Unknown:
		if s.found.Reason = error(&outcome.Tried{Attempts: s.notes}); s.found.Result != nil && budget.Stopped(s.found.Result.Reason) {
			s.found.Reason = s.found.Result.Reason
		}
	case verdict == outcome.Holds:
		if s.found.NoRun, err = NoRun(ctx, enc, pool, armc.Options{Limits: engine.Limits}); err != nil {
			return nil, err
		}
	}
	return &s.found, nil
}

// routinesSearch decides one program by relations.
type routinesSearch struct {
	ctx    context.Context
	enc    *encode.Encoding
	pool   *smt.Pool
	engine clp.Options
	notes  []outcome.Attempt
	note   string
	left   bool // a run leaves what is modelled by a mistake
	lost   int  // where
	found  RoutinesAnswer
}

// decide looks for a proof over unbounded integers, which machine words are to confirm, and over machine words.
// Both have turns, which grow and begin anew, so that none waits for long for the other one.
func (s *routinesSearch) decide(how Integers) (outcome.Verdict, error) {
	var open []bool // over words or not
	switch how {
	case MathIntegers:
		open = []bool{false}
	case MachineIntegers:
		open = []bool{true}
	default:
		open = []bool{false, true}
		s.raced()
	}
	var ended []outcome.Attempt // of what more turns do not help
	for turns := 1; len(open) > 0; turns++ {
		var left []bool
		var cutShort []outcome.Attempt
		for _, words := range open {
			if s.engine.Turns = turns; len(open) == 1 {
				s.engine.Turns = 0 // nobody waits
			}
			s.notes = nil
			v, cut, err := s.phase(words, how)
			switch {
			case v != outcome.Unknown || err != nil:
				return v, err
			case cut:
				left, cutShort = append(left, words), append(cutShort, s.notes...)
			default:
				ended = append(ended, s.notes...)
			}
		}
		open, s.notes = left, slices.Concat(ended, cutShort)
	}
	return outcome.Unknown, nil
}

// raced makes a method that was chosen the only one that has turns. Summaries over machine words have no quantifiers.
func (s *routinesSearch) raced() {
	if m := s.engine.Method; m != clp.Auto {
		s.engine.Without = slices.DeleteFunc([]clp.Method{clp.CAR, clp.Spacer, clp.ARMC}, func(o clp.Method) bool { return o == m })
		s.engine.Method = clp.Auto
	}
	s.engine.Without = append(slices.Clone(s.engine.Without), clp.Cells)
}

// phase decides one encoding: first with the ways out of what is modelled as errors, and if
// one of them is reachable, for failures alone, of which a proof is worth nothing then. cut says that
// more turns may help.
func (s *routinesSearch) phase(words bool, how Integers) (v outcome.Verdict, cut bool, err error) {
	name := "unbounded integers"
	if words {
		name = "machine words"
	}
	for _, lost := range []bool{true, false} {
		rel, err := relations.Of(s.ctx, s.enc, lost)
		if err != nil {
			return outcome.Unknown, false, budget.New(s.ctx, budget.Limits{}, nil).Tick(budget.Progress{})
		}
		s.found.Relations = rel
		problem := rel.Numbers
		if words {
			problem = rel.Words
		}
		query := clp.OfProblem(problem)
		if !words { // facts are about numbers
			query.Modes = rel.Modes
		}
		if how == AutoIntegers {
			query.Within = rel.Within()
		}
		res, err := clp.Decide(s.ctx, query, s.pool, s.engine)
		if err != nil {
			return outcome.Unknown, false, err
		}
		s.found.Result = res
		var limit *budget.Exhausted
		switch res.Verdict {
		case outcome.Holds:
			if !lost {
				return outcome.Unknown, false, nil
			}
			v, err := s.proved(rel, problem, how)
			return v, false, err
		case outcome.Violated:
			why, err := s.failure(rel, problem)
			switch {
			case err != nil:
				s.notes = append(s.notes, outcome.Attempt{Name: name, Reason: fmt.Errorf("a derivation was found, but %w", err)})
				return outcome.Unknown, false, nil
			case why == nil:
				return outcome.Violated, false, nil
			}
			s.notes, s.left = append(s.notes, outcome.Attempt{Name: name, Reason: why}), s.left || !s.enc.Called[s.lost]
			if len(s.enc.Failures) == 0 {
				return outcome.Unknown, false, nil
			}
		default:
			s.notes = append(s.notes, outcome.Attempt{Name: name, Reason: res.Reason})
			return outcome.Unknown, errors.As(res.Reason, &limit) && limit.What == "work" && s.ctx.Err() == nil, nil
		}
	}
	return outcome.Unknown, false, nil
}

// proved takes a solution, or has machine words confirm it.
func (s *routinesSearch) proved(rel *relations.Relations, problem *horn.Problem, how Integers) (outcome.Verdict, error) {
	solution := s.found.Result.Solution
	s.found.Shown = problem
	switch {
	case problem == rel.Words:
		s.found.Summaries = solution
		return outcome.Holds, nil
	case how == MathIntegers:
		s.note = "unbounded integers"
		return outcome.Holds, nil
	}
	lifted, err := rel.Lift(solution)
	if err != nil {
		s.notes = append(s.notes, outcome.Attempt{Name: "safe for unbounded integers", Reason: err})
		return outcome.Unknown, nil
	}
	if err := s.confirm(rel.Words, lifted); err != nil {
		if budget.Stopped(err) {
			return outcome.Unknown, err
		}
		s.notes = append(s.notes, outcome.Attempt{Name: "safe for unbounded integers, but not confirmed for machine words", Reason: err})
		return outcome.Unknown, nil
	}
	s.found.Summaries, s.note = lifted, "unbounded integers, confirmed for machine words"
	return outcome.Holds, nil
}

func (s *routinesSearch) confirm(p *horn.Problem, solution horn.Solution) error {
	solver, err := s.pool.Acquire(s.ctx)
	if err != nil {
		return err
	}
	defer s.pool.Release(solver)
	return clp.CheckSolution(s.ctx, p, solution, solver)
}

// failure does a derivation as a run of the program. Why says how the run leaves what is
// modelled; the error, that it is no run of the program that fails.
func (s *routinesSearch) failure(rel *relations.Relations, problem *horn.Problem) (why *outcome.Stuck, err error) {
	run, err := rel.Run(problem, s.found.Result.Derivation)
	if err != nil {
		return nil, err
	}
	var lines *[]machine.Line
	rec, err := run.Replay(func(m *machine.Machine) { lines = machine.Watch(m) })
	if why = notModelled(s.enc, run.End); why != nil && (err == nil || !mistaken(s.enc, rec)) {
		s.lost = run.End
		return why, nil
	} else if why != nil {
		why, err = nil, nil
	}
	if err != nil {
		return nil, err
	}
	s.found.Run, s.found.Lines = rec, *lines
	return nil, nil
}
