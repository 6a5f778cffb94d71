package encode

import (
	"slices"

	"github.com/seltl/seltl/c/ir"
)

// withKin adds to the targets of a pointer to a struct or a scalar that comes from elsewhere those that parameters of a
// component point to: a list's node may be the one that a parameter points to, or lie in it, and so may a number.
func (p *pointsTo) withKin(t *ir.Type, all []target) []target {
	if p.m.given == nil || t.Kind != ir.Pointer || t.Elem == nil || t.Elem.Kind != ir.Struct && !t.Elem.Scalar() || !slices.ContainsFunc(all, func(t target) bool { return t.obj == p.garbage }) {
		return all
	}
	// Numbers that are stored there are read as pointers to memory of its own.
	all = slices.DeleteFunc(slices.Clone(all), func(t target) bool { return t.obj == p.number })
	for _, v := range p.m.given.objects {
		for _, to := range p.partsIn(target{p.m.ofVar(v), 0}, v.Type, t.Elem) {
			if !slices.Contains(all, to) {
				all = append(all, to)
			}
		}
	}
	return all
}

// partsIn is where structs or scalars of a type lie in what is of another one, at a target. Files have types of their
// own.
func (p *pointsTo) partsIn(at target, t, inner *ir.Type) (all []target) {
	switch {
	case t.Scalar() && t.Kind == inner.Kind && t.Size == inner.Size:
		return []target{at}
	case t.Kind == ir.Struct:
		if t == inner || t.Name == inner.Name && t.Size == inner.Size {
			all = append(all, at)
		}
		for _, f := range t.Fields {
			all = append(all, p.partsIn(p.shifted(at, f.Off), f.Type, inner)...)
		}
	case t.Kind == ir.Array && (t.Len < 0 || t.Len > maxOffsets):
		return p.partsIn(p.someplace(at), t.Elem, inner)
	case t.Kind == ir.Array:
		for k := range t.Len {
			all = append(all, p.partsIn(p.shifted(at, k*t.Elem.Size), t.Elem, inner)...)
		}
	}
	return all
}
