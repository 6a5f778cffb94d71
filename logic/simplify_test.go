package logic_test

import (
	"math/rand/v2"
	"testing"

	"github.com/seltl/seltl/internal/source"
	"github.com/seltl/seltl/internal/testing/gen"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/logic"
)

func TestSimplify(t *testing.T) {
	scope := logic.NewScope(logic.Var("x", logic.Int), logic.Var("y", logic.Int), logic.Var("r", logic.Real), logic.Var("b", logic.Bool), logic.Var("c", logic.Bool))
	for text, want := range map[string]string{
		"x >= 3 && x <= 3":                                    "x == 3",
		"x >= 3 && x <= 3 && y >= 2 && y >= 1":                "x == 3 && y >= 2",
		"x <= 3 && x >= 4":                                    "false",
		"x >= 3 && x != 3":                                    "x >= 4",
		"x >= 3 && x <= 5 && x != 3 && x != 4 && x != 5":      "false",
		"x >= 3 && x != 1 && x != 7":                          "x != 7 && x >= 3",
		"r >= 3 && r != 3 && r < 4":                           "r < 4.0 && r > 3.0",
		"r >= 3 && r <= 3 && r != 3":                          "false",
		"r > 3 && r >= 3":                                     "r > 3.0",
		"x - y <= 0 && y - x <= 0":                            "x == y",
		"x + 1 <= y && x <= y":                                "x + 1 <= y",
		"x <= 3 || x <= 5":                                    "x <= 5",
		"x <= 3 || x >= 4":                                    "true",
		"x <= 3 || x == 4":                                    "x <= 4",
		"b || b && x > 1":                                     "b",
		"b && (b || x > 1)":                                   "b",
		"b && (!b || x > 1)":                                  "b && x >= 2",
		"x == y && (x <= y || b)":                             "x == y",
		"x == y && (x < y || b)":                              "b && x == y",
		"x > 5 && (x > 3 && b || x < 2 && c || c && y == 1)":  "(b || c && y == 1) && x >= 6",
		"(b || x == 1) && (b || x == 1 || c)":                 "b || x == 1",
		"b && (c || (b || x > 0) && x > 2)":                   "b && (c || x >= 3)",
		"x*y >= 1 && x*y >= 2":                                "x*y >= 2",
		"(b ? 1 : 0) >= 1 && mod(x, 2) == 1 && mod(x, 2) < 3": "mod(x, 2) == 1 && (b ? 1 : 0) >= 1",
	} {
		f, err := logic.Parse(source.NewFile("f", text), logic.C, scope)
		if err != nil {
			t.Fatal(err)
		}
		if got := logic.Simplify(f).String(); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// TestSimplifyValues: the value stays, the size does not grow, twice is once.
func TestSimplifyValues(t *testing.T) {
	smaller := 0
	for seed := range soak.Cases(uint64(2000)) {
		r := rand.New(rand.NewPCG(seed, 40))
		sorts := [][]*logic.Sort{{logic.Int}, {logic.Int, logic.Real}, {logic.Real}, {gen.SmallBV}}[r.IntN(4)]
		f := gen.NewRawTerm(r, logic.Bool, gen.RawOptions{Depth: 1 + r.IntN(5), Sorts: sorts}).Term()
		if r.IntN(2) == 0 {
			f = gen.NewBounds(r, 1+r.IntN(3))
		}
		g := logic.Simplify(f)
		if g.Size() > f.Size() {
			t.Fatalf("seed %d: %s is not simpler than %s", seed, g, f)
		}
		if g != f {
			smaller++
		}
		for range 10 {
			m := gen.NewModel(r, []*logic.Sort{logic.Int, logic.Real, gen.SmallBV})
			a, err := logic.Holds(f, m)
			b, err2 := logic.Holds(g, m)
			if a != b && err == nil {
				t.Fatalf("seed %d: %s is %v, %s is %v (%v) in %s", seed, f, a, g, b, err2, m)
			}
		}
	}
	if smaller < soak.Cases(500) {
		t.Errorf("only %d became simpler", smaller)
	}
}
