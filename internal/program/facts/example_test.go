package facts_test

import (
	"fmt"

	"github.com/seltl/seltl/internal/program/facts"
	"github.com/seltl/seltl/program/gcl"
)

func ExampleFind() {
	sys, err := gcl.ParseText("sum.gcl", `
		var i, sum, n: int;
		locations start, loop, end, wrong;
		init start when n >= 0;
		error wrong;
		start -> loop do i := 0, sum := 0;
		loop -> loop when i < n do i := i + 1, sum := sum + 3;
		loop -> end when i >= n;
		end -> wrong when sum != 3 * n;
	`)
	if err != nil {
		fmt.Println(err)
		return
	}
	found, err := facts.Find(nil, sys, facts.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for l, fs := range found.At {
		for _, f := range fs {
			fmt.Printf("%s: %s (%s)\n", sys.Locations[l].Name, f.Formula, f.By)
		}
	}
	// Output:
	// start: n >= 0 (intervals)
	// loop: 3*i == sum (karr)
	// loop: i <= n (octagons)
	// loop: i >= 0 (intervals)
	// loop: n >= 0 (intervals)
	// end: i == n (octagons)
	// end: 3*i == sum (karr)
	// end: n <= sum (octagons)
	// end: i >= 0 (intervals)
	// end: n >= 0 (intervals)
	// wrong: false (karr)
}
