package deadlock

import (
	"errors"
	"fmt"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/bug"
	"github.com/seltl/seltl/internal/frontier"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/explore"
	"github.com/seltl/seltl/lks/run"
)

// Exploration counts what a plain search has seen. Searches stop at the first
// deadlock.
type Exploration struct {
	States      int64 // stored, those in error included
	Transitions int64 // generated
	Ends        int64 // terminated states met
	Errors      int64 // states in error met
	Bytes       int64 // of the state table and its side arrays
	Complete    bool  // all that matters was explored: there is no deadlock
	Reduced     bool  // stubborn sets were followed, other states not seen
	// Search has more of the figures if all states were explored breadth-first; nil
	// after other searches.
	Search *explore.Reached
}

// findUnreduced is AbsDeadlock on the concrete components: it looks at reachable
// states one by one until one has no successors although it is neither terminated
// nor in error.
func findUnreduced(net *lks.Network, opts *Options, pace *pace, result *Result) (*run.Run, error) {
	// States of many words are copied and hashed as a whole for every transition.
	pace.weight = 1 + int64(net.Words())/4
	defer func() { pace.weight = 1 }()
	pace.phase("exploring")
	o := explore.Options{Resources: opts.Search, StopAtDeadlock: true, Meter: pace.watch()}
	if pace.lane != nil {
		// With several workers, how much is done between two pauses depends on chance.
		o.Workers = 1
	}
	r, err := explore.Reach(net, o)
	result.Exploration = &Exploration{
		States: int64(r.Len()), Transitions: r.Transitions, Ends: r.Ends, Errors: r.Errors,
		Bytes: r.Bytes(), Complete: r.Complete, Search: r,
	}
	switch {
	case err != nil:
		return nil, err
	case r.DeadlockState != nil:
		return shortestTo(net, r, pace)
	}
	if missing := r.Lossy(); missing != nil {
		return nil, missing
	}
	if !r.Complete {
		return nil, &bug.Error{Stage: "deadlock", Err: errors.New("an exploration without deadlocks ended before its end")}
	}
	return nil, nil
}

// shortestTo returns a shortest trace to the deadlock that was found.
func shortestTo(net *lks.Network, r *explore.Reached, pace *pace) (*run.Run, error) {
	trace, err := r.TraceTo(r.DeadlockState, pace.watch())
	if err != nil {
		return nil, fmt.Errorf("a deadlock was found, %s, but the way there was not: %w", net.StateName(r.DeadlockState), err)
	}
	return trace, nil
}

// watch returns a meter for explorations that are a part of the pace's search.
func (p *pace) watch() *budget.Meter {
	var last budget.Progress
	return budget.Watch(func(now budget.Progress) error {
		if now.Transitions < last.Transitions {
			last = budget.Progress{} // it has started again
		}
		work := now.Transitions - last.Transitions + now.States - last.States
		last, p.p.Depth, p.followed = now, now.Depth, now.Transitions
		return p.spend(work, int(now.States))
	}).Within(p.meter)
}

// plain is a search whose states are numbered, with ways back.
type plain struct {
	net    *lks.Network
	pace   *pace
	states *frontier.Frontier // by rules
	stats  Exploration

	explorer *lks.Explorer
	succ     lks.Successors
	numbers  []int32
}

func newPlain(net *lks.Network, pace *pace) *plain {
	pace.phase("exploring")
	return &plain{net: net, pace: pace, states: frontier.New(net.Words()), explorer: net.Explorer()}
}

// inOrder explores the oldest states first, until next, which is told whether the state
// explored last is a deadlock, says no. The error is the pace's.
func (p *plain) inOrder(next func(isDead bool) bool) error {
	p.explorer.Initial(&p.succ)
	p.discover(-1)
	for s := range p.states.InOrder {
		isDead, err := p.expand(s)
		if err != nil || !next(isDead) {
			return err
		}
		p.discover(s)
	}
	return nil
}

// expand computes the successors of s and reports whether it is a deadlock.
func (p *plain) expand(s int32) (isDead bool, err error) {
	if p.states.Full() {
		return false, budget.Full("states", p.states.Len(), budget.Progress{})
	}
	state := p.states.State(s)
	p.explorer.Successors(state, &p.succ)
	n := p.succ.Len()
	p.stats.Transitions += int64(n)
	if n == 0 {
		switch p.net.Kind(state) {
		case lks.End:
			p.stats.Ends++
		case lks.Error:
			p.stats.Errors++
		default:
			return true, nil
		}
	}
	return false, p.pace.spend(int64(1+n), p.states.Len())
}

// discover stores the successors of parent.
func (p *plain) discover(parent int32) {
	p.numbers = p.states.Reach(parent, p.succ.States, p.succ.Rules)
}

// trace returns the run to a state.
func (p *plain) trace(to int32) (*run.Run, error) {
	states, rules := p.states.Run(to)
	return run.Unpack(p.net, states, rules, -1)
}

// breadthFirst explores the oldest states first and reports whether there is a deadlock.
// The error is the pace's.
func (p *plain) breadthFirst() (bool, error) {
	dead := false
	err := p.inOrder(func(isDead bool) bool {
		dead = isDead
		return !isDead
	})
	p.stats.States, p.stats.Bytes = int64(p.states.Len()), p.states.Bytes()
	p.stats.Complete = err == nil && !dead
	return dead, err
}
