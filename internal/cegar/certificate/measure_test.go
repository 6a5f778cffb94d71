package certificate

import (
	"math/big"
	"testing"

	"github.com/seltl/seltl/logic"
)

// TestZeroCoefficient: a summand that adds nothing is a number like others, whatever its width.
func TestZeroCoefficient(t *testing.T) {
	v := logic.Var("v", logic.BitVec(32))
	for _, reading := range []Reading{Signed, Unsigned, Magnitude} {
		m := &Measure{Constant: big.NewInt(3), Summands: []Summand{{Coefficient: new(big.Int), Term: v, Reading: reading}}}
		if why := m.wrong([]*logic.Term{v}, 1); why != "" {
			t.Fatal(why)
		}
		width := m.width()
		if s := m.Summands[0].term(v, width); s.Sort().Width() != width || width < 34 {
			t.Errorf("%v: a summand of %d bits in a sum of %d", reading, s.Sort().Width(), width)
		}
	}
}
