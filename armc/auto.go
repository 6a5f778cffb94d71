package armc

import (
	"errors"
	"slices"

	"github.com/seltl/seltl/internal/portfolio"
	"github.com/seltl/seltl/predabs"
)

// lanes are the ways of Auto, in the order in which they have their turns, with their shares
// of the work.
var lanes = []struct {
	way
	share int64
}{
	{way{Forward, A3, predabs.Interpolation}, 1},
	{way{method: Induction}, 1},
	{way{Backward, A2, predabs.AtomsOfPre}, 1},
	{way{method: Bounded}, 2},
	{way{Forward, A3, predabs.UnsatCore}, 1},
	{way{Backward, A3, predabs.AtomsOfPre}, 1},
	{way{method: Spacer}, 1},
}

// Work is counted in resource units of the solver, of which it does some 300,000 in a
// second, and what is done outside it in as many as take the time, roughly.
const (
	headStart    = 500_000    // of the first lane, which has the answer mostly
	firstTurn    = 50_000     // what a share of one may do in its first turn; it doubles
	workQuestion = 10         // a question to the prover, which it may answer by itself
	workQuery    = 100        // a question that it sends on, beside the solver's work
	questionMost = 2_000_000  // one question of a lane to the solver; beyond it the answer is unknown
	wholeMost    = 20_000_000 // a lane that never ends by itself
)

// pace is how a lane of Auto is stopped for others. Lanes run in goroutines, one at a time:
// they share the solver, and which of them answers depends on the system only. (Two at a
// time would do in half the time what would not be done at all where the first one answers,
// as is usual.)
type pace struct {
	lane  *portfolio.Lane // nil: there are no others
	each  uint64          // work that bounds a question, 0 without
	spent int64           // by the lane
	mark  uint64          // of the solver's work, where it was counted last
	asked int             // questions that the prover does not know of
}

// wait tells how much the lane has done, and waits if others have their turn.
func (r *run) wait() error {
	if r.lane == nil {
		return nil
	}
	r.spent += int64(r.solver.Stats().Work - r.mark)
	err := r.lane.Reach(r.level())
	r.mark = r.solver.Stats().Work
	return err
}

func (r *run) level() int64 {
	done := r.prover.Stats()
	return r.spent + workQuestion*int64(done.Questions) + workQuery*int64(done.Queries+r.asked)
}

// refined counts the work of a refinement outside the solver, which for a path of n steps
// takes about as long as n*n pivots of the simplex.
func (r *run) refined(steps int) { r.spent += int64(steps) * int64(2*steps+50) }

// race is a call of auto: lanes with what they have come to.
type race struct {
	*run
	attempts []*portfolio.Attempt[*run]
	over     []bool
	hint     bool // a lane says that there is a run to an error, and does not give it
}

// auto lets every lane work in turn, twice as much each time, until one has an answer.
func (r *run) auto() error {
	c := &race{run: r, attempts: make([]*portfolio.Attempt[*run], len(lanes)), over: make([]bool, len(lanes))}
	r.each = questionMost
	r.solver.Limit(r.each)
	defer c.stop()
	for until := int64(firstTurn); slices.Contains(c.over, false); until *= 2 {
		for i := range lanes {
			if done, err := c.turn(i, until); done || err != nil {
				return err
			}
		}
	}
	return &unknown{"no method has an answer within its limits"}
}

// turn lets a lane work. done says that it has an answer.
func (c *race) turn(i int, until int64) (done bool, err error) {
	if c.over[i] {
		return false, nil
	}
	if until *= lanes[i].share; i == 0 {
		until = max(until, headStart)
	}
	if c.hint && lanes[i].method == Bounded {
		until *= 8
	}
	if a := c.attempts[i]; a == nil {
		c.attempts[i] = c.start(lanes[i].way, until)
	} else {
		a.Resume(until)
	}
	c.attempts[i].Wait()
	if !c.attempts[i].Ended() {
		return false, nil
	}
	lane, _, err := c.attempts[i].Stop()
	if u := (&unknown{}); errors.As(err, &u) {
		c.over[i] = true
		c.hint = c.hint || err == errHint
		c.tried(i, u.reason)
		return false, nil
	}
	if err != nil {
		return false, err
	}
	tried := c.result.Tried
	c.result = lane.result
	c.result.Tried = tried
	c.tried(i, lane.result.Verdict.String())
	return true, nil
}

func (c *race) tried(i int, what string) {
	c.result.Tried = append(c.result.Tried, lanes[i].String()+": "+what)
}

// start begins a lane with a run of its own.
func (c *race) start(w way, until int64) *portfolio.Attempt[*run] {
	return portfolio.Start(until, func(l *portfolio.Lane) (*run, error) {
		r := *c.run
		r.result = &Result{}
		r.deadline = r.options.MaxQueries
		r.lane, r.mark = l, r.solver.Stats().Work
		return &r, r.attempt(w)
	})
}

// stop gives up the lanes that are left. Without an answer, the result is that of the first
// lane, with what came of all of them.
func (c *race) stop() {
	for i, a := range c.attempts {
		if a == nil {
			continue
		}
		lane, _, _ := a.Stop()
		if c.result.Verdict != Unknown {
			continue
		}
		if !c.over[i] {
			c.tried(i, "not ended")
		}
		if i == 0 {
			tried := c.result.Tried
			c.result = lane.result
			c.result.Tried = tried
		}
	}
}
