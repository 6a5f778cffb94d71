package programs_test

import (
	"context"
	"fmt"

	"github.com/seltl/seltl/check"
	"github.com/seltl/seltl/check/programs"
	"github.com/seltl/seltl/internal/cegar"
	"github.com/seltl/seltl/program/gcl"
)

func ExampleVerifySystem() {
	sys, err := gcl.ParseText("countdown.gcl", `
var n: int;
locations loop, done;
init loop;
loop -> loop when n > 0 do n := n - 1;
loop -> done when n <= 0;
ltl ENDS = F "at(done)";
ltl FAR = F "n < 0";
`)
	if err != nil {
		panic(err)
	}
	formulas, err := programs.SystemFormulas(sys)
	if err != nil {
		panic(err)
	}
	pool := programs.Common
	r, _, err := programs.VerifySystem(context.Background(), sys, formulas, pool, check.Verification{}, cegar.Options{})
	if err != nil {
		panic(err)
	}
	for _, res := range r.Results {
		fmt.Println(res.Name, res.Verdict)
	}
	// Output:
	// ENDS holds
	// FAR violated
}
