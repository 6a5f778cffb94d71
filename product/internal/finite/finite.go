// Package finite looks for finite runs, for models that are to have none.
package finite

import (
	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/bug"
	"github.com/seltl/seltl/internal/frontier"
	"github.com/seltl/seltl/internal/portfolio"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/run"
)

// Find explores the network breadth first and returns a run to the first state without
// successors, whatever its kind, where it stutters; nil if there is none. The error is the
// budget's. The lane, which may be nil, is told of the states stored.
func Find(net *lks.Network, meter *budget.Meter, limits budget.Limits, lane *portfolio.Lane) (*run.Run, error) {
	ex, states := net.Explorer(), frontier.New(net.Words())
	var succ lks.Successors
	ex.Initial(&succ)
	states.Reach(-1, succ.States, succ.Rules)
	transitions := int64(succ.Len())
	for s := range states.InOrder {
		ex.Successors(states.State(s), &succ)
		if succ.Len() == 0 {
			return traceTo(net, states, s)
		}
		states.Reach(s, succ.States, succ.Rules)
		transitions += int64(succ.Len())
		if err := lane.Reach(int64(states.Len())); err != nil {
			return nil, err
		}
		if states.Due(nil, s, transitions) || limits.States > 0 && int64(states.Len()) > limits.States {
			if err := states.Tick(meter, budget.Progress{Phase: "looking for finite runs", Transitions: transitions}); err != nil {
				return nil, err
			}
		}
	}
	return nil, nil
}

// traceTo describes the run by which a state was met, which ends there.
func traceTo(net *lks.Network, met *frontier.Frontier, to int32) (*run.Run, error) {
	states, rules := met.Run(to)
	states, rules = append(states, met.State(to)), append(rules, run.Stutter)
	trace, err := run.Unpack(net, states, rules, len(rules)-1)
	if err != nil {
		return nil, err
	}
	if err := trace.Replay(net); err != nil {
		return nil, &bug.Error{Stage: "replay of the trace to a finite run", Err: err}
	}
	return trace, nil
}
