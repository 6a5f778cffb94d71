package cfront

import (
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"

	"modernc.org/cc/v4"

	"github.com/seltl/seltl/c/ir"
	"github.com/seltl/seltl/internal/source"
)

// What is volatile, const or restrict is read from declarations as they are written: the parser's types lose the
// qualifiers of casts, literals, choices, bit-fields, and of what members and pointers to pointers point to, and give
// those of pointers to arrays and routines to something else.

// qualifiers are the specifiers of declarators, *cc.DeclarationSpecifiers or *cc.SpecifierQualifierList.
type qualifiers map[*cc.Declarator]cc.Node

type qualifier uint8

const (
	isVolatile qualifier = 1 << iota
	isConst
	isRestrict
)

// A level is what a type is: a pointer, an array ('[') or a routine ('(') of what the next level is, or something
// else (0), and how that is qualified.
type level struct {
	kind byte
	qualifier
}

// qualified reads the declarations of a source, and notes what is restrict, which means nothing here.
func (l *linker) qualified(u *unit) {
	if !slices.ContainsFunc(slices.Collect(maps.Values(u.files)), func(f *source.File) bool { return qualifiedWords().MatchString(f.Text()) }) {
		return
	}
	q := l.types.qualifiers
	keep := func(d *cc.Declarator, said cc.Node) {
		if q[d] = said; d != nil {
			l.restricted(d)
		}
	}
	walk(reflect.ValueOf(u.ast.TranslationUnit), map[any]bool{}, func(n cc.Node) {
		switch n := n.(type) {
		case *cc.Declaration:
			if n.Declarator != nil {
				keep(n.Declarator, n.DeclarationSpecifiers)
			}
			for list := n.InitDeclaratorList; list != nil; list = list.InitDeclaratorList {
				keep(list.InitDeclarator.Declarator, n.DeclarationSpecifiers)
			}
		case *cc.StructDeclaration:
			for list := n.StructDeclaratorList; list != nil; list = list.StructDeclaratorList {
				keep(list.StructDeclarator.Declarator, n.SpecifierQualifierList)
			}
		case *cc.ParameterDeclaration:
			q[n.Declarator] = n.DeclarationSpecifiers // those of definitions are noted there
		case *cc.FunctionDefinition:
			q[n.Declarator] = n.DeclarationSpecifiers
		}
	})
}

// restricted notes a declaration of what is restrict.
func (l *linker) restricted(d *cc.Declarator) {
	for _, level := range l.types.declared(d) {
		if level.kind == '(' {
			break // the parameters of a declaration do not matter
		}
		l.prog.Retyped = l.prog.Retyped || level.qualifier&isRestrict != 0
	}
}

// qualifiedWords tells the sources that have qualifiers.
var qualifiedWords = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`volatile|const|restrict`) })

// volatileObject reports an expression that names a volatile object, or a part of one.
func (q qualifiers) volatileObject(n cc.Node) bool {
	return atFirst(q.of(n), isVolatile)
}

// atFirst reports levels of a qualified object, or of an array of these.
func atFirst(levels []level, as qualifier) bool {
	for _, l := range levels {
		if l.qualifier&as != 0 || l.kind != '[' {
			return l.qualifier&as != 0
		}
	}
	return false
}

// of gives the levels of an expression; nil of what is no object and points to none.
func (q qualifiers) of(n cc.Node) []level {
	switch n := inside(n).(type) {
	case *cc.PrimaryExpression:
		return q.ofPrimary(n)
	case *cc.PostfixExpression:
		return q.ofPostfix(n)
	case *cc.UnaryExpression:
		switch n.Case {
		case cc.UnaryExpressionDeref:
			return to(q.of(n.CastExpression))
		case cc.UnaryExpressionAddrof:
			return append([]level{{kind: '*'}}, q.of(n.CastExpression)...)
		case cc.UnaryExpressionInc, cc.UnaryExpressionDec:
			return value(q.of(n.UnaryExpression))
		}
	case *cc.CastExpression:
		if n.Case == cc.CastExpressionCast {
			return value(q.named(n.TypeName))
		}
	case *cc.ConditionalExpression:
		if n.ExpressionList == nil { // a ?: b
			return value(either(q.of(n.LogicalOrExpression), q.of(n.ConditionalExpression)))
		}
		return value(either(q.of(n.ExpressionList), q.of(n.ConditionalExpression)))
	case *cc.ExpressionList:
		for n.ExpressionList != nil {
			n = n.ExpressionList
		}
		return value(q.of(n.AssignmentExpression))
	case *cc.AssignmentExpression:
		return value(q.of(n.UnaryExpression))
	case *cc.AdditiveExpression:
		return value(either(q.of(n.AdditiveExpression), q.of(n.MultiplicativeExpression)))
	}
	return nil
}

func (q qualifiers) ofPrimary(n *cc.PrimaryExpression) []level {
	switch n.Case {
	case cc.PrimaryExpressionIdent:
		switch d := n.ResolvedTo().(type) {
		case *cc.Declarator:
			return q.declared(d)
		case *cc.Parameter:
			return q.declared(d.Declarator)
		}
	case cc.PrimaryExpressionStmt:
		var last *cc.BlockItem
		for list := n.CompoundStatement.BlockItemList; list != nil; list = list.BlockItemList {
			last = list.BlockItem
		}
		if last != nil && last.Statement != nil && last.Statement.ExpressionStatement != nil {
			return value(q.of(last.Statement.ExpressionStatement.ExpressionList))
		}
	}
	return nil
}

func (q qualifiers) ofPostfix(n *cc.PostfixExpression) []level {
	switch n.Case {
	case cc.PostfixExpressionIndex:
		return to(either(q.of(n.PostfixExpression), q.of(n.ExpressionList)))
	case cc.PostfixExpressionSelect, cc.PostfixExpressionPSelect:
		of := q.of(n.PostfixExpression)
		if n.Case == cc.PostfixExpressionPSelect {
			of = to(of)
		}
		if f := n.Field(); f != nil && f.Declarator() != nil {
			if len(of) == 0 {
				return q.declared(f.Declarator())
			}
			return qualify(q.declared(f.Declarator()), of[0].qualifier)
		}
	case cc.PostfixExpressionCall:
		levels := q.of(n.PostfixExpression)
		for i, l := range levels {
			if l.kind == '(' {
				return value(levels[i+1:])
			}
		}
	case cc.PostfixExpressionInc, cc.PostfixExpressionDec:
		return value(q.of(n.PostfixExpression))
	case cc.PostfixExpressionComplit:
		return q.named(n.TypeName)
	}
	return nil
}

// value gives the levels of an object's value, which is not qualified itself.
func value(levels []level) []level {
	if len(levels) == 0 {
		return nil
	}
	levels = slices.Clone(levels)
	if levels[0].qualifier = 0; levels[0].kind == '[' {
		levels[0].kind = '*'
	}
	return levels
}

// to gives the levels of what a pointer points to, or an array has.
func to(levels []level) []level {
	if len(levels) == 0 || levels[0].kind == '(' { // *f is f
		return levels
	}
	return levels[1:]
}

// either joins the levels of two expressions of which a value may be.
func either(a, b []level) []level {
	if len(a) < len(b) {
		a, b = b, a
	}
	joined := slices.Clone(a)
	for i, l := range b {
		joined[i].qualifier |= l.qualifier
	}
	return joined
}

// qualify says of an object, or of the elements of an array, that they are qualified, too.
func qualify(levels []level, as qualifier) []level {
	levels = slices.Clone(levels)
	for i := range levels {
		if levels[i].qualifier |= as; levels[i].kind != '[' {
			break
		}
	}
	return levels
}

// declared gives the levels of what a declarator declares.
func (q qualifiers) declared(d *cc.Declarator) []level {
	said, known := q[d]
	if d == nil || !known {
		return nil
	}
	return append(declarator(d), q.specified(said)...)
}

func declarator(d *cc.Declarator) []level {
	return append(directly(d.DirectDeclarator), pointers(d.Pointer)...)
}

func directly(n *cc.DirectDeclarator) []level {
	switch {
	case n == nil || n.Case == cc.DirectDeclaratorIdent:
		return nil
	case n.Case == cc.DirectDeclaratorDecl:
		return declarator(n.Declarator)
	case n.Case == cc.DirectDeclaratorFuncParam || n.Case == cc.DirectDeclaratorFuncIdent:
		return append(directly(n.DirectDeclarator), level{kind: '('})
	}
	return append(directly(n.DirectDeclarator), level{kind: '['})
}

// pointers gives the levels of the stars of a declarator, the last one first.
func pointers(p *cc.Pointer) []level {
	if p == nil {
		return nil
	}
	own := level{kind: '*'}
	for list := p.TypeQualifiers; list != nil; list = list.TypeQualifiers {
		own.qualifier |= qualifierOf(list.TypeQualifier)
	}
	return append(pointers(p.Pointer), own)
}

// named gives the levels of a type's name.
func (q qualifiers) named(n *cc.TypeName) []level {
	var abstract func(a *cc.AbstractDeclarator) []level
	var direct func(d *cc.DirectAbstractDeclarator) []level
	abstract = func(a *cc.AbstractDeclarator) []level {
		if a == nil {
			return nil
		}
		return append(direct(a.DirectAbstractDeclarator), pointers(a.Pointer)...)
	}
	direct = func(d *cc.DirectAbstractDeclarator) []level {
		switch {
		case d == nil:
			return nil
		case d.Case == cc.DirectAbstractDeclaratorDecl:
			return abstract(d.AbstractDeclarator)
		case d.Case == cc.DirectAbstractDeclaratorFunc:
			return append(direct(d.DirectAbstractDeclarator), level{kind: '('})
		}
		return append(direct(d.DirectAbstractDeclarator), level{kind: '['})
	}
	return append(abstract(n.AbstractDeclarator), q.specified(n.SpecifierQualifierList)...)
}

// specified gives the levels of what specifiers say.
func (q qualifiers) specified(n cc.Node) []level {
	var as qualifier
	var levels []level
	add := func(t *cc.TypeSpecifier, of *cc.TypeQualifier) {
		as |= qualifierOf(of)
		switch {
		case t == nil:
		case t.Case == cc.TypeSpecifierTypeName:
			levels = q.declared(typedefOf(t))
		case t.Case == cc.TypeSpecifierTypeofExpr:
			levels = q.of(t.ExpressionList)
		case t.Case == cc.TypeSpecifierTypeofType:
			levels = q.named(t.TypeName)
		}
	}
	switch n := n.(type) {
	case *cc.DeclarationSpecifiers:
		for ; n != nil; n = n.DeclarationSpecifiers {
			as |= attributed(n.AttributeSpecifierList)
			add(n.TypeSpecifier, n.TypeQualifier)
		}
	case *cc.SpecifierQualifierList:
		for ; n != nil; n = n.SpecifierQualifierList {
			as |= attributed(n.AttributeSpecifierList)
			add(n.TypeSpecifier, n.TypeQualifier)
		}
	}
	if len(levels) == 0 {
		levels = []level{{}}
	}
	return qualify(levels, as)
}

func qualifierOf(n *cc.TypeQualifier) qualifier {
	if n == nil {
		return 0
	}
	if n.Case == cc.TypeQualifierAttr {
		return attributed(n.AttributeSpecifierList)
	}
	switch strings.Trim(n.Token.SrcStr(), "_") {
	case "volatile":
		return isVolatile
	case "const":
		return isConst
	case "restrict":
		return isRestrict
	}
	return 0
}

// attributed is what the attributes stand for that relabelled writes.
func attributed(list *cc.AttributeSpecifierList) qualifier {
	for ; list != nil; list = list.AttributeSpecifierList {
		for v := list.AttributeSpecifier.AttributeValueList; v != nil; v = v.AttributeValueList {
			if v.AttributeValue != nil && v.AttributeValue.Token.SrcStr() == volatileAttribute {
				return isVolatile
			}
		}
	}
	return 0
}

// typedefOf is the declarator of a type's name.
func typedefOf(n *cc.TypeSpecifier) *cc.Declarator {
	for s := n.LexicalScope(); s != nil; s = s.Parent {
		for _, of := range slices.Backward(s.Nodes[n.Token.SrcStr()]) {
			if d, ok := of.(*cc.Declarator); ok && d.IsTypename() && d.Visible() <= n.Token.Seq() {
				return d
			}
		}
	}
	return nil
}

// qualifiedLength refuses `int a[volatile 2]`, a parameter that is volatile.
func (l *linker) qualifiedLength(m *module, n *cc.DirectDeclarator) {
	volatile := false
	for list := n.TypeQualifiers; list != nil; list = list.TypeQualifiers {
		volatile = volatile || qualifierOf(list.TypeQualifier) == isVolatile
	}
	if volatile && m.span(n) != (ir.Span{}) {
		l.guarded(func() { refuse(m.span(n), "c-type", "write a pointer", "volatile between brackets is not supported") })
	}
}

// declaredVolatile reports a declaration of a volatile scalar.
func (q qualifiers) declaredVolatile(d *cc.Declarator) bool {
	return d != nil && cc.IsScalarType(d.Type()) && atFirst(q.declared(d), isVolatile)
}

// declaredConst reports a variable that is declared const, or whose elements are.
func (q qualifiers) declaredConst(d *cc.Declarator) bool { return atFirst(q.declared(d), isConst) }
