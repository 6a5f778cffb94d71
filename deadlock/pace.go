package deadlock

import (
	"cmp"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/portfolio"
)

// pace is what a search tells of its work, so that it can be bounded, watched,
// and run in step with another one (see race.go). Work is counted in steps that
// take about equally long in all searches, as a transition of a plain search
// does.
type pace struct {
	meter  *budget.Meter   // never nil
	lane   *portfolio.Lane // is told of work; nil if nothing runs beside this search
	few    *portfolio.Lane // is told of states, see within; or nil
	toTick int64           // work until the next look at the meter
	weight int64           // of a step, for a search whose steps are long
	work   int64
	states int // stored, as last told
	p      budget.Progress
	// followed are the transitions, if the search tells; otherwise the work stands for them.
	followed int64
}

func newPace(meter *budget.Meter, l *portfolio.Lane) *pace {
	return &pace{meter: meter, lane: l, toTick: tickWork, weight: 1, p: budget.Progress{Phase: "searching"}}
}

// tickWork is the work between two looks at the meter: a few milliseconds.
const tickWork = 8 * budget.TickEvery

// spend accounts for work done; states is the number of states that the search
// has stored. After an error the search must end.
func (p *pace) spend(work int64, states int) error {
	work *= p.weight
	p.work += work
	p.states = states
	if err := p.few.Reach(int64(states)); err != nil {
		return err
	}
	if p.toTick -= work; p.toTick <= 0 || p.meter.Over(int64(states)) {
		p.toTick = tickWork
		p.p.Transitions, p.p.States = cmp.Or(p.followed, p.work), int64(states)
		if err := p.meter.Tick(p.p); err != nil {
			return err
		}
	}
	return p.lane.Reach(p.work)
}

// within makes a search by the pace that is given up when it has stored most states; enough
// is false then.
func within[T any](p *pace, most int64, search func() (T, error)) (answer T, enough bool, err error) {
	return portfolio.Try(most, func(l *portfolio.Lane) (T, error) {
		p.few = l
		defer func() { p.few = nil }()
		return search()
	})
}

// phase names what the search is doing, for reports of progress.
func (p *pace) phase(name string) { p.p.Phase = name }
