package encode

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/logic"
)

// object is a piece of memory: a variable, memory that a call allocates, or a routine.
type object struct {
	name string
	v    *ir.Var
	site *ir.Call // that allocates it
	// library is the C library's routine that site stands in, nil if the program has it.
	library *ir.Func
	fn      *ir.Func
	owner   *ir.Func // of a local
	value   bool     // no memory: see pointsTo
	size    int64    // bytes; of memory whose size is computed, the most that it can have
	base    uint64
	cells   map[key]*cell

	runs []*run // parts that are arrays of the logic
	// punned are cells that are floating-point numbers, and something else.
	punned map[key]bool
	// bools are those that are truth values, and other integers.
	bools map[key]bool
	bytes map[int64]bool // offsets that are cells of their own, since bytes are used in several ways
	// patched: something is stored over parts of addresses in it.
	patched bool
	sized   bool // the size is computed when it is allocated; the cell at sizeOff counts scale bytes
	scale   int64
	slot    int64 // of a site that allocates many objects: from one to the next, else 0
	many    int64 // how many there can be then
	// scoped: an array of variable length, which ends before its call makes it again;
	// zeroed: memory that begins with zeros.
	scoped, zeroed bool
	// lives: see mortal.go; from the addresses in one life to those in the next, else 0.
	lives int64
	// stacked is a routine each activation of which has one: its local, which begins and ends with it.
	stacked *ir.Func
	elem    *ir.Type // what pointers to allocated memory point to, for people
}

// key is a place in an object. Offsets below 0 are what the model needs to know about it.
type key struct {
	off          int64
	size         int64
	bitOff, bits int
}

// Offsets of what is known about an object: its size, how many there are.
const sizeOff, countOff = -16, -32

// cell is a scalar in memory: a variable of the system. In a run it is an array of the
// logic, of the scalars at one place of the run's elements.
type cell struct {
	obj  *object
	run  *run
	key  key
	t    *ir.Type
	name string
	span ir.Span // of the first access
	// number, other: it is read or written as a floating-point number, and as something else.
	number, other bool
	truth, byte   bool // as a _Bool, and as another integer
}

// memory is all objects.
type memory struct {
	tick    func() // takes note of work, and panics where there is no more time; may be nil
	prog    *ir.Program
	pointer *ir.Type
	vars    map[*ir.Var]*object
	sites   map[*ir.Call]*object
	funcs   map[*ir.Func]*object
	all     []*object
	stubs   map[*ir.Func]*stub // abstracted routines
	given   *given             // of a component
	looked  map[*object]bool   // what compared pointers point to, of a component
	names   map[string]bool
	next    uint64
	punned  bool // some object has more of those
}

// firstAddress leaves small numbers, which programs compare pointers with, to nobody.
const firstAddress, objectGap = 0x10000, 16

func newMemory(p *ir.Program, pointer *ir.Type) *memory {
	return &memory{prog: p, pointer: pointer, vars: map[*ir.Var]*object{}, sites: map[*ir.Call]*object{}, funcs: map[*ir.Func]*object{}, names: map[string]bool{}, looked: map[*object]bool{}, next: firstAddress}
}

func (m *memory) add(o *object) *object {
	o.cells, o.bytes, o.base = map[key]*cell{}, map[int64]bool{}, m.next
	m.reserve(max(o.size, 0))
	m.all = append(m.all, o)
	return o
}

func (m *memory) reserve(size int64) { m.next += (uint64(size)/objectGap + 2) * objectGap }

// forget removes all cells, so that they are found again.
func (m *memory) forget() {
	for _, o := range m.all {
		o.cells = map[key]*cell{}
	}
	m.names = map[string]bool{}
}

func (m *memory) ofVar(v *ir.Var) *object {
	if m.vars[v] == nil {
		m.vars[v] = m.add(&object{name: v.Name, v: v, size: v.Type.Size})
	}
	return m.vars[v]
}

func (m *memory) ofFunc(f *ir.Func) *object {
	if m.funcs[f] == nil {
		m.funcs[f] = m.add(&object{name: f.Name, fn: f, size: 1})
	}
	return m.funcs[f]
}

// cell finds or makes a cell, of a run if that is not nil.
func (m *memory) cell(o *object, r *run, off int64, t *ir.Type, bitOff, bits int, span ir.Span) *cell {
	k := key{off, t.Size, bitOff, bits}
	if c := o.cells[k]; c != nil {
		m.access(c, t)
		return c
	}
	c := &cell{obj: o, run: r, key: k, t: t, span: span}
	if t.Bool && o.bools[k] {
		c.t = byteType
	}
	c.name = m.cellName(o, c)
	o.cells[k] = c
	m.access(c, t)
	return c
}

func (m *memory) cellName(o *object, c *cell) string {
	name := o.name
	switch {
	case c.key.off == sizeOff:
		name += ".size"
	case c.key.off == countOff:
		name += ".count"
	case c.key.off == goneOff:
		name += ".ended"
	case o.v != nil:
		name = ir.Place{Var: o.v, Off: c.key.off, Type: c.t, BitOff: c.key.bitOff, Bits: c.key.bits}.String()
	default:
		name = fmt.Sprintf("%s+%d", name, c.key.off)
	}
	if o.v != nil && o.owner != nil {
		name = o.owner.Name + "." + name
	}
	if c.key.bits > 0 && o.v == nil {
		name += fmt.Sprintf(":%d", c.key.bitOff)
	}
	fresh := name
	for n := 2; m.names[fresh]; n++ {
		fresh = fmt.Sprintf("%s'%d", name, n)
	}
	m.names[fresh] = true
	return fresh
}

// first and end are the bits that a cell lies in, of a run's first element.
func (c *cell) first() int64 { return c.key.off*8 + int64(c.key.bitOff) }
func (c *cell) end() int64 {
	if c.key.bits > 0 {
		return c.first() + int64(c.key.bits)
	}
	return c.first() + c.key.size*8
}

// sorted are the cells of an object, in the order of their places.
func (o *object) sorted() []*cell {
	var all []*cell
	for _, c := range o.cells {
		all = append(all, c)
	}
	slices.SortFunc(all, func(a, b *cell) int {
		return cmp.Or(cmp.Compare(a.first(), b.first()), cmp.Compare(a.end(), b.end()))
	})
	return all
}

// variable is the cell's variable in an encoding.
func (c *cell) variable(m *memory, a arithmetic) *logic.Term {
	s := a.sort(c.t)
	if c.run != nil {
		s = logic.ArrayOf(a.sort(m.pointer), s)
	}
	return logic.Var(c.name, s)
}
