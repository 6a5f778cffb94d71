package cfront

import "slices"

// Where a struct is stored as a whole, by an initialiser, an assignment, or as an argument, the bytes
// between its members take values that nobody knows (C17 6.2.6.1, 6): compilers copy the members, or all.

// mostPadding bounds the places of one object that have some.
const mostPadding = 4096

// pad forgets the padding of a place that was stored to.
func (r *routine) pad(p Place, span Span) {
	if r.f == r.prog.Init || r.reads { // what is static has zeros there
		return
	}
	gaps := padding(p.Type)
	if len(gaps) > mostPadding {
		refuse(span, "c-padding", "make the array shorter", "padding in more than %d places of one object is not supported", mostPadding)
	}
	if len(gaps) == 0 {
		return
	}
	p = r.freeze(p, span)
	for _, g := range gaps {
		size := g[1] - g[0]
		at := p
		at.Off += g[0]
		at.Type = &Type{Kind: Array, Size: size, Len: size, Elem: r.types.integer(1, false, false), Name: "char[]"}
		r.emit(&Havoc{To: at, Why: Padding, Span: span})
	}
}

// padding are the bytes of a type that belong to no member, nor to a scalar, from one up to another,
// sorted: nil for types without.
func padding(t *Type) [][2]int64 {
	if !t.Aggregate() || t.Size <= 0 {
		return nil
	}
	used := members(nil, t, 0)
	slices.SortFunc(used, func(a, b [2]int64) int { return int(a[0] - b[0]) })
	var gaps [][2]int64
	end := int64(0)
	for _, u := range used {
		if u[0] > end {
			gaps = append(gaps, [2]int64{end, u[0]})
		}
		end = max(end, u[1])
	}
	if end < t.Size {
		gaps = append(gaps, [2]int64{end, t.Size})
	}
	return gaps
}

// members appends the bytes of the scalars in a type at an offset.
func members(all [][2]int64, t *Type, at int64) [][2]int64 {
	switch {
	case t.Kind == Array && t.Len > 0 && len(padding(t.Elem)) > 0:
		for i := range min(t.Len, mostPadding+1) {
			all = members(all, t.Elem, at+i*t.Elem.Size)
		}
	case t.Kind == Struct:
		for _, f := range t.Fields {
			switch {
			case f.Bits > 0: // all bytes with a bit of it
				first := at + f.Off + int64(f.BitOff)/8
				all = append(all, [2]int64{first, at + f.Off + int64(f.BitOff+f.Bits+7)/8})
			case f.Type.Size > 0:
				all = members(all, f.Type, at+f.Off)
			}
		}
	default:
		all = append(all, [2]int64{at, at + t.Size})
	}
	return all
}
