package deadlock

import (
	"cmp"
	"errors"

	"github.com/seltl/seltl/budget"
)

// pace is what a search tells of its work, so that it can be bounded, watched,
// and run in step with another one (see race.go). Work is counted in steps that
// take about equally long in all searches, as a transition of a plain search
// does.
type pace struct {
	meter  *budget.Meter // never nil
	lane   *lane         // nil if nothing runs beside this search
	toTick int64         // work until the next look at the meter
	toWait int64         // work until the next pause, if there is a lane
	weight int64         // of a step, for a search whose steps are long
	work   int64
	states int // stored, as last told
	cap    int // states that may be stored before errCapped; 0: no such bound
	p      budget.Progress
	// followed are the transitions, if the search tells; otherwise the work stands for them.
	followed int64
}

func newPace(meter *budget.Meter, l *lane) *pace {
	return &pace{meter: meter, lane: l, toTick: tickWork, weight: 1, p: budget.Progress{Phase: "searching"}}
}

// tickWork is the work between two looks at the meter: a few milliseconds.
const tickWork = 8 * budget.TickEvery

// errStopped is the error of a search whose rival was faster.
var errStopped = errors.New("stopped")

// errCapped is the error of a search that was meant to be short.
var errCapped = errors.New("more states than allowed for now")

// spend accounts for work done; states is the number of states that the search
// has stored. After an error the search must end.
func (p *pace) spend(work int64, states int) error {
	work *= p.weight
	p.work += work
	p.states = states
	if p.cap > 0 && states > p.cap {
		return errCapped
	}
	if p.toTick -= work; p.toTick <= 0 {
		p.toTick = tickWork
		p.p.Transitions, p.p.States = cmp.Or(p.followed, p.work), int64(states)
		if err := p.meter.Tick(p.p); err != nil {
			return err
		}
	}
	if p.lane == nil {
		return nil
	}
	p.toWait -= work
	for p.toWait <= 0 { // several times after a step that was longer than its quota
		quota, err := p.lane.pause()
		if err != nil {
			return err
		}
		p.toWait += quota
	}
	return nil
}

// phase names what the search is doing, for reports of progress.
func (p *pace) phase(name string) { p.p.Phase = name }
