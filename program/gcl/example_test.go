package gcl_test

import (
	"fmt"

	"github.com/seltl/seltl/program/gcl"
)

func ExampleParseText() {
	sys, err := gcl.ParseText("count.gcl", `
		var x: int;
		locations loop, done;
		init loop when x == 0;
		step: loop -> loop when x < 3 do x := x + 1;
		stop: loop -> done when x >= 3;
		assert done: x == 3;`)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, e := range sys.Edges {
		fmt.Println(e.Name, "when", e.Command.Guard, "do", e.Command.Update)
	}
	// Output:
	// step when x <= 2 do map[x:x + 1]
	// stop when x >= 3 do map[]
}
