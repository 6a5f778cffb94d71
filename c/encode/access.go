package encode

import (
	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/logic"
)

// spot is where an access goes: a place in an object, or in an element of a run.
type spot struct {
	obj *object // nil: in memory of its own, reads of which give any value
	off int64   // of a run: in its first element
	run *run
	at  *logic.Term // which element: its number, or the address of the access
	// known: the place is the byte abs of the object.
	known bool
	abs   int64
}

var byteType = &ir.Type{Kind: ir.Integer, Size: 1, Name: "unsigned char"}

// fixed is a known place in an object.
func (c *context) fixed(o *object, off int64) spot {
	r := o.runAt(off)
	if r == nil {
		return spot{obj: o, off: off, known: true, abs: off}
	}
	n := (off - r.lo) / r.unit
	return spot{o, off - n*r.unit, r, c.a.number(c.b.word, uint64(n)).t, true, off}
}

// shift is a spot some bytes further.
func (c *context) shift(s spot, by int64) spot {
	if s.known {
		return c.fixed(s.obj, s.abs+by)
	}
	off := s.off - s.run.lo + by
	n := off / s.run.unit
	if off < 0 && off%s.run.unit != 0 {
		n--
	}
	s.off = s.run.lo + off - n*s.run.unit
	if s.obj.slot > 0 {
		n = by // addresses
	}
	if n != 0 {
		s.at = c.a.binary(ir.Add, c.b.pointer, value{t: s.at}, c.a.number(c.b.word, uint64(n)), nil, nil).t
	}
	return s
}

// inBytes reports that an access is one of single bytes.
func (s spot) inBytes(size int64) bool {
	if s.run != nil || size == 1 {
		return size > 1 && s.run.unit == 1
	}
	for off := s.off; off < s.off+size; off++ {
		if s.obj.bytes[off] {
			return true
		}
	}
	return false
}

// read reads a scalar.
func (c *context) read(s spot, t *ir.Type, bitOff, bits int) value {
	if !s.inBytes(t.Size) || bits > 0 && s.run == nil {
		at := c.b.mem.cell(s.obj, s.run, s.off, t, bitOff, bits, c.span)
		v := c.valueIn(at, s.at)
		if signed(at.t) != signed(t) && t.Scalar() && bits == 0 {
			return c.a.convert(at.t, t, v)
		}
		return v
	}
	c.noBits(s, bits)
	var parts []value
	for i := range t.Size {
		parts = append(parts, c.read(c.shift(s, i), byteType, 0, 0))
	}
	return c.a.join(t, parts)
}

// noBits refuses bit-fields whose bytes are used otherwise.
func (c *context) noBits(s spot, bits int) {
	if bits > 0 {
		refuse(c.span, "c-bytes", "use one type for each part of an object", "bit-fields of %s are also used as bytes, which is not supported", s.obj.name)
	}
}

// valueIn is the value of a cell, in an element of its run.
func (c *context) valueIn(at *cell, index *logic.Term) value {
	x := at.variable(c.b.mem, c.a)
	if at.run == nil {
		return c.a.variable(at.t, x, at.key.bits)
	}
	x = logic.Select(x, index)
	v := c.a.variable(at.t, x, at.key.bits)
	if v.lo != nil || at.t.Bool || at.key.bits > 0 { // what an array begins with has no bounds
		c.require(c.a.domain(at.t, x, at.key.bits))
	}
	return v
}

// write stores a scalar.
func (c *context) write(s spot, t *ir.Type, bitOff, bits int, v value) {
	if s.inBytes(t.Size) && (bits == 0 || s.run != nil) {
		c.noBits(s, bits)
		v = c.bitsOf(t, v)
		for i := range t.Size {
			c.write(c.shift(s, i), byteType, 0, 0, c.a.piece(v, int(i)))
		}
		return
	}
	at := c.b.mem.cell(s.obj, s.run, s.off, t, bitOff, bits, c.span)
	if at.punned() {
		v = c.bitsOf(t, v)
	}
	if signed(at.t) != signed(t) && t.Scalar() && bits == 0 {
		v = c.a.convert(t, at.t, v)
	}
	if at.run == nil {
		c.updates[at] = v.t
		return
	}
	now := c.updates[at]
	if now == nil {
		now = at.variable(c.b.mem, c.a)
	}
	c.updates[at] = logic.Store(now, s.at, v.t)
}

// load reads a place.
func (c *context) load(p ir.Place) value {
	if v, ok := c.env[p.Var]; ok {
		return v
	}
	if c.b.opaque != nil && (p.Var == nil || len(p.Index) > 0) {
		return c.named(p)
	}
	s := c.locate(p)
	if s.obj == nil {
		v := c.a.variable(p.Type, c.free(p.Type), p.Bits)
		c.accessesOwn(p, v, false)
		return v
	}
	if c.ofParts(s, p.Type) {
		return c.any(p.Type)
	}
	v := c.read(s, p.Type, p.BitOff, p.Bits)
	if p.Type.Bool && s.obj.bools[key{s.off, p.Type.Size, p.BitOff, p.Bits}] { // else it is no value of the type (C11 6.2.6.1, 5)
		is := c.a.compare(ir.Le, byteType, v, c.a.number(byteType, 1))
		if !is.IsTrue() && c.decide(2) == 1 {
			c.require(logic.Not(is))
			c.lose("reading a _Bool that is neither 0 nor 1")
		}
		c.require(is)
	}
	return v
}

// ofParts reports a value that is a part of an address, or perhaps made of parts of several, or of parts and
// numbers: whether it is 0, or an address, is another thing in each layout.
func (c *context) ofParts(s spot, t *ir.Type) bool {
	if float(t) { // no operation on an address has a value
		return c.b.pts.holdsAddress(s.obj, s.off, t.Size, s.run != nil)
	}
	if !t.Scalar() || !c.piecewise(s, t.Size) {
		return false
	}
	if t.Size < c.b.pointer.Size || s.obj.patched {
		return c.b.pts.holdsAddress(s.obj, s.off, t.Size, s.run != nil)
	}
	return c.cutsAddress(s, t.Size)
}

// piecewise reports an access of single bytes that are read or written in several ways.
func (c *context) piecewise(s spot, size int64) bool {
	return s.inBytes(size) || size == 1 && (s.run == nil && s.obj.bytes[s.off] || s.run != nil && s.run.unit == 1)
}

// patch notes that something is stored over a part of an address.
func (c *context) patch(s spot, size int64) {
	if !s.obj.patched && c.cutsAddress(s, size) {
		s.obj.patched, c.b.again = true, true
	}
}

// cutsAddress reports bytes from a spot on that have a part of an address, and not all of it, as far as that is
// known.
func (c *context) cutsAddress(s spot, size int64) bool {
	word := c.b.pointer.Size
	if s.known {
		return c.b.pts.cutsAddress(s.obj, s.abs, size)
	}
	return (size%word != 0 || s.off%word != 0 || size > word) && c.b.pts.holdsAddress(s.obj, s.off, size, true)
}

// part is a scalar at some distance from the beginning of what is copied.
type part struct {
	off          int64
	t            *ir.Type
	bitOff, bits int
}

// maxParts bounds what is copied scalar by scalar.
const maxParts = 1000

// parts are the scalars that are known in some bytes from a spot on.
func (c *context) parts(s spot, size int64) (all []part) {
	add := func(off int64, at *cell) {
		if off >= 0 && (off-at.key.off)*8+at.end() <= size*8 && len(all) <= maxParts {
			all = append(all, part{off, at.t, at.key.bitOff, at.key.bits})
		}
	}
	for _, at := range s.obj.sorted() {
		switch {
		case at.key.off < 0:
		case at.run == nil && s.known:
			add(at.key.off-s.abs, at)
		case s.known:
			for off := at.key.off; off < at.run.hi && len(all) <= maxParts; off += at.run.unit {
				add(off-s.abs, at)
			}
		case at.run == s.run:
			for off := at.key.off - s.off; off < size && len(all) <= maxParts; off += s.run.unit {
				add(off, at)
			}
		}
	}
	return all
}

// cut makes bytes of the scalars that what is stored from a spot on covers in part.
func (c *context) cut(s spot, size int64) {
	for _, at := range s.obj.sorted() {
		within := func(x int64) bool { return at.first() < x*8 && x*8 < at.end() }
		if at.run != nil {
			within = func(x int64) bool {
				off := (x - at.key.off) % at.run.unit
				return at.run.lo < x && x < at.run.hi && (off+at.run.unit)%at.run.unit > 0 && (off+at.run.unit)%at.run.unit < at.key.size
			}
		}
		from := s.abs
		if !s.known {
			if at.run != s.run {
				continue
			}
			if from = s.off; from == at.run.lo { // of some element, in which it is that far
				from += at.run.unit
			}
		}
		if at.key.off < 0 || !within(from) && !within(from+size) {
			continue
		}
		if at.key.bits > 0 || at.t.Kind == ir.Float {
			refuse(c.span, "c-bytes", "use one type for each part of an object", "bytes of %s are written here, and %s elsewhere, which is not supported", s.obj.name, at.t)
		}
		c.b.split(at)
	}
}

// copyParts copies bytes, scalar by scalar; runs as a whole where both objects have them.
func (c *context) copyParts(to, from spot, size int64) {
	if c.copyRuns(to, from, size) {
		return
	}
	if c.patch(to, size); from.obj.patched && !to.obj.patched && c.b.pts.holdsAddress(to.obj, to.off, size, !to.known) {
		to.obj.patched, c.b.again = true, true
	}
	c.cut(to, size)
	seen := map[part]bool{}
	for _, p := range append(c.parts(from, size), c.parts(to, size)...) {
		if len(seen) > maxParts {
			c.lose("a copy of more than %d scalars", maxParts)
		}
		if !seen[p] {
			seen[p] = true
			src, dst := c.shift(from, p.off), c.shift(to, p.off)
			if src.obj != dst.obj || src.off != dst.off || src.at != dst.at {
				v := c.read(src, p.t, p.bitOff, p.bits)
				if whole := p.t.Size == 1 && size >= c.b.pointer.Size && c.piecewise(dst, 1); !whole && c.ofParts(src, p.t) {
					v = c.any(p.t)
				}
				c.write(dst, p.t, p.bitOff, p.bits, v)
			}
		}
	}
}

// copyRuns copies what begins with a run and is nothing else.
func (c *context) copyRuns(to, from spot, size int64) bool {
	f, t := from.run, to.run
	if f == nil || t == nil || !from.known || !to.known || from.abs != f.lo || to.abs != t.lo || size != f.hi-f.lo || size != t.hi-t.lo || f.unit != t.unit {
		return false
	}
	for _, side := range [][2]spot{{from, to}, {to, from}} {
		for _, at := range side[0].obj.sorted() {
			if at.run == side[0].run {
				other := side[1]
				at2 := c.b.mem.cell(other.obj, other.run, at.key.off-side[0].off+other.off, at.t, at.key.bitOff, at.key.bits, c.span)
				if at2.punned() && !at.punned() { // its bits can be read there
					c.b.mem.access(at, byteType)
				}
			}
		}
	}
	for _, at := range from.obj.sorted() {
		if at.run == from.run {
			c.updates[to.obj.cells[key{at.key.off - from.off + to.off, at.key.size, at.key.bitOff, at.key.bits}]] = at.variable(c.b.mem, c.a)
		}
	}
	return true
}

// holdsAddress reports that some bytes of an object, or any of it, may be those of an address.
func (p *pointsTo) holdsAddress(o *object, off, size int64, anywhere bool) bool {
	for at, held := range p.held[o] {
		if !anywhere && at != anyOffset && !p.region(o) && (at >= off+size || off >= at+p.m.pointer.Size) {
			continue
		}
		for t := range held {
			if t.obj != p.number {
				return true
			}
		}
	}
	return false
}

// cutsAddress reports that some bytes of an object may be a part of those of an address.
func (p *pointsTo) cutsAddress(o *object, off, size int64) bool {
	word := p.m.pointer.Size
	for at, held := range p.held[o] {
		whole := off <= at && at+word <= off+size || at >= off+size || off >= at+word
		if at == anyOffset || p.region(o) {
			whole = off%word == 0 && size%word == 0
		}
		if whole {
			continue
		}
		for t := range held {
			if t.obj != p.number {
				return true
			}
		}
	}
	return false
}
