package horn_test

import (
	"context"
	"fmt"

	"github.com/seltl/seltl/horn"
	"github.com/seltl/seltl/smt"
)

func ExampleParseText() {
	p, err := horn.ParseText("even.smt2", `
		(set-logic HORN)
		(declare-fun even (Int) Bool)
		(assert (even 0))
		(assert (forall ((n Int)) (=> (even n) (even (+ n 2)))))
		(assert (forall ((n Int)) (=> (and (even n) (= n 7)) false)))`)
	if err != nil {
		fmt.Println(err)
		return
	}
	z, err := smt.NewZ3(smt.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer z.Close()
	answer, err := z.Horn(context.Background(), p, 0)
	fmt.Println(answer.Status, err)
	// Output: sat <nil>
}
