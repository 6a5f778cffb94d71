package cfront

import (
	"math"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"github.com/seltl/seltl/internal/ieee"
)

// What C and IEEE 754 define exactly of math.h is an operation of expressions, where no source defines
// it.

// mathOps are these operations by the names of routines for double.
var mathOps = map[string]Op{"fabs": Abs, "sqrt": Sqrt, "floor": Floor, "ceil": Ceil, "trunc": Trunc, "round": Round, "rint": Rint, "nearbyint": Rint,
	"roundeven": Rint, "copysign": CopySign, "fmin": FMin, "fmax": FMax, "fmod": Rem, "remainder": Remainder, "drem": Remainder}

// setsErrno are those that may say so in errno that their argument has no result.
var setsErrno = []Op{Sqrt, Rem, Remainder}

// maths makes operations of calls.
func (l *linker) maths() {
	for _, f := range l.prog.Funcs {
		for _, b := range f.Blocks {
			for k, i := range b.Instrs {
				c, ok := i.(*Call)
				if !ok || c.Callee == nil || !c.Callee.means(AsMath) || slices.Contains(l.opts.Abstract, c.Callee.Name) {
					continue
				}
				if e := l.mathOf(c); e != nil {
					b.Instrs[k] = &Use{Value: e, Span: c.Span}
					if c.To != nil {
						b.Instrs[k] = &Assign{To: *c.To, Value: e, Span: c.Span}
					}
				}
			}
		}
	}
}

// mathOf is the value of a call, nil where that is not known.
func (l *linker) mathOf(c *Call) Expr {
	if len(c.Args) == 0 {
		return nil
	}
	t, name := c.Args[0].Type(), strings.TrimPrefix(plainName(c.Callee.Name), "__")
	if t.Size == 4 {
		name = strings.TrimSuffix(name, "f")
	}
	op, known := mathOps[name]
	operands := 1
	if op == Rem || op >= Remainder {
		operands = 2
	}
	same := t.Kind == IEEE && len(c.Args) == operands && c.Args[operands-1].Type() == t && (c.To == nil || c.To.Type == t)
	if !known || !same || l.prog.errno() != nil && slices.Contains(setsErrno, op) {
		return nil
	}
	if operands == 1 {
		return fold(&Unary{op, c.Args[0]})
	}
	return fold(&Binary{op, c.Args[0], c.Args[1], t})
}

// floatBuiltin lowers what compilers have built in for floating-point numbers of any type.
func (r *routine) floatBuiltin(n *cc.PostfixExpression, f *Func) (Expr, bool) {
	name, builtin := strings.CutPrefix(f.Name, builtinPrefix)
	if !builtin {
		return nil, false
	}
	switch name {
	case "inf", "huge_val":
		return &Const{r.types.ieee(8), ieee.Infinity(64)}, true
	case "inff", "huge_valf":
		return &Const{r.types.ieee(4), ieee.Infinity(32)}, true
	case "nan", "nans":
		return r.noNumber(n, 8), true
	case "nanf", "nansf":
		return r.noNumber(n, 4), true
	case "isnan", "isinf", "isinf_sign", "isfinite", "isnormal", "isunordered", "isgreater", "isgreaterequal", "isless", "islessequal", "islessgreater", "fpclassify":
	default:
		return nil, false
	}
	args := argumentsOf(n)
	for _, a := range args {
		if t := a.Type(); t == nil || !cc.IsIntegerType(t) && r.typeOf(r.module, a, t).Kind != IEEE {
			return nil, false
		}
	}
	given := r.given(n)
	x := given[len(given)-1]
	if x.Type().Kind == Integer {
		x = r.convert(n, x, r.types.ieee(8))
	}
	if len(given) == 2 {
		return r.relates(n, name, given[0], given[1]), true
	}
	t, word := x.Type(), r.types.int()
	infinite := &Const{t, ieee.Infinity(t.Width())}
	is := func(op Op, x, y Expr) Expr { return fold(&Binary{op, x, y, word}) }
	amount := fold(&Unary{Abs, x})
	finite := is(Lt, amount, infinite)
	least := &Const{t, ieee.Word(t.Width(), math.Ldexp(1, map[int64]int{4: -126, 8: -1022}[t.Size]))}
	normal := is(BitAnd, is(Le, least, amount), finite)
	switch name {
	case "isnan":
		return is(Ne, x, x), true
	case "isinf":
		return is(Eq, amount, infinite), true
	case "isinf_sign":
		return is(Sub, is(Eq, x, infinite), is(Eq, fold(&Unary{Neg, x}), infinite)), true
	case "isfinite":
		return finite, true
	case "isnormal":
		return normal, true
	}
	if len(given) != 6 {
		refuse(r.span(n), "c-arguments", "", "%d arguments for %s", len(given), f.Name)
	}
	zero := is(Eq, x, &Const{t, 0})
	small := is(BitAnd, is(Lt, amount, least), is(Ne, x, &Const{t, 0}))
	var sum Expr = &Const{word, 0}
	for k, holds := range []Expr{is(Ne, x, x), is(Eq, amount, infinite), normal, small, zero} { // one of them
		sum = is(Add, sum, is(Mul, r.convert(n, given[k], word), holds))
	}
	return sum, true
}

// noNumber is a value that is no number.
func (r *routine) noNumber(n *cc.PostfixExpression, size int64) Expr {
	r.given(n)
	t := r.types.ieee(size)
	zero := &Const{t, 0}
	return &Binary{Div, zero, zero, t}
}

// relates are comparisons that say nothing of what is no number.
func (r *routine) relates(n cc.Node, name string, x, y Expr) Expr {
	or := func(a, b Expr) Expr { return r.operate(n, BitOr, a, b) }
	switch name {
	case "isgreater":
		return r.operate(n, Lt, y, x)
	case "isgreaterequal":
		return r.operate(n, Le, y, x)
	case "isless":
		return r.operate(n, Lt, x, y)
	case "islessequal":
		return r.operate(n, Le, x, y)
	case "islessgreater":
		return or(r.operate(n, Lt, x, y), r.operate(n, Lt, y, x))
	}
	return or(r.operate(n, Ne, x, x), r.operate(n, Ne, y, y))
}
