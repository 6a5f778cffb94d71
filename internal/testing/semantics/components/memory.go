package components

import "slices"

// base is the address of the first object. Whatever is below is null.
const base = 1 << 16

// gap lies between objects, so that what leaves one comes to none.
const gap = 64

// firstRoutine is the address of the first routine.
const firstRoutine = 1 << 40

// object is where something lies.
type object struct{ at, size int }

// layout is what lies where in a component: no object moves, and none ends.
type layout struct {
	objects []object
	size    int // bytes of memory
	offset  []int
}

// add gives an object a place, and returns its address.
func (l *layout) add(t *ctype) int {
	at := base
	if n := len(l.objects); n > 0 {
		at = l.objects[n-1].at + l.objects[n-1].size + gap
	}
	at = (at + 15) / 16 * 16
	l.objects, l.offset = append(l.objects, object{at, t.size}), append(l.offset, l.size)
	l.size += t.size
	return at
}

// memory is what a component holds: bytes, and which of them have no value that is known.
type memory struct {
	l     *layout
	bytes []byte
	unset []bool
}

func newMemory(l *layout) *memory {
	m := &memory{l, make([]byte, l.size), make([]bool, l.size)}
	return m
}

func (m *memory) clone() *memory {
	return &memory{m.l, slices.Clone(m.bytes), slices.Clone(m.unset)}
}

// key tells apart what memories hold.
func (m *memory) key() string {
	b := slices.Clone(m.bytes)
	for i, u := range m.unset {
		if u {
			b[i] = 0
		}
		b = append(b, map[bool]byte{false: 0, true: 1}[u])
	}
	return string(b)
}

// discarded ends a run that does not exist; mistaken one that leaves what is modelled.
type (
	discarded struct{}
	mistaken  struct{ what string }
)

// find is where bytes lie. "An access through the null pointer" discards the run; what lies in no
// object is a mistake.
func (m *memory) find(at int64, size int) int {
	if at >= 0 && at < base {
		panic(discarded{})
	}
	for i, o := range m.l.objects {
		if at >= int64(o.at) && at+int64(size) <= int64(o.at+o.size) {
			return m.l.offset[i] + int(at) - o.at
		}
	}
	panic(mistaken{"an access outside of objects"})
}

func (m *memory) load(at int64, t *ctype) int64 {
	i := m.find(at, t.size)
	var v int64
	for k := range t.size {
		if m.unset[i+k] {
			unsupported("a read of what has no value")
		}
		v |= int64(m.bytes[i+k]) << (8 * k)
	}
	return t.conv(v)
}

func (m *memory) store(at int64, t *ctype, v int64) {
	i := m.find(at, t.size)
	for k := range t.size {
		m.bytes[i+k], m.unset[i+k] = byte(v>>(8*k)), false
	}
}

func (m *memory) forget(at int64, t *ctype) {
	i := m.find(at, t.size)
	for k := range t.size {
		m.bytes[i+k], m.unset[i+k] = 0, true
	}
}

func (m *memory) zero(at int64, t *ctype) {
	i := m.find(at, t.size)
	for k := range t.size {
		m.bytes[i+k], m.unset[i+k] = 0, false
	}
}

func (m *memory) copy(to, from int64, t *ctype) {
	i, j := m.find(to, t.size), m.find(from, t.size)
	bytes, unset := slices.Clone(m.bytes[j:j+t.size]), slices.Clone(m.unset[j:j+t.size])
	copy(m.bytes[i:], bytes)
	copy(m.unset[i:], unset)
}

// scalars are the parts of a type that are scalars.
func scalars(t *ctype, off int) (all []part) {
	switch {
	case t.scalar():
		return []part{{off, t, nil}}
	case t.kind == array:
		for i := range t.len {
			all = append(all, scalars(t.elem, off+i*t.elem.size)...)
		}
	case t.kind == structure && t.union:
		for _, f := range t.fields {
			if f.t.size == t.size { // it has all bytes
				return scalars(f.t, off)
			}
		}
		unsupported("a union without a value")
	case t.kind == structure:
		for _, f := range t.fields {
			all = append(all, scalars(f.t, off+f.off)...)
		}
	}
	return all
}
