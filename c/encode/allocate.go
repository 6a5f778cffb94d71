package encode

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/logic"
)

// allocates reports a routine whose result is new memory.
func allocates(f *ir.Func) bool {
	news, _ := f.Allocates()
	return news
}

// maxObject is the size of the largest object of a known size, in bytes.
const maxObject = 1 << 24

// room is how many bytes of addresses an object gets whose size is computed, or all
// objects of a call that allocates several times; maxEach is the most that each of these
// has where sizes are computed.
func (m *memory) room() int64 {
	if m.prog.Model == ir.ILP32 {
		return 1 << 27
	}
	return 1 << 40
}

const maxEach = 1 << 16

// ofSite is the memory that a call of a routine allocates.
func (m *memory) ofSite(c *ir.Call, f *ir.Func) *object {
	if m.sites[c] == nil {
		o := &object{name: fmt.Sprintf("malloc:%d", c.Span.Pos().Line), site: c, size: 1, scale: 1}
		_, zeroed := f.Allocates()
		o.scoped, o.zeroed = f.Name == ir.ArrayRoutine, zeroed
		if o.scoped {
			o.name = fmt.Sprintf("array:%d", c.Span.Pos().Line)
		}
		if o.library = m.libraryWith(c); o.library != nil {
			o.name = o.library.Name + ":malloc"
		}
		computed, bytes := factors(c)
		if o.size = bytes; len(computed) > 0 || o.size > maxObject {
			o.size, o.sized, o.scale = m.room(), true, max(bytes, 1)
		}
		m.sites[c] = m.add(o)
	}
	return m.sites[c]
}

// libraryWith is the routine of the library that a call stands in, nil if the program has it.
func (m *memory) libraryWith(c *ir.Call) *ir.Func {
	for _, f := range m.prog.Funcs {
		for _, b := range f.Blocks {
			if f.Library && slices.Contains(b.Instrs, ir.Instr(c)) {
				return f
			}
		}
	}
	return nil
}

// factors are what the arguments of an allocation multiply: what is computed, and a
// number.
func factors(c *ir.Call) (computed []ir.Expr, number int64) {
	number = 1
	var take func(e ir.Expr)
	take = func(e ir.Expr) {
		if n, ok := e.(*ir.Const); ok && n.Bits > 0 && n.Bits <= maxObject && number <= maxObject {
			number *= int64(n.Bits)
			return
		}
		if b, ok := e.(*ir.Binary); ok && b.Op == ir.Mul {
			if _, ok := b.Y.(*ir.Const); ok {
				take(b.X)
				take(b.Y)
				return
			}
			if _, ok := b.X.(*ir.Const); ok {
				take(b.X)
				take(b.Y)
				return
			}
		}
		computed = append(computed, e)
	}
	for _, a := range c.Args {
		take(a)
	}
	return computed, number
}

// repeated prepares a site that allocates several times: its objects have addresses one
// after the other, and are never given back.
func (b *builder) repeated(o *object) {
	if o.slot > 0 {
		return
	}
	if o.sized {
		o.size = maxEach
	}
	o.slot = 1 << bits.Len64(uint64(o.size+objectGap)) // digits of an address then say where it is
	o.many = b.mem.room() / o.slot
	o.base = b.mem.next
	b.mem.reserve(o.slot * o.many)
}

// allocations finds the sites that allocate several times, and that memory suffices.
func (b *builder) allocations() {
	out := make([][]int, len(b.names))
	for _, s := range b.steps {
		out[s.from] = append(out[s.from], s.to)
	}
	for _, o := range b.mem.all {
		steps := b.sites[o.site]
		if o.site != nil && !o.scoped && (len(steps) > 1 || len(steps) == 1 && (b.repeats(out, steps[0]) || b.isApart(steps[0].frame.root()))) {
			b.repeated(o) // an array of a scope ends before it is made again
		}
	}
	b.mortal()
	if b.prog.Model == ir.ILP32 && b.mem.next > 1<<32-firstAddress {
		refuse(b.entry.Span, "c-memory", "allocate constant numbers of bytes", "32-bit addresses do not reach for the objects of this program")
	}
}

// assumptions are what a proof assumes about the sizes of memory, and, unless that is proved (fits), how often it is allocated.
func (m *memory) assumptions(proved bool) (all []string) {
	for _, o := range m.all {
		what := o.name
		if o.site != nil {
			what = fmt.Sprintf("what is allocated in line %d", o.site.Span.Pos().Line)
		}
		if o.library != nil {
			what = fmt.Sprintf("what %s() allocates", o.library.Name)
		}
		if o.sized {
			all = append(all, fmt.Sprintf("%s has at most %d bytes", what, o.size))
		}
		switch {
		case proved:
		case o.lives > 0:
			if o.v != nil {
				what = o.owner.Name + "." + o.v.Name
			}
			all = append(all, fmt.Sprintf("%s begins to live at most %d times", what, o.many))
		case o.stacked != nil:
			all = append(all, fmt.Sprintf("at most %d activations of %s live at a time", o.many, o.stacked.Name))
		case o.slot > 0 && o.library != nil:
			all = append(all, fmt.Sprintf("%s() allocates at most %d times", o.library.Name, o.many))
		case o.slot > 0:
			all = append(all, fmt.Sprintf("%s is allocated at most %d times", what, o.many))
		}
	}
	return all
}

// sizeOf is the size of an object whose size is computed, in units of its scale; start is
// its address, if one call allocates several.
func (c *context) sizeOf(o *object, start *logic.Term) value {
	return c.valueIn(c.about(o, sizeOff), start)
}

// room is the condition that an access behind some elements of a run lies in an object
// whose size is computed.
func (c *context) roomFor(o *object, r *run, total value, end int64, start *logic.Term) *logic.Term {
	word, size := c.b.word, c.sizeOf(o, start)
	if o.scale%r.unit == 0 && end <= r.unit { // by elements
		if n := o.scale / r.unit; n != 1 {
			size = c.a.binary(ir.Mul, word, size, c.a.number(word, uint64(n)), nil, nil)
		}
		return c.a.compare(ir.Lt, word, total, size)
	}
	bytes := total
	if r.unit != 1 {
		bytes = c.a.binary(ir.Mul, word, total, c.a.number(word, uint64(r.unit)), nil, nil)
	}
	if o.scale != 1 {
		size = c.a.binary(ir.Mul, word, size, c.a.number(word, uint64(o.scale)), nil, nil)
	}
	return c.a.compare(ir.Le, word, c.a.binary(ir.Add, word, bytes, c.a.number(word, uint64(end)), nil, nil), size)
}

// about is the cell of what is known about an object.
func (c *context) about(o *object, off int64) *cell {
	var r *run
	if o.slot > 0 && (off == sizeOff || off == goneOff && o.onHeap()) {
		r = &run{}
	}
	return c.b.mem.cell(o, r, off, c.b.word, 0, 0, c.span)
}

// allocate encodes the call of a routine that allocates. It succeeds; a run that needs
// more memory than assumptions says ends.
func (c *context) allocate(i *ir.Call, f *ir.Func) {
	o, word := c.b.mem.ofSite(i, f), c.b.word
	base := c.a.number(c.b.pointer, o.base)
	if o.lives > 0 { // it ends, if it was made before
		c.ends(o)
		base = c.a.binary(ir.Add, c.b.pointer, c.placeIn(o, 0), c.a.number(c.b.word, uint64(o.lives)), nil, nil)
	}
	if o.slot > 0 {
		count := c.about(o, countOff)
		n := c.valueIn(count, nil)
		c.fits(c.a.compare(ir.Lt, word, n, c.a.number(word, uint64(o.many))))
		c.updates[count] = c.a.binary(ir.Add, word, n, c.a.number(word, 1), nil, nil).t
		base = c.a.binary(ir.Add, c.b.pointer, base, c.a.binary(ir.Mul, word, n, c.a.number(word, uint64(o.slot)), nil, nil), nil, nil)
	}
	if o.sized {
		size := c.allocated(i, o)
		at := c.about(o, sizeOff)
		if at.run != nil {
			c.updates[at] = logic.Store(at.variable(c.b.mem, c.a), base.t, size.t)
		} else {
			c.updates[at] = size.t
		}
	}
	c.begun(o, base)
	if o.slot == 0 && (o.zeroed || o.scoped) {
		c.fills = append(c.fills, fill{spot: c.fixed(o, 0), size: o.size, zero: o.zeroed})
	}
	if i.To != nil {
		c.put(*i.To, base)
	}
}

// fits requires that there is room for one more. A run that needs more ends, unless it is asked whether runs end.
func (c *context) fits(room *logic.Term) {
	if c.b.endsAsked() && c.decide(2) == 1 {
		c.require(logic.Not(room))
		c.lose("memory that is allocated without end")
	}
	c.require(room)
}

// allocated is the size of an allocation, in units of the object's scale: at most as much
// as is assumed. A product that is too large for its type is lost, since it is another
// size than it seems; the routines that multiply themselves refuse it.
func (c *context) allocated(i *ir.Call, o *object) value {
	word := c.b.word
	computed, _ := factors(i)
	most := o.size / o.scale
	size := c.a.number(word, 1)
	if len(computed) > 1 {
		c.lose("memory of a size that is a product")
	}
	for _, e := range computed {
		n, t := c.plain(e), e.Type()
		fits := c.a.compare(ir.Le, t, n, c.a.number(t, uint64(most)))
		if signed(t) {
			fits = logic.And(fits, c.a.compare(ir.Le, t, c.a.number(t, 0), n))
		}
		if len(i.Args) == 1 && o.scale > 1 {
			largest := ^uint64(0) >> (64 - t.Width())
			if signed(t) {
				largest >>= 1
			}
			if whole := c.a.compare(ir.Le, t, n, c.a.number(t, largest/uint64(o.scale))); c.decide(2) == 1 {
				c.require(logic.Not(whole))
				c.lose("a size that is too large for its type")
			}
		}
		c.require(fits)
		size = c.a.convert(t, word, n)
	}
	return size
}
