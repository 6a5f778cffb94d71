package machine

import (
	"fmt"

	"github.com/seltl/seltl/c/ir"
)

// maxAllocation bounds one allocation of a run, in bytes.
const maxAllocation = 1 << 24

// library does what routines of the C library do that seltl knows.
func (m *Machine) library(c *ir.Call, f *ir.Func, args []uint64, to *access) (done bool, err error) {
	if news, _ := f.Allocates(); news {
		return true, m.newMemory(c, f, args, to)
	}
	switch f.Asks() {
	case ir.AsksSize:
		return true, m.sizeOf(c, args[0], to)
	case ir.AsksApart:
		return true, m.areApart(c, args[0], args[1], args[2])
	case ir.AsksLeaks:
		return true, m.leaks(c)
	}
	if !f.Frees() {
		return false, nil
	}
	if len(args) == 1 && args[0] != 0 {
		o, err := m.allocated(c, args[0])
		if o != nil && m.mem.lives {
			m.mem.end(o)
		} else if o != nil {
			o.dead = true
		}
		return true, err
	}
	return true, nil
}

// allocated is the memory that an address is given back of, or measured; nil if it is none of the program.
func (m *Machine) allocated(c *ir.Call, at uint64) (*object, error) {
	o := m.mem.find(at)
	_, number := ir.Unconverted(c.Args[0]).(*ir.Const)
	switch {
	case o == nil && m.Regions && m.mem.foreign(at) && !Nobodys(at, m.Program.Model.PointerSize()) && !number && m.Program.Checks(ir.CheckMemory):
		return nil, nil
	case o == nil || !o.heap || o.base != at:
		return nil, m.invalid(ir.Deallocation, ir.CheckMemory, c.Span, "memory is freed that was not allocated")
	case o.dead:
		return nil, m.invalid(ir.Deallocation, ir.CheckMemory, c.Span, "memory is freed that has been freed before")
	}
	return o, nil
}

func (m *Machine) sizeOf(c *ir.Call, at uint64, to *access) error {
	o, err := m.allocated(c, at)
	switch {
	case err != nil:
		return err
	case o == nil:
		return m.undefined(c.Span, "the size of memory is asked for that the program has not allocated")
	case to == nil:
		return nil
	}
	return m.put(*to, uint64(len(o.data)), 0)
}

// areApart ends a run that copies by memcpy between parts of one object that overlap (C11 7.24.2.1, 2).
func (m *Machine) areApart(c *ir.Call, x, y, n uint64) error {
	if o := m.mem.find(x); n > 0 && x != 0 && y != 0 && o == m.mem.find(y) && (x < y+n && y < x+n) {
		return m.broken(ir.CheckMemory, c.Span, "memory is copied to where it overlaps with itself")
	}
	return nil
}

// leaks ends a run at whose end some memory has not been freed.
func (m *Machine) leaks(c *ir.Call) error {
	if len(m.stack) > 1 && !m.exits() {
		return nil // the routine that the program begins with is called again
	}
	for _, o := range m.mem.objects {
		if o.heap && !o.dead {
			return m.broken(ir.CheckLeaks, c.Span, "memory is not freed that was allocated%s", placeIn(o.site.Span))
		}
	}
	return nil
}

// exits reports that the block which is being done ends the program.
func (m *Machine) exits() bool {
	_, stops := m.top().b.End.(*ir.Stop)
	return stops
}

func (m *Machine) newMemory(c *ir.Call, f *ir.Func, args []uint64, to *access) error {
	size := uint64(1)
	for _, a := range args {
		if a > maxAllocation {
			return m.large(c, a)
		}
		size *= a
	}
	if f.Name == ir.ArrayRoutine && m.mem.lives && c.To != nil && c.To.Var != nil { // it is made again
		m.endArray(c.To.Var)
	}
	if size > maxAllocation || len(args) == 0 {
		return m.large(c, size)
	}
	_, zeroed := f.Allocates()
	o, err := m.mem.allocate(int64(size), zeroed)
	if err != nil {
		return err
	}
	m.event++
	o.site, o.nth, o.born = c, m.sites[c], m.event
	m.sites[c]++
	o.heap, o.outlived = f.OnHeap(), f.Name == ir.ArrayRoutine
	if to == nil {
		return nil
	}
	return m.put(*to, o.base, m.guesses.address())
}

// large ends a run that allocates too much.
func (m *Machine) large(c *ir.Call, size uint64) error {
	return &halt{Outcome{Ending: Undefined, What: fmt.Sprintf("%d bytes are allocated", size), Span: c.Span, Large: true}}
}
