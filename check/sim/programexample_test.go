package sim_test

import (
	"context"
	"fmt"

	"github.com/seltl/seltl/c/cfront"
	"github.com/seltl/seltl/check/programs"
	"github.com/seltl/seltl/check/sim"
)

// A session of a C program: a value is given, and the run goes on to a failure.
func ExampleNewProgram() {
	ctx, files, o := context.Background(), []string{"../../specs/c/queue.c"}, cfront.Options{Entry: "main"}
	p, err := programs.LoadC(files, o, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	c, err := programs.StepC(p, files, o, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	s, err := sim.NewProgram(ctx, c, sim.Options{Seed: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, line := range []string{"give 1", "give 7", "goto error"} {
		a, err := s.Do(ctx, sim.ParseCommandOf(line, s.Verbs()))
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(a.Taken[0].Source, a.Taken[0].Inputs)
	}
	fmt.Println(s.Now().End)
	// Output:
	// if (input() > 0) [input() = 1]
	// put(input()); [input() = 7]
	// items[last] = x; []
	// error
}
