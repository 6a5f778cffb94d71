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

func ExampleLargeBlocks() {
	x, y := logic.Var("x", logic.Int), logic.Var("y", logic.Int)
	zero, one := logic.IntConst(0), logic.IntConst(1)
	positive := logic.Gt(y, zero)
	up := map[*logic.Term]*logic.Term{x: logic.Add(x, one)}
	sys := &program.System{
		Vars:      []*logic.Term{x, y},
		Locations: []program.Location{{Name: "start"}, {Name: "middle"}, {Name: "end"}},
		Init:      []program.Region{{Location: 0, Where: logic.Eq(x, zero)}},
		Error:     []program.Region{{Location: 2, Where: logic.Eq(x, one)}},
		Edges: []program.Edge{
			{Name: "a", From: 0, To: 1, Command: &program.Command{Guard: positive, Update: up}},
			{Name: "b", From: 0, To: 1, Command: &program.Command{Guard: logic.Not(positive)}},
			{Name: "c", From: 1, To: 2, Command: &program.Command{Guard: positive, Update: up}},
			{Name: "d", From: 1, To: 2, Command: &program.Command{Guard: logic.Not(positive)}},
		},
	}
	blocks := program.LargeBlocks(sys)
	for _, b := range blocks.All {
		fmt.Println(b.Text(sys), b.Command.Guard, b.Command.Update)
	}
	// A step of the block is a run of the edges that it takes.
	state := logic.Model{"x": logic.IntValue(0), "y": logic.IntValue(5)}
	trace, err := blocks.Unfold(0, []int{0}, &program.Execution{States: []logic.Model{state}, Inputs: []logic.Model{{}}})
	fmt.Println(trace.Edges, trace.States[2], err)
	// Output:
	// {a b c d} true map[x:x - 2*(y <= 0 ? 1 : 0) + 2]
	// [0 2] x=2 y=5 <nil>
}
