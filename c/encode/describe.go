package encode

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/logic"
)

// Shown is a scalar in memory with its value, as C has them.
type Shown struct {
	Name  string   // qualified by the routine of a local: "main.a[2]"
	Value string   // "-1", "&main.r", "NULL", "heap object 2.next"
	Of    *ir.Func // the routine of a local, else nil
	Var   string   // the variable of Words
}

func (s Shown) String() string { return s.Name + " = " + s.Value }

// Seen from a routine, its own locals have no prefix.
func (s Shown) Seen(from *ir.Func) string {
	if from == nil {
		return s.String()
	}
	prefix := from.Name + "."
	name, value := s.Name, s.Value
	if s.Of == from {
		name = strings.TrimPrefix(name, prefix)
	} else if s.Of != nil {
		if _, tells := s.Of.Tells(); tells { // it is of no routine that anybody has written
			name = strings.TrimPrefix(name, s.Of.Name+".")
		}
	}
	if rest, ok := strings.CutPrefix(value, "&"+prefix); ok {
		value = "&" + rest
	}
	return name + " = " + strings.TrimPrefix(value, prefix)
}

// Describer describes the states of one run of Words. It numbers what is allocated in the
// order in which it meets pointers to it, so that states are to be given in their order.
type Describer struct {
	e    *Encoding
	heap map[heapObject]string
	from map[string]*object // by these names
	read map[uint64]bool    // of memory of its own, by address
}

type heapObject struct {
	site *object
	nth  int64
}

// Describer makes one for a run.
func (e *Encoding) Describer() *Describer {
	return &Describer{e, map[heapObject]string{}, map[string]*object{}, map[uint64]bool{}}
}

// State lists the values of a state, those of temporaries and of seltl's own routines left out. Of arrays of the logic
// those elements are listed that were stored.
func (d *Describer) State(state logic.Model) (all []Shown) {
	for _, x := range d.e.Words.Vars { // pointers first, which number what they point to
		if c, v := d.e.cells[x.Name()], state[x.Name()]; c.run == nil && c.t.Kind == ir.Pointer && v.Num() != nil {
			d.number(wordOf(v))
		}
	}
	for _, x := range d.e.Words.Vars {
		c := d.e.cells[x.Name()]
		v, ok := state[x.Name()]
		if !ok || c.key.off < 0 || c.obj.owner != nil && c.obj.owner.Library || c.obj.v != nil && (c.obj.v.Kind == ir.Temp || c.obj.v.Ghost) {
			continue
		}
		if c.run == nil {
			all = append(all, d.cell(c, 0, c.key.off, v))
			continue
		}
		for _, e := range elements(v.Term()) {
			nth, off := int64(0), int64(e.index)*c.run.unit+c.key.off
			if slot := c.obj.slot; slot > 0 {
				nth, off = int64(e.index-c.obj.base)/slot, int64(e.index-c.obj.base)%slot
			}
			all = append(all, d.cell(c, nth, off, e.value))
		}
	}
	return all
}

// element is one that was stored in an array.
type element struct {
	index uint64
	value logic.Value
}

// elements are those that were stored, by index.
func elements(t *logic.Term) (all []element) {
	seen := map[uint64]bool{}
	for t.Op() == logic.OpStore {
		args := t.Args()
		index, errI := logic.Eval(args[1], nil)
		value, errV := logic.Eval(args[2], nil)
		if k := wordOf(index); errI == nil && errV == nil && !seen[k] {
			seen[k] = true
			all = append(all, element{k, value})
		}
		t = args[0]
	}
	slices.SortFunc(all, func(a, b element) int { return new(big.Int).SetUint64(a.index).Cmp(new(big.Int).SetUint64(b.index)) })
	return all
}

// cell is what a cell has, at an offset of its object: in the type that is declared there, or as its first bytes.
func (d *Describer) cell(c *cell, nth, off int64, v logic.Value) Shown {
	first, t := "", c.t
	if l := c.obj.declared().ScalarAt(off); l != nil && c.key.bits == 0 {
		if l.Size > t.Size {
			first = "<0>"
		} else if l.Size == t.Size && l.Kind == ir.Integer && t.Kind == ir.Integer {
			t = l
		}
	}
	name := d.place(c.obj, nth, ir.Place{Off: off, Type: c.t, BitOff: c.key.bitOff, Bits: c.key.bits})
	return Shown{name + first, d.value(t, v), c.obj.owner, c.variable(d.e.memory, words{}).Name()}
}

// place is a place in an object, of whose variable is not asked.
func (d *Describer) place(o *object, nth int64, p ir.Place) string {
	prefix := ""
	if p.Var = o.v; o.owner != nil {
		prefix = o.owner.Name + "."
	}
	if o.v == nil {
		p.Var = &ir.Var{Name: d.object(o, nth), Type: o.shape()}
	}
	return prefix + p.String()
}

// shape is the type that an allocated object is used as, as far as that is known.
func (o *object) shape() *ir.Type {
	t := o.elem
	if t == nil || t.Size <= 0 {
		t = byteType
	}
	if o.size == t.Size {
		return t
	}
	return &ir.Type{Kind: ir.Array, Size: o.size, Elem: t, Len: o.size / t.Size}
}

// object is the name of an allocated object.
func (d *Describer) object(o *object, nth int64) string {
	key := heapObject{o, nth}
	if name := d.heap[key]; name != "" {
		return name
	}
	what := "heap object"
	if o.scoped {
		what = "array"
	}
	name := fmt.Sprintf("%s %d", what, len(d.heap)+1)
	d.heap[key], d.from[name] = name, o
	return name
}

// value is a scalar's value.
func (d *Describer) value(t *ir.Type, v logic.Value) string {
	if t.Kind == ir.Pointer {
		return d.pointer(t, wordOf(v))
	}
	if float(t) {
		return ir.Number(t, wordOf(v))
	}
	n := new(big.Int).Set(v.Num().Num())
	if w := t.Width(); signed(t) && n.Bit(w-1) == 1 {
		n.Sub(n, power(w))
	}
	return n.String()
}

// Origin says of a value that names an allocated object as a whole where that comes from,
// in parentheses; "" of others.
func (d *Describer) Origin(value string) string {
	o := d.from[value]
	if o == nil {
		return ""
	}
	what := "malloc"
	if o.scoped {
		what = "declared"
	} else if o.zeroed {
		what = "calloc"
	}
	if f := o.library; f != nil {
		return fmt.Sprintf(" (%s in %s())", what, f.Name)
	}
	return fmt.Sprintf(" (%s at line %d)", what, o.site.Span.Pos().Line)
}

// number numbers what an address is of, if that was allocated.
func (d *Describer) number(at uint64) {
	if o, nth, _ := d.find(at); o != nil && o.site != nil {
		d.object(o, nth)
	}
}

// find is the object that an address is in, or behind; nil if there is none.
func (d *Describer) find(at uint64) (o *object, nth, off int64) {
	for _, o := range d.e.memory.all {
		off := int64(at - o.base)
		size := o.size
		if o.each() > 0 {
			size = o.each() * o.many
		}
		if o.value || at < o.base || at-o.base > uint64(size) {
			continue
		}
		if o.each() > 0 {
			return o, off / o.each(), off % o.each()
		}
		return o, 0, off
	}
	return nil, 0, 0
}

// pointer is what an address is of.
func (d *Describer) pointer(t *ir.Type, at uint64) string {
	if at == 0 {
		return "NULL"
	}
	o, nth, off := d.find(at)
	if o == nil {
		return fmt.Sprintf("%#x", at)
	}
	return d.inside(o, nth, off, t.Elem)
}

// inside is a pointer to something at an offset of an object.
func (d *Describer) inside(o *object, nth, off int64, elem *ir.Type) string {
	switch {
	case o.fn != nil:
		return "&" + o.name
	case o.v != nil && off == 0 && (elem.Kind == ir.Void || elem.Size < 0):
		return "&" + d.place(o, nth, ir.Place{Type: o.v.Type})
	case o.v != nil && o.v.Literal != "":
		return strings.TrimSuffix(fmt.Sprintf("%q+%d", strings.TrimSuffix(o.v.Literal, "\x00"), off), "+0")
	case o.v != nil:
		return "&" + d.place(o, nth, ir.Place{Off: off, Type: elem})
	}
	name := d.object(o, nth)
	if off != 0 {
		name = "&" + d.place(o, nth, ir.Place{Off: off, Type: elem})
	}
	return name
}
