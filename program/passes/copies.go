package passes

import (
	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program"
)

// copies is copy propagation: a variable is read as the one that it was assigned and that
// has not changed since, or, if it was assigned a comparison as 1 or 0, as that, so that it
// is tested where it was stored to be tested.
func copies(sys *program.System) *image {
	return propagate(sys, simple, false)
}

func simple(t *logic.Term) bool {
	switch {
	case t.Op() == logic.OpVar:
		return plain(t)
	case t.Op() == logic.OpIte:
		return constant(t.Args()[1]) && constant(t.Args()[2]) && comparison(t.Args()[0])
	case t.Sort() == logic.Bool:
		return comparison(t)
	}
	return false
}

// comparison reports an atom that compares two variables, or one and a number, and means the
// same for machine words as for integers.
func comparison(t *logic.Term) bool {
	if t.Op() == logic.OpNot {
		t = t.Args()[0]
	}
	if op, sum, bound, _, ok := logic.LinearAtom(t); ok {
		for _, m := range sum.Terms {
			if m.Term.Op() != logic.OpVar || !m.Coef.IsInt() || m.Coef.Num().BitLen() != 1 {
				return false
			}
		}
		number := len(sum.Terms) == 1
		same := len(sum.Terms) == 2 && sum.Terms[0].Coef.Sign() != sum.Terms[1].Coef.Sign() &&
			(bound.Sign() == 0 || op == logic.OpLe && bound.IsInt() && bound.Num().IsInt64() && bound.Num().Int64() == -1)
		return number || same
	}
	switch t.Op() {
	case logic.OpVar:
		return true
	case logic.OpEq, logic.OpBVULe, logic.OpBVULt, logic.OpBVSLe, logic.OpBVSLt:
		for _, x := range t.Args() {
			if x.Op() != logic.OpVar && !constant(x) {
				return false
			}
		}
		return true
	}
	return false
}
