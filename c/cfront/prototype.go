package cfront

import (
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"github.com/seltl/seltl/c/ir"
)

// A call of a routine that is declared without the types of its parameters passes what its arguments are promoted to. If the
// definition has others, C leaves undefined what it gets (C11 6.5.2.2, 6), and compilers let it get something else.

// prototyped reports a routine that is declared with the types of its parameters before it is called; one that is not
// declared is so if compilers know it.
func (m *module) prototyped(call *cc.PostfixExpression) bool {
	named, ok := unwrapped(call.PostfixExpression).(*cc.PrimaryExpression)
	if !ok {
		return true
	}
	builtin, declared := false, false
	declares := func(n cc.Node) bool {
		d, ok := n.(*cc.Declarator)
		if !ok {
			return false
		}
		if name := nameToken(d); name.Seq() > call.Token.Seq() {
			return false
		}
		f, ok := d.Type().(*cc.FunctionType)
		typed := !ok || !oldStyle(d) && (len(f.Parameters()) > 0 || f.MaxArgs() == 0)
		if m.span(d) == (ir.Span{}) && !strings.HasPrefix(d.Position().Filename, standardFolder) {
			builtin = builtin || typed
			return false
		}
		declared = true
		return typed
	}
	d, ok := named.ResolvedTo().(*cc.Declarator)
	return ok && declares(d) || slices.ContainsFunc(m.ast.Scope.Nodes[named.Token.SrcStr()], declares) || builtin && !declared
}

// oldStyle reports a declarator of a routine that tells no types of parameters, at most their names.
func oldStyle(d *cc.Declarator) bool {
	n := d.DirectDeclarator
	for n != nil && n.Case == cc.DirectDeclaratorDecl {
		n = n.Declarator.DirectDeclarator
	}
	return n != nil && (n.Case == cc.DirectDeclaratorFuncIdent || n.Case == cc.DirectDeclaratorFuncParam && n.ParameterTypeList == nil)
}

// nameToken is the name that a declarator declares.
func nameToken(d *cc.Declarator) cc.Token {
	for n := d.DirectDeclarator; n != nil; n = n.DirectDeclarator {
		switch n.Case {
		case cc.DirectDeclaratorIdent:
			return n.Token
		case cc.DirectDeclaratorDecl:
			return nameToken(n.Declarator)
		}
	}
	return cc.Token{}
}

// promoted refuses a call of a routine that is not declared with the types of its parameters there, and gets numbers of other
// types (C11 6.5.2.2, 6).
func (l *linker) promoted(c *ir.Call) {
	for i, p := range c.Callee.Params {
		if i >= len(c.Args) {
			return
		}
		from, to := c.Args[i].Type(), p.Type
		if c.Callee.OldStyle {
			if promoted := to.PromotedSize(); promoted != to.Size && !to.Bool && from.Kind == to.Kind && from.Size == promoted {
				continue
			}
		}
		if from.Scalar() && to.Scalar() && (from.Kind != to.Kind || from.Size != to.Size || from.Bool != to.Bool) {
			refuse(c.Span, "c-prototype", "declare the routine before it is called, with the types of its parameters", "%s() is called with %s for %s, by a declaration without parameters", c.Callee.Name, from, to)
		}
	}
}

// misfitted refuses a call of a routine of the library whose arguments have not the types of its parameters.
func (l *linker) misfitted(c *ir.Call) {
	k := c.Callee.Known
	if k == nil || k.Meaning == ir.AsRefused || slices.Contains(l.opts.Abstract, c.Callee.Name) {
		return
	}
	if i := k.Misfit(c, l.opts.Model); i >= 0 {
		refuse(c.Span, "c-prototype", "declare the routine before it is called, with the types of its parameters", "%s() is called with %s for another type", c.Callee.Name, c.Args[i].Type())
	}
}
