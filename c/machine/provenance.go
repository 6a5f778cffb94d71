package machine

import "github.com/seltl/seltl/c/ir"

// Where objects lie is not known, and a run is done with one layout. Values that are computed of
// addresses are labelled, as guesses are: address are addresses inside of their object, or of its
// end, whether pointers or integers; they can be moved, kept, and compared as far as that does not
// depend on the layout. One that is moved out of its object has strayed, and all else that is
// computed of addresses (digits, order and distance of different objects, equality with numbers)
// is a guess like others, which a run must not depend on.

// layout is why a value that depends on where objects lie is not known.
const layout = "where objects lie in memory"

func (g *guesses) address() label { return g.label(guess{why: layout, kind: address}) }

func (g *guesses) strayed() label { return g.label(guess{why: layout, kind: strayed}) }

func (g *guesses) layout() label { return g.label(guess{why: layout}) }

// kind is that of a label, certain for none.
func (g *guesses) kind(l label) kind {
	if l == 0 {
		return certain
	}
	return g.all[l-1].kind
}

// points reports the label of an address, inside of its object or not.
func (g *guesses) points(l label) bool { k := g.kind(l); return k == address || k == strayed }

// moved is the label of an address with that label that was moved by something with another one.
func (m *Machine) moved(l, by label, from, to uint64) label {
	switch {
	case m.points(by):
		return m.guesses.layout()
	case by != 0:
		return m.changed(by)
	case m.kind(l) == strayed:
		return l
	}
	if o := m.mem.find(from); o == nil || to < o.base || to > o.base+uint64(len(o.data)) {
		return m.guesses.strayed()
	}
	return l
}

// onAddresses is the label of an operation on canonical operands of which one is an address.
func (m *Machine) onAddresses(e *ir.Binary, x, y uint64, first, second label) label {
	p, q := m.points(first), m.points(second)
	if other := second; p != q { // a value that is not known decides more
		if q {
			other = first
		}
		if other != 0 {
			return m.changed(other)
		}
	}
	size := m.Program.Model.PointerSize()
	switch {
	case e.Op >= ir.Eq:
		return m.compared(e, x, y, first, second)
	case e.X.Type().Size < size:
	case e.Op == ir.Add && p != q:
		if q {
			first, x, y = second, y, x
		}
		return m.moved(first, 0, x, ir.Extend(e.X.Type(), x+y))
	case e.Op == ir.Sub && p && !q:
		return m.moved(first, 0, x, ir.Extend(e.X.Type(), x-y))
	case e.Op == ir.Sub && p && q && m.together(x, y, first, second):
		return 0
	}
	return m.guesses.layout()
}

// together reports two addresses in one object, or equal ones.
func (m *Machine) together(x, y uint64, first, second label) bool {
	if m.kind(first) != address || m.kind(second) != address {
		return false
	}
	o := m.mem.find(x)
	return (x == y || o != nil && o == m.mem.find(y)) && !o.mayHaveEnded()
}

// mayHaveEnded reports an object which may be another one than that an address was taken of.
func (o *object) mayHaveEnded() bool { return o == nil || o.outlived }

// compared is the label of a comparison of an address.
func (m *Machine) compared(e *ir.Binary, x, y uint64, first, second label) label {
	switch p, q := m.points(first), m.points(second); {
	case m.kind(first) == strayed || m.kind(second) == strayed:
	case p && q:
		if m.together(x, y, first, second) || (e.Op == ir.Eq || e.Op == ir.Ne) && m.differ(x, y) {
			return 0
		}
	case p && m.nobody(e.Y.Type(), y), q && m.nobody(e.X.Type(), x):
		if p && y == 0 && m.dangles(first, x) || q && x == 0 && m.dangles(second, y) {
			return m.ofDangling()
		}
		return 0
	case (e.Op == ir.Eq || e.Op == ir.Ne) && e.X.Type().Kind == ir.Pointer:
		return 0 // a pointer that the run was given: a choice
	}
	return m.guesses.layout()
}

// dangles reports the address of a variable that has ended, and whose routine returned it, and ofDangling is the label of
// whether that is null, as compilers make it.
func (m *Machine) dangles(l label, x uint64) bool {
	if !m.points(l) || m.kind(l) != address {
		return false
	}
	o := m.mem.find(x)
	if o == nil { // nothing is known of what it was
		return x != 0 && len(m.addressesReturned()) > 0
	}
	return (o.dead || o.outlived) && o.v != nil && m.addressesReturned()[o.v]
}

func (m *Machine) addressesReturned() map[*ir.Var]bool {
	if m.returned == nil {
		m.returned = m.Program.Returned()
	}
	return m.returned
}

func (m *Machine) ofDangling() label {
	return m.guesses.label(guess{why: "whether the address of what has ended is null"})
}

// nobody reports a number that is no address of an object in any layout, and whose order beside
// these is known.
func (m *Machine) nobody(t *ir.Type, x uint64) bool {
	return x < nobodys || t.Signed && int64(x) < 0 && int64(x) >= -nobodys || !t.Signed && ir.Extend(t, x+nobodys) < nobodys
}

// differ reports the addresses of objects that are different in all layouts: of two that live, and
// of which one does not begin where the other one may end. Literals may be one object.
func (m *Machine) differ(x, y uint64) bool {
	o, other := m.mem.find(x), m.mem.find(y)
	if o == nil || other == nil || o == other || o.dead || other.dead || o.outlived || other.outlived {
		return false
	}
	if o.v != nil && other.v != nil && o.v.Pooled() && other.v.Pooled() {
		return false
	}
	end := func(o *object, x uint64) bool { return x == o.base+uint64(len(o.data)) }
	return !(end(o, x) && y == other.base || end(other, y) && x == o.base)
}

// converted is the label of a value with a label that is converted.
func (m *Machine) converted(l label, from, to *ir.Type) label {
	switch {
	case l == 0:
		return 0
	case m.points(l) && to.Bool && m.kind(l) == address:
		return 0 // it is not null
	case m.points(l) && !to.Bool && to.Size >= m.Program.Model.PointerSize():
		return l
	case m.points(l):
		return m.guesses.layout()
	case from.Kind != to.Kind || from.Size > to.Size || from.Signed != to.Signed:
		return m.changed(l)
	}
	return l
}
