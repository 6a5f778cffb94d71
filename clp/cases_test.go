package clp_test

import (
	"context"
	"testing"

	"github.com/seltl/seltl/smt"

	. "github.com/seltl/seltl/clp"
)

// common is a pool that most tests share: to start z3 takes longer than many questions do.
var common = smt.Z3Pool(1, smt.Options{})

// decideText decides a query in the rule language.
func decideText(t *testing.T, text string, o Options) *Result {
	t.Helper()
	pool := common
	p, err := ParseText("test.clp", text)
	if err != nil {
		t.Fatal(err)
	}
	c, err := p.Clauses()
	if err != nil {
		t.Fatal(err)
	}
	res, err := Decide(context.Background(), c, pool, o)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// TestChains: queries whose refinement finds a new constant in each round are answered by
// facts: sums that loops keep, cases, parities. Their neighbours that are not so are no facts.
func TestChains(t *testing.T) {
	for i, c := range []struct {
		name, text string
		want       Verdict
		rounds     int
	}{
		{"kept sum", `var x, y: int; query Bad;
Loop(x, y) :- x == 0 && y > 0 || Loop(x - 2, y - 3);
Bad() :- Loop(x, y) && x > 500 && 2 * y < 3 * x;`, Underivable, 1},
		{"kept sum, missed", `var x, y: int; query Bad;
Loop(x, y) :- x == 0 && y > 0 || Loop(x - 2, y - 3);
Bad() :- Loop(x, y) && x > 5 && 2 * y < 3 * x + 3;`, Derivable, 40},
		{"sum of three", `var x, y, z: int; query Bad;
Loop(x, y, z) :- x == 0 && y - z < 77 && y > z || Loop(x - 1, y, z - 2) && y > z - 2;
Bad() :- Loop(x, y, z) && y <= z && x > 38;`, Underivable, 1},
		{"cases", `var x, y, u: int; query Bad;
Loop(x, y) :- x == 0 && y == 70 || Loop(x - 1, u) && (x > 70 && y == u + 1 || x <= 70 && y == u);
Bad() :- Loop(x, y) && x > 70 && y != x;`, Underivable, 1},
		{"parity", `var x, y, n, b, u, v, c: int; query Bad;
Loop(x, y, n, b) :- x == y && n == 0 && (b == 0 || b == 1) || Loop(u, v, n - 1, c) && n <= 200
  && (c == 0 && x == u + 1 && y == v && b == 1 || c != 0 && x == u && y == v + 1 && b == 0);
Bad() :- Loop(x, y, n, b) && n == 200 && x != y;`, Underivable, 1},
		{"parity, missed", `var x, y, n, b, u, v, c: int; query Bad;
Loop(x, y, n, b) :- x == y && n == 0 && (b == 0 || b == 1) || Loop(u, v, n - 1, c) && n <= 7
  && (c == 0 && x == u + 1 && y == v && b == 1 || c != 0 && x == u && y == v + 1 && b == 0);
Bad() :- Loop(x, y, n, b) && n == 7 && x != y;`, Derivable, 40},
		{"degree two", `var k, j: int; query Bad;
Up(k, j) :- k == 0 && j == 0 || Up(k - 1, j - k);
Down(k, j) :- Up(k, j - 1) && k > 0 || Down(k + 1, j + k) && j + k > 0;
Bad() :- Down(k, j) && j <= 0 && k >= 0;`, Underivable, 1},
		{"degree two, missed", `var k, j: int; query Bad;
Up(k, j) :- k == 0 && j == 0 || Up(k - 1, j - k);
Bad() :- Up(k, j) && 2 * j <= k * k + k && k > 4;`, Derivable, 40},
		{"nested loops", `var i, j: int; query Bad;
Outer(i) :- i == 0 || Inner(i - 16, j) && j >= 16 && j == 16;
Inner(i, j) :- Outer(i) && i < 256 && j == 0 || Inner(i, j - 2) && j < 18;
Bad() :- Outer(i) && i >= 256 && i != 256;`, Underivable, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			if testing.Short() && (i%3 > 0 || c.name == "degree two") {
				t.Skip("half a second, degree two two")
			}
			res := decideText(t, c.text, Options{Method: CAR, Rounds: c.rounds})
			if res.Verdict != c.want {
				t.Errorf("%v (%s), want %v", res.Verdict, res.Reason, c.want)
			}
		})
	}
}
