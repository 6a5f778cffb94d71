package encode

import (
	"slices"

	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/c/machine"
	"github.com/seltl/seltl/logic"
)

// Where objects lie is not known, and the numbers that stand for addresses are those of
// one layout. A proof has to hold for all of them. So addresses, also in integers, are
// only moved inside of their object and compared for equality with other addresses, of
// objects that live at the same time, or with numbers that no object has; distances and order
// are those inside of one object. Each layout then has the same runs, by renaming addresses. All else gives any value:
// digits of an address, its order beside other objects, equality with ordinary numbers.

// address reports that an expression may be an address, or a part of one; null is none.
func (c *context) address(e ir.Expr) bool { return c.b.pts.address(c.b.pts.value(e)) }

// wholeAddress reports that it may be a whole one: what is narrower holds a part at most, as where an int lies
// beside a pointer in an object and it is not known which of them is read.
func (c *context) wholeAddress(e ir.Expr) bool {
	return e.Type().Width() == c.b.pointer.Width() && c.address(e)
}

// any is any value, which is none that the program leaves open.
func (c *context) any(t *ir.Type) value { return c.a.variable(t, c.free(t), 0) }

// plain is a value whose number matters: any, if it may be an address.
func (c *context) plain(e ir.Expr) value {
	v := c.value(e)
	if c.address(e) {
		return c.any(e.Type())
	}
	return v
}

// operands are those of an operation that is no comparison: an address can be moved, and
// have a distance.
func (c *context) operands(e *ir.Binary) (x, y value) {
	first, second := c.wholeAddress(e.X), c.wholeAddress(e.Y)
	switch {
	case e.Op == ir.Add && first != second, e.Op == ir.Sub && first && !second:
		return c.value(e.X), c.value(e.Y)
	case e.Op == ir.Sub && first:
		if in := c.inside(e.X, e.Y); in != nil {
			return c.where(in, c.value(e.X), e.X.Type()), c.value(e.Y)
		}
	}
	return c.plain(e.X), c.plain(e.Y)
}

// where is a value under a condition, and any without it.
func (c *context) where(in *logic.Term, v value, t *ir.Type) value {
	if in.IsTrue() {
		return v
	}
	return value{t: logic.Ite(in, v.t, c.any(t).t)}
}

// inside is the condition that two values are addresses of one object in one of its lives, or of its
// end, whose numbers are known; nil if it cannot be told what object that would be.
func (c *context) inside(x, y ir.Expr) *logic.Term {
	p, q := c.b.pts.value(x), c.b.pts.value(y)
	o := oneObject(p)
	certain := o != nil && o == oneObject(q)
	if !certain {
		if o = c.likely(slices.Concat(p, q)); o == nil || x.Type().Kind != ir.Pointer || y.Type().Kind != ir.Pointer {
			return nil
		}
	}
	switch {
	case c.b.mixes(o):
		return nil
	case o.each() > 0:
		return c.same(o, c.value(x), c.value(y))
	case certain:
		return logic.True()
	}
	return logic.And(c.in(o, c.value(x)), c.in(o, c.value(y)))
}

// likely is the one object that some values point into, if they do; its numbers are known.
func (c *context) likely(all []target) (o *object) {
	for _, t := range all {
		if t.obj.value {
			continue // in another layout it is no address of the object
		}
		if t.obj.sized || t.obj.each() > 0 || t.obj.fn != nil || o != nil && t.obj != o {
			return nil
		}
		o = t.obj
	}
	return o
}

// in is the condition that an address is one in an object, or of its end, and same that two
// are in the same object, of those that one call allocates.
func (c *context) in(o *object, v value) *logic.Term {
	t := c.b.pointer
	lowest := c.a.compare(ir.Le, t, c.a.number(t, o.base), v)
	if o.each() == 0 {
		return logic.And(lowest, c.a.compare(ir.Le, t, v, c.a.number(t, o.base+uint64(o.size))))
	}
	off, nth := c.slotOf(o, v)
	return logic.And(lowest, c.exists(o, nth), c.a.compare(ir.Le, t, off, c.a.number(t, uint64(o.size))))
}

func (c *context) same(o *object, v, w value) *logic.Term {
	both := logic.And(c.in(o, v), c.in(o, w))
	if o.each() == 0 {
		return both
	}
	_, first := c.slotOf(o, v)
	_, second := c.slotOf(o, w)
	return logic.And(both, c.a.compare(ir.Eq, c.b.pointer, first, second))
}

// objects are those that some values point into, as far as the program made them.
func (c *context) objects(all []target) []*object {
	return slices.DeleteFunc(c.made(all), func(o *object) bool { return o.fn != nil })
}

// made are objects and routines.
func (c *context) made(all []target) (in []*object) {
	add := func(o *object) {
		if !o.value && !slices.Contains(in, o) {
			in = append(in, o)
		}
	}
	for _, t := range all {
		if add(t.obj); t.obj == c.b.pts.unknown { // it may have been given away
			for _, o := range c.b.mem.all {
				if c.b.pts.escaped[o] {
					add(o)
				}
			}
		}
	}
	return in
}

// kept is an address that arithmetic made of another one: if that leaves its object, any
// value, since what lies there is another thing in each layout. So is all but the address of a routine
// itself: how long its code is, nobody knows. What is no address of an object is moved as numbers are.
func (c *context) kept(moved, v value, t *ir.Type, of []target) value {
	in := c.made(of)
	if len(in) == 0 {
		return moved
	}
	var keeps, begins []*logic.Term
	for _, o := range in {
		if o.fn != nil {
			at := c.atBeginning(o, v)
			keeps, begins = append(keeps, logic.And(at, c.a.compare(ir.Eq, c.b.pointer, v, moved))), append(begins, at)
			continue
		}
		keeps, begins = append(keeps, c.same(o, v, moved)), append(begins, c.in(o, v))
	}
	if slices.ContainsFunc(of, func(t target) bool { return t.obj.value }) && !slices.ContainsFunc(of, func(t target) bool { return t.obj == c.b.pts.walked }) {
		keeps = append(keeps, logic.Not(logic.Or(begins...)))
	}
	ok := logic.Or(keeps...)
	if ok.IsTrue() {
		return moved
	}
	if c.decide(2) == 1 {
		c.require(logic.Not(ok))
		return c.any(t)
	}
	c.require(ok)
	return moved
}

// touching is the condition that one value is the address of the end of an object, and the
// other one that of the beginning of another object: whether they are equal depends on the
// layout.
func (c *context) touching(x, y ir.Expr) *logic.Term {
	var all []*logic.Term
	p, q := c.b.pts.value(x), c.b.pts.value(y)
	all = append(all, c.touch(x, y, p, q)...)
	return logic.Or(append(all, c.touch(y, x, q, p)...)...)
}

func (c *context) touch(x, y ir.Expr, p, q []target) (all []*logic.Term) {
	pt := c.b.pts
	reaches := func(of []target, o *object, off int64) bool {
		return slices.ContainsFunc(of, func(t target) bool {
			return t.obj == o && (t.off == off || t.off == anyOffset || o.sized) || t.obj == pt.walked || t.obj == pt.unknown && pt.escaped[o]
		})
	}
	for _, o := range c.objects(p) {
		if !reaches(p, o, o.size) {
			continue
		}
		for _, other := range c.objects(q) {
			if (o != other || o.each() > 0) && reaches(q, other, 0) {
				all = append(all, logic.And(c.atEnd(o, c.value(x)), c.atBeginning(other, c.value(y))))
			}
		}
	}
	return all
}

// atEnd is the condition that an address is that of the end of an object; where sizes are
// computed, that it may be.
func (c *context) atEnd(o *object, v value) *logic.Term {
	t := c.b.pointer
	switch {
	case o.sized:
		return c.in(o, v)
	case o.each() == 0:
		return c.a.compare(ir.Eq, t, v, c.a.number(t, o.base+uint64(o.size)))
	}
	off, _ := c.slotOf(o, v)
	return logic.And(c.in(o, v), c.a.compare(ir.Eq, t, off, c.a.number(t, uint64(o.size))))
}

func (c *context) atBeginning(o *object, v value) *logic.Term {
	t := c.b.pointer
	if o.each() == 0 {
		return c.a.compare(ir.Eq, t, v, c.a.number(t, o.base))
	}
	off, _ := c.slotOf(o, v)
	return logic.And(c.in(o, v), c.a.compare(ir.Eq, t, off, c.a.number(t, 0)))
}

// ordered reports that the order of two values is that of their numbers in each layout.
func (c *context) ordered(x, y ir.Expr) bool {
	if !c.address(x) && !c.address(y) {
		return true
	}
	small := func(e ir.Expr) bool {
		n, ok := e.(*ir.Const)
		return ok && n.Bits < nobodys && !signed(n.T)
	}
	if small(x) || small(y) {
		return true
	}
	in := c.inside(x, y)
	return in != nil && in.IsTrue()
}

// identified reports that two values are equal in all layouts or in none.
func (c *context) identified(x, y ir.Expr) bool {
	p, q := c.b.pts.value(x), c.b.pts.value(y)
	return !c.b.pts.address(p) && !c.b.pts.address(q) || !c.b.pts.mayBeNumber(p) && !c.b.pts.mayBeNumber(q) || c.foreign(p) && c.foreign(q)
}

// foreign reports values that are no addresses of anything of the program, nor made of such: numbers, and what
// comes from elsewhere while nothing was given away.
func (c *context) foreign(all []target) bool {
	return len(c.made(all)) == 0 && !slices.ContainsFunc(all, func(t target) bool { return t.obj == c.b.pts.walked })
}

// compare is a comparison; of truth values with 0 or 1 it is simply one of them.
func (c *context) compare(b *ir.Binary) *logic.Term {
	if float(b.X.Type()) {
		return c.compareFloats(b)
	}
	x, y := b.X, b.Y
	equality := b.Op == ir.Eq || b.Op == ir.Ne
	if equality {
		if p, q := address(x), address(y); p.Type().Kind == ir.Pointer && q.Type().Kind == ir.Pointer {
			x, y = p, q
		} else if n, ok := y.(*ir.Const); ok && n.Bits == 0 && p.Type().Kind == ir.Pointer {
			x, y = p, &ir.Const{T: p.Type()}
		}
	}
	c.looks(x)
	c.looks(y)
	v, w := c.value(x), c.value(y)
	if n, ok := y.(*ir.Const); ok && v.cond != nil && n.Bits <= 1 && equality {
		if (n.Bits == 1) == (b.Op == ir.Eq) {
			return v.cond
		}
		return logic.Not(v.cond)
	}
	zero := func(e ir.Expr) bool { n, ok := e.(*ir.Const); return ok && n.Bits == 0 }
	if equality && !zero(x) && !zero(y) && !c.identified(x, y) || !equality && !c.ordered(x, y) {
		any := c.either()
		if in := c.inside(x, y); !equality && in != nil {
			return logic.Or(logic.And(in, c.a.compare(b.Op, x.Type(), v, w)), logic.And(logic.Not(in), any))
		}
		return any
	}
	out := c.a.compare(b.Op, x.Type(), v, w)
	if equality && zero(y) && !zero(x) {
		if dead := c.danglesAt(x); !dead.IsFalse() { // gcc takes some for null
			return logic.Or(logic.And(dead, c.either()), logic.And(logic.Not(dead), out))
		}
	}
	if equality && !zero(x) && !zero(y) {
		if close := logic.Or(c.touching(x, y), c.reused(x, y)); !close.IsFalse() {
			return logic.Or(logic.And(close, c.either()), logic.And(logic.Not(close), out))
		}
	}
	return out
}

// either is any truth value.
func (c *context) either() *logic.Term {
	int := &ir.Type{Kind: ir.Integer, Signed: true, Size: 4}
	return c.a.compare(ir.Ne, int, c.any(int), c.a.number(int, 0))
}

// address takes conversions of a pointer to an integer off that lose nothing.
func address(e ir.Expr) ir.Expr {
	inner := e
	for {
		conv, ok := inner.(*ir.Convert)
		if !ok || conv.T.Kind != ir.Integer || conv.T.Size < conv.X.Type().Size || conv.T.Bool {
			break
		}
		if inner = conv.X; inner.Type().Kind == ir.Pointer {
			return inner
		}
	}
	return e
}

// notNull requires that a pointer that is dereferenced is not null, nor near it: that ends the run. In what a
// specification says, it has no meaning: there is nothing of the program that would end it.
func (c *context) notNull(p ir.Expr) {
	c.b.ownMemory = true
	t, v := p.Type(), c.value(p)
	last := ^uint64(0) >> (64 - t.Width())
	valid := logic.And(c.a.compare(ir.Le, t, c.a.number(t, nobodys), v), c.a.compare(ir.Le, t, v, c.a.number(t, last-nobodys)))
	if c.specified && !valid.IsTrue() && c.decide(2) == 1 {
		c.require(logic.Not(valid))
		c.lose("an expression of the specification goes by a null pointer")
	}
	c.require(valid)
}

// rest is what else a pointer may point to, beside its proposed targets.
type rest uint8

const (
	lostTarget rest = iota // not known
	ownTarget              // memory of its own
)

// left says what else there is: a pointer without a value points to memory of its own.
// Where the analysis names all targets exactly, a proof has to show that nothing is left:
// the analysis only proposes.
func (p *pointsTo) left(all []target, strange bool) rest {
	if strange {
		return ownTarget
	}
	real := slices.ContainsFunc(all, func(t target) bool { return !t.obj.value })
	own := false
	for _, t := range all {
		switch {
		case t.obj == p.garbage, t.obj == p.number && !real:
			own = true
		case t.obj.value:
			return lostTarget
		}
	}
	if own {
		return ownTarget
	}
	return lostTarget
}

// proposes reports that there is a target for a pointer.
func (p *pointsTo) proposes(e ir.Expr) bool {
	return slices.ContainsFunc(p.value(e), func(t target) bool { return t.obj != p.number && t.obj != p.garbage })
}

// nobody reports a number that is no object's address: objects lie neither at the
// beginning nor at the end of memory.
func nobody(c *ir.Const) bool {
	size := max(c.T.Size, 4)
	return machine.Nobodys(c.Bits&(^uint64(0)>>(64-8*size)), size) // of signed types, the sign is repeated
}

const nobodys = 4096
