package predabs_test

import (
	"context"
	"fmt"

	"github.com/seltl/seltl/internal/predabs"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/smt"
)

func ExampleProver_Cartesian() {
	z3, err := smt.NewZ3(smt.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer z3.Close()
	x, y := logic.Var("x", logic.Int), logic.Var("y", logic.Int)
	increment := &program.Command{
		Guard:  logic.Lt(x, y),
		Update: map[*logic.Term]*logic.Term{x: logic.Add(x, logic.IntConst(1))},
	}
	predicates := []*logic.Term{logic.Le(x, y), logic.Ge(x, logic.IntConst(1)), logic.Eq(x, y)}
	cube, none, err := predabs.NewProver(z3).Cartesian(context.Background(), logic.Ge(x, logic.IntConst(0)), increment, predicates)
	fmt.Println(logic.Formats(cube, logic.C, ", "), none, err)
	// Output: x <= y, x >= 1 false <nil>
}
