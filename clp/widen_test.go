package clp_test

import (
	"testing"

	. "github.com/seltl/seltl/clp"
)

// TestWidening: queries whose interpolants compare sums with ever new numbers are decided
// without facts found first, and are not without widening; of those that are derivable a
// wider predicate proves nothing.
func TestWidening(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       Verdict
	}{
		{"bound", `var x, y: int; query Bad;
Loop(x, y) :- x == 0 && y >= 3 && y <= 12 || Loop(x - 1, y - 1) && x <= 200;
Bad() :- Loop(x, y) && y > 212;`, Underivable},
		{"congruence", `var x: int; query Bad;
Loop(x) :- x == 1 || Loop(x - 4);
Bad() :- Loop(x) && mod(x, 4) == 3;`, Underivable},
		{"combination", `var x, y: int; query Bad;
Loop(x, y) :- x == 0 && y == 0 || Loop(x - 2, y - 3);
Bad() :- Loop(x, y) && x > 600 && 2 * y < 3 * x;`, Underivable},
		{"bound, missed", `var x, y: int; query Bad;
Loop(x, y) :- x == 0 && y >= 0 || Loop(x - 1, y) && x <= 9;
Bad() :- Loop(x, y) && x > 8;`, Derivable},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := Options{Method: CAR, Rounds: 12, NoFacts: true, NoUnrolling: true}
			if res := decideText(t, c.text, o); res.Verdict != c.want {
				t.Errorf("%v (%s), want %v", res.Verdict, res.Reason, c.want)
			}
			if o.NoWidening = true; c.want == Underivable && !testing.Short() {
				if res := decideText(t, c.text, o); res.Verdict != Unknown {
					t.Errorf("%v after %d rounds without widening", res.Verdict, res.Stats.Rounds)
				}
			}
		})
	}
}
