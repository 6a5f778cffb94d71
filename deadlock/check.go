package deadlock

import (
	"context"
	"errors"
	"fmt"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/bug"
	"github.com/seltl/seltl/internal/names"
	"github.com/seltl/seltl/internal/portfolio"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/explore"
	"github.com/seltl/seltl/lks/run"
	"github.com/seltl/seltl/outcome"
)

// Method says how to look for deadlocks.
type Method int

const (
	// Auto runs Plain and Iter side by side until one has the answer, and tries
	// the sufficient conditions and Tree when that takes long in comparison.
	Auto Method = iota
	// Plain searches the reachable states.
	Plain
	// Iter is IterDeadlock, compositional abstraction refinement.
	Iter
	// Conditions only tries the sufficient conditions for freedom.
	Conditions
	// Tree searches the network after compositional minimisation, and for a deadlock
	// that it has as it is, by Plain.
	Tree
)

var methods = names.Of[Method]("method", "auto", "plain", "iter", "conditions", "tree")

func (m Method) String() string                   { return methods.String(m) }
func (m Method) MarshalText() ([]byte, error)     { return methods.Marshal(m) }
func (m *Method) UnmarshalText(text []byte) error { return methods.Unmarshal(text, m) }

// Names lists the texts of all values.
func (Method) Names() []string { return methods.List() }

// Options say how to check. The zero value is good.
type Options struct {
	Method Method
	// NoReduction makes both searches follow all transitions. Without it they
	// follow stubborn sets (see stubborn.go): often far fewer states, the same
	// verdict, and traces as short. Terminated states and states in error are then
	// not counted completely.
	NoReduction bool
	// NoAbandon keeps IterDeadlock from going over to the concrete components
	// when quotients have become nearly as large.
	NoAbandon bool

	// Search is for Plain: what asks for more than the default needs
	// that method, and makes it follow all transitions.
	Search explore.Resources

	Limits   budget.Limits
	Progress func(budget.Progress) // may be nil; called about once a second
	// Explain, if not nil, is told of every round of IterDeadlock, in order. With
	// Auto it may be called from another goroutine, but not after Check returns.
	Explain func(Round)
}

// Result is an answer with its reasons.
type Result struct {
	Verdict outcome.Verdict
	// Reason is why the verdict is Unknown: a limit, budget.ErrInterrupted, ErrNotProved, or an
	// *explore.LossyStore of a store that can lose states and found nothing.
	Reason error
	// Method is what decided: never Auto.
	Method Method
	// Deadlock is what was found if the verdict is Violated, else nil.
	Deadlock *Deadlock
	// Proof is the condition that proves freedom, if Method is Conditions.
	Proof *Proof
	// Exploration and Abstraction say how far plain search and IterDeadlock came;
	// nil if they did not run.
	Exploration *Exploration
	Abstraction *Abstraction
	// Minimised is what Tree has made of the network, if that proved freedom, or was the method.
	Minimised *Minimised
}

// Free reports whether it is known that there is no deadlock.
func (r *Result) Free() bool { return r.Verdict == outcome.Holds }

// ErrNotProved is wrapped by Result.Reason when the sufficient conditions
// alone were asked for and none applies.
var ErrNotProved error = &outcome.Stuck{What: "no sufficient condition for deadlock freedom applies"}

// Check decides whether net has a deadlock: a reachable state that is neither
// terminated nor in error and that refuses all actions, tau included. Every
// deadlock was replayed on the components before it is returned.
//
// The error is lks.ErrNil, *explore.CheckpointError, or *bug.Error if seltl
// contradicts itself; the result then holds how far the searches came.
func Check(ctx context.Context, net *lks.Network, opts Options) (*Result, error) {
	if net == nil {
		return nil, lks.ErrNil
	}
	return check(ctx, net, &opts, find)
}

// finder finds the trace to a deadlock, or nil, by the method of opts.
type finder func(ctx context.Context, net *lks.Network, opts *Options, result *Result) (*run.Run, error)

func check(ctx context.Context, net *lks.Network, opts *Options, find finder) (*Result, error) {
	result := &Result{Method: opts.Method}
	var trace *run.Run
	err := budget.Within(func() (err error) { trace, err = find(ctx, net, opts, result); return err })
	switch {
	case err != nil && outcome.Open(err):
		result.Reason = err
		return result, nil
	case err != nil:
		return result, err
	case trace == nil:
		result.Verdict = outcome.Holds
		return result, nil
	}
	if err := replayDeadlock(net, trace); err != nil {
		return result, &bug.Error{Stage: "deadlock", Err: err}
	}
	result.Verdict, result.Deadlock = outcome.Violated, newDeadlock(net, trace)
	return result, nil
}

// searchChosen reports whether Search asks for what only an exploration of all
// states can do.
func (o *Options) searchChosen() bool {
	return o.Search.Store != explore.Auto || o.Search.Disk != "" || o.Search.Checkpoint != "" || o.Search.Workers > 1
}

// find is the finder of Check.
func find(ctx context.Context, net *lks.Network, opts *Options, result *Result) (*run.Run, error) {
	if opts.searchChosen() && opts.Method != Plain {
		return nil, errors.New("deadlock: a store, disk, checkpoint or workers are of plain search")
	}
	meter := budget.New(ctx, opts.Limits, opts.Progress)
	switch opts.Method {
	case Auto:
		return race(ctx, net, opts, meter, result)
	case Conditions:
		proof, why, err := prove(net, newPace(meter, nil))
		if err == nil && proof == nil {
			err = fmt.Errorf("%w: %s", ErrNotProved, why)
		}
		result.Proof = proof
		return nil, err
	case Plain:
		return findPlain(net, opts, newPace(meter, nil), result)
	case Tree:
		dead, err := findTree(net, lks.TreeEffort, newPace(meter, nil), result)
		if err != nil || !dead {
			return nil, err
		}
		trace, err := findPlain(net, opts, newPace(meter, nil), result)
		if err == nil && trace == nil {
			err = &bug.Error{Stage: "deadlock", Err: errors.New("the minimised components have a deadlock, the network has none")}
		}
		return trace, err
	case Iter:
		f, err := findIter(net, opts, newPace(meter, nil), result)
		return f.trace, err
	}
	return nil, fmt.Errorf("deadlock: no method %d", opts.Method)
}

// findIter is IterDeadlock, and plain search where that cannot decide or is not
// worth while: a quotient's composition can have many more states than that of
// the components. When a round stores more states than a bound, plain search may
// store as many; if this is too few, the bound is raised for both. (Beside a plain
// search there is no need for this.)
func findIter(net *lks.Network, opts *Options, pace *pace, result *Result) (finding, error) {
	it, err := newIteration(net, opts, pace, true)
	result.Abstraction = &it.stats
	if err != nil {
		return finding{}, err
	}
	it.rival = pace.lane != nil
	for bound := int64(firstBound); ; bound *= 4 {
		most := bound + 1
		if opts.NoAbandon || it.rival {
			most = portfolio.Ever
		}
		result.Method, result.Exploration = Iter, nil
		f, enough, err := within(pace, most, it.run)
		if enough && (err != nil || f.open != forbidden) {
			return f, err
		}
		if enough {
			result.Method = Plain
			trace, err := findUnreduced(net, opts, pace, result)
			return finding{trace: trace}, err
		}
		it.stats.Rounds-- // to be repeated
		if it.concrete() {
			most = portfolio.Ever
		}
		round := it.account()
		round.Number++
		round.Outcome = fmt.Sprintf("more than %d abstract states: a plain search may look at as many", bound)
		it.explain(round)
		trace, enough, err := within(pace, most, func() (*run.Run, error) { return findPlain(net, opts, pace, result) })
		if enough {
			it.stats.Abandoned = it.stats.Rounds
			return finding{trace: trace}, err
		}
	}
}

const firstBound = 1 << 16
