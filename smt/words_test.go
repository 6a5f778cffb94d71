package smt_test

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/seltl/seltl/internal/testing/soak"
	"github.com/seltl/seltl/logic"

	. "github.com/seltl/seltl/smt"
)

// TestBesideWords: what stands beside answers as the solver does, about words, and once there is
// something else, too; also behind questions that were given up.
func TestBesideWords(t *testing.T) {
	z := newZ3(t, Options{})
	x, y := logic.Var("x", logic.BitVec(6)), logic.Var("y", logic.BitVec(6))
	array := logic.Var("a", logic.ArrayOf(logic.BitVec(6), logic.BitVec(6)))
	ops := []logic.Op{logic.OpBVAdd, logic.OpBVMul, logic.OpBVUDiv, logic.OpBVURem, logic.OpBVSDiv, logic.OpBVSRem, logic.OpBVShl, logic.OpBVXor}
	count, unknown := map[Status]int{}, 0
	for seed := range uint64(soak.Long(300)) {
		r := rand.New(rand.NewPCG(seed, 73))
		var term func(depth int) *logic.Term
		term = func(depth int) *logic.Term {
			switch n := r.IntN(10); {
			case n == 0:
				return logic.BVConst(big.NewInt(int64(r.IntN(64))), 6)
			case n == 1 && seed%3 == 0:
				return logic.Select(array, x)
			case depth == 0 || n < 4:
				return []*logic.Term{x, y}[r.IntN(2)]
			}
			return logic.BVOp(ops[r.IntN(len(ops))], term(depth-1), term(depth-1))
		}
		beside, end := z.Beside()
		z.Reset()
		for range 4 {
			f := logic.Or(logic.Eq(term(2), term(2)), logic.BVULt(term(2), term(2)))
			z.Assert(f)
			beside.Assert(f)
			if r.IntN(2) == 0 { // without an assumption first, which takes a child that gives no cores
				want, err := z.Check(ctx)
				if err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
				beside.Limit(0)
				if got, err := beside.Check(ctx); err != nil || got != want {
					t.Fatalf("seed %d: %v, %v, want %v: %s", seed, got, err, want, beside.Reason())
				}
			}
			g := logic.BVSLt(term(2), term(1))
			want, err := z.Check(ctx, g)
			if err != nil || want == Unknown {
				t.Fatalf("seed %d: %v, %v", seed, want, err)
			}
			for limit := uint64(r.IntN(2000)); ; limit = 0 { // given up, perhaps, and then not
				beside.Limit(limit)
				got, err := beside.Check(ctx, g)
				if err != nil || got != Unknown && got != want || got == Unknown && limit == 0 {
					t.Fatalf("seed %d: %v, %v, want %v: %s", seed, got, err, want, beside.Reason())
				}
				if got == Sat {
					if m, err := beside.Model(ctx); m == nil || err != nil {
						t.Fatalf("seed %d: no model: %v, %s", seed, err, beside.Reason())
					}
				}
				if got == Unsat {
					if core, err := beside.Core(ctx); core == nil || err != nil {
						t.Fatalf("seed %d: no core: %v, %s", seed, err, beside.Reason())
					}
				}
				if got != Unknown {
					break
				}
				unknown++
			}
			count[want]++
		}
		end()
	}
	t.Logf("%v, %d given up", count, unknown)
	if count[Sat] == 0 || count[Unsat] == 0 || unknown == 0 {
		t.Errorf("the random questions do not say much: %v, %d given up", count, unknown)
	}
}
