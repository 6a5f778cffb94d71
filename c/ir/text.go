package ir

import (
	"fmt"
	"math/big"
	"strings"

	"github.com/seltl/seltl/internal/lists"
)

// OperatorText are the operators as C writes them.
var OperatorText = map[Op]string{Neg: "-", BitNot: "~", Add: "+", Sub: "-", Mul: "*", Div: "/", Rem: "%", Shl: "<<", Shr: ">>",
	BitAnd: "&", BitOr: "|", BitXor: "^", Abs: "fabs", Sqrt: "sqrt", Floor: "floor", Ceil: "ceil", Trunc: "trunc", Round: "round", Rint: "rint",
	Remainder: "remainder", CopySign: "copysign", FMin: "fmin", FMax: "fmax", Eq: "==", Ne: "!=", Lt: "<", Le: "<="}

// String is the place as C has it, with names of members where the type tells them.
func (p Place) String() string { return exact.place(p) }

// Text is an expression as C has it, with all conversions.
func Text(e Expr) string { return exact.expr(e) }

// ShownText is an expression much as the user wrote it: temporaries are what they hold, and
// there are no conversions.
func ShownText(e Expr) string { return asWritten.expr(e) }

// style says how expressions are written.
type style uint8

const (
	exact     style = iota // the simplified program
	asWritten              // for messages
)

func (s style) variable(v *Var) string {
	if s == asWritten && v.Kind == Temp && v.Holds != "" {
		return v.Holds
	}
	return v.Name
}

func (s style) place(p Place) string {
	text, t := "", (*Type)(nil)
	off, index := p.Off, p.Index
	switch {
	case p.Var != nil:
		text, t = s.variable(p.Var), p.Var.Type
	default:
		t = p.Ptr.Type().Elem
		pointer := s.expr(p.Ptr)
		switch {
		case off == 0 && len(index) == 0 && (t.Scalar() || t == p.Type):
			return "*" + pointer
		case s == asWritten && len(index) > 0 && t.Size > 0 && index[0].Stride == t.Size:
			text = pointer + "[" + s.index(index[0].By, off/t.Size) + "]"
			off, index = off%t.Size, index[1:]
		case s == asWritten && t.Kind == Struct && !t.Union && len(index) == 0:
			if f, ok := p.fieldAt(t, off); ok {
				text, off, t = pointer+"->"+f.Name, off-f.Off, f.Type
				break
			}
			fallthrough
		default:
			text = "(*" + pointer + ")"
		}
	}
walk:
	for t != nil && (off != 0 || len(index) > 0 || t.Aggregate() && t != p.Type) {
		switch {
		case t.Kind == Array && t.Elem.Size > 0 && len(index) > 0 && index[0].Stride == t.Elem.Size:
			text += "[" + s.index(index[0].By, off/t.Elem.Size) + "]"
			index, off, t = index[1:], off%t.Elem.Size, t.Elem
			continue
		case t.Kind == Array && t.Elem.Size > 0 && len(index) == 0:
			text += fmt.Sprintf("[%d]", off/t.Elem.Size)
			off, t = off%t.Elem.Size, t.Elem
			continue
		case t.Kind == Struct && !t.Union:
			if f, ok := p.fieldAt(t, off); ok {
				text, off, t = text+"."+f.Name, off-f.Off, f.Type
				continue
			}
		}
		break walk
	}
	if off != 0 || len(index) > 0 {
		text += fmt.Sprintf("<%d", off)
		for _, i := range index {
			text += fmt.Sprintf("+%d*%s", i.Stride, s.expr(i.By))
		}
		text += ">"
	}
	return text
}

// index is an index and a number that is added to it.
func (s style) index(by Expr, n int64) string {
	if n == 0 {
		return s.expr(by)
	}
	return fmt.Sprintf("%s+%d", s.expr(by), n)
}

// fieldAt is the member that an offset lies in.
func (p Place) fieldAt(t *Type, off int64) (Field, bool) {
	for _, f := range t.Fields {
		if f.Bits > 0 && f.Off == off && f.BitOff == p.BitOff && f.Bits == p.Bits || f.Bits == 0 && p.Bits == 0 && f.Off <= off && off < f.Off+max(f.Type.Size, 1) ||
			f.Bits == 0 && f.Type.Kind == Struct && f.Off <= off && off < f.Off+f.Type.Size {
			return f, true
		}
	}
	return Field{}, false
}

func (s style) expr(e Expr) string {
	switch e := e.(type) {
	case *Const:
		if e.T.Kind == Pointer && e.Bits == 0 {
			return "NULL"
		}
		if e.T.Kind == IEEE {
			return Number(e.T, e.Bits)
		}
		if e.T.Signed {
			return fmt.Sprint(int64(e.Bits))
		}
		if s == asWritten {
			return fmt.Sprint(e.Bits)
		}
		return fmt.Sprintf("%du", e.Bits)
	case *Load:
		return s.place(e.From)
	case *Addr:
		if s == asWritten && e.Of.Var != nil && e.Of.Var.Type.Kind == Array && e.Of.Off == 0 && len(e.Of.Index) == 0 {
			return s.variable(e.Of.Var)
		}
		return "&" + s.place(e.Of)
	case *FuncAddr:
		return e.Func.Name
	case *Unary:
		if e.Op >= Abs {
			return fmt.Sprintf("%s(%s)", OperatorText[e.Op], outer(s.expr(e.X)))
		}
		return OperatorText[e.Op] + s.expr(e.X)
	case *Binary:
		if e.Op >= Abs && e.Op < Eq {
			return fmt.Sprintf("%s(%s, %s)", OperatorText[e.Op], outer(s.expr(e.X)), outer(s.expr(e.Y)))
		}
		return s.infix(e.X, OperatorText[e.Op], e.Y)
	case *Convert:
		if s == asWritten {
			return s.expr(e.X)
		}
		return fmt.Sprintf("(%s)%s", e.T, s.expr(e.X))
	case *Move:
		if by, ok := e.By.(*Unary); ok && s == asWritten && by.Op == Neg {
			return s.infix(e.P, "-", by.X)
		}
		return s.infix(e.P, "+", e.By)
	case *Distance:
		return s.infix(e.P, "-", e.Q)
	}
	return "?"
}

func (s style) infix(x Expr, operator string, y Expr) string {
	return fmt.Sprintf("(%s %s %s)", s.expr(x), operator, s.expr(y))
}

// outer is a text without the parentheses around the whole.
func outer(text string) string {
	if !strings.HasPrefix(text, "(") {
		return text
	}
	depth := 0
	for i, c := range text {
		switch c {
		case '(':
			depth++
		case ')':
			depth--
		}
		if depth == 0 && i < len(text)-1 {
			return text
		}
	}
	return text[1 : len(text)-1]
}

// Shown is a call much as the user wrote it.
func (c *Call) Shown() string {
	name := ""
	if c.Callee != nil {
		name = c.Callee.Name
	} else {
		name = ShownText(c.Ptr)
	}
	args := lists.Append(nil, c.Args, func(a Expr) string { return outer(ShownText(a)) })
	return fmt.Sprintf("%s(%s)", name, strings.Join(args, ", "))
}

// Number is a scalar's value in decimal; of a floating-point number, one that is read as the same.
func Number(t *Type, bits uint64) string {
	if t.Kind == IEEE {
		return floatText(t, bits)
	}
	n := new(big.Int).SetUint64(bits)
	if t.Kind == Integer && t.Signed {
		n.SetInt64(int64(bits))
	}
	return n.String()
}

// Inside says that something happens in a routine of the C library.
func (f *Func) Inside(what string) string {
	name, _, _ := strings.Cut(f.Name, "@") // of formats
	switch {
	case name == WordRoutine:
		name = "scanf"
	case strings.HasPrefix(name, OwnPrefix): // what it is for is said around it
		return what
	}
	return fmt.Sprintf("in %s(), %s", name, what)
}
