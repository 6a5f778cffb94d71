package cfront

import (
	"fmt"
	"strings"
)

// address is that of a place, a char *.
func (h *harness) address(p Place) string {
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
func unsigned(t *Type) string { return integerName(t.Size, false, false) }

// expr is a scalar expression, in parentheses where it needs some.
func (h *harness) expr(e Expr) string {
	switch e := e.(type) {
	case *Const:
		return h.number64(e.T, e.Bits)
	case *Load:
		p := e.From
		switch {
		case p.Type.Kind == Float:
			return "0"
		case p.Bits > 0:
			signed := map[bool]int{true: 1}[p.Type.Signed]
			return fmt.Sprintf("((%s)seltl_field(%s, %d, %d, %d))", p.Type.Name, h.address(p), p.BitOff, p.Bits, signed)
		case direct(p):
			return h.names[p.Var]
		}
		return fmt.Sprintf("(*(%s *)%s)", h.aliasName(p.Type), h.address(p))
	case *Addr:
		return h.address(e.Of)
	case *FuncAddr:
		return fmt.Sprintf("((char *)%s)", h.names[e.Func])
	case *Unary:
		if e.Type().Kind == IEEE {
			return h.float(e.Op, e.Type(), h.expr(e.X))
		}
		if e.Op == Neg {
			return fmt.Sprintf("((%s)(-(%s)%s))", e.Type().Name, unsigned(e.Type()), h.expr(e.X))
		}
		return fmt.Sprintf("((%s)(~%s))", e.Type().Name, h.expr(e.X))
	case *Binary:
		return h.binary(e)
	case *Convert:
		return h.convert(e.X, e.T)
	case *Move:
		return fmt.Sprintf("(%s + (seltl_word)%s * %d)", h.expr(e.P), h.expr(e.By), e.Stride)
	case *Distance:
		return fmt.Sprintf("((%s)(((seltl_word)%s - (seltl_word)%s) / %d))", e.T.Name, h.expr(e.P), h.expr(e.Q), e.Stride)
	}
	h.err = fmt.Errorf("the expression %s has no value", Text(e))
	return "0"
}

func (h *harness) number64(t *Type, bits uint64) string {
	switch {
	case t.Kind == IEEE:
		return fmt.Sprintf("seltl_as_%s(%#xull)", t.Name, bits)
	case t.Kind == Pointer && bits == 0:
		return "((char *)0)"
	case t.Kind == Pointer:
		return fmt.Sprintf("seltl_at((seltl_uword)%#xull)", bits)
	case t.Signed && t.Size == 4 && int64(bits) >= 0:
		return fmt.Sprint(bits)
	}
	return fmt.Sprintf("((%s)%#xull)", t.Name, bits)
}

func (h *harness) binary(e *Binary) string {
	t := e.X.Type()
	x, y := h.expr(e.X), h.expr(e.Y)
	op := operatorText[e.Op]
	switch {
	case e.Op < Eq && t.Kind == IEEE:
		return h.float(e.Op, t, x, y)
	case e.Op >= Eq && t.Kind == Pointer:
		return fmt.Sprintf("((seltl_uword)%s %s (seltl_uword)%s)", x, op, y)
	case e.Op >= Eq:
		return fmt.Sprintf("(%s %s %s)", x, op, y)
	case e.Op == Shr, e.Op == Div, e.Op == Rem, e.Op == BitAnd, e.Op == BitOr, e.Op == BitXor:
		return fmt.Sprintf("((%s)(%s %s %s))", e.T.Name, x, op, y)
	case e.Op == Shl:
		return fmt.Sprintf("((%s)((%s)%s << %s))", e.T.Name, unsigned(t), x, y)
	}
	return fmt.Sprintf("((%s)((%s)%s %s (%s)%s))", e.T.Name, unsigned(t), x, op, unsigned(t), y)
}

// float is an operation on floating-point numbers.
func (h *harness) float(op Op, t *Type, x ...string) string {
	h.floats = true
	switch {
	case op == Neg:
		return fmt.Sprintf("(-%s)", x[0])
	case op <= Div:
		return fmt.Sprintf("((%s)(%s %s %s))", t.Name, x[0], operatorText[op], x[1])
	}
	name := operatorText[op]
	if op == Rem {
		name = "fmod"
	}
	return fmt.Sprintf("__builtin_%s%s(%s)", name, map[int64]string{4: "f"}[t.Size], strings.Join(x, ", "))
}

// convert is a value as one of another scalar type.
func (h *harness) convert(e Expr, t *Type) string {
	x, from := h.expr(e), e.Type()
	switch {
	case t.Kind == Pointer && from.Kind == Pointer:
		return x
	case t.Kind == Pointer:
		return fmt.Sprintf("seltl_at((seltl_uword)%s)", x)
	case from.Kind == Pointer:
		return fmt.Sprintf("((%s)(seltl_uword)%s)", t.Name, x)
	}
	return fmt.Sprintf("((%s)%s)", t.Name, x)
}
