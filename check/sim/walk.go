package sim

import (
	"context"
	"slices"

	"github.com/seltl/seltl/budget"
)

// Random makes up to so many steps, each chosen at random among all that are possible
// (transitions, whatever the menu), and returns how many: fewer where the run ends, or with
// the error of the context or a limit of time.
func (s *Session) Random(ctx context.Context, steps int) (int, error) {
	meter, work := s.meter(ctx), 0
	for i := range steps {
		offers := s.offers()
		if len(offers) == 0 {
			return i, nil
		}
		s.take(s.moveOf(offers[s.random.IntN(len(offers))]))
		if work += 16 + len(offers); work >= budget.TickEvery {
			work = 0
			if err := meter.Tick(budget.Progress{Phase: "walking"}); err != nil {
				return i + 1, err
			}
		}
	}
	return steps, nil
}

// Why a run stops by itself.
type Stop string

const (
	Ended    Stop = "the run has ended"
	Choosing Stop = "there is a choice"
	Menu     Stop = "only what is on the menu is possible"
	Again    Stop = "the state was met before"
	Enough   Stop = "that is enough"
)

// RunOn makes steps as long as nobody has to choose, at most so many, and returns how many
// and why it stops. With a menu in force these are the steps of actions that are not on it,
// as LTSA's animator runs them, one of several by chance; without one it goes on where a
// single step is possible. Once a state comes up again that the run has been in since, it
// stops.
func (s *Session) RunOn(ctx context.Context, most int) (int, Stop, error) {
	meter := s.meter(ctx)
	start := s.at
	for i := range most {
		offers := s.offers()
		if len(offers) == 0 {
			return i, Ended, nil
		}
		if s.menu >= 0 {
			offers = slices.DeleteFunc(offers, func(o offer) bool { return s.onMenu(s.eventOf(o.rule)) })
			if len(offers) == 0 {
				return i, Menu, nil
			}
		} else if len(offers) > 1 {
			return i, Choosing, nil
		}
		s.take(s.moveOf(offers[s.random.IntN(len(offers))]))
		if s.same() >= start {
			return i + 1, Again, nil
		}
		if err := meter.Tick(budget.Progress{Phase: "running"}); err != nil {
			return i + 1, Enough, err
		}
	}
	return most, Enough, nil
}
