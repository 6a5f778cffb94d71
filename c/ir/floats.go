package ir

import (
	"strconv"
	"strings"

	"github.com/seltl/seltl/internal/ieee"
)

// ComputesFloats reports floating-point numbers that are computed in what runs from a routine come to.
func (p *Program) ComputesFloats(entry *Func) (does bool) {
	if p.FloatFolds || p.Model == ILP32 && p.FloatLiterals {
		return true
	}
	for _, f := range append(p.Reached(entry), entry) {
		f.Expressions(func(e Expr) {
			switch e := e.(type) {
			case *Binary:
				does = does || e.X.Type().Kind == IEEE && (e.Op < Eq || p.Model == ILP32)
			case *Convert:
				does = does || e.T.Kind == IEEE
			}
		})
	}
	return does
}

// folded is the value that an expression of constants has; itself, if that is no number, whose bits nobody knows.
func folded(e Expr, t *Type, bits uint64) Expr {
	if t.Kind == IEEE && ieee.IsNaN(t.Width(), bits) {
		return e
	}
	return &Const{t, bits}
}

// roundings are operators that are one of package ieee.
var roundings = map[Op]ieee.Op{Add: ieee.Add, Mul: ieee.Mul, Div: ieee.Div, Rem: ieee.Fmod, Remainder: ieee.Remainder,
	Sqrt: ieee.Sqrt, Floor: ieee.Floor, Ceil: ieee.Ceil, Trunc: ieee.Trunc, Round: ieee.Round, Rint: ieee.Rint}

// Rounding is the operation that an operator is on floating-point numbers, if it is one of package ieee.
func (op Op) Rounding() (ieee.Op, bool) { o, ok := roundings[op]; return o, ok }

// FloatUnary is the result of an operation on a floating-point number, both as their bits, of 32 or 64.
func FloatUnary(op Op, width int, x uint64) uint64 {
	sign := uint64(1) << (width - 1)
	switch op {
	case Neg:
		return x ^ sign
	case Abs:
		return x &^ sign
	}
	return ieee.Apply(roundings[op], width, width, x, 0)
}

// FloatBinary is that of two; a comparison gives 0 or 1. Not ok: C leaves open which it is, or it is not computed.
func FloatBinary(op Op, width int, x, y uint64) (z uint64, ok bool) {
	sign := uint64(1) << (width - 1)
	switch op {
	case Sub:
		return ieee.Apply(ieee.Add, width, width, x, y^sign), true
	case CopySign:
		return x&^sign | y&sign, true
	case FMin, FMax:
		switch {
		case x != y && ieee.Equal(width, x, y): // either of 0 and -0
			return y, false
		case ieee.Signals(width, x) || ieee.Signals(width, y): // a number, or NaN
			return x, false
		case ieee.IsNaN(width, x):
			return y, true
		case ieee.IsNaN(width, y) || ieee.Less(width, x, y) == (op == FMin):
			return x, true
		}
		return y, true
	case Eq:
		return truth(ieee.Equal(width, x, y)), true
	case Ne:
		return truth(!ieee.Equal(width, x, y)), true
	case Lt:
		return truth(ieee.Less(width, x, y)), true
	case Le:
		return truth(ieee.Less(width, x, y) || ieee.Equal(width, x, y)), true
	}
	o, ok := roundings[op]
	return ieee.Apply(o, width, width, x, y), ok
}

// EvalConvert converts a canonical value; ok is false for a number that does not fit.
func EvalConvert(from, to *Type, x uint64) (z uint64, ok bool) {
	w, v := from.Width(), to.Width()
	switch {
	case from.Kind == IEEE && to.Kind == IEEE && w == v:
		return x, true
	case from.Kind == IEEE && to.Kind == IEEE:
		return ieee.Apply(ieee.Convert, w, v, x, 0), true
	case from.Kind == IEEE:
		z, ok = ieee.ToInteger(to.Signed, w, v, x)
		return Extend(to, z), ok
	case to.Kind == IEEE && from.Signed:
		return ieee.Apply(ieee.OfSigned, 64, v, x, 0), true
	case to.Kind == IEEE:
		return ieee.Apply(ieee.OfUnsigned, 64, v, x, 0), true
	}
	return Extend(to, x), true
}

// floatText is a floating-point number as C has it.
func floatText(t *Type, bits uint64) string {
	x, suffix := ieee.Float(t.Width(), bits), ""
	if t.Size == 4 {
		suffix = "f"
	}
	text := strconv.FormatFloat(x, 'g', -1, t.Width())
	switch {
	case x != x:
		return "NAN"
	case strings.HasSuffix(text, "Inf"):
		return strings.Replace(strings.TrimPrefix(text, "+"), "Inf", "INFINITY", 1)
	case !strings.ContainsAny(text, ".e"):
		text += ".0"
	}
	return text + suffix
}
