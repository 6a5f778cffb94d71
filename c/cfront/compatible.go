package cfront

import "github.com/seltl/seltl/c/ir"

// pair is two types that are compared.
type pair struct{ a, b *ir.Type }

// compatible reports that two declarations of one thing, in several files, say the same type of it (C11
// 6.2.7), as far as that has a meaning here: types of integers differ by width and sign, not by name.
func compatible(a, b *ir.Type) bool { return same(a, b, map[pair]bool{}) }

// same is compatible for types that are compared, but for those that are being compared already.
func same(a, b *ir.Type, open map[pair]bool) bool {
	switch {
	case a == b || open[pair{a, b}]:
		return true
	case a == nil || b == nil || a.Kind != b.Kind || a.Union != b.Union:
		return false
	}
	open[pair{a, b}] = true
	switch a.Kind {
	case ir.Pointer:
		return same(a.Elem, b.Elem, open)
	case ir.Array:
		return (a.Len == b.Len || a.Len < 0 || b.Len < 0) && same(a.Elem, b.Elem, open)
	case ir.Function:
		return sameFunctions(a, b, open)
	case ir.Struct:
		return a.Size < 0 || b.Size < 0 || a.Size == b.Size && sameFields(a, b, open)
	}
	return a.Size == b.Size && a.Signed == b.Signed && a.Bool == b.Bool
}

func sameFunctions(a, b *ir.Type, open map[pair]bool) bool {
	if !same(a.Result, b.Result, open) {
		return false
	}
	if a.Unproto || b.Unproto {
		return true
	}
	if a.Variadic != b.Variadic || len(a.Params) != len(b.Params) {
		return false
	}
	for i := range a.Params {
		if !same(a.Params[i], b.Params[i], open) {
			return false
		}
	}
	return true
}

func sameFields(a, b *ir.Type, open map[pair]bool) bool {
	if len(a.Fields) != len(b.Fields) {
		return false
	}
	for i, f := range a.Fields {
		g := b.Fields[i]
		if f.Name != g.Name || f.Off != g.Off || f.BitOff != g.BitOff || f.Bits != g.Bits || !same(f.Type, g.Type, open) {
			return false
		}
	}
	return true
}

// otherwise refuses a declaration that says something else than one in another file.
func otherwise(at ir.Span, name string, here, elsewhere *ir.Type) {
	if here.Name == elsewhere.Name {
		refuse(at, "c-link", "give it one type", "%s is declared otherwise elsewhere: the members of a struct in %s are not the same", name, here)
	}
	refuse(at, "c-link", "give it one type", "%s is %s here and %s elsewhere", name, here, elsewhere)
}
