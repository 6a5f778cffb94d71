package machine

import (
	"fmt"
	"slices"

	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/internal/lists"
)

// Held is a scalar in memory that has a value.
type Held struct {
	Name  string   // "n", "a[2]", "heap object 1.next", "*p" of what no variable is
	Value string   // as C has it: "-1", "&r", "NULL"
	Of    *ir.Func // the routine of a local, else nil
	Level int      // which of Stack has it
	// Nth tells the activations of Of apart: the outermost one is the first.
	Nth int
	// As is the member of a union that has been listed with the same bytes, "" if there is none.
	As string
	// Drawn is a value that the program has not given: of a variable without a first value.
	Drawn bool
}

// In is the name as it is told outside of the routine: "f.n", of an inner activation "f#2.n".
func (h *Held) In() string {
	if h.Of == nil {
		return h.Name
	}
	n := 0
	for n < len(h.Name) && (h.Name[n] == '*' || h.Name[n] == '(') {
		n++
	}
	of := h.Of.Name
	if h.Nth > 1 {
		of += fmt.Sprintf("#%d", h.Nth)
	}
	return h.Name[:n] + of + "." + h.Name[n:]
}

// maxHeld bounds the scalars of one object that Values lists.
const maxHeld = 256

// Values lists the scalars of variables and of allocated memory that have a value: globals,
// then locals of the activations of routines of the sources, then what is allocated and can be
// reached by pointers from these, as what those point to. What the surroundings have given
// pointers to (Machine.Regions) stands behind the pointer. Of an object with very many it lists the
// first.
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
	return lists.Filter(m.values(before), func(h Held) bool { return !old[key{h.Name, h.Value, h.Level}] })
}

// values is Values but for variables that another machine of the run has with the same bytes, and
// that no pointer is in; the other one may be nil.
func (m *Machine) values(but *Machine) []Held {
	l := &lister{m: m, heap: map[*object]string{}, shape: map[*object]*ir.Type{}, given: map[uint64]int{}, regions: sortedKeys(m.region)}
	vars := func(level int, f *frame) map[*ir.Var]*object { // of the other one
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
		if m.vars[v] == nil { // the run has ended before its globals were there
			continue
		}
		if v.Literal == "" && (but == nil || !m.vars[v].same(but.vars[v]) || v.Type.HasPointers()) {
			l.object(m.vars[v], v, &Held{Level: -1})
		}
	}
	calls := map[*ir.Func]int{}
	for level, f := range m.stack {
		old := vars(level, f)
		calls[f.f]++
		for k := range len(f.f.Params) + len(f.f.Locals) {
			v := f.f.Variable(k)
			o := f.vars[v]
			switch points := v.Type.HasPointers(); {
			case o == nil || !points && o.same(old[v]):
			case v.Kind != ir.Temp && !f.f.Library:
				l.object(o, v, &Held{Of: f.f, Level: level, Nth: calls[f.f]})
			case points:
				l.pointers(o, v.Type)
			}
		}
	}
	for len(l.found) > 0 {
		o := l.found[0]
		l.found = l.found[1:]
		l.object(o, &ir.Var{Name: l.heap[o], Type: l.whole(o)}, &Held{Level: -1})
	}
	return l.all
}

// same reports another machine's object with the same bytes: which neither has written to since
// they were one.
func (o *object) same(p *object) bool {
	return p != nil && len(o.data) == len(p.data) && (len(o.data) == 0 || &o.data[0] == &p.data[0])
}

// lister lists values.
type lister struct {
	m     *Machine
	all   []Held
	heap  map[*object]string
	shape map[*object]*ir.Type // as what it is pointed to
	found []*object            // to be listed
	// regions are where those of the machine begin, given the scalars in them that are listed: for
	// which pointer, as they are counted.
	regions  []uint64
	given    map[uint64]int
	pointing int
}

// whole is the type of allocated memory.
func (l *lister) whole(o *object) *ir.Type {
	t := l.shape[o]
	n := int64(len(o.data)) / t.Size
	if n == 1 {
		return t
	}
	return &ir.Type{Kind: ir.Array, Size: n * t.Size, Elem: t, Len: n}
}

// object lists a variable; of says whose.
func (l *lister) object(o *object, v *ir.Var, of *Held) {
	n := 0
	l.scalars(int64(len(o.data)), scalar{Place: ir.Place{Var: v, Type: v.Type}, name: v.Name}, func(p scalar) bool {
		if n++; n > maxHeld {
			return false
		}
		l.held(o, p, of)
		return true
	})
}

// held lists a scalar that has a value, and what is given with a pointer.
func (l *lister) held(o *object, p scalar, of *Held) {
	a := access{o: o, off: p.Off, t: p.Type, bitOff: p.BitOff, bits: p.Bits}
	bits, ok := l.m.peek(a)
	if !ok {
		return
	}
	h := *of
	h.Name, h.Value, h.As = p.name, l.value(p.Type, bits), p.as
	off, size := a.span()
	h.Drawn = o.drawn != nil && slices.Contains(o.drawn[off:off+size], true)
	l.all = append(l.all, h)
	if p.Type.Kind == ir.Pointer && p.as == "" && bits != 0 {
		l.behind(p.name, p.Type.Elem, bits, of)
	}
}

// pointers meets what a variable points to that is not listed.
func (l *lister) pointers(o *object, t *ir.Type) {
	l.scalars(int64(len(o.data)), scalar{Place: ir.Place{Type: t}}, func(p scalar) bool {
		if bits, ok := l.m.peek(access{o: o, off: p.Off, t: p.Type}); ok && p.Type.Kind == ir.Pointer {
			l.value(p.Type, bits)
		}
		return p.Type.Kind == ir.Pointer
	})
}

// scalar is one of an object, as the type has it, or a part of the object with some.
type scalar struct {
	ir.Place
	name string
	as   string // see Held.As
}

// scalars visits those of a part of so many bytes in all, and stops when that says so.
func (l *lister) scalars(size int64, p scalar, visit func(scalar) bool) bool {
	switch t := p.Type; {
	case t.Scalar():
		return p.Off+t.Size > size || visit(p)
	case t.Kind == ir.Array && t.Elem.Size > 0:
		for i := range t.Size / t.Elem.Size {
			q := p
			q.Off, q.Type, q.name = p.Off+i*t.Elem.Size, t.Elem, fmt.Sprintf("%s[%d]", p.name, i)
			if !l.scalars(size, q, visit) {
				return false
			}
		}
	case t.Kind == ir.Struct:
		for k, f := range t.Fields {
			q := p
			q.Off, q.Type, q.BitOff, q.Bits = p.Off+f.Off, f.Type, f.BitOff, f.Bits
			if f.Bits == 0 {
				q.BitOff = 0
			}
			if f.Name != "" {
				q.name += "." + f.Name
			}
			if t.Union && k > 0 && p.as == "" {
				q.as = p.name + t.FirstMember()
			}
			if !l.scalars(size, q, visit) {
				return false
			}
		}
	}
	return true
}

// value is a value as C has it; what it points to is met.
func (l *lister) value(t *ir.Type, bits uint64) string {
	if t.Kind != ir.Pointer {
		return ir.Number(t, bits)
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
	inside := func(v *ir.Var) string {
		if off == 0 && (t.Elem.Kind == ir.Void || t.Elem.Size < 0) {
			return v.Name
		}
		return ir.Place{Var: v, Off: off, Type: t.Elem}.String()
	}
	if o.site != nil {
		if off == 0 && l.shape[o] == nil && t.Elem.Kind != ir.Void && t.Elem.Size > 0 && t.Elem.Size <= int64(len(o.data)) {
			l.shape[o] = t.Elem
			l.found = append(l.found, o)
		}
		if off == 0 {
			return l.heap[o]
		}
		v := &ir.Var{Name: l.heap[o], Type: &ir.Type{Kind: ir.Void}}
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
	if o.v.Kind == ir.Temp {
		return "&" + o.v.Name
	}
	return "&" + inside(o.v)
}
