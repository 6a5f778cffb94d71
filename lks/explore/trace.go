package explore

import (
	"errors"
	"fmt"
	"slices"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/run"
)

// Trace returns a shortest trace from an initial state to the state with that
// number, or an error without Options.Traces.
func (r *Reached) Trace(number int32) (*run.Run, error) {
	if r.states == nil || !r.states.Ways() {
		return nil, errors.New("explore: the exploration did not keep what traces need")
	}
	states, _ := r.states.Run(number)
	rules := make([]int32, len(states)-1)
	e := r.net.Explorer()
	var succ lks.Successors
	for i := range rules {
		e.Successors(states[i], &succ)
		var ok bool
		if rules[i], ok = ruleTo(&succ, states[i+1]); !ok {
			return nil, fmt.Errorf("explore: %s is no successor of %s", r.net.StateName(states[i+1]), r.net.StateName(states[i]))
		}
	}
	return run.Unpack(r.net, states, rules, -1)
}

// ruleTo returns the first rule that leads to state.
func ruleTo(s *lks.Successors, state []uint64) (rule int32, ok bool) {
	w := len(state)
	for i, r := range s.Rules {
		if slices.Equal(s.States[i*w:(i+1)*w], state) {
			return r, true
		}
	}
	return -1, false
}

// TraceTo returns a shortest trace to a state that the exploration found, such as
// DeadlockState: at once if traces were kept, otherwise by exploring again, see the
// function TraceTo. The error is the meter's, which may be nil, or that of TraceTo.
func (r *Reached) TraceTo(state []uint64, meter *budget.Meter) (*run.Run, error) {
	if r.states != nil && r.states.Ways() {
		return r.Trace(r.Number(state))
	}
	return TraceTo(r.net, state, meter)
}

// TraceTo returns a shortest trace from an initial state to a (canonical) state,
// such as Reached.DeadlockState, for stores that keep no traces: it explores the
// network again, with the Numbered store, until it meets the state. The error is
// the meter's, which may be nil, or says that the state cannot be reached.
func TraceTo(n *lks.Network, state []uint64, meter *budget.Meter) (*run.Run, error) {
	r, err := Reach(n, Options{Resources: Resources{Store: Numbered}, Meter: meter, Traces: true, StopAtGoal: true, Goal: func(s []uint64) bool { return slices.Equal(s, state) }})
	switch {
	case err != nil:
		return nil, err
	case r.Goal < 0:
		return nil, fmt.Errorf("explore: %s cannot be reached", n.StateName(state))
	}
	return r.Trace(r.Goal)
}
