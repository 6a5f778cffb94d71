package logic_test

import (
	"fmt"

	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/logic"
)

func ExampleParse() {
	x, y := logic.Var("x", logic.Int), logic.Var("y", logic.Int)
	f, err := logic.Parse(source.NewFile("<guard>", "x < y && !(2*x == 4)"), logic.C, logic.NewScope(x, y))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(f)
	fmt.Println(f.Format(logic.SMTLIB))
	fmt.Println(logic.Holds(f, logic.Model{"x": logic.IntValue(1), "y": logic.IntValue(3)}))
	_, err = logic.Parse(source.NewFile("<guard>", "x < z"), logic.C, logic.NewScope(x, y))
	fmt.Println(err)
	// Output:
	// x != 2 && x + 1 <= y
	// (and (not (= x 2)) (<= (+ x (* (- 1) y)) (- 1)))
	// true <nil>
	// <guard>:1:5: error: unknown variable "z"
}

func ExampleWP() {
	x, z := logic.Var("x", logic.Int), logic.Var("z", logic.Int)
	post := logic.Ge(x, z)
	fmt.Println(logic.WP(post, logic.Assignment{Left: x, Right: logic.Add(x, logic.IntConst(1))}))
	// Output: x + 1 >= z
}
