package armc_test

import (
	"testing"

	. "github.com/seltl/seltl/armc"
)

// TestBoundedWithoutErrors: where no path of commands leads to an error, bounded search
// ends, and that is a proof. It has nothing to ask, and would count steps for ever.
func TestBoundedWithoutErrors(t *testing.T) {
	pool := thePool(t)
	for _, text := range []string{
		`var x: bool; locations a, b, e; init a; error e; a -> a do x := *; a -> b; b -> a; e -> a;`,
		`var x: int; locations a; init a when x == 0; error a when x != x; a -> a do x := x + 1;`,
	} {
		sys := parseText(t, text)
		for e := range AutoBlocks.Names() {
			r, err := Check(ctx, sys, pool, Options{Method: Bounded, Blocks: Encoding(e), NoFacts: true, Rounds: 40})
			if err != nil || r.Verdict != Safe || r.Certificate == nil {
				t.Errorf("%s, %s: %+v, %v", text, Encoding(e), r, err)
			}
		}
	}
}

// TestUnwound: a loop with a counter is unwound to its end, which is a proof, and an invariant that the
// checker takes; with an input that is given behind the first step there may be none.
func TestUnwound(t *testing.T) {
	pool := thePool(t)
	for text, want := range map[string]Verdict{
		`var i, s: bv8; locations a, e; init a when i == 0bv8 && s == 0bv8; error a when i == 9bv8 && s != 36bv8; a -> a when bvult(i, 9bv8) do s := bvadd(s, i), i := bvadd(i, 1bv8);`:                                   Safe,
		`var i, s, x: bv8; locations a, b; init a; a -> b do x := *, i := 0bv8, s := 0bv8; error b when i == 4bv8 && s != bvmul(x, 4bv8); b -> b when bvult(i, 4bv8) do s := bvadd(s, x), i := bvadd(i, 1bv8);`:           Safe,
		`var i, s, x: bv8; locations a, b; init a; a -> b do x := *, i := 0bv8, s := 0bv8; error b when i == 4bv8 && s == 44bv8 && bvult(x, 20bv8); b -> b when bvult(i, 4bv8) do s := bvadd(s, x), i := bvadd(i, 1bv8);`: Unsafe,
		`var i: bv8; locations a; init a when i == 0bv8; error a when i == 200bv8; a -> a when i != 199bv8 do i := bvadd(i, 1bv8); a -> a when i == 199bv8 do i := 0bv8;`:                                                 Unknown,
	} {
		sys := parseText(t, text)
		r, err := Check(ctx, sys, pool, Options{Method: Bounded, Blocks: Small, NoFacts: true, NoAcceleration: true, Rounds: 300})
		if err != nil || r.Verdict != want || (r.Certificate != nil) != (want == Safe) {
			t.Errorf("%s: %s, %v, %v", text, r.Verdict, r.Reason, err)
		}
	}
}
