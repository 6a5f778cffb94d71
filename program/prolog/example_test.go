package prolog_test

import (
	"fmt"

	"github.com/seltl/seltl/program/prolog"
)

func ExampleParseText() {
	sys, err := prolog.ParseText("count.pl", `
		r(p(init, X), p(loop, X1), {X1 = 0}, start).
		r(p(loop, X), p(loop, X1), {X < 3, X1 = X + 1}, step).
		b(p(loop, X), {}, 1).
		s(0, p(loop, X), {X > 3}, 1, (0,0)).`)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, e := range sys.Edges {
		fmt.Println(e.Name, "when", e.Command.Guard, "do", e.Command.Update)
	}
	// Output:
	// start when true do map[X:0.0]
	// step when X < 3.0 do map[X:X + 1.0]
}
