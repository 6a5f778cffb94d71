package encode

import (
	"maps"
	"slices"

	"github.com/seltl/seltl/c/ir"
)

// A pointer from elsewhere points to an object of its type, or to memory of its own. Where it is cast, it points to
// what it pointed to before, which is looked at as something else.

// scalarType is how much of a scalar's type counts there.
type scalarType struct {
	kind ir.Kind
	size int64
}

// bitField stands for all of them.
var bitField = scalarType{ir.Integer, -1}

// recast notes what pointers from elsewhere, or to what others know, are cast to, that they are moved, and that numbers
// are read as pointers. What a void * points to is said by where it is used.
func (p *pointsTo) recast(funcs []*ir.Func) {
	p.cast = map[scalarType]bool{}
	for _, f := range funcs {
		f.Expressions(func(e ir.Expr) {
			if load, ok := e.(*ir.Load); ok && load.Type().Kind == ir.Pointer {
				p.united = p.united || slices.ContainsFunc(p.places(load.From), p.hasNumber)
			}
			if moved, ok := e.(*ir.Move); ok && p.elsewhere(p.value(moved.P)) {
				p.shifts = true
			}
			if a, ok := e.(*ir.Addr); ok && p.strays(a.Of) {
				p.shifts = true
			}
			to, ok := e.(*ir.Convert)
			if !ok || to.T.Kind != ir.Pointer || to.T.Elem.Kind == ir.Void {
				return
			}
			from := to.X
			for c, ok := from.(*ir.Convert); ok; c, ok = from.(*ir.Convert) {
				from = c.X
			}
			if t := from.Type(); t.Kind != ir.Pointer || t.Elem.Kind == ir.Void || sameScalar(t.Elem, to.T.Elem) || !p.shared(p.value(to.X)) {
				return
			}
			parts, _ := scalarsOf(to.T.Elem, nil)
			maps.Copy(p.cast, parts)
		})
	}
}

// hasNumber reports a place of the program's where an integer was stored that is no address.
func (p *pointsTo) hasNumber(at target) bool {
	all := p.numbers[at.obj]
	return !p.region(at.obj) && (all[at.off] || all[anyOffset] || at.off == anyOffset && len(all) > 0)
}

// shared reports an address of what others know.
func (p *pointsTo) shared(all []target) bool {
	return p.elsewhere(all) || slices.ContainsFunc(all, func(t target) bool { return p.escaped[t.obj] })
}

func sameScalar(a, b *ir.Type) bool {
	return a == b || a.Scalar() && a.Kind == b.Kind && a.Size == b.Size
}

// mayBeOther reports a place by a pointer from elsewhere that may be in an object of the program's without being
// what the object has there (handedOut): the pointer may have been cast, or bytes of the object are used in several
// ways, or it is a bit-field.
func (p *pointsTo) mayBeOther(at ir.Place) bool {
	if at.Ptr == nil || !p.elsewhere(p.value(at.Ptr)) {
		return false
	}
	parts, _ := scalarsOf(at.Type, nil)
	if at.Bits > 0 {
		parts = map[scalarType]bool{bitField: true}
	}
	return slices.ContainsFunc(p.m.all, func(o *object) bool {
		if !p.escaped[o] || o.fn != nil || o.v != nil && o.v.Stream() {
			return false
		}
		cells, mixed := o.sorted(), o.mixed()
		for is := range parts {
			switch {
			case p.cast[is] && slices.ContainsFunc(cells, func(c *cell) bool { return c.key.bits > 0 || scalarType{c.t.Kind, c.key.size} != is }),
				is == bitField && slices.ContainsFunc(cells, func(c *cell) bool { return c.key.bits > 0 }),
				mixed && (is.kind != ir.Integer || is.size > 1) && o.mayHave(is): // bytes are cells, then
				return true
			}
		}
		return false
	})
}

// movedBeside reports a place by a pointer from elsewhere that is moved, where others know an object with members of
// several types: it may come to one of another type.
func (p *pointsTo) movedBeside(at ir.Place) bool {
	if at.Ptr == nil || !p.strays(at) && !(p.shifts && p.elsewhere(p.value(at.Ptr))) {
		return false
	}
	return slices.ContainsFunc(p.m.all, func(o *object) bool {
		if !p.escaped[o] || o.fn != nil || o.v != nil && o.v.Stream() {
			return false
		}
		parts, _ := scalarsOf(o.declared(), nil)
		return len(parts) > 1
	})
}

// strays reports a place that may be beside what a pointer from elsewhere points to.
func (p *pointsTo) strays(at ir.Place) bool {
	if at.Ptr == nil || !p.elsewhere(p.value(at.Ptr)) {
		return false
	}
	elem := at.Ptr.Type().Elem
	return len(at.Index) > 0 || elem == nil || at.Off < 0 || at.Off+extent(at) > elem.Size
}

// mixed reports an object of which some bytes are, or may be, used in several ways.
func (o *object) mixed() bool {
	if len(o.bytes) > 0 || len(o.punned) > 0 || len(o.bools) > 0 {
		return true
	}
	for _, c := range o.sorted() {
		if is := o.declared().ScalarAt(max(c.key.off, 0)); c.key.off >= 0 && c.key.bits == 0 && (is == nil || is.Kind != c.t.Kind || is.Size != c.key.size) {
			return true
		}
	}
	wide := o.v == nil && o.elem != nil && o.elem.Size > 1
	if o.v != nil {
		parts, union := scalarsOf(o.v.Type, nil)
		if union {
			return true
		}
		for is := range parts {
			wide = wide || is.size > 1
		}
	}
	return wide && slices.ContainsFunc(o.runs, func(r *run) bool { return r.unit == 1 })
}

// mayHave reports that scalars of a type may be in an object.
func (o *object) mayHave(is scalarType) bool {
	if o.v == nil {
		return true
	}
	parts, _ := scalarsOf(o.v.Type, nil)
	return parts[is]
}

// declared is the type that an object has, or that allocated memory is used as.
func (o *object) declared() *ir.Type {
	if o.v != nil {
		return o.v.Type
	}
	return o.shape()
}

// scalarsOf are the types of scalars in a type, and whether there is a union.
func scalarsOf(t *ir.Type, all map[scalarType]bool) (_ map[scalarType]bool, union bool) {
	if all == nil {
		all = map[scalarType]bool{}
	}
	switch t.Kind {
	case ir.Array:
		return scalarsOf(t.Elem, all)
	case ir.Struct:
		union = t.Union
		for _, f := range t.Fields {
			if f.Bits > 0 { // which are no scalars of their type
				all[bitField] = true
				continue
			}
			_, inner := scalarsOf(f.Type, all)
			union = union || inner
		}
		return all, union
	}
	all[scalarType{t.Kind, t.Size}] = true
	return all, false
}
