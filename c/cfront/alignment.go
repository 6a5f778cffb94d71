package cfront

import (
	"modernc.org/cc/v4"

	"github.com/seltl/seltl/c/ir"
)

// aligning is the alignment of a type, in bits: as a variable, and whether an attribute says so.
type aligning struct {
	bits int64
	user bool
}

// alignOf is the alignment of a type; without is set where an attribute of it is that of a member.
func (t *types) alignOf(c cc.Type, without bool) (aligning, bool) {
	if a := c.Attributes(); a != nil && a.Aligned() > 0 && !without {
		return aligning{a.Aligned() * 8, true}, true
	}
	switch c.Kind() {
	case cc.Array:
		return t.alignOf(c.(*cc.ArrayType).Elem(), without)
	case cc.Struct, cc.Union:
		s, ok := c.(fielded)
		if !ok || s.IsIncomplete() {
			return aligning{}, false
		}
		l := t.layoutOf(s)
		if l == nil {
			return aligning{}, false
		}
		return aligning{l.align * 8, true}, true // more than 32 bits are asked for
	case cc.Function, cc.Void:
		return aligning{}, false
	case cc.LongDouble:
		if t.model == ir.ILP32 {
			return aligning{bits: 32}, true
		}
		return aligning{bits: 128}, true
	}
	size := c.Size()
	switch {
	case c.VectorSize() > 0:
		// As large as it is aligned, if the processor has such vectors.
		return aligning{bits: size * 8}, t.model == ir.LP64 && size <= 16 && size&(size-1) == 0
	case c.Kind() == cc.ComplexLongDouble && t.model == ir.ILP32:
		return aligning{bits: 32}, true
	case cc.IsComplexType(c):
		size /= 2 // that of its parts
	}
	if size == 1 || size == 2 || size == 4 || size == 8 || size == 16 {
		return aligning{bits: size * 8}, true
	}
	return aligning{}, false
}

// inStruct is the alignment of members of a type: for 32 bits, of integers and what is computed like double not more
// than 32.
func (t *types) inStruct(c cc.Type, align int64) int64 {
	for c.Kind() == cc.Array {
		c = c.(*cc.ArrayType).Elem()
	}
	if size := c.Size(); t.model == ir.ILP32 && c.Kind() != cc.Struct && c.Kind() != cc.Union && (size <= 8 || cc.IsComplexType(c)) {
		return min(align, 32)
	}
	return align
}

// aligned is what an operator says that gives an alignment; ok is false where it is not known. Of an expression,
// gcc means what is declared: of a variable and a member, with what attributes and packing ask for. Of what a
// pointer points to, casts count, too: that is known of a variable alone, and of elements.
func (t *types) aligned(n *cc.UnaryExpression) (bytes int64, ok bool) {
	if n.Case == cc.UnaryExpressionAlignofType {
		a, ok := t.alignOf(n.TypeName.Type(), false)
		return a.bits / 8, ok
	}
	operand := unwrapped(n.UnaryExpression)
	if misread(operand) {
		return 0, false
	}
	if e, is := operand.(*cc.PostfixExpression); is && (e.Case == cc.PostfixExpressionSelect || e.Case == cc.PostfixExpressionPSelect) {
		return t.alignedMember(e.Field())
	}
	if e, is := operand.(*cc.UnaryExpression); is && e.Case == cc.UnaryExpressionDeref {
		operand = unwrapped(e.CastExpression)
	}
	if e, is := operand.(*cc.PostfixExpression); is && e.Case == cc.PostfixExpressionIndex && e.PostfixExpression.Type().Undecay().Kind() == cc.Array {
		operand = unwrapped(e.PostfixExpression)
		if m, is := operand.(*cc.PostfixExpression); is && m.Case == cc.PostfixExpressionSelect {
			operand = unwrapped(m.PostfixExpression)
		}
	}
	p, is := operand.(*cc.PrimaryExpression)
	if !is || p.Case != cc.PrimaryExpressionIdent && p.Case != cc.PrimaryExpressionString || t.definitions.alignments {
		return 0, false
	}
	a, ok := t.alignOf(n.UnaryExpression.Type().Undecay(), false)
	return a.bits / 8, ok
}

// alignedMember is the alignment that a member was placed by.
func (t *types) alignedMember(f *cc.Field) (bytes int64, ok bool) {
	if f == nil || f.IsBitfield() {
		return 0, false
	}
	s, is := f.ParentType().(fielded)
	if !is || s.IsIncomplete() {
		return 0, false
	}
	l := t.layoutOf(s)
	if l == nil {
		return 0, false
	}
	for i, at := range l.fields {
		if g := s.FieldByIndex(i); g.Declarator() == f.Declarator() && g.Name() == f.Name() {
			return at.align, true
		}
	}
	return 0, false
}

// isAlignment reports an operator that gives an alignment.
func isAlignment(n *cc.UnaryExpression) bool {
	return n.Case == cc.UnaryExpressionAlignofExpr && n.UnaryExpression != nil || n.Case == cc.UnaryExpressionAlignofType && n.TypeName != nil
}

// alignmentKnown reports that the parser's number for such an operator is right.
func (t *types) alignmentKnown(n *cc.UnaryExpression) bool {
	bytes, ok := t.aligned(n)
	own, is := constant(n.Value())
	return ok && is && bytes == int64(own)
}
