package clp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/portfolio"
	"github.com/seltl/seltl/outcome"
	"github.com/seltl/seltl/smt"
)

// The lanes of Auto run two at a time, on two cores. Each has turns, bounded by work and not
// by time, so that the same query always has the same answer; what a lane says is believed
// once it is checked. Turns are short at first and grow, so that no lane waits for another one for longer
// than it has worked itself, or nearly so.

// What a lane may do by the end of its first turn, in the solver's units, some 300,000 a second: enough
// for what is easy. In each turn that follows it is turnFactor times as much. Lanes other than CAR begin
// anew then. Spacer, which comes first, does some millions of its units in a second.
const (
	firstSpacer = 10_000_000
	firstCAR    = 60_000
	firstARMC   = 40_000
	firstSizes  = 2_000_000
	turnFactor  = 4
	turnsAhead  = 1
	mostTurns   = 14 // years
	patience    = 20 * time.Second
	tickWork    = 100 // what is done outside the solver from one tick of the meter to the next, roughly
)

// lane is a method in the race.
type lane struct {
	method  Method
	first   int64 // turn
	ctx     context.Context
	cancel  func()
	result  *Result
	err     error
	rounds  []Round
	told    bool
	attempt *portfolio.Attempt[*lane]
	did     int64 // work, in the turns that it has had
	came    int   // how many
	cut     bool  // it was stopped in its last turn, and would go on
}

// firsts are the lanes in the order of their turns.
var firsts = []lane{{method: Spacer, first: firstSpacer}, {method: CAR, first: firstCAR}, {method: Sizes, first: firstSizes}, {method: ARMC, first: firstARMC}}

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
	for _, l := range firsts {
		if without(o.Without, l.method) || l.method == ARMC && !q.linear() || l.method == Sizes && !sized(q.Problem) {
			continue
		}
		l := &l
		l.ctx, l.cancel = context.WithCancel(ctx)
		defer l.cancel()
		c.lanes = append(c.lanes, l)
	}
	if len(c.lanes) == 0 {
		return &Result{Reason: &outcome.Outside{What: "every method is left out"}}, nil
	}
	err := (&portfolio.Race[*lane]{Attempts: len(c.lanes), Workers: min(2, len(c.lanes)), Ahead: turnsAhead, Patience: patience,
		Start: c.start, Until: func(turn, i int) int64 { return scaled(c.lanes[i].first, turn) },
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
		if l.cut {
			r.Reason = c.worked()
		}
		a := outcome.Attempt{Name: l.method.String()}
		if l.result != nil {
			a.Reason = l.result.Reason
		}
		r.Tried = append(r.Tried, a)
	}
	return r, nil
}

func without(some []Method, m Method) bool {
	return slices.Contains(some, m)
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

// turns is how many turns lanes have.
func (c *race) turns() int { return cmp.Or(c.options.Turns, mostTurns) }

// scaled is the work of a turn.
func scaled(first int64, turn int) int64 {
	for range min(turn, mostTurns) {
		first *= turnFactor
	}
	return first
}

// start begins a lane with a solver of its own.
func (c *race) start(i int) *portfolio.Attempt[*lane] {
	l := c.lanes[i]
	l.attempt = portfolio.Start(l.first, func(pl *portfolio.Lane) (*lane, error) {
		s, err := c.pool.Another()
		if err != nil {
			l.err = err
			return l, err
		}
		defer c.pool.Release(s)
		for turn := range c.turns() {
			s.Reset()
			before := s.Stats().Work
			l.result, l.err = c.attempt(l, s, pl, turn)
			l.did = max(l.did, int64(s.Stats().Work-before))
			if l.method == CAR || l.err != nil || l.result.Verdict != Unknown || !l.limited(s.Stats().Work-before, turn) {
				return l, l.err
			}
			l.cut = turn == c.turns()-1
			if err := pl.Reach(scaled(l.first, turn)); err != nil {
				return l, err
			}
		}
		return l, nil
	})
	return l.attempt
}

// limited reports that a lane without an answer may have one with more work: what has come to its end by itself
// would come to the same again. Spacer does not say so, but has done next to nothing of what it was allowed then.
func (l *lane) limited(used uint64, turn int) bool {
	var limit *budget.Exhausted
	return errors.As(l.result.Reason, &limit) && limit.What == "work" || (l.method == Spacer || l.method == Sizes) && used >= uint64(scaled(l.first, turn))/smt.HornShares
}

// meterOf is the race's meter for a lane whose level is its work, which has begun at one.
func (c *race) meterOf(l *lane, s smt.Solver, pl *portfolio.Lane, level int64) *budget.Meter {
	before, ticks := s.Stats().Work, int64(0)
	return budget.Watch(func(p budget.Progress) error {
		c.mu.Lock()
		err := c.meter.Tick(p)
		c.mu.Unlock()
		if err != nil {
			return err
		}
		ticks++
		now := level + int64(s.Stats().Work-before) + tickWork*ticks
		l.did = now
		if now >= scaled(l.first, c.turns()-1) {
			l.cut = true
			return c.worked()
		}
		return pl.Reach(now)
	})
}

// worked is why lanes are cut.
func (c *race) worked() error {
	return &budget.Exhausted{What: "work", Limit: fmt.Sprintf("%d turns", c.turns())}
}

// attempt runs a lane for a turn, and CAR for all that follow.
func (c *race) attempt(l *lane, s smt.Solver, pl *portfolio.Lane, turn int) (*Result, error) {
	o := c.options
	o.Explain = nil
	switch l.method {
	case CAR:
		if c.options.Explain != nil {
			o.Explain = func(r Round) { l.rounds = append(l.rounds, r) }
		}
		return byCAR(l.ctx, c.query, s, c.meterOf(l, s, pl, 0), o)
	case ARMC:
		return byARMC(l.ctx, c.query, c.pool, o, scaled(l.first, turn))
	case Sizes:
		return bySizes(l.ctx, c.query, s, uint64(scaled(l.first, turn)))
	}
	return bySolver(l.ctx, c.query, s, c.meterOf(l, s, pl, scaled(l.first, turn)/turnFactor), o, uint64(scaled(l.first, turn)))
}

// rest looks at a lane that has come to the end of a turn.
func (c *race) rest(i int) (due func() error, answer bool) {
	l := c.lanes[i]
	answered := l.result != nil && l.result.Verdict != Unknown && l.err == nil
	rounds := l.rounds
	l.rounds = nil
	failed := l.err
	turn := outcome.Turn{Lane: l.method.String(), Number: l.came + 1, May: scaled(l.first, l.came), Did: l.did}
	if l.came++; answered {
		turn.Verdict = l.result.Verdict
	} else if l.attempt.Ended() && l.result != nil {
		turn.Reason = l.result.Reason
	}
	return func() error {
		if c.options.Explain != nil {
			for _, r := range rounds {
				c.options.Explain(r)
			}
		}
		if c.options.Turned != nil && (failed == nil || !budget.Stopped(failed)) {
			c.options.Turned(turn)
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
