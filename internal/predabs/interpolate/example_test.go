package interpolate_test

import (
	"context"
	"fmt"

	"github.com/seltl/seltl/internal/predabs/interpolate"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
)

func ExampleSequences() {
	x, y := logic.Var("x", logic.Int), logic.Var("y", logic.Int)
	one := logic.IntConst(1)
	both := &program.Command{Guard: logic.True(), Update: map[*logic.Term]*logic.Term{x: logic.Add(x, one), y: logic.Add(y, one)}}
	p := &program.Path{Init: logic.And(logic.Eq(x, y), logic.Ge(x, one)), Steps: []*program.Command{both, both}, Error: logic.Ne(x, y), Vars: []*logic.Term{x, y}}
	fmt.Println(logic.Formats(interpolate.Sequences(context.Background(), p, nil)[0], logic.C, ", "))
	// Output: x == y, x == y, x == y
}
