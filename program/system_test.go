package program_test

import (
	"testing"

	"github.com/seltl/seltl/program/gcl"

	. "github.com/seltl/seltl/program"
)

func mustParse(t testing.TB, text string) *System {
	t.Helper()
	sys, err := gcl.ParseText("test.gcl", text)
	if err != nil {
		t.Fatal(err)
	}
	return sys
}

// TestMayDivideByZero: only a divisor that is a number, not 0, rules it out.
func TestMayDivideByZero(t *testing.T) {
	for rule, want := range map[string]bool{
		"a -> a do x := x / 2": false, "a -> a do x := mod(x, -3)": false, "a -> a do w := bvudiv(w, w)": false,
		"a -> a do x := x / y": true, "a -> a do x := x % 0": true, "a -> a when div(x, y - 1) == 0": true,
		"a -> a do q := q / 2": false, "a -> a do q := q / (q + 1)": true, "error a when mod(2, x) == 1": true,
	} {
		sys := mustParse(t, "var x, y: int; var q: real; var w: bv8; locations a; init a; "+rule+";")
		if got := sys.MayDivideByZero(); got != want {
			t.Errorf("%s: %t", rule, got)
		}
	}
}
