package sim_test

import (
	"context"
	"fmt"

	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/check/sim"
)

// A session goes to where a formula is true, and says what is possible there and how the
// model's properties stand.
func Example() {
	ctx := context.Background()
	m, err := check.Load(ctx, "../../specs/classics/mutex.lks", check.LoadOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	questions, _ := m.Declared()
	s, err := sim.New(ctx, m, questions, sim.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	found, err := s.Goto(ctx, "p[0].trying & p[1].trying")
	fmt.Println(found.Steps, err)
	now := s.Now()
	fmt.Println(now.State.Props)
	for _, c := range now.Choices {
		fmt.Println(c.Number, c.Event, c.Movers)
	}
	for _, p := range now.Properties {
		fmt.Println(p.Name, p.Verdict, p.Owes)
	}
	// Output:
	// 4 <nil>
	// [p.0.trying p.1.trying]
	// 1 p.0.flag.1.read.1 [p.0:PETERSON(0) {p.0,p.1}::flag.1:VAR]
	// 2 p.1.flag.0.read.1 [p.1:PETERSON(1) {p.0,p.1}::flag.0:VAR]
	// MUTUAL_EXCLUSION open []
	// NO_DEADLOCK open []
	// OVERTAKEN open [F p[0].enter]
	// PROGRESS open [F(p[0].crit | p[1].crit)]
}
