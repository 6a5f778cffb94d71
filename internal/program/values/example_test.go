package values_test

import (
	"fmt"

	"github.com/seltl/seltl/internal/program/values"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/program/reader"
)

// An error path is spurious when x is known, and then no other is left.
func ExampleAnalysis_Refute() {
	sys, err := reader.ParseText("turns.gcl", `
		var x, turns: int;
		locations a, b, c;
		init a when x == 0;
		a -> b do x := x + 1, turns := turns + 1;
		b -> a do x := x - 1;
		a -> c when x == 1;
		error c;`)
	if err != nil {
		fmt.Println(err)
		return
	}
	always := func() error { return nil }
	a := values.New(program.SmallBlocks(sys))
	precision := make([]values.Precision, len(sys.Vars)) // nothing is tracked
	for {
		reached, err := a.Explore(values.Options{Precision: precision, Fixed: make([]bool, len(sys.Vars)), Tick: func(int) error { return always() }})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(reached.States(), "states, error:", reached.Error >= 0)
		if reached.Error < 0 {
			fmt.Println("at a:", reached.Invariant()[sys.Location("a")])
			return
		}
		path := reached.Path(reached.Error)
		if precision, err = a.Refute(path, precision, 1, always); precision == nil || err != nil {
			fmt.Println("not refuted:", path, err)
			return
		}
		for i, x := range sys.Vars {
			if precision[i] == values.Exact {
				fmt.Println("tracked:", x)
			}
		}
	}
	// Output:
	// 3 states, error: true
	// tracked: x
	// 2 states, error: false
	// at a: x == 0
}
