package ir

// Fold computes an operation on numbers, unless a signed result does not fit: that can be
// a failure.
func Fold(e Expr) Expr {
	if overflows(e) {
		return e
	}
	return Compute(e)
}

// Compute computes an operation on numbers; signed results wrap.
func Compute(e Expr) Expr {
	switch e := e.(type) {
	case *Unary:
		if x, ok := e.X.(*Const); ok {
			return folded(e, x.T, EvalUnary(e.Op, x.T, x.Bits))
		}
	case *Binary:
		x, okX := e.X.(*Const)
		y, okY := e.Y.(*Const)
		if okX && okY {
			if z, ok := EvalBinary(e.Op, x.T, x.Bits, y.Bits); ok {
				return folded(e, e.T, z)
			}
		}
	case *Convert:
		if x, ok := e.X.(*Const); ok {
			if z, ok := EvalConvert(x.T, e.T, x.Bits); ok {
				return folded(e, e.T, z)
			}
		}
	}
	return e
}
