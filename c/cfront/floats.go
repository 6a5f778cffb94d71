package cfront

import (
	"math"
	"strconv"
	"strings"

	"modernc.org/cc/v4"

	"github.com/seltl/seltl/internal/ieee"
)

// Floating-point numbers are computed as their types say (FLT_EVAL_METHOD is 0), each operation rounded to
// nearest and by itself. Which bits a result has that is no number depends on the compiler: they are not
// known, and only that it is none is.

// floatConstant is a literal.
func (r *routine) floatConstant(n *cc.PrimaryExpression) Expr {
	t := r.typeOf(r.module, n, n.Type())
	if t.Kind != IEEE {
		return r.anyFloat(t)
	}
	x, err := strconv.ParseFloat(strings.TrimRight(n.Token.SrcStr(), "fFlL"), t.Width())
	if err != nil && !isRange(err) {
		return r.guess(t, r.span(n))
	}
	r.prog.literals = true
	return &Const{t, ieee.Word(t.Width(), x)}
}

func isRange(err error) bool {
	e, ok := err.(*strconv.NumError)
	return ok && e.Err == strconv.ErrRange
}

// operateFloats makes an operation where an operand is a floating-point number.
func (r *routine) operateFloats(n cc.Node, op Op, x, y Expr) Expr {
	t, other := x.Type(), y.Type()
	if t.Kind != IEEE || other.Kind == IEEE && other.Size > t.Size {
		t, other = other, t
	}
	if other.Kind != Integer && other.Kind != IEEE || op > Div && op < Eq {
		refuse(r.span(n), "c-type", "", "this operation is not for %s and %s", x.Type(), y.Type())
	}
	x, y = r.convert(n, x, t), r.convert(n, y, t)
	if op >= Eq {
		t = r.types.int()
	}
	e := fold(&Binary{op, x, y, t})
	if _, known := e.(*Const); known && op < Eq {
		r.prog.folds = true
	}
	return e
}

// ComputesFloats reports floating-point numbers that are computed in what runs from a routine come to.
func (p *Program) ComputesFloats(entry *Func) (does bool) {
	if p.folds || p.Model == ILP32 && p.literals {
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

// truthOf is a value as a condition: a floating-point number that is not 0.
func truthOf(e Expr) Expr {
	if t := e.Type(); t.Kind == IEEE {
		return fold(&Binary{Ne, e, &Const{t, 0}, &Type{Kind: Integer, Size: 4, Signed: true, Name: "int"}})
	}
	return e
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

func floatUnary(op Op, width int, x uint64) uint64 {
	sign := uint64(1) << (width - 1)
	switch op {
	case Neg:
		return x ^ sign
	case Abs:
		return x &^ sign
	}
	return ieee.Apply(roundings[op], width, width, x, 0)
}

func floatBinary(op Op, width int, x, y uint64) (z uint64, ok bool) {
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

// evalConvert converts a canonical value; ok is false for a number that does not fit.
func evalConvert(from, to *Type, x uint64) (z uint64, ok bool) {
	w, v := from.Width(), to.Width()
	switch {
	case from.Kind == IEEE && to.Kind == IEEE && w == v:
		return x, true
	case from.Kind == IEEE && to.Kind == IEEE:
		return ieee.Apply(ieee.Convert, w, v, x, 0), true
	case from.Kind == IEEE:
		z, ok = ieee.ToInteger(to.Signed, w, v, x)
		return canonical(to, z), ok
	case to.Kind == IEEE && from.Signed:
		return ieee.Apply(ieee.OfSigned, 64, v, x, 0), true
	case to.Kind == IEEE:
		return ieee.Apply(ieee.OfUnsigned, 64, v, x, 0), true
	}
	return canonical(to, x), true
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

// ReadFloat reads what floatText writes, and other floating-point numbers.
func ReadFloat(t *Type, text string) (bits uint64, ok bool) {
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

// bitsOfNaN is why the bits of what is no number are not known.
const bitsOfNaN = "the bits of what is no number (NaN), which C leaves open"

// ofNumber is the label of what an operation makes of a floating-point number: its bits do not count if it is none.
func (g *guesses) ofNumber(l label) label {
	if g.kind(l) == noNumber {
		return 0
	}
	return g.changed(l)
}

// number adds to the label of a floating-point result what is not known of it.
func (m *Machine) number(t *Type, z uint64) uint64 {
	if t.Kind == IEEE && ieee.IsNaN(t.Width(), z) {
		m.depend(m.guesses.label(guess{bitsOfNaN, noNumber}))
	}
	return z
}

func (m *Machine) unaryFloat(e *Unary, span Span) (uint64, error) {
	before := m.depends()
	x, err := m.eval(e.X, span)
	m.dep = m.ofNumber(m.dep)
	z := m.number(e.Type(), floatUnary(e.Op, e.Type().Width(), x))
	m.depend(before)
	return z, err
}

func (m *Machine) binaryFloat(e *Binary, x, y uint64, first, second label, span Span) uint64 {
	t := e.X.Type()
	m.depend(m.ofNumber(first))
	if e.Op != CopySign {
		second = m.ofNumber(second)
	}
	m.depend(m.changed(second))
	if (e.Op == FMin || e.Op == FMax) && x != y && ieee.Equal(t.Width(), x, y) {
		m.depend(m.guesses.label(guess{why: "which of 0 and -0 is less or greater" + placeIn(span)}))
	}
	z, _ := floatBinary(e.Op, t.Width(), x, y)
	return m.number(e.T, z)
}

// convertFloat converts from or to a floating-point number.
func (m *Machine) convertFloat(e *Convert, span Span) (uint64, error) {
	before, from := m.depends(), e.X.Type()
	x, err := m.eval(e.X, span)
	switch l := m.depends(); {
	case from.Kind == IEEE:
		m.depend(m.ofNumber(l))
	case m.points(l):
		m.depend(m.guesses.layout())
	default:
		m.depend(m.changed(l))
	}
	z, ok := evalConvert(from, e.T, x)
	if !ok {
		m.depend(m.guesses.label(guess{why: "what becomes of a number that does not fit " + e.T.Name + placeIn(span)}))
	}
	m.number(e.T, z)
	m.depend(before)
	return z, err
}
