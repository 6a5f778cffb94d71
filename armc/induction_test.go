package armc_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/naive"
	"github.com/seltl/seltl/internal/testing/soak"

	. "github.com/seltl/seltl/armc"
)

// TestInduction: with which k, and what it does not prove.
func TestInduction(t *testing.T) {
	pool := thePool(t)
	for _, test := range []struct {
		text  string
		facts bool
		want  Verdict
		k     int
	}{
		{`var x: int; locations a; init a when x == 0; assert a: x >= 0; a -> a do x := x + 1;`, false, Safe, 1},
		// Three values in turn: the fourth would be an error, from a state that comes after no other.
		{`var x: int; locations a; init a when x == 0; assert a: x != 3; a -> a do x := x == 0 ? 1 : x == 1 ? 2 : x == 2 ? 0 : x == 5 ? 3 : x == 6 ? 5 : 4;`, false, Safe, 3},
		{`var x, y: int; locations a; init a when x == 0 && y == 0; assert a: x == 0; a -> a do x := y, y := 0;`, false, Safe, 2},
		{`var x, y: int; input n: int; locations a; init a when x == 0 && y == 0; assert a: x >= 0; a -> a when n >= 0 do x := y, y := n;`, false, Safe, 2},
		{`var x: int; locations a, b; init a when x == 0; error b; a -> a when x != 10 do x := x + 1; a -> b when x > 10;`, true, Safe, 1},
		{`var x: int; locations a, b; init a when x == 0; error b; a -> a do x := x + 1; a -> b when x == -1;`, false, Unknown, 12},
		{`var x: int; locations a; init a when x == 0; error a when x == 5; a -> a do x := x + 1;`, false, Unsafe, 6},
		{`var x: int; locations a; init a when x == 0; error a when x == 50; a -> a do x := x + 1;`, false, Unknown, 12},
		{`var x: int; locations a, b; init a; error b; a -> a do x := x + 1;`, false, Safe, 1}, // nothing leads to the error
	} {
		sys := parseText(t, test.text)
		r, err := Check(ctx, sys, pool, Options{Method: Induction, NoFacts: !test.facts})
		if err != nil || r.Verdict != test.want || r.Stats.Iterations != test.k {
			t.Errorf("%s: %+v, %v", test.text, r, err)
		}
		if test.facts { // which it needs
			if r, err := Check(ctx, sys, pool, Options{Method: Induction, NoFacts: true}); err != nil || r.Verdict != Unknown || !strings.Contains(fmt.Sprint(r.Reason), "12-induction") {
				t.Errorf("%s: without facts: %+v, %v", test.text, r, err)
			}
		}
	}
}

// TestInductionRandom compares with explicit search. A proof without an invariant that the
// checker accepts would be a mistake here: inputs of these systems can be eliminated.
func TestInductionRandom(t *testing.T) {
	pool := thePool(t)
	count := map[string]int{}
	n := soak.Long(uint64(200))
	if testing.Short() {
		n /= 3
	}
	for seed := range n {
		r := rand.New(rand.NewPCG(seed, 49))
		sys, most := gen.NewSystem(r), int64(gen.SystemMax)
		if seed%2 == 0 {
			sys, most = gen.NewCounters(r), gen.CountersMax
		}
		want := Safe
		if naive.Unsafe(sys, most) {
			want = Unsafe
		}
		res, err := Check(ctx, sys, pool, Options{Method: Induction, NoFacts: seed%4 < 2, Blocks: Encoding(seed / 4 % 4), Rounds: 6})
		if err != nil || res.Verdict != Unknown && res.Verdict != want {
			t.Fatalf("seed %d: %+v, %v, want %s", seed, res, err, want)
		}
		if res.Verdict == Unknown && !strings.Contains(fmt.Sprint(res.Reason), "6-induction") {
			t.Fatalf("seed %d: %s", seed, res.Reason)
		}
		k := ""
		if res.Verdict == Safe && res.Stats.Iterations > 1 {
			k = ", k > 1"
		}
		count[fmt.Sprint(res.Verdict, k)]++
	}
	t.Logf("verdicts: %v", count)
	if n >= 60 && (count["holds"] < int(n)/8 || count["holds, k > 1"] < int(n)/15 || count["violated"] < int(n)/8) {
		t.Errorf("the systems do not say much: %v", count)
	}
}
