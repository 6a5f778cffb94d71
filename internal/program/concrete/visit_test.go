package concrete

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/naive"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
	"github.com/seltl/seltl/program/gcl"
)

func untiring(int) error { return nil }

// TestAgainstEvaluation: what is said to have no error has none, by enumeration of all values with
// logic.Eval, and what is left open, since something was too coarse, is little.
func TestAgainstEvaluation(t *testing.T) {
	safe, coarse := 0, 0
	n := soak.Long(3000)
	for seed := range uint64(n) {
		sys := gen.NewMixedSystem(rand.New(rand.NewPCG(seed, 71)))
		unsafe := naive.Unsafe(sys, gen.SystemMax)
		err := Visit(sys, untiring)
		var possible *Possible
		switch {
		case err != nil && !errors.As(err, &possible):
			t.Fatalf("seed %d: %v", seed, err)
		case unsafe && err == nil:
			t.Fatalf("seed %d: an error is overlooked:\n%v", seed, sys)
		case !unsafe && err != nil:
			coarse++
		case err == nil:
			safe++
		}
	}
	t.Logf("%d systems: %d have no error, of %d more that is left open", n, safe, coarse)
	if safe < n/4 || coarse > n/20 {
		t.Errorf("%d systems: %d have no error, of %d more that is left open", n, safe, coarse)
	}
}

// TestSpansAgainstEvaluation: where values are tried only as guards leave few, what is said to have no
// error has none, either.
func TestSpansAgainstEvaluation(t *testing.T) {
	defer func(was int) { smallest = was }(smallest)
	smallest = 0
	safe := 0
	n := soak.Long(3000)
	for seed := range uint64(n) {
		sys := gen.NewMixedSystem(rand.New(rand.NewPCG(seed, 74)))
		if Visit(sys, untiring) != nil {
			continue
		}
		if safe++; naive.Unsafe(sys, gen.SystemMax) {
			t.Fatalf("seed %d: an error is overlooked:\n%v", seed, sys)
		}
	}
	if t.Logf("%d of %d systems", safe, n); safe < n/5 {
		t.Errorf("%d of %d systems", safe, n)
	}
}

// TestIntegers: integers are evaluated as long as they have 64 bits, and beyond nothing is known.
func TestIntegers(t *testing.T) {
	for text, want := range map[string]bool{
		`var x: int; locations a; init a when x == 0; error a when x == 11; a -> a when x < 10 do x := x + 1;`:                 true,
		`var x: int; locations a; init a when x == 0; error a when x == 10; a -> a when x < 10 do x := x + 1;`:                 false,
		`var x, y: int; locations a; init a when x == -7 && y == 0; error a when y != 0 && y != 1; a -> a do y := mod(x, 2);`:  true,
		`var x, y: int; locations a; init a when x == -7 && y == 0; error a when y != 0 && y != -4; a -> a do y := div(x, 2);`: true,
		`var x: int; locations a, b; init a when x == 4611686018427387904; a -> b do x := x + x; error b when x < 0;`:          false,
		`var x: int; locations a, b; init a when x == 4611686018427387904; a -> b do x := 4 * x; error b when x == 0;`:         false,
		// It is left open whether all elements are written.
		`var p, q: array[bv1] of bool; locations a, c; init a when p == const_array("(Array (_ BitVec 1) Bool)", false) && q == const_array("(Array (_ BitVec 1) Bool)", true); a -> c do p[0bv1] := true; error c when p == q;`:                               false,
		`var p, q: array[bv1] of bool; locations a, c, d; init a when p == const_array("(Array (_ BitVec 1) Bool)", false) && q == const_array("(Array (_ BitVec 1) Bool)", true); a -> c do p[0bv1] := true; c -> d do p[1bv1] := true; error d when p == q;`: false,
	} {
		sys, err := gcl.Parse(source.NewFile("a.gcl", text))
		if err != nil {
			t.Fatal(err)
		}
		if err := Visit(sys, untiring); (err == nil) != want {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// TestSpans: of a word that guards have left few values, one after the other, each is tried; what they
// say is read rightly whatever stands on which side.
func TestSpans(t *testing.T) {
	steps := map[string][2]string{ // two guards that leave 0 to 20
		"signed": {"bvsle(0bv32, x)", "bvsle(x, 20bv32)"}, "strict": {"bvslt(4294967295bv32, x)", "bvslt(x, 21bv32)"},
		"negated": {"!bvslt(x, 0bv32)", "!bvslt(20bv32, x)"}, "both": {"!bvsle(x, 4294967295bv32)", "!bvsle(21bv32, x)"},
		"unsigned": {"x == x", "bvule(x, 20bv32)"}, "unsigned strict": {"x == x", "!bvule(21bv32, x)"},
	}
	for name, guards := range steps {
		for at, possible := range map[string]bool{"0bv32": true, "20bv32": true, "21bv32": false, "4294967295bv32": false, "2147483648bv32": false} {
			sys, err := gcl.Parse(source.NewFile("a.gcl", `var x, y: bv32; locations a, b, c, d; init a; a -> b when `+guards[0]+`; b -> c when `+guards[1]+
				`; c -> d do y := bvurem(bvmul(x, x), 1000bv32); error d when x == `+at+` && y == bvurem(bvmul(x, x), 1000bv32);`))
			if err != nil {
				t.Fatal(err)
			}
			if err := Visit(sys, untiring); (err != nil) != possible {
				t.Errorf("%s, %s: %v", name, at, err)
			}
		}
	}
}

// TestStops: a limit ends a visit.
func TestStops(t *testing.T) {
	sys, err := gcl.Parse(source.NewFile("a.gcl", `var x: bv32; locations a; init a when x == 0bv32; error a when x != x; a -> a do x := bvadd(x, 1bv32);`))
	if err != nil {
		t.Fatal(err)
	}
	enough := errors.New("enough")
	if err := Visit(sys, func(n int) error {
		if n > 1000 {
			return enough
		}
		return nil
	}); err != enough {
		t.Error(err)
	}
}

// TestWithoutVariables: a system without variables has one state at each location.
func TestWithoutVariables(t *testing.T) {
	step := func(from, to int) program.Edge {
		return program.Edge{From: from, To: to, Command: &program.Command{Guard: logic.True()}}
	}
	sys := &program.System{Locations: make([]program.Location, 3), Edges: []program.Edge{step(0, 1), step(0, 1), step(1, 2)}, Init: []program.Region{{Location: 0, Where: logic.True()}}}
	if err := Visit(sys, untiring); err != nil {
		t.Error(err)
	}
	sys.Error = []program.Region{{Location: 2, Where: logic.True()}}
	if Visit(sys, untiring) == nil {
		t.Error("an error is overlooked")
	}
}
