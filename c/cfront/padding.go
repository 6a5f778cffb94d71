package cfront

import (
	"cmp"
	"slices"

	"github.com/seltl/seltl/c/ir"
)

// Where a struct is stored as a whole, by an initialiser, an assignment, or as an argument, the bytes
// between its members take values that nobody knows (C17 6.2.6.1, 6): compilers copy the members, or all.

// mostPadding bounds the places of one object that have some.
const mostPadding = 4096

// pad forgets the padding of a place that was stored to.
func (r *routine) pad(p ir.Place, span ir.Span) {
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
		r.forget(p, g, span)
	}
}

// forget makes some bytes of a place what nobody knows.
func (r *routine) forget(p ir.Place, bytes [2]int64, span ir.Span) {
	size := bytes[1] - bytes[0]
	p.Off += bytes[0]
	p.Type = &ir.Type{Kind: ir.Array, Size: size, Len: size, Elem: r.types.integer(1, false, false), Name: "char[]"}
	r.emit(&ir.Havoc{To: p, Why: ir.Padding, Span: span})
}

// padUnions forgets what an initialiser leaves of unions of which it names a member: the bytes behind that
// (C17 6.7.9, 21 is about aggregates, which unions are none of).
func (r *routine) padUnions(v *ir.Var, names *named, span ir.Span) {
	if r.f == r.prog.Init {
		return
	}
	for _, gap := range names.behind(nil, v.Type, 0) {
		r.forget(ir.Whole(v), gap, span)
	}
}

// behind appends the bytes of the unions in a type at an offset that lie behind the smallest member which
// has all of what is named.
func (g *named) behind(gaps [][2]int64, t *ir.Type, at int64) [][2]int64 {
	first, next := g.among(at*8, (at+t.Size)*8)
	switch {
	case first == next || len(gaps) > mostPadding:
	case t.Kind == ir.Array:
		for i := range t.Len {
			gaps = g.behind(gaps, t.Elem, at+i*t.Elem.Size)
		}
	case t.Kind == ir.Struct && !t.Union:
		for _, f := range t.Fields {
			if f.Bits == 0 && f.Type.Size > 0 {
				gaps = g.behind(gaps, f.Type, at+f.Off)
			}
		}
	case t.Kind == ir.Struct:
		var member *ir.Field
		for i := range t.Fields {
			if f := &t.Fields[i]; (at+f.Type.Size)*8 >= g.parts[next-1][1] && (member == nil || f.Type.Size < member.Type.Size) {
				member = f
			}
		}
		if member == nil {
			return append(gaps, [2]int64{at, at + t.Size})
		}
		if member.Type.Size < t.Size {
			gaps = append(gaps, [2]int64{at + member.Type.Size, at + t.Size})
		}
		for _, gap := range padding(member.Type) {
			gaps = append(gaps, [2]int64{at + gap[0], at + gap[1]})
		}
		gaps = g.behind(gaps, member.Type, at)
	}
	return gaps
}

// padding are the bytes of a type that belong to no member, nor to a scalar, from one up to another,
// sorted: nil for types without, and of more than mostPadding some that are more.
func padding(t *ir.Type) [][2]int64 { return paddings{}.of(t) }

// paddings remembers what it found out about types: one that has two members of another, which
// has two of a third, has as many scalars as a power of two.
type paddings map[*ir.Type][][2]int64

func (ps paddings) of(t *ir.Type) [][2]int64 {
	if !t.Aggregate() || t.Size <= 0 {
		return nil
	}
	gaps, ok := ps[t]
	if !ok {
		gaps = ps.between(t)
		gaps = gaps[:min(len(gaps), mostPadding+1)]
		ps[t] = gaps
	}
	return gaps
}

func (ps paddings) between(t *ir.Type) (gaps [][2]int64) {
	if t.Kind == ir.Array && len(ps.of(t.Elem)) == 0 {
		return nil
	}
	for _, f := range t.Fields { // of what a union has too much, another member may have all
		if some := ps.of(f.Type); t.Union && f.Bits == 0 && f.Type.Size == t.Size && len(some) == 0 {
			return nil
		} else if t.Union && len(some) > mostPadding {
			gaps = some
		}
	}
	if gaps != nil {
		return gaps
	}
	end := int64(0)
	for _, u := range append(ps.used(t), [2]int64{t.Size, t.Size}) {
		if u[0] > end {
			gaps = append(gaps, [2]int64{end, u[0]})
		}
		end = max(end, u[1])
	}
	return gaps
}

// used are the bytes of what has padding that belong to members or elements, and to no padding in
// those, sorted.
func (ps paddings) used(t *ir.Type) (all [][2]int64) {
	add := func(part *ir.Type, at int64) {
		end := int64(0)
		for _, g := range ps.of(part) {
			all = append(all, [2]int64{at + end, at + g[0]})
			end = g[1]
		}
		all = append(all, [2]int64{at + end, at + part.Size})
	}
	for i := range min(t.Len, mostPadding+1) {
		add(t.Elem, i*t.Elem.Size)
	}
	for _, f := range t.Fields {
		if f.Bits > 0 { // all bytes with a bit of it
			first := f.Off + int64(f.BitOff)/8
			all = append(all, [2]int64{first, f.Off + int64(f.BitOff+f.Bits+7)/8})
		} else if f.Type.Size > 0 {
			add(f.Type, f.Off)
		}
	}
	slices.SortFunc(all, func(a, b [2]int64) int { return cmp.Compare(a[0], b[0]) })
	return all
}
