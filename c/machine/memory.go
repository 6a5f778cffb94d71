package machine

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/seltl/seltl/c/ir"
)

// memory is the objects of a run, in the order of their addresses.
type memory struct {
	next    uint64
	gap     uint64
	model   ir.DataModel
	objects []*object
	size    int64 // of the objects
	// lives: objects that have ended are still there, dead; of variables, those of taken.
	lives bool
	taken map[*ir.Var]bool
}

// maxMemory bounds the objects of a run at one moment, in bytes.
const maxMemory = 1 << 28

// object is a piece of memory: bytes, and whether each lacks a value.
type object struct {
	base  uint64
	data  []byte
	lacks []bool
	born  int      // the event that it began with
	from  []origin // of bytes without a value, where they are not all its own
	drawn []bool   // bytes whose value the program has not given; nil: none
	// labels are what bytes depend on that is not known; nil: nothing.
	labels []label
	heap   bool
	dead   bool
	over   bool // it has ended, and its bytes are counted no more
	left   bool // the block that declares it has ended, and pointers do not find it
	// outlived: it may have ended, though it is not dead.
	outlived bool
	v        *ir.Var  // that it belongs to
	site     *ir.Call // that allocated it
	nth      int
	// shared: data, lacks, from, drawn and labels are those of a fork, too, and are copied before they change.
	shared bool
}

// access is a part of an object with a type.
type access struct {
	o            *object
	off          int64
	t            *ir.Type
	bitOff, bits int
}

// alignment of objects; layouts differ in where the first is, and in the gap between
// objects, so that one past the end is nobody's.
const alignment, layoutStep = 16, 0x2350

// firstAddress is where objects begin: below there is room for memory that is none of them.
func firstAddress(model ir.DataModel) uint64 {
	if model == ir.ILP32 {
		return 1 << 30
	}
	return 1 << 32
}

func newMemory(model ir.DataModel, layout int) memory {
	return memory{next: firstAddress(model) + uint64(layout)*layoutStep, gap: 2 + 3*uint64(layout), model: model}
}

// full reports that addresses have run out.
func (m *memory) full() bool { return m.model == ir.ILP32 && m.next > math.MaxUint32 }

// allocate makes an object, of zeros or of bytes without a value; the error is that the run cannot
// go on, for want of memory.
func (m *memory) allocate(size int64, zeros bool) (*object, error) {
	size = max(size, 0)
	if size > maxMemory-m.size {
		return nil, &halt{Outcome{Ending: Exceeded, What: fmt.Sprintf("the run takes more than %d MiB of memory", maxMemory>>20)}}
	}
	m.size += size
	o := newObject(m.next, size, zeros)
	m.next += (uint64(size)/alignment + m.gap) * alignment
	m.objects = append(m.objects, o)
	return o, nil
}

// newObject is an object of zeros, or of bytes without a value. Large ones of zeros take memory
// when they are written to.
func newObject(base uint64, size int64, zeros bool) *object {
	o := &object{base: base, data: make([]byte, size), lacks: make([]bool, size)}
	if !zeros {
		o.forget(0, size)
	}
	return o
}

func (m *memory) mark() int { return len(m.objects) }

// release ends the life of the variables that came since the mark. Where lives are looked at, those that
// pointers may point to are still found.
func (m *memory) release(mark int) {
	for _, o := range m.objects[mark:] {
		if m.lives && !o.heap {
			m.end(o)
		}
		o.dead = o.dead || !o.heap
	}
	m.objects = append(m.objects[:mark], slices.DeleteFunc(slices.Clone(m.objects[mark:]), func(o *object) bool {
		if o.dead && !o.over {
			m.size -= int64(len(o.data))
		}
		return o.dead && (!m.lives || o.v != nil && !m.taken[o.v])
	})...)
}

// leave ends the life of an object that no pointer finds any more.
func (m *memory) leave(o *object) {
	if i, found := slices.BinarySearchFunc(m.objects, o.base, func(o *object, at uint64) int { return cmp.Compare(o.base, at) }); found && !o.left {
		m.size -= int64(len(o.data))
		o.left = true
		m.objects = slices.Delete(m.objects, i, i+1)
	}
}

// end ends the life of an object: nobody reads it again.
func (m *memory) end(o *object) {
	if o.over {
		return
	}
	m.size -= int64(len(o.data))
	o.dead, o.over = true, true
	if n := len(o.data); n <= maxRemains {
		zeros, lacks := remains()
		o.data, o.lacks, o.from, o.drawn, o.labels = zeros[:n], lacks[:n], nil, nil, nil
	}
}

// maxRemains is the size of the largest object of which nothing is left.
const maxRemains = 1 << 16

// remains are the bytes that all of these share: without a value.
var remains = sync.OnceValues(func() ([]byte, []bool) {
	return make([]byte, maxRemains), slices.Repeat([]bool{true}, maxRemains)
})

// find returns the object at an address; nil if there is none.
func (m *memory) find(at uint64) *object {
	i, exact := slices.BinarySearchFunc(m.objects, at, func(o *object, at uint64) int {
		switch {
		case o.base < at:
			return -1
		case o.base > at:
			return 1
		}
		return 0
	})
	if !exact {
		i--
	}
	if i < 0 || at > m.objects[i].base+uint64(len(m.objects[i].data)) {
		return nil
	}
	return m.objects[i]
}

// own is told before the bytes of an object change.
func (o *object) own() {
	if o.shared {
		o.data, o.lacks, o.from, o.drawn, o.shared = slices.Clone(o.data), slices.Clone(o.lacks), slices.Clone(o.from), slices.Clone(o.drawn), false
		o.labels = slices.Clone(o.labels)
	}
}

// leftOpen notes that the program has, or has not, left it to chance what bytes are.
func (o *object) leftOpen(off, size int64, open bool) {
	switch {
	case open && o.drawn == nil:
		o.drawn = make([]bool, len(o.data))
	case o.drawn == nil:
		return
	}
	for i := off; i < off+size; i++ {
		o.drawn[i] = open
	}
}

func (o *object) clear(off, size int64) {
	o.own()
	o.leftOpen(off, size, false)
	o.mark(off, size, 0)
	clear(o.data[off : off+size])
	clear(o.lacks[off : off+size])
}

func (o *object) forget(off, size int64) {
	o.own()
	for i := off; i < off+size; i++ {
		o.lacks[i] = true
	}
}

func (o *object) copyFrom(off int64, from *object, fromOff, size int64) {
	o.own()
	o.leftOpen(off, size, false)
	o.markFrom(off, from, fromOff, size)
	copy(o.data[off:off+size], from.data[fromOff:fromOff+size])
	copy(o.lacks[off:off+size], from.lacks[fromOff:fromOff+size])
	if slices.Contains(from.lacks[fromOff:fromOff+size], true) {
		origins := make([]origin, size)
		for i := range size {
			origins[i] = from.origin(fromOff + i)
		}
		o.trace()
		copy(o.from[off:], origins)
	}
}

// span is the bytes that an access touches: of a bit-field, those that it lies in.
func (a access) span() (off, size int64) {
	if a.bits == 0 {
		return a.off, a.t.Size
	}
	first := a.off + int64(a.bitOff/8)
	return first, int64(a.bitOff%8+a.bits+7) / 8
}

// place finds where a place is, and that it lies in an object.
func (m *Machine) place(p ir.Place, span ir.Span) (access, error) {
	a := access{off: p.Off, t: p.Type, bitOff: p.BitOff, bits: p.Bits}
	stray := false
	if p.Var != nil {
		var err error
		if a.o, err = m.object(p.Var); err != nil {
			return a, err
		}
		shift, err := m.shift(p, span)
		if err != nil {
			return a, err
		}
		a.off += int64(shift)
	} else {
		before := m.depends()
		base, from, err := m.origin(p, span)
		if !m.points(from) {
			m.decided(from)
		}
		if err != nil {
			m.dep = before
			return a, err
		}
		at, err := m.within(p, base, from, span)
		if err != nil {
			m.dep = before
			return a, err
		}
		l := m.depends()
		if m.dep = before; m.kind(l) == strayed {
			stray = true // a mistake, unless something happens to be there
		} else {
			m.decided(l)
		}
		switch size := m.Program.Model.PointerSize(); {
		case base == 0 || at == 0:
			return a, m.invalid(ir.Dereference, ir.CheckNull, span, "the null pointer is dereferenced")
		case Nobodys(base, size) || Nobodys(at, size):
			return a, m.invalid(ir.Dereference, ir.CheckNull, span, "what lies at the address %d is accessed, where no object is", int64(at))
		}
		if a.o = m.mem.find(at); a.o == nil && m.Regions && m.mem.foreign(at) {
			a.o = m.ownRegion(at, a, span)
		}
		if a.o == nil && slices.ContainsFunc(m.Program.Globals, (*ir.Var).Unsized) { // it may point there
			return a, m.undefined(span, "a pointer is dereferenced that points to no object whose length is known")
		}
		if a.o == nil {
			return a, m.invalid(ir.Dereference, ir.CheckBounds, span, "a pointer that points to nothing is dereferenced")
		}
		a.off = int64(at - a.o.base)
	}
	switch off, size := a.span(); {
	case a.o.dead && stray:
		return a, m.invalid(ir.Dereference, ir.CheckBounds, span, "a pointer that points to nothing is dereferenced")
	case a.o.dead && a.o.heap:
		return a, m.invalid(ir.Dereference, ir.CheckMemory, span, "memory is used that has been freed")
	case a.o.dead:
		return a, m.invalid(ir.Dereference, ir.CheckMemory, span, "a variable is used, or memory, that has ended with its block or routine")
	case a.o.v != nil && a.o.v.Unsized():
		return a, m.undefined(span, "how long %s is, is not known", a.o.v.Name)
	case off < 0 || size < 0 || off+size > int64(len(a.o.data)):
		return a, m.invalid(ir.Dereference, ir.CheckBounds, span, "an access outside of an object")
	}
	if stray {
		m.decided(m.guesses.layout())
	}
	return a, nil
}

// Nobodys reports an address of so many bytes that no object has, nor anything else that can be
// accessed: one of the first 4096, or of the last. null is the first of them.
func Nobodys(at uint64, size int64) bool {
	last := ^uint64(0) >> (64 - 8*size)
	return at < nobodys || last-at&last < nobodys
}

// wrapped makes of what is computed of a pointer that the run was given what is not known, where it begins or ends up
// where no object is: none has null as its end.
func (m *Machine) wrapped(l label, from, to uint64) {
	end := func(at uint64) bool { return at >= nobodys && Nobodys(at, m.Program.Model.PointerSize()) }
	if !m.points(l) && from != 0 && from != to && (to == 0 || end(from) || end(to)) {
		m.depend(m.guesses.layout())
	}
}

// foreign reports an address that no object has had.
func (m *memory) foreign(at uint64) bool { return at < firstAddress(m.model) || at > m.next+1<<24 }

// ownRegion is the memory that a pointer to no object points to; nil if it is a part of such memory, and more: what
// lies there is not known then.
func (m *Machine) ownRegion(at uint64, a access, span ir.Span) *object {
	a.off = 0
	_, size := a.span()
	end := at + uint64(max(size, a.t.Size))
	if o := m.region[at]; o != nil && end <= at+uint64(len(o.data)) {
		return o
	}
	for base, o := range m.region {
		switch last := base + uint64(len(o.data)); {
		case base <= at && end <= last:
			return o
		case at < last && base < end:
			m.decided(m.guesses.label(guess{why: "memory from elsewhere that is used in several ways" + placeIn(span)}))
			return nil
		}
	}
	m.region[at] = newObject(at, int64(end-at), false)
	return m.region[at]
}

// shift is the part of a place's offset that Index says.
func (m *Machine) shift(p ir.Place, span ir.Span) (uint64, error) {
	var sum uint64
	for _, i := range p.Index {
		by, err := m.deciding(func() (uint64, error) {
			by, err := m.eval(i.By, span)
			m.dep = m.changed(m.dep)
			return by, err
		})
		if err != nil {
			return 0, err
		}
		if i.Len >= 0 && (int64(by) < 0 || int64(by) > i.Len) {
			return 0, m.broken(ir.CheckBounds, span, "index %d of an array of %d elements", int64(by), i.Len)
		}
		sum += by * uint64(i.Stride)
	}
	return sum, nil
}

// address is that of a place, which need not be in an object.
func (m *Machine) address(p ir.Place, span ir.Span) (uint64, error) {
	before := m.depends()
	base, l, err := m.origin(p, span)
	if err != nil {
		return 0, err
	}
	at, err := m.within(p, base, l, span)
	l = m.depends()
	m.dep = before
	m.depend(l)
	return at, err
}

// origin is the address from which that of a place is counted, and on what it depends.
func (m *Machine) origin(p ir.Place, span ir.Span) (uint64, label, error) {
	if p.Var != nil {
		o, err := m.object(p.Var)
		if err != nil {
			return 0, 0, err
		}
		return o.base, m.guesses.address(), nil
	}
	m.dep = 0
	base, err := m.eval(p.Ptr, span)
	return base, m.depends(), err
}

// within is the address of a place whose origin is base, which depends on l; on what it depends is in
// m.dep. The origin is not computed again: a chain of accesses would take twice as long with each.
func (m *Machine) within(p ir.Place, base uint64, l label, span ir.Span) (uint64, error) {
	m.dep = 0
	shift, err := m.shift(p, span)
	mask := uint64(math.MaxUint64)
	if m.Program.Model == ir.ILP32 {
		mask = math.MaxUint32
	}
	at := (base + uint64(p.Off) + shift) & mask
	if m.points(l) {
		l = m.moved(l, 0, base, at)
	}
	m.dep = 0
	m.depend(l)
	m.wrapped(l, base, at)
	return at, err
}

// read reads a scalar; bytes without a value get one.
func (m *Machine) read(a access, span ir.Span) (uint64, error) {
	off, size := a.span()
	m.labelsOf(a)
	if slices.Contains(a.o.lacks[off:off+size], true) {
		if err := m.firstValue(a, span); err != nil {
			return 0, err
		}
	}
	if m.Record != nil && a.t.Kind == ir.Pointer && m.mem.foreign(a.o.base) {
		m.Record.mixes(a, size, false)
	}
	var raw uint64
	for i := size - 1; i >= 0; i-- {
		raw = raw<<8 | uint64(a.o.data[off+i])
	}
	if a.bits > 0 {
		raw = raw >> (a.bitOff % 8) & (1<<a.bits - 1)
		if a.t.Signed && raw>>(a.bits-1) == 1 {
			raw |= ^uint64(0) << a.bits
		}
	}
	if a.t.Bool && raw > 1 {
		return 0, m.undefined(span, "a _Bool is read that is neither 0 nor 1")
	}
	return ir.Extend(a.t, raw), nil
}

// write stores a scalar.
func (m *Machine) write(a access, bits uint64) error {
	a.o.own()
	off, size := a.span()
	if m.Record != nil && size < m.Program.Model.PointerSize() && m.mem.foreign(a.o.base) {
		m.Record.mixes(a, size, true)
	}
	if a.bits > 0 {
		for i := off; i < off+size; i++ { // the neighbours keep what they have
			if a.o.lacks[i] {
				a.o.data[i] = 0
			}
		}
		mask := (uint64(1)<<a.bits - 1) << (a.bitOff % 8)
		var raw uint64
		for i := size - 1; i >= 0; i-- {
			raw = raw<<8 | uint64(a.o.data[off+i])
		}
		bits = raw&^mask | bits<<(a.bitOff%8)&mask
	}
	a.o.leftOpen(off, size, false)
	for i := range size {
		a.o.data[off+i], a.o.lacks[off+i] = byte(bits>>(8*i)), false
	}
	return nil
}
