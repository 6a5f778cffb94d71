package armc_test

import (
	"context"
	"fmt"

	"github.com/seltl/seltl/armc"
	"github.com/seltl/seltl/program/reader"
	"github.com/seltl/seltl/smt"
)

func ExampleCheck() {
	sys, err := reader.ParseText("count.gcl", `
		var x, n: int;
		locations loop, done;
		init loop when x == 0 && n >= 0;
		step: loop -> loop when x < n do x := x + 1;
		stop: loop -> done when x >= n;
		assert done: x == n;`)
	if err != nil {
		fmt.Println(err)
		return
	}
	pool := smt.Z3Pool(1, smt.Options{})
	defer pool.Close()
	result, err := armc.Check(context.Background(), sys, pool, armc.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(result.Verdict)
	fmt.Println("at loop:", result.Certificate.Invariant[sys.Location("loop")])
	// Output:
	// holds
	// at loop: n >= x
}
