package logic

import (
	"math/big"
	"testing"
)

// TestByShifts: of all words of up to 6 bits and all powers of two, both forms of a quotient and
// a remainder have one value.
func TestByShifts(t *testing.T) {
	found := 0
	for width := 1; width <= 6; width++ {
		x := Var("x", BitVec(width))
		for n := range int64(1) << width {
			for _, op := range []Op{OpBVUDiv, OpBVURem, OpBVSDiv, OpBVSRem} {
				whole := BVOp(op, x, BVConst(big.NewInt(n), width))
				shifted := ByShifts(whole)
				if shifted == nil {
					if n&(n-1) == 0 && n > 0 && n < 1<<(width-1) {
						t.Errorf("%v is not done by shifts", whole)
					}
					continue
				}
				found++
				for a := range int64(1) << width {
					m := Model{"x": NumValue(new(big.Rat).SetInt64(a), BitVec(width))}
					want, err := Eval(whole, m)
					if err != nil {
						t.Fatal(err)
					}
					if got, err := Eval(shifted, m); err != nil || got.Term() != want.Term() {
						t.Errorf("%v for %d is %v, but %v is %v (%v)", whole, a, want, shifted, got, err)
					}
				}
			}
		}
	}
	if found != 4*(1+2+3+4+5) {
		t.Errorf("%d of them are done by shifts", found)
	}
}
