package machine

import (
	"fmt"
	"strings"

	"github.com/seltl/seltl/c/ir"
)

// address is that of a place, a char *.
func (h *harness) address(p ir.Place) string {
	var b strings.Builder
	b.WriteByte('(')
	if p.Var != nil {
		fmt.Fprintf(&b, "(char *)&%s", h.names[p.Var])
	} else {
		b.WriteString(h.expr(p.Ptr))
	}
	if p.Off != 0 {
		fmt.Fprintf(&b, " + (seltl_word)%d", p.Off)
	}
	for _, i := range p.Index {
		fmt.Fprintf(&b, " + (seltl_word)%s * %d", h.expr(i.By), i.Stride)
	}
	return b.String() + ")"
}

// unsigned is the unsigned type that is as wide.
func unsigned(t *ir.Type) string { return ir.IntegerName(t.Size, false, false) }

// expr is a scalar expression, in parentheses where it needs some.
func (h *harness) expr(e ir.Expr) string {
	switch e := e.(type) {
	case *ir.Const:
		return h.number64(e.T, e.Bits)
	case *ir.Load:
		p := e.From
		switch {
		case p.Type.Kind == ir.Float:
			return "0"
		case p.Bits > 0:
			signed := map[bool]int{true: 1}[p.Type.Signed]
			return fmt.Sprintf("((%s)seltl_field(%s, %d, %d, %d))", p.Type.Name, h.address(p), p.BitOff, p.Bits, signed)
		case direct(p):
			return h.names[p.Var]
		}
		return fmt.Sprintf("(*(%s *)%s)", h.aliasName(p.Type), h.address(p))
	case *ir.Addr:
		return h.address(e.Of)
	case *ir.FuncAddr:
		return fmt.Sprintf("((char *)%s)", h.names[e.Func])
	case *ir.Unary:
		if e.Type().Kind == ir.IEEE {
			return h.float(e.Op, e.Type(), h.expr(e.X))
		}
		if e.Op == ir.Neg {
			return fmt.Sprintf("((%s)(-(%s)%s))", e.Type().Name, unsigned(e.Type()), h.expr(e.X))
		}
		return fmt.Sprintf("((%s)(~%s))", e.Type().Name, h.expr(e.X))
	case *ir.Binary:
		return h.binary(e)
	case *ir.Convert:
		return h.convert(e.X, e.T)
	case *ir.Move:
		return fmt.Sprintf("(%s + (seltl_word)%s * %d)", h.expr(e.P), h.expr(e.By), e.Stride)
	case *ir.Distance:
		return fmt.Sprintf("((%s)(((seltl_word)%s - (seltl_word)%s) / %d))", e.T.Name, h.expr(e.P), h.expr(e.Q), e.Stride)
	}
	h.err = fmt.Errorf("the expression %s has no value", ir.Text(e))
	return "0"
}

func (h *harness) number64(t *ir.Type, bits uint64) string {
	switch {
	case t.Kind == ir.IEEE:
		return fmt.Sprintf("seltl_as_%s(%#xull)", t.Name, bits)
	case t.Kind == ir.Pointer && bits == 0:
		return "((char *)0)"
	case t.Kind == ir.Pointer:
		return fmt.Sprintf("seltl_at((seltl_uword)%#xull)", bits)
	case t.Signed && t.Size == 4 && int64(bits) >= 0:
		return fmt.Sprint(bits)
	}
	return fmt.Sprintf("((%s)%#xull)", t.Name, bits)
}

func (h *harness) binary(e *ir.Binary) string {
	t := e.X.Type()
	x, y := h.expr(e.X), h.expr(e.Y)
	op := ir.OperatorText[e.Op]
	switch {
	case e.Op < ir.Eq && t.Kind == ir.IEEE:
		return h.float(e.Op, t, x, y)
	case e.Op >= ir.Eq && t.Kind == ir.Pointer:
		return fmt.Sprintf("((seltl_uword)%s %s (seltl_uword)%s)", x, op, y)
	case e.Op >= ir.Eq:
		return fmt.Sprintf("(%s %s %s)", x, op, y)
	case e.Op == ir.Shr, e.Op == ir.Div, e.Op == ir.Rem, e.Op == ir.BitAnd, e.Op == ir.BitOr, e.Op == ir.BitXor:
		return fmt.Sprintf("((%s)(%s %s %s))", e.T.Name, x, op, y)
	case e.Op == ir.Shl:
		return fmt.Sprintf("((%s)((%s)%s << %s))", e.T.Name, unsigned(t), x, y)
	}
	return fmt.Sprintf("((%s)((%s)%s %s (%s)%s))", e.T.Name, unsigned(t), x, op, unsigned(t), y)
}

// float is an operation on floating-point numbers.
func (h *harness) float(op ir.Op, t *ir.Type, x ...string) string {
	h.floats = true
	switch {
	case op == ir.Neg:
		return fmt.Sprintf("(-%s)", x[0])
	case op <= ir.Div:
		return fmt.Sprintf("((%s)(%s %s %s))", t.Name, x[0], ir.OperatorText[op], x[1])
	}
	name := ir.OperatorText[op]
	if op == ir.Rem {
		name = "fmod"
	}
	return fmt.Sprintf("__builtin_%s%s(%s)", name, map[int64]string{4: "f"}[t.Size], strings.Join(x, ", "))
}

// convert is a value as one of another scalar type.
func (h *harness) convert(e ir.Expr, t *ir.Type) string {
	x, from := h.expr(e), e.Type()
	switch {
	case t.Kind == ir.Pointer && from.Kind == ir.Pointer:
		return x
	case t.Kind == ir.Pointer:
		return fmt.Sprintf("seltl_at((seltl_uword)%s)", x)
	case from.Kind == ir.Pointer:
		return fmt.Sprintf("((%s)(seltl_uword)%s)", t.Name, x)
	}
	return fmt.Sprintf("((%s)%s)", t.Name, x)
}
