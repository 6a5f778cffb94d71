package facts

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seltl/seltl/internal/rational"
	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
)

// TestFlat: components that are nested too deeply are flat, and iterated to the end.
func TestFlat(t *testing.T) {
	n := 50 + 20 // beyond what scc.WeakOrder nests
	x := logic.Var("x", logic.Int)
	sys := &program.System{Vars: []*logic.Term{x}, Init: []program.Region{{Where: logic.Eq(x, logic.IntConst(0))}}}
	step := func(from, to int, by int64) {
		c := &program.Command{Guard: logic.True(), Update: map[*logic.Term]*logic.Term{x: logic.Add(x, logic.IntConst(by))}}
		sys.Edges = append(sys.Edges, program.Edge{From: from, To: to, Command: c})
	}
	for l := range n {
		sys.Locations = append(sys.Locations, program.Location{Name: fmt.Sprint(l)})
		if l > 0 {
			step(l-1, l, 6)
			step(n-1, l, 4*int64(l)) // each location but the first is a head in its turn
		}
	}
	f, err := Find(nil, sys, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for l := 1; l < n; l++ {
		want := logic.And(logic.Eq(logic.IntMod(x, logic.IntConst(2)), logic.IntConst(0)), logic.Ge(x, logic.IntConst(6)))
		if l == n-1 || l == 1 {
			continue
		}
		if got := f.Formula(l); !slices.Contains(logic.Conjuncts(got), logic.Conjuncts(want)[0]) {
			t.Fatalf("%d: %s, want %s", l, got, want)
		}
	}
}

// TestOctagonClosure: bounds that are added one by one, each closed incrementally, are
// those of closing once; both keep every point, and say that nothing is left only where
// no point is.
func TestOctagonClosure(t *testing.T) {
	empty, full := 0, 0
	for seed := range soak.Long(uint64(2000)) {
		r := rand.New(rand.NewPCG(seed, 71))
		n := 1 + r.IntN(3)
		ints := make([]bool, n)
		for i := range ints {
			ints[i] = true
		}
		one, once := newOctagon(ints), newOctagon(ints)
		type entry struct {
			i, j int
			c    int64
		}
		var entries []entry
		left := true
		for range r.IntN(7) {
			e := entry{r.IntN(2 * n), r.IntN(2 * n), int64(r.IntN(12) - 5)}
			if e.i == e.j {
				continue
			}
			entries = append(entries, e)
			left = left && one.bound(e.i, e.j, e.c)
			once.lower(e.i, e.j, e.c)
		}
		once.closed = false
		leftOnce := once.close()
		if left != leftOnce || left && !slices.Equal(one.m, once.m) {
			t.Fatalf("seed %d: %v: %v %v, %v %v", seed, entries, left, one.m, leftOnce, once.m)
		}
		points, most := 0, int64(12)
		at := make([]int64, n)
		var try func(k int)
		try = func(k int) {
			if k < n {
				for at[k] = -most; at[k] <= most; at[k]++ {
					try(k + 1)
				}
				return
			}
			v := func(i int) int64 { return at[i/2] * int64(1-2*(i%2)) }
			for _, e := range entries {
				if v(e.j)-v(e.i) > e.c {
					return
				}
			}
			points++
			for i := range 2 * n {
				for j := range 2 * n {
					if left && v(j)-v(i) > one.at(i, j) {
						t.Fatalf("seed %d: %v: %v is left out by %d, %d", seed, entries, at, i, j)
					}
				}
			}
		}
		try(0)
		if left && points == 0 {
			// All its points are further away.
			most = 48
			try(0)
		}
		if points > 0 != left {
			t.Fatalf("seed %d: %v: %d points, left: %v", seed, entries, points, left)
		}
		if left {
			full++
		} else {
			empty++
		}
	}
	if empty < soak.Long(100) || full < soak.Long(600) {
		t.Errorf("%d octagons were empty, %d not", empty, full)
	}
}

// TestCongruenceOperations: operations contain what they do to single numbers; meet is
// exact.
func TestCongruenceOperations(t *testing.T) {
	some := func(r *rand.Rand) *congruence {
		return newCongruence(big.NewInt(int64(r.IntN(7))), big.NewInt(int64(r.IntN(13)-6)))
	}
	has := func(c *congruence, n int64) bool { return c.has(exactly(big.NewInt(n))) }
	for seed := range soak.Long(uint64(1000)) {
		r := rand.New(rand.NewPCG(seed, 72))
		c, d := some(r), some(r)
		k := int64(r.IntN(9) - 4)
		both, some := c.orEvery().meet(d.orEvery())
		divided, possible := c, true
		if k != 0 {
			divided, possible = c.dividedBy(big.NewInt(k))
		}
		met := false
		for a := int64(-40); a <= 40; a++ {
			in := has(c, a) && has(d, a)
			met = met || in
			if in != (some && has(both, a)) || (has(c, a) || has(d, a)) && !has(c.join(d), a) {
				t.Fatalf("seed %d: %v %v: %d, meet %v %v, join %v", seed, c, d, a, both, some, c.join(d))
			}
			if k != 0 && has(c, k*a) != (possible && has(divided, a)) {
				t.Fatalf("seed %d: %v / %d is %v, %v: %d", seed, c, k, divided, possible, a)
			}
			for b := int64(-8); b <= 8; b++ {
				if has(c, a) && has(d, b) && (!has(c.plus(d), a+b) || !has(c.times(d), a*b)) {
					t.Fatalf("seed %d: %v %v: %d %d, %v %v", seed, c, d, a, b, c.plus(d), c.times(d))
				}
			}
		}
	}
}

// affinely returns a random program without guards, whose assignments are affine.
func affinely(r *rand.Rand) *program.System {
	n, places := 2+r.IntN(3), 1+r.IntN(3)
	sys := &program.System{}
	for i := range n {
		sys.Vars = append(sys.Vars, logic.Var(fmt.Sprintf("x%d", i), logic.Int))
	}
	zero := []*logic.Term{}
	for _, v := range sys.Vars {
		zero = append(zero, logic.Eq(v, logic.IntConst(int64(r.IntN(3)))))
	}
	sys.Init = []program.Region{{Where: logic.And(zero...)}}
	for l := range places {
		sys.Locations = append(sys.Locations, program.Location{Name: fmt.Sprint(l)})
	}
	in := logic.Var("in", logic.Int)
	for range places + r.IntN(4) {
		c := &program.Command{Guard: logic.True(), Update: map[*logic.Term]*logic.Term{}, Inputs: []*logic.Term{in}}
		for _, v := range sys.Vars {
			other := sys.Vars[r.IntN(n)]
			switch r.IntN(8) {
			case 0:
				c.Update[v] = logic.Add(v, logic.IntConst(int64(r.IntN(3))))
			case 1:
				c.Update[v] = logic.Add(logic.Scale(big.NewRat(2, 1), other), logic.IntConst(1))
			case 2:
				c.Update[v] = logic.Sub(v, other)
			case 3:
				c.Update[v] = logic.Add(other, logic.Scale(big.NewRat(int64(r.IntN(3)), 1), in))
			}
		}
		sys.Edges = append(sys.Edges, program.Edge{From: r.IntN(places), To: r.IntN(places), Command: c})
	}
	return sys
}

// only are all domains but one.
func only(d Domain) (without []Domain) {
	for e := range Domain(len(d.Names())) {
		if e != d {
			without = append(without, e)
		}
	}
	return without
}

// TestKarrExact: of programs without guards, whose assignments are affine, the equations
// are all that hold: those of the states that random runs reach.
func TestKarrExact(t *testing.T) {
	equations := 0
	for seed := range soak.Long(uint64(1000)) {
		r := rand.New(rand.NewPCG(seed, 73))
		sys := affinely(r)
		n := len(sys.Vars)
		f, err := Find(nil, sys, Options{Without: only(Karr)})
		if err != nil {
			t.Fatal(err)
		}
		hulls := affineHulls(sample(t, r, sys, 30, 10))
		for l := range sys.Locations {
			if hulls[l] != nil && len(f.At[l]) != n-len(hulls[l].rows) {
				hulls = affineHulls(sample(t, r, sys, 2000, 40)) // rare ways
				break
			}
		}
		for l := range sys.Locations {
			if hulls[l] == nil {
				continue // perhaps not met
			}
			equations += len(f.At[l])
			if want := n - len(hulls[l].rows); len(f.At[l]) != want {
				t.Fatalf("seed %d: %d equations at %d, %d of the states reached: %v", seed, len(f.At[l]), l, want, f.At[l])
			}
		}
	}
	if equations < soak.Long(300) {
		t.Errorf("only %d equations", equations)
	}
}

// TestParitiesExact: likewise of equations modulo 2, which are counted by trying all.
func TestParitiesExact(t *testing.T) {
	equations := 0
	for seed := range soak.Long(uint64(1000)) {
		r := rand.New(rand.NewPCG(seed, 74))
		sys := affinely(r)
		f, err := Find(nil, sys, Options{Without: only(Parities)})
		if err != nil {
			t.Fatal(err)
		}
		wrong := func(points [][]vector) int {
			for l, ps := range points {
				if len(ps) > 0 && len(f.At[l]) != independentParities(len(sys.Vars), ps) {
					return l
				}
			}
			return -1
		}
		points := sample(t, r, sys, 30, 10)
		if wrong(points) >= 0 {
			points = sample(t, r, sys, 2000, 40) // rare ways
		}
		if l := wrong(points); l >= 0 {
			t.Fatalf("seed %d: at %d there are %d equations, of the states reached %d: %v", seed, l, len(f.At[l]), independentParities(len(sys.Vars), points[l]), f.At[l])
		}
		for l := range points {
			equations += len(f.At[l])
		}
	}
	if equations < soak.Long(300) {
		t.Errorf("only %d equations", equations)
	}
}

// independentParities counts the independent equations modulo 2 that some points satisfy:
// there are as many as twice their number is a power of two.
func independentParities(n int, points []vector) (count int) {
	hold := 0
	for dims := range 1 << n {
		for _, odd := range []int64{0, 1} {
			all := true
			for _, p := range points {
				sum := odd
				for d := range n {
					if dims>>d&1 == 1 {
						x, _ := p.at(d).Int64()
						sum += x
					}
				}
				all = all && sum%2 == 0
			}
			if all {
				hold++
			}
		}
	}
	for ; hold > 1; hold /= 2 {
		count++
	}
	return count
}

// affineHulls returns the affine hull of the points of each location, nil without points.
func affineHulls(points [][]vector) []*space[vector] {
	k := newKarr(nil, &effort{limit: 1 << 40}, nil)
	out := make([]*space[vector], len(points))
	for l, ps := range points {
		for i, p := range ps {
			if i == 0 {
				out[l] = &space[vector]{point: p}
			} else {
				k.insert(out[l], p.plus(minusOne, out[l].point))
			}
		}
	}
	return out
}

// sample returns the different states that random runs meet at each location.
func sample(t *testing.T, r *rand.Rand, sys *program.System, runs, steps int) [][]vector {
	t.Helper()
	out := make([][]vector, len(sys.Locations))
	met := map[string]bool{}
	first := logic.Model{}
	for _, p := range logic.Conjuncts(sys.Init[0].Where) {
		_, sum, bound, _, _ := logic.LinearAtom(p)
		first[sum.Terms[0].Term.Name()] = logic.NumValue(bound, logic.Int)
	}
	for range runs {
		at, now := 0, first
		for range steps {
			var point vector
			for i, v := range sys.Vars {
				point = point.with(i, rational.Of(now[v.Name()].Num()))
			}
			if key := fmt.Sprint(at, now); !met[key] {
				met[key] = true
				out[at] = append(out[at], point)
			}
			var able []program.Edge
			for _, e := range sys.Edges {
				if e.From == at {
					able = append(able, e)
				}
			}
			if len(able) == 0 {
				break
			}
			e := able[r.IntN(len(able))]
			next, err := e.Command.Step(now, logic.Model{"in": logic.IntValue(int64(r.IntN(100)))})
			if err != nil {
				t.Fatal(err)
			}
			at, now = e.To, next
		}
	}
	return out
}
