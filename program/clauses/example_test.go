package clauses_test

import (
	"fmt"

	"github.com/seltl/seltl/program/clauses"
)

func ExampleParseText() {
	sys, err := clauses.ParseText("count.smt2", `
		(set-logic HORN)
		(declare-fun loop (Int) Bool)
		(assert (loop 0))
		(assert (forall ((x Int) (y Int)) (=> (and (loop x) (< x 3) (= y (+ x 1))) (loop y))))
		(assert (forall ((x Int)) (=> (and (loop x) (> x 3)) false)))`)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(sys.Init[0].Where)
	for _, e := range sys.Edges {
		fmt.Println(e.Name, "when", e.Command.Guard, "do", e.Command.Update)
	}
	fmt.Println(sys.Error[0].Where)
	fmt.Print(clauses.Problem(sys))
	// Output:
	// x == 0
	// clause2 when x <= 2 do map[x:x + 1]
	// x >= 4
	// (declare-fun loop (Int) Bool)
	// (assert (forall ((x Int)) (=> (and true (= x 0)) (loop x) )))
	// (assert (forall ((x Int)) (=> (and true (loop x) (<= x 2)) (loop (+ x 1)) )))
	// (assert (forall ((x Int)) (=> (and true (loop x) (<= (* (- 1) x) (- 4))) false)))
}
