package logic_test

import (
	"fmt"
	"math/big"

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

// The sign of what is divided decides how C rounds: SMT-LIB's quotient of integers leaves
// a remainder that is never negative, C's is rounded towards 0.
func ExampleTruncDiv() {
	minus7, two := logic.IntConst(-7), logic.IntConst(2)
	fmt.Println(logic.IntDiv(minus7, two), logic.IntMod(minus7, two))
	fmt.Println(logic.TruncDiv(minus7, two), logic.TruncMod(minus7, two))
	fmt.Println(logic.Div(minus7, two))
	// Output:
	// -4 1
	// -3 -1
	// -7.0 / 2
}

// A byte put together of its halves, taken apart again, and widened.
func ExampleConcat() {
	high, low := logic.BVConst(big.NewInt(0xf), 4), logic.BVConst(big.NewInt(0x3), 4)
	b := logic.Concat(high, low)
	fmt.Println(b.Format(logic.SMTLIB), logic.Extract(b, 3, 0) == low)
	fmt.Println(logic.ZeroExtend(b, 8).Format(logic.SMTLIB), logic.SignExtend(b, 8).Format(logic.SMTLIB))
	x := logic.Var("x", logic.BitVec(8))
	fmt.Println(logic.Extract(x, 7, 4).Format(logic.SMTLIB))
	// Output:
	// (_ bv243 8) true
	// (_ bv243 16) (_ bv65523 16)
	// ((_ extract 7 4) x)
}

func ExampleApply() {
	f, x := logic.Var("f", logic.FunctionOf([]*logic.Sort{logic.Int}, logic.Int)), logic.Var("x", logic.Int)
	twice := logic.Apply(f, logic.Apply(f, x))
	point := logic.Point{Arguments: []logic.Value{logic.IntValue(3)}, Value: logic.IntValue(4)}
	m := logic.Model{"x": logic.IntValue(3), "f": logic.FunctionValue(f.Sort(), []logic.Point{point}, logic.IntValue(7))}
	v, err := logic.Eval(twice, m)
	fmt.Println(twice, v, err, m["f"])
	// Output: f(f(x)) 7 <nil> {3: 4, else: 7}
}
