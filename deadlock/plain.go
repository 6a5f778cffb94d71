package deadlock

import (
	"github.com/seltl/seltl/internal/portfolio"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/run"
)

// findPlain is plain search. Unless all transitions are wanted, it follows
// stubborn sets: that is the search of IterDeadlock on quotients that are the
// components themselves. Stubborn sets cost time for each state, and whether they
// save states shows only in the end; so when the search becomes long, an
// unreduced one takes turns with it. Its share is large if the sets have nearly
// everything in them, small if they have little, and begins later then.
func findPlain(net *lks.Network, opts *Options, pace *pace, result *Result) (*run.Run, error) {
	result.Method = Plain
	single := len(net.Components()) == 1
	if opts.NoReduction || opts.searchChosen() || net.Low() != nil || single || tooLarge(components(net)) {
		return findUnreduced(net, opts, pace, result)
	}
	t := turns{net: net, opts: opts, pace: pace}
	return t.run(result)
}

// turns are a reduced and an unreduced search, one of which runs at a time.
type turns struct {
	net      *lks.Network
	opts     *Options
	pace     *pace // of both together
	it       *iteration
	paces    [2]*pace
	attempts [2]*portfolio.Attempt[finding]
	until    [2]int64 // work that each of them may do
	results  [2]Result
}

const (
	reduced   = 0
	unreduced = 1
	// soloWork is the work after which the unreduced search starts.
	soloWork = 1 << 20
	turnWork = 1 << 15
)

func (t *turns) run(result *Result) (*run.Run, error) {
	t.attempts[reduced] = portfolio.Start(0, func(l *portfolio.Lane) (finding, error) {
		o := *t.opts
		o.Explain = nil
		t.paces[reduced] = newPace(t.pace.meter, l)
		var err error
		if t.it, err = newIteration(t.net, &o, t.paces[reduced], false); err != nil {
			return finding{}, err
		}
		t.it.phase = "exploring"
		return t.it.run()
	})
	defer t.stop()
	t.attempts[reduced].Wait()
	for total := int64(0); ; {
		shares := t.shares(total)
		for side, share := range shares {
			if share == 0 {
				continue
			}
			if t.attempts[side] == nil {
				t.startUnreduced()
			}
			t.until[side] += share
			a := t.attempts[side]
			a.Resume(t.until[side])
			if a.Wait(); a.Ended() {
				t.stop()
				return t.finish(side, result)
			}
			total += share
			if err := t.pace.spend(share, t.paces[side].states); err != nil {
				t.stop()
				t.finish(side, result)
				return nil, err
			}
		}
	}
}

// shares returns the work for the next turn of each search.
func (t *turns) shares(total int64) [2]int64 {
	turn := max(turnWork, total/16)
	if total < soloWork {
		return [2]int64{turnWork, 0}
	}
	a := t.it.search.a
	switch {
	case !a.reduce || a.followed*10 > a.possible*6:
		return [2]int64{turn / 8, turn}
	case a.followed*10 > a.possible*4:
		return [2]int64{turn, turn}
	case a.followed*10 < a.possible && total < 16*soloWork:
		return [2]int64{turn, 0}
	case a.followed*10 < a.possible:
		return [2]int64{turn, turn / 32}
	}
	return [2]int64{turn, turn / 8}
}

func (t *turns) startUnreduced() {
	t.attempts[unreduced] = portfolio.Start(0, func(l *portfolio.Lane) (finding, error) {
		t.paces[unreduced] = newPace(t.pace.meter, l)
		trace, err := findUnreduced(t.net, t.opts, t.paces[unreduced], &t.results[unreduced])
		return finding{trace: trace}, err
	})
	t.attempts[unreduced].Wait()
}

func (t *turns) stop() {
	for _, a := range t.attempts {
		if a != nil {
			a.Stop()
		}
	}
}

// finish returns what the search of one side has found, which has ended.
func (t *turns) finish(side int, result *Result) (*run.Run, error) {
	f, enough, err := t.attempts[side].Stop()
	if side == unreduced {
		result.Exploration = t.results[unreduced].Exploration
		return f.trace, err
	}
	stats := &t.it.stats
	result.Exploration = &Exploration{
		States: int64(stats.States), Transitions: stats.transitions, Ends: stats.ends, Errors: stats.errors,
		Bytes: stats.Bytes, Complete: enough && err == nil && f.trace == nil, Reduced: true,
	}
	return f.trace, err
}
