package cfront

import (
	"reflect"
	"regexp"
	"sync"

	"modernc.org/cc/v4"

	"github.com/seltl/seltl/c/ir"
)

// compound1 is (type){...}: a variable of its own.
func (r *routine) compound1(n *cc.PostfixExpression) ir.Place {
	t := r.typeOf(r.module, n, n.TypeName.Type())
	text := bracedString(n)
	if t.Kind != ir.Array || !t.Elem.Scalar() || t.Elem.Kind != ir.Integer {
		text = nil
	}
	switch {
	case text != nil && t.Elem.Size != 1:
		refuse(r.span(n), "c-literal", "write its characters", "wide strings in braces are not supported here")
	case text != nil && text != n.InitializerList.Initializer:
		refuse(r.span(n), "c-literal", "remove a pair of braces", "strings in more than one pair of braces are not supported here")
	case text != nil && n.TypeName.AbstractDeclarator != nil && ownLength(n) == nil:
		size := int64(len(text.AssignmentExpression.Value().(cc.StringValue)))
		t = &ir.Type{Kind: ir.Array, Size: size, Elem: t.Elem, Len: size, Name: t.Elem.Name + "[]"}
	}
	if t.Size < 0 {
		refuse(r.span(n), "c-literal", "give the array a size", "the size of this literal is not known")
	}
	v := r.temp(t)
	v.Kind, v.Unnamed, v.Const = ir.Local, true, atFirst(r.types.named(n.TypeName), isConst)
	r.belongs(v)
	r.emit(&ir.Clear{To: ir.Whole(v), Span: r.span(n)})
	if text != nil {
		r.initialString(ir.Whole(v), text)
		return ir.Whole(v)
	}
	before := &named{r: r, of: n.TypeName.Type()}
	r.initialList(v, n.InitializerList, before)
	r.padUnions(v, before, r.span(n))
	r.pad(ir.Whole(v), r.span(n))
	return ir.Whole(v)
}

// bracedString is the string of a literal {"..."}, in whatever brackets; nil for others.
func bracedString(n *cc.PostfixExpression) *cc.Initializer {
	for list := n.InitializerList; list != nil && list.InitializerList == nil && list.Designation == nil; list = list.Initializer.InitializerList {
		if list.Initializer.Case != cc.InitializerExpr {
			continue
		}
		switch list.Initializer.AssignmentExpression.Value().(type) {
		case cc.StringValue, cc.UTF16StringValue, cc.UTF32StringValue:
			return list.Initializer
		}
		return nil
	}
	return nil
}

// openArrays are brackets without a length.
var openArrays = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\[\s*\]`) })

// ownLength is the length that the type of a literal says in its own brackets; nil where it says none.
func ownLength(n *cc.PostfixExpression) (length cc.ExpressionNode) {
	if a := n.TypeName.AbstractDeclarator; a != nil {
		for d := a.DirectAbstractDeclarator; d != nil; d = d.DirectAbstractDeclarator {
			length = d.AssignmentExpression
		}
	}
	return length
}

// literals refuses compound literals whose length the parser gets wrong: of arrays whose length a
// typedef leaves open, of which it has one type for all, and strings in braces where their own size matters.
func (l *linker) literals(m *module) {
	known := map[string]bool{} // typedefs with a length of their own
	l.walkPath(reflect.ValueOf(m.ast.TranslationUnit), map[any]bool{}, func(n cc.Node) {
		var of cc.ExpressionNode
		switch n := n.(type) {
		case *cc.Declarator:
			if n.IsTypename() {
				known[n.Name()] = hasLength(n.DirectDeclarator)
			}
		case *cc.PostfixExpression:
			if n.Case == cc.PostfixExpressionComplit && n.TypeName.AbstractDeclarator == nil && n.TypeName.Type().Kind() == cc.Array && !known[typedefName(n.TypeName)] && m.span(n) != (ir.Span{}) {
				l.judged(m, func() {
					refuse(m.span(n), "c-literal", "write the type, as in (char[4]){...}", "the length of this literal, which its type leaves open, is not known")
				})
			}
		case *cc.UnaryExpression:
			if of = measured(n); n.Case == cc.UnaryExpressionAddrof {
				of = n.CastExpression
			}
		case *cc.TypeSpecifier:
			if n.Case == cc.TypeSpecifierTypeofExpr {
				of = n.ExpressionList
			}
		}
		if literal, is := unwrapped(of).(*cc.PostfixExpression); is && literal.Case == cc.PostfixExpressionComplit && bracedString(literal) != nil && ownLength(literal) == nil && m.span(literal) != (ir.Span{}) {
			l.judged(m, func() {
				refuse(m.span(literal), "c-literal", "write the length, as in (char[4]){...}", "the size of a literal that is a string in braces is not known")
			})
		}
	})
}

// unwrapped is an expression without the brackets around it.
func unwrapped(n cc.ExpressionNode) cc.ExpressionNode {
	for {
		switch e := n.(type) {
		case *cc.PrimaryExpression:
			if e.Case == cc.PrimaryExpressionExpr {
				n = e.ExpressionList
				continue
			}
		case *cc.ExpressionList:
			if e.ExpressionList == nil {
				n = e.AssignmentExpression
				continue
			}
		}
		return n
	}
}

// hasLength reports that a declarator is of an array with a length.
func hasLength(d *cc.DirectDeclarator) bool {
	for ; d != nil && d.DirectDeclarator != nil; d = d.DirectDeclarator {
		if d.DirectDeclarator.Case == cc.DirectDeclaratorIdent {
			return d.AssignmentExpression != nil
		}
	}
	return false
}

// typedefName is the name of a type that is no more; "" for others.
func typedefName(n *cc.TypeName) string {
	for list := n.SpecifierQualifierList; list != nil; list = list.SpecifierQualifierList {
		if t := list.TypeSpecifier; t != nil && t.Case == cc.TypeSpecifierTypeName {
			return t.Token.SrcStr()
		}
	}
	return ""
}
