package smt_test

import (
	"context"
	"fmt"

	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/smt"
)

func ExampleSolver() {
	z, err := smt.NewZ3(smt.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer z.Close()
	x, y := logic.Var("x", logic.Int), logic.Var("y", logic.Int)
	z.Assert(logic.Lt(x, y))
	status, err := z.Check(context.Background(), logic.Eq(y, logic.IntConst(3)), logic.Ge(x, logic.IntConst(3)))
	fmt.Println(status, err)
	core, _ := z.Core(context.Background())
	fmt.Println(core)
	// Output:
	// unsat <nil>
	// [0 1]
}

func ExampleEntails() {
	z, err := smt.NewZ3(smt.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer z.Close()
	x := logic.Var("x", logic.Int)
	status, _ := smt.Entails(context.Background(), z, logic.Gt(x, logic.IntConst(3)), logic.Gt(x, logic.IntConst(2)))
	fmt.Println(status == smt.Unsat) // no counterexample
	// Output: true
}
