package cfront

import (
	"slices"

	"github.com/seltl/seltl/c/ir"
)

// A local variable that a formula speaks of is looked at between any two steps, so its declaration
// is lowered to steps that give each part of it the value that it has from then on.

// maxSpoken bounds the bytes and the parts of such a variable: larger ones are filled as a whole.
const maxSpoken = 256

// undefine gives a variable any value.
func (r *routine) undefine(v *ir.Var, span ir.Span) {
	parts := []ir.Place{ir.Whole(v)}
	if v.Type.Aggregate() && v.Type.Size <= maxSpoken && r.linker.spoken(r.f.Name)[v.Name] {
		if all, ok := scalarParts(ir.Whole(v)); ok {
			parts = all
		}
	}
	for _, p := range parts {
		r.emit(&ir.Havoc{To: p, Why: ir.Uninitialised, Span: span})
	}
}

// scalarParts are the scalars that a place is made of. False: some overlap, or are none.
func scalarParts(p ir.Place) (all []ir.Place, ok bool) {
	switch t := p.Type; {
	case t.Scalar():
		return []ir.Place{p}, true
	case t.Kind == ir.Array && t.Len >= 0:
		for i := range t.Len {
			part := p
			part.Off, part.Type = p.Off+i*t.Elem.Size, t.Elem
			own, ok := scalarParts(part)
			if !ok {
				return nil, false
			}
			all = append(all, own...)
		}
		return all, true
	case t.Kind == ir.Struct && !t.Union:
		for _, f := range t.Fields {
			part := p
			part.Off, part.Type, part.BitOff, part.Bits = p.Off+f.Off, f.Type, f.BitOff, f.Bits
			own, ok := scalarParts(part)
			if !ok {
				return nil, false
			}
			all = append(all, own...)
		}
		return all, true
	}
	return nil, false
}

// definedAtOnce leaves out of what an initialiser clears the bytes that it assigns behind that, so
// that none of them is 0 in between.
func (r *routine) definedAtOnce(v *ir.Var, list []ir.Instr) []ir.Instr {
	if len(list) == 0 || v.Type.Size > maxSpoken || !r.linker.spoken(r.f.Name)[v.Name] {
		return list
	}
	first, is := list[0].(*ir.Clear)
	if !is || first.To.Var != v {
		return list
	}
	covered := make([]bool, v.Type.Size+1)
	for _, i := range list[1:] {
		if a, is := i.(*ir.Assign); is && a.To.Var == v && len(a.To.Index) == 0 && a.To.Bits == 0 {
			for k := range a.To.Type.Size {
				covered[a.To.Off+k] = true
			}
		}
	}
	covered[v.Type.Size] = true
	var all []ir.Instr
	for from := 0; from < len(covered); from++ {
		size := slices.Index(covered[from:], true)
		if size > 0 {
			to := ir.Place{Var: v, Off: int64(from), Type: &ir.Type{Kind: ir.Array, Size: int64(size), Len: int64(size), Elem: &ir.Type{Kind: ir.Integer, Size: 1, Name: ir.IntegerName(1, false, false)}, Name: "char[]"}}
			all = append(all, &ir.Clear{To: to, Span: first.Span})
		}
		from += size
	}
	return append(all, list[1:]...)
}
