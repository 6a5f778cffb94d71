package logic

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/seltl/seltl/internal/testing/soak"
)

// TestExists compares with enumeration: of values of the variables that are to go, and of random ones of
// the others. Constants are so small that integers from -30 to 30 are enough for one variable, with
// coefficients of 2, and from -12 to 12 for two with coefficients of 1.
func TestExists(t *testing.T) {
	done, parts := 0, map[bool]int{}
	n := soak.Cases(uint64(2000))
	for seed := range n {
		r := rand.New(rand.NewPCG(seed, 77))
		vars := []*Term{Var("b", Bool), Var("c", Bool), Var("w", BitVec(2)), Var("i", Int), Var("j", Int)}
		free := []*Term{Var("p", Bool), Var("x", Int), Var("v", BitVec(2))}
		scale, window := int64(1), int64(12)
		if r.IntN(2) == 0 {
			vars, scale, window = vars[:4], 2, 30
		}
		f := existsFormula(r, vars, free, 3, scale)
		g, ok := Exists(vars, f)
		if !ok {
			continue
		}
		if len(occurring(vars, g)) > 0 {
			t.Fatalf("seed %d: %v is left in %v", seed, occurring(vars, g), g)
		}
		done++
		for range 4 {
			m := Model{"p": BoolValue(r.IntN(2) == 0), "x": IntValue(r.Int64N(5) - 2), "v": NumValue(big.NewRat(r.Int64N(4), 1), BitVec(2))}
			got, err := Holds(g, m)
			if err != nil {
				t.Fatalf("seed %d: %v: %v", seed, g, err)
			}
			want := satisfiedBy(t, occurring(vars, f), f, m, window)
			if got != want {
				t.Fatalf("seed %d: there are values of %v with %v: %v, but of %v it is %v where %v", seed, vars, f, want, g, got, m)
			}
			parts[want]++
		}
	}
	if n := int(n); done < n/2 || min(parts[true], parts[false]) < n/10 {
		t.Errorf("%d of %d formulas, %v", done, n, parts)
	}
}

func satisfiedBy(t *testing.T, vars []*Term, f *Term, m Model, window int64) bool {
	if len(vars) == 0 {
		ok, err := Holds(f, m)
		if err != nil {
			t.Fatal(f, m, err)
		}
		return ok
	}
	var values []Value
	switch v := vars[0]; {
	case v.Sort() == Bool:
		values = []Value{BoolValue(false), BoolValue(true)}
	case v.Sort() == Int:
		for n := -window; n <= window; n++ {
			values = append(values, IntValue(n))
		}
	default:
		for n := range int64(4) {
			values = append(values, NumValue(big.NewRat(n, 1), v.Sort()))
		}
	}
	for _, value := range values {
		m[vars[0].Name()] = value
		if satisfiedBy(t, vars[1:], f, m, window) {
			delete(m, vars[0].Name())
			return true
		}
	}
	delete(m, vars[0].Name())
	return false
}

func existsFormula(r *rand.Rand, vars, free []*Term, depth int, scale int64) *Term {
	if depth == 0 || r.IntN(6) == 0 {
		return existsAtom(r, vars, free, scale)
	}
	var args []*Term
	for range 2 + r.IntN(2) {
		args = append(args, existsFormula(r, vars, free, depth-1, scale))
	}
	switch r.IntN(5) {
	case 0, 1:
		return And(args...)
	case 2, 3:
		return Or(args...)
	}
	return Not(Eq(args[0], args[1]))
}

func existsAtom(r *rand.Rand, vars, free []*Term, scale int64) *Term {
	pick := func(s *Sort) *Term {
		for {
			all := vars
			if r.IntN(3) == 0 {
				all = free
			}
			if v := all[r.IntN(len(all))]; v.Sort() == s {
				return v
			}
		}
	}
	var f *Term
	switch r.IntN(4) {
	case 0:
		f = pick(Bool)
	case 1:
		a, b := pick(BitVec(2)), pick(BitVec(2))
		f = []*Term{Eq(a, b), BVULt(a, b), Eq(BVOp(OpBVAdd, a, b), BVConst(big.NewInt(r.Int64N(4)), 2))}[r.IntN(3)]
	default:
		factor := func() *Term { return IntConst([]int64{1, -1, scale}[r.IntN(3)]) }
		a, b := Mul(factor(), pick(Int)), Add(Mul(IntConst(r.Int64N(3)-1), pick(Int)), IntConst(r.Int64N(7)-3))
		f = []*Term{Eq(a, b), Le(a, b), Lt(a, b)}[r.IntN(3)]
	}
	if r.IntN(3) == 0 {
		f = Not(f)
	}
	return f
}

// TestExistsDivided: integers with coefficients of other than 1 are eliminated exactly where literals are linear, for
// all that enumeration says.
func TestExistsDivided(t *testing.T) {
	parts := map[bool]int{}
	n := soak.Cases(uint64(4000))
	i, x, y := Var("i", Int), Var("x", Int), Var("y", Int)
	for seed := range n {
		r := rand.New(rand.NewPCG(seed, 78))
		sum := func() *Term {
			return Add(Scale(big.NewRat(r.Int64N(5)-2, 1), x), Scale(big.NewRat(r.Int64N(3)-1, 1), y), IntConst(r.Int64N(13)-6))
		}
		var fs []*Term
		for range 1 + r.IntN(4) {
			l, s := Scale(big.NewRat(r.Int64N(9)-4, 1), i), sum()
			switch r.IntN(7) {
			case 0:
				fs = append(fs, Eq(l, s))
			case 1:
				fs = append(fs, Lt(l, s))
			case 2:
				fs = append(fs, Not(Eq(l, s)))
			case 3, 4:
				fs = append(fs, Le(l, s))
			default:
				fs = append(fs, Ge(l, s))
			}
		}
		f := And(fs...)
		g, ok := Exists([]*Term{i}, f)
		if !ok || mentions(g, i) {
			t.Fatalf("seed %d: %v of %v, %v", seed, g, f, ok)
		}
		for range 6 {
			m := Model{"x": IntValue(r.Int64N(7) - 3), "y": IntValue(r.Int64N(7) - 3)}
			got, err := Holds(g, m)
			if err != nil {
				t.Fatalf("seed %d: %v: %v", seed, g, err)
			}
			want := satisfiedBy(t, occurring([]*Term{i}, f), f, m, 40)
			if got != want {
				t.Fatalf("seed %d: there is an i with %v: %v, but of %v it is %v where %v", seed, f, want, g, got, m)
			}
			parts[want]++
		}
	}
	if n := int(n); min(parts[true], parts[false]) < n/2 {
		t.Errorf("%v", parts)
	}
}

// TestWeakened: what is left follows from the formula, without the variables, also where products keep Exists from
// an answer; and it is exact where it is Exists's.
func TestWeakened(t *testing.T) {
	inexact, kept := 0, 0
	n := soak.Cases(uint64(300))
	for seed := range n {
		r := rand.New(rand.NewPCG(seed, 78))
		vars := []*Term{Var("b", Bool), Var("c", Bool), Var("w", BitVec(2)), Var("i", Int), Var("j", Int)}
		free := []*Term{Var("p", Bool), Var("x", Int), Var("v", BitVec(2))}
		f := existsFormula(r, vars, free, 3, 1)
		exact := r.IntN(2) == 0
		if !exact {
			f = And(f, Lt(Mul(vars[3], vars[3]), Add(free[1], vars[4])), existsFormula(r, vars, free, 2, 1))
		}
		g := Weakened(vars, f)
		if len(occurring(vars, g)) > 0 {
			t.Fatalf("seed %d: %v is left in %v", seed, occurring(vars, g), g)
		}
		if exact {
			_, exact = Exists(vars, f)
		}
		for range 4 {
			m := Model{"p": BoolValue(r.IntN(2) == 0), "x": IntValue(r.Int64N(5) - 2), "v": NumValue(big.NewRat(r.Int64N(4), 1), BitVec(2))}
			got, err := Holds(g, m)
			if err != nil {
				t.Fatalf("seed %d: %v: %v", seed, g, err)
			}
			if want := satisfiedBy(t, occurring(vars, f), f, m, 12); want && !got || exact && want != got {
				t.Fatalf("seed %d: there are values of %v with %v: %v, but of %v it is %v where %v (exact: %v)", seed, vars, f, want, g, got, m, exact)
			} else if !exact {
				inexact++
				if !got {
					kept++
				}
			}
		}
	}
	if n := int(n); inexact < n/10 || kept < n/50 {
		t.Errorf("%d values of formulas that Exists has no answer to, %d of them still impossible", inexact, kept)
	}
}
