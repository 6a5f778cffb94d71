package smt_test

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/logic"

	. "github.com/seltl/seltl/smt"
)

// TestProductsApart: what stands beside answers questions in which products of words are apart at first as the solver
// does, and its models have been evaluated.
func TestProductsApart(t *testing.T) {
	z := newZ3(t, Options{})
	vars := []*logic.Term{logic.Var("x", logic.BitVec(9)), logic.Var("y", logic.BitVec(9)), logic.Var("z", logic.BitVec(9))}
	ops := []logic.Op{logic.OpBVMul, logic.OpBVMul, logic.OpBVMul, logic.OpBVUDiv, logic.OpBVURem, logic.OpBVSDiv, logic.OpBVSRem, logic.OpBVAdd, logic.OpBVXor, logic.OpBVLShr}
	count := map[Status]int{}
	for seed := range uint64(soak.Long(100)) {
		r := rand.New(rand.NewPCG(seed, 79))
		var term func(depth int) *logic.Term
		term = func(depth int) *logic.Term {
			if n := r.IntN(10); depth == 0 || n < 2 {
				if n%2 == 0 {
					return logic.BVConst(big.NewInt(int64(r.IntN(512))), 9)
				}
				return vars[r.IntN(len(vars))]
			}
			return logic.BVOp(ops[r.IntN(len(ops))], term(depth-1), term(depth-1))
		}
		hash := func(key *logic.Term) *logic.Term { // twice the same function
			key = logic.BVOp(logic.OpBVXor, key, logic.BVOp(logic.OpBVLShr, key, logic.BVConst(big.NewInt(4), 9)))
			return logic.BVOp(logic.OpBVMul, key, logic.BVConst(big.NewInt(0xb5), 9))
		}
		beside, end := z.Beside()
		z.Reset()
		for range 2 + r.IntN(3) {
			f := logic.Or(logic.Eq(term(2), term(2)), logic.BVULt(term(3), term(2)))
			switch r.IntN(4) {
			case 0:
				f = logic.Ne(hash(vars[0]), hash(vars[1]))
			case 1:
				f = logic.Eq(logic.BVOp(logic.OpBVURem, vars[r.IntN(3)], logic.BVConst(big.NewInt(4), 9)), vars[r.IntN(3)])
			case 2:
				f = logic.Eq(vars[r.IntN(3)], term(1))
			}
			z.Assert(f)
			beside.Assert(f)
			want, err := z.Check(ctx)
			if err != nil || want == Unknown {
				t.Fatalf("seed %d: %v, %v", seed, want, err)
			}
			if got, err := beside.Check(ctx); err != nil || got != want {
				t.Fatalf("seed %d: %v, %v, want %v: %s", seed, got, err, want, beside.Reason())
			}
			switch want {
			case Sat:
				if m, err := beside.Model(ctx); m == nil || err != nil {
					t.Fatalf("seed %d: no model: %v, %s", seed, err, beside.Reason())
				}
			case Unsat:
				if core, err := beside.Core(ctx); core == nil || err != nil {
					t.Fatalf("seed %d: no core: %v, %s", seed, err, beside.Reason())
				}
			}
			count[want]++
		}
		end()
	}
	t.Logf("%v", count)
	if count[Sat] == 0 || count[Unsat] == 0 {
		t.Errorf("the random questions do not say much: %v", count)
	}
}

// TestProductsHash: equal keys have equal places, whatever products are; z3 alone does not find that in twenty times
// the work.
func TestProductsHash(t *testing.T) {
	z := newZ3(t, Options{})
	beside, end := z.Beside()
	defer end()
	number := func(n int64) *logic.Term { return logic.BVConst(big.NewInt(n), 32) }
	place := func(key *logic.Term) *logic.Term {
		for range 2 {
			key = logic.BVOp(logic.OpBVXor, key, logic.BVOp(logic.OpBVLShr, key, number(16)))
			key = logic.BVOp(logic.OpBVMul, key, number(0x45d9f3b))
		}
		return key
	}
	a, b := logic.Var("a", logic.BitVec(32)), logic.Var("b", logic.BitVec(32))
	same := []*logic.Term{ // which is not plain to see
		logic.Eq(logic.BVOp(logic.OpBVAnd, a, logic.BVNot(b)), number(0)),
		logic.Eq(logic.BVOp(logic.OpBVAnd, b, logic.BVNot(a)), number(0)),
		logic.Ne(place(a), place(b)),
	}
	for i, c := range []Checker{beside, z} {
		for _, f := range same {
			c.Assert(f)
		}
		want := []Status{Unsat, Unknown}[i]
		c.Limit([]uint64{100_000, 2_000_000}[i])
		if got, err := c.Check(ctx); err != nil || got != want {
			t.Errorf("%d: %v, %v, want %v: %s", i, got, err, want, c.Reason())
		}
	}
}
