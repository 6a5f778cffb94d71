package program_test

import (
	"fmt"

	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
)

func ExampleJoin() {
	x, y := logic.Var("x", logic.Int), logic.Var("y", logic.Int)
	increment := &program.Command{Guard: logic.Lt(x, y), Update: map[*logic.Term]*logic.Term{x: logic.Add(x, logic.IntConst(1))}}
	copied := &program.Command{Guard: logic.Ge(x, y), Update: map[*logic.Term]*logic.Term{y: x}}
	both := program.Join(increment, copied)
	fmt.Println(both.Guard)
	fmt.Println(both.Update[x], "and", both.Update[y])
	after, err := both.Step(logic.Model{"x": logic.IntValue(4), "y": logic.IntValue(5)}, nil)
	fmt.Println(after, err)
	// Output:
	// x + 1 <= y && x + 1 >= y
	// x + 1 and x + 1
	// x=5 y=5 <nil>
}

func ExampleSplicedBlocks() {
	x := logic.Var("x", logic.Int)
	assign := func(n int64) *program.Command {
		return &program.Command{Guard: logic.True(), Update: map[*logic.Term]*logic.Term{x: logic.IntConst(n)}}
	}
	sys := &program.System{
		Vars:      []*logic.Term{x},
		Locations: []program.Location{{Name: "start"}, {Name: "middle"}, {Name: "end"}},
		Init:      []program.Region{{Location: 0, Where: logic.True()}},
		Error:     []program.Region{{Location: 2, Where: logic.Lt(x, logic.IntConst(0))}},
		Edges:     []program.Edge{{From: 0, To: 1, Command: assign(1)}, {From: 1, To: 2, Command: assign(2)}},
	}
	for _, b := range program.SplicedBlocks(sys).All {
		fmt.Println(sys.Locations[b.From].Name, b.Edges, sys.Locations[b.To].Name, b.Command.Update)
	}
	// Output: start [0 1] end map[x:2]
}
