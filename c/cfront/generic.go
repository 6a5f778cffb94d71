package cfront

import (
	"reflect"
	"slices"

	"modernc.org/cc/v4"

	"github.com/seltl/seltl/c/ir"
)

// chosenBy replaces a generic selection by the expression that it chooses. The parser's types of operands are not always C's:
// the controlling expression, which is not evaluated, has to be of the same one here. It is one without effects, and of
// arithmetic; or a pointer, if no association is one.
func (r *routine) chosenBy(n *cc.PrimaryExpression) {
	g := n.GenericSelection
	a, control := selected(g), g.AssignmentExpression
	if a == nil || a != g.Associated() || hasEffects(control) || !r.typedAlike(control) {
		refuse(r.span(n), "c-expression", "write what it chooses", "what this _Generic chooses is not known here")
	}
	n.Case, n.ExpressionList, n.GenericSelection = cc.PrimaryExpressionExpr, a.AssignmentExpression, nil
	n.Token, n.Token2 = g.Token, g.Token4
}

// typedAlike reports that the value of an expression, which is not evaluated, is of the type that the parser gives it.
func (r *routine) typedAlike(n cc.ExpressionNode) bool {
	block, instructions, reads := r.now, 0, len(r.orders.log)
	if block != nil {
		instructions = len(block.Instrs)
	}
	v := r.value(n)
	r.orders.log = r.orders.log[:reads]
	emitted := r.now != block || block != nil && len(block.Instrs) > instructions
	if v == nil || emitted {
		return false
	}
	t, u := v.Type(), r.types.of(n.Type())
	return t == u || t != nil && u != nil && t.Kind == ir.Pointer && u.Kind == ir.Pointer
}

// primary refuses what a primary expression may not be: a name that nobody declares, or a generic selection.
func (l *linker) primary(m *module, n *cc.PrimaryExpression) {
	switch {
	case l.passedOver():
	case n.Case == cc.PrimaryExpressionGeneric:
		l.generic(m, n)
	default:
		l.judged(m, func() { l.declared(m, n) })
	}
}

// generic refuses a selection of which it is known that the parser chooses another expression than C does, and one in what
// the parser computes itself, or measures, where the type of the controlling expression is not plain.
func (l *linker) generic(m *module, n *cc.PrimaryExpression) {
	g := n.GenericSelection
	a := selected(g)
	if a == g.Associated() && a != nil && (!l.computed() || plain(g.AssignmentExpression)) {
		return
	}
	if m.span(n) != (ir.Span{}) {
		l.judged(m, func() {
			refuse(m.span(n), "c-expression", "write what it chooses", "what this _Generic chooses is not known here")
		})
	}
}

// computed reports that l.path leads to what the parser computes or measures.
func (l *linker) computed() bool {
	return l.ofParser() || slices.ContainsFunc(l.path, func(n cc.Node) bool {
		switch n := n.(type) {
		case *cc.DirectDeclarator, *cc.LabeledStatement, *cc.TypeSpecifier:
			return true
		case *cc.UnaryExpression:
			return n.Case == cc.UnaryExpressionSizeofExpr || n.Case == cc.UnaryExpressionAlignofExpr
		}
		return false
	})
}

// plain reports a name, a constant, or one of these after a cast.
func plain(n cc.ExpressionNode) bool {
	switch e := inside(n).(type) {
	case *cc.PrimaryExpression:
		return e.Case != cc.PrimaryExpressionExpr && e.Case != cc.PrimaryExpressionStmt && e.Case != cc.PrimaryExpressionGeneric
	case *cc.CastExpression:
		return e.Case == cc.CastExpressionCast && e.TypeName != nil
	}
	return false
}

// passedOver reports that l.path leads into what a generic selection does not choose, which the parser does not look at.
func (l *linker) passedOver() bool {
	var g *cc.GenericSelection
	for _, n := range l.path {
		switch n := n.(type) {
		case *cc.GenericSelection:
			g = n
		case *cc.GenericAssociation:
			if g != nil && g.Associated() != n {
				return true
			}
		}
	}
	return false
}

// selected is what a generic selection chooses (C11 6.5.1.1), nil if that is not known.
func selected(g *cc.GenericSelection) *cc.GenericAssociation {
	control := g.AssignmentExpression
	if !typed(control) {
		return nil
	}
	var chosen, otherwise *cc.GenericAssociation
	for l := g.GenericAssociationList; l != nil; l = l.GenericAssociationList {
		a := l.GenericAssociation
		if a.Case == cc.GenericAssociationDefault {
			otherwise = a
			continue
		}
		t := a.TypeName.Type()
		same, known := false, false
		if t != nil {
			same, known = sameType(control.Type(), t)
		}
		switch {
		case !known || same && chosen != nil:
			return nil
		case same:
			chosen = a
		}
	}
	if chosen == nil {
		return otherwise
	}
	return chosen
}

// typed reports an expression of arithmetic type, or a pointer, whose type the parser knows as C has it; what pointers point
// to it does not always know.
func typed(n cc.ExpressionNode) bool {
	t := n.Type()
	return t != nil && (cc.IsArithmeticType(t) && t.Kind() != cc.Enum || t.Kind() == cc.Ptr) && !misread(n) && !longConstants(n) && !ofBits(n)
}

// ofBits reports that an expression has bit-fields in it, of which gcc and clang say that they are of other types.
func ofBits(n cc.ExpressionNode) (found bool) {
	walk(reflect.ValueOf(n), map[any]bool{}, func(n cc.Node) {
		if e, is := n.(*cc.PostfixExpression); is && (e.Case == cc.PostfixExpressionSelect || e.Case == cc.PostfixExpressionPSelect) {
			f := e.Field()
			found = found || f == nil || f.IsBitfield()
		}
	})
	return found
}

// sameType reports that a value of a type is of the type of an association, which is not known of pointers and enumerations.
func sameType(t, u cc.Type) (same, known bool) {
	a := u.Attributes()
	switch {
	case u.Kind() == cc.Enum, t.Kind() == cc.Ptr && u.Kind() == cc.Ptr:
		return false, false
	case a.IsConst() || a.IsVolatile(): // no value is
		return false, true
	}
	return t.Kind() == u.Kind(), true
}
