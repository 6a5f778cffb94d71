package encode

import (
	"math/big"
	"math/bits"

	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/logic"
)

// numbers is the encoding by mathematical integers: signed arithmetic does not wrap,
// unsigned results and conversions are taken modulo the width where bounds do not show
// that they fit.
type numbers struct{}

func power(n int) *big.Int { return new(big.Int).Lsh(big.NewInt(1), uint(n)) }

func integer(n *big.Int) *logic.Term { return logic.Number(new(big.Rat).SetInt(n), logic.Int) }

// rangeOf are the bounds of a type, or of a bit-field.
func rangeOf(t *ir.Type, bits int) (lo, hi *big.Int) {
	w := t.Width()
	if bits > 0 {
		w = bits
	}
	switch {
	case t.Bool:
		return big.NewInt(0), big.NewInt(1)
	case signed(t):
		return new(big.Int).Neg(power(w - 1)), new(big.Int).Sub(power(w-1), big.NewInt(1))
	}
	return big.NewInt(0), new(big.Int).Sub(power(w), big.NewInt(1))
}

func (numbers) sort(*ir.Type) *logic.Sort { return logic.Int }

func (numbers) number(t *ir.Type, bits uint64) value {
	n := new(big.Int).SetUint64(bits)
	if signed(t) {
		n.SetInt64(int64(bits))
	}
	return value{t: integer(n), lo: n, hi: n}
}

// variable: what is computed by an int may be beyond its range, all else is not.
func (numbers) variable(t *ir.Type, x *logic.Term, bits int) value {
	if signed(t) && t.Size >= 4 && bits == 0 || t.Kind == ir.Pointer {
		return value{t: x}
	}
	lo, hi := rangeOf(t, bits)
	return value{t: x, lo: lo, hi: hi}
}

func (numbers) domain(t *ir.Type, x *logic.Term, bits int) *logic.Term {
	lo, hi := rangeOf(t, bits)
	return logic.And(logic.Le(integer(lo), x), logic.Le(x, integer(hi)))
}

// fit cuts a result to a type, if its bounds do not show that it fits. Signed results
// are left alone unless cut is set.
func (n numbers) fit(t *ir.Type, x value, cut bool) value {
	if !cut && (signed(t) || t.Kind == ir.Pointer) {
		return x
	}
	return n.narrowTo(t, x, 0)
}

func (numbers) narrowTo(t *ir.Type, x value, bits int) value {
	lo, hi := rangeOf(t, bits)
	if x.lo != nil && x.hi != nil && lo.Cmp(x.lo) <= 0 && x.hi.Cmp(hi) <= 0 {
		return x
	}
	w := t.Width()
	if bits > 0 {
		w = bits
	}
	m := integer(power(w))
	if signed(t) {
		half := integer(power(w - 1))
		return value{t: logic.Sub(logic.IntMod(logic.Add(x.t, half), m), half), lo: lo, hi: hi}
	}
	return value{t: logic.IntMod(x.t, m), lo: lo, hi: hi}
}

func (n numbers) unary(op ir.Op, t *ir.Type, x value) value {
	r := value{t: logic.Neg(x.t)}
	if x.lo != nil && x.hi != nil {
		r.lo, r.hi = new(big.Int).Neg(x.hi), new(big.Int).Neg(x.lo)
	}
	if op == ir.BitNot {
		r = n.add(r, n.number(&ir.Type{Kind: ir.Integer, Signed: true, Size: 8}, ^uint64(0)))
	}
	return n.fit(t, r, false)
}

func (numbers) add(x, y value) value {
	r := value{t: logic.Add(x.t, y.t)}
	if x.lo != nil && y.lo != nil && x.hi != nil && y.hi != nil {
		r.lo, r.hi = new(big.Int).Add(x.lo, y.lo), new(big.Int).Add(x.hi, y.hi)
	}
	return r
}

// constantOf is the number that a value is.
func constantOf(x value) (*big.Int, bool) {
	if x.t.Op() == logic.OpNumber {
		return x.t.Num().Num(), true
	}
	return nil, false
}

func (n numbers) binary(op ir.Op, t *ir.Type, x, y value, _ *ir.Type, free func() *logic.Term) value {
	by, known := constantOf(y)
	switch {
	case op == ir.Add:
		return n.fit(t, n.add(x, y), false)
	case op == ir.Sub:
		r := value{t: logic.Sub(x.t, y.t)}
		if x.lo != nil && y.lo != nil && x.hi != nil && y.hi != nil {
			r.lo, r.hi = new(big.Int).Sub(x.lo, y.hi), new(big.Int).Sub(x.hi, y.lo)
		}
		return n.fit(t, r, false)
	case op == ir.Mul:
		return n.fit(t, n.times(x, y), false)
	case op == ir.Div && known:
		r := value{t: logic.TruncDiv(x.t, y.t)}
		if x.lo != nil && x.lo.Sign() >= 0 && by.Sign() > 0 {
			r = value{t: logic.IntDiv(x.t, y.t), lo: big.NewInt(0), hi: x.hi}
		}
		return n.fit(t, r, false)
	case op == ir.Rem && known:
		r := value{t: logic.TruncMod(x.t, y.t)}
		if x.lo != nil && x.lo.Sign() >= 0 && by.Sign() > 0 {
			r = value{t: logic.IntMod(x.t, y.t), lo: big.NewInt(0), hi: new(big.Int).Sub(by, big.NewInt(1))}
		}
		return n.fit(t, r, false)
	case op == ir.Div:
		return n.fit(t, value{t: logic.TruncDiv(x.t, y.t)}, false)
	case op == ir.Rem:
		return n.fit(t, value{t: logic.TruncMod(x.t, y.t)}, false)
	case op == ir.Shl && known && by.IsInt64():
		return n.fit(t, n.times(x, value{t: integer(power(int(by.Int64()))), lo: power(int(by.Int64())), hi: power(int(by.Int64()))}), false)
	case op == ir.Shr && known && by.IsInt64():
		r := value{t: logic.IntDiv(x.t, integer(power(int(by.Int64()))))}
		if x.lo != nil && x.lo.Sign() >= 0 {
			r.lo, r.hi = big.NewInt(0), x.hi
		}
		return n.fit(t, r, false)
	case op == ir.BitAnd:
		if r, ok := n.mask(t, x, y); ok {
			return r
		}
		if r, ok := n.mask(t, y, x); ok {
			return r
		}
	}
	return n.variable(t, free(), 0)
}

func (numbers) times(x, y value) value {
	r := value{t: logic.Mul(x.t, y.t)}
	if x.lo == nil || y.lo == nil || x.hi == nil || y.hi == nil {
		return r
	}
	for _, a := range []*big.Int{x.lo, x.hi} {
		for _, b := range []*big.Int{y.lo, y.hi} {
			p := new(big.Int).Mul(a, b)
			if r.lo == nil || p.Cmp(r.lo) < 0 {
				r.lo = p
			}
			if r.hi == nil || p.Cmp(r.hi) > 0 {
				r.hi = p
			}
		}
	}
	return r
}

// mask is x & m for a constant m of up to four runs of bits: sums of digits.
func (n numbers) mask(t *ir.Type, x, m value) (value, bool) {
	c, ok := constantOf(m)
	if !ok || c.Sign() < 0 || !c.IsUint64() {
		return value{}, false
	}
	var parts []*logic.Term
	for left := c.Uint64(); left != 0; {
		from := bits.TrailingZeros64(left)
		length := bits.TrailingZeros64(^(left >> from))
		part := logic.IntMod(logic.IntDiv(x.t, integer(power(from))), integer(power(length)))
		parts = append(parts, logic.Scale(new(big.Rat).SetInt(power(from)), part))
		if left &^= (1<<length - 1) << from; len(parts) > 4 {
			return value{}, false
		}
	}
	if len(parts) == 0 {
		return n.number(t, 0), true
	}
	return value{t: logic.Add(parts...), lo: big.NewInt(0), hi: c}, true
}

func (numbers) compare(op ir.Op, _ *ir.Type, x, y value) *logic.Term {
	switch op {
	case ir.Eq:
		return logic.Eq(x.t, y.t)
	case ir.Ne:
		return logic.Ne(x.t, y.t)
	case ir.Lt:
		return logic.Lt(x.t, y.t)
	}
	return logic.Le(x.t, y.t)
}

// convert: to a wider signed type nothing changes.
func (n numbers) convert(from, to *ir.Type, x value) value {
	if signed(to) && (signed(from) && to.Size >= from.Size || from.Size < to.Size) || from.Kind == ir.Pointer && to.Kind == ir.Pointer {
		return x
	}
	return n.fit(to, x, true)
}

func (n numbers) narrow(t *ir.Type, x value, bits int) value { return n.narrowTo(t, x, bits) }

func (n numbers) join(t *ir.Type, parts []value) value {
	var all []*logic.Term
	for i, p := range parts {
		all = append(all, logic.Scale(new(big.Rat).SetInt(power(8*i)), p.t))
	}
	x := value{t: logic.Add(all...), lo: new(big.Int), hi: new(big.Int).Sub(power(8*len(parts)), big.NewInt(1))}
	return n.narrowTo(t, x, 0)
}

func (numbers) piece(x value, i int) value {
	t := logic.IntMod(logic.IntDiv(x.t, integer(power(8*i))), integer(power(8)))
	return value{t: t, lo: new(big.Int), hi: big.NewInt(255)}
}

func (numbers) truth(_ *ir.Type, cond *logic.Term) value {
	return value{t: logic.Ite(cond, logic.IntConst(1), logic.IntConst(0)), cond: cond, lo: big.NewInt(0), hi: big.NewInt(1)}
}
