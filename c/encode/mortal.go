package encode

import (
	"math/bits"
	"slices"

	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/logic"
)

// Where ir.CheckMemory is asked for, an access by a pointer into an object that has ended is lost, and
// Replay says that it is a mistake. A pointer shows by its number which life of an object it is of: memory on
// the heap, and what alloca gives, has a number of its own each time; a variable whose address may be kept
// longer than it lives, and an array of variable length, move with each life (object.lives), and have cells for
// the one life that there is at a time. All that has to be known beside these is what has been freed.

// goneOff is the offset of what is known about the end of an object: whether it is freed, or of what
// alloca gives, how many of those that there were have ended.
const goneOff = -48

// shortRoom is how many bytes of addresses the lives of a variable get where addresses are short.
const shortRoom = 1 << 23

// mortals are what may be used when it has ended.
type mortals struct {
	kept      map[string]bool        // outlived
	stack     map[*ir.Func][]*object // what ends with a routine
	arrays    map[*ir.Var]*object    // arrays of variable length by the pointers to them
	allocated map[*object]bool       // by alloca
	blocks    *object                // how much memory is allocated, in pieces
}

// follows reports that what memory is freed has to be known.
func (b *builder) follows() bool {
	return b.prog.Checks(ir.CheckMemory) || b.prog.Checks(ir.CheckLeaks)
}

// mortal finds what may be used when it has ended, and gives each life of it an address of its own.
func (b *builder) mortal() {
	if b.prog.Checks(ir.CheckLeaks) {
		b.mortals.blocks = b.mem.add(&object{name: "<blocks>", value: true})
	}
	if !b.prog.Checks(ir.CheckMemory) {
		return
	}
	b.returned = b.prog.Returned()
	m := &b.mortals
	m.kept, m.stack, m.arrays = map[string]bool{}, map[*ir.Func][]*object{}, map[*ir.Var]*object{}
	m.allocated = map[*object]bool{}
	for _, name := range b.pts.outlived(b.entry, b.prog.Funcs, true) {
		m.kept[name] = true
	}
	in := stackSites(b.prog.Funcs)
	for _, o := range b.mem.all {
		switch f := in[o.site]; {
		case o.value || o.fn != nil || o.stacked != nil:
		case o.v != nil && o.owner != nil && m.kept[o.owner.Name+"."+o.v.Name]:
			b.movesWithLives(o)
			m.stack[o.owner] = append(m.stack[o.owner], o)
		case o.site != nil && f != nil && o.scoped:
			if o.site.To == nil || o.site.To.Var == nil {
				continue // nobody knows it
			}
			m.arrays[o.site.To.Var] = o
			if m.kept[f.Name+"."+o.site.To.Var.Name] {
				b.movesWithLives(o)
				m.stack[f] = append(m.stack[f], o)
			}
		case o.site != nil && f != nil && m.kept[f.Name+".alloca()"]:
			m.stack[f], m.allocated[o] = append(m.stack[f], o), true
		}
	}
}

// movesWithLives gives each life of an object an address of its own.
func (b *builder) movesWithLives(o *object) {
	if o.sized {
		o.size = maxEach
	}
	o.lives = 1 << bits.Len64(uint64(o.size+objectGap))
	o.many = b.mem.room() / o.lives
	if b.prog.Model == ir.ILP32 {
		o.many = max(shortRoom/o.lives, 16)
	}
	o.base = b.mem.next
	b.mem.reserve(o.lives * o.many)
}

// onHeap reports memory that lives until it is freed.
func (o *object) onHeap() bool {
	return o.site != nil && o.site.Callee != nil && o.site.Callee.OnHeap()
}

// each is the distance of the addresses of two lives, or of two of the objects that one call allocates; 0: it
// has one address.
func (o *object) each() int64 { return max(o.slot, o.lives) }

// placeIn is the address of a part of an object, in the life that it has.
func (c *context) placeIn(o *object, off int64) value {
	at := c.a.number(c.b.pointer, o.base+uint64(off))
	if o.lives == 0 {
		return at
	}
	n := c.valueIn(c.about(o, countOff), nil)
	return c.a.binary(ir.Add, c.b.pointer, at, c.a.binary(ir.Mul, c.b.word, n, c.a.number(c.b.word, uint64(o.lives)), nil, nil), nil, nil)
}

// ends ends a life of an object on the stack. A run with more lives than there is room for ends.
func (c *context) ends(o *object) {
	word := c.b.word
	if o.lives == 0 { // of alloca
		at := c.about(o, goneOff)
		if o.slot == 0 {
			c.updates[at] = c.a.number(word, 1).t
		} else {
			c.updates[at] = c.valueIn(c.about(o, countOff), nil).t
		}
		return
	}
	count := c.about(o, countOff)
	n := c.valueIn(count, nil)
	c.fits(c.a.compare(ir.Lt, word, n, c.a.number(word, uint64(o.many-1))))
	c.updates[count] = c.a.binary(ir.Add, word, n, c.a.number(word, 1), nil, nil).t
}

// endsBlock ends what a block declares.
func (c *context) endsBlock(e *ir.End) {
	for _, v := range e.Vars {
		for _, o := range []*object{c.b.mem.vars[v], c.b.mortals.arrays[v]} {
			if o != nil && o.lives > 0 {
				c.ends(o)
			}
		}
	}
}

// endsRoutine ends what ends with a routine.
func (c *context) endsRoutine(f *ir.Func) {
	for _, o := range c.b.mortals.stack[f] {
		c.ends(o)
	}
}

// usable loses a way on which a pointer that is dereferenced points into an object that has ended.
func (c *context) usable(p ir.Expr) {
	if !c.b.prog.Checks(ir.CheckMemory) || c.specified {
		return
	}
	all := c.b.pts.value(p)
	var ended, mixed []*logic.Term
	for _, o := range c.objects(all) {
		switch gone := c.ended(o, c.value(p), c.b.pts.onlyAt(o, all)); {
		case o.stacked != nil && c.b.mayOutlive(o), o.v != nil && o.v.Temporary && o.lives > 0:
			mixed = append(mixed, c.ever(o, c.value(p)))
		case !gone.IsFalse():
			ended = append(ended, gone)
		}
	}
	if some := logic.Or(mixed...); !some.IsFalse() {
		if c.decide(2) == 1 {
			c.require(some)
			c.lose("an access to a local of a routine that calls itself, or to a value of an expression, by a pointer that may be kept longer than it lives,")
		}
		c.require(logic.Not(some))
	}
	some := logic.Or(ended...)
	if some.IsFalse() {
		return
	}
	if !c.b.pts.strange(all) && c.decide(2) == 1 {
		c.require(some)
		c.lose("an access to memory that has ended")
	}
	c.require(logic.Not(some))
}

// onlyAt is the offset of all targets in an object, -1 if that is not known or there are several.
func (p *pointsTo) onlyAt(o *object, all []target) int64 {
	at := int64(-1)
	for _, t := range all {
		switch {
		case t.obj == p.unknown || t.obj == p.walked:
			return -1
		case t.obj == o && (t.off < 0 || at >= 0):
			return -1
		case t.obj == o:
			at = t.off
		}
	}
	return at
}

// ended is the condition that an address is one in an object, or of its end, that has ended; at is the offset if
// that is known, or -1.
func (c *context) ended(o *object, v value, at int64) *logic.Term {
	word := c.b.word
	switch {
	case o.value || o.fn != nil || o.stacked != nil:
		return logic.False()
	case o.lives > 0:
		_, nth := c.slotOf(o, v)
		return logic.And(c.in(o, v), c.a.compare(ir.Lt, word, nth, c.valueIn(c.about(o, countOff), nil)))
	case o.site == nil || o.scoped:
		return logic.False()
	case !o.onHeap():
		if !c.b.mortals.allocated[o] {
			return logic.False()
		}
		gone := c.valueIn(c.about(o, goneOff), nil)
		if o.slot == 0 {
			return logic.And(c.in(o, v), c.a.compare(ir.Ne, word, gone, c.a.number(word, 0)))
		}
		_, nth := c.slotOf(o, v)
		return logic.And(c.in(o, v), c.a.compare(ir.Lt, word, nth, gone))
	case len(c.b.freed(o)) == 0:
		return logic.False()
	}
	if at >= 0 && o.slot > 0 { // what else it may be is no target
		t := c.b.pointer
		off, nth := c.slotOf(o, v)
		return logic.And(c.a.compare(ir.Le, t, c.a.number(t, o.base), v), c.exists(o, nth), c.a.compare(ir.Eq, t, off, c.a.number(t, uint64(at))), c.goneAt(o, v, at))
	}
	return logic.And(c.in(o, v), c.gone(o, v))
}

// danglesAt is the condition that a value is the address of a variable whose life is over, and whose routine returned it.
func (c *context) danglesAt(e ir.Expr) *logic.Term {
	var all []*logic.Term
	for _, o := range c.objects(c.b.pts.value(e)) {
		if o.v != nil && c.b.returned[o.v] {
			all = append(all, c.ended(o, c.value(e), -1))
		}
	}
	return logic.Or(all...)
}

// goneAt is gone of an address that is at an offset, or counts for nothing.
func (c *context) goneAt(o *object, v value, at int64) *logic.Term {
	if o.slot == 0 {
		return c.gone(o, v)
	}
	start := v.t
	if at > 0 {
		start = c.a.binary(ir.Sub, c.b.pointer, v, c.a.number(c.b.pointer, uint64(at)), nil, nil).t
	}
	return c.a.compare(ir.Ne, c.b.word, c.valueIn(c.about(o, goneOff), start), c.a.number(c.b.word, 0))
}

// gone is the condition that memory on the heap has been freed, of which an address is.
func (c *context) gone(o *object, v value) *logic.Term {
	word := c.b.word
	return c.a.compare(ir.Ne, word, c.valueIn(c.about(o, goneOff), c.startOf(o, v)), c.a.number(word, 0))
}

// startOf is the address where the object begins that an address is in, of those that one call allocates; nil
// if that is one.
func (c *context) startOf(o *object, v value) *logic.Term {
	if o.slot == 0 {
		return nil
	}
	off, _ := c.slotOf(o, v)
	return c.a.binary(ir.Sub, c.b.pointer, v, off, nil, nil).t
}

// begun notes that memory on the heap has been allocated at an address.
func (c *context) begun(o *object, base value) {
	if !c.b.follows() || !o.onHeap() {
		return
	}
	if at := c.about(o, goneOff); at.run != nil {
		c.updates[at] = logic.Store(at.variable(c.b.mem, c.a), base.t, c.a.number(c.b.word, 0).t)
	}
	c.counts(ir.Add)
}

// counts adds a piece of allocated memory, or takes one away.
func (c *context) counts(op ir.Op) {
	if o := c.b.mortals.blocks; o != nil {
		at := c.about(o, countOff)
		c.updates[at] = c.a.binary(op, c.b.word, c.valueIn(at, nil), c.a.number(c.b.word, 1), nil, nil).t
	}
}

// heap are the objects on the heap that some values may point into, and others that the program made.
func (c *context) heap(all []target) (heap, others []*object) {
	for _, o := range c.objects(all) {
		if o.onHeap() {
			heap = append(heap, o)
		} else {
			others = append(others, o)
		}
	}
	return heap, others
}

// begins is the condition that an address is where memory begins that has not been freed.
func (c *context) begins(o *object, v value) *logic.Term {
	at := c.atBeginning(o, v)
	if c.b.follows() {
		at = logic.And(at, logic.Not(c.goneAt(o, v, 0)))
	}
	return at
}

// allocatedAt decides which memory on the heap an argument is the address of, that has not been freed; nil if
// it is of none of the program, since the program never set it, or null. All else is lost.
func (c *context) allocatedAt(p ir.Expr) *object {
	v, t, all := c.value(p), p.Type(), c.b.pts.value(p)
	heap, others := c.heap(all)
	null := c.a.compare(ir.Eq, t, v, c.a.number(t, 0))
	k := c.decide(len(heap) + 3)
	if k < len(heap) {
		c.require(c.begins(heap[k], v))
		return heap[k]
	}
	if k == len(heap) {
		c.require(null)
		return nil
	}
	c.require(logic.Not(null))
	var known []*logic.Term
	for _, o := range heap {
		c.require(logic.Not(c.begins(o, v)))
		known = append(known, c.ever(o, v))
	}
	var foreign []*logic.Term // of other people's variables, to which their pointers are assumed not to point
	for _, o := range others {
		if o.v != nil && o.v.Extern {
			foreign = append(foreign, c.ever(o, v))
		} else {
			known = append(known, c.ever(o, v))
		}
	}
	nobodys := !slices.ContainsFunc(all, func(t target) bool { return !c.b.pts.region(t.obj) }) // as of an extern pointer
	own := (nobodys || c.b.pts.left(all, c.b.pts.strange(all)) == ownTarget) && !c.b.pts.mayBeNumber(all)
	if k == len(heap)+1 {
		if own {
			c.require(logic.Or(known...))
		}
		if !c.b.prog.Checks(ir.CheckMemory) { // it is assumed that there is none
			c.require(logic.False())
		}
		c.lose("giving back memory that was not allocated, or that has been freed before,")
	}
	c.require(logic.Not(logic.Or(append(known, foreign...)...)))
	if !own {
		c.require(logic.False())
	}
	c.b.ownMemory, c.b.givesStrange = true, c.b.givesStrange || own
	return nil
}

// giveBack is free.
func (c *context) giveBack(p ir.Expr) {
	if !c.b.follows() {
		return
	}
	o := c.allocatedAt(p)
	if o == nil {
		return
	}
	at, one := c.about(o, goneOff), c.a.number(c.b.word, 1).t
	if at.run != nil {
		c.updates[at] = logic.Store(at.variable(c.b.mem, c.a), c.value(p).t, one)
	} else {
		c.updates[at] = one
	}
	c.counts(ir.Sub)
}

// asks does what a routine of seltl's own asks of memory.
func (c *context) asks(i *ir.Call, f *ir.Func) {
	word := c.b.word
	switch f.Asks() {
	case ir.AsksSize:
		o := c.allocatedAt(i.Args[0])
		switch {
		case o == nil:
			c.lose("the size of memory that the program has not allocated")
		case i.To == nil:
		case o.sized:
			size := c.sizeOf(o, c.startOf(o, c.value(i.Args[0])))
			c.put(*i.To, c.a.convert(word, i.To.Type, c.a.binary(ir.Mul, word, size, c.a.number(word, uint64(o.scale)), nil, nil)))
		default:
			c.put(*i.To, c.a.number(i.To.Type, uint64(o.size)))
		}
	case ir.AsksApart:
		c.apart(i.Args[0], i.Args[1], i.Args[2])
	case ir.AsksLeaks:
		left := c.a.compare(ir.Ne, word, c.valueIn(c.about(c.b.mortals.blocks, countOff), nil), c.a.number(word, 0))
		if c.decide(2) == 1 {
			c.require(left)
			c.lose("memory that is not freed at the end of the program")
		}
		c.require(logic.Not(left))
	}
}

// apart loses a way on which two parts of one object, or of memory of its own, overlap that have so many bytes.
func (c *context) apart(x, y, n ir.Expr) {
	v, w, t, word := c.value(x), c.value(y), c.b.pointer, c.b.word
	nearer := func(v, w value) *logic.Term { // v + n reaches behind w
		distance := c.a.binary(ir.Sub, t, w, v, nil, nil)
		return logic.Or(c.a.compare(ir.Lt, t, w, v), c.a.compare(ir.Lt, n.Type(), c.a.convert(word, n.Type(), distance), c.plain(n)))
	}
	overlap := func() *logic.Term { return logic.And(nearer(v, w), nearer(w, v)) }
	first, second := c.b.pts.value(x), c.b.pts.value(y)
	var all []*logic.Term
	for _, o := range c.objects(first) {
		if slices.Contains(c.objects(second), o) {
			all = append(all, logic.And(c.same(o, v, w), overlap()))
		}
	}
	if c.b.pts.elsewhere(first) && c.b.pts.elsewhere(second) {
		zero := c.a.number(t, 0)
		all = append(all, logic.And(c.a.compare(ir.Ne, t, v, zero), c.a.compare(ir.Ne, t, w, zero), overlap()))
	}
	some := logic.Or(all...)
	if some.IsFalse() {
		return
	}
	if c.decide(2) == 1 {
		c.require(some)
		c.lose("a copy between parts of memory that overlap")
	}
	c.require(logic.Not(some))
}

// mayOutlive reports that a pointer may be kept longer than a local lives that each activation of a routine has.
func (b *builder) mayOutlive(o *object) bool { return b.apart != nil && b.apart.outlived[o.site] }
