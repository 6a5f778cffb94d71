package encode

import (
	"fmt"

	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program/cfront"
)

// allocates are the routines whose result is new memory.
var allocates = map[string]bool{"malloc": true, "calloc": true, "alloca": true, "__builtin_alloca": true, "__builtin_malloc": true, "__builtin_calloc": true, cfront.ArrayRoutine: true}

// maxObject is the size of the largest object of a known size, in bytes.
const maxObject = 1 << 24

// room is how many bytes of addresses an object gets whose size is computed, or all
// objects of a call that allocates several times; maxEach is the most that each of these
// has where sizes are computed.
func (m *memory) room() int64 {
	if m.prog.Model == cfront.ILP32 {
		return 1 << 27
	}
	return 1 << 40
}

const maxEach = 1 << 16

// ofSite is the memory that a call allocates.
func (m *memory) ofSite(c *cfront.Call) *object {
	if m.sites[c] == nil {
		o := &object{name: fmt.Sprintf("malloc:%d", c.Span.Pos().Line), site: c, size: 1}
		if c.Callee.Name == cfront.ArrayRoutine {
			o.name = fmt.Sprintf("array:%d", c.Span.Pos().Line)
		}
		for _, a := range c.Args {
			if n, ok := a.(*cfront.Const); ok && n.Bits <= maxObject && !o.sized {
				o.size *= int64(n.Bits)
			} else {
				o.sized = true
			}
		}
		if o.sized || o.size > maxObject {
			o.size, o.sized = m.room(), true
		}
		m.sites[c] = m.add(o)
	}
	return m.sites[c]
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
	o.slot = (o.size/objectGap + 2) * objectGap
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
	for c, steps := range b.sites {
		o := b.mem.ofSite(c)
		if c.Callee.Name == cfront.ArrayRoutine {
			continue // it ends before it is made again
		}
		if len(steps) > 1 || b.repeats(out, steps[0]) {
			b.repeated(o)
		}
	}
	if b.prog.Model == cfront.ILP32 && b.mem.next > 1<<32-firstAddress {
		refuse(b.entry.Span, "c-memory", "allocate constant numbers of bytes", "32-bit addresses do not reach for the objects of this program")
	}
}

// assumptions are what a proof assumes about the sizes of memory.
func (m *memory) assumptions() (all []string) {
	for _, o := range m.all {
		what := o.name
		if o.site != nil {
			what = fmt.Sprintf("what is allocated in line %d", o.site.Span.Pos().Line)
		}
		if o.sized {
			all = append(all, fmt.Sprintf("%s has at most %d bytes", what, o.size))
		}
		if o.slot > 0 {
			all = append(all, fmt.Sprintf("%s is allocated at most %d times", what, o.many))
		}
	}
	return all
}

// sizeOf is the size of an object whose size is computed; start is its address, if one
// call allocates several.
func (c *context) sizeOf(o *object, start *logic.Term) value {
	return c.valueIn(c.about(o, sizeOff), start)
}

// about is the cell of what is known about an object.
func (c *context) about(o *object, off int64) *cell {
	var r *run
	if o.slot > 0 && off == sizeOff {
		r = &run{}
	}
	return c.b.mem.cell(o, r, off, c.b.word, 0, 0, c.span)
}

// allocate encodes the call of a routine that allocates. It succeeds; a run that needs
// more memory than assumptions says ends.
func (c *context) allocate(i *cfront.Call) {
	o, word := c.b.mem.ofSite(i), c.b.word
	base := c.a.number(c.b.pointer, o.base)
	zero := clears(i)
	if o.slot > 0 {
		count := c.about(o, countOff)
		n := c.valueIn(count, nil)
		c.require(c.a.compare(cfront.Lt, word, n, c.a.number(word, uint64(o.many))))
		c.updates[count] = c.a.binary(cfront.Add, word, n, c.a.number(word, 1), nil, nil).t
		base = c.a.binary(cfront.Add, c.b.pointer, base, c.a.binary(cfront.Mul, word, n, c.a.number(word, uint64(o.slot)), nil, nil), nil, nil)
	}
	if o.sized {
		size := c.allocated(i, o.size)
		at := c.about(o, sizeOff)
		if at.run != nil {
			c.updates[at] = logic.Store(at.variable(c.b.mem, c.a), base.t, size.t)
		} else {
			c.updates[at] = size.t
		}
	}
	if o.slot == 0 && (zero || i.Callee.Name == cfront.ArrayRoutine) {
		c.fills = append(c.fills, fill{spot: c.fixed(o, 0), size: o.size, zero: zero})
	}
	if i.To != nil {
		c.put(*i.To, base)
	}
}

// allocated is the number of bytes of an allocation, at most as many as is assumed.
func (c *context) allocated(i *cfront.Call, most int64) value {
	word := c.b.word
	size := c.a.number(word, 1)
	for _, a := range i.Args {
		n, t := c.plain(a), a.Type()
		c.require(logic.And(c.a.compare(cfront.Le, t, c.a.number(t, 0), n), c.a.compare(cfront.Le, t, n, c.a.number(t, uint64(most)))))
		size = c.a.binary(cfront.Mul, word, c.a.convert(t, word, n), size, nil, nil)
	}
	if len(i.Args) > 1 { // each factor fits, so that the product of two of 64 bits does not wrap
		if c.b.prog.Model == cfront.ILP32 {
			first, second := c.plain(i.Args[0]), c.plain(i.Args[1])
			wide := &cfront.Type{Kind: cfront.Integer, Signed: true, Size: 8}
			product := c.a.binary(cfront.Mul, wide, c.a.convert(i.Args[0].Type(), wide, first), c.a.convert(i.Args[1].Type(), wide, second), nil, nil)
			c.require(c.a.compare(cfront.Le, wide, product, c.a.number(wide, uint64(most))))
		}
		c.require(c.a.compare(cfront.Le, word, size, c.a.number(word, uint64(most))))
	}
	return size
}
