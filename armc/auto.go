package armc

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/portfolio"
	"github.com/seltl/seltl/internal/predabs"
	"github.com/seltl/seltl/internal/refine"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/outcome"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/smt"
)

type laneOfAuto struct {
	way
	share int64
	// starts is what it may do by the end of the first turns, if that is more than its share:
	// few methods have most of the answers, and soon.
	starts starts
}

type starts [allBegin + 1]int64

// allBegin is the turn in which all lanes begin.
const allBegin = 2

// Work is counted in resource units of the solver, of which it does some 300,000 in a
// second, and what is done outside it in as many as take the time, roughly.
const (
	firstTurn       = 25_000     // what a share of one may do in the turn in which all begin; it doubles
	firstLimit      = 50_000     // of a question that is asked again with twice the limit
	firstLimitWords = 4_000_000  // the same over words, of which more units are done in a second
	workQuestion    = 10         // a question to the prover, which it may answer by itself
	workQuery       = 100        // a question that it sends on, beside the solver's work
	workUnrolled    = 10         // a way taken once in an unrolling
	questionMost    = 2_000_000  // one question of a lane to the solver; beyond it the answer is unknown
	wholeMost       = 20_000_000 // a lane that never ends by itself
)

const (
	lanesAtOnce = 2               // after the first turn
	turnsAhead  = 2               // of a lane that takes long, which others may be
	patience    = 3 * time.Second // after which another lane runs beside those that may hang
)

// pace is how a lane of Auto is stopped for others.
type pace struct {
	lane  *portfolio.Lane // nil: there are no others
	each  uint64          // work that bounds a question
	spent int64           // by the lane outside the solver
	asked int             // questions that the prover does not know of
}

// wait tells how much the lane has done, and waits if others have their turn.
func (r *run) wait() error {
	if r.lane == nil {
		return nil
	}
	if err := r.ctx.Err(); err != nil {
		return err
	}
	return r.lane.Reach(r.level())
}

func (r *run) level() int64 {
	var done predabs.ProverStats
	if r.prover != nil {
		done = r.prover.Stats()
	}
	return r.spent + int64(r.solver.Stats().Work-r.before.Work) + workQuestion*int64(done.Questions) + workQuery*int64(done.Queries+r.asked)
}

// refined counts the work of a refinement outside the solver, which for a path of n steps
// takes about as long as n*n pivots of the simplex.
func (r *run) refined(steps int) { r.spent += int64(steps) * int64(2*steps+50) }

// race is a call of auto: lanes with what they have come to. Each lane has a solver of its
// own, whose work depends on what this lane asks and on nothing else.
type race struct {
	*run
	pool   *smt.Pool
	lanes  []*racer
	hinted int        // the turn after which a lane has said that there is a run to an error, and did not give it; -1
	meter  sync.Mutex // of the run's meter
}

// racer is a lane in a race.
type racer struct {
	laneOfAuto
	race *race
	run  *run
	work smt.Stats // of the turns that have come
	did  int64     // in the turns that it has had
	over bool      // without an answer
}

// auto lets every lane work in turn, twice as much each time, until one has an answer.
func (r *run) auto(pool *smt.Pool) error {
	rest := !slices.Contains(r.options.Without, Enumerate)
	if rest {
		decided, more, err := r.enumerateFirst()
		if decided || err != nil {
			return err
		}
		rest = more
	}
	c := &race{run: r, pool: pool, hinted: -1}
	r.each = questionMost
	for _, l := range lanesFor(r.sys) {
		if l.blocks != AutoBlocks && (r.options.Blocks != AutoBlocks || !r.encoded.branching(r.sys)) {
			continue // it would do the same as another
		}
		if !slices.Contains(r.options.Without, l.method) && (l.method != Enumerate || rest) {
			c.lanes = append(c.lanes, c.racer(l))
		}
	}
	if len(c.lanes) == 0 {
		return &outcome.Stuck{What: "every method is left out"}
	}
	race := portfolio.Race[*racer]{Racers: c.lanes, Workers: lanesAtOnce, Ahead: turnsAhead, Patience: patience, Turned: r.options.Turned}
	return c.conclude(race.Run(r.ctx))
}

// lanesFor returns the lanes for a system. Interpolants over machine words are Spacer's, who
// takes long: unsatisfiable cores go first there.
func lanesFor(sys *program.System) []laneOfAuto {
	out := slices.DeleteFunc(slices.Clone(lanes), func(l laneOfAuto) bool {
		fits := techniques[l.method].fits
		return fits != nil && !fits(sys)
	})
	if !overWords(sys) {
		return out
	}
	for i := range out {
		if out[i].refine == predabs.UnsatCore {
			out[0].way, out[i].way = out[i].way, out[0].way
		}
	}
	return out
}

func overWords(sys *program.System) bool {
	return slices.ContainsFunc(sys.Vars, func(v *logic.Term) bool { return v.Sort().Kind() == logic.BitVecKind })
}

// racer is a lane with a run of its own. The first one has the run's solver; what a lane does with it is not to
// be read by others.
func (c *race) racer(l laneOfAuto) *racer {
	r := *c.run
	if len(c.lanes) > 0 {
		r.solver = nil
	}
	r.result, r.deadline = &Result{}, r.options.MaxQueries
	r.meter = budget.Watch(func(p budget.Progress) error {
		c.meter.Lock()
		defer c.meter.Unlock()
		return c.run.meter.Tick(p)
	})
	return &racer{laneOfAuto: l, race: c, run: &r}
}

// Until is how far a lane may come in a turn. (A hint is not heeded before the turn that
// nobody can have begun when it came.)
func (x *racer) Until(turn int) int64 {
	var until int64
	if turn >= allBegin {
		until = int64(firstTurn) << min(turn-allBegin, 40) * x.share
	}
	until = max(until, x.starts[min(turn, allBegin)])
	if hinted := x.race.hinted; hinted >= 0 && turn > hinted+turnsAhead && x.method == Bounded {
		until *= 8
	}
	return until
}

// Search runs a lane, with another solver if it has none.
func (x *racer) Search(ctx context.Context, l *portfolio.Lane) error {
	r := x.run
	r.ctx, r.lane = ctx, l
	if tell := r.options.Explain; tell != nil {
		r.options.Explain = func(round Round) { l.Say(func() { tell(round) }) }
	}
	if err := l.Reach(0); err != nil {
		return err // before it has begun
	}
	if r.solver == nil {
		s, err := x.race.pool.Another()
		if err != nil {
			return err
		}
		defer x.race.pool.Release(s)
		r.use(s)
	}
	defer func() { r.work, x.did = r.used(), r.level() }()
	r.solver.Limit(r.each)
	if err := r.attempt(x.way); !ended(err) || !r.cut() {
		return err
	}
	return r.worked()
}

// Rest takes down what a lane has come to at the end of a turn.
func (x *racer) Rest(turn int, over bool, err error) portfolio.Rest {
	work := x.run.work
	if !over && x.run.solver != nil {
		work, x.did = x.run.used(), x.run.level()
	}
	t := outcome.Turn{Lane: x.String(), May: x.Until(turn), Did: x.did, Verdict: x.run.result.Verdict, Reason: err}
	return portfolio.Rest{Turn: t, Quiet: t.May == 0 && !over, Answer: over && err == nil, Due: func() error {
		x.work = work
		if err == nil {
			return nil
		}
		return x.gaveUp(turn, err)
	}}
}

// gaveUp takes down the reason why a lane has no answer. Other errors end the race.
func (x *racer) gaveUp(turn int, err error) error {
	var limit *budget.Exhausted
	if !ended(err) && !(errors.As(err, &limit) && limit.What == "work") {
		return err
	}
	x.over = true
	x.race.short = x.race.short || limit != nil
	x.tried(Unknown, err)
	if errors.Is(err, errHint) {
		x.race.hinted = turn
	}
	return nil
}

// take makes a lane's result that of the run.
func (x *racer) take() {
	tried := x.race.result.Tried
	x.race.result = x.run.result
	x.race.result.Tried = tried
}

func (x *racer) tried(verdict Verdict, why error) {
	r := x.race.result
	r.Tried = append(r.Tried, outcome.Attempt{Name: x.String(), Verdict: verdict, Reason: why})
}

var errNoAnswer error = &outcome.Stuck{What: "no method has an answer within its limits"}

// noAnswer is why no lane has an answer: more refinements may help, if one has come to their limit.
func (c *race) noAnswer() error {
	for _, a := range c.result.Tried {
		if refine.OutOfRounds(a.Reason) {
			return fmt.Errorf("%w: %w", errNoAnswer, a.Reason)
		}
	}
	return errNoAnswer
}

// ended reports the error of a method that came to its end, as others need not: it is stuck, or has
// refined as often as it may.
func ended(err error) bool {
	return outcome.Ended(err) || refine.OutOfRounds(err)
}

// conclude fills in the result when no lane runs any more. Without an answer, it is that of
// the first lane, with what came of all of them.
func (c *race) conclude(winner *racer, err error) error {
	if winner != nil {
		winner.take()
		winner.tried(c.result.Verdict, nil)
	} else {
		if err == nil {
			err = c.noAnswer()
		}
		for _, x := range c.lanes {
			if !x.over {
				x.tried(Unknown, nil)
			}
		}
		c.lanes[0].take()
	}
	for _, x := range c.lanes {
		c.work.Add(x.work)
	}
	return err
}
