package cfront

import (
	"modernc.org/cc/v4"

	"github.com/seltl/seltl/c/ir"
)

// variableLength declares an array whose length is computed: a pointer to memory that
// ArrayRoutine makes, of as many elements as the length says.
func (r *routine) variableLength(name string, a *cc.ArrayType, elem *ir.Type, span ir.Span) {
	size := r.types.size()
	n := r.variable(name+".length", size, ir.Temp, span)
	r.emit(&ir.Assign{To: ir.Whole(n), Value: r.convert(a.SizeExpression(), r.need(a.SizeExpression()), size), Span: span})
	v := r.declare(name, r.types.pointer(elem), ir.Local, span)
	to := ir.Whole(v)
	r.emit(&ir.Call{To: &to, Callee: r.arrayRoutine(v.Type), Args: []ir.Expr{&ir.Load{From: ir.Whole(n)}, &ir.Const{T: size, Bits: uint64(elem.Size)}}, Span: span})
	if r.lengths == nil {
		r.lengths = map[*ir.Var]*ir.Var{}
	}
	r.lengths[v] = n
}

// inVariableLength reports that a block is left open, other than the routine's, that has declared such an array.
func (r *routine) inVariableLength() bool {
	for _, scope := range r.scopes[min(2, len(r.scopes)):] {
		for _, v := range scope {
			if r.lengths[v] != nil {
				return true
			}
		}
	}
	return false
}

// arrayRoutine is ArrayRoutine.
func (l *linker) arrayRoutine(result *ir.Type) *ir.Func {
	if l.funcs[ir.ArrayRoutine] == nil {
		size := l.types.size()
		f := &ir.Func{Name: ir.ArrayRoutine, Type: &ir.Type{Kind: ir.Function, Size: -1, Result: result, Params: []*ir.Type{size, size}, Name: "void*(unsigned, unsigned)"}}
		l.funcs[ir.ArrayRoutine] = f
		l.prog.Funcs = append(l.prog.Funcs, f)
	}
	return l.funcs[ir.ArrayRoutine]
}

// lengthOf is the array of variable length that an expression names, nil if it names none.
func (r *routine) lengthOf(n cc.ExpressionNode) *ir.Var {
	switch e := n.(type) {
	case *cc.PrimaryExpression:
		switch e.Case {
		case cc.PrimaryExpressionExpr:
			return r.lengthOf(e.ExpressionList)
		case cc.PrimaryExpressionIdent:
			if v := r.lookup(e.Token.SrcStr()); v != nil && r.lengths[v] != nil {
				return v
			}
		}
	}
	return nil
}

// sizeOf is the size of an array of variable length.
func (r *routine) sizeOf(n cc.Node, v *ir.Var) ir.Expr {
	return r.operate(n, ir.Mul, &ir.Load{From: ir.Whole(r.lengths[v])}, &ir.Const{T: r.types.size(), Bits: uint64(v.Type.Elem.Size)})
}
