package cfront

import (
	"fmt"
	"slices"
)

// Held is a scalar in memory that has a value.
type Held struct {
	Name  string // "n", "a[2]", "heap object 1.next"
	Value string // as C has it: "-1", "&r", "NULL"
	Of    *Func  // the routine of a local, else nil
	Level int    // which of Stack has it
}

// maxHeld bounds the scalars of one object that Values lists.
const maxHeld = 256

// Values lists the scalars of variables and of allocated memory that have a value: globals,
// then locals of the activations of routines of the sources, then what is allocated and can be
// reached by pointers from these, as what those point to. Of an object with very many it lists
// the first.
func (m *Machine) Values() []Held { return m.values(nil) }

// Gained are those of Values that are not, with the same value, of another machine of the run.
// Time is linear in what changed in memory, in memory with pointers, and in the number of objects.
func (m *Machine) Gained(before *Machine) (all []Held) {
	type key struct {
		name, value string
		level       int
	}
	old := map[key]bool{}
	for _, h := range before.values(m) {
		old[key{h.Name, h.Value, h.Level}] = true
	}
	for _, h := range m.values(before) {
		if !old[key{h.Name, h.Value, h.Level}] {
			all = append(all, h)
		}
	}
	return all
}

// values is Values but for variables that another machine of the run has with the same bytes, and
// that no pointer is in; the other one may be nil.
func (m *Machine) values(but *Machine) []Held {
	l := &lister{m: m, heap: map[*object]string{}, shape: map[*object]*Type{}}
	vars := func(level int, f *frame) map[*Var]*object { // of the other one
		if but == nil || level >= len(but.stack) || but.stack[level].born != f.born {
			return nil
		}
		return but.stack[level].vars
	}
	for _, o := range m.mem.objects {
		if o.site != nil {
			l.heap[o] = fmt.Sprintf("heap object %d", len(l.heap)+1)
		}
	}
	for _, v := range m.Program.Globals {
		if v.Literal == "" && (but == nil || !m.vars[v].same(but.vars[v]) || v.Type.points()) {
			l.object(m.vars[v], v, nil, -1)
		}
	}
	for level, f := range m.stack {
		old := vars(level, f)
		for k := range len(f.f.Params) + len(f.f.Locals) {
			v := f.f.variable(k)
			o := f.vars[v]
			switch points := v.Type.points(); {
			case o == nil || !points && o.same(old[v]):
			case v.Kind != Temp && !f.f.Library:
				l.object(o, v, f.f, level)
			case points:
				l.pointers(o, v.Type)
			}
		}
	}
	for len(l.found) > 0 {
		o := l.found[0]
		l.found = l.found[1:]
		l.object(o, &Var{Name: l.heap[o], Type: l.whole(o)}, nil, -1)
	}
	return l.all
}

// variable is one of the parameters and locals.
func (f *Func) variable(k int) *Var {
	if k < len(f.Params) {
		return f.Params[k]
	}
	return f.Locals[k-len(f.Params)]
}

// same reports another machine's object with the same bytes: which neither has written to since
// they were one.
func (o *object) same(p *object) bool {
	return p != nil && len(o.data) == len(p.data) && (len(o.data) == 0 || &o.data[0] == &p.data[0])
}

// points reports a type with pointers in it.
func (t *Type) points() bool {
	switch t.Kind {
	case Pointer:
		return true
	case Array:
		return t.Elem.points()
	case Struct:
		return slices.ContainsFunc(t.Fields, func(f Field) bool { return f.Type.points() })
	}
	return false
}

// lister lists values.
type lister struct {
	m     *Machine
	all   []Held
	heap  map[*object]string
	shape map[*object]*Type // as what it is pointed to
	found []*object         // to be listed
}

// whole is the type of allocated memory.
func (l *lister) whole(o *object) *Type {
	t := l.shape[o]
	n := int64(len(o.data)) / t.Size
	if n == 1 {
		return t
	}
	return &Type{Kind: Array, Size: n * t.Size, Elem: t, Len: n}
}

func (l *lister) object(o *object, v *Var, of *Func, level int) {
	n := 0
	l.scalars(o, Place{Var: v, Type: v.Type}, v.Type, func(p Place) bool {
		if n++; n > maxHeld {
			return false
		}
		if bits, ok := l.m.peek(access{o: o, off: p.Off, t: p.Type, bitOff: p.BitOff, bits: p.Bits}); ok {
			l.all = append(l.all, Held{p.String(), l.value(p.Type, bits), of, level})
		}
		return true
	})
}

// pointers meets what a variable points to that is not listed.
func (l *lister) pointers(o *object, t *Type) {
	l.scalars(o, Place{Type: t}, t, func(p Place) bool {
		if bits, ok := l.m.peek(access{o: o, off: p.Off, t: p.Type}); ok && p.Type.Kind == Pointer {
			l.value(p.Type, bits)
		}
		return p.Type.Kind == Pointer
	})
}

// scalars visits those of a type, and stops when that says so.
func (l *lister) scalars(o *object, p Place, t *Type, visit func(Place) bool) bool {
	switch {
	case t.Scalar():
		p.Type = t
		return p.Off+t.Size > int64(len(o.data)) || visit(p)
	case t.Kind == Array && t.Elem.Size > 0:
		base := p.Off
		for p.Off < base+t.Size {
			if !l.scalars(o, p, t.Elem, visit) {
				return false
			}
			p.Off += t.Elem.Size
		}
	case t.Kind == Struct:
		for _, f := range t.Fields {
			q := p
			q.Off, q.BitOff, q.Bits = p.Off+f.Off, f.BitOff, f.Bits
			if f.Bits == 0 {
				q.BitOff = 0
			}
			if !l.scalars(o, q, f.Type, visit) {
				return false
			}
			if t.Union { // one member tells what is there
				break
			}
		}
	}
	return true
}

// value is a value as C has it; what it points to is met.
func (l *lister) value(t *Type, bits uint64) string {
	if t.Kind != Pointer {
		return Number(t, bits)
	}
	m := l.m
	o := m.mem.find(bits)
	switch {
	case bits == 0:
		return "NULL"
	case m.funcs[bits] != nil:
		return "&" + m.funcs[bits].Name
	case o == nil:
		return fmt.Sprintf("%#x", bits)
	}
	off := int64(bits - o.base)
	inside := func(v *Var) string {
		if off == 0 && (t.Elem.Kind == Void || t.Elem.Size < 0) {
			return v.Name
		}
		return Place{Var: v, Off: off, Type: t.Elem}.String()
	}
	if o.site != nil {
		if off == 0 && l.shape[o] == nil && t.Elem.Kind != Void && t.Elem.Size > 0 && t.Elem.Size <= int64(len(o.data)) {
			l.shape[o] = t.Elem
			l.found = append(l.found, o)
		}
		if off == 0 {
			return l.heap[o]
		}
		v := &Var{Name: l.heap[o], Type: &Type{Kind: Void}}
		if l.shape[o] != nil {
			v.Type = l.whole(o)
		}
		return "&" + inside(v)
	}
	if o.v != nil && o.v.Literal != "" {
		text := fmt.Sprintf("%q", o.v.Literal[:max(len(o.v.Literal)-1, 0)])
		if off > 0 {
			text += fmt.Sprintf("+%d", off)
		}
		return text
	}
	if o.v == nil {
		return fmt.Sprintf("%#x", bits)
	}
	if o.v.Kind == Temp {
		return "&" + o.v.Name
	}
	return "&" + inside(o.v)
}
