package encode

import (
	"slices"

	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program/cfront"
)

// Where objects lie is not known, and the numbers that stand for addresses are those of
// one layout. A proof has to hold for all of them. So addresses, also in integers, are
// only moved inside of their object and compared for equality with other addresses, or
// with numbers that no object has; distances and order are those inside of one object.
// Each layout then has the same runs, by renaming addresses. All else gives any value:
// digits of an address, its order beside other objects, equality with ordinary numbers.

// address reports that an expression may be an address; null is none.
func (c *context) address(e cfront.Expr) bool { return c.b.pts.address(c.b.pts.value(e)) }

// any is any value, which is none that the program leaves open.
func (c *context) any(t *cfront.Type) value { return c.a.variable(t, c.free(t), 0) }

// plain is a value whose number matters: any, if it may be an address.
func (c *context) plain(e cfront.Expr) value {
	v := c.value(e)
	if c.address(e) {
		return c.any(e.Type())
	}
	return v
}

// operands are those of an operation that is no comparison: an address can be moved, and
// have a distance.
func (c *context) operands(e *cfront.Binary) (x, y value) {
	first, second := c.address(e.X), c.address(e.Y)
	switch {
	case e.Op == cfront.Add && first != second, e.Op == cfront.Sub && first && !second, e.Op == cfront.Sub && first && c.together(e.X, e.Y):
		return c.value(e.X), c.value(e.Y)
	}
	return c.plain(e.X), c.plain(e.Y)
}

// together reports two addresses in one object.
func (c *context) together(x, y cfront.Expr) bool {
	o := oneObject(c.b.pts.value(x))
	return o != nil && o == oneObject(c.b.pts.value(y))
}

// inside is the condition that two values are addresses of one object, or of its end, whose
// numbers are known; nil if it cannot be told what object that would be.
func (c *context) inside(x, y cfront.Expr) *logic.Term {
	var o *object
	for _, t := range slices.Concat(c.b.pts.value(x), c.b.pts.value(y)) {
		if t.obj.value {
			continue // in another layout it is no address of the object
		}
		if t.obj.sized || t.obj.slot > 0 || t.obj.fn != nil || o != nil && t.obj != o {
			return nil
		}
		o = t.obj
	}
	if o == nil {
		return nil
	}
	var in []*logic.Term
	for _, e := range []cfront.Expr{x, y} {
		t, v := c.b.pointer, c.value(e)
		in = append(in, c.a.compare(cfront.Le, t, c.a.number(t, o.base), v), c.a.compare(cfront.Le, t, v, c.a.number(t, o.base+uint64(o.size))))
	}
	return logic.And(in...)
}

// ordered reports that the order of two values is that of their numbers in each layout.
func (c *context) ordered(x, y cfront.Expr) bool {
	if !c.address(x) && !c.address(y) || c.together(x, y) {
		return true
	}
	small := func(e cfront.Expr) bool {
		n, ok := e.(*cfront.Const)
		return ok && n.Bits < nobodys && !signed(n.T)
	}
	return small(x) || small(y)
}

// identified reports that two values are equal in all layouts or in none.
func (c *context) identified(x, y cfront.Expr) bool {
	p, q := c.b.pts.value(x), c.b.pts.value(y)
	return !c.b.pts.address(p) && !c.b.pts.address(q) || !c.b.pts.mayBeNumber(p) && !c.b.pts.mayBeNumber(q)
}

// compare is a comparison; of truth values with 0 or 1 it is simply one of them.
func (c *context) compare(b *cfront.Binary) *logic.Term {
	x, y := b.X, b.Y
	equality := b.Op == cfront.Eq || b.Op == cfront.Ne
	if equality {
		if p, q := address(x), address(y); p.Type().Kind == cfront.Pointer && q.Type().Kind == cfront.Pointer {
			x, y = p, q
		} else if n, ok := y.(*cfront.Const); ok && n.Bits == 0 && p.Type().Kind == cfront.Pointer {
			x, y = p, &cfront.Const{T: p.Type()}
		}
	}
	v, w := c.value(x), c.value(y)
	if n, ok := y.(*cfront.Const); ok && v.cond != nil && n.Bits <= 1 && equality {
		if (n.Bits == 1) == (b.Op == cfront.Eq) {
			return v.cond
		}
		return logic.Not(v.cond)
	}
	zero := func(e cfront.Expr) bool { n, ok := e.(*cfront.Const); return ok && n.Bits == 0 }
	if equality && !zero(x) && !zero(y) && !c.identified(x, y) || !equality && !c.ordered(x, y) {
		int := &cfront.Type{Kind: cfront.Integer, Signed: true, Size: 4}
		any := c.a.compare(cfront.Ne, int, c.any(int), c.a.number(int, 0))
		if !equality && x.Type().Kind == cfront.Pointer && y.Type().Kind == cfront.Pointer {
			if in := c.inside(x, y); in != nil {
				return logic.Or(logic.And(in, c.a.compare(b.Op, x.Type(), v, w)), logic.And(logic.Not(in), any))
			}
		}
		return any
	}
	return c.a.compare(b.Op, x.Type(), v, w)
}

// address takes conversions of a pointer to an integer off that lose nothing.
func address(e cfront.Expr) cfront.Expr {
	inner := e
	for {
		conv, ok := inner.(*cfront.Convert)
		if !ok || conv.T.Kind != cfront.Integer || conv.T.Size < conv.X.Type().Size || conv.T.Bool {
			break
		}
		if inner = conv.X; inner.Type().Kind == cfront.Pointer {
			return inner
		}
	}
	return e
}

// notNull requires that a pointer that is dereferenced is not null: that ends the run.
func (c *context) notNull(p cfront.Expr) {
	c.b.ownMemory = true
	t := p.Type()
	c.require(c.a.compare(cfront.Ne, t, c.value(p), c.a.number(t, 0)))
}

// rest is what else a pointer may point to, beside its proposed targets.
type rest uint8

const (
	noTarget   rest = iota // nothing
	ownTarget              // memory of its own
	lostTarget             // not known
)

// left says what else there is: a pointer without a value points to memory of its own.
func (p *pointsTo) left(all []target, strange bool) rest {
	real := slices.ContainsFunc(all, func(t target) bool { return !t.obj.value })
	out := noTarget
	for _, t := range all {
		switch {
		case t.obj == p.garbage, t.obj == p.number && !real:
			out = max(out, ownTarget)
		case t.obj.value:
			out = lostTarget
		}
	}
	if strange || len(all) == 0 {
		return ownTarget
	}
	return out
}

// exactly reports that a pointer is one of some routines, or null.
func (p *pointsTo) exactly(e cfront.Expr, routines []*cfront.Func) bool {
	for _, t := range p.value(e) {
		if t.obj.fn == nil || t.off != 0 || !slices.Contains(routines, t.obj.fn) {
			return false
		}
	}
	return true
}

// proposes reports that there is a target for a pointer.
func (p *pointsTo) proposes(e cfront.Expr) bool {
	return slices.ContainsFunc(p.value(e), func(t target) bool { return t.obj != p.number && t.obj != p.garbage })
}
