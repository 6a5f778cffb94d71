package machine

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/seltl/seltl/c/ir"
)

// A routine without a body may return an address that it was given, or one that it finds in memory to which one of
// those leads, and a volatile pointer may be read as what was stored there: the machine notes what they know, and says
// where the object lies in its memory that such a value is to point to.

// hands notes the objects whose addresses a routine without a body is given, if anybody asks (Machine.Hands).
func (m *Machine) hands(c *ir.Call, args []uint64) {
	if !m.Hands {
		return
	}
	for i, a := range c.Args {
		words := args[i : i+1]
		if t := a.Type(); t.Kind == ir.Struct {
			at, err := m.place(a.(*ir.Load).From, c.Span)
			if err != nil {
				continue
			}
			words = m.words(at.o, at.off, at.off+t.Size)
		}
		for _, at := range words {
			if m.mem.find(at) != nil {
				m.handed[at] = true
			}
		}
	}
}

// words are the values in a part of an object that may be addresses: words that are aligned as pointers are.
func (m *Machine) words(o *object, from, to int64) (all []uint64) {
	size := m.Program.Model.PointerSize()
	for at := (from + size - 1) / size * size; at+size <= min(to, int64(len(o.data))); at += size {
		word := uint64(0)
		for k := range size {
			word |= uint64(o.data[at+k]) << (8 * k)
		}
		if !slices.Contains(o.lacks[at:at+size], true) {
			all = append(all, word)
		}
	}
	return all
}

// Handed is the address of a place in the object of a variable, or in the nth that a call has allocated, if routines
// without a body have been given its address, or find it in memory that they know; with Hands. False if not, or if
// there is no such object.
func (m *Machine) Handed(v *ir.Var, site *ir.Call, nth int, off int64) (uint64, bool) {
	known := map[*object]bool{}
	work := slices.Collect(maps.Keys(m.handed))
	for w, o := range m.vars {
		if w.Extern {
			known[o], work = true, append(work, m.words(o, 0, int64(len(o.data)))...)
		}
	}
	for len(work) > 0 {
		o := m.mem.find(work[len(work)-1])
		work = work[:len(work)-1]
		if o == nil || o.dead || known[o] {
			continue
		}
		known[o], work = true, append(work, m.words(o, 0, int64(len(o.data)))...)
	}
	for _, o := range slices.Backward(m.mem.objects) { // of several lives, the last
		if known[o] && (v != nil && o.v == v || site != nil && o.site == site && o.nth == nth) {
			return o.base + uint64(off), true
		}
	}
	return 0, false
}

// Shown is a scalar's value as Recording.Given has it.
func (m *Machine) Shown(t *ir.Type, bits uint64) string {
	return cmp.Or(m.placed(t, bits), ir.Number(t, bits))
}

// placed names what lies at an address, for people; "" of what is no object of the program's.
func (m *Machine) placed(t *ir.Type, at uint64) string {
	if t.Kind != ir.Pointer {
		return ""
	}
	o := m.mem.find(at)
	switch {
	case o == nil || o.dead || at == 0:
		return ""
	case o.v != nil:
		return "&" + ir.Place{Var: o.v, Off: int64(at - o.base), Type: t.Elem}.String()
	case o.site != nil && at == o.base:
		return "what was allocated" + placeIn(o.site.Span)
	case o.site != nil:
		return fmt.Sprintf("%d bytes behind the beginning of what was allocated%s", at-o.base, placeIn(o.site.Span))
	}
	return ""
}
