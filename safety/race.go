package safety

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/seltl/seltl/armc"
	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/portfolio"
	"github.com/seltl/seltl/internal/program/facts"
	"github.com/seltl/seltl/internal/program/passes"
	"github.com/seltl/seltl/outcome"
	"github.com/seltl/seltl/program"
)

// Slices of work of one attempt, in armc's units: a third of a second in the first turn, and moreWork times as
// much in each that follows, from the beginning, so that none waits for another one for much longer than it has
// worked itself.
const (
	firstSlice = 100_000
	moreWork   = 4
	wholeWork  = 1 << 40 // beyond it an attempt may do what it likes: days
)

const (
	workers    = 2 // attempts that run at a time
	turnsAhead = 1
	patience   = 20 * time.Second
)

// slice is the work of a turn; 0 is without a bound.
func slice(turn int) int64 {
	work := int64(firstSlice)
	for range turn {
		if work *= moreWork; work >= wholeWork {
			return 0
		}
	}
	return work
}

// racer is an attempt that has turns. What its search finds is its own.
type racer struct {
	attempt
	search
	cancel  context.CancelFunc
	race    *portfolio.Attempt[*racer]
	verdict armc.Verdict
	err     error
	told    []string // rounds of this turn
	came    int      // turns that it has had
	did     int64    // work, in the last one
	over    bool     // more work would not help
	idle    bool     // it has had no turn any more
	shown   search   // what it had found by the end of the last turn that was due
}

// race lets attempts have turns, until one has the answer or none has use for more work.
func (s *search) race(attempts []attempt, how Integers) (armc.Verdict, error) {
	if len(attempts) == 1 { // nobody waits
		v, _, err := s.try(attempts[0], how)
		return v, err
	}
	racers := make([]*racer, len(attempts))
	var mu sync.Mutex
	for i, a := range attempts {
		x := &racer{attempt: a, search: *s}
		x.ctx, x.cancel = context.WithCancel(s.ctx)
		defer x.cancel()
		if s.explain != nil {
			x.explain = func(text string) { x.told = append(x.told, text) }
		}
		if tell := s.engine.Progress; tell != nil {
			x.attempt.engine.Progress = func(p budget.Progress) {
				mu.Lock()
				defer mu.Unlock()
				tell(p)
			}
		}
		racers[i] = x
	}
	var winner *racer
	err := (&portfolio.Race[*racer]{Attempts: len(racers), Workers: workers, Ahead: turnsAhead, Patience: patience,
		Start: func(i int) *portfolio.Attempt[*racer] { return racers[i].start(i, how) },
		Until: func(turn, i int) int64 { return racers[i].until(turn) },
		Stop:  func(i int) { racers[i].cancel() },
		Rest: func(i int) (func() error, bool) {
			due, answer := racers[i].rest()
			return func() error {
				if answer && winner == nil {
					winner = racers[i]
				}
				return due(s)
			}, answer
		}}).Run()
	return s.take(racers, winner), err
}

// until is in how many turns of its own an attempt may have worked by the end of a turn of the race.
func (x *racer) until(turn int) int64 { return int64(max(0, turn+1-x.from)) }

// start begins an attempt.
func (x *racer) start(i int, how Integers) *portfolio.Attempt[*racer] {
	x.race = portfolio.Start(x.until(0), func(l *portfolio.Lane) (*racer, error) {
		for turn := 0; ; turn++ {
			if err := l.Reach(int64(turn)); err != nil {
				return x, err
			}
			if x.ctx.Err() != nil && (i > 0 || turn > 0) { // what it came to before stands
				x.over, x.idle = true, true
				if errors.Is(x.ctx.Err(), context.Canceled) {
					x.err = budget.ErrInterrupted
				}
				return x, x.err
			}
			x.notes = nil
			before := x.spent.Solver.Work
			a, ended := x.attempt, false
			a.engine.MaxWork = x.share * slice(x.from+turn)
			x.verdict, ended, x.err = x.try(a, how)
			x.did = int64(x.spent.Solver.Work - before)
			if ended || x.verdict != armc.Unknown || x.err != nil || x.settled || x.ctx.Err() != nil {
				x.over = true
				return x, x.err
			}
		}
	})
	return x.race
}

// rest looks at an attempt that has come to the end of a turn.
func (x *racer) rest() (due func(*search) error, answer bool) {
	told, err := x.told, x.err
	x.told = nil
	over := ", words"
	if x.sys == x.enc.Numbers {
		over = ", numbers"
	}
	turn := outcome.Turn{Lane: x.name + over, Number: x.came + 1, May: x.share * slice(x.came), Did: x.did, Verdict: x.verdict}
	if x.over && x.verdict == armc.Unknown && len(x.notes) > 0 {
		turn.Reason = x.notes[len(x.notes)-1].Reason
	}
	idle := x.came < x.from || x.idle
	x.came++
	found := x.search
	return func(s *search) error {
		x.shown = found
		if s.explain != nil && !idle {
			for _, text := range told {
				s.explain(text)
			}
			s.explain(turn.String() + "\n")
		}
		return err
	}, x.over && err == nil && (x.verdict != armc.Unknown || x.settled)
}

// take makes what attempts have found that of the search.
func (s *search) take(racers []*racer, winner *racer) (verdict armc.Verdict) {
	all := *s
	if winner != nil {
		all, verdict = winner.shown, winner.verdict
	}
	all.notes, all.spent, all.explain = nil, armc.Stats{}, s.explain
	for _, x := range racers {
		all.spent.Refinements += x.shown.spent.Refinements
		all.spent.Generated += x.shown.spent.Generated
		all.spent.Solver.Add(x.shown.spent.Solver)
		if verdict != armc.Unknown {
			continue
		}
		all.notes = append(all.notes, x.shown.notes...)
		all.left = all.left || x.shown.left
		if x.shown.result != nil {
			all.result, all.searched = x.shown.result, x.shown.searched
		}
	}
	*s = all
	return verdict
}

// shared is what attempts have of each other.
type shared struct {
	mu      sync.Mutex
	passed  map[*program.System]*passes.Passed
	failing map[*program.System]*program.System
	facts   map[*program.System]*facts.Facts // by systems after passes
}

func newShared() *shared {
	return &shared{passed: map[*program.System]*passes.Passed{}, failing: map[*program.System]*program.System{}, facts: map[*program.System]*facts.Facts{}}
}

// after returns a system after passes, which are done once if they are those of the search.
func (s *search) after(a attempt) *passes.Passed {
	if !slices.Equal(a.passes, s.passes) || len(a.passes) == 0 {
		return passes.Apply(s.ctx, a.sys, a.passes)
	}
	s.shared.mu.Lock()
	defer s.shared.mu.Unlock()
	p := s.shared.passed[a.sys]
	if p == nil {
		if p = passes.Apply(s.ctx, a.sys, a.passes); s.ctx.Err() == nil {
			s.shared.passed[a.sys] = p
		}
	}
	return p
}

// failing is an encoding whose errors are failures alone: no way out of what is modelled.
func (s *search) failing(sys *program.System) *program.System {
	s.shared.mu.Lock()
	defer s.shared.mu.Unlock()
	f := s.shared.failing[sys]
	if f == nil {
		only := *sys
		only.Error = sys.Error[:len(s.enc.Failures)]
		f = &only
		s.shared.failing[sys] = f
	}
	return f
}

// factsOf returns the facts of a system after passes, if an attempt has found them; nil otherwise.
func (s *shared) factsOf(sys *program.System) *facts.Facts {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.facts[sys]
}

func (s *shared) know(sys *program.System, found *facts.Facts) {
	if found != nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.facts[sys] = found
	}
}
