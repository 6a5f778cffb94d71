package cfront

import (
	"math/bits"
	"reflect"

	"modernc.org/cc/v4"

	"github.com/seltl/seltl/c/ir"
)

// placing is how a compiler places the members of a struct or union, by the System V ABI, which
// gcc and clang follow, with gcc's attributes. The parser places what stands behind bit-fields
// otherwise, and knows of no packing.
type placing struct {
	fields      []place
	size, align int64 // bytes
}

// place is where a member lies; of a bit-field, the unit of the size of its type and the bit in
// it where it begins.
type place struct {
	off   int64
	bit   int
	align int64 // bytes, of a member that is no bit-field: what __alignof__ says of it
	// unit is the size of the unit in bytes, if that is narrower than the type: of a bit-field at the end of a
	// packed struct.
	unit int64
}

// asked is what attributes say of a struct or union, or of a member.
type asked struct {
	packed bool
	align  int64 // 0 if nothing is said
	pack   int64 // #pragma pack
}

// layoutOf lays out a complete struct or union as gcc does (stor-layout.c). A bit-field may not cross
// more multiples of its alignment than its type does, unless it is packed; one of no width ends a unit;
// and only one with a name aligns the whole. Nil if that is not known.
func (t *types) layoutOf(s fielded) *placing {
	if s.NumFields() == 0 {
		return &placing{size: max(s.Size(), 0), align: 1}
	}
	key := s.FieldByIndex(0).ParentType()
	if l, known := t.laid[key]; known {
		return l
	}
	t.laid[key] = nil
	whole, each, ok := t.definitions.of(s)
	if !ok {
		return nil
	}
	l := &laying{types: t, union: s.Kind() == cc.Union, whole: whole, align: max(8, whole.align*8)}
	out := &placing{}
	for i := range s.NumFields() {
		at, ok := l.add(s.FieldByIndex(i), each[i])
		if !ok {
			return nil
		}
		out.fields = append(out.fields, at)
	}
	out.align = l.align / 8
	out.size = up(up(l.end, 8), l.align) / 8
	for i := range out.fields {
		if f := s.FieldByIndex(i); f.IsBitfield() {
			size, _ := t.measure(f.Type())
			out.fields[i] = unitOf(out.fields[i], int64(f.ValueBits()), size, out.size)
		}
	}
	t.laid[key] = out
	return out
}

// unitOf is the unit in which a bit-field lies, of the size of its type: at a multiple of that, if it is
// whole there, or else wherever it is, or a narrower one. A field that needs more bytes lies at its first one.
func unitOf(p place, width, size, whole int64) place {
	at := p.off*8 + int64(p.bit)
	for unit := size; unit > 0; unit /= 2 {
		for _, off := range []int64{at / 8 / unit * unit, at / 8, max(0, whole-unit)} {
			if off*8 <= at && at+width <= (off+unit)*8 && off+unit <= whole {
				p = place{off: off, bit: int(at - off*8)}
				if unit < size {
					p.unit = unit
				}
				return p
			}
		}
	}
	return place{off: at / 8, bit: int(at % 8)}
}

// laying is the state of laying out.
type laying struct {
	types   *types
	union   bool
	whole   asked
	at, end int64 // bits
	align   int64 // bits, of the whole
}

// add places a member: the steps of layout_decl, update_alignment_for_field and place_field.
func (l *laying) add(f *cc.Field, a asked) (place, bool) {
	if l.union {
		l.at = 0
	}
	size, typ, ok := l.types.member(f.Type(), a)
	if !ok {
		return place{}, false
	}
	packed, pack := a.packed || l.whole.packed, l.whole.pack*8
	width, field := int64(f.ValueBits()), f.IsBitfield()
	bitField := field
	own, user := int64(1), a.align > 0
	if user {
		own = a.align * 8
	}
	switch known := lowest(l.at); {
	case field && width == 0:
		packed, pack = false, 0
		if own < typ.bits {
			own, user = typ.bits, typ.user
		}
	case field:
		if exact := width == 8 || width == 16 || width == 32 || width == 64; exact && size*8 <= 64 && !(width > 8 && packed) && (known == 0 || known >= width) {
			own, bitField = max(own, width), false
		}
	case packed && user:
	default:
		if own < typ.bits {
			own, user = typ.bits, typ.user // as gcc has it, though something was asked for
		}
	}
	if packed && a.align == 0 {
		own = min(own, 8)
	}
	if !packed && !user {
		own = l.types.inStruct(f.Type(), own)
	}
	if pack != 0 {
		own = min(own, pack)
	}
	l.aligns(f, own, typ, packed, pack)
	l.at = up(l.at, own)
	if field && width == 0 {
		at := l.at
		l.end = max(l.end, at)
		return place{off: at / 8}, true
	}
	if bitField && !packed && pack == 0 {
		unit := typ.bits
		if !typ.user {
			unit = l.types.inStruct(f.Type(), unit)
		}
		if (l.at%unit+width+unit-1)/unit > size*8/unit {
			l.at = up(l.at, unit)
		}
	}
	at := l.at
	if l.at += size * 8; field {
		l.at = at + width
	}
	l.end = max(l.end, l.at)
	return place{off: at / 8, bit: int(at % 8), align: own / 8}, true
}

// aligns has a member align the whole.
func (l *laying) aligns(f *cc.Field, own int64, typ aligning, packed bool, pack int64) {
	if !f.IsBitfield() {
		l.align = max(l.align, own)
		return
	}
	if f.Name() == "" {
		return
	}
	align := typ.bits
	if !typ.user {
		align = l.types.inStruct(f.Type(), align)
	}
	switch {
	case pack != 0:
		align = min(align, pack)
	case packed:
		align = min(align, 8)
	}
	l.align = max(l.align, own, align)
}

// lowest is the lowest bit of a number, 0 of none.
func lowest(n int64) int64 {
	if n == 0 {
		return 0
	}
	return 1 << bits.TrailingZeros64(uint64(n))
}

// member is the size of the type of a member, and the alignment that the type has without what is asked of
// the member. ok is false where that is not known.
func (t *types) member(c cc.Type, a asked) (size int64, align aligning, ok bool) {
	size, ok = t.measure(c)
	if !ok {
		return 0, aligning{}, false
	}
	align, ok = t.alignOf(c, a.align > 0)
	return size, align, ok
}

// measure is the size of a type. ok is false where it is not known.
func (t *types) measure(c cc.Type) (size int64, ok bool) {
	switch c.Kind() {
	case cc.Array:
		a := c.(*cc.ArrayType)
		n, known := t.lengthOf(a)
		elem, ok := t.measure(a.Elem())
		return max(0, n) * elem, ok && known
	case cc.Struct, cc.Union:
		if s, ok := c.(fielded); ok && !s.IsIncomplete() {
			if l := t.layoutOf(s); l != nil {
				return l.size, true
			}
			return 0, false
		}
	}
	return c.Size(), !moded(c)
}

// lengthOf is the number of elements of an array; the parser's, unless its length depends on sizes or places
// that the parser takes for others.
func (t *types) lengthOf(a *cc.ArrayType) (int64, bool) {
	if e := a.SizeExpression(); e != nil && a.Len() >= 0 && !a.IsVLA() && t.computed(e) {
		return t.evaluate(e)
	}
	return a.Len(), true
}

// moved is the place of what the parser places at an offset into a type: of a member, unless f is
// nil, else of an element or the whole. It is not known in a union whose members are laid out
// differently.
func (t *types) moved(c cc.Type, off int64, f *cc.Field) (p place, ok bool) {
	if t.placesKnown(c) {
		p = place{off: off}
		if f != nil && f.IsBitfield() {
			p.bit = f.OffsetBits()
		}
		return p, true
	}
	if a, is := c.(*cc.ArrayType); is {
		if a.Elem().Size() <= 0 {
			return place{}, false
		}
		n := off / a.Elem().Size()
		size, known := t.measure(a.Elem())
		p, ok = t.moved(a.Elem(), off%a.Elem().Size(), f)
		p.off += n * size
		return p, ok && known
	}
	s, is := c.(fielded)
	if !is {
		return place{off: off}, true
	}
	if off == 0 && f == nil {
		return place{}, true
	}
	l := t.layoutOf(s)
	if l == nil {
		return place{}, false
	}
	for i, at := range l.fields {
		g := s.FieldByIndex(i)
		if f != nil && g.Name() == f.Name() && g.IsBitfield() == f.IsBitfield() && off == g.Offset() {
			return at, true
		}
		if g.IsBitfield() || off < g.Offset() || off >= g.Offset()+g.Type().Size() {
			continue
		}
		q, inside := t.moved(g.Type(), off-g.Offset(), f)
		q.off += at.off
		if !inside || ok && q != p {
			return place{}, false
		}
		p, ok = q, true
	}
	return p, ok
}

func up(n, to int64) int64 { return (n + to - 1) / to * to }

// computed reports a constant expression that depends on sizes or places which the parser takes for others.
func (t *types) computed(e cc.ExpressionNode) (found bool) {
	walk(reflect.ValueOf(e), map[any]bool{}, func(n cc.Node) {
		if u, is := n.(*cc.UnaryExpression); is && !found {
			of := sized(u)
			found = of != nil && !t.sizeKnown(of) || isAlignment(u) && !t.alignmentKnown(u) || u.Case == cc.UnaryExpressionAddrof && t.displaced(u)
		}
	})
	return found
}

// evaluate is the value of such an expression.
func (t *types) evaluate(e cc.ExpressionNode) (int64, bool) {
	known, done := t.constants[e]
	if !done {
		if n, ok := t.lowered(e); ok {
			known = &n
		}
		t.constants[e] = known
	}
	if known == nil {
		return 0, false
	}
	return *known, true
}

// constantOf is the value of a constant integer expression by its lowering.
func (l *linker) constantOf(e cc.ExpressionNode) (n int64, ok bool) {
	before := l.inits.mark()
	defer func() {
		l.inits.back(before)
		if x := recover(); x != nil {
			if _, refused := x.(*ir.Refusal); !refused {
				panic(x)
			}
			ok = false
		}
	}()
	return integerOf(l.inits.need(e))
}

// integerOf is the number that an expression is, if it is one: that of an offset of a member, too, and of the distance
// of parts of a variable.
func integerOf(e ir.Expr) (int64, bool) {
	switch e := e.(type) {
	case *ir.Const:
		return int64(e.Bits), e.T.Kind == ir.Integer
	case *ir.Convert:
		if a, is := e.X.(*ir.Addr); is && e.T.Kind == ir.Integer {
			p, fixed := fixedIndices(a.Of)
			if base, is := p.Ptr.(*ir.Const); is && fixed && p.Var == nil {
				return int64(ir.Extend(e.T, base.Bits+uint64(p.Off))), true
			}
		}
		if n, ok := integerOf(e.X); ok && e.T.Kind == ir.Integer {
			return int64(ir.Extend(e.T, uint64(n))), true
		}
	case *ir.Distance:
		p, first := fixedPart(e.P)
		q, second := fixedPart(e.Q)
		if first && second && p.Var == q.Var && e.Stride > 0 && (p.Off-q.Off)%e.Stride == 0 {
			return (p.Off - q.Off) / e.Stride, true
		}
	case *ir.Unary:
		if n, ok := integerOf(e.X); ok {
			return integerOf(ir.Compute(&ir.Unary{Op: e.Op, X: &ir.Const{T: e.X.Type(), Bits: uint64(n)}}))
		}
	case *ir.Binary:
		x, okX := integerOf(e.X)
		y, okY := integerOf(e.Y)
		if okX && okY {
			if folded, is := ir.Compute(&ir.Binary{Op: e.Op, X: &ir.Const{T: e.X.Type(), Bits: uint64(x)}, Y: &ir.Const{T: e.Y.Type(), Bits: uint64(y)}, T: e.T}).(*ir.Const); is {
				return int64(folded.Bits), true
			}
		}
	}
	return 0, false
}

// fixedPart is the part of a variable whose address an expression is.
func fixedPart(e ir.Expr) (p ir.Place, ok bool) {
	if c, is := e.(*ir.Convert); is && c.T.Kind == ir.Pointer && c.X.Type().Kind == ir.Pointer {
		return fixedPart(c.X)
	}
	a, ok := e.(*ir.Addr)
	if !ok || a.Of.Var == nil {
		return p, false
	}
	return fixedIndices(a.Of)
}

// fixedIndices is a place with all its indices in its offset, if they are numbers.
func fixedIndices(p ir.Place) (ir.Place, bool) {
	for _, i := range p.Index {
		n, ok := integerOf(i.By)
		if !ok {
			return p, false
		}
		p.Off += n * i.Stride
	}
	p.Index = nil
	return p, true
}
