package clp_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/seltl/seltl/internal/testing/soak"

	. "github.com/seltl/seltl/clp"
)

// TestUnroll: unrolling finds a derivation of random rules exactly where naive evaluation
// has one; where it ends without, there is none.
func TestUnroll(t *testing.T) {
	s := z3(t)
	n := soak.Long(uint64(80))
	derived, none := 0, 0
	for seed := range n {
		p := ruleSet(rand.New(rand.NewPCG(seed, 26)))
		derivable := leastModel(p, rulesMax)[p.Goal][""]
		c, err := p.Clauses()
		if err != nil {
			t.Fatal(err)
		}
		d, over, err := Unroll(context.Background(), s, c.Problem, 300_000)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		switch {
		case d != nil && (!derivable || d.Replay(c.Problem) != nil):
			t.Fatalf("seed %d: a derivation is found, the goal is derivable: %v\n%s", seed, derivable, p)
		case d == nil && derivable:
			t.Fatalf("seed %d: no derivation is found\n%s", seed, p)
		case d != nil:
			derived++
		case over:
			none++
		}
	}
	t.Logf("%d of %d have a derivation, %d certainly none", derived, n, none)
	if derived < int(n)/8 || none < int(n)/8 {
		t.Errorf("%d of %d have a derivation, %d certainly none", derived, n, none)
	}
}

// TestDeep: derivations of many calls are found, linear and not.
func TestDeep(t *testing.T) {
	for _, c := range []struct{ name, text string }{
		{"loop", `var x, y: int; query Bad;
Loop(x, y) :- x == 0 && y == 7 || Loop(x - 1, y - x);
Bad() :- Loop(x, y) && x == 40;`},
		{"two loops", `var x, y: int; query Bad;
First(x) :- x == 0 || First(x - 1) && x <= 12;
Second(x, y) :- First(x) && x == 12 && y == 0 || Second(x, y - 2);
Bad() :- Second(x, y) && y >= 20;`},
		{"two calls", `var n, a, b, r: int; query Bad;
F(n, r) :- n <= 1 && r == n || n > 1 && F(n - 1, a) && F(n - 2, b) && r == a + b;
Bad() :- F(n, r) && n == 6 && r == 8;`},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := ParseText("test.clp", c.text)
			if err != nil {
				t.Fatal(err)
			}
			q, err := p.Clauses()
			if err != nil {
				t.Fatal(err)
			}
			d, _, err := Unroll(context.Background(), z3(t), q.Problem, 8_000_000)
			if err != nil || d == nil || d.Replay(q.Problem) != nil {
				t.Errorf("%v, %v", d, err)
			}
		})
	}
}
