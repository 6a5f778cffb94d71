package cfront

import (
	"reflect"

	"modernc.org/cc/v4"
)

// tagged is where a tag of a struct, a union or an enumeration stands.
type tagged struct {
	node  cc.Node
	name  cc.Token
	scope *cc.Scope
	def   bool
}

// tags refuses a tag that is defined in a block in which it has meant one from outside before: the parser takes
// it for the inner one from the beginning (C11 6.2.1, 7).
func (l *linker) tags(m *module) {
	if !innerTags(m.ast.Scope, false) {
		return
	}
	var all []tagged
	eachTag(reflect.ValueOf(m.ast.TranslationUnit), map[uintptr]bool{}, func(t tagged) { all = append(all, t) })
	for _, d := range all {
		if !d.def || d.scope == nil || d.scope.Parent == nil {
			continue
		}
		before, outside := false, false
		for _, t := range all {
			if t.name.SrcStr() != d.name.SrcStr() || t.name.Seq() >= d.name.Seq() {
				continue
			}
			before = before || within(t.scope, d.scope)
			outside = outside || t.scope != d.scope && within(d.scope, t.scope)
		}
		if before && outside {
			l.guarded(func() {
				refuse(m.span(d.node), "c-scope", "give the inner one another name", "%s means two things in this block, which is not supported", d.name.SrcStr())
			})
		}
	}
}

// innerTags reports that a scope below that of the file defines a tag.
func innerTags(s *cc.Scope, inner bool) bool {
	if inner {
		for _, nodes := range s.Nodes {
			for _, n := range nodes {
				switch n.(type) {
				case *cc.StructOrUnionSpecifier, *cc.EnumSpecifier:
					return true
				}
			}
		}
	}
	for _, child := range s.Children {
		if innerTags(child, true) {
			return true
		}
	}
	return false
}

// within reports that a scope is another one, or one in it.
func within(s, outer *cc.Scope) bool {
	for ; s != nil; s = s.Parent {
		if s == outer {
			return true
		}
	}
	return false
}

// eachTag visits the tags of a part of the parser's tree.
func eachTag(n reflect.Value, seen map[uintptr]bool, visit func(tagged)) {
	for n.Kind() == reflect.Interface || n.Kind() == reflect.Pointer {
		if n.IsNil() || n.Kind() == reflect.Pointer && seen[n.Pointer()] {
			return
		}
		if n.Kind() == reflect.Pointer {
			seen[n.Pointer()] = true
		}
		switch s := n.Interface().(type) {
		case *cc.StructOrUnionSpecifier:
			if s.Token.SrcStr() != "" {
				visit(tagged{s, s.Token, s.LexicalScope(), s.Case == cc.StructOrUnionSpecifierDef})
			}
		case *cc.EnumSpecifier:
			if s.Token2.SrcStr() != "" {
				visit(tagged{s, s.Token2, s.LexicalScope(), s.Case == cc.EnumSpecifierDef})
			}
		}
		n = n.Elem()
	}
	if n.Kind() != reflect.Struct {
		return
	}
	for i := range n.NumField() {
		field := n.Field(i)
		if !n.Type().Field(i).IsExported() || field.IsZero() {
			continue
		}
		if _, node := field.Interface().(cc.Node); node {
			eachTag(field, seen, visit)
		}
	}
}
