package cfront

import (
	"math"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/internal/ieee"
)

// What C and IEEE 754 define exactly of math.h is an operation of expressions, where no source defines
// it.

// mathOps are these operations by the names of routines for double.
var mathOps = map[string]ir.Op{"fabs": ir.Abs, "sqrt": ir.Sqrt, "floor": ir.Floor, "ceil": ir.Ceil, "trunc": ir.Trunc, "round": ir.Round, "rint": ir.Rint, "nearbyint": ir.Rint,
	"roundeven": ir.Rint, "copysign": ir.CopySign, "fmin": ir.FMin, "fmax": ir.FMax, "fmod": ir.Rem, "remainder": ir.Remainder, "drem": ir.Remainder}

// setsErrno are those that may say so in errno that their argument has no result.
var setsErrno = []ir.Op{ir.Sqrt, ir.Rem, ir.Remainder}

// maths makes operations of calls.
func (l *linker) maths() {
	for _, f := range l.prog.Funcs {
		for _, b := range f.Blocks {
			for k, i := range b.Instrs {
				c, ok := i.(*ir.Call)
				if !ok || c.Callee == nil || !c.Callee.Means(ir.AsMath) || slices.Contains(l.opts.Abstract, c.Callee.Name) {
					continue
				}
				if e := l.mathOf(c); e != nil {
					b.Instrs[k] = &ir.Use{Value: e, Span: c.Span}
					if c.To != nil {
						b.Instrs[k] = &ir.Assign{To: *c.To, Value: e, Span: c.Span}
					}
				}
			}
		}
	}
}

// mathOf is the value of a call, nil where that is not known.
func (l *linker) mathOf(c *ir.Call) ir.Expr {
	if len(c.Args) == 0 {
		return nil
	}
	t, name := c.Args[0].Type(), strings.TrimPrefix(ir.PlainName(c.Callee.Name), "__")
	if t.Size == 4 {
		name = strings.TrimSuffix(name, "f")
	}
	op, known := mathOps[name]
	operands := 1
	if op == ir.Rem || op >= ir.Remainder {
		operands = 2
	}
	same := t.Kind == ir.IEEE && len(c.Args) == operands && c.Args[operands-1].Type() == t && (c.To == nil || c.To.Type == t)
	if !known || !same || l.prog.Errno() != nil && slices.Contains(setsErrno, op) {
		return nil
	}
	if operands == 1 {
		return ir.Fold(&ir.Unary{Op: op, X: c.Args[0]})
	}
	return ir.Fold(&ir.Binary{Op: op, X: c.Args[0], Y: c.Args[1], T: t})
}

// floatBuiltin lowers what compilers have built in for floating-point numbers of any type.
func (r *routine) floatBuiltin(n *cc.PostfixExpression, f *ir.Func) (ir.Expr, bool) {
	name, builtin := strings.CutPrefix(f.Name, ir.BuiltinPrefix)
	if !builtin {
		return nil, false
	}
	switch name {
	case "inf", "huge_val":
		return &ir.Const{T: r.types.ieee(8), Bits: ieee.Infinity(64)}, true
	case "inff", "huge_valf":
		return &ir.Const{T: r.types.ieee(4), Bits: ieee.Infinity(32)}, true
	case "nan":
		return r.noNumber(n, 8), true
	case "nanf":
		return r.noNumber(n, 4), true
	case "nans":
		return r.signalling(n, 8), true
	case "nansf":
		return r.signalling(n, 4), true
	case "isnan", "isinf", "isinf_sign", "isfinite", "isnormal", "isunordered", "isgreater", "isgreaterequal", "isless", "islessequal", "islessgreater", "fpclassify":
	default:
		return nil, false
	}
	args := argumentsOf(n)
	for _, a := range args {
		if t := a.Type(); t == nil || !cc.IsIntegerType(t) && r.typeOf(r.module, a, t).Kind != ir.IEEE {
			return nil, false
		}
	}
	given := r.given(n)
	x := given[len(given)-1]
	if x.Type().Kind == ir.Integer {
		x = r.convert(n, x, r.types.ieee(8))
	}
	if len(given) == 2 {
		return r.relates(n, name, given[0], given[1]), true
	}
	t, word := x.Type(), r.types.int()
	infinite := &ir.Const{T: t, Bits: ieee.Infinity(t.Width())}
	is := func(op ir.Op, x, y ir.Expr) ir.Expr { return ir.Fold(&ir.Binary{Op: op, X: x, Y: y, T: word}) }
	amount := ir.Fold(&ir.Unary{Op: ir.Abs, X: x})
	finite := is(ir.Lt, amount, infinite)
	least := &ir.Const{T: t, Bits: ieee.Word(t.Width(), math.Ldexp(1, map[int64]int{4: -126, 8: -1022}[t.Size]))}
	normal := is(ir.BitAnd, is(ir.Le, least, amount), finite)
	switch name {
	case "isnan":
		return is(ir.Ne, x, x), true
	case "isinf":
		return is(ir.Eq, amount, infinite), true
	case "isinf_sign":
		return is(ir.Sub, is(ir.Eq, x, infinite), is(ir.Eq, ir.Fold(&ir.Unary{Op: ir.Neg, X: x}), infinite)), true
	case "isfinite":
		return finite, true
	case "isnormal":
		return normal, true
	}
	if len(given) != 6 {
		refuse(r.span(n), "c-arguments", "", "%d arguments for %s", len(given), f.Name)
	}
	zero := is(ir.Eq, x, &ir.Const{T: t, Bits: 0})
	small := is(ir.BitAnd, is(ir.Lt, amount, least), is(ir.Ne, x, &ir.Const{T: t, Bits: 0}))
	var sum ir.Expr = &ir.Const{T: word, Bits: 0}
	for k, holds := range []ir.Expr{is(ir.Ne, x, x), is(ir.Eq, amount, infinite), normal, small, zero} { // one of them
		sum = is(ir.Add, sum, is(ir.Mul, r.convert(n, given[k], word), holds))
	}
	return sum, true
}

// signalling is the signalling NaN that compilers make of an empty string.
func (r *routine) signalling(n *cc.PostfixExpression, size int64) ir.Expr {
	if args := argumentsOf(n); len(args) != 1 || strings.TrimSpace(cc.NodeSource(args[0])) != `""` {
		refuse(r.span(n), "c-float", `give it ""`, "a signalling NaN with bits of its own is not supported")
	}
	r.given(n)
	t := r.types.ieee(size)
	w := t.Width()
	quiet := ieee.NaN(w) &^ ieee.Infinity(w)
	return &ir.Const{T: t, Bits: ieee.Infinity(w) | quiet>>1}
}

// noNumber is a value that is no number.
func (r *routine) noNumber(n *cc.PostfixExpression, size int64) ir.Expr {
	r.given(n)
	t := r.types.ieee(size)
	zero := &ir.Const{T: t, Bits: 0}
	return &ir.Binary{Op: ir.Div, X: zero, Y: zero, T: t}
}

// relates are comparisons that say nothing of what is no number.
func (r *routine) relates(n cc.Node, name string, x, y ir.Expr) ir.Expr {
	or := func(a, b ir.Expr) ir.Expr { return r.operate(n, ir.BitOr, a, b) }
	switch name {
	case "isgreater":
		return r.operate(n, ir.Lt, y, x)
	case "isgreaterequal":
		return r.operate(n, ir.Le, y, x)
	case "isless":
		return r.operate(n, ir.Lt, x, y)
	case "islessequal":
		return r.operate(n, ir.Le, x, y)
	case "islessgreater":
		return or(r.operate(n, ir.Lt, x, y), r.operate(n, ir.Lt, y, x))
	}
	return or(r.operate(n, ir.Ne, x, x), r.operate(n, ir.Ne, y, y))
}
