package explore_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/lks"
	"github.com/seltl/seltl/lks/explore"
)

// Two bits a state in a small array: what is missed is estimated, and nothing that
// the search did not find is proved.
func ExampleReach_stores() {
	n := gen.Philosophers(8, true)
	exact, err := explore.Reach(n, explore.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(exact.States, "states,", exact.Deadlocks, "deadlocks, complete:", exact.Complete)
	small, err := explore.Reach(n, explore.Options{Resources: explore.Resources{Store: explore.BitstateHash, StoreBytes: 8 << 10, Workers: 1}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("fewer states: %v, complete: %v, more than 80 %% covered: %v\n", small.States < exact.States, small.Complete, small.Lossy().Coverage > 0.8)
	// Output:
	// 14159 states, 0 deadlocks, complete: true
	// fewer states: true, complete: false, more than 80 % covered: true
}

// What a Meter bounds ends with an error that says so, and a result that holds what
// was done so far.
func Example_limits() {
	b := lks.NewBuilder("COUNTER")
	first := b.State()
	for last := first; last < 99999; {
		next := b.State()
		b.Transition(last, "tick", next)
		last = next
	}
	m, err := b.Build()
	if err != nil {
		fmt.Println(err)
		return
	}
	meter := budget.New(context.Background(), budget.Limits{States: 50000}, nil)
	reached, err := explore.Reach(lks.Single(m), explore.Options{Meter: meter})
	if limit, ok := errors.AsType[*budget.Exhausted](err); ok {
		fmt.Println(limit.What, limit.Limit, reached.States >= 50000, reached.Complete)
	}
	// Output:
	// states 50000 true false
}

// The nearest deadlock of the dining philosophers, and the way there.
func ExampleReach() {
	n := gen.Philosophers(3, false)
	reached, err := explore.Reach(n, explore.Options{Traces: true, StopAtDeadlock: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	trace, err := reached.Trace(reached.Deadlock)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(n.StateName(reached.DeadlockState), "after", trace.Events())
	// Output:
	// (1,1,1,1,1,1) after [getl0 getl1 getl2]
}
