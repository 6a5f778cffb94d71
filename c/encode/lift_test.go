package encode

import (
	"fmt"
	"math/big"
	"math/rand"
	"testing"

	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/logic"
)

// everyType is a program with variables of all integer types, a pointer, bit-fields, and
// arrays that are arrays of the logic.
const everyType = `extern int any(void);
_Bool b; signed char c; unsigned char uc; short s; unsigned short us; int i; unsigned u; long long l; unsigned long long ul; int *p;
struct { int f : 5; unsigned g : 7; } v; int a[100]; unsigned char t[100]; short w[50];
int main(void) {
  int k = any();
  if (b + c + uc + s + us + i + u + l + ul == 7 || p == &i || v.f == 3 || v.g == 4 || a[k] == 1 || t[k] == 2 || w[k] == 3) { ERROR: return 1; }
  b = any(); c = any(); uc = any(); s = any(); us = any(); i = any(); u = any(); l = any(); ul = any(); p = &i; v.f = any(); v.g = any();
  a[k] = any(); t[k] = any(); w[k] = any();
  return 0;
}`

// values are those of the scalars and arrays of a state, as numbers.
type values struct {
	scalars map[string]*big.Int
	arrays  map[string]map[int64]*big.Int // 0 elsewhere
}

// meant is a term together with what it means; nil where it has no meaning over words (an
// element that no array has, or one that does not fit).
type meant struct {
	t  *logic.Term
	is func(*values) *big.Int
}

type meantFormula struct {
	t  *logic.Term
	is func(*values) (bool, bool) // the truth, and whether there is one
}

// lifting makes random formulas over the variables of Numbers.
type lifting struct {
	rng             *rand.Rand
	scalars, arrays []*cell
	memory          *memory
}

func (g *lifting) constant() *big.Int {
	n := big.NewInt(int64(g.rng.Intn(20) - 10))
	if g.rng.Intn(3) == 0 { // about the bounds of types
		n = power([]int{7, 8, 15, 16, 31, 32, 63, 64}[g.rng.Intn(8)])
		n.Add(n, big.NewInt(int64(g.rng.Intn(5)-2)))
		if g.rng.Intn(2) == 0 {
			n.Neg(n)
		}
	}
	return n
}

func (g *lifting) term(depth int) meant {
	kind := g.rng.Intn(9)
	if depth == 0 {
		kind = g.rng.Intn(2)
	}
	switch kind {
	case 0:
		n := g.constant()
		return meant{integer(n), func(*values) *big.Int { return n }}
	case 1, 2:
		c := g.scalars[g.rng.Intn(len(g.scalars))]
		return meant{c.variable(g.memory, numbers{}), func(s *values) *big.Int { return s.scalars[c.name] }}
	case 3:
		return g.two(depth, logic.Add, (*big.Int).Add)
	case 4:
		return g.two(depth, logic.Sub, (*big.Int).Sub)
	case 5:
		return g.two(depth, func(x, y *logic.Term) *logic.Term { return logic.Mul(x, y) }, (*big.Int).Mul)
	case 6:
		return g.divided(depth)
	case 7:
		f, x, y := g.formula(depth-1), g.term(depth-1), g.term(depth-1)
		return meant{logic.Ite(f.t, x.t, y.t), func(s *values) *big.Int {
			yes, known := f.is(s)
			a, b := x.is(s), y.is(s)
			switch {
			case !known || a == nil || b == nil:
				return nil
			case yes:
				return a
			}
			return b
		}}
	}
	return g.element()
}

func (g *lifting) two(depth int, make any, compute func(z, x, y *big.Int) *big.Int) meant {
	x, y := g.term(depth-1), g.term(depth-1)
	var t *logic.Term
	switch make := make.(type) {
	case func(...*logic.Term) *logic.Term:
		t = make(x.t, y.t)
	case func(x, y *logic.Term) *logic.Term:
		t = make(x.t, y.t)
	}
	return meant{t, func(s *values) *big.Int {
		a, b := x.is(s), y.is(s)
		if a == nil || b == nil {
			return nil
		}
		return compute(new(big.Int), a, b)
	}}
}

// divided is the quotient or the remainder of a division by a positive constant.
func (g *lifting) divided(depth int) meant {
	x, n := g.term(depth-1), big.NewInt(int64(1+g.rng.Intn(9)))
	if g.rng.Intn(2) == 0 {
		n = power([]int{1, 3, 8, 16, 32, 64}[g.rng.Intn(6)])
	}
	compute := func(quotient bool) func(*values) *big.Int {
		return func(s *values) *big.Int {
			a := x.is(s)
			if a == nil {
				return nil
			}
			if quotient {
				return new(big.Int).Div(a, n) // Euclidean
			}
			return new(big.Int).Mod(a, n)
		}
	}
	if g.rng.Intn(2) == 0 {
		return meant{logic.IntDiv(x.t, integer(n)), compute(true)}
	}
	return meant{logic.IntMod(x.t, integer(n)), compute(false)}
}

// element is one of an array, of which others are replaced at times.
func (g *lifting) element() meant {
	c := g.arrays[g.rng.Intn(len(g.arrays))]
	array := c.variable(g.memory, numbers{})
	lo, hi := rangeOf(c.t, 0)
	index := func() meant {
		m := g.term(0)
		if g.rng.Intn(2) == 0 {
			n := big.NewInt(int64(g.rng.Intn(6)))
			m = meant{integer(n), func(*values) *big.Int { return n }}
		}
		return m
	}
	inside := func(m meant, s *values) *big.Int {
		n := m.is(s)
		if n == nil || n.Sign() < 0 || n.Cmp(power(32)) >= 0 {
			return nil // no index has this number
		}
		return n
	}
	type replaced struct{ at, by meant }
	var all []replaced
	for range g.rng.Intn(3) {
		r := replaced{index(), g.term(0)}
		all = append(all, r)
		array = logic.Store(array, r.at.t, r.by.t)
	}
	at := index()
	return meant{logic.Select(array, at.t), func(s *values) *big.Int {
		n := inside(at, s)
		if n == nil {
			return nil
		}
		out := big.NewInt(0)
		if e := s.arrays[c.name][n.Int64()]; e != nil {
			out = e
		}
		for _, r := range all {
			where, what := inside(r.at, s), r.by.is(s)
			if where == nil || what == nil || what.Cmp(lo) < 0 || what.Cmp(hi) > 0 {
				return nil
			}
			if where.Cmp(n) == 0 {
				out = what
			}
		}
		return out
	}}
}

func (g *lifting) formula(depth int) meantFormula {
	kind := g.rng.Intn(8)
	if depth <= 0 {
		kind = g.rng.Intn(5)
	}
	if kind < 5 {
		x, y := g.term(max(depth, 1)), g.term(max(depth, 1))
		make := []func(a, b *logic.Term) *logic.Term{logic.Le, logic.Lt, logic.Eq, logic.Ge, logic.Ne}[kind]
		return meantFormula{make(x.t, y.t), func(s *values) (bool, bool) {
			a, b := x.is(s), y.is(s)
			if a == nil || b == nil {
				return false, false
			}
			order := a.Cmp(b)
			return []bool{order <= 0, order < 0, order == 0, order >= 0, order != 0}[kind], true
		}}
	}
	x, y := g.formula(depth-1), g.formula(depth-1)
	make := []func(a, b *logic.Term) *logic.Term{func(a, b *logic.Term) *logic.Term { return logic.And(a, b) }, func(a, b *logic.Term) *logic.Term { return logic.Or(a, logic.Not(b)) },
		func(a, b *logic.Term) *logic.Term { return logic.Eq(a, b) }}[kind-5]
	return meantFormula{make(x.t, y.t), func(s *values) (bool, bool) {
		a, known := x.is(s)
		b, also := y.is(s)
		return []bool{a && b, a || !b, a == b}[kind-5], known && also
	}}
}

// state are random values, near the bounds of types often, also as words.
func (g *lifting) state() (*values, logic.Model) {
	s, words := &values{map[string]*big.Int{}, map[string]map[int64]*big.Int{}}, logic.Model{}
	value := func(c *cell) *big.Int {
		lo, hi := rangeOf(c.t, c.key.bits)
		n := new(big.Int).Rand(g.rng, new(big.Int).Add(new(big.Int).Sub(hi, lo), big.NewInt(1)))
		n.Add(n, lo)
		switch g.rng.Intn(6) {
		case 0:
			n = lo
		case 1:
			n = hi
		case 2, 3:
			n = g.constant()
		}
		if n.Cmp(lo) < 0 {
			n = lo
		}
		if n.Cmp(hi) > 0 {
			n = hi
		}
		return n
	}
	word := func(n *big.Int, s *logic.Sort) logic.Value {
		return logic.NumValue(new(big.Rat).SetInt(new(big.Int).Mod(n, power(s.Width()))), s)
	}
	for _, c := range g.scalars {
		s.scalars[c.name] = value(c)
		words[c.name] = word(s.scalars[c.name], wordsSort(g, c))
	}
	for _, c := range g.arrays {
		sort := wordsSort(g, c)
		array := logic.ConstArray(sort, logic.BVConst(new(big.Int), sort.Element().Width()))
		s.arrays[c.name] = map[int64]*big.Int{}
		for k := range int64(6) {
			n := value(c)
			s.arrays[c.name][k] = n
			array = logic.Store(array, logic.BVConst(big.NewInt(k), sort.Index().Width()), word(n, sort.Element()).Term())
		}
		v, err := logic.Eval(array, nil)
		if err != nil {
			panic(err)
		}
		words[c.name] = v
	}
	return s, words
}

func wordsSort(g *lifting, c *cell) *logic.Sort { return c.variable(g.memory, words{}).Sort() }

// TestLift: a formula that is read over words is true of them if it is true of the numbers
// that they stand for, by arithmetic of its own.
func TestLift(t *testing.T) {
	e, err := encoded(t, everyType, ir.ILP32)
	if err != nil {
		t.Fatal(err)
	}
	counts := map[string]int{}
	for seed := range soak.Long(1000) {
		g := &lifting{rng: rand.New(rand.NewSource(int64(seed))), memory: e.memory}
		for _, o := range e.memory.all {
			for _, c := range o.sorted() {
				switch {
				case c.key.off < 0 || o.v == nil || o.v.Kind != ir.Global:
				case c.run != nil:
					g.arrays = append(g.arrays, c)
				default:
					g.scalars = append(g.scalars, c)
				}
			}
		}
		if len(g.scalars) != 12 || len(g.arrays) != 3 {
			t.Fatalf("%d variables and %d arrays", len(g.scalars), len(g.arrays))
		}
		f := g.formula(1 + g.rng.Intn(3))
		lifted, err := e.Lift(f.t)
		if err != nil {
			counts["refused"]++
			continue
		}
		for range 10 {
			s, words := g.state()
			want, known := f.is(s)
			if !known {
				counts["without meaning"]++
				continue
			}
			got, err := logic.Holds(lifted, words)
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			counts[fmt.Sprint(want)]++
			if got != want {
				t.Fatalf("seed %d: %s is %t of %v %v, but %s is %t of %s", seed, f.t, want, s.scalars, s.arrays, lifted, got, words)
			}
		}
	}
	t.Log(counts)
	if all := counts["true"] + counts["false"]; counts["true"] < all/10 || counts["false"] < all/10 || counts["refused"] > soak.Long(100) || counts["without meaning"] > all {
		t.Errorf("formulas mean little: %v", counts)
	}
}
