package logic_test

import (
	"context"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/smt"

	. "github.com/seltl/seltl/logic"
)

var ctx = context.Background()

// linearCube is a random conjunction of atoms over two variables.
func linearCube(r *rand.Rand, x, y *Term, n int) []*Term {
	var out []*Term
	for range n {
		a := Add(Scale(big.NewRat(int64(r.IntN(3)-1), 1), x), Scale(big.NewRat(int64(r.IntN(3)-1), 1), y))
		k := RealConst(int64(r.IntN(5)-2), 1)
		l := []*Term{Le(a, k), Lt(a, k), Eq(a, k), Ne(a, k), Ge(a, k)}[r.IntN(5)]
		if !l.IsTrue() && !l.IsFalse() {
			out = append(out, l)
		}
	}
	return out
}

// TestProject: the projection of a cube has the models of the cube, and no
// others where it is exact (decided by the solver over the reals).
func TestProject(t *testing.T) {
	z, err := smt.NewZ3(smt.Options{Timeout: 10 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	X, Y := Var("X", Real), Var("Y", Real)
	exacts := 0
	for seed := range soak.Long(uint64(400)) {
		r := rand.New(rand.NewPCG(seed, 52))
		cube := linearCube(r, X, Y, 4)
		out, exact := Project(cube, []*Term{Y})
		projected := And(out...)
		if slices.Contains(Vars(projected), Y) {
			t.Fatalf("seed %d: %s still has Y", seed, projected)
		}
		if status, _ := smt.Entails(ctx, z, And(cube...), projected); status != smt.Unsat {
			t.Fatalf("seed %d: %v does not entail its projection %s", seed, cube, projected)
		}
		if !exact {
			continue
		}
		exacts++
		// For some values of X: in the projection iff Y can be chosen.
		for k := int64(-6); k <= 6; k++ {
			at := RealConst(k, 2)
			in, err := Holds(projected, Model{"X": NumValue(at.Num(), Real)})
			if err != nil {
				t.Fatal(err)
			}
			status, _ := smt.CheckAll(ctx, z, Eq(X, at), And(cube...))
			if in != (status == smt.Sat) {
				t.Fatalf("seed %d: %v at X=%s: projection %s is %v, possible: %s", seed, cube, at, projected, in, status)
			}
		}
	}
	if exacts < soak.Long(100) {
		t.Errorf("only %d exact projections", exacts)
	}
}

// wordCube is a random conjunction of comparisons of words of 3 bits.
func wordCube(r *rand.Rand, vars []*Term, n int) []*Term {
	term := func() *Term {
		t := vars[r.IntN(len(vars))]
		switch r.IntN(6) {
		case 0:
			t = BVConst(big.NewInt(int64(r.IntN(8))), 3)
		case 1:
			t = BVAdd(t, vars[r.IntN(len(vars))])
		case 2:
			t = BVSub(vars[r.IntN(len(vars))], t)
		}
		return t
	}
	signed := r.IntN(2) == 0
	var out []*Term
	for range n {
		a, b := term(), term()
		if r.IntN(10) == 0 {
			signed = !signed
		}
		switch r.IntN(6) {
		case 0, 1:
			out = append(out, map[bool]*Term{false: BVULt(a, b), true: BVSLt(a, b)}[signed])
		case 2, 3, 4:
			out = append(out, map[bool]*Term{false: BVULe(a, b), true: BVSLe(a, b)}[signed])
		default:
			out = append(out, Eq(a, b))
		}
	}
	return out
}

// TestProjectWords compares projections of words with all their values.
func TestProjectWords(t *testing.T) {
	word := BitVec(3)
	vars := []*Term{Var("x", word), Var("y", word), Var("z", word)}
	exacts := 0
	for seed := range soak.Long(uint64(300)) {
		r := rand.New(rand.NewPCG(seed, 53))
		cube := wordCube(r, vars, 1+r.IntN(4))
		out, exact := Project(cube, vars[2:])
		projected := And(out...)
		if slices.Contains(Vars(projected), vars[2]) {
			t.Fatalf("seed %d: %s still has z", seed, projected)
		}
		if exact && slices.Contains(Vars(cube...), vars[2]) {
			exacts++
		}
		for k := range int64(64) {
			value := func(n int64) Value { return NumValue(big.NewRat(n%8, 1), word) }
			m := Model{"x": value(k), "y": value(k / 8)}
			in, err := Holds(projected, m)
			if err != nil {
				t.Fatal(err)
			}
			possible := false
			for n := range int64(8) {
				m["z"] = value(n)
				yes, err := Holds(And(cube...), m)
				if err != nil {
					t.Fatal(err)
				}
				possible = possible || yes
			}
			if possible && !in || exact && in && !possible {
				t.Fatalf("seed %d: %v in %v: projection %s is %v, possible: %v", seed, cube, m, projected, in, possible)
			}
		}
	}
	if exacts < soak.Long(30) {
		t.Errorf("only %d exact projections", exacts)
	}
	t.Logf("%d exact projections", exacts)
}

// TestSolveFor: the value that an equality determines satisfies it.
func TestSolveFor(t *testing.T) {
	x, y := Var("x", Int), Var("y", Int)
	two, three := IntConst(2), IntConst(3)
	for _, c := range []struct {
		cube  []*Term
		value *Term
		left  int
	}{
		{[]*Term{Le(x, y), Eq(Add(x, Mul(two, y)), three)}, Sub(three, Mul(two, y)), 1},
		{[]*Term{Eq(Mul(two, x), y)}, nil, 0}, // over Int
		{[]*Term{Ne(x, y)}, nil, 0},
		{[]*Term{Eq(Add(x, Mul(x, y)), three)}, nil, 0}, // x occurs twice
	} {
		value, others := SolveFor(c.cube, x)
		if value != c.value || len(others) != c.left {
			t.Errorf("%v: x = %v, and %v", c.cube, value, others)
		}
	}
	half, _ := SolveFor([]*Term{Eq(Mul(RealConst(2, 1), Var("X", Real)), Var("Y", Real))}, Var("X", Real))
	if half != Mul(RealConst(1, 2), Var("Y", Real)) {
		t.Errorf("X = %v", half)
	}
}
