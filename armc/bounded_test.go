package armc_test

import (
	"fmt"
	"strings"
	"testing"

	. "github.com/seltl/seltl/armc"
)

// TestBoundedWithoutErrors: where no path of commands leads to an error, bounded search
// ends. It has nothing to ask, and would count steps for ever.
func TestBoundedWithoutErrors(t *testing.T) {
	pool := thePool(t)
	for _, text := range []string{
		`var x: bool; locations a, b, e; init a; error e; a -> a do x := *; a -> b; b -> a; e -> a;`,
		`var x: int; locations a; init a when x == 0; error a when x != x; a -> a do x := x + 1;`,
	} {
		sys := parseText(t, text)
		for e := range AutoBlocks.Names() {
			r, err := Check(ctx, sys, pool, Options{Method: Bounded, Blocks: Encoding(e), NoFacts: true, Rounds: 40})
			if err != nil || r.Verdict != Unknown || !strings.Contains(fmt.Sprint(r.Reason), "none is longer") {
				t.Errorf("%s, %s: %+v, %v", text, Encoding(e), r, err)
			}
		}
	}
}
