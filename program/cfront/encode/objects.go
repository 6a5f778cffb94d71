package encode

import (
	"fmt"
	"slices"

	"github.com/seltl/seltl/logic"
	"github.com/seltl/seltl/program/cfront"
)

// object is a piece of memory: a variable, memory that a call allocates, or a routine.
type object struct {
	name  string
	v     *cfront.Var
	site  *cfront.Call // that allocates it
	fn    *cfront.Func
	owner *cfront.Func // of a local
	value bool         // no memory: see pointsTo
	size  int64
	base  uint64
	cells map[key]*cell
}

// key is a place in an object.
type key struct {
	off          int64
	size         int64
	bitOff, bits int
}

// cell is a scalar in memory: a variable of the system.
type cell struct {
	obj  *object
	key  key
	t    *cfront.Type
	name string
	span cfront.Span // of the first access
}

// memory is all objects.
type memory struct {
	prog  *cfront.Program
	vars  map[*cfront.Var]*object
	sites map[*cfront.Call]*object
	funcs map[*cfront.Func]*object
	all   []*object
	names map[string]bool
	next  uint64
}

// firstAddress leaves small numbers, which programs compare pointers with, to nobody.
const firstAddress, objectGap = 0x10000, 16

func newMemory(p *cfront.Program) *memory {
	return &memory{prog: p, vars: map[*cfront.Var]*object{}, sites: map[*cfront.Call]*object{}, funcs: map[*cfront.Func]*object{}, names: map[string]bool{}, next: firstAddress}
}

func (m *memory) add(o *object) *object {
	o.cells, o.base = map[key]*cell{}, m.next
	m.next += (uint64(max(o.size, 0))/objectGap + 2) * objectGap
	m.all = append(m.all, o)
	return o
}

func (m *memory) ofVar(v *cfront.Var) *object {
	if m.vars[v] == nil {
		m.vars[v] = m.add(&object{name: v.Name, v: v, size: v.Type.Size})
	}
	return m.vars[v]
}

func (m *memory) ofFunc(f *cfront.Func) *object {
	if m.funcs[f] == nil {
		m.funcs[f] = m.add(&object{name: f.Name, fn: f, size: 1})
	}
	return m.funcs[f]
}

// ofSite is the memory that a call allocates; its size must be known.
func (m *memory) ofSite(c *cfront.Call) *object {
	if m.sites[c] == nil {
		size := int64(1)
		for _, a := range c.Args {
			n, ok := a.(*cfront.Const)
			if !ok || n.Bits > maxObject {
				refuse(c.Span, "c-malloc", "allocate a constant number of bytes", "how much memory is allocated here is not known")
			}
			size *= int64(n.Bits)
		}
		m.sites[c] = m.add(&object{name: fmt.Sprintf("malloc:%d", c.Span.Pos().Line), site: c, size: size})
	}
	return m.sites[c]
}

// maxObject is the size of the largest object, in bytes.
const maxObject = 1 << 24

// cell finds or makes a cell.
func (m *memory) cell(o *object, off int64, t *cfront.Type, bitOff, bits int, span cfront.Span) *cell {
	k := key{off, t.Size, bitOff, bits}
	if c := o.cells[k]; c != nil {
		return c
	}
	c := &cell{obj: o, key: k, t: t, span: span}
	c.name = m.cellName(o, c)
	o.cells[k] = c
	return c
}

func (m *memory) cellName(o *object, c *cell) string {
	name := o.name
	if o.v != nil {
		name = cfront.Place{Var: o.v, Off: c.key.off, Type: c.t, BitOff: c.key.bitOff, Bits: c.key.bits}.String()
		if o.owner != nil {
			name = o.owner.Name + "." + name
		}
	} else {
		name = fmt.Sprintf("%s+%d", name, c.key.off)
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

// first and end are the bits that a cell lies in.
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
		if a.first() != b.first() {
			return int(a.first() - b.first())
		}
		return int(a.end() - b.end())
	})
	return all
}

// overlaps refuses objects whose bytes are used in several ways.
func (m *memory) overlaps() {
	for _, o := range m.all {
		cells := o.sorted()
		for i := 1; i < len(cells); i++ {
			if cells[i].first() < cells[i-1].end() {
				refuse(cells[i].span, "c-bytes", "use one type for each part of an object",
					"bytes of %s are used as %s here, and as %s elsewhere, which is not supported", o.name, cells[i].t, cells[i-1].t)
			}
		}
	}
}

// variable is the cell's variable in an encoding.
func (c *cell) variable(a arithmetic) *logic.Term { return logic.Var(c.name, a.sort(c.t)) }
