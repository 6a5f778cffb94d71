package cfront

import (
	"regexp"
	"sync"

	"github.com/seltl/seltl/internal/lists"

	"modernc.org/cc/v4"
)

// overflowBuiltin are the names of builtins that compute a + b, a - b or a * b, store that as
// something else, and say whether it is another number then.
var overflowBuiltin = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^__builtin_([su]?)(add|sub|mul)(l|ll|)_overflow$`)
})

// overflowing lowers such a builtin: the operation over a type that has all results, and, for the
// widest numbers, what the machine's carry says. False: it has none of these, and is not followed.
func (r *routine) overflowing(n *cc.PostfixExpression, f *Func) (Expr, bool) {
	name := overflowBuiltin().FindStringSubmatch(f.Name)
	if name == nil || !f.Extern() || len(argumentsOf(n)) != 3 {
		return nil, false
	}
	at := r.span(n)
	values := lists.Append(nil, r.given(n), func(v Expr) Expr { return r.save(v, at) })
	x, y, to := values[0], values[1], values[2]
	if to.Type().Kind != Pointer || to.Type().Elem.Kind != Integer || x.Type().Kind != Integer || y.Type().Kind != Integer {
		refuse(at, "c-type", "", "%s is not for these types", f.Name)
	}
	t := to.Type().Elem
	if name[1] != "" { // of one type
		size := map[string]int64{"": 4, "l": r.types.model.PointerSize(), "ll": 8}[name[3]]
		of := r.types.integer(size, name[1] == "s", false)
		x, y = fold(&Convert{x, of}), fold(&Convert{y, of})
	}
	op := map[string]Op{"add": Add, "sub": Sub, "mul": Mul}[name[2]]
	wide, carry, ok := r.exactly(op, x, y, t, at)
	if !ok {
		return nil, false
	}
	result := r.temp(t)
	r.emit(&Assign{To: whole(result), Value: fold(&Convert{wide, t}), Span: at})
	stored := &Load{whole(result)}
	if carry == nil {
		carry = fold(&Binary{Ne, fold(&Convert{stored, wide.Type()}), wide, r.types.int()})
	}
	over := r.save(carry, at)
	r.emit(&Assign{To: Place{Ptr: to, Type: t}, Value: stored, Span: at})
	return over, true
}

// exactly is a result of an operation: of a type that has all of them, or, modulo the width, with the
// condition that it is another number in type t.
func (r *routine) exactly(op Op, x, y Expr, t *Type, at Span) (wide, carry Expr, ok bool) {
	long, word := r.types.integer(8, true, false), r.types.integer(8, false, false)
	a, b := x.Type(), y.Type()
	if a.Size <= 4 && b.Size <= 4 {
		if op == Mul && !a.Signed && !b.Signed {
			long = word // the product of two unsigned ones
		}
		return fold(&Binary{op, fold(&Convert{x, long}), fold(&Convert{y, long}), long}), nil, t.Size < 8 || t.Signed == long.Signed
	}
	if op == Mul || a.Size != b.Size || a.Size != t.Size || a.Signed != b.Signed || a.Signed != t.Signed {
		return nil, nil, false
	}
	int_, zero := r.types.int(), &Const{t, 0}
	bits := func(e Expr) Expr { return fold(&Convert{e, word}) } // so that nothing overflows
	wide = r.save(fold(&Binary{op, bits(x), bits(y), word}), at)
	switch {
	case !t.Signed && op == Add:
		carry = &Binary{Lt, wide, bits(x), int_}
	case !t.Signed:
		carry = &Binary{Lt, x, y, int_}
	default:
		// The signs of both operands, the second one negated, differ from that of the result.
		other := bits(y)
		if op == Sub {
			other = &Unary{BitNot, other}
		}
		signs := &Binary{BitAnd, &Binary{BitXor, bits(x), wide, word}, &Binary{BitXor, other, wide, word}, word}
		carry = &Binary{Lt, &Convert{signs, t}, zero, int_}
	}
	return wide, carry, true
}
