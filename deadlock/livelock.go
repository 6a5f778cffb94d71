package deadlock

import (
	"context"
	"errors"
	"slices"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/bug"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/run"
	"github.com/seltl/seltl/outcome"
)

// LivelockResult is the answer of Livelock.
type LivelockResult struct {
	Verdict outcome.Verdict
	Reason  error // of Unknown, as of Result
	// Lasso leads to a cycle of silent steps, its loop. Nil unless the verdict is Violated.
	Lasso       *run.Run
	Exploration Exploration
}

// Livelock decides whether the network can engage in silent steps for ever: a
// reachable cycle of tau only. Of opts it uses Limits and Progress. Errors are
// those of Check. The lasso is replayed but need not be shortest. Time O(states
// + transitions); 21 bytes per state of one word at most.
func Livelock(ctx context.Context, net *lks.Network, opts Options) (*LivelockResult, error) {
	if net == nil {
		return nil, lks.ErrNil
	}
	s := &silentSearch{plain: newPlain(net, newPace(budget.New(ctx, opts.Limits, opts.Progress), nil))}
	result := &LivelockResult{}
	err := budget.Within(s.run)
	s.stats.States = int64(s.states.Len())
	s.stats.Complete = err == nil && s.closing < 0
	result.Exploration = s.stats
	switch {
	case err != nil && outcome.Open(err):
		result.Reason = err
		return result, nil
	case err != nil:
		return result, err
	case s.closing < 0:
		result.Verdict = outcome.Holds
		return result, nil
	}
	lasso, err := s.lasso()
	if err != nil {
		return result, err
	}
	if err := replayLivelock(net, lasso); err != nil {
		return result, &bug.Error{Stage: "deadlock", Err: err}
	}
	result.Verdict, result.Lasso = outcome.Violated, lasso
	return result, nil
}

// silentSearch explores all reachable states and, on the fly, searches the graph
// of their silent steps depth-first: there is a silent cycle iff some silent step
// leads back to a state on the search path.
type silentSearch struct {
	*plain
	colour  []uint8
	path    []silentFrame
	pending []silentStep // of all frames, one after the other

	closing     int32 // the state on the path that the cycle closes at, or -1
	closingRule int32
}

const (
	white = iota // not searched
	grey         // on the path
	black        // searched, no silent cycle goes through it
)

type silentFrame struct {
	state int32
	rule  int32 // that led here from the frame before
	first int   // of its pending steps; the last is taken first
}

type silentStep struct{ rule, target int32 }

func (s *silentSearch) run() error {
	s.closing = -1
	s.explorer.Initial(&s.succ)
	s.discover(-1)
	for n := range s.states.InOrder {
		if int(n) < len(s.colour) && s.colour[n] != white {
			continue
		}
		if err := s.search(n); err != nil || s.closing >= 0 {
			return err
		}
	}
	return nil
}

// search follows silent steps depth-first from root. It explores all states on
// the way completely, so that no state is explored twice.
func (s *silentSearch) search(root int32) error {
	if err := s.enter(root, -1); err != nil {
		return err
	}
	for len(s.path) > 0 {
		f := &s.path[len(s.path)-1]
		if len(s.pending) == f.first {
			s.colour[f.state] = black
			s.path = s.path[:len(s.path)-1]
			continue
		}
		step := s.pending[len(s.pending)-1]
		s.pending = s.pending[:len(s.pending)-1]
		switch s.colour[step.target] {
		case grey:
			s.closing, s.closingRule = step.target, step.rule
			return nil
		case white:
			if err := s.enter(step.target, step.rule); err != nil {
				return err
			}
		}
	}
	return nil
}

// enter puts a state on the path.
func (s *silentSearch) enter(state, rule int32) error {
	if _, err := s.expand(state); err != nil {
		return err
	}
	s.discover(state)
	s.colour = append(s.colour, make([]uint8, s.states.Len()-len(s.colour))...)
	s.colour[state] = grey
	s.path = append(s.path, silentFrame{state: state, rule: rule, first: len(s.pending)})
	for i := len(s.numbers) - 1; i >= 0; i-- {
		if r := s.succ.Rules[i]; s.net.Rules()[r].Action == lks.TauID {
			s.pending = append(s.pending, silentStep{r, s.numbers[i]})
		}
	}
	return nil
}

// lasso returns the run to the cycle and round it.
func (s *silentSearch) lasso() (*run.Run, error) {
	states, rules := s.states.Run(s.closing)
	stem := len(rules)
	add := func(rule, state int32) {
		states, rules = append(states, s.states.State(state)), append(rules, rule)
	}
	at := slices.IndexFunc(s.path, func(f silentFrame) bool { return f.state == s.closing })
	for _, f := range s.path[at+1:] {
		add(f.rule, f.state)
	}
	add(s.closingRule, s.closing)
	return run.Unpack(s.net, states, rules, stem)
}

func replayLivelock(net *lks.Network, l *run.Run) error {
	if err := l.Replay(net); err != nil {
		return err
	}
	if len(l.Loop) == 0 {
		return errors.New("the run has no loop")
	}
	for i := range l.Loop {
		if l.Loop[i].Event != lks.TauName {
			return errors.New("a step of the cycle is not silent")
		}
	}
	return nil
}
