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
	"github.com/seltl/seltl/horn"
	"github.com/seltl/seltl/internal/cells"
	"github.com/seltl/seltl/internal/portfolio"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/outcome"
	"github.com/seltl/seltl/smt"
)

// The lanes of Auto run two at a time, on two cores. Each has turns, bounded by work and not
// by time, so that the same query always has the same answer; what a lane says is believed
// once it is checked. Turns are short at first and grow, so that no lane waits for another one for longer
// than it has worked itself, or nearly so.

// What a lane may do by the end of its first turn, in the solver's units, some 300,000 a second: enough
// for what is easy. In each turn that follows it is turnFactor times as much. Lanes other than CAR begin
// anew then. Spacer, which comes first, does some five or ten million of its units in a second; nine in ten of what it
// decides in ten seconds, it decides in its first turn.
const (
	firstSpacer = 8_000_000
	easySpacer  = 1_000_000 // before Cells
	laterSpacer = 20_000_000
	firstCAR    = 60_000
	firstARMC   = 40_000
	firstSizes  = 2_000_000
	firstCells  = 250_000
	turnFactor  = 4
	turnsAhead  = 1
	mostTurns   = 14 // years
	patience    = 20 * time.Second
	tickWork    = 100 // what is done outside the solver from one tick of the meter to the next, roughly
)

// lane is a method in the race.
type lane struct {
	*race
	method Method
	first  int64 // work of its first turn
	result *Result
	did    int64 // work, in the turns that it has had
	cut    bool  // it was stopped in its last turn, and would go on
}

// firsts are the lanes in the order of their turns.
var firsts = []lane{{method: Spacer, first: firstSpacer}, {method: Cells, first: firstCells}, {method: CAR, first: firstCAR}, {method: Sizes, first: firstSizes}, {method: ARMC, first: firstARMC}}

// race is a call of Auto.
type race struct {
	query   *Clauses
	pool    *smt.Pool
	meter   *budget.Meter
	mu      sync.Mutex // of the meter
	options Options
}

// auto lets methods race.
func auto(ctx context.Context, q *Clauses, pool *smt.Pool, meter *budget.Meter, o Options) (*Result, error) {
	c := &race{query: q, pool: pool, meter: meter, options: o}
	var lanes []*lane
	for _, l := range firsts {
		if without(o.Without, l.method) || l.method == ARMC && !q.linear() || l.method == Sizes && !sized(q.Problem) || l.method == Cells && !cells.Arrayed(q.Problem) {
			continue
		}
		l.race = c
		lanes = append(lanes, &l)
	}
	if len(lanes) == 0 {
		return &Result{Reason: &outcome.Outside{What: "every method is left out"}}, nil
	}
	winner, err := (&portfolio.Race[*lane]{Racers: lanes, Workers: min(2, len(lanes)), Ahead: turnsAhead, Patience: patience, Turned: o.Turned}).Run(ctx)
	switch {
	case winner != nil:
		return winner.result, nil
	case err != nil:
		return undecided(ctx, &Result{}, err)
	}
	if err := meter.Tick(budget.Progress{}); err != nil {
		return undecided(ctx, &Result{}, err)
	}
	r := &Result{Reason: &outcome.Stuck{What: "no method has an answer"}}
	for _, l := range lanes {
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

// overReals reports a predicate of real numbers: of such clauses it is Spacer that decides most.
func (c *Clauses) overReals() bool {
	return slices.ContainsFunc(c.Problem.Preds, func(p horn.Pred) bool {
		return slices.ContainsFunc(p.Params, func(v *logic.Term) bool { return v.Sort() == logic.Real })
	})
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

// Until is the work of a lane by the end of a turn. Spacer, which begins, lets the others have two turns then: what
// they answer counts only when it has done its part. Where there are arrays it does what is easy, and lets cells try.
func (l *lane) Until(turn int) int64 {
	if l.method == Spacer {
		easy := cells.Arrayed(l.query.Problem) && !without(l.options.Without, Cells)
		switch {
		case easy && turn == 0:
			return easySpacer
		case !easy && turn < 2 && !l.query.overReals():
			return firstSpacer
		}
		return scaled(laterSpacer, turn-1)
	}
	if l.method == Cells && turn > 0 { // what is not easy takes some seconds
		turn++
	}
	return scaled(l.first, turn)
}

// Search runs a lane with a solver of its own.
func (l *lane) Search(ctx context.Context, pl *portfolio.Lane) error {
	s, err := l.pool.Another()
	if err != nil {
		return err
	}
	defer l.pool.Release(s)
	for turn := range l.turns() {
		if turn > 0 && l.Until(turn) == l.Until(turn-1) {
			continue
		}
		s.Reset()
		before := s.Stats().Work
		l.result, err = l.attempt(ctx, s, pl, turn)
		l.did = max(l.did, int64(s.Stats().Work-before))
		if l.method == CAR || err != nil || l.result.Verdict != Unknown || !l.limited(s.Stats().Work-before, turn) {
			return err
		}
		l.cut = turn == l.turns()-1
		if err := pl.Reach(l.Until(turn)); err != nil {
			return err
		}
	}
	return nil
}

// limited reports that a lane without an answer may have one with more work: what has come to its end by itself
// would come to the same again. Spacer does not say so, but has done next to nothing of what it was allowed then.
func (l *lane) limited(used uint64, turn int) bool {
	var limit *budget.Exhausted
	return errors.As(l.result.Reason, &limit) && limit.What == "work" || (l.method == Spacer || l.method == Sizes || l.method == Cells) && used >= uint64(l.Until(turn))/smt.HornShares
}

// meterOf is the race's meter for a lane whose level is its work, which has begun at one.
func (l *lane) meterOf(s smt.Solver, pl *portfolio.Lane, level int64) *budget.Meter {
	before, ticks := s.Stats().Work, int64(0)
	return budget.Watch(func(p budget.Progress) error {
		l.mu.Lock()
		err := l.meter.Tick(p)
		l.mu.Unlock()
		if err != nil {
			return err
		}
		ticks++
		now := level + int64(s.Stats().Work-before) + tickWork*ticks
		l.did = now
		if now >= l.Until(l.turns()-1) {
			l.cut = true
			return l.worked()
		}
		return pl.Reach(now)
	})
}

// worked is why lanes are cut.
func (c *race) worked() error {
	return &budget.Exhausted{What: "work", Limit: fmt.Sprintf("%d turns", c.turns())}
}

// attempt runs a lane for a turn, and CAR for all that follow.
func (l *lane) attempt(ctx context.Context, s smt.Solver, pl *portfolio.Lane, turn int) (*Result, error) {
	o, work := l.options, l.Until(turn)
	o.Explain = nil
	switch l.method {
	case CAR:
		if tell := l.options.Explain; tell != nil {
			o.Explain = func(r Round) { pl.Say(func() { tell(r) }) }
		}
		return byCAR(ctx, l.query, s, l.meterOf(s, pl, 0), o)
	case ARMC:
		return byARMC(ctx, l.query, l.pool, o, work)
	case Sizes:
		return bySizes(ctx, l.query, s, uint64(work))
	case Cells:
		return byCells(ctx, l.query, s, nil, uint64(work))
	}
	return bySolver(ctx, l.query, s, l.meterOf(s, pl, work/turnFactor), o, uint64(work))
}

// Rest looks at a lane that has come to the end of a turn.
func (l *lane) Rest(turn int, ended bool, err error) portfolio.Rest {
	t := outcome.Turn{Lane: l.method.String(), May: l.Until(turn), Did: l.did}
	if ended && l.result != nil {
		t.Verdict, t.Reason = l.result.Verdict, l.result.Reason
	}
	stopped := budget.Stopped(err)
	return portfolio.Rest{Turn: t, Quiet: stopped, Answer: err == nil && t.Verdict != Unknown, Due: func() error {
		if stopped || errors.Is(err, context.Canceled) {
			return nil
		}
		return err
	}}
}
