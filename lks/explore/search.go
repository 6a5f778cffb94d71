package explore

import (
	"errors"
	"fmt"
	"runtime"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/lks"
)

// Search goes over from the Numbered store to the Exact one after that many states.
// For one worker Numbered takes somewhat more time (up to half as much again, for states
// of one word) and twice the memory, but has traces at hand: leanAfter is where the
// memory begins to matter, at 600 MB for states of one word. Several workers pay much
// earlier: two with the Exact store are more than twice as fast as one with Numbered. Either
// way starting again costs less than the rest of a search that gets there.
var (
	leanAfter     int64 = 1 << 25
	parallelAfter int64 = 1 << 16
)

var errLean = errors.New("explore: many states")

// Search is Reach for those who want counts, findings and traces to these, but no
// numbers. If opts name no Store, no Disk and no Checkpoint, it begins with numbered
// states and their traces; when those become many it starts again with the Exact
// store, with several workers if these are asked for or Workers is 0, for as many as
// there are processors. Otherwise it is Reach with the store named, Exact if none is.
//
// The error is the meter's, a *CheckpointError, or says that options do not go
// together; the result then holds what was explored so far.
func Search(n *lks.Network, opts Options) (*Reached, error) {
	if opts.Workers == 0 {
		opts.Workers = runtime.GOMAXPROCS(0)
	}
	limit := leanAfter
	if opts.Workers > 1 {
		limit = min(limit, parallelAfter)
	}
	if opts.Store == Numbered && opts.Disk == "" && opts.Checkpoint == "" {
		first := opts
		first.Traces = true
		first.Meter = budget.Watch(func(p budget.Progress) error {
			switch {
			case p.States > limit:
				return errLean
			case opts.Meter == nil:
				return nil
			}
			return opts.Meter.Tick(p)
		})
		r, err := Reach(n, first)
		if !errors.Is(err, errLean) {
			return r, err
		}
	}
	if opts.Store == Numbered {
		opts.Store = Exact
	}
	return Reach(n, opts)
}

// LossyStore is why a search that came to its end and found nothing proves nothing:
// its store can take new states for known ones, and so miss some.
type LossyStore struct {
	Store    Store
	Missed   float64 // estimated number of states taken for others, without what only they lead to
	Coverage float64 // estimated share of states explored, of those met: 0 to 1
}

func (e *LossyStore) Error() string {
	return fmt.Sprintf("the %v store can miss states: of those that it met it took an estimated %s for others, and explored %s %%",
		e.Store, atLeast(e.Missed, 0.01), percent(e.Coverage))
}

// atLeast formats x, as "less than least" if it is less.
func atLeast(x, least float64) string {
	switch {
	case x < least:
		return fmt.Sprintf("less than %g", least)
	case x >= 100:
		return fmt.Sprintf("%.0f", x)
	}
	return fmt.Sprintf("%.2g", x)
}

// percent formats a share below 1, never as all.
func percent(share float64) string {
	if share > 0.999999 {
		return "more than 99.9999"
	}
	return fmt.Sprintf("%.4f", 100*share)
}

// Lossy returns a *LossyStore if the exploration came to its end with a store that
// can lose states, nil otherwise.
func (r *Reached) Lossy() *LossyStore {
	if !r.Ended || !r.Store.Lossy() {
		return nil
	}
	return &LossyStore{Store: r.Store, Coverage: r.Coverage(), Missed: r.Missed}
}
