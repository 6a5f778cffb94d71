package encode

import (
	"math/big"

	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/logic"
)

// value is a scalar in an encoding. A truth value has cond, and t may be nil until it is
// needed as a number. Lo and hi are bounds of a mathematical integer, nil where not known.
type value struct {
	t      *logic.Term
	cond   *logic.Term
	lo, hi *big.Int
}

// arithmetic is what the two encodings differ in. Types are integers and pointers, which
// are unsigned. An operation that an encoding cannot say gives any value: free makes one.
type arithmetic interface {
	sort(t *ir.Type) *logic.Sort
	// number is a constant, of canonical bits.
	number(t *ir.Type, bits uint64) value
	// variable is the value of a term that stands for a cell, a bit-field of bits bits if
	// that is not 0; any is that of a choice, whose values domain says.
	variable(t *ir.Type, x *logic.Term, bits int) value
	domain(t *ir.Type, x *logic.Term, bits int) *logic.Term
	// neg, not and the binary operations; y of a shift has type yt, and is in range.
	unary(op ir.Op, t *ir.Type, x value) value
	binary(op ir.Op, t *ir.Type, x, y value, yt *ir.Type, free func() *logic.Term) value
	compare(op ir.Op, t *ir.Type, x, y value) *logic.Term
	convert(from, to *ir.Type, x value) value
	// narrow cuts a value to the bits of a bit-field, and extends it again.
	narrow(t *ir.Type, x value, bits int) value
	// join makes a scalar of bytes, the lowest first; piece is one of them.
	join(t *ir.Type, parts []value) value
	piece(x value, i int) value
	// truth is 1 or 0.
	truth(t *ir.Type, cond *logic.Term) value
}

func signed(t *ir.Type) bool { return t.Kind == ir.Integer && t.Signed }

// words is the encoding by machine words.
type words struct{}

func (words) sort(t *ir.Type) *logic.Sort { return logic.BitVec(max(int(t.Size)*8, 8)) }

func (words) number(t *ir.Type, bits uint64) value {
	return value{t: logic.BVConst(new(big.Int).SetUint64(bits), t.Width())}
}

func (words) variable(_ *ir.Type, x *logic.Term, _ int) value { return value{t: x} }

func (w words) domain(t *ir.Type, x *logic.Term, bits int) *logic.Term {
	switch {
	case t.Bool:
		return logic.BVULe(x, logic.BVConst(big.NewInt(1), t.Width()))
	case bits > 0:
		return logic.Eq(x, w.narrow(t, value{t: x}, bits).t)
	}
	return logic.True()
}

func (words) unary(op ir.Op, _ *ir.Type, x value) value {
	if op == ir.Neg {
		return value{t: logic.BVNeg(x.t)}
	}
	return value{t: logic.BVNot(x.t)}
}

func (w words) binary(op ir.Op, t *ir.Type, x, y value, yt *ir.Type, _ func() *logic.Term) value {
	pick := func(s, u logic.Op) logic.Op {
		if signed(t) {
			return s
		}
		return u
	}
	zero := func(v value) bool { return v.t.Op() == logic.OpNumber && v.t.Num().Sign() == 0 }
	switch op {
	case ir.Add:
		switch {
		case zero(x):
			return value{t: y.t}
		case zero(y):
			return value{t: x.t}
		}
		return value{t: logic.BVAdd(x.t, y.t)}
	case ir.Sub:
		return value{t: logic.BVSub(x.t, y.t)}
	case ir.Shl, ir.Shr:
		by := w.convert(yt, t, y).t
		if op == ir.Shl {
			return value{t: logic.BVOp(logic.OpBVShl, x.t, by)}
		}
		return value{t: logic.BVOp(pick(logic.OpBVAShr, logic.OpBVLShr), x.t, by)}
	}
	ops := map[ir.Op]logic.Op{ir.Mul: logic.OpBVMul, ir.Div: pick(logic.OpBVSDiv, logic.OpBVUDiv), ir.Rem: pick(logic.OpBVSRem, logic.OpBVURem),
		ir.BitAnd: logic.OpBVAnd, ir.BitOr: logic.OpBVOr, ir.BitXor: logic.OpBVXor}
	return value{t: logic.BVOp(ops[op], x.t, y.t)}
}

func (words) compare(op ir.Op, t *ir.Type, x, y value) *logic.Term {
	switch op {
	case ir.Eq:
		return logic.Eq(x.t, y.t)
	case ir.Ne:
		return logic.Ne(x.t, y.t)
	case ir.Lt:
		if signed(t) {
			return logic.BVSLt(x.t, y.t)
		}
		return logic.BVULt(x.t, y.t)
	}
	if signed(t) {
		return logic.BVSLe(x.t, y.t)
	}
	return logic.BVULe(x.t, y.t)
}

func (words) convert(from, to *ir.Type, x value) value {
	switch a, b := from.Width(), to.Width(); {
	case a > b:
		return value{t: logic.Extract(x.t, b-1, 0)}
	case a < b && signed(from):
		return value{t: logic.SignExtend(x.t, b-a)}
	case a < b:
		return value{t: logic.ZeroExtend(x.t, b-a)}
	}
	return x
}

func (words) narrow(t *ir.Type, x value, bits int) value {
	part := logic.Extract(x.t, bits-1, 0)
	if rest := t.Width() - bits; rest > 0 {
		if t.Signed {
			part = logic.SignExtend(part, rest)
		} else {
			part = logic.ZeroExtend(part, rest)
		}
	}
	return value{t: part}
}

func (words) join(_ *ir.Type, parts []value) value {
	t := parts[0].t
	for _, p := range parts[1:] {
		t = logic.Concat(p.t, t)
	}
	return value{t: t}
}

func (words) piece(x value, i int) value { return value{t: logic.Extract(x.t, 8*i+7, 8*i)} }

func (w words) truth(t *ir.Type, cond *logic.Term) value {
	return value{t: logic.Ite(cond, w.number(t, 1).t, w.number(t, 0).t), cond: cond}
}
