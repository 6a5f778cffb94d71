package cfront

import (
	"regexp"
	"sync"

	"modernc.org/cc/v4"

	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/internal/lists"
)

// overflowBuiltin are the names of builtins that compute a + b, a - b or a * b, store that as
// something else, and say whether it is another number then.
var overflowBuiltin = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^__builtin_([su]?)(add|sub|mul)(l|ll|)_overflow$`)
})

// overflowing lowers such a builtin: the operation over a type that has all results, and, for the
// widest numbers, what the machine's carry says. False: it has none of these, and is not followed.
func (r *routine) overflowing(n *cc.PostfixExpression, f *ir.Func) (ir.Expr, bool) {
	name := overflowBuiltin().FindStringSubmatch(f.Name)
	if name == nil || !f.Extern() || len(argumentsOf(n)) != 3 {
		return nil, false
	}
	at := r.span(n)
	values := lists.Append(nil, r.given(n), func(v ir.Expr) ir.Expr { return r.save(v, at) })
	x, y, to := values[0], values[1], values[2]
	if to.Type().Kind != ir.Pointer || to.Type().Elem.Kind != ir.Integer || x.Type().Kind != ir.Integer || y.Type().Kind != ir.Integer {
		refuse(at, "c-type", "", "%s is not for these types", f.Name)
	}
	t := to.Type().Elem
	if name[1] != "" { // of one type
		size := map[string]int64{"": 4, "l": r.types.model.PointerSize(), "ll": 8}[name[3]]
		of := r.types.integer(size, name[1] == "s", false)
		x, y = ir.Fold(&ir.Convert{X: x, T: of}), ir.Fold(&ir.Convert{X: y, T: of})
	}
	op := map[string]ir.Op{"add": ir.Add, "sub": ir.Sub, "mul": ir.Mul}[name[2]]
	wide, carry, ok := r.exactly(op, x, y, t, at)
	if !ok {
		return nil, false
	}
	result := r.temp(t)
	r.emit(&ir.Assign{To: ir.Whole(result), Value: ir.Fold(&ir.Convert{X: wide, T: t}), Span: at})
	stored := &ir.Load{From: ir.Whole(result)}
	if carry == nil {
		carry = ir.Fold(&ir.Binary{Op: ir.Ne, X: ir.Fold(&ir.Convert{X: stored, T: wide.Type()}), Y: wide, T: r.types.int()})
	}
	over := r.save(carry, at)
	r.emit(&ir.Assign{To: ir.Place{Ptr: to, Type: t}, Value: stored, Span: at})
	return over, true
}

// exactly is a result of an operation: of a type that has all of them, or, modulo the width, with the
// condition that it is another number in type t.
func (r *routine) exactly(op ir.Op, x, y ir.Expr, t *ir.Type, at ir.Span) (wide, carry ir.Expr, ok bool) {
	long, word := r.types.integer(8, true, false), r.types.integer(8, false, false)
	a, b := x.Type(), y.Type()
	if a.Size <= 4 && b.Size <= 4 {
		if op == ir.Mul && !a.Signed && !b.Signed {
			long = word // the product of two unsigned ones
		}
		return ir.Fold(&ir.Binary{Op: op, X: ir.Fold(&ir.Convert{X: x, T: long}), Y: ir.Fold(&ir.Convert{X: y, T: long}), T: long}), nil, t.Size < 8 || t.Signed == long.Signed
	}
	if op == ir.Mul || a.Size != b.Size || a.Size != t.Size || a.Signed != b.Signed || a.Signed != t.Signed {
		return nil, nil, false
	}
	int_, zero := r.types.int(), &ir.Const{T: t, Bits: 0}
	bits := func(e ir.Expr) ir.Expr { return ir.Fold(&ir.Convert{X: e, T: word}) } // so that nothing overflows
	wide = r.save(ir.Fold(&ir.Binary{Op: op, X: bits(x), Y: bits(y), T: word}), at)
	switch {
	case !t.Signed && op == ir.Add:
		carry = &ir.Binary{Op: ir.Lt, X: wide, Y: bits(x), T: int_}
	case !t.Signed:
		carry = &ir.Binary{Op: ir.Lt, X: x, Y: y, T: int_}
	default:
		// The signs of both operands, the second one negated, differ from that of the result.
		other := bits(y)
		if op == ir.Sub {
			other = &ir.Unary{Op: ir.BitNot, X: other}
		}
		signs := &ir.Binary{Op: ir.BitAnd, X: &ir.Binary{Op: ir.BitXor, X: bits(x), Y: wide, T: word}, Y: &ir.Binary{Op: ir.BitXor, X: other, Y: wide, T: word}, T: word}
		carry = &ir.Binary{Op: ir.Lt, X: &ir.Convert{X: signs, T: t}, Y: zero, T: int_}
	}
	return wide, carry, true
}
