package encode

import (
	"math/bits"

	"math"
	"math/big"

	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/internal/ieee"
	"github.com/seltl/seltl/logic"
)

// Floating-point numbers over machine words are these words, and operations terms that a solver with the theory of
// floating-point numbers decides; over unbounded integers, all that is computed of them is any value. What is no
// number is one word as long as only such operations see it; where its bits can be read, it gets any.

func float(t *ir.Type) bool { return t.Kind == ir.IEEE }

// floatOf is a number that is computed with; ok is false where only any value can stand for it.
func (c *context) floatOf(e ir.Expr) (x *logic.Term, ok bool) {
	v := c.value(e)
	_, exact := c.a.(words)
	return v.t, exact && !c.address(e)
}

func (c *context) unaryFloat(e *ir.Unary) value {
	x, ok := c.floatOf(e.X)
	if !ok {
		return c.any(e.Type())
	}
	switch e.Op {
	case ir.Neg:
		return value{t: logic.FloatNeg(x)}
	case ir.Abs:
		return value{t: logic.FloatAbs(x)}
	}
	op, _ := e.Op.Rounding()
	return value{t: logic.Float(op, e.Type().Width(), x)}
}

func (c *context) binaryFloat(e *ir.Binary) value {
	x, first := c.floatOf(e.X)
	y, second := c.floatOf(e.Y)
	if !first || !second {
		return c.any(e.T)
	}
	w := e.T.Width()
	switch e.Op {
	case ir.Sub:
		return value{t: logic.Float(ieee.Add, w, x, logic.FloatNeg(y))}
	case ir.CopySign:
		y = c.openNaN(e.T, y)
		return value{t: logic.Concat(logic.Extract(y, w-1, w-1), logic.Extract(x, w-2, 0))}
	case ir.FMin, ir.FMax:
		less := logic.FloatLt(x, y)
		if e.Op == ir.FMax {
			less = logic.FloatLt(y, x)
		}
		if zeros := logic.And(logic.FloatEq(x, y), logic.Ne(x, y)); !zeros.IsFalse() { // either
			less = logic.Or(logic.And(zeros, c.either()), logic.And(logic.Not(zeros), less))
		}
		least := logic.Ite(logic.FloatIsNaN(y), x, logic.Ite(logic.FloatIsNaN(x), y, logic.Ite(less, x, y)))
		if signals := logic.Or(signalling(x), signalling(y)); !signals.IsFalse() { // a number, or NaN
			nan := logic.BVConst(new(big.Int).SetUint64(ieee.NaN(w)), w)
			least = logic.Ite(logic.And(signals, c.either()), nan, least)
		}
		return value{t: least}
	}
	op, _ := e.Op.Rounding()
	return value{t: logic.Float(op, w, x, y)}
}

// signalling is the condition that a number is a signalling NaN.
func signalling(x *logic.Term) *logic.Term {
	w := x.Sort().Width()
	quiet := bits.TrailingZeros64(ieee.NaN(w) &^ ieee.Infinity(w))
	return logic.And(logic.FloatIsNaN(x), logic.Eq(logic.Extract(x, quiet, quiet), logic.BVConst(new(big.Int), 1)))
}

func (c *context) compareFloats(e *ir.Binary) *logic.Term {
	x, first := c.floatOf(e.X)
	y, second := c.floatOf(e.Y)
	if !first || !second {
		return c.either()
	}
	switch e.Op {
	case ir.Eq:
		return logic.FloatEq(x, y)
	case ir.Ne:
		return logic.Not(logic.FloatEq(x, y))
	case ir.Lt:
		return logic.FloatLt(x, y)
	}
	return logic.FloatLe(x, y)
}

// convertFloat converts from or to a floating-point number.
func (c *context) convertFloat(e *ir.Convert) value {
	x, ok := c.floatOf(e.X)
	from, to := e.X.Type(), e.T
	if !ok {
		return c.any(to)
	}
	w, v := from.Width(), to.Width()
	switch {
	case float(from) && float(to) && w == v:
		return value{t: x}
	case float(from) && float(to):
		return value{t: logic.Float(ieee.Convert, v, x)}
	case float(from):
		return c.truncated(from, to, x)
	}
	op, wide := ieee.OfUnsigned, max(w, 32)
	if from.Signed {
		op, x = ieee.OfSigned, logic.SignExtend(x, wide-w)
	} else {
		x = logic.ZeroExtend(x, wide-w)
	}
	return value{t: logic.Float(op, v, x)}
}

// truncated is a number as an integer; any, if it does not fit.
func (c *context) truncated(from, to *ir.Type, x *logic.Term) value {
	w, v := from.Width(), to.Width()
	number := func(n float64) *logic.Term {
		return logic.BVConst(new(big.Int).SetUint64(ieee.Word(w, n)), w)
	}
	op, low, high := ieee.ToUnsigned, 0.0, math.Ldexp(1, v)
	if to.Signed {
		op, low, high = ieee.ToSigned, -math.Ldexp(1, v-1), math.Ldexp(1, v-1)
	}
	above := logic.FloatLe(number(low), x)
	if below := number(low - 1); ieee.Float(w, below.Num().Num().Uint64()) == low-1 && low-1 < low { // what is between is cut off
		above = logic.FloatLt(below, x)
	}
	out := logic.Float(op, max(v, 32), x)
	if v < 32 {
		out = logic.Extract(out, v-1, 0)
	}
	fits := logic.And(above, logic.FloatLt(x, number(high)))
	if fits.IsTrue() {
		return value{t: out}
	}
	return value{t: logic.Ite(fits, out, c.free(to))}
}

// noNumber reports an operation on numbers that the simplification has not computed: whose result is none.
func noNumber(e ir.Expr) bool {
	switch e := e.(type) {
	case *ir.Const:
		return float(e.T)
	case *ir.Unary:
		return noNumber(e.X)
	case *ir.Binary:
		return e.Op < ir.Eq && noNumber(e.X) && noNumber(e.Y) && !(e.Op == ir.FMin || e.Op == ir.FMax)
	case *ir.Convert:
		return float(e.T) && noNumber(e.X)
	}
	return false
}

// openNaN is a number as bits that are read: any of those that are none, if it is none.
func (c *context) openNaN(t *ir.Type, x *logic.Term) *logic.Term {
	none := logic.FloatIsNaN(x)
	if none.IsFalse() {
		return x
	}
	for _, v := range c.choices {
		if x == v { // bits that the machine is given
			return x
		}
	}
	w := t.Width()
	word := func(bits uint64) *logic.Term { return logic.BVConst(new(big.Int).SetUint64(bits), w) }
	open := logic.BVOp(logic.OpBVOr, c.free(t), word(ieee.Infinity(w)))
	return logic.Ite(none, logic.Ite(logic.FloatIsNaN(open), open, word(ieee.NaN(w))), x)
}

// bitsOf is a value of a type as bits that are read.
func (c *context) bitsOf(t *ir.Type, v value) value {
	if _, exact := c.a.(words); !exact || !float(t) {
		return v
	}
	return value{t: c.openNaN(t, v.t)}
}

// access notes as what a cell is read or written. Where that is a floating-point number and something else, its bits
// can be read; a truth value that is another integer, too, may be neither 0 nor 1.
func (m *memory) access(c *cell, t *ir.Type) {
	if float(t) {
		c.number = true
	} else {
		c.other = true
	}
	c.truth = c.truth || t.Bool
	c.byte = c.byte || t.Kind == ir.Integer && !t.Bool || c.obj.v != nil && c.obj.v.Literal != "" // which has characters
	if c.truth && c.byte && !c.obj.bools[c.key] {
		if c.obj.bools == nil {
			c.obj.bools = map[key]bool{}
		}
		c.obj.bools[c.key], m.punned = true, true
	}
	if c.number && c.other && !c.punned() {
		if c.obj.punned == nil {
			c.obj.punned = map[key]bool{}
		}
		c.obj.punned[c.key], m.punned = true, true
	}
}

// punned reports a cell whose bits are read.
func (c *cell) punned() bool { return c.obj.punned[c.key] }
