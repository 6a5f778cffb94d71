package clp_test

import (
	"context"
	"fmt"

	"github.com/seltl/seltl/clp"
	"github.com/seltl/seltl/smt"
)

// Ackermann's function is above its second argument.
func ExampleDecide() {
	rules, err := clp.ParseText("ackermann.clp", `
		var m, n, t, r: int;
		query wrong;
		ack(m, n, r) :- m == 0 && n >= 0 && r == n + 1
		             || m > 0 && n == 0 && ack(m - 1, 1, r)
		             || m > 0 && n > 0 && ack(m, n - 1, t) && ack(m - 1, t, r);
		wrong() :- ack(m, n, r) && r <= n;`)
	if err != nil {
		fmt.Println(err)
		return
	}
	query, err := rules.Clauses()
	if err != nil {
		fmt.Println(err)
		return
	}
	pool := smt.Z3Pool(1, smt.Options{})
	defer pool.Close()
	answer, err := clp.Decide(context.Background(), query, pool, clp.Options{Method: clp.CAR})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(answer.Verdict)
	// Output: holds
}
