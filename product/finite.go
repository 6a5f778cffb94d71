package product

import (
	"slices"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/bug"
	"github.com/seltl/seltl/internal/portfolio"
	"github.com/seltl/seltl/internal/statetable"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/run"
)

// refuseFiniteRuns returns a *FiniteRunError for what findFiniteRun finds.
func refuseFiniteRuns(net *lks.Network, meter *budget.Meter, limits budget.Limits) error {
	return refused(findFiniteRun(net, meter, limits, nil))
}

// refused makes an error of a finite run.
func refused(finite *FiniteRunError, err error) error {
	if finite != nil {
		return finite
	}
	return err
}

// findFiniteRun explores the network breadth first and returns a run to the first state
// without successors, whatever its kind, nil if there is none. The error is the budget's. The
// lane, which may be nil, is told of the states stored.
func findFiniteRun(net *lks.Network, meter *budget.Meter, limits budget.Limits, lane *portfolio.Lane) (*FiniteRunError, error) {
	ex := net.Explorer()
	table := statetable.New(net.Words())
	var succ lks.Successors
	var numbers, parent, by []int32
	transitions := int64(0)
	var pace budget.Pace
	enter := func(from int32) {
		known := table.Len()
		numbers = slices.Grow(numbers[:0], succ.Len())[:succ.Len()]
		table.InsertAll(succ.States, numbers)
		for i, n := range numbers {
			if int(n) >= known && int(n) == len(parent) {
				parent = append(parent, from)
				by = append(by, succ.Rules[i])
			}
		}
		transitions += int64(succ.Len())
	}
	ex.Initial(&succ)
	enter(-1)
	for s := int32(0); int(s) < table.Len(); s++ {
		ex.Successors(table.State(s), &succ)
		if succ.Len() == 0 {
			trace, err := traceTo(net, table, parent, by, s)
			if err != nil {
				return nil, err
			}
			return &FiniteRunError{Trace: trace}, nil
		}
		enter(s)
		if err := lane.Reach(int64(table.Len())); err != nil {
			return nil, err
		}
		if pace.Due(int64(s), transitions, net.Words()) || limits.States > 0 && int64(table.Len()) > limits.States {
			p := budget.Progress{Phase: "looking for finite runs", States: int64(table.Len()), Transitions: transitions}
			if err := tick(meter, table, p); err != nil {
				return nil, err
			}
		}
	}
	return nil, nil
}

// traceTo describes the run to a state that the parents and rules give, which ends there.
func traceTo(net *lks.Network, table *statetable.Table, parent, by []int32, to int32) (*run.Run, error) {
	states, rules := [][]uint64{table.State(to)}, []int32{run.Stutter}
	for s := to; s >= 0; s = parent[s] {
		states = append(states, table.State(s))
		if parent[s] >= 0 {
			rules = append(rules, by[s])
		}
	}
	slices.Reverse(states)
	slices.Reverse(rules)
	trace, err := run.Unpack(net, states, rules, len(rules)-1)
	if err != nil {
		return nil, err
	}
	if err := trace.Replay(net); err != nil {
		return nil, &bug.Error{Stage: "replay of the trace to a finite run", Err: err}
	}
	return trace, nil
}
