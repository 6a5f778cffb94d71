package product

import (
	"slices"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/bug"
	"github.com/seltl/seltl/internal/statetable"
	"github.com/seltl/seltl/lks"
)

// refuseFiniteRuns explores the network breadth first and returns a
// *FiniteRunError for the first state without successors, whatever its kind; or
// the error of the budget. When it has stored pauseAt states, if that is not 0, it calls
// pause, which says when to do so again; its error ends the search.
func refuseFiniteRuns(net *lks.Network, meter *budget.Meter, limits budget.Limits, pauseAt int64, pause func(states int64) (int64, error)) error {
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
				return err
			}
			return &FiniteRunError{Trace: trace}
		}
		enter(s)
		if pauseAt > 0 && int64(table.Len()) >= pauseAt {
			var err error
			if pauseAt, err = pause(int64(table.Len())); err != nil {
				return err
			}
		}
		if pace.Due(int64(s), transitions, net.Words()) || limits.States > 0 && int64(table.Len()) > limits.States {
			p := budget.Progress{Phase: "looking for finite runs", States: int64(table.Len()), Transitions: transitions}
			if err := tick(meter, table, p); err != nil {
				return err
			}
		}
	}
	return nil
}

// traceTo describes the run to a state that the parents and rules give.
func traceTo(net *lks.Network, table *statetable.Table, parent, by []int32, to int32) ([]Step, error) {
	var states [][]uint64
	var rules []int32
	for s := to; s >= 0; s = parent[s] {
		states = append(states, table.State(s))
		if parent[s] >= 0 {
			rules = append(rules, by[s])
		}
	}
	slices.Reverse(states)
	slices.Reverse(rules)
	trace, last, err := newDescriber(net).run(states, rules)
	if err != nil {
		return nil, &bug.Error{Stage: "trace to a finite run", Err: err}
	}
	trace = append(trace, Step{State: last, Rule: Stutter})
	run := &Lasso{Stem: trace[:len(trace)-1], Loop: trace[len(trace)-1:]}
	if err := Replay(net, run); err != nil {
		return nil, &bug.Error{Stage: "replay of the trace to a finite run", Err: err}
	}
	return trace, nil
}
