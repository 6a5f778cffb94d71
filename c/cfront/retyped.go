package cfront

import (
	"modernc.org/cc/v4"
)

// retypes notes where a pointer to one type becomes one to another, through which compilers that rely on
// the types of accesses (C17 6.5, 7) do not expect what is stored through the first one.
func (l *linker) retypes(to, from cc.Type) {
	t, ok := to.(*cc.PointerType)
	if !ok || l.prog.Retyped {
		return
	}
	f, ok := from.Decay().(*cc.PointerType)
	bytes := ok && character(f.Elem()) || !ok && cc.IsIntegerType(from) // which may have been a pointer to something else
	l.prog.Retyped = bytes && !untyped(t.Elem()) || ok && !accessible(t.Elem(), f.Elem())
}

// accessible reports that what has one type may be accessed by the other, or that this is not known: one
// of them is void, a character, a function or incomplete.
func accessible(a, b cc.Type) bool {
	for a.Kind() == cc.Array || b.Kind() == cc.Array {
		if a.Kind() == cc.Array {
			a = a.(*cc.ArrayType).Elem()
		}
		if b.Kind() == cc.Array {
			b = b.(*cc.ArrayType).Elem()
		}
	}
	if p, ok := a.(*cc.PointerType); ok {
		q, ok := b.(*cc.PointerType)
		return untyped(b) || ok && (accessible(p.Elem(), q.Elem()) && !untyped(p.Elem()) && !untyped(q.Elem()) || p.Elem().Kind() == q.Elem().Kind())
	}
	if untyped(a) || untyped(b) {
		return true
	}
	if a.Kind() == cc.Struct || a.Kind() == cc.Union {
		return a.Kind() == b.Kind() && (a == b || a.String() == b.String())
	}
	return unsignedKind(a.Kind()) == unsignedKind(b.Kind())
}

func untyped(t cc.Type) bool {
	return t.Kind() == cc.Void || t.Kind() == cc.Function || character(t)
}

func character(t cc.Type) bool {
	return t.Kind() == cc.Char || t.Kind() == cc.SChar || t.Kind() == cc.UChar
}

// unsignedKind is the kind of unsigned integers for that of signed ones, which access each other.
func unsignedKind(k cc.Kind) cc.Kind {
	switch k {
	case cc.Short:
		return cc.UShort
	case cc.Int, cc.Enum:
		return cc.UInt
	case cc.Long:
		return cc.ULong
	case cc.LongLong:
		return cc.ULongLong
	}
	return k
}
