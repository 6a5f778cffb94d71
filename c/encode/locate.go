package encode

import (
	"math/big"
	"slices"

	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/logic"
)

// maxBranches is how many elements of an array are told apart by branches, unless there
// are too many ways through a step.
const maxBranches = 16

// locate decides where a place is; no object stands for memory of its own. An access that
// may be outside of what is modelled has a way that is lost.
func (c *context) locate(p ir.Place) spot {
	s := c.find(p)
	if p.Ptr != nil && s.obj != nil && s.obj.site != nil {
		if elem := p.Ptr.Type().Elem; s.obj.elem == nil || elem.Kind == ir.Struct && s.obj.elem.Kind != ir.Struct {
			s.obj.elem = elem
		}
	}
	return s
}

func (c *context) find(p ir.Place) spot {
	if p.Ptr != nil {
		c.usable(p.Ptr)
	}
	switch {
	case p.Var != nil:
		return c.within(c.b.mem.ofVar(p.Var), p, p.Off, nil)
	case c.firstPointer(p):
		return c.byPointer(p)
	}
	return c.byAddress(p)
}

// firstPointer reports that the targets of the pointer of a place are decided before its
// indices are.
func (c *context) firstPointer(p ir.Place) bool {
	steady, all := true, c.b.pts.value(p.Ptr)
	for _, t := range all {
		if t.obj == c.b.pts.walked || t.off == anyOffset || t.obj == c.b.pts.unknown {
			return false
		}
		steady = steady && !t.obj.sized && t.obj.slot == 0
	}
	return !steady || slices.ContainsFunc(p.Index, func(i ir.Index) bool { _, constant := i.By.(*ir.Const); return !constant })
}

// byPointer decides which of its targets a pointer has, and then where the place is from
// there on.
func (c *context) byPointer(p ir.Place) spot {
	t, at := p.Ptr.Type(), c.value(p.Ptr)
	all, left := c.candidates(p, c.b.pts.value(p.Ptr), func(at target) bool { return true })
	if len(all) == 0 {
		return c.elsewhere(p, left)
	}
	k := c.decide(len(all) + 1)
	if k < len(all) {
		o := all[k].obj
		c.require(c.hits(all[k], t, at))
		var start *logic.Term
		if o.slot > 0 {
			start = c.a.binary(ir.Sub, c.b.pointer, at, c.a.number(c.b.word, uint64(all[k].off)), nil, nil).t
		}
		return c.within(o, p, all[k].off+p.Off, start)
	}
	for _, other := range all {
		c.require(logic.Not(c.hits(other, t, at)))
	}
	return c.elsewhere(p, left)
}

// hits is the condition that a pointer has a target. The objects that one call allocates
// are told apart by where they are: a pointer has the target in one of them that there is.
func (c *context) hits(to target, t *ir.Type, at value) *logic.Term {
	if to.obj.slot == 0 {
		return c.a.compare(ir.Eq, t, at, c.placeIn(to.obj, to.off))
	}
	off, nth := c.slotOf(to.obj, at)
	return logic.And(c.a.compare(ir.Le, t, c.a.number(t, to.obj.base), at), c.exists(to.obj, nth), c.a.compare(ir.Eq, t, off, c.a.number(t, uint64(to.off))))
}

// slotOf is where an address is among the objects that one call allocates, if it is not
// below them: the number of the object, and the offset in it.
func (c *context) slotOf(o *object, at value) (off, nth value) {
	t := c.b.pointer
	behind := c.a.binary(ir.Sub, t, at, c.a.number(t, o.base), nil, nil)
	behind.lo = new(big.Int) // or another conjunct is false
	slot := c.a.number(t, uint64(o.each()))
	return c.a.binary(ir.Rem, t, behind, slot, nil, nil), c.a.binary(ir.Div, t, behind, slot, nil, nil)
}

// exists is the condition that a call has allocated an object of a number, or that there has been a life of
// that number.
func (c *context) exists(o *object, nth value) *logic.Term {
	if o.lives > 0 {
		return c.a.compare(ir.Le, c.b.pointer, nth, c.valueIn(c.about(o, countOff), nil))
	}
	return c.a.compare(ir.Lt, c.b.pointer, nth, c.valueIn(c.about(o, countOff), nil))
}

// elsewhere is what a pointer points to beside its targets.
func (c *context) elsewhere(p ir.Place, left rest) spot {
	c.notNull(p.Ptr)
	switch {
	case left == lostTarget:
		c.lose("an access by a pointer whose target is not known")
	case left == ownTarget && c.b.pts.united && c.b.pts.mayBeNumber(c.b.pts.value(p.Ptr)):
		c.lose("an access by a pointer that was a number")
	}
	c.b.numbered = c.b.numbered || left == ownTarget && c.b.pts.mayBeNumber(c.b.pts.value(p.Ptr))
	return spot{}
}

// candidates are the proposed targets that an access can go to, and what else there is.
func (c *context) candidates(p ir.Place, proposed []target, fits func(at target) bool) (all []target, left rest) {
	strange := c.b.pts.foreign(proposed)
	if strange && p.Type.Scalar() {
		proposed = c.b.pts.handedOut(p.Type)
	}
	left = c.b.pts.left(proposed, strange)
	for _, at := range proposed {
		switch {
		case at.obj.value:
		case at.off == anyOffset: // others stand for it, and what they do not reach is lost
			left = lostTarget
		case at.obj.fn == nil && fits(at):
			all = append(all, at)
		default:
			left = lostTarget
		}
	}
	if strange && !p.Type.Scalar() {
		left = lostTarget
	}
	return all, left
}

// byAddress compares the address of a place with those of its targets.
func (c *context) byAddress(p ir.Place) spot {
	t := p.Ptr.Type()
	address := c.addressOf(p)
	proposed := c.b.pts.targets(p)
	all, left := c.candidates(p, proposed, func(at target) bool {
		return c.b.mem.plausible(at, p)
	})
	if len(all) == 0 { // the program does look at something as what it is not
		all, left = c.candidates(p, proposed, func(at target) bool { return at.off >= 0 && at.off+extent(p) <= at.obj.size })
	}
	all = c.inRuns(all, p)
	if len(all) == 0 {
		return c.elsewhere(p, left)
	}
	k := c.decide(len(all) + 1)
	if k < len(all) {
		at := all[k]
		c.require(c.reaches(at, p, t, address))
		if at.obj.runAt(at.off) == nil {
			return c.fixed(at.obj, at.off)
		}
		return c.inRun(at, address)
	}
	for _, at := range all {
		c.require(logic.Not(c.reaches(at, p, t, address)))
	}
	return c.elsewhere(p, left)
}

// inRuns keeps one target for each place in the elements of a run. Where one object has
// too many targets, what they lie in becomes a run.
func (c *context) inRuns(all []target, p ir.Place) (kept []target) {
	count := map[*object]int{}
	seen := map[target]bool{}
	for _, at := range all {
		if r := at.obj.runAt(at.off); r != nil {
			at.off = r.lo + (at.off-r.lo)%r.unit
		}
		if !seen[at] {
			seen[at] = true
			kept = append(kept, at)
			count[at.obj]++
		}
	}
	for _, at := range kept {
		if (at.obj.sized || at.obj.slot > 0) && at.obj.runAt(at.off) == nil {
			c.b.mark(at.obj, 0, at.obj.size, elemSize(p, at.off))
			c.lose("many elements")
		}
		if int64(count[at.obj]) > c.branches && at.obj.runAt(at.off) == nil {
			c.b.markAround(at, kept)
			c.lose("many elements")
		}
	}
	return kept
}

// markAround makes a run of the array that the targets in an object lie in.
func (b *builder) markAround(at target, all []target) {
	stride := int64(0)
	last := at.off
	for _, other := range all {
		if other.obj == at.obj {
			stride, last = gcd(stride, other.off-at.off), max(last, other.off)
		}
	}
	if at.obj.v != nil {
		if lo, hi, unit, ok := arrayAt(at.obj.v.Type, at.off, stride); ok && last < hi {
			b.mark(at.obj, lo, hi, unit)
			return
		}
	}
	b.mark(at.obj, 0, at.obj.size, gcd(stride, at.off))
}

// reaches is the condition that an address is a target, or that it lies at the same place
// of any element of its run, and that the pointer that it is computed from points into the
// same object: one that is moved out of its object does not point to another one.
func (c *context) reaches(to target, p ir.Place, t *ir.Type, address value) *logic.Term {
	there := c.there(to, p, t, address)
	if len(p.Index) == 0 && (p.Off == 0 || to.obj.runAt(to.off) == nil && to.obj.each() == 0) {
		if to.off < p.Off {
			return logic.False()
		}
		return there
	}
	return logic.And(there, c.same(to.obj, c.value(p.Ptr), address))
}

// there is the part of reaches that is about the address.
func (c *context) there(to target, p ir.Place, t *ir.Type, address value) *logic.Term {
	r := to.obj.runAt(to.off)
	switch {
	case r == nil:
		return c.a.compare(ir.Eq, t, address, c.placeIn(to.obj, to.off))
	case to.obj.slot > 0:
		return c.reachesOne(to, p, r, t, address)
	}
	first := c.placeIn(to.obj, to.off)
	in := []*logic.Term{c.a.compare(ir.Le, t, first, address)}
	if to.obj.sized {
		in = append(in, c.roomFor(to.obj, r, value{t: c.inRun(to, address).at}, to.off+extent(p), nil))
	} else {
		in = append(in, c.a.compare(ir.Le, t, address, c.placeIn(to.obj, r.hi-extent(p))))
	}
	if r.unit > 1 {
		off := c.a.binary(ir.Sub, t, address, first, nil, nil)
		off.lo = new(big.Int) // or another conjunct is false
		over := c.a.binary(ir.Rem, c.b.pointer, off, c.a.number(t, uint64(r.unit)), nil, nil)
		in = append(in, c.a.compare(ir.Eq, t, over, c.a.number(t, 0)))
	}
	return logic.And(in...)
}

// reachesOne is reaches for one of the objects that a call allocates.
func (c *context) reachesOne(to target, p ir.Place, r *run, t *ir.Type, address value) *logic.Term {
	word, o := c.b.word, to.obj
	off, nth := c.slotOf(o, address)
	in := []*logic.Term{c.a.compare(ir.Le, t, c.a.number(t, o.base), address), c.exists(o, nth), c.a.compare(ir.Le, t, c.a.number(t, uint64(to.off)), off)}
	part := c.a.binary(ir.Sub, t, off, c.a.number(t, uint64(to.off)), nil, nil)
	part.lo = new(big.Int)
	if r.unit > 1 {
		unit := c.a.number(t, uint64(r.unit))
		in = append(in, c.a.compare(ir.Eq, t, c.a.binary(ir.Rem, c.b.pointer, part, unit, nil, nil), c.a.number(t, 0)))
		part = c.a.binary(ir.Div, c.b.pointer, part, unit, nil, nil)
	}
	if o.sized {
		start := c.a.binary(ir.Sub, t, address, off, nil, nil)
		return logic.And(append(in, c.roomFor(o, r, part, to.off+extent(p), start.t))...)
	}
	return logic.And(append(in, c.a.compare(ir.Le, word, off, c.a.number(word, uint64(o.size-extent(p)))))...)
}

// inRun is the element of a run that an address reaches.
func (c *context) inRun(to target, address value) spot {
	r := to.obj.runAt(to.off)
	if to.obj.slot > 0 {
		return spot{obj: to.obj, off: to.off, run: r, at: address.t}
	}
	off := c.a.binary(ir.Sub, c.b.pointer, address, c.placeIn(to.obj, to.off), nil, nil)
	if r.unit > 1 {
		off.lo = new(big.Int)
		off = c.a.binary(ir.Div, c.b.pointer, off, c.a.number(c.b.pointer, uint64(r.unit)), nil, nil)
	}
	return spot{obj: to.obj, off: to.off, run: r, at: off.t}
}

// extent is how many bytes of a place are needed, less what bit-fields do not use.
func extent(p ir.Place) int64 {
	if p.Bits > 0 {
		return int64(p.BitOff+p.Bits+7) / 8
	}
	return max(p.Type.Size, 0)
}

// plausible reports that a value of the place's type can stand at a target.
func (m *memory) plausible(at target, p ir.Place) bool {
	if at.off < 0 || at.off+extent(p) > at.obj.size {
		return false
	}
	if p.Type.Aggregate() || at.obj.runAt(at.off) != nil || at.obj.bytes[at.off] {
		return true
	}
	if at.obj.v != nil {
		if parts, ok := leaves(at.obj.v.Type); ok {
			for _, l := range parts {
				if l.off == at.off && (l.t.Size == p.Type.Size && l.bits == p.Bits && l.bitOff == p.BitOff || l.t.Size == 1) {
					return true
				}
			}
			return p.Type.Size == 1 && p.Bits == 0
		}
	}
	return true
}

// within finds a place in an object, from an offset on. Start is where the object begins,
// of those that one call allocates several times.
func (c *context) within(o *object, p ir.Place, off int64, start *logic.Term) spot {
	var dynamic []ir.Index
	for _, i := range p.Index {
		if n, ok := i.By.(*ir.Const); ok {
			off += int64(n.Bits) * i.Stride
		} else {
			dynamic = append(dynamic, i)
		}
	}
	var rest []ir.Index
	for _, i := range dynamic {
		r := o.runAt(off)
		switch {
		case r == nil && i.Len >= 0 && i.Len <= c.branches:
			off += c.branch(i, 0, i.Len) * i.Stride
		case r == nil && i.Len < 0 && i.Stride > 0 && !o.sized && o.slot == 0 && o.size/i.Stride <= c.branches:
			off += c.branch(i, -(off/i.Stride), (o.size-off)/i.Stride+1) * i.Stride
		case r == nil:
			c.b.markIndexed(o, off, i)
			c.lose("many elements")
		case i.Stride%r.unit == 0:
			rest = append(rest, i)
		case i.Len >= 0 && i.Len <= c.branches && r.unit > 1:
			off += c.branch(i, 0, i.Len) * i.Stride
		default:
			c.b.mark(o, r.lo, r.hi, gcd(r.unit, i.Stride))
			c.lose("many elements")
		}
	}
	if len(rest) == 0 && !o.sized && o.slot == 0 {
		if off < 0 || off+extent(p) > o.size {
			c.lose("an access outside of %s", o.name)
		}
		return c.fixed(o, off)
	}
	return c.element(o, p, off, rest, start)
}

// markIndexed makes a run of what an index goes through.
func (b *builder) markIndexed(o *object, off int64, i ir.Index) {
	if o.v != nil {
		if lo, hi, unit, ok := arrayAt(o.v.Type, off, i.Stride); ok {
			b.mark(o, lo, hi, unit)
			return
		}
	}
	if i.Len >= 0 && off >= 0 {
		b.mark(o, off, off+i.Len*i.Stride, i.Stride)
		return
	}
	b.mark(o, 0, o.size, gcd(i.Stride, off))
}

// branch decides the value of an index between two bounds.
func (c *context) branch(i ir.Index, from, to int64) int64 {
	t, v := i.By.Type(), c.plain(i.By)
	n := max(to-from, 0)
	k := int64(c.decide(int(n) + 1))
	if k == n {
		c.require(logic.Not(logic.And(c.a.compare(ir.Le, t, c.a.number(t, uint64(from)), v), c.a.compare(ir.Lt, t, v, c.a.number(t, uint64(to))))))
		c.lose("an index outside of its array")
	}
	c.require(c.a.compare(ir.Eq, t, v, c.a.number(t, uint64(from+k))))
	return from + k
}

// below is 0 <= v < n.
func (c *context) below(t *ir.Type, v value, n int64) *logic.Term {
	return logic.And(c.a.compare(ir.Le, t, c.a.number(t, 0), v), c.a.compare(ir.Lt, t, v, c.a.number(t, uint64(n))))
}

// element finds the element of a run by indices, whose strides are multiples of its unit.
func (c *context) element(o *object, p ir.Place, off int64, by []ir.Index, start *logic.Term) spot {
	r := o.runAt(off)
	if r == nil && len(by) == 0 {
		r = o.runAt(max(0, min(off, o.size-1))) // the size is computed
	}
	if r == nil {
		unit := elemSize(p, off)
		if o.slot > 0 && !o.sized {
			unit = o.size
		}
		c.b.mark(o, 0, o.size, unit)
		c.lose("many elements")
	}
	first := (off - r.lo) / r.unit // element of the part that is known
	if off < r.lo && (off-r.lo)%r.unit != 0 {
		first--
	}
	residue := off - first*r.unit
	total, inside := c.elements(o, r, by, first)
	if o.sized {
		inside = append(inside, c.roomFor(o, r, total, residue+extent(p), start))
	} else {
		last := r.hi - residue - extent(p) // elements begin here at last, in bytes
		if o.slot > 0 {
			last = min(last, o.size-residue-extent(p))
		}
		if last < 0 {
			c.lose("an access outside of %s", o.name)
		}
		inside = append(inside, c.a.compare(ir.Le, c.b.word, total, c.a.number(c.b.word, uint64(last/r.unit))))
	}
	if ok := logic.And(inside...); !ok.IsTrue() {
		if c.decide(2) == 1 {
			c.require(logic.Not(ok))
			c.lose("an access outside of %s", o.name)
		}
		c.require(ok)
	}
	s := spot{obj: o, off: residue, run: r, at: total.t}
	if word := c.b.word; o.slot > 0 {
		bytes := total
		if r.unit != 1 {
			bytes = c.a.binary(ir.Mul, word, total, c.a.number(word, uint64(r.unit)), nil, nil)
		}
		s.at = c.a.binary(ir.Add, c.b.pointer, value{t: start}, c.a.binary(ir.Add, word, bytes, c.a.number(word, uint64(residue)), nil, nil), nil, nil).t
	}
	return s
}

// elements adds indices to the number of an element, and says when that is not negative
// and no product wraps.
func (c *context) elements(o *object, r *run, by []ir.Index, first int64) (total value, inside []*logic.Term) {
	word := c.b.word
	total = c.a.number(word, uint64(first))
	for _, i := range by {
		t, v := i.By.Type(), c.plain(i.By)
		n := i.Stride / r.unit
		switch {
		case i.Len >= 0:
			inside = append(inside, c.below(t, v, i.Len))
		case len(by) > 1 || first != 0 || n != 1:
			most := o.size/max(i.Stride, 1) + 1
			inside = append(inside, c.a.compare(ir.Le, t, c.a.number(t, uint64(-most)), v), c.a.compare(ir.Le, t, v, c.a.number(t, uint64(most))))
		}
		if n != 1 {
			v = c.a.binary(ir.Mul, word, v, c.a.number(word, uint64(n)), nil, nil)
		}
		total = c.a.binary(ir.Add, word, total, v, nil, nil)
	}
	return total, append(inside, c.a.compare(ir.Le, word, c.a.number(word, 0), total))
}

// elemSize is the size of what the pointer of a place points to.
func elemSize(p ir.Place, off int64) int64 {
	if p.Ptr != nil {
		if e := p.Ptr.Type().Elem; e != nil && e.Size > 0 && off-p.Off >= 0 && p.Off < e.Size {
			return gcd(e.Size, off-p.Off)
		}
	}
	return gcd(extent(p), off)
}
