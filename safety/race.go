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
	how     Integers
	first   bool
	verdict outcome.Verdict
	did     int64  // work, in the last turn
	over    bool   // more work would not help
	idle    bool   // it has had no turn any more
	shown   search // what it had found by the end of the last turn that was due
}

// race lets attempts have turns, until one has the answer or none has use for more work.
func (s *search) race(attempts []attempt, how Integers) (outcome.Verdict, error) {
	if len(attempts) == 1 { // nobody waits
		v, _, err := s.try(attempts[0], how)
		return v, err
	}
	var mu sync.Mutex
	race := portfolio.Race[*racer]{Workers: workers, Ahead: turnsAhead, Patience: patience}
	for i, a := range attempts {
		if tell := s.engine.Progress; tell != nil {
			a.engine.Progress = func(p budget.Progress) {
				mu.Lock()
				defer mu.Unlock()
				tell(p)
			}
		}
		race.Racers = append(race.Racers, &racer{attempt: a, search: *s, how: how, first: i == 0})
	}
	if s.explain != nil {
		race.Turned = func(t outcome.Turn) { s.explain(t.String() + "\n") }
	}
	winner, err := race.Run(s.ctx)
	return s.take(race.Racers, winner), err
}

// Until is in how many turns of its own an attempt may have worked by the end of a turn of the race.
func (x *racer) Until(turn int) int64 { return int64(max(0, turn+1-x.from)) }

// Search has an attempt work in its turns.
func (x *racer) Search(ctx context.Context, l *portfolio.Lane) error {
	x.ctx = ctx
	if tell := x.explain; tell != nil {
		x.explain = func(text string) { l.Say(func() { tell(text) }) }
	}
	for turn := 0; ; turn++ {
		if err := l.Reach(int64(turn)); err != nil {
			return err
		}
		if ctx.Err() != nil && !(x.first && turn == 0) { // what it came to before stands
			x.over, x.idle = true, true
			if errors.Is(ctx.Err(), context.Canceled) {
				return budget.ErrInterrupted
			}
			return nil
		}
		x.notes = nil
		before := x.spent.Solver.Work
		a := x.attempt
		a.engine.MaxWork = x.share * slice(x.from+turn)
		verdict, ended, err := x.try(a, x.how)
		x.verdict, x.did = verdict, int64(x.spent.Solver.Work-before)
		if ended || verdict != outcome.Unknown || err != nil || x.settled || ctx.Err() != nil || turn+1 == x.until {
			x.over = true
			return err
		}
	}
}

// Rest looks at an attempt that has come to the end of a turn.
func (x *racer) Rest(turn int, _ bool, err error) portfolio.Rest {
	over := ", words"
	if x.sys == x.enc.Numbers {
		over = ", numbers"
	}
	t := outcome.Turn{Lane: x.name + over, May: x.share * slice(turn), Did: x.did, Verdict: x.verdict}
	if x.over && x.verdict == outcome.Unknown && len(x.notes) > 0 {
		t.Reason = x.notes[len(x.notes)-1].Reason
	}
	found := x.search
	return portfolio.Rest{Turn: t, Quiet: turn < x.from || x.idle, Answer: x.over && err == nil && (x.verdict != outcome.Unknown || x.settled),
		Due: func() error { x.shown = found; return err }}
}

// take makes what attempts have found that of the search.
func (s *search) take(racers []*racer, winner *racer) (verdict outcome.Verdict) {
	all := *s
	if winner != nil {
		all, verdict = winner.shown, winner.verdict
	}
	all.notes, all.spent, all.explain = nil, armc.Stats{}, s.explain
	for _, x := range racers {
		all.spent.Refinements += x.shown.spent.Refinements
		all.spent.Generated += x.shown.spent.Generated
		all.spent.Solver.Add(x.shown.spent.Solver)
		if verdict != outcome.Unknown {
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
