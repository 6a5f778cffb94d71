package report_test

import (
	"fmt"
	"math/big"
	"os"

	"github.com/seltl/seltl/report"
)

// Sets of states can be larger than what counts them one by one.
func ExampleBigCount() {
	all := report.BigCount(new(big.Int).Exp(big.NewInt(10), big.NewInt(21), nil))
	fmt.Println(all.Of("state"))
	fmt.Println(report.NewCount(1).Of("state"))
	// Output:
	// 1,000,000,000,000,000,000,000 states
	// 1 state
}

func ExampleReport_Text() {
	r := report.Report{Command: "verify", Results: []report.Result{{Kind: "ltl", Formula: "F p", Verdict: report.Violated,
		Counterexample: &report.Counterexample{Kind: "trace", Components: []string{"M"}, End: "deadlock",
			Initial: report.State{Locals: []string{"start"}},
			Stem:    []report.Step{{Event: "go", Movers: []string{"M"}, State: report.State{Locals: []string{"stuck"}, Props: []string{"q"}}}}}}}}
	if err := r.Text(os.Stdout, report.TextOptions{}); err != nil {
		fmt.Println(err)
	}
	// Output:
	// FAILS   F p
	//   state  event  {what holds}  in which local state
	//       0         in start
	//       1  go     {q}  in stuck
	//   deadlock: nothing is possible here
}
