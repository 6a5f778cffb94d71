package cfront

import (
	"fmt"
	"slices"

	"modernc.org/cc/v4"

	"github.com/seltl/seltl/c/ir"
)

// writtenOut is the declaration of a name with a type of a routine, of which the tags of structs may
// mean something else outside: these are written out. False: it is within one of within.
func writtenOut(name string, t *ir.Type, within []*ir.Type) (text string, ok bool) {
	switch {
	case !inner(t):
		return ir.Declaration(name, t), true
	case t.Kind == ir.Array:
		return writtenOut(fmt.Sprintf("%s[%d]", name, t.Len), t.Elem, within)
	case t.Kind == ir.Pointer && t.Elem.Kind == ir.Array:
		return writtenOut("(*"+name+")", t.Elem, within)
	case t.Kind == ir.Pointer:
		return writtenOut("*"+name, t.Elem, within)
	case t.Kind != ir.Struct || !t.Inner || slices.Contains(within, t):
		return "", false
	}
	text = map[bool]string{false: "struct { ", true: "union { "}[t.Union]
	for _, f := range t.Fields {
		part, ok := writtenOut(f.Name, f.Type, append(within, t))
		if !ok {
			return "", false
		}
		if f.Bits > 0 {
			part += fmt.Sprintf(" : %d", f.Bits)
		}
		text += part + "; "
	}
	return text + "} " + name, true
}

// inner reports whether a type is an inner struct, or made of one.
func inner(t *ir.Type) bool { return t != nil && (t.Inner || inner(t.Elem)) }

// sameLayout reports whether two types are laid out alike, with members of the same names.
func sameLayout(a, b *ir.Type, seen map[[2]*ir.Type]bool) bool {
	if a == b || seen[[2]*ir.Type{a, b}] {
		return true
	}
	if a == nil || b == nil || a.Kind != b.Kind || a.Size != b.Size || a.Signed != b.Signed || a.Bool != b.Bool || a.Len != b.Len || a.Union != b.Union || len(a.Fields) != len(b.Fields) {
		return false
	}
	seen[[2]*ir.Type{a, b}] = true
	for i, f := range a.Fields {
		if g := b.Fields[i]; f.Name != g.Name || f.Off != g.Off || f.BitOff != g.BitOff || f.Bits != g.Bits || !sameLayout(f.Type, g.Type, seen) {
			return false
		}
	}
	return a.Kind != ir.Pointer && a.Kind != ir.Array || sameLayout(a.Elem, b.Elem, seen)
}

// checkNamed refuses variables of a routine whose type is another one in the routine of a condition:
// what their type is called means something else at the end of the source.
func (l *linker) checkNamed(n *cc.FunctionDefinition, f *ir.Func, c Condition) {
	types := map[string]*ir.Type{}
	for _, v := range f.Params {
		types[v.Name] = v.Type
	}
	for list := n.CompoundStatement.BlockItemList; list != nil; list = list.BlockItemList {
		if list.BlockItem.Declaration != nil {
			for _, i := range initDeclarators(list.BlockItem.Declaration) {
				types[i.Declarator.Name()] = l.types.of(i.Declarator.Type())
			}
		}
	}
	for _, v := range c.Locals {
		if !sameLayout(types[v.Name], v.Type, map[[2]*ir.Type]bool{}) {
			refuse(c.Expr, "c-condition", "declare its type outside of the routine, under a name of its own", "the type of %s of %s is not known at the end of the source", v.Name, c.Routine)
		}
	}
}
