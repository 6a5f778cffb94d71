package deadlock

import (
	"context"
	"math"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/lks"
)

// lane makes a search wait whenever it has done its share of an epoch, so that
// two searches side by side do the same work in the same order whatever the
// machine does: who wins, and with what counts, depends on the input only.
type lane struct {
	quota  chan int64    // work allowed for the next epoch; closed: stop
	paused chan struct{} // the share is done
}

func newLane() *lane {
	return &lane{quota: make(chan int64), paused: make(chan struct{})}
}

// pause ends the search's share of an epoch and waits for the next.
func (l *lane) pause() (int64, error) {
	l.paused <- struct{}{}
	quota, ok := <-l.quota
	if !ok {
		return 0, errStopped
	}
	return quota, nil
}

// outcome is what a search ended with.
type outcome struct {
	trace *Trace
	err   error
}

// contestant is a search on a lane.
type contestant struct {
	lane   *lane
	done   chan outcome
	paused bool
	end    *outcome // nil while it runs or is paused
}

// start runs search on a lane, up to its first pause.
func start(search func(*lane) (*Trace, error)) *contestant {
	c := &contestant{lane: newLane(), done: make(chan outcome, 1)}
	go func() {
		trace, err := search(c.lane)
		c.done <- outcome{trace, err}
	}()
	return c
}

// wait waits until c has paused or ended.
func (c *contestant) wait() {
	if c.end != nil || c.paused {
		return
	}
	select {
	case <-c.lane.paused:
		c.paused = true
	case o := <-c.done:
		c.end = &o
	}
}

// won reports whether c has an answer.
func (c *contestant) won() bool { return c.end != nil && c.end.err == nil }

// resume lets c, which has paused or ended, work on.
func (c *contestant) resume(quota int64) {
	if c.end == nil {
		c.paused = false
		c.lane.quota <- quota
	}
}

// stop ends c, which is paused or has ended, and waits for it.
func (c *contestant) stop() {
	if c.end == nil {
		close(c.lane.quota)
		o := <-c.done
		c.end = &o
	}
}

// race runs plain search and IterDeadlock side by side, in epochs of equal work,
// until one of them has an answer; plain search is preferred when both have. An
// epoch is a small part of the work so far: what is lost by waiting for its end
// does not matter. Plain search has a head start, so that small networks need no
// second search, and is alone again once IterDeadlock has refined its quotients to
// the components. When the race has taken several times as long as the sufficient
// conditions would, these are tried; and when it has become long, compositional
// minimisation, while both wait: it may take as long as a part of their work, and what
// is left of the network have a quarter of their states, about. Each search has the limits for itself. The
// error, if all fail, is that of plain search.
func race(ctx context.Context, net *lks.Network, opts *Options, meter *budget.Meter, result *Result) (*Trace, error) {
	if opts.soon {
		if free, _ := tryTree(ctx, net, opts, headStart/8, result); free {
			return nil, nil
		}
	}
	var results [2]Result
	a := start(func(l *lane) (*Trace, error) {
		return findPlain(net, opts, newPace(meter, l), &results[0])
	})
	a.wait()
	a.resume(headStart)
	a.wait()
	if a.won() {
		*result = results[0]
		return a.end.trace, nil
	}
	b := start(func(l *lane) (*Trace, error) {
		return findIter(net, opts, newPace(budget.New(ctx, opts.Limits, nil), l), &results[1])
	})
	proofAt := headStart + 8*int64(pairStates(net, sharing(net)))
	treeAt := max(treeWork, proofAt) // the conditions take less
	for total := int64(headStart); ; {
		a.wait()
		b.wait()
		if a.won() || b.won() || a.end != nil && b.end != nil {
			break
		}
		if total >= proofAt {
			proofAt = math.MaxInt64
			proof, _, err := prove(net, newPace(budget.New(ctx, opts.Limits, nil), nil))
			if err == nil && proof != nil {
				result.Method, result.Proof = Conditions, proof
				break
			}
		}
		if total >= treeAt {
			treeAt = 4 * total
			free, hopeful := tryTree(ctx, net, opts, total, result)
			if free {
				a.stop()
				b.stop()
				return nil, nil
			}
			if !hopeful {
				treeAt = math.MaxInt64
			}
		}
		quota := max(minQuota, total/16)
		total += quota
		a.resume(quota)
		b.resume(quota)
	}
	a.stop()
	b.stop()
	result.Exploration, result.Abstraction = results[0].Exploration, results[1].Abstraction
	switch {
	case result.Proof != nil:
		return nil, nil
	case !a.won() && b.won():
		result.Method = results[1].Method
		if results[1].Exploration != nil {
			result.Exploration = results[1].Exploration
		}
		return b.end.trace, b.end.err
	}
	result.Method = Plain
	return a.end.trace, a.end.err
}

// tryTree minimises, for no longer than a part of so much work takes, and reports whether
// that proves freedom, and whether it may with more work.
func tryTree(ctx context.Context, net *lks.Network, opts *Options, work int64, result *Result) (free, hopeful bool) {
	pace := newPace(budget.New(ctx, opts.Limits, nil), nil)
	pace.cap = int(work / treeShare)
	tree := Result{}
	err := findTree(net, min(work/2, lks.TreeEffort), pace, &tree)
	if err == nil {
		*result = tree
	}
	return err == nil, err != errDeadlock
}

const (
	headStart = 20000
	minQuota  = 2000
	// treeWork is the work after which minimisation is tried, and treeShare the work of
	// which what is left may have a state.
	treeWork  = 1 << 17
	treeShare = 64
)
