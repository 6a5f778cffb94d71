package encode

import (
	"math/big"
	"math/rand"
	"testing"

	"github.com/seltl/seltl/internal/soak"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program/cfront"
)

// TestLift: a formula over integers and the same one read over words have the same value,
// for all kinds of atoms and random words, their bounds among them.
func TestLift(t *testing.T) {
	e, err := encoded(t, "int any(void); int a; unsigned u; signed char c; unsigned char b; int main(void) { if (a + u + c + b == any()) { ERROR: return 1; } a = any(); u = any(); c = any(); b = any(); return main == 0; }", cfront.ILP32)
	if err != nil {
		t.Fatal(err)
	}
	var vars []*logic.Term
	for _, name := range []string{"a", "u", "c", "b"} {
		if e.cells[name] == nil {
			t.Fatalf("no cell %s", name)
		}
		vars = append(vars, logic.Var(name, logic.Int))
	}
	truths := map[bool]int{}
	for seed := range soak.Cases(400) {
		rng := rand.New(rand.NewSource(int64(seed)))
		number := func() *big.Rat {
			n := new(big.Rat).SetInt64([]int64{0, 1, -1, 2, 3, 127, -128, 255, 1 << 31, -1 << 31, 1<<32 - 1}[rng.Intn(11)])
			return n.Add(n, big.NewRat(int64(rng.Intn(3)-1), 1))
		}
		var sum []*logic.Term
		for range 1 + rng.Intn(3) {
			factor := big.NewRat([]int64{1, 1, -1, -1, 2, -3}[rng.Intn(6)], 1)
			sum = append(sum, logic.Scale(factor, vars[rng.Intn(len(vars))]))
		}
		left, right := logic.Add(sum...), logic.Number(number(), logic.Int)
		if rng.Intn(4) == 0 {
			left = logic.IntMod(left, logic.IntConst(256))
		}
		f := logic.Eq(left, right)
		if rng.Intn(3) > 0 {
			f = logic.Le(left, right)
		}
		g, err := e.Lift(f)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		for range 20 {
			exact, machine := logic.Model{}, logic.Model{}
			for _, v := range vars {
				cell := e.cells[v.Name()]
				word := cell.variable(words{})
				w := word.Sort().Width()
				n := new(big.Int).Mod(number().Num(), power(w))
				machine[v.Name()] = logic.NumValue(new(big.Rat).SetInt(n), word.Sort())
				if signed(cell.t) && n.Bit(w-1) == 1 {
					n = new(big.Int).Sub(n, power(w))
				}
				exact[v.Name()] = logic.NumValue(new(big.Rat).SetInt(n), logic.Int)
			}
			want, err := logic.Holds(f, exact)
			if err != nil {
				t.Fatal(err)
			}
			got, err := logic.Holds(g, machine)
			if err != nil {
				t.Fatal(err)
			}
			truths[want]++
			if got != want {
				t.Fatalf("seed %d: %s is %t of %s, but %s is %t of %s", seed, f, want, exact, g, got, machine)
			}
		}
	}
	if truths[true] < 200 || truths[false] < 200 {
		t.Errorf("formulas are true and false so often: %v", truths)
	}
}
