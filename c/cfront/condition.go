package cfront

import (
	"modernc.org/cc/v4"

	"github.com/seltl/seltl/c/ir"
)

// condition branches on an expression; short circuits become branches.
func (r *routine) condition(n cc.ExpressionNode, yes, no *ir.Block) {
	switch e := n.(type) {
	case *cc.PrimaryExpression:
		if e.Case == cc.PrimaryExpressionExpr {
			r.condition(e.ExpressionList, yes, no)
			return
		}
	case *cc.UnaryExpression:
		if e.Case == cc.UnaryExpressionNot {
			r.condition(e.CastExpression, no, yes)
			return
		}
	case *cc.LogicalAndExpression:
		rest := r.block("")
		r.condition(e.LogicalAndExpression, rest, no)
		r.begin(rest)
		r.condition(e.InclusiveOrExpression, yes, no)
		return
	case *cc.LogicalOrExpression:
		rest := r.block("")
		r.condition(e.LogicalOrExpression, yes, rest)
		r.begin(rest)
		r.condition(e.LogicalAndExpression, yes, no)
		return
	}
	r.branch(n, r.need(n), yes, no)
}

// branch branches on a value.
func (r *routine) branch(n cc.Node, v ir.Expr, yes, no *ir.Block) {
	if v.Type().Kind == ir.Float {
		v = r.operate(n, ir.Ne, v, v)
	}
	v = truthOf(v)
	if !v.Type().Scalar() {
		refuse(r.span(n), "c-type", "", "%s is neither true nor false", v.Type())
	}
	e, is := n.(cc.ExpressionNode)
	if c, ok := v.(*ir.Const); ok && !(is && hasEffects(e)) { // the value of an assignment makes no condition of constants
		to := no
		if c.Bits != 0 {
			to = yes
		}
		r.end(&ir.Jump{To: to})
		return
	}
	r.finishWith(&ir.Branch{Cond: v, Then: yes, Else: no, Span: r.span(n)})
}

// finishWith ends the block, or one of its own where nothing gets.
func (r *routine) finishWith(t ir.Terminator) {
	if r.now.End != nil {
		r.begin(r.block(""))
	}
	r.now.End = t
	r.orders.emits(t)
}

// hasEffects reports whether lowering an expression makes instructions that can change
// what another expression reads.
func hasEffects(n cc.ExpressionNode) bool {
	switch n := n.(type) {
	case nil:
		return false
	case *cc.ConstantExpression:
		return hasEffects(n.ConditionalExpression)
	case *cc.ExpressionList:
		for ; n != nil; n = n.ExpressionList {
			if hasEffects(n.AssignmentExpression) {
				return true
			}
		}
		return false
	case *cc.PrimaryExpression:
		return n.Case == cc.PrimaryExpressionStmt || n.Case == cc.PrimaryExpressionGeneric || n.Case == cc.PrimaryExpressionExpr && hasEffects(n.ExpressionList)
	case *cc.PostfixExpression:
		switch n.Case {
		case cc.PostfixExpressionIndex:
			return hasEffects(n.PostfixExpression) || hasEffects(n.ExpressionList)
		case cc.PostfixExpressionSelect, cc.PostfixExpressionPSelect:
			return hasEffects(n.PostfixExpression)
		}
		return true
	case *cc.UnaryExpression:
		switch n.Case {
		case cc.UnaryExpressionInc, cc.UnaryExpressionDec:
			return true
		case cc.UnaryExpressionSizeofExpr, cc.UnaryExpressionSizeofType, cc.UnaryExpressionAlignofExpr, cc.UnaryExpressionAlignofType:
			return false
		}
		return hasEffects(n.CastExpression)
	case *cc.CastExpression:
		return hasEffects(n.CastExpression)
	case *cc.MultiplicativeExpression:
		return hasEffects(n.MultiplicativeExpression) || hasEffects(n.CastExpression)
	case *cc.AdditiveExpression:
		return hasEffects(n.AdditiveExpression) || hasEffects(n.MultiplicativeExpression)
	case *cc.ShiftExpression:
		return hasEffects(n.ShiftExpression) || hasEffects(n.AdditiveExpression)
	case *cc.RelationalExpression:
		return hasEffects(n.RelationalExpression) || hasEffects(n.ShiftExpression)
	case *cc.EqualityExpression:
		return hasEffects(n.EqualityExpression) || hasEffects(n.RelationalExpression)
	case *cc.AndExpression:
		return hasEffects(n.AndExpression) || hasEffects(n.EqualityExpression)
	case *cc.ExclusiveOrExpression:
		return hasEffects(n.ExclusiveOrExpression) || hasEffects(n.AndExpression)
	case *cc.InclusiveOrExpression:
		return hasEffects(n.InclusiveOrExpression) || hasEffects(n.ExclusiveOrExpression)
	case *cc.LogicalAndExpression:
		return hasEffects(n.LogicalAndExpression) || hasEffects(n.InclusiveOrExpression)
	case *cc.LogicalOrExpression:
		return hasEffects(n.LogicalOrExpression) || hasEffects(n.LogicalAndExpression)
	case *cc.ConditionalExpression:
		return hasEffects(n.LogicalOrExpression) || hasEffects(n.ExpressionList) || hasEffects(n.ConditionalExpression)
	}
	return true // assignments, and what is not known
}

// ofConstants reports an expression that is made of constants alone: it has no effects and names nothing
// but constants of enumerations, and types.
func (r *routine) ofConstants(n cc.ExpressionNode) bool {
	if n == nil || hasEffects(n) {
		return false
	}
	for _, t := range cc.NodeTokens(n) {
		if t.Ch == rune(cc.STRINGLITERAL) || t.Ch == rune(cc.IDENTIFIER) && (r.lookup(t.SrcStr()) != nil || r.prog.Func(t.SrcStr()) != nil) {
			return false
		}
	}
	return true
}

// truth is that of an expression of constants, if it can be told.
func (r *routine) truth(n cc.ExpressionNode) (yes, known bool) {
	switch e := n.(type) {
	case *cc.PrimaryExpression:
		if e.Case == cc.PrimaryExpressionExpr {
			return r.truth(e.ExpressionList)
		}
	case *cc.UnaryExpression:
		if e.Case == cc.UnaryExpressionNot {
			yes, known = r.truth(e.CastExpression)
			return !yes, known
		}
	case *cc.LogicalAndExpression:
		x, first := r.truth(e.LogicalAndExpression)
		y, second := r.truth(e.InclusiveOrExpression)
		return x && y, first && second || first && !x || second && !y
	case *cc.LogicalOrExpression:
		x, first := r.truth(e.LogicalOrExpression)
		y, second := r.truth(e.LogicalAndExpression)
		return x || y, first && second || first && x || second && y
	}
	c, ok := truthOf(r.need(n)).(*ir.Const)
	return ok && c.Bits != 0, ok
}
