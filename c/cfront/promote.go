package cfront

import (
	"modernc.org/cc/v4"

	"github.com/seltl/seltl/c/ir"
)

// promote does the integer promotions. A bit-field between int and its own type is of a type of just as many bits with gcc,
// and of its declared type with clang: what depends on which is refused.
func (r *routine) promote(n cc.Node, e ir.Expr) ir.Expr {
	t := e.Type()
	if t.Kind != ir.Integer {
		return e
	}
	if t.Size < 4 {
		return r.convert(n, e, r.types.int())
	}
	return r.promoteField(e, r.span(n))
}

// promoteField is promote of what is a bit-field.
func (r *routine) promoteField(e ir.Expr, span ir.Span) ir.Expr {
	bits := fieldBits(e)
	switch t := e.Type(); {
	case bits == 0 || t.Kind != ir.Integer || t.Size < 4:
	case bits < 32 || bits == 32 && t.Signed:
		return ir.Fold(&ir.Convert{X: e, T: r.types.int()})
	case bits == 32 && t.Size > 4:
		return ir.Fold(&ir.Convert{X: e, T: r.types.integer(4, false, false)})
	case wide(e):
		refuse(span, "c-bitfield", "cast it to the type that is meant", "what is computed of a bit-field of %d bits, which is of another type with each compiler, is not known", bits)
	}
	return e
}

// fieldBits is the width of a bit-field that is read, 0 of other expressions.
func fieldBits(e ir.Expr) int {
	if l, ok := e.(*ir.Load); ok {
		return l.From.Bits
	}
	return 0
}

// wide reports a bit-field of more bits than int and fewer than its type.
func wide(e ir.Expr) bool {
	bits := fieldBits(e)
	return bits > 32 && bits < e.Type().Width()
}

// widened is an unsigned wide bit-field as a value of its declared type, where an operation whose result is stored in it again
// comes to the same.
func widened(op ir.Op, e ir.Expr) ir.Expr {
	if wide(e) && !e.Type().Signed && (op == ir.Add || op == ir.Sub || op == ir.Mul || op == ir.BitAnd || op == ir.BitOr || op == ir.BitXor || op == ir.Shl) {
		return &ir.Convert{X: e, T: e.Type()}
	}
	return e
}

// wideFields are operands of which wide bit-fields are converted where it does not depend on the compiler how: to the type of
// the other one, if that has 64 bits, and to their own types to be compared with each other, or with a constant that is not negative.
func (r *routine) wideFields(op ir.Op, x, y ir.Expr) (ir.Expr, ir.Expr) {
	if !wide(x) && !wide(y) || op == ir.Shl || op == ir.Shr {
		return x, y
	}
	as := func(e, other ir.Expr) ir.Expr {
		switch t := e.Type(); {
		case !wide(e):
		case !wide(other) && other.Type().Size == 8 && (t.Signed || !other.Type().Signed):
			return &ir.Convert{X: e, T: other.Type()}
		case op >= ir.Eq && (positive(other) || wide(other) && other.Type() == t):
			return &ir.Convert{X: e, T: t}
		}
		return e
	}
	return as(x, y), as(y, x)
}

// positive reports a constant that is not negative.
func positive(e ir.Expr) bool {
	c, ok := e.(*ir.Const)
	return ok && (!c.T.Signed || int64(ir.Extend(c.T, c.Bits)) >= 0)
}
