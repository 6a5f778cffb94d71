package values

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/logic"
)

// TestAssume: a state for which a formula has the assumed value stays represented, by the
// same values of the symbols.
func TestAssume(t *testing.T) {
	learnt, refused := 0, 0
	n := soak.Long(uint64(500))
	for seed := range n {
		g := newTerms(rand.New(rand.NewPCG(seed, 61)), seed%4 == 0)
		for range 20 {
			w := g.newWorld()
			f := w.assumption()
			holds, err := logic.Holds(f, w.state)
			if err != nil {
				continue
			}
			before, others := slices.Clone(w.env.slots), slices.Clone(w.env.others)
			if !w.env.assume(w.compile(f), holds) {
				t.Fatalf("seed %d: %s is %t in %s, which is lost from %v", seed, f, holds, w.state, before)
			}
			for i, v := range w.vars {
				x := w.env.slots[i]
				if x.sym > 0 && w.excluded(x.sym, v.Sort()) {
					t.Fatalf("seed %d: %s is %t in %s: %s was %v, is %v with another number", seed, f, holds, w.state, v, before[i], x)
				}
				if want := w.state[v.Name()]; x.sym != unknown && !w.agrees(x, v.Sort(), want) {
					t.Fatalf("seed %d: %s is %t in %s: %s was %v, is %v", seed, f, holds, w.state, v, before[i], x)
				}
			}
			if !slices.Equal(before, w.env.slots) || !slices.Equal(others, w.env.others) {
				learnt++
			}
			copy(w.env.slots, before)
			w.env.others = others
			w.env.stamp++
			if !w.env.assume(w.compile(f), !holds) {
				refused++
			}
		}
	}
	t.Logf("%d times something was learnt, %d times refused", learnt, refused)
	if learnt < int(n)/2 || refused < int(n)/2 {
		t.Errorf("little is learnt: %d times, %d times refused", learnt, refused)
	}
}

// assumption returns a random formula: any, or a conjunction of equations that hold or
// nearly do.
func (w *world) assumption() *logic.Term {
	if w.IntN(3) == 0 {
		return w.term(logic.Bool, 1+w.IntN(4))
	}
	var all []*logic.Term
	for range 1 + w.IntN(3) {
		s := w.sort(func(s *logic.Sort) bool { return kindOf(s) != opaque })
		a := w.term(s, 1+w.IntN(3))
		value, err := logic.Eval(a, w.state)
		if err != nil {
			continue
		}
		b := value.Term()
		if c := w.term(s, w.IntN(2)); s.Arithmetic() || s.Kind() == logic.BitVecKind {
			// c plus what is missing.
			if v, err := logic.Eval(c, w.state); err == nil && w.IntN(2) == 0 {
				b = plus(c, minus(value.Term(), v.Term()))
			}
		}
		f := logic.Eq(a, b)
		switch w.IntN(6) {
		case 0:
			f = logic.Not(f)
		case 1:
			f = logic.Or(f, w.term(logic.Bool, 1))
		case 2:
			f = logic.Eq(w.leaf(logic.Bool), f)
		}
		all = append(all, f)
	}
	return logic.And(all...)
}

func plus(a, b *logic.Term) *logic.Term {
	if a.Sort().Arithmetic() {
		return logic.Add(a, b)
	}
	return logic.BVAdd(a, b)
}

func minus(a, b *logic.Term) *logic.Term {
	if a.Sort().Arithmetic() {
		return logic.Sub(a, b)
	}
	return logic.BVSub(a, b)
}
