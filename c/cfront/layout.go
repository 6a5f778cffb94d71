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

// layouts remembers what was found out about structs and unions: one that has two members of
// another, which has two of a third, is as large as a power of two.
type layouts struct {
	bits, known, sized map[cc.Type]bool
	laid               map[cc.Type]placing
}

func newLayouts() *layouts {
	return &layouts{bits: map[cc.Type]bool{}, known: map[cc.Type]bool{}, sized: map[cc.Type]bool{}, laid: map[cc.Type]placing{}}
}

// layoutOf lays out a complete struct or union. A bit-field may not cross more multiples of its
// alignment than its type does, one of no width ends a unit, and only one with a name aligns the
// whole.
func layoutOf(s fielded) placing { return newLayouts().of(s) }

func (ls *layouts) of(s fielded) placing {
	l, ok := ls.laid[s]
	if !ok {
		l = ls.lay(s)
		ls.laid[s] = l
	}
	return l
}

func (ls *layouts) lay(s fielded) placing {
	if !ls.bitFielded(s) { // the parser knows
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
		bytes, align := ls.measure(f.Type())
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
	return newLayouts().moved(c, off, f)
}

func (ls *layouts) moved(c cc.Type, off int64, f *cc.Field) (p place, ok bool) {
	if ls.placesKnown(c) {
		p = place{off: off}
		if f != nil && f.IsBitfield() {
			p.bit = f.OffsetBits()
		}
		return p, true
	}
	if a, is := c.(*cc.ArrayType); is {
		n := off / a.Elem().Size()
		size, _ := ls.measure(a.Elem())
		p, ok = ls.moved(a.Elem(), off%a.Elem().Size(), f)
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
	l := ls.of(s)
	for i, at := range l.fields {
		g := s.FieldByIndex(i)
		if f != nil && g.Name() == f.Name() && g.IsBitfield() == f.IsBitfield() && off == g.Offset() {
			return at, true
		}
		if g.IsBitfield() || off < g.Offset() || off >= g.Offset()+g.Type().Size() {
			continue
		}
		q, inside := ls.moved(g.Type(), off-g.Offset(), f)
		q.off += at.off
		if !inside || ok && q != p {
			return place{}, false
		}
		p, ok = q, true
	}
	return p, ok
}

// measure is the size of a type, and its alignment as a member.
func (ls *layouts) measure(c cc.Type) (size, align int64) {
	size, align = c.Size(), int64(c.FieldAlign())
	switch c.Kind() {
	case cc.Array:
		a := c.(*cc.ArrayType)
		elem, align := ls.measure(a.Elem())
		return max(0, a.Len()) * elem, align
	case cc.Struct, cc.Union:
		if s, ok := c.(fielded); ok && !s.IsIncomplete() {
			l := ls.of(s)
			return l.size, l.align
		}
	}
	return size, align
}

// bitFielded reports a struct or union with a bit-field in it, or in a member.
func (ls *layouts) bitFielded(c cc.Type) bool {
	if c.Kind() == cc.Array {
		return ls.bitFielded(c.(*cc.ArrayType).Elem())
	}
	s, ok := c.(fielded)
	if !ok || s.IsIncomplete() {
		return false
	}
	found, ok := ls.bits[s]
	for i := 0; i < s.NumFields() && !ok && !found; i++ {
		f := s.FieldByIndex(i)
		found = f.IsBitfield() || ls.bitFielded(f.Type())
	}
	ls.bits[s] = found
	return found
}

// placesKnown reports that the parser places all members of a type as compilers do.
func placesKnown(c cc.Type) bool { return newLayouts().placesKnown(c) }

func (ls *layouts) placesKnown(c cc.Type) bool {
	return ls.all(ls.known, c, func(cc.Type) bool { return true }, func(s fielded, l placing) bool {
		for i, at := range l.fields {
			if f := s.FieldByIndex(i); at.off != f.Offset() || f.IsBitfield() && at.bit != f.OffsetBits() {
				return false
			}
		}
		return true
	})
}

// sizeKnown reports that the parser's size of a type is that of compilers: it places
// some bit-fields otherwise.
func sizeKnown(c cc.Type) bool {
	ls := newLayouts()
	return ls.all(ls.sized, c, func(c cc.Type) bool { return !moded(c) }, func(fielded, placing) bool { return true })
}

// all reports that all parts of a type are known: the structs have the parser's size and something
// else is true of them, and of what is none something is true. It remembers structs.
func (ls *layouts) all(found map[cc.Type]bool, c cc.Type, scalar func(cc.Type) bool, whole func(fielded, placing) bool) bool {
	if c.Kind() == cc.Array {
		return ls.all(found, c.(*cc.ArrayType).Elem(), scalar, whole)
	}
	s, ok := c.(fielded)
	if !ok || s.IsIncomplete() {
		return scalar(c)
	}
	known, ok := found[s]
	if ok {
		return known
	}
	l := ls.of(s)
	known = l.size == c.Size() && whole(s, l)
	for i := 0; i < s.NumFields() && known; i++ {
		known = ls.all(found, s.FieldByIndex(i).Type(), scalar, whole)
	}
	found[s] = known
	return known
}

func up(n, to int64) int64 { return (n + to - 1) / to * to }
