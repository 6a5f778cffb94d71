package conform

import (
	"context"
	"errors"
	"testing"

	"github.com/seltl/seltl/budget"
	"github.com/seltl/seltl/internal/gen"
)

// TestNumberLimits: what has numbers of 32 bits ends with a limit when they are used up,
// whoever counts first, never with wrong input, and never with a verdict that is not that
// without the bound.
func TestNumberLimits(t *testing.T) {
	old := mostEntries
	defer func() { mostEntries = old }()
	net := gen.Ring(5)
	for _, preorder := range []Preorder{Simulation, Weak, Trace, Failures} {
		limits := 0
		for bound := 1; ; bound *= 2 {
			mostEntries = bound
			res, err := Check(context.Background(), net, net, Options{Preorder: preorder, Method: Plain})
			if err == nil {
				if !res.Holds {
					t.Errorf("%v, bound %d: a network does not conform to itself", preorder, bound)
				}
				break
			}
			var e *budget.Exhausted
			if !errors.As(err, &e) || e.Advice == "" {
				t.Fatalf("%v, bound %d: %v, want a limit", preorder, bound, err)
			}
			limits++
		}
		if limits == 0 {
			t.Errorf("%v: no bound was reached", preorder)
		}
	}
}
