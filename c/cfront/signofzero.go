package cfront

import (
	"math"

	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/internal/ieee"
)

// signOfZero is a sum or difference of a zero with what gcc takes never to be -0, an integer that was converted or a
// result of fabs: it leaves the zero out then, and 0.0 - x is -x, which is another zero where x is 0. So the sum is either
// zero there. It is nil for other sums.
func signOfZero(op ir.Op, x, y ir.Expr, t *ir.Type) ir.Expr {
	same := x // what gcc makes of it
	switch {
	case op == ir.Add && zero(x, false):
		same = y
	case op == ir.Sub && zero(x, false):
		same = ir.Fold(&ir.Unary{Op: ir.Neg, X: y})
	case op == ir.Add && zero(y, false), op == ir.Sub && zero(y, true):
	default:
		return nil
	}
	if !unsigned(same) {
		return nil
	}
	return &ir.Binary{Op: ir.FMin, X: &ir.Binary{Op: op, X: x, Y: y, T: t}, Y: same, T: t}
}

// zero reports a constant that is 0, or -0.
func zero(e ir.Expr, negative bool) bool {
	c, ok := e.(*ir.Const)
	return ok && c.Bits == ieee.Word(c.T.Width(), math.Copysign(0, map[bool]float64{false: 1, true: -1}[negative]))
}

// unsigned reports a number that is, but for its sign, an integer that was converted, a result of fabs, or what is chosen
// or returned, which may be one.
func unsigned(e ir.Expr) bool {
	switch e := e.(type) {
	case *ir.Convert:
		return e.X.Type().Kind == ir.Integer
	case *ir.Load:
		return e.From.Var != nil && e.From.Var.Kind == ir.Temp
	case *ir.Unary:
		return e.Op == ir.Abs || e.Op == ir.Neg && unsigned(e.X)
	case *ir.Binary:
		switch e.Op {
		case ir.Mul, ir.Div:
			return one(e.Y) && unsigned(e.X) || e.Op == ir.Mul && one(e.X) && unsigned(e.Y)
		case ir.Add, ir.Sub:
			return zero(e.Y, true) && unsigned(e.X) || zero(e.Y, false) && unsigned(e.X) || zero(e.X, true) && unsigned(e.Y)
		}
		return e.Op == ir.FMin && unsigned(e.Y)
	}
	return false
}

// one reports the constants 1 and -1.
func one(e ir.Expr) bool {
	c, ok := e.(*ir.Const)
	return ok && math.Abs(ieee.Float(c.T.Width(), c.Bits)) == 1
}
