package clp

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/portfolio"
	"github.com/seltl/seltl/outcome"
	"github.com/seltl/seltl/smt"
)

// The lanes of Auto run two at a time, on two cores. Each has turns, bounded by work and not
// by time, so that the same query always has the same answer; what a lane says is believed
// once it is checked.

// firstTurn is the work of the solver in the first turn of CAR; each turn has turnFactor
// times as much. Others begin anew in each turn with so much more.
const (
	firstTurn    = 8_000_000
	firstSpacer  = 4_000_000
	firstQueries = 1_500
	turnFactor   = 4
	turnsAhead   = 2
	lastTurn     = 12
	patience     = 20 * time.Second
)

// lane is a method in the race.
type lane struct {
	method Method
	ctx    context.Context
	cancel func()
	goesOn bool // it does not begin anew in each turn
	result *Result
	err    error
	rounds []Round
	told   bool
}

// race is a call of Auto.
type race struct {
	ctx     context.Context
	query   *Clauses
	pool    *smt.Pool
	meter   *budget.Meter
	mu      sync.Mutex // of the meter
	options Options
	lanes   []*lane
	winner  *lane
}

// auto lets methods race.
func auto(ctx context.Context, q *Clauses, pool *smt.Pool, meter *budget.Meter, o Options) (*Result, error) {
	c := &race{ctx: ctx, query: q, pool: pool, meter: meter, options: o}
	for _, m := range []Method{CAR, Spacer, ARMC} {
		if without(o.Without, m) || m == ARMC && !q.linear() {
			continue
		}
		l := &lane{method: m, goesOn: m == CAR}
		l.ctx, l.cancel = context.WithCancel(ctx)
		defer l.cancel()
		c.lanes = append(c.lanes, l)
	}
	if len(c.lanes) == 0 {
		return &Result{Reason: &outcome.Outside{What: "every method is left out"}}, nil
	}
	err := (&portfolio.Race[*lane]{Attempts: len(c.lanes), Workers: min(2, len(c.lanes)), Ahead: turnsAhead, Patience: patience,
		Start: c.start, Until: func(turn, i int) int64 { return c.until(turn, c.lanes[i]) },
		Stop: func(i int) { c.lanes[i].cancel() }, Rest: c.rest}).Run()
	switch {
	case c.winner != nil:
		return c.winner.result, nil
	case err != nil:
		return undecided(ctx, &Result{}, err)
	}
	if err := meter.Tick(budget.Progress{}); err != nil {
		return undecided(ctx, &Result{}, err)
	}
	r := &Result{Reason: &outcome.Stuck{What: "no method has an answer"}}
	for _, l := range c.lanes {
		a := outcome.Attempt{Name: l.method.String()}
		if l.result != nil {
			a.Reason = l.result.Reason
		}
		r.Tried = append(r.Tried, a)
	}
	return r, nil
}

func without(some []Method, m Method) bool {
	for _, o := range some {
		if o == m {
			return true
		}
	}
	return false
}

// linear reports that no clause has more than one call.
func (c *Clauses) linear() bool {
	for i := range c.Problem.Clauses {
		if len(c.Problem.Clauses[i].Body) > 1 {
			return false
		}
	}
	return true
}

// until is how far a lane may come: work of its solver for one that goes on, else turns.
func (c *race) until(turn int, l *lane) int64 {
	if !l.goesOn {
		return int64(turn) + 1
	}
	work := int64(firstTurn)
	for range turn {
		work *= turnFactor
	}
	return work
}

// start begins a lane with a solver of its own.
func (c *race) start(i int) *portfolio.Attempt[*lane] {
	l := c.lanes[i]
	return portfolio.Start(c.until(0, l), func(pl *portfolio.Lane) (*lane, error) {
		s, err := c.pool.Another()
		if err != nil {
			l.err = err
			return l, err
		}
		defer c.pool.Release(s)
		before := s.Stats().Work
		meter := budget.Watch(func(p budget.Progress) error {
			c.mu.Lock()
			err := c.meter.Tick(p)
			c.mu.Unlock()
			if err == nil && l.goesOn {
				err = pl.Reach(int64(s.Stats().Work - before))
			}
			return err
		})
		own := c.options
		own.Explain = nil
		if c.options.Explain != nil && l.goesOn {
			own.Explain = func(r Round) { l.rounds = append(l.rounds, r) }
		}
		for turn := 0; turn < lastTurn; turn++ {
			s.Reset()
			l.result, l.err = c.attempt(l, s, meter, own, turn)
			if l.goesOn || l.err != nil || l.result.Verdict != Unknown {
				return l, l.err
			}
			if err := pl.Reach(int64(turn) + 1); err != nil {
				return l, err
			}
		}
		return l, nil
	})
}

// attempt runs a lane for a turn.
func (c *race) attempt(l *lane, s smt.Solver, meter *budget.Meter, o Options, turn int) (*Result, error) {
	scale := 1
	for range min(turn, 8) {
		scale *= turnFactor
	}
	switch l.method {
	case CAR:
		return byCAR(l.ctx, c.query, s, meter, o)
	case ARMC:
		return byARMC(l.ctx, c.query, c.pool, o, firstQueries*scale)
	}
	return bySolver(l.ctx, c.query, s, meter, o, uint64(firstSpacer*scale))
}

// rest looks at a lane that has come to the end of a turn.
func (c *race) rest(i int) (due func() error, answer bool) {
	l := c.lanes[i]
	answered := l.result != nil && l.result.Verdict != Unknown && l.err == nil
	rounds := l.rounds
	l.rounds = nil
	failed := l.err
	return func() error {
		if c.options.Explain != nil {
			for _, r := range rounds {
				c.options.Explain(r)
			}
		}
		if answered && c.winner == nil {
			c.winner = l
		}
		if failed != nil && !l.told {
			l.told = true
			if !errors.Is(failed, context.Canceled) && !budget.Stopped(failed) {
				return failed
			}
		}
		return nil
	}, answered
}
