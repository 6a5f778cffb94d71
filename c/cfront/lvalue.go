package cfront

import (
	"reflect"

	"modernc.org/cc/v4"

	"github.com/seltl/seltl/internal/source"
)

// withoutPlace finds operands that have no place in memory though they are assigned to, stepped
// by ++ or --, or have their address taken: the parser's own messages of these do not say where
// they stand. It is empty if there are none. Linear in the text.
func (u *unit) withoutPlace(cfg *cc.Config, sources []cc.Source) (list source.List) {
	ast, err := cc.Parse(cfg, sources)
	if err != nil {
		return nil
	}
	need := func(operand cc.Node, what string) {
		if operand == nil || hasPlace(operand) || len(list) >= maxMessages {
			return
		}
		switch at := u.span(operand); {
		case !at.Valid():
		case isSelection(operand):
			list.Errorf(at, "c-lvalue", "this _Generic %s, which is not supported", what).Help = "write what it chooses"
		default:
			list.Errorf(at, "c-lvalue", "%s %s, which has no place in memory", cc.NodeSource(operand), what).Help = "name a variable, a member, an element, or what a pointer points to"
		}
	}
	nodes(reflect.ValueOf(ast.TranslationUnit), func(n cc.Node) {
		switch n := n.(type) {
		case *cc.UnaryExpression:
			switch n.Case {
			case cc.UnaryExpressionInc, cc.UnaryExpressionDec:
				need(n.UnaryExpression, "is stepped")
			case cc.UnaryExpressionAddrof:
				need(n.CastExpression, "has its address taken")
			}
		case *cc.PostfixExpression:
			if n.Case == cc.PostfixExpressionInc || n.Case == cc.PostfixExpressionDec {
				need(n.PostfixExpression, "is stepped")
			}
		case *cc.AssignmentExpression:
			if n.Case != cc.AssignmentExpressionCond {
				need(n.UnaryExpression, "is assigned to")
			}
		}
	})
	return list
}

// inside is an expression without the parentheses around it.
func inside(n cc.Node) cc.Node {
	for {
		p, ok := n.(*cc.PrimaryExpression)
		if !ok || p.Case != cc.PrimaryExpressionExpr {
			return n
		}
		list, ok := p.ExpressionList.(*cc.ExpressionList)
		if !ok {
			n = p.ExpressionList
			continue
		}
		if list.ExpressionList != nil {
			return list
		}
		n = list.AssignmentExpression
	}
}

// hasPlace reports an expression of one of the forms that name an object (C11 6.5).
func hasPlace(n cc.Node) bool {
	switch n := inside(n).(type) {
	case *cc.PrimaryExpression:
		return n.Case == cc.PrimaryExpressionIdent || n.Case == cc.PrimaryExpressionString || n.Case == cc.PrimaryExpressionStmt
	case *cc.PostfixExpression:
		return n.Case == cc.PostfixExpressionIndex || n.Case == cc.PostfixExpressionSelect || n.Case == cc.PostfixExpressionPSelect || n.Case == cc.PostfixExpressionComplit
	case *cc.UnaryExpression:
		return n.Case == cc.UnaryExpressionDeref || n.Case == cc.UnaryExpressionReal || n.Case == cc.UnaryExpressionImag
	}
	return false
}

// isSelection reports a generic selection, which may name an object, but not to the parser.
func isSelection(n cc.Node) bool {
	p, is := inside(n).(*cc.PrimaryExpression)
	return is && p.Case == cc.PrimaryExpressionGeneric
}

// nodes visits the nodes of a syntax tree: a list without recursion along it, for it is as long
// as the text.
func nodes(v reflect.Value, visit func(cc.Node)) {
	for v.IsValid() && !((v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface) && v.IsNil()) {
		if v.Kind() == reflect.Interface {
			v = v.Elem()
			continue
		}
		n, ok := v.Interface().(cc.Node)
		if !ok || v.Kind() != reflect.Pointer || v.Elem().Kind() != reflect.Struct {
			return
		}
		visit(n)
		node, next := v.Elem(), reflect.Value{}
		for i := range node.NumField() {
			f := node.Type().Field(i)
			switch k := f.Type.Kind(); {
			case !f.IsExported() || f.Anonymous || k != reflect.Pointer && k != reflect.Interface:
			case f.Type == v.Type():
				next = node.Field(i)
			default:
				nodes(node.Field(i), visit)
			}
		}
		v = next
	}
}
