package cfront

import "modernc.org/cc/v4"

// placing is how a compiler places the members of a struct or union, by the System V ABI, which
// gcc and clang follow. The parser places what stands behind bit-fields otherwise.
type placing struct {
	fields      []place
	size, align int64 // bytes
}

// place is where a member lies; of a bit-field, the unit of the size of its type and the bit in
// it where it begins.
type place struct {
	off int64
	bit int
}

// layoutOf lays out a complete struct or union. A bit-field may not cross more multiples of its
// alignment than its type does, one of no width ends a unit, and only one with a name aligns the
// whole.
func layoutOf(s fielded) placing {
	if !bitFielded(s) { // the parser knows
		l := placing{size: s.Size(), align: int64(s.FieldAlign())}
		for i := range s.NumFields() {
			l.fields = append(l.fields, place{off: s.FieldByIndex(i).Offset()})
		}
		return l
	}
	l := placing{align: 1}
	var at, end int64 // bits
	for i := range s.NumFields() {
		f := s.FieldByIndex(i)
		bytes, align := measure(f.Type())
		size, unit := bytes*8, align*8
		if s.Kind() == cc.Union {
			at = 0
		}
		p := place{}
		switch w := int64(f.ValueBits()); {
		case !f.IsBitfield():
			at = up(at, unit)
			p.off = at / 8
			at += size
		case w == 0:
			at = up(at, unit)
		default:
			if up(at%unit+w, unit) > size {
				at = up(at, unit)
			}
			p = place{at / unit * align, int(at % unit)}
			at += w
		}
		if l.fields = append(l.fields, p); !f.IsBitfield() || f.Name() != "" {
			l.align = max(l.align, align)
		}
		end = max(end, at)
	}
	l.size = up(end, l.align*8) / 8
	return l
}

// moved is the place of what the parser places at an offset into a type: of a member, unless f is
// nil, else of an element or the whole. It is not known in a union whose members are laid out
// differently.
func moved(c cc.Type, off int64, f *cc.Field) (p place, ok bool) {
	if placesKnown(c) {
		p = place{off: off}
		if f != nil && f.IsBitfield() {
			p.bit = f.OffsetBits()
		}
		return p, true
	}
	if a, is := c.(*cc.ArrayType); is {
		n := off / a.Elem().Size()
		size, _ := measure(a.Elem())
		p, ok = moved(a.Elem(), off%a.Elem().Size(), f)
		p.off += n * size
		return p, ok
	}
	s, is := c.(fielded)
	if !is {
		return place{off: off}, true
	}
	if off == 0 && f == nil {
		return place{}, true
	}
	l := layoutOf(s)
	for i, at := range l.fields {
		g := s.FieldByIndex(i)
		if f != nil && g.Name() == f.Name() && g.IsBitfield() == f.IsBitfield() && off == g.Offset() {
			return at, true
		}
		if g.IsBitfield() || off < g.Offset() || off >= g.Offset()+g.Type().Size() {
			continue
		}
		q, inside := moved(g.Type(), off-g.Offset(), f)
		q.off += at.off
		if !inside || ok && q != p {
			return place{}, false
		}
		p, ok = q, true
	}
	return p, ok
}

// measure is the size of a type, and its alignment as a member.
func measure(c cc.Type) (size, align int64) {
	size, align = c.Size(), int64(c.FieldAlign())
	switch c.Kind() {
	case cc.Array:
		a := c.(*cc.ArrayType)
		elem, align := measure(a.Elem())
		return max(0, a.Len()) * elem, align
	case cc.Struct, cc.Union:
		if s, ok := c.(fielded); ok && !s.IsIncomplete() {
			l := layoutOf(s)
			return l.size, l.align
		}
	}
	return size, align
}

// bitFielded reports a struct or union with a bit-field in it, or in a member.
func bitFielded(c cc.Type) bool {
	if c.Kind() == cc.Array {
		return bitFielded(c.(*cc.ArrayType).Elem())
	}
	s, ok := c.(fielded)
	if !ok || s.IsIncomplete() {
		return false
	}
	for i := range s.NumFields() {
		if f := s.FieldByIndex(i); f.IsBitfield() || bitFielded(f.Type()) {
			return true
		}
	}
	return false
}

func up(n, to int64) int64 { return (n + to - 1) / to * to }
