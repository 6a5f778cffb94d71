package passes_test

import (
	"context"
	"fmt"

	"github.com/seltl/seltl/internal/program/passes"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
)

// A temporary that is set and tested leaves nothing behind, and what is left is one edge.
func Example() {
	x, t := logic.Var("x", logic.Int), logic.Var("t", logic.Int)
	edge := func(from, to int, guard *logic.Term, update map[*logic.Term]*logic.Term) program.Edge {
		return program.Edge{From: from, To: to, Command: &program.Command{Guard: guard, Update: update}}
	}
	test := logic.Ite(logic.Eq(x, logic.IntConst(5)), logic.IntConst(1), logic.IntConst(0))
	sys := &program.System{
		Vars:      []*logic.Term{x, t},
		Locations: []program.Location{{Name: "start"}, {Name: "test"}, {Name: "error"}, {Name: "end"}},
		Init:      []program.Region{{Location: 0, Where: logic.True()}},
		Error:     []program.Region{{Location: 2, Where: logic.True()}},
		Edges: []program.Edge{
			edge(0, 1, logic.True(), map[*logic.Term]*logic.Term{t: test}),
			edge(1, 2, logic.Ne(t, logic.IntConst(0)), nil),
			edge(1, 3, logic.Eq(t, logic.IntConst(0)), nil),
		},
	}
	p := passes.Apply(context.Background(), sys, passes.Default())
	for _, e := range p.System.Edges {
		fmt.Println(p.System.Locations[e.From].Name, "->", p.System.Locations[e.To].Name, "if", e.Command.Guard)
	}
	run := &program.Trace{Edges: []int{0}, Execution: program.Execution{
		States: []logic.Model{{"x": logic.IntValue(5)}, {"x": logic.IntValue(5)}}, Inputs: []logic.Model{{}}}}
	before, err := p.Trace(run)
	fmt.Println(before.States, err)
	// Output:
	// start -> error if x == 5
	// [t=0 x=5 t=1 x=5 t=1 x=5] <nil>
}
