package cfront

import (
	"math"
	"strconv"
	"strings"

	"modernc.org/cc/v4"

	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/internal/ieee"
)

// Floating-point numbers are computed as their types say (FLT_EVAL_METHOD is 0), each operation rounded to
// nearest and by itself. Which bits a result has that is no number depends on the compiler: they are not
// known, and only that it is none is.

// floatConstant is a literal.
func (r *routine) floatConstant(n *cc.PrimaryExpression) ir.Expr {
	t := r.typeOf(r.module, n, n.Type())
	if t.Kind != ir.IEEE {
		return r.anyFloat(t)
	}
	x, err := strconv.ParseFloat(strings.TrimRight(n.Token.SrcStr(), "fFlL"), t.Width())
	if err != nil && !isRange(err) {
		return r.guess(t, r.span(n))
	}
	r.prog.FloatLiterals = true
	return &ir.Const{T: t, Bits: ieee.Word(t.Width(), x)}
}

func isRange(err error) bool {
	e, ok := err.(*strconv.NumError)
	return ok && e.Err == strconv.ErrRange
}

// operateFloats makes an operation where an operand is a floating-point number.
func (r *routine) operateFloats(n cc.Node, op ir.Op, x, y ir.Expr) ir.Expr {
	t, other := x.Type(), y.Type()
	if t.Kind != ir.IEEE || other.Kind == ir.IEEE && other.Size > t.Size {
		t, other = other, t
	}
	if other.Kind != ir.Integer && other.Kind != ir.IEEE || op > ir.Div && op < ir.Eq {
		refuse(r.span(n), "c-type", "", "this operation is not for %s and %s", x.Type(), y.Type())
	}
	x, y = r.convert(n, x, t), r.convert(n, y, t)
	if op >= ir.Eq {
		t = r.types.int()
	}
	if e := signOfZero(op, x, y, t); e != nil {
		return e
	}
	e := ir.Fold(&ir.Binary{Op: op, X: x, Y: y, T: t})
	if _, known := e.(*ir.Const); known && op < ir.Eq {
		r.prog.FloatFolds = true
	}
	return e
}

// truthOf is a value as a condition: a floating-point number that is not 0.
func truthOf(e ir.Expr) ir.Expr {
	if t := e.Type(); t.Kind == ir.IEEE {
		return ir.Fold(&ir.Binary{Op: ir.Ne, X: e, Y: &ir.Const{T: t, Bits: 0}, T: &ir.Type{Kind: ir.Integer, Size: 4, Signed: true, Name: "int"}})
	}
	return e
}

// ReadFloat reads what floatText writes, and other floating-point numbers.
func ReadFloat(t *ir.Type, text string) (bits uint64, ok bool) {
	body, negative := strings.CutPrefix(text, "-")
	x, err := strconv.ParseFloat(strings.TrimRight(text, "fFlL"), t.Width())
	switch {
	case body == "NAN":
		x, err = math.NaN(), nil
	case body == "INFINITY" && negative:
		x, err = math.Inf(-1), nil
	case body == "INFINITY":
		x, err = math.Inf(1), nil
	case strings.Trim(body, "0123456789.+-pPxXabcdefABCDEF") != "":
		return 0, false
	}
	return ieee.Word(t.Width(), x), err == nil
}
