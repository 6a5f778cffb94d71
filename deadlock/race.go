package deadlock

import (
	"context"
	"math"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/portfolio"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/run"
)

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
func race(ctx context.Context, net *lks.Network, opts *Options, meter *budget.Meter, result *Result) (*run.Run, error) {
	var results [2]Result
	a := portfolio.Start(headStart, func(l *portfolio.Lane) (finding, error) {
		trace, err := findPlain(net, opts, newPace(meter, l), &results[0])
		return finding{trace: trace}, err
	})
	if a.Wait(); won(a) {
		*result = results[0]
		f, _, _ := a.Stop()
		return f.trace, nil
	}
	b := portfolio.Start(0, func(l *portfolio.Lane) (finding, error) {
		return findIter(net, opts, newPace(budget.New(ctx, opts.Limits, nil), l), &results[1])
	})
	proofAt := headStart + 8*int64(pairStates(net, sharing(net)))
	treeAt := max(treeWork, proofAt) // the conditions take less
	free := false
	for total := int64(headStart); ; {
		a.Wait()
		b.Wait()
		if won(a) || won(b) || a.Ended() && b.Ended() {
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
			hopeful := false
			if free, hopeful = tryTree(ctx, net, opts, total, result); free {
				break
			}
			if !hopeful {
				treeAt = math.MaxInt64
			}
		}
		total += max(minQuota, total/16)
		a.Resume(total)
		b.Resume(total - headStart)
	}
	byPlain, _, err := a.Stop()
	byIter, _, _ := b.Stop()
	if free {
		return nil, nil
	}
	result.Exploration, result.Abstraction = results[0].Exploration, results[1].Abstraction
	switch {
	case result.Proof != nil:
		return nil, nil
	case !won(a) && won(b):
		result.Method = results[1].Method
		if results[1].Exploration != nil {
			result.Exploration = results[1].Exploration
		}
		return byIter.trace, nil
	}
	result.Method = Plain
	return byPlain.trace, err
}

// won reports whether a search has decided.
func won(a *portfolio.Attempt[finding]) bool {
	if !a.Ended() {
		return false
	}
	f, enough, err := a.Stop()
	return enough && err == nil && f.open == decided
}

// finding is what a search comes to that no limit stops.
type finding struct {
	trace *run.Run // to a deadlock; nil if there is none, or the question is open
	open  open
}

// open is why a search has not decided.
type open int

const (
	decided open = iota
	// forbidden: an abstract deadlock is none of the network although no component
	// objects; priorities forbid its trace.
	forbidden
	// concrete: the quotients have become the components, so that the plain search beside
	// this one does the rest as well.
	concrete
)

// tryTree minimises, for no longer than a part of so much work takes, and reports whether
// that proves freedom, and whether it may with more work.
func tryTree(ctx context.Context, net *lks.Network, opts *Options, work int64, result *Result) (free, hopeful bool) {
	pace := newPace(budget.New(ctx, opts.Limits, nil), nil)
	tree := Result{}
	dead, enough, err := within(pace, work/treeShare+1, func() (bool, error) {
		return findTree(net, min(work/2, lks.TreeEffort), pace, &tree)
	})
	free = enough && err == nil && !dead
	if free {
		*result = tree
	}
	return free, !dead
}

const (
	headStart = 20000
	minQuota  = 2000
	// treeWork is the work after which minimisation is tried, and treeShare the work of
	// which what is left may have a state.
	treeWork  = 1 << 17
	treeShare = 64
)
